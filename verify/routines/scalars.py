"""Contracts in integers of the functions on scalars that multiplications call, each found by following it.

A function is followed once for the ranges of its arguments. The integers that it gives satisfy a linear
equation, which is stated here and shown on every way through the function; their ranges are found.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from efdgen.generator.errors import EfdgenError
from efdgen.generator.routines.integers import RoutineError
from efdgen.generator.routines.interpreter import Interpreter
from efdgen.verify.routines.arithmetic import Arithmetic
from efdgen.verify.routines.moves import Moves
from efdgen.verify.routines.words import prove_words
from efdgen.verify.symbols.bits import Bitwise
from efdgen.verify.symbols.facts import WORD
from efdgen.verify.symbols.forms import combined, is_multiple
from efdgen.verify.symbols.forms import number as constant_form
from efdgen.verify.symbols.ways import ways

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from efdgen.generator.planning.plan import CurvePlan
    from efdgen.generator.routines.module import Module
    from efdgen.verify.symbols.facts import Facts, Number
    from efdgen.verify.symbols.forms import Form

Range: TypeAlias = tuple[int, int]
Given: TypeAlias = tuple[int, int, bool]  # the range of an argument, and whether it is odd
_ANY = 1 << 4096  # a bound of every quotient


@dataclass(frozen=True)
class Equation:
    """A linear equation: ``results`` times results are ``arguments`` times arguments, and a ``constant``.

    So it is modulo ``modulus``, or exactly if that is 0; the first result counts once.
    """

    results: tuple[int, ...]
    arguments: tuple[int, ...]
    constant: int = 0
    modulus: int = 0

    def difference(self, results: Sequence[Form], arguments: Sequence[Form]) -> Form:
        """Return the left side without the right one."""
        return combined(
            *zip(self.results, results, strict=True),
            *((-times, form) for times, form in zip(self.arguments, arguments, strict=True)),
            (-1, constant_form(self.constant)),
        )


@dataclass
class Case:
    """Results of a function for one value of its flag: their ranges, and whether all are odd."""

    ranges: list[Range]
    odd: bool


class ScalarContracts:
    """The contracts of one module's functions on scalars."""

    def __init__(self, plan: CurvePlan, module: Module) -> None:
        split = plan.endomorphism.split if plan.endomorphism else None
        self._module, self._order, self._split = module, plan.order, split
        self._shift = split.shift if split else 0
        self.moves = Moves(module, plan.encoding.byteorder == "big")
        self._found: dict[tuple[Any, ...], dict[int | None, Case]] = {}
        count = module.constants["SCALAR_WORDS"].value
        assert isinstance(count, int)
        self._count = count
        names = [name for name in module.routines if name.startswith("scalar_")]
        prove_words(module, names, self._shift)
        self.moves.prove_assign()

    def table(self, facts: Facts) -> dict[str, Callable[..., list[Any]]]:
        """Return the contracts by their routines' names, for one way of a multiplication."""

        def used(name: str) -> Callable[..., list[Any]]:
            return lambda *arguments: self._used(facts, name, arguments)

        own = ("scalar_reduce", "scalar_make_odd", "scalar_absolute", "scalar_halves", "scalar_odd_halves")
        return self.moves.table(facts) | {name: used(name) for name in own}

    def prove_absolute(self, limits: Range, bits: int) -> None:
        """Prove absolute values of numbers within limits, which have at most a number of bits."""
        for case in self._proved("scalar_absolute", limits, ()).values():
            ((low, high),) = case.ranges
            if not 0 <= low <= high < 1 << bits:
                raise EfdgenError(f"scalar_absolute may give negative numbers, or more than {bits} bits")

    def prove_reduced(self, limits: Range, multiples: tuple[Any, ...], order: int) -> None:
        """Prove that numbers within limits are reduced modulo an order, the last of some multiples."""
        for case in self._proved("scalar_reduce", limits, (multiples,)).values():
            ((low, high),) = case.ranges
            last = sum(word << WORD * i for i, word in enumerate(multiples[-1]))
            if not 0 <= low <= high < order or last != order:
                raise EfdgenError(f"scalar_reduce may give numbers that are not below {order}")

    def prove_lengthened(self, top: int) -> None:
        """Prove that a reduced scalar is lengthened to a number whose top bit is known."""
        order = tuple(self._order >> WORD * i & ((1 << WORD) - 1) for i in range(self._count))
        for case in self._proved("scalar_lengthened", (0, self._order - 1), (order, top)).values():
            ((low, high),) = case.ranges
            if not 1 << top <= low <= high < 2 << top:
                raise EfdgenError(f"scalar_lengthened gives numbers whose top bit is not {top}")

    def _proved(self, name: str, limits: Range, constants: tuple[Any, ...]) -> dict[int | None, Case]:
        try:
            return self._contract(name, [(*limits, False)], constants)
        except RoutineError as error:
            raise EfdgenError(f"{name} is not proved: {error}") from None

    def half_ranges(self) -> list[Range]:
        """Return the ranges of the halves of a reduced scalar."""
        (case,) = self._proved("scalar_halves", (0, self._order - 1), ()).values()
        return case.ranges

    def _equation(self, name: str, flag: int | None, constants: Sequence[Any]) -> Equation:
        """Return what a function states; ``constants`` are its arguments after the scalars."""
        match name, flag:
            case "scalar_lengthened", None:
                return Equation((1,), (1,), modulus=self._order)
            case "scalar_reduce", None:
                last = sum(item << WORD * i for i, item in enumerate(constants[0][-1]))
                return Equation((1,), (1,), modulus=last)
            case "scalar_make_odd", 1:
                return Equation((1,), (-1,), sum(item << WORD * i for i, item in enumerate(constants[0])))
            case "scalar_absolute", 1:
                return Equation((1,), (-1,))
            case (("scalar_make_odd" | "scalar_absolute"), 0):
                return Equation((1,), (1,))
            case "scalar_halves", None if self._split:
                return Equation((1, self._split.eigenvalue), (1,), modulus=self._order)
            case "scalar_odd_halves", None if self._split:
                own = (1, self._split.eigenvalue)
                return Equation(own, own, modulus=self._order)
        raise RoutineError(f"{name} gives the flag {flag}")

    def _used(self, facts: Facts, name: str, arguments: tuple[Any, ...]) -> list[Any]:
        """Return new numbers in the place of what a function gives."""
        given = [facts.number(words) for words in _scalars(arguments[0])]
        ranges = [(*facts.range(n.form), facts.settled(n.bits[0]) == 1) for n in given]
        cases = self._contract(name, ranges, arguments[1:])
        flags = sorted(cases, key=str)
        flag = flags[facts.choose(f"{name} giving 1")] if len(flags) > 1 else flags[0]
        case, equation = cases[flag], self._equation(name, flag, arguments[1:])
        low_bit = 1 if case.odd else None
        others: list[Form] = [{facts.symbol(name, *limits): 1} for limits in case.ranges[1:]]
        first = equation.difference([{}, *others], [n.form for n in given])
        if equation.modulus:
            first = combined((1, first), (equation.modulus, {facts.symbol("multiple", -_ANY, _ANY): 1}))
        forms: list[Form] = [combined((-1, first)), *others]
        count = given[0].words
        values = [
            facts.make(name, count, form, limits, low_bit).value()
            for form, limits in zip(forms, case.ranges, strict=True)
        ]
        found = values if _is_table(arguments[0]) or name == "scalar_halves" else values[0]
        return [found] if flag is None else [found, flag]

    def _contract(
        self, name: str, ranges: Sequence[Given], constants: tuple[Any, ...]
    ) -> dict[int | None, Case]:
        """Return what a function gives for arguments in some ranges, by its flag."""
        key = name, tuple(ranges), constants
        if key not in self._found:
            cases: dict[int | None, Case] = {}
            for facts, (given, results, flag) in ways(lambda f: self._followed(f, name, ranges, constants)):
                equation = self._equation(name, flag, constants)
                difference = equation.difference([n.form for n in results], [n.form for n in given])
                if not is_multiple(facts.exact(difference), equation.modulus):
                    raise EfdgenError(f"{name} does not give the integers that its contract states")
                _extend(cases, flag, facts, results)
            self._found[key] = cases
        return self._found[key]

    def _followed(
        self, facts: Facts, name: str, ranges: Sequence[Given], constants: tuple[Any, ...]
    ) -> tuple[list[Number], list[Number], int | None]:
        """Run a function on any numbers in some ranges; return these, its results and its flag."""
        given = [
            facts.make(
                "given", self._count, {facts.symbol("k", low, high): 1}, (low, high), 1 if odd else None
            )
            for low, high, odd in ranges
        ]
        first: Any = given[0].value()
        if _is_table_type(self._module, name):
            first = [n.value() for n in given]
        meaning = Bitwise(facts)
        contracts = Arithmetic(facts, self._shift).table | self.moves.table(facts)
        run = Interpreter(self._module, contracts, values=meaning)
        changed, results = run.run(name, first, *constants)
        flag = meaning.known(results[-1]) if changed and results else None
        if flag not in (None, 0, 1):
            raise RoutineError(f"{name} gives a flag that is neither 0 nor 1")
        numbers = [facts.number(words) for words in _scalars(changed[0] if changed else results[0])]
        return given, numbers, flag


def _extend(cases: dict[int | None, Case], flag: int | None, facts: Facts, results: Sequence[Number]) -> None:
    """Add the results of one way to a case."""
    odd = all(facts.settled(number.bits[0]) == 1 for number in results)
    ranges = [facts.range(number.form) for number in results]
    if flag in cases:
        known = cases[flag]
        ranges = [(min(a, c), max(b, d)) for (a, b), (c, d) in zip(ranges, known.ranges, strict=True)]
        odd = odd and known.odd
    cases[flag] = Case(ranges, odd)


def _is_table(value: Any) -> bool:  # noqa: ANN401 - words, or an array of them
    return isinstance(value[0], list | tuple)


def _is_table_type(module: Module, name: str) -> bool:
    """Return whether a function takes an array of scalars first."""
    kind = module.routines[name].parameters[0].kind
    return bool(kind.lengths) and kind.name == "scalar"


def _scalars(value: Any) -> list[Any]:  # noqa: ANN401 - words, or an array of them
    return list(value) if _is_table(value) else [value]

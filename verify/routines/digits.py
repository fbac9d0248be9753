"""Contract of non-adjacent forms: digits that are 0, or odd and less than 2^(width - 1), and their sum.

``wnaf_var`` is a loop over places. Before place ``at`` the digits below it, and 2^at if there is a carry, add
up to the bits of the scalar below it. One iteration is run for any place, for each carry and for all bits
that it may read; so this holds after it too. From a scalar below 2^(DIGITS - 1) no carry is left in the end.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from efdgen.generator.errors import EfdgenError
from efdgen.generator.routines import tree
from efdgen.generator.routines.integers import Integers, RoutineError
from efdgen.generator.routines.interpreter import Interpreter
from efdgen.verify.symbols.integers import Symbol, Symbolic

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from efdgen.generator.routines.module import Module
    from efdgen.generator.routines.types import Type

ROUTINE, SIGNED = "wnaf_var", "signed_wnaf_var"


class _Digits(list[int]):
    """Digits that are written at places, by their offsets."""

    def __init__(self) -> None:
        super().__init__([0])
        self.written: dict[int, int] = {}

    def __getitem__(self, at: Any) -> Any:  # noqa: ANN401 - of a list
        raise RoutineError("a digit is read")

    def __setitem__(self, at: Any, value: Any) -> None:  # noqa: ANN401 - a place, and a digit
        if not isinstance(at, Symbol) or at.offset in self.written:
            raise RoutineError("a digit is written twice, or at a place that is not the loop's")
        self.written[at.offset] = value


def prove_digits(module: Module, widths: Sequence[int]) -> None:
    """Prove the contract for some widths; raise :class:`EfdgenError` where it fails."""
    try:
        one = _one_iteration(module)
        for width in dict.fromkeys(widths):
            for carry in (0, 1):
                for window in range(1 << width):
                    _require_step(one, width, carry, window)
        if SIGNED in module.routines:
            _prove_signed(module)
    except RoutineError as error:
        raise EfdgenError(f"{ROUTINE} is not proved: {error}") from None


def _one_iteration(module: Module) -> Module:
    """Return a module in which the routine does one iteration of its loop, for given variables."""
    routine = module.routines[ROUTINE]
    *declared, loop, end = (s for s in routine.body if not isinstance(s, tree.Comment))
    condition = tree.Binary("<", tree.Name("at"), tree.Name("DIGITS"))
    if not isinstance(loop, tree.While) or loop.condition != condition:
        raise EfdgenError(f"{ROUTINE} is no loop over all places")
    if not isinstance(end, tree.Return) or end.values != (tree.Name("digits"),):
        raise EfdgenError(f"{ROUTINE} returns something other than its digits")
    started = [(s.names, s.value) for s in declared if isinstance(s, tree.Declare)]
    if started != [((name,), tree.Number(0)) for name in ("digits", "carry", "at")]:
        raise EfdgenError(f"{ROUTINE} does not start at place 0, without a carry and with digits that are 0")
    kinds = [kind for s in declared if isinstance(s, tree.Declare) for kind in s.types]
    given = (*routine.parameters, *map(_changed, ("digits", "carry", "at"), kinds))
    own = replace(routine, parameters=given, results=(), body=loop.body)
    return replace(module, routines={**module.routines, ROUTINE: own})


def _changed(name: str, kind: Type) -> tree.Parameter:
    return tree.Parameter(name, tree.TypeName(""), "inout", type=kind)


def _require_step(one: Module, width: int, carry: int, window: int) -> None:
    """Run one iteration for some bits of a scalar from a place on."""
    t, digits, place = object(), _Digits(), Symbol("place")

    def bits(number: object, at: Any, count: int) -> list[int]:  # noqa: ANN401 - a place
        if number is not t or not isinstance(at, Symbol) or not 0 <= at.offset <= at.offset + count <= width:
            raise RoutineError(f"bits are read that digits of width {width} do not depend on")
        return [window >> at.offset & ((1 << count) - 1)]

    run = Interpreter(one, {"scalar_bits": bits}, values=Symbolic())
    (_, after, end), _ = run.run(ROUTINE, t, width, digits, carry, place)
    step, most = end.offset if isinstance(end, Symbol) else 0, 1 << width - 1
    if not 1 <= step <= width or after not in (0, 1) or any(at >= step for at in digits.written):
        raise RoutineError(f"an iteration does {step} places of {width}, with a carry of {after}")
    if any(digit % 2 == 0 or not -most < digit < most for digit in digits.written.values()):
        raise RoutineError(f"a digit is even, or not below {most}")
    total = sum(digit << at for at, digit in digits.written.items()) + (after << step)
    if total != (window & ((1 << step) - 1)) + carry:
        raise RoutineError(f"digits do not add up to the bits {window} with a carry of {carry}")
    # The last iteration: the form ends at most a step after its place, and the bit before the end is 0.
    if after and any(window < 1 << left - 1 for left in range(1, step + 1)):
        raise RoutineError("a carry is left after the last digit")


class _Signs(Integers):
    """Operators on integers, and signs of digits by their names."""

    def unary(self, operator: str, kind: Type, value: Any) -> Any:  # noqa: ANN401 - see Integers
        """Return the negative of a digit; it fits, because absolute values are below 2^(width - 1)."""
        if operator == "-" and isinstance(value, str):
            return f"-{value}"
        return super().unary(operator, kind, value)


def _prove_signed(module: Module) -> None:
    """Prove that the digits of a negative number are those of its absolute value, negated."""
    count, (t, magnitude) = module.constants["DIGITS"].value, (object(), object())
    assert isinstance(count, int)
    known = [f"digit {i}" for i in range(count)]

    def form(number: object, width: int) -> list[Any]:
        if number is not magnitude or width != 1:
            raise RoutineError("digits of another number, or of another width")
        return [list(known)]

    for negative, sign in ((0, ""), (1, "-")):

        def absolute(number: object, flag: int = negative) -> list[Any]:
            return [_same(number, t, magnitude), flag]

        contracts: dict[str, Callable[..., list[Any]]] = {ROUTINE: form, "scalar_absolute": absolute}
        (found,) = Interpreter(module, contracts, values=_Signs()).call(SIGNED, t, 1)
        if found != [sign + digit for digit in known]:
            raise RoutineError(f"{SIGNED} gives other digits for a sign of {sign or '+'}")


def _same(given: object, expected: object, result: object) -> object:
    if given is not expected:
        raise RoutineError("the absolute value of another number")
    return result

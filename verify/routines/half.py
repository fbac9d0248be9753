"""Proof that a test decides a*G + b*q = p, for all scalars and points and any vector (v, w).

At half length the vector is tested before it is used: v is odd, its absolute value is less than the prime n,
and v*b is w modulo n and modulo the cofactor 2^c, so modulo the order N = 2^c*n of the group. So v has an
inverse, and v*a*G + w*q - v*p = v*(a*G + b*q - p) is 0 only where a*G + b*q = p. Another vector gives way to
(1, b). In the least code, the sum itself is compared with p.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import product
from typing import TYPE_CHECKING, Any

from efdgen.generator.errors import EfdgenError
from efdgen.generator.planning.scalar_words import scalar_words
from efdgen.generator.routines import tree
from efdgen.generator.routines.integers import Integers, RoutineError
from efdgen.generator.routines.interpreter import Interpreter
from efdgen.generator.routines.types import Array
from efdgen.generator.scalars.digits import wnaf_entries
from efdgen.verify.routines.montgomery import prove_montgomery
from efdgen.verify.scalars.lattice import require_group
from efdgen.verify.symbols.facts import WORD

if TYPE_CHECKING:
    from collections.abc import Callable

    from efdgen.generator.planning.plan import CurvePlan
    from efdgen.generator.routines.module import Module
    from efdgen.generator.routines.types import Type
    from efdgen.verify.routines.scalars import ScalarContracts
    from efdgen.verify.symbols.items import Contracts

ROUTINE = "double_multiply_equals_var"
_BITS = 0, 1


def prove_half(plan: CurvePlan, module: Module, scalars: ScalarContracts) -> None:
    """Prove the test of a plan that has one; raise :class:`EfdgenError` where a step is wrong."""
    if ROUTINE not in module.routines:
        return
    try:
        if plan.half is None:
            _prove_whole(module)
            return
        require_group(plan.order, plan.cofactor)
        prove_montgomery(module, plan.order, scalar_words(plan).radix_words)
        own = _Half(plan, module)
        own.require_ranges(scalars)
        own.require_radix()
        for odd, low, short, reduced, same, negative in product(_BITS, repeat=6):
            own.prove_vector(odd, low, short, reduced, same, negative)
        for negative in _BITS:
            own.prove_digits(negative)
        for found, verdict in product(_BITS, repeat=2):
            own.prove_test(found, verdict)
    except RoutineError as error:
        raise EfdgenError(f"{ROUTINE} is not proved: {error}") from None
    except KeyError as error:
        raise EfdgenError(f"{ROUTINE} is not proved: {error} is given to a function") from None


@dataclass(frozen=True)
class _Digit:
    """A digit of a number's form at a place, or its negative."""

    number: str
    place: int
    sign: int = 1


class _Words(Integers):
    """Operators on the lowest words of v, w and b, and on digits, with the results of two tests of words."""

    def __init__(self, odd: int = 0, low: int = 0, mask: int = 0) -> None:
        self._odd, self._low, self._mask = odd, low, mask

    def unary(self, operator: str, kind: Type, value: Any) -> Any:  # noqa: ANN401 - see Integers
        """Return the negative of a digit."""
        if operator == "-" and isinstance(value, _Digit):
            return replace(value, sign=-value.sign)
        return super().unary(operator, kind, value)

    def binary(self, operator: str, kind: Type, left: Any, right: Any) -> Any:  # noqa: ANN401 - see Integers
        """Return a product or difference of words by its text, and its lowest bits."""
        match operator, left, right:
            case "*%" | "-%", str(), str():
                return f"({left} {operator[0]} {right})"
            case "&", "v[0]", 1:
                return self._odd
            case "&", "((v[0] * b[0]) - w[0])", self._mask:
                return 1 - self._low
            case _, str(), _:
                raise RoutineError(f"{left} {operator} {right} of lowest words")
        return super().binary(operator, kind, left, right)


class _Half:
    def __init__(self, plan: CurvePlan, module: Module) -> None:
        half, self._module, self._plan = plan.half, module, plan
        assert half is not None
        self._half = half
        values: dict[str, Any] = {name: constant.value for name, constant in module.constants.items()}
        self._places, self._count = values["DIGITS"], values["SCALAR_WORDS"]
        self._orders, self._groups = values["ORDER"], values["GROUP_ORDER"]
        # A table of one number, which is not there without Montgomery's products.
        (self._square,) = values.get("RADIX_SQUARED", [()])

    def require_ranges(self, scalars: ScalarContracts) -> None:
        """Require that numbers are reduced as is stated, and that reduced ones fit their words and forms."""
        plan, most = self._plan, (1 << WORD * self._count - 1) - 1
        group, limits = plan.order * plan.cofactor, (0, (1 << 8 * plan.reduction.bytes) - 1)
        scalars.prove_reduced(limits, self._groups, group)
        scalars.prove_absolute((-most, most), WORD * self._count - 1)
        lengths = self._lengths()
        if lengths != [wnaf_entries(self._half.width), wnaf_entries(self._half.fixed_width)]:
            raise RoutineError(f"tables of {lengths} entries are read by digits of other widths")
        if group > limits[1] or group >= 1 << self._places - 1:
            raise RoutineError("a reduced number has more digits than a form has places, or more bytes")

    def _lengths(self) -> list[Any]:
        """Return the numbers of entries of a table of a point, and of one of the fixed tables."""
        (own,) = {
            result.type
            for name in tree.called(self._module.routines[ROUTINE])
            if "_entries" in name
            for result in self._module.routines[name].results
        }
        fixed = self._module.constants["HALF_TABLE"].type
        assert isinstance(own, Array)
        assert isinstance(fixed, Array)
        assert isinstance(fixed.item, Array)
        return [own.length, fixed.item.length]

    def require_radix(self) -> None:
        """Require that RADIX_SQUARED is R^2 modulo n, for the radix R of Montgomery's products."""
        square = sum(word << WORD * at for at, word in enumerate(self._square))
        if square != pow(2, 2 * WORD * scalar_words(self._plan).radix_words, self._plan.order):
            raise RoutineError("RADIX_SQUARED is another number")

    def prove_vector(self, odd: int, low: int, short: int, reduced: int, same: int, negative: int) -> None:
        """Prove that a vector is taken where all that it must be is tested, and holds."""
        order = self._orders[-1]
        signed = "n - |v|*b" if negative else "|v|*b"
        differences: dict[Any, list[Any]] = {
            ("|v|", order): [None, short],
            ("w", order): [None, reduced],
            (order, "|v|*b"): ["n - |v|*b", None],
        }
        contracts: Contracts = {
            "scalar_absolute": lambda t: ["|v|" if _named(t) == "v" else None, negative],
            "scalar_sub": lambda one, other: differences[_named(one), _named(other)],
            "scalar_montgomery": _only({("b", "|v|*R"): "|v|*b"}),
            "scalar_assign": lambda t, other, flag: [other if flag else t],
            "scalar_differs_by": _only({(signed, "w", 0): same}),
        }
        words = _Words(odd, low, self._plan.cofactor - 1)
        scalars = [[f"{name}[0]"] for name in "vwb"]
        found = self._called("half_is_vector_var", contracts, words, *scalars, "|v|*R")
        if found != [odd & low & short & reduced & same]:
            raise RoutineError("a vector is taken that may be another one")

    def prove_digits(self, negative: int) -> None:
        """Prove that the digits are those of w or -w, |v|, and |v|*a modulo n in two parts."""
        half, places = self._half, range(self._places)
        forms = {("w", half.width): "w", ("|v|", half.width): "|v|", ("|v|*a", half.fixed_width): "|v|*a"}
        contracts: Contracts = {
            "scalar_absolute": lambda t: ["|v|" if t == "v" else None, negative],
            "scalar_read": _only({("a",): "a"}),
            "scalar_montgomery": _only({("a", "|v|*R"): "|v|*a"}),
            "wnaf_var": lambda t, width: [[_Digit(forms[t, width], at) for at in places]],
        }
        digits, fixed = self._called("half_digits_var", contracts, _Words(), "a", "v", "w", "|v|*R")
        sign, whole = (-1 if negative else 1), [_Digit("|v|*a", at) for at in places]
        parts = whole[: half.split], whole[half.split :]
        wanted = [part + [0] * (self._places - len(part)) for part in parts]
        own = [[_Digit("w", at, sign) for at in places], [_Digit("|v|", at) for at in places]]
        if (digits, fixed) != (own, wanted):
            raise RoutineError("the digits are those of other numbers")

    def prove_test(self, found: int, verdict: int) -> None:
        """Prove that the sum of a vector decides: of the one that was found, or of (1, b)."""
        called = tree.called(self._module.routines[ROUTINE])
        # Tables of one length and kind share a function.
        tables = [name for name in called if "_entries" in name]
        one, square = (1, *[0] * (self._count - 1)), _named(self._square)
        vector = ("v", "w", "|v|*R") if found else (one, "b mod N", "R")
        contracts: Contracts = {
            "scalar_read": _only({("b",): "b"}),
            "scalar_reduce": lambda t, multiples: [{("b", self._groups): "b mod N"}[t, _named(multiples)]],
            "half_vector_var": lambda t: [["v", "w"]] if t == "b mod N" else [None],
            "scalar_absolute": lambda t: ["|v|" if t == "v" else None, None],
            "scalar_montgomery": _only({("|v|", square): "|v|*R", (one, square): "R"}),
            "half_is_vector_var": _only({("v", "w", "b mod N", "|v|*R"): found}),
            "half_digits_var": _only({("a", *vector): "digits"}, "fixed"),
            "negate": _only({("p",): "-p"}),
            **dict.fromkeys(tables, _only({("q",): "of q", ("-p",): "of -p"})),
            "half_sum_var": _only({("digits", "fixed", self._places, ("of q", "of -p")): "S"}),
            "is_identity": _only({("S",): verdict}),
        }
        if self._called(ROUTINE, contracts, _Words(), "a", "b", "q", "p") != [verdict]:
            raise RoutineError("another sum decides")

    def _called(
        self,
        name: str,
        contracts: Contracts,
        words: Integers,
        *given: Any,  # noqa: ANN401 - names, or words
    ) -> list[Any]:
        return Interpreter(self._module, contracts, values=words).call(name, *given)


def _prove_whole(module: Module) -> None:
    """Prove that a*G + b*q is compared with p."""
    for verdict in _BITS:
        contracts: Contracts = {
            "double_multiply_var": _only({("a", "b", "q"): "S"}),
            "equal": _only({("S", "p"): verdict}),
        }
        if Interpreter(module, contracts).call(ROUTINE, "a", "b", "q", "p") != [verdict]:
            raise RoutineError("another sum decides")


def _only(results: dict[tuple[Any, ...], Any], *others: object) -> Callable[..., list[Any]]:
    """Return a contract that gives a result for some arguments alone, and others besides."""
    return lambda *given: [results[_named(given)], *others]


def _named(value: Any) -> Any:  # noqa: ANN401 - a scalar, whose lowest word has its name, or a constant
    match value:
        case [str(word)] if word.endswith("[0]"):
            return word.removesuffix("[0]")
        case list() | tuple():
            return tuple(map(_named, value))
    return value

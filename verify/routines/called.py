"""Contracts of functions on scalars that multiplications printed from templates call.

Non-adjacent forms add up to a number, the windows of buckets to one with half of each added. For ladders on
one Z, a scalar is lengthened by the order, and compared with numbers that differ by little.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import z3

from efdgen.generator.errors import EfdgenError
from efdgen.generator.planning.forms import form_widths
from efdgen.generator.routines.integers import Integers, RoutineError
from efdgen.generator.routines.interpreter import Interpreter
from efdgen.generator.routines.types import Integer
from efdgen.verify.routines.digits import prove_digits
from efdgen.verify.routines.forms import ENDING
from efdgen.verify.routines.sums import prove_sum
from efdgen.verify.solver import follows
from efdgen.verify.symbols.facts import WORD

if TYPE_CHECKING:
    from efdgen.generator.planning.plan import CurvePlan
    from efdgen.generator.routines.module import Module
    from efdgen.generator.routines.types import Type
    from efdgen.verify.routines.scalars import ScalarContracts

PROVED = frozenset(
    [
        *("wnaf_var", "signed_wnaf_var", "window_count", "scalar_shifted_var"),
        *("scalar_absolute", "scalar_lengthened", "scalar_differs_by"),
    ]
)


def prove_called(plan: CurvePlan, module: Module, scalars: ScalarContracts) -> None:
    """Prove the contracts; raise :class:`EfdgenError` where one fails."""
    places = module.constants["DIGITS"].value
    assert isinstance(places, int)
    widths = form_widths(plan)
    prove_digits(module, widths)
    for name in module.routines:
        if name.endswith(ENDING):
            prove_sum(module, name, complete=plan.roles.complete)
    scalars.moves.prove_parts(range(places), [1, *widths])
    most = plan.reduction.modulus - 1
    if plan.endomorphism is None and most.bit_length() >= places:
        raise EfdgenError(f"{places} digits are too few for reduced scalars")
    signed = scalars.half_ranges() if plan.endomorphism is not None else []
    for limits in [*signed, *([(-most, most)] if plan.half is not None else [])]:
        scalars.prove_absolute(limits, places - 1)
    try:
        for _, width in plan.multi.windows:
            windows = (plan.scalar_bits + 1) // width + 1
            _prove_windows(module, width, windows)
            scalars.moves.prove_parts(range(0, width * windows, width), [width])
        if plan.coz is not None:
            scalars.prove_lengthened(plan.coz.bits)
            _prove_difference(module)
    except RoutineError as error:
        raise EfdgenError(f"not proved: {error}") from None


def _prove_windows(module: Module, width: int, windows: int) -> None:
    """Prove that half of each of some windows is added."""
    if Interpreter(module).call("window_count", width) != [windows]:
        raise EfdgenError(f"window_count is not {windows} for {width} bits")
    t, total = object(), object()
    halves = sum(1 << width * i + width - 1 for i in range(windows))

    def added(*given: Any) -> list[object]:  # noqa: ANN401 - a scalar, and words
        words = [item for item in given if item is not t]
        if len(words) != 1 or sum(item << WORD * i for i, item in enumerate(words[0])) != halves:
            raise RoutineError("scalar_shifted_var adds something other than half of each window")
        return [total]

    if Interpreter(module, {"scalar_add": added}).call("scalar_shifted_var", t, width, windows) != [total]:
        raise EfdgenError("scalar_shifted_var returns something other than a sum")


class _Vectors(Integers):
    """Operators on bit vectors of Z3."""

    def binary(self, operator: str, kind: Type, left: Any, right: Any) -> Any:  # noqa: ANN401 - see Integers
        """Return an operator on words."""
        if isinstance(left, int) and isinstance(right, int):
            return super().binary(operator, kind, left, right)
        found = {
            "^": lambda a, b: a ^ b,
            "|": lambda a, b: a | b,
            "&": lambda a, b: a & b,
            "+%": lambda a, b: a + b,
            "-%": lambda a, b: a - b,
            ">>": z3.LShR,
        }.get(operator)
        if found is None or not isinstance(kind, Integer):
            raise RoutineError(f"{operator} on words is not followed")
        return found(*(z3.BitVecVal(v, kind.bits) if isinstance(v, int) else v for v in (left, right)))

    def converted(self, kind: Type, value: Any) -> Any:  # noqa: ANN401 - see Integers
        """Return a word as a choice."""
        if isinstance(kind, Integer) and not isinstance(value, int):
            raise RoutineError("a conversion that is not followed")
        return super().converted(kind, value)


def _prove_difference(module: Module) -> None:
    """Prove that scalar_differs_by is 1 if the words of a difference are a small number, and 0 else."""
    count = module.constants["SCALAR_WORDS"].value
    assert isinstance(count, int)
    a, b = object(), object()
    words, small = [z3.BitVec(f"d{i}", WORD) for i in range(count)], z3.BitVec("small", WORD)

    def difference(*given: object) -> list[Any]:
        if given != (a, b):
            raise RoutineError("scalar_differs_by compares another difference")
        return [words, None]

    run = Interpreter(module, {"scalar_sub": difference}, values=_Vectors())
    (found,) = run.call("scalar_differs_by", a, b, small)
    equal = z3.And(words[0] == small, *(word == 0 for word in words[1:]))
    choice = z3.If(equal, z3.BitVecVal(1, WORD), z3.BitVecVal(0, WORD))
    if not follows("words of a difference are a small number", found == choice):
        raise EfdgenError("scalar_differs_by is not 1 for equal numbers, and 0 for all others")

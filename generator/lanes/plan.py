"""Plans for lanes of a prime field: the representation with the fewest instructions in a product."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from efdgen.generator.errors import EfdgenError
from efdgen.generator.lanes.full import FoldedLanes, MontgomeryLanes
from efdgen.generator.lanes.instructions import MACHINES
from efdgen.generator.lanes.lanes import FACTOR_BITS
from efdgen.generator.lanes.spare import SpareLanes
from efdgen.generator.limbs.operations import MulWide
from efdgen.generator.limbs.plan import FieldPlan
from efdgen.generator.limbs.shape import shape_of, shape_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from efdgen.generator.lanes.instructions import InstructionSet
    from efdgen.generator.lanes.lanes import Lanes
    from efdgen.generator.options import Machine

_WORD = 64


@cache
def lane_plan(prime: int, machine: Machine) -> FieldPlan:
    """Choose a representation for an odd prime; raises :class:`EfdgenError` for one that has none."""
    instructions = MACHINES[machine]
    found = next((lanes for lanes in _candidates(prime, instructions) if _is_closed(lanes)), None)
    if found is None:
        raise EfdgenError("this prime has no representation in lanes of 52 bits")
    reason = _reason(found, instructions)
    return FieldPlan(prime, _WORD, "clang", shape_of(prime, _WORD), found, reason, "unsaturated")


def _candidates(prime: int, machine: InstructionSet) -> Iterator[Lanes]:
    """Yield representations, those first that reduce at the least cost."""
    bits, by_halves = prime.bit_length(), machine.by_halves
    if bits <= FACTOR_BITS:
        return
    offset = (1 << bits) - prime
    least = -(-bits // FACTOR_BITS)
    for count in range(max(least, 2), least + 2):
        width = -(-bits // count)
        if width < FACTOR_BITS and offset.bit_length() <= FACTOR_BITS:
            yield SpareLanes(bits, ((0, offset),), (width,) * count, _WORD, by_halves)
    for count in range(max(least, 2), least + 3):
        widths = (FACTOR_BITS,) * count
        if (offset << FACTOR_BITS * count - bits).bit_length() <= FACTOR_BITS:
            yield FoldedLanes(bits, ((0, offset),), widths, _WORD, by_halves)
    for count in range(max(least, 2), least + 3):
        digits = [offset >> FACTOR_BITS * at & (1 << FACTOR_BITS) - 1 for at in range(count)]
        folds = tuple((at, digit) for at, digit in enumerate(digits) if digit)
        yield MontgomeryLanes(bits, folds, (FACTOR_BITS,) * count, _WORD, by_halves)


def _is_closed(lanes: Lanes) -> bool:
    """Return whether products fit, and are tight when they are reduced, and sums when they are carried."""
    if min(lanes.limits) < 1 or max(lanes.operand_limits) >> FACTOR_BITS:
        return False
    builder = lanes.begin()
    number = lanes.input(builder, "a")
    made = [lanes.tight_sum(builder, None if sign < 0 else number, number, sign, "t") for sign in (1, -1)]
    for word, limit in zip(builder.numbers[number].words, lanes.operand_limits, strict=True):
        builder.intervals[word] = builder.intervals[word]._replace(high=limit)
    products = lanes.product(builder, number, number, "m"), lanes.square(builder, number, "s")
    if any(builder.intervals[w].high >> _WORD - 2 for at in products for w in builder.numbers[at].words):
        return False
    made += [lanes.reduce(builder, wide, "r") for wide in products]
    tight = all(lanes.are_within(builder, builder.numbers[at or 0].words, lanes.limits) for at in made)
    return tight and not any(isinstance(i.operation, MulWide) for i in builder.instructions)


def _reason(lanes: Lanes, machine: InstructionSet) -> str:
    shape = shape_text(shape_of(lanes.prime, _WORD))
    text = f"{shape}: {lanes.limbs} limbs of {lanes.widths[0]} bits in {machine.number} lanes"
    match lanes:
        case SpareLanes():
            ((_, factor),) = lanes.wrap
            above = f"what lies above 2^{lanes.end} is multiplied by {factor} and added"
            return f"{text}, carried all at once; {above}"
        case FoldedLanes():
            return f"{text}; what lies above 2^{lanes.end} is multiplied by a limb and added"
        case _:
            return f"{text}; Montgomery's reduction, R = 2^{lanes.end}"

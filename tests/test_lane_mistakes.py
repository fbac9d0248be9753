"""Mistakes of other people's code in lanes, which proofs refuse."""

from dataclasses import replace

import pytest
from lane_machines import ENCODED, WIDE

from efdgen.generator.lanes.full import FoldedLanes, MontgomeryLanes
from efdgen.generator.lanes.plan import lane_plan
from efdgen.generator.limbs.field_operations import field_operations
from efdgen.generator.limbs.lower import lower_to_limbs
from efdgen.generator.limbs.operations import ShiftRight
from efdgen.generator.programs.builder import ProgramBuilder
from efdgen.generator.programs.program import Input, Sqr, Sub
from efdgen.verify.limbs.prove import prove_limb_program
from efdgen.verify.verdicts import Refuted


class ParallelCarries(FoldedLanes):
    """Limbs of 52 bits that carry all at once: one of 2^52 would be 0 to a product."""

    def chained(self, builder, row):
        parts = [self.split(builder, word, width) for word, width in zip(row, self.widths, strict=True)]
        low, above = ([part[at] for part in parts] for at in (0, 1))
        return [low[0], *(builder.add(a, b)[0] for a, b in zip(low[1:], above, strict=False))]

    def _passed_on(self, builder, row):
        return self.carried(builder, row)


class UnreducedDifferences(MontgomeryLanes):
    """Differences that are multiplied as they are."""

    def tighten(self, builder, loose, name, limit):
        return loose if limit >= self.operand else super().tighten(builder, loose, name, limit)


class TopCarryStays(FoldedLanes):
    """The part above p's bits is not folded before the chain of carries."""

    def carried(self, builder, row):
        return self.chained(builder, row)


class CarryIsDropped(MontgomeryLanes):
    """One of the carries out of cleared columns is left out."""

    def split(self, builder, value, width):
        low, above = super().split(builder, value, width)
        at = sum(isinstance(i.operation, ShiftRight) for i in builder.instructions)
        return (low, builder.constant(0)) if at == 2 and width == 52 else (low, above)


PRODUCT = field_operations()["mul"]


@pytest.mark.parametrize("machine", [WIDE, ENCODED])
@pytest.mark.parametrize(
    ("kind", "prime", "told"),
    [
        (ParallelCarries, 2**256 - 2**32 - 977, "exceed"),
        (UnreducedDifferences, 2**256 - 2**224 + 2**192 + 2**96 - 1, "exceed 52 bits"),
        (TopCarryStays, 2**256 - 2**32 - 977, "exceed"),
        (CarryIsDropped, 2**256 - 2**224 + 2**192 + 2**96 - 1, "do not vanish|exceed"),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_known_mistakes_are_refused(kind, prime, told, machine):
    right = lane_plan(prime, machine)
    lanes = right.reduction
    own = kind(lanes.exponent, lanes.folds, lanes.widths, lanes.word, lanes.by_halves)
    wrong = replace(right, reduction=own)
    program = square_of_difference() if kind is UnreducedDifferences else PRODUCT
    prove_limb_program(lower_to_limbs(program, right, builder=lanes.begin()), program, right)
    with pytest.raises(Refuted, match=told):
        prove_limb_program(lower_to_limbs(program, wrong, builder=lanes.begin()), program, wrong)


def square_of_difference():
    builder = ProgramBuilder()
    a, b = (builder.emit(Input(name), name) for name in "ab")
    return builder.build([("r", builder.emit(Sqr(builder.emit(Sub(a, b), "d")), "r"))])

"""Elements in lanes from full words, and back to the least number in full words: what bytes are about."""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.fields.operations import FieldOperation
from efdgen.generator.lanes.lanes import FACTOR_BITS, Lanes
from efdgen.generator.limbs.contract import Contract, Port
from efdgen.generator.limbs.operations import Sub
from efdgen.generator.limbs.packing import packed, unpacked
from efdgen.generator.limbs.program import Claim, Number, Term, full_words
from efdgen.generator.programs.builder import ProgramBuilder
from efdgen.generator.programs.program import Input

if TYPE_CHECKING:
    from collections.abc import Iterator

    from efdgen.generator.limbs.builder import LimbBuilder
    from efdgen.generator.limbs.plan import FieldPlan
    from efdgen.generator.programs.program import Program


def conversions(plan: FieldPlan) -> Iterator[FieldOperation]:
    """Yield both conversions of a plan of lanes; words are of several numbers, side by side."""
    writer = _Writer(plan, lanes_of(plan))
    yield writer.from_words()
    yield writer.to_words()


def lanes_of(plan: FieldPlan) -> Lanes:
    """Return the representation of a plan of lanes."""
    assert isinstance(plan.reduction, Lanes)
    return plan.reduction


def words_of(lanes: Lanes) -> int:
    """Return how many full words a number has."""
    return -(-lanes.exponent // lanes.word)


def number_bits(lanes: Lanes) -> int:
    """Return how many bits a number may have that is converted."""
    return min(lanes.word * words_of(lanes), lanes.positions[-1] + lanes.last_limit.bit_length() - 1)


class _Writer:
    def __init__(self, plan: FieldPlan, lanes: Lanes) -> None:
        self._lanes, self._word, self._prime = lanes, plan.word, plan.prime
        self._count = words_of(lanes)
        self._element = Port(lanes.positions, lanes.tight, lanes.radix, lanes.limits)
        positions = full_words(plan.word, self._count)
        self._number = Port(positions, (1 << number_bits(lanes)) - 1)
        self._reduced = Port(positions, plan.prime - 1)

    def from_words(self) -> FieldOperation:
        """Split a number of full words into limbs, and multiply it by the radix."""
        lanes = self._lanes
        builder, number = self._begin("t", self._number)
        row = unpacked(builder, builder.numbers[number].words, lanes.widths)
        claim = Claim(1, (Term(1, (number,)),), lanes.field)
        at = builder.define_limited("l = t, in limbs", row, lanes.positions, claim)
        if lanes.radix == 1:
            made = lanes.tighten(builder, at, "r", lanes.tight)
        else:
            factor = lanes.known(builder, lanes.radix**2 % self._prime, "k = R^2")
            made = lanes.reduce(builder, lanes.product(builder, at, factor, "m"), "r")
        contract = Contract(_same("t"), {"t": self._number}, {"r": self._element}, lanes.field)
        return FieldOperation("from_words", "r = t modulo p", builder.build([("r", made)]), contract)

    def to_words(self) -> FieldOperation:
        """Divide by the radix, subtract p where the number is at least that, and join the limbs."""
        lanes = self._lanes
        builder, number = self._begin("a", self._element)
        if lanes.radix != 1:
            row = [*builder.numbers[number].words, *[builder.constant(0)] * lanes.limbs]
            claim = Claim(1, (Term(1, (number,)),))
            positions = tuple(FACTOR_BITS * at for at in range(len(row)))
            number = lanes.reduce(builder, builder.define_limited("w = a", row, positions, claim), "b")
        number = self._chained(builder, number)
        while (most := builder.numbers[number].maximum) >= self._prime:
            number = self._subtracted(builder, number, self._prime << (most // self._prime).bit_length() - 1)
        words = packed(builder, builder.numbers[number].words, lanes.positions, self._count)
        claim = Claim(1, (Term(1, (number,)),), lanes.field)
        made = builder.define("r = u, in full words", words, self._prime - 1, claim)
        contract = Contract(_same("a"), {"a": self._element}, {"r": self._reduced}, lanes.field)
        return FieldOperation(
            "to_words", "r = the number of a in [0, p)", builder.build([("r", made)]), contract
        )

    def _begin(self, name: str, port: Port) -> tuple[LimbBuilder, int]:
        builder = self._lanes.begin()
        number = Number(name, (), port.positions, port.maximum, 0, port.limits)
        return builder, builder.take_in(number)

    def _chained(self, builder: LimbBuilder, number: int) -> int:
        """Return a number whose limbs are as wide as they are apart, with little above p's bits."""
        lanes = self._lanes
        row = list(builder.numbers[number].words)
        if lanes.radix == 1:
            row[-1], above = lanes.split(builder, row[-1], lanes.exponent - lanes.positions[-1])
            for at, factor in lanes.folds:
                multiple, _ = builder.mul(above, builder.constant(factor))
                row[at], _ = builder.add(row[at], multiple)
        row = lanes.chained(builder, row)
        claim = Claim(1, (Term(1, (number,)),), lanes.field)
        return builder.define_limited("c = a, carried", row, lanes.positions, claim)

    def _subtracted(self, builder: LimbBuilder, number: int, multiple: int) -> int:
        """Subtract a multiple of p from a number that is at least as large: then the last limb carries."""
        lanes, words, last = self._lanes, builder.numbers[number].words, self._lanes.limbs - 1
        maximum, top = builder.numbers[number].maximum, builder.intervals[words[last]].high.bit_length()
        complement = lanes.digits((1 << lanes.positions[last] + top) - multiple)
        carry = builder.constant(0)
        for at, (word, known) in enumerate(zip(words, complement, strict=True)):
            total, _ = builder.add(builder.add(word, builder.constant(known))[0], carry)
            _, carry = lanes.split(builder, total, lanes.widths[at] if at < last else top)
        taken = builder.masked(carry, [builder.constant(limb) for limb in lanes.digits(multiple)])
        made, carry = [], builder.constant(1)
        for at, (word, less) in enumerate(zip(words[:last], taken[:last], strict=True)):
            room = builder.constant((1 << lanes.widths[at]) - 1)
            total, _ = builder.add(builder.add(word, room)[0], carry)
            low, carry = lanes.split(builder, builder.emit(Sub(total, less))[0], lanes.widths[at])
            made.append(low)
        (rest,) = builder.emit(Sub(builder.add(words[last], carry)[0], builder.constant(1)))[:1]
        made.append(builder.emit(Sub(rest, taken[last]))[0])
        left = max(multiple - 1, maximum - multiple)
        claim = Claim(1, (Term(1, (number,)),), lanes.field)
        return builder.define_limited("u = c, or less", made, lanes.positions, claim, left)


def _same(name: str) -> Program:
    builder = ProgramBuilder()
    return builder.build([("r", builder.emit(Input(name), name))])

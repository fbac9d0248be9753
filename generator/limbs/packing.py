"""From limbs to full words and back: what bytes, comparisons and inversions are about."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING

from efdgen.generator.limbs.columns import wrapped
from efdgen.generator.limbs.operations import ShiftRight
from efdgen.generator.limbs.program import Claim, Term

if TYPE_CHECKING:
    from collections.abc import Sequence

    from efdgen.generator.limbs.builder import LimbBuilder
    from efdgen.generator.limbs.layout import LimbLayout


def in_words(builder: LimbBuilder, limbs: LimbLayout, number: int) -> int:
    """Return a tight number in full words, below 2p: folded, carried from limb to limb, and packed."""
    whole, last = builder.numbers[number], limbs.limbs - 1
    widths = (*limbs.widths[:last], limbs.exponent - limbs.positions[last])
    (above,) = builder.emit(ShiftRight(whole.words[last], widths[last]))
    row = [*whole.words[:last], builder.low_bits(whole.words[last], widths[last])]
    for index, factor in limbs.folds:
        multiple, _ = builder.mul(above, builder.constant(factor))
        row[index], _ = builder.add(row[index], multiple)
    for at in range(last):
        (passed,) = builder.emit(ShiftRight(row[at], widths[at]))
        row[at] = builder.low_bits(row[at], widths[at])
        row[at + 1], _ = builder.add(row[at + 1], passed)
    claim = Claim(1, (Term(1, (number,)),), limbs.field)
    carried = builder.define_limited(f"l = {whole.name}, carried", row, limbs.positions, claim)
    maximum = builder.numbers[carried].maximum
    words = packed(builder, row, limbs.positions, builder.count_words(maximum))
    return builder.define(
        "t = l, in full words", words, maximum, Claim(1, (Term(1, (carried,)),), limbs.field)
    )


def packed(builder: LimbBuilder, row: Sequence[int], positions: Sequence[int], count: int) -> list[int]:
    """Return ``count`` full words of limbs that do not overlap."""
    bits, size = _Bits(builder, row, positions), builder.word
    return [bits.take(at * size, size) for at in range(count)]


def limbs_of(builder: LimbBuilder, limbs: LimbLayout, words: Sequence[int]) -> list[int]:
    """Return a number in full words in limbs, with what is above the last one folded into them."""
    left = builder.word * len(words) - limbs.end
    *row, above = unpacked(builder, words, (*limbs.widths, max(left, 0)))
    return wrapped(builder, limbs, row, (above, builder.constant(0))) if left > 0 else row


def unpacked(builder: LimbBuilder, words: Sequence[int], widths: Sequence[int]) -> list[int]:
    """Return a number in full words in limbs of some widths."""
    bits = _Bits(builder, words, [builder.word * at for at in range(len(words))])
    return [bits.take(end - width, width) for end, width in zip(accumulate(widths), widths, strict=True)]


class _Bits:
    """Values side by side, from the lowest bits on; the last one has as many bits as it can have."""

    def __init__(self, builder: LimbBuilder, row: Sequence[int], positions: Sequence[int]) -> None:
        self._builder = builder
        last = positions[-1] + builder.intervals[row[-1]].high.bit_length()
        self._left = list(zip(row, positions, (*positions[1:], last), strict=True))

    def take(self, start: int, count: int) -> int:
        """Return the next ``count`` bits, from ``start`` on; bits are taken in order, each once."""
        builder, total = self._builder, self._builder.constant(0)
        for at, (value, low, end) in enumerate(self._left):
            high = min(end, start + count)
            if low >= high:
                continue
            part = rest = value
            if high < end:
                part = builder.low_bits(value, high - low)
                (rest,) = builder.emit(ShiftRight(value, high - low))
            self._left[at] = rest, high, end
            total, _ = builder.add(total, builder.shift_left([part], low - start)[0])
        return total

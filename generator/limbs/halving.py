"""Halving modulo an odd prime: (x + p)/2 if x is odd, otherwise x/2."""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.limbs.operations import Funnel, ShiftRight
from efdgen.generator.limbs.program import Claim, Term

if TYPE_CHECKING:
    from efdgen.generator.limbs.builder import LimbBuilder
    from efdgen.generator.mathematics.prime import PrimeField


def half(builder: LimbBuilder, number: int, field: PrimeField, name: str) -> int:
    """Write down half of a number: shifted by a bit, and (p + 1)/2 added where that bit was 1.

    Before it is shifted a sum with p may have one bit more than its words hold; this has not.
    """
    whole = builder.numbers[number]
    odd = builder.low_bits(whole.words[0], 1)
    pairs = zip(whole.words, whole.words[1:], strict=False)
    shifted = [builder.emit(Funnel(high, low, builder.word - 1))[0] for low, high in pairs]
    shifted += builder.emit(ShiftRight(whole.words[-1], 1))
    added = (field.prime + 1) // 2
    rest = builder.words_of(added, builder.count_words(field.prime))
    maximum = whole.maximum // 2 + added
    row = builder.add_rows_within(shifted, builder.masked(odd, rest), maximum)
    claim = Claim(2, (Term(1, (number,)),), field)
    return builder.define(f"{name} = {whole.name}/2", row, maximum, claim)

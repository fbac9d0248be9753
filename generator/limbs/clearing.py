"""Clearing the lowest words of a number by adding a multiple of p: one step of Montgomery's reduction.

A step adds M·p in one of two ways, whichever has fewer products. With r the row, r0 its lowest word and
c = 2^(wn) - p::

    r + M·p                        adding p, word by word
    r + M·2^(wn) - M·c             M itself becomes the highest word, and a multiple of c is subtracted

M makes the lowest word 0: r0·(-1/p) mod 2^w. If p ≡ -1 modulo 2^(wk), or c ≡ 1, M is r0 itself, and the k
lowest words are cleared together, and nothing is computed for them: M·p = M·(p + 1) - M. Words that are 0
cost nothing, and powers of two are shifts. So 5·2^248 - 1 takes one product a word, P-384 two, and
2^448 - 2^224 - 1 none.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from efdgen.generator.limbs.operations import MulLow, Sub

if TYPE_CHECKING:
    from efdgen.generator.limbs.builder import LimbBuilder


@dataclass(frozen=True)
class Step:
    """Clears ``words`` words of a row by a multiple of ``factor``.

    The multiple is added, or subtracted and M put on top where ``complement``. ``inverse`` times the lowest
    word is M, modulo 2^w; None where M is the lowest words themselves, and ``factor`` is what is above them.
    """

    words: int
    factor: int
    complement: bool
    inverse: int | None

    def products(self, word: int) -> int:
        """Return how many products the multiple takes for each word that is cleared."""
        return sum(part & part - 1 != 0 for part in _parts(self.factor, word))

    def take(self, builder: LimbBuilder, row: list[int], maximum: int) -> list[int]:
        """Return (row + M·p)/2^(w·words), which is at most ``maximum``."""
        if self.inverse is None:
            quotient = row[: self.words]
            multiple, rest = builder.times(quotient, self.factor), row[self.words :]
        else:
            quotient = list(builder.emit(MulLow(row[0], builder.constant(self.inverse))))
            factor = builder.words_of(self.factor, builder.count_words(self.factor))
            multiple, rest = builder.mul_row(factor, quotient[0]), row
        if not self.complement:
            skipped = 0 if self.inverse is None else 1
            total = builder.add_rows_within(rest, multiple, (maximum + 1 << builder.word * skipped) - 1)
            return total[skipped:]
        if self.inverse is not None:
            # Their lowest words are the same; this is for the proof, and is not printed.
            builder.emit(Sub(row[0], multiple[0]))
            multiple, rest = multiple[1:], row[1:]
        return builder.sub_rows_within([*rest, *quotient], multiple, maximum)


def cheapest_step(prime: int, word: int, most: int) -> Step:
    """Return the step for an odd prime with the fewest products, clearing ``most`` words at most."""
    radix = 1 << word * -(-prime.bit_length() // word)
    complement = radix - prime
    steps = []
    for factor, unit, negated in ((prime, -1, False), (complement, 1, True)):
        words = min(most, _trailing_zeros(factor - unit) // word)
        if words:
            steps.append(Step(words, factor - unit >> word * words, negated, None))
        else:
            inverse = unit * pow(factor, -1, 1 << word) % (1 << word)
            steps.append(Step(1, factor, negated, inverse))
    return min(steps, key=lambda step: _cost(step, word))


def _trailing_zeros(number: int) -> int:
    return (number & -number).bit_length() - 1


def _parts(number: int, word: int) -> list[int]:
    return [number >> at & (1 << word) - 1 for at in range(0, number.bit_length(), word)]


def _cost(step: Step, word: int) -> int:
    """Return about how many instructions a cleared word takes for its multiple."""
    shifts = sum(part != 0 for part in _parts(step.factor, word))
    return 2 * step.products(word) + shifts + (step.inverse is not None)

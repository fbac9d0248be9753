"""Inputs, drawn at random and at the edges: numbers, their words, and elements of a field."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from random import Random

    from efdgen.generator.limbs.program import Number


def integer(rng: Random, most: int) -> int:
    """Return an integer up to the largest: an edge, a run of ones, or any."""
    match rng.randrange(8):
        case 0:
            return rng.choice((0, 1, most, max(most - 1, 0)))
        case 1:
            return min(most, (1 << rng.randint(0, most.bit_length())) - rng.randint(0, 1))
        case 2:
            low = rng.randint(0, most.bit_length())
            return min(most, ((1 << rng.randint(0, most.bit_length())) - 1) << low)
        case _:
            return rng.randint(0, most)


def words(rng: Random, number: Number, word: int) -> list[int]:
    """Return words of a number within its bounds: filled from below, or with sums that overlap."""
    if number.is_of_columns(word):
        return _columns(rng, number, word)
    ends = [*number.positions[1:], number.positions[-1] + word]
    value = integer(rng, number.maximum)
    return [value >> at & (1 << end - at) - 1 for at, end in zip(number.positions, ends, strict=True)]


def _columns(rng: Random, number: Number, word: int) -> list[int]:
    found, rest = [], number.maximum
    columns = zip(number.positions[::2], number.limits[::2], number.limits[1::2], strict=True)
    for position, low, high in reversed([*columns]):
        column = integer(rng, min(rest >> position, high << word | low))
        rest -= column << position
        found.append((column & (1 << word) - 1, column >> word))
    return [each for pair in reversed(found) for each in pair]

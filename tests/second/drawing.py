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
    sizes = [end - at for at, end in zip(number.positions, ends, strict=True)]
    value = integer(rng, number.maximum)
    if rng.randrange(3):
        # Carries run through words at their edges, or stop there.
        edges = (_edge(rng, size) << at for at, size in zip(number.positions, sizes, strict=True))
        value = min(sum(edges), number.maximum)
    return [value >> at & (1 << size) - 1 for at, size in zip(number.positions, sizes, strict=True)]


def _edge(rng: Random, bits: int) -> int:
    """Return a word: often near 0, near a power of 2, or near all ones."""
    ones = (1 << bits) - 1
    match rng.randrange(6):
        case 0:
            return rng.choice((0, ones))
        case 1:
            return min(rng.randrange(3), ones)
        case 2:
            return ones - min(rng.randrange(3), ones)
        case 3:
            return rng.getrandbits(rng.randint(1, bits)) if bits else 0
        case 4:
            return ones ^ (rng.getrandbits(rng.randint(1, bits)) if bits else 0)
        case _:
            return rng.getrandbits(bits) if bits else 0


def _columns(rng: Random, number: Number, word: int) -> list[int]:
    found, rest = [], number.maximum
    columns = zip(number.positions[::2], number.limits[::2], number.limits[1::2], strict=True)
    for position, low, high in reversed([*columns]):
        column = integer(rng, min(rest >> position, high << word | low))
        rest -= column << position
        found.append((column & (1 << word) - 1, column >> word))
    return [each for pair in reversed(found) for each in pair]

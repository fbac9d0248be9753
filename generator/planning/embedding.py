"""Messages in points of an Edwards curve's subgroup: their length, and how many have no point."""

from __future__ import annotations

from dataclasses import dataclass
from math import log2

# At most one message in 2^20 may have no point.
_LEAST_BITS = 20
# Larger counters make no sense: each one is tried.
_MOST_COUNTERS = 1 << 16


@dataclass(frozen=True)
class Embedding:
    """The length of messages in ``bytes``, and the number of ``counters`` that may stand above one in y.

    One message in 2^``bits`` has no point.
    """

    bytes: int
    counters: int
    bits: int


def embedding(prime: int, cofactor: int) -> Embedding | None:
    """Return the embedding of the longest messages of which nearly all have a point.

    None without any, and where it would take more than 65,536 counters.

    For each counter a message is tried with an even x, and its complement with an odd x. A half of all y
    belong to points, with an even and an odd x, and one in ``cofactor`` of these points is in the subgroup.
    """
    missed = -log2(1 - 1 / (2 * cofactor))
    for length in range((prime.bit_length() - 1) // 8, 0, -1):
        bits = 2 * (prime >> 8 * length) * missed
        if bits >= _LEAST_BITS:
            counters = ((prime - 1) >> 8 * length) + 1
            return Embedding(length, counters, int(bits)) if counters <= _MOST_COUNTERS else None
    return None

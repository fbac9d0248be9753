"""Costs of sums of many multiples: interleaved non-adjacent forms of few points, buckets for many."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from math import isqrt
from typing import TYPE_CHECKING

from efdgen.generator.planning.costs import FIXED_WIDTHS, best
from efdgen.generator.planning.plan import MultiScalar
from efdgen.generator.reports.totals import price
from efdgen.generator.scalars.digits import OddWindows, wnaf_density, wnaf_entries

if TYPE_CHECKING:
    from collections.abc import Callable

    from efdgen.generator.options import OddMultiples
    from efdgen.generator.planning.costs import Arithmetic
    from efdgen.generator.planning.plan import Candidate

SHOWN = (2, 8, 32, 128, 1024)
"""Numbers of points for which candidates are kept."""

MOST = 1 << 16
"""Sums of more points are served as those of this many."""

SHARED = 8
"""The number of points for which the width of windows in constant time is best."""

APART = Fraction(17, 20)
"""Measured weight of an addition that need not wait for the previous one: to another bucket."""

_WINDOWS = range(2, 17)


@dataclass(frozen=True)
class Sums:
    """Sums of multiples; scalars have ``parts`` of this many ``bits``, each with an entry of its own."""

    arithmetic: Arithmetic
    bits: int
    parts: int

    def straus(self, count: int) -> dict[tuple[int, OddMultiples], Candidate]:
        """Return the sum of ``count`` multiples by interleaved wNAF, by width and by table method."""
        found: dict[tuple[int, OddMultiples], Candidate] = {}
        arithmetic, entry, streams = self.arithmetic, self.arithmetic.roles.entry, self.parts * count
        for width in arithmetic.widths():
            entries = wnaf_entries(width)
            additions = streams * self.bits * wnaf_density(width)
            steps = [
                arithmetic.images((streams - count) * entries),
                *arithmetic.doublings(self.bits, min(self.bits, round(additions))),
                *arithmetic.sums(self.bits, (entry, wnaf_density(width), streams)),
            ]
            size = entry, streams * entries
            for table in arithmetic.tables(entries):
                every = [*arithmetic.table(entry, entries, table, count), *steps]
                name = f"wNAF of width {width}"
                found[width, table] = arithmetic.candidate(name, every, size, table=table)
        return found

    def pippenger(self, count: int) -> dict[int, Candidate]:
        """Return the sum of ``count`` multiples by buckets, by the bits of a window.

        A window's nonzero digits fall into 2^(bits - 1) buckets. The first entry of each bucket is copied,
        and an empty one is not added to the running sum; from the highest on this is added for every bucket.
        """
        found = {}
        arithmetic, roles, streams = self.arithmetic, self.arithmetic.roles, self.parts * count
        for window in _WINDOWS:
            windows, buckets = (self.bits + 1) // window + 1, 1 << (window - 1)
            digits = streams - streams // (2 * buckets)
            used = _used(buckets, digits)
            highest = buckets - buckets // (used + 1)
            sums = max(used - 1, 0) + max(highest - 1, 0) + 1
            if roles.complete:  # nothing is left out
                used, sums = 0, 2 * buckets + 1
            steps = [
                *arithmetic.table(roles.entry, 1, points=count),
                arithmetic.images(streams - count),
                *arithmetic.doublings(window * (windows - 1), windows - 1),
            ]
            additions = [
                arithmetic.step(roles.entry.add, windows * (digits - used)),
                arithmetic.step(roles.add, windows * sums),
            ]
            name, size = f"buckets, windows of {window} bits", (roles.entry, streams + buckets)
            candidate = arithmetic.candidate(name, [*steps, *additions], size)
            apart = (1 - APART) * price(additions, arithmetic.weights)
            found[window] = replace(candidate, weight=candidate.weight - apart)
        return found

    def shared(self, width: int, count: int) -> Candidate:
        """Return the sum of ``count`` multiples by windows in constant time, all additions complete."""
        arithmetic, roles = self.arithmetic, self.arithmetic.roles
        digits = OddWindows(width, arithmetic.modulus)
        made = roles.complete and not roles.entry.normalized
        additions, entries = count * digits.count, count * digits.entries
        steps = [
            arithmetic.step(roles.double, digits.bits + count),
            *arithmetic.complete_additions(entries + 1),
        ]
        steps += [arithmetic.step(roles.entry.make, entries)] if made and roles.entry.make else []
        own = [arithmetic.step(roles.entry.add, additions)]
        steps += own if made else arithmetic.complete_additions(additions)
        size, reads = (roles.entry, entries), additions * digits.entries
        return arithmetic.candidate(f"fixed windows of {width} bits", steps, size, reads)

    def separate(self, one: Candidate, count: int) -> Fraction:
        """Return the weight of multiples in constant time, each by itself, and of their sum."""
        additions = price(self.arithmetic.complete_additions(count), self.arithmetic.weights)
        return count * one.weight + additions

    def choose(self, one: Candidate) -> MultiScalar:
        """Choose the number of points from which buckets weigh less, and what is taken below and above.

        Below, one width and one way to make tables serve all: what is best at the middle power of two. In
        constant time, multiples that weigh as ``one`` does are computed apart as long as that weighs less.
        """

        def buckets_win(count: int) -> bool:
            few, many = self.straus(count), self.pippenger(count)
            return many[best(many)].weight < few[best(few)].weight

        threshold = _first(buckets_win)
        few = self.straus(isqrt(threshold))
        width, table = best(few)
        windows: list[tuple[int, int]] = []
        steps = (n for i in range(MOST.bit_length()) for n in (1 << i, 3 << i) if threshold < n <= MOST)
        for count in (threshold, *sorted(steps)):
            window = best(self.pippenger(count))
            if not windows or windows[-1][1] != window:
                windows.append((count, window))
        bits = min(FIXED_WIDTHS, key=lambda width: self.shared(width, SHARED).weight)
        least = next((n for n in range(2, MOST) if self.shared(bits, n).weight < self.separate(one, n)), MOST)
        digits = OddWindows(bits, self.arithmetic.modulus)
        return MultiScalar(width, threshold, tuple(reversed(windows)), table, digits, least)

    def candidates(self, chosen: MultiScalar) -> dict[str, tuple[Candidate, ...]]:
        """Return the candidates for some numbers of points, those marked that a choice takes."""
        found = {}
        for count in SHOWN:
            few, many = self.straus(count), self.pippenger(count)
            taken = few[chosen.straus_width, chosen.table]
            if count >= chosen.threshold:
                taken = many[next(bits for least, bits in chosen.windows if count >= least)]
            every = (*few.values(), *many.values())
            found[f"multi-{count}"] = tuple(replace(c, chosen=c == taken) for c in every)
        return found


def _used(buckets: int, digits: int) -> int:
    """Return how many buckets have a digit, on average."""
    return round(buckets * (1 - (1 - 1 / buckets) ** digits))


def _first(holds: Callable[[int], bool]) -> int:
    """Return the least number up to the most points from which on something holds."""
    most = next((1 << i for i in range(MOST.bit_length()) if holds(1 << i)), MOST)
    least = most // 2
    while most - least > 1:
        middle = (least + most) // 2
        least, most = (least, middle) if holds(middle) else (middle, most)
    return most

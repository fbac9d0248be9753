"""The number of divsteps that suffices for all numbers of a given length, by support functions.

Between the first step and the last one (f, g) lies, for each δ, in a convex set that is symmetric about 0.
It starts as the hull of (0, 0), (1, 0), (1, 1), for f = 2^bits taken as 1, and each step takes it to the hull
of its images under the linear maps that δ allows [2019-bernstein-yang]. A set in which every |g| is below
2^-bits holds no integers but g = 0, and is dropped; when no set is left, this many steps were enough.

A set S is known by bounds for its support function, h(S, c) = max of c·x over S, in finitely many directions.
For a map M it is h(MS, c) = h(S, Mᵀc); and where Mᵀc = α·a + β·b with α, β ≥ 0 and directions a, b, that is
at most α·h(S, a) + β·h(S, b). The α and β are exact fractions, rounded up by more than the operations on
floating-point numbers behind them may lose. Hence the result is never too small; with more directions it is
closer to what convex hulls give exactly.
"""

from __future__ import annotations

from bisect import bisect_left
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from efdgen.verify import store

if TYPE_CHECKING:
    from collections.abc import Callable

    Bounds = list[list[float]]
    Vector = tuple[Fraction, Fraction]

# Slopes of directions are 0 and ±2^(j/k) for -m ≤ j/k ≤ m: k and m, growing as far as a proof asks for it,
# each with the steps for a bit that it needs at least.
_SLOPES = (((1, 6), 2.34), ((2, 6), 2.31), ((4, 8), 0), ((8, 8), 0), ((16, 8), 0), ((16, 20), 0))

# Above what rounding a fraction loses, this factor itself, a multiplication and an addition: 4 of 2^-53.
_UP = 1 + 2.0**-50


class _Row(NamedTuple):
    """For one direction c, two directions and factors with Mᵀc = alpha·a + beta·b."""

    a: int
    b: int
    alpha: float
    beta: float

    def of(self, bounds: Bounds) -> list[float]:
        """Return bounds for the images of sets, in place of those in ``bounds``."""
        if self.alpha == 0:
            return [self.beta * y for y in bounds[self.b]] if self.beta != 1 else bounds[self.b]
        alpha, beta = self.alpha, self.beta
        return [alpha * x + beta * y for x, y in zip(bounds[self.a], bounds[self.b], strict=True)]

    def above(self, known: list[float], bounds: Bounds) -> list[float]:
        """Return the larger of known bounds and of those for the images of as many sets."""
        alpha, beta, rows = self.alpha, self.beta, zip(known, bounds[self.a], bounds[self.b], strict=True)
        return [k if k > (image := alpha * x + beta * y) else image for k, x, y in rows]


class _Directions:
    """Vectors of all slopes, by rising slope, the vertical one last; a vector represents its opposite too."""

    def __init__(self, in_an_octave: int, octaves: int) -> None:
        steps = range(-octaves * in_an_octave, octaves * in_an_octave + 1)
        sizes = [Fraction(2 ** (step / in_an_octave)) for step in steps]
        self._slopes = [*(-size for size in reversed(sizes)), Fraction(0), *sizes]
        vertical = Fraction(0), Fraction(1)
        self._vectors: list[Vector] = [(Fraction(1), slope) for slope in self._slopes] + [vertical]

    def support(self, *points: tuple[int, int]) -> Bounds:
        """Return bounds for the hull of points and their opposites: a list for each direction."""
        largest = [max(abs(x * u + y * v) for u, v in points) for x, y in self._vectors]
        return [[float(value) * _UP] for value in largest]

    def image(self, transposed: Callable[[Fraction, Fraction], Vector]) -> list[_Row]:
        """Prepare a linear map, given by what its transpose does to a direction."""
        return [self._between(*transposed(*vector)) for vector in self._vectors]

    def _between(self, x: Fraction, y: Fraction) -> _Row:
        """Write a vector as a sum of non-negative multiples of two neighbouring directions."""
        if x < 0:
            x, y = -x, -y
        upper = bisect_left(self._slopes, y / x) if x else len(self._slopes)
        lower = (upper - 1) % len(self._vectors)
        (ax, ay), (bx, by) = self._vectors[lower], self._vectors[upper]
        if upper == 0:
            ax, ay = -ax, -ay
        determinant = ax * by - ay * bx
        alpha, beta = (x * by - y * bx) / determinant, (ax * y - ay * x) / determinant
        if x == 0:
            alpha, beta = Fraction(0), abs(y)
        if alpha < 0 or beta < 0:
            raise AssertionError(f"({x}, {y}) is not between its neighbours")
        return _Row(lower, upper, _rounded_up(alpha), _rounded_up(beta))


def _rounded_up(factor: Fraction) -> float:
    """Return a factor that makes up for all rounding; 0 and 1, by which nothing is rounded, as they are."""
    return float(factor) if factor in (0, 1) else float(factor) * _UP


def suffice(steps: int, bits: int) -> bool:
    """Return whether g = 0 is shown after ``steps`` steps for all 0 ≤ g ≤ f < 2^bits, f odd; look it up."""
    name = store.key(__name__, str(steps), str(bits))
    known = store.load(name)
    if not isinstance(known, bool):
        fine = (slopes for slopes, rate in _SLOPES if steps >= rate * bits)
        known = any(enough_steps(bits, slopes=slopes) <= steps for slopes in fine)
        store.store(name, known)
    return known


@lru_cache
def enough_steps(bits: int, twice_delta: int = 1, slopes: tuple[int, int] = (4, 8)) -> int:
    """Return a number of steps after which g = 0 for all 0 ≤ g ≤ f < 2^bits, f odd; proved as said above.

    ``twice_delta`` is twice the δ that they start from: 1, or 2 for the steps as first published.
    """
    directions = _Directions(*slopes)
    even = directions.image(lambda x, y: (x, y / 2))
    added = directions.image(lambda x, y: (x + y / 2, y / 2))
    swapped = directions.image(lambda x, y: (-y / 2, x + y / 2))
    # The sets by rising δ, in the same place of each list; ``least`` is twice the δ of the first.
    sets, least, steps = directions.support((1, 0), (1, 1)), twice_delta, 0
    while found := [place for place, bound in enumerate(sets[-1]) if bound >= 2.0**-bits]:
        first, last = found[0], found[-1] + 1
        dropped = {*range(last - first)} - {place - first for place in found}
        sets = [row[first:last] for row in sets]
        for row in sets if dropped else ():
            for place in dropped:
                row[place] = 0.0
        sets, least = _after_a_step(sets, least + 2 * first, even, added, swapped)
        steps += 1
    return steps


def _after_a_step(
    sets: Bounds, least: int, even: list[_Row], added: list[_Row], swapped: list[_Row]
) -> tuple[Bounds, int]:
    """Return bounds for the sets after one more step, and twice the δ of the first of them."""
    count = len(sets[-1])
    kept = min(max(0, -least // 2 + 1), count)  # this many are of δ ≤ 0
    most = least + 2 * (count - 1)
    start = min(least + 2, 2 - most)
    width, moved, turned = (most + 2 - start) // 2 + 1, (least + 2 - start) // 2, (2 - most - start) // 2
    low, high = [row[:kept] for row in sets], [row[: kept - 1 if kept else None : -1] for row in sets]
    after = []
    for halved, plus, minus in zip(even, added, swapped, strict=True):
        image = halved.of(sets)
        row = [*[0.0] * moved, *plus.above(image[:kept], low), *image[kept:]]
        row += [0.0] * (width - len(row))
        row[turned : turned + count - kept] = minus.above(row[turned : turned + count - kept], high)
        after.append(row)
    return after, start

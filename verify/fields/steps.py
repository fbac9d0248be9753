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

import numpy as np

from efdgen.verify.memory import keep_memory

if TYPE_CHECKING:
    from collections.abc import Callable

    Bounds = np.ndarray[tuple[int, int], np.dtype[np.float64]]
    Vector = tuple[Fraction, Fraction]

# Slopes of directions are 0 and ±2^(j/k) for -m ≤ j/k ≤ m: k and m, growing as far as a proof asks for it.
_SLOPES = (4, 8), (8, 8), (16, 8), (16, 20)

# Above what rounding a fraction loses, this factor itself, a multiplication and an addition: 4 of 2^-53.
_UP = 1 + 2.0**-50


class _Image(NamedTuple):
    """For each direction c, two directions and factors with Mᵀc = alpha·a + beta·b."""

    a: np.ndarray[tuple[int], np.dtype[np.intp]]
    b: np.ndarray[tuple[int], np.dtype[np.intp]]
    alpha: Bounds
    beta: Bounds

    def of(self, bounds: Bounds) -> Bounds:
        """Return bounds for the images of sets, a column for each as in ``bounds``."""
        # In place: these arrays are large, and there are hundreds of steps.
        found = bounds[self.a]
        found *= self.alpha
        other = bounds[self.b]
        other *= self.beta
        found += other
        return found


class _Directions:
    """Vectors of all slopes, by rising slope, the vertical one last; a vector represents its opposite too."""

    def __init__(self, in_an_octave: int, octaves: int) -> None:
        steps = range(-octaves * in_an_octave, octaves * in_an_octave + 1)
        sizes = [Fraction(2 ** (step / in_an_octave)) for step in steps]
        self._slopes = [*(-size for size in reversed(sizes)), Fraction(0), *sizes]
        vertical = Fraction(0), Fraction(1)
        # Of the larger coordinate 1, so that bounds have a like size.
        larger = [max(Fraction(1), abs(slope)) for slope in self._slopes]
        scaled = zip(self._slopes, larger, strict=True)
        self._vectors: list[Vector] = [(1 / most, slope / most) for slope, most in scaled] + [vertical]

    def support(self, *points: tuple[int, int]) -> Bounds:
        """Return bounds for the hull of points and their opposites, in a column."""
        largest = [max(abs(x * u + y * v) for u, v in points) for x, y in self._vectors]
        return np.array([[float(value) * _UP] for value in largest])

    def image(self, transposed: Callable[[Fraction, Fraction], Vector]) -> _Image:
        """Prepare a linear map, given by what its transpose does to a direction."""
        rows = [self._between(*transposed(*vector)) for vector in self._vectors]
        a, b, alpha, beta = zip(*rows, strict=True)
        factors = [np.array([[float(value) * _UP] for value in values]) for values in (alpha, beta)]
        return _Image(np.array(a), np.array(b), factors[0], factors[1])

    def _between(self, x: Fraction, y: Fraction) -> tuple[int, int, Fraction, Fraction]:
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
        return lower, upper, alpha, beta


def suffice(steps: int, bits: int) -> bool:
    """Return whether g = 0 is shown after ``steps`` steps for all 0 ≤ g ≤ f < 2^bits, f odd."""
    return any(enough_steps(bits, slopes=slopes) <= steps for slopes in _SLOPES)


@lru_cache
def enough_steps(bits: int, twice_delta: int = 1, slopes: tuple[int, int] = _SLOPES[0]) -> int:
    """Return a number of steps after which g = 0 for all 0 ≤ g ≤ f < 2^bits, f odd; proved as said above.

    ``twice_delta`` is twice the δ that they start from: 1, or 2 for the steps as first published.
    """
    keep_memory()
    directions = _Directions(*slopes)
    even = directions.image(lambda x, y: (x, y / 2))
    added = directions.image(lambda x, y: (x + y / 2, y / 2))
    swapped = directions.image(lambda x, y: (-y / 2, x + y / 2))
    # The sets by rising δ, a column for each; ``least`` is twice the δ of the first.
    sets, least, steps = directions.support((1, 0), (1, 1)), twice_delta, 0
    while (found := np.flatnonzero(sets[-1] >= 2.0**-bits)).size:
        first, last = found[0], found[-1] + 1
        sets = sets[:, first:last]
        sets[:, sets[-1] < 2.0**-bits] = 0.0
        least += 2 * int(first)
        sets, least = _after_a_step(sets, least, even, added, swapped)
        steps += 1
    return steps


def _after_a_step(
    sets: Bounds, least: int, even: _Image, added: _Image, swapped: _Image
) -> tuple[Bounds, int]:
    """Return bounds for the sets after one more step, and twice the δ of the first of them."""
    directions, count = sets.shape
    kept = min(max(0, -least // 2 + 1), count)  # this many are of δ ≤ 0
    most = least + 2 * (count - 1)
    start = min(least + 2, 2 - most)
    after = np.zeros((directions, (most + 2 - start) // 2 + 1))
    moved = after[:, (least + 2 - start) // 2 :]
    np.maximum(moved, even.of(sets), out=moved)
    np.maximum(moved[:, :kept], added.of(sets[:, :kept]), out=moved[:, :kept])
    turned = after[:, (2 - most - start) // 2 :][:, : count - kept]
    np.maximum(turned, swapped.of(sets[:, kept:])[:, ::-1], out=turned)
    return after, start

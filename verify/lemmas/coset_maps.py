"""Lemmas on maps of elements to cosets of points (RFC 9496): images are points with encodings.

A map takes a root of a quotient, or of a root of unity times it, where that is no square. For both, the image
has the coordinates of the RFC, no divisor is 0, the image is on the curve, and its coset has an encoding.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from efdgen.generator.fields.root_steps import root_of_unity
from efdgen.generator.mathematics.primes import is_square
from efdgen.generator.routines.integers import RoutineError
from efdgen.verify.lemmas.coset_run import CosetRun, every_case
from efdgen.verify.lemmas.later import now

if TYPE_CHECKING:
    from collections.abc import Callable

    from efdgen.verify.laws.algebra import Ratio
    from efdgen.verify.lemmas.prover import Prover


def mapped(prover: Prover, name: str) -> None:
    """Prove that a function returns the image of an element."""
    titles = ("no square", "a square")
    every_case(prover, name, [(t, partial(_followed, name=name, flag=f)) for f, t in enumerate(titles)])


def _followed(run: CosetRun, name: str, flag: int) -> str:
    image = (_Ristretto if run.group.rotates else _Decaf)(run, flag)
    (found,) = run.call(name, image.t)
    x, y, _ = run.points[found]
    if not all(map(run.vanishes, image.differences(x, y))):
        return "it returns another point"
    if not run.vanishes(run.equation(x, y)):
        return "the image is not on the curve"
    return "" if run.vanishes(image.other_square(x, y)) else "the image has no encoding"


class _Image:
    """The image of an element t, where r is t^2 times a root of unity, and a root of a quotient is taken."""

    def __init__(self, run: CosetRun, flag: int) -> None:
        self.run, self.flag = run, flag
        self.t = run.name("t")
        self.unity = run.number(root_of_unity(run.prime))
        self.r = self.unity * self.t * self.t
        self.root = run.elements.zero
        for quadratic in self.divisors():
            run.exclude(quadratic)
        run.leaves |= {"fe_sqrt_ratio_z": self._root, "point_of_fractions": self._point}

    def divisors(self) -> list[Callable[[int], int]]:
        """Return quadratics in r that are divisors, none of which is 0 for any t."""
        raise NotImplementedError

    def quotient(self) -> tuple[Ratio, Ratio]:
        """Return a dividend and a divisor, of whose quotient a root is taken."""
        raise NotImplementedError

    def differences(self, x: Ratio, y: Ratio) -> tuple[Ratio, Ratio]:
        """Return what is 0 for the coordinates of the image."""
        raise NotImplementedError

    def other_square(self, x: Ratio, y: Ratio) -> Ratio:
        """Return what is 0 because 1 - y^2 over a - d is a square."""
        raise NotImplementedError

    def _root(self, given: Any, divisor: Any) -> list[Any]:  # noqa: ANN401 - elements, perhaps for later
        run, (a, b), (above, below) = self.run, (now(given), now(divisor)), self.quotient()
        if not run.vanishes(a * below - b * above):
            raise RoutineError("a root of another quotient")
        if run.is_zero(b) or run.is_zero(a):
            if run.is_zero(a) != self.flag:
                run.elements.relate([run.number(1).numerator])
            return [self.root, self.flag]
        self.root = run.root_of(a * run.over(b) * (run.number(1) if self.flag else self.unity))
        if run.facts.choose("the other root"):
            self.root = -self.root
        self.note_root()
        return [self.root, self.flag]

    def note_root(self) -> None:
        """Note what is not 0 because of the root."""

    def _point(self, xn: Any, xd: Any, yn: Any, yd: Any) -> list[Any]:  # noqa: ANN401 - elements, for later
        run = self.run
        x, y = (run.canonical(now(n) * run.over(run.canonical(now(d)))) for n, d in ((xn, xd), (yn, yd)))
        return [run.point("image", x, y)]


class _Ristretto(_Image):
    """The image in ristretto255 (RFC 9496, 4.3.4)."""

    def divisors(self) -> list[Callable[[int], int]]:
        d, flag = self.run.d, self.flag

        def v(r: int) -> int:
            return -(1 + r * d) * (r + d)

        return [
            lambda r: (1 if flag else r) * (r + 1) * (1 - d * d) + v(r),
            lambda r: (-1 if flag else r) * (r - 1) * (d - 1) ** 2 - v(r),
        ]

    def quotient(self) -> tuple[Ratio, Ratio]:
        one, d, r = self.run.number(1), self.run.number(self.run.d), self.r
        return (r + one) * (one - d * d), -(one + r * d) * (r + d)

    def _s(self) -> Ratio:
        if self.flag:
            return self.run.signed(self.root, 0)
        return -self.run.signed(self.root * self.t, 0)

    def differences(self, x: Ratio, y: Ratio) -> tuple[Ratio, Ratio]:
        one, d, r, s = self.run.number(1), self.run.number(self.run.d), self.r, self._s()
        _, v = self.quotient()
        c = -one if self.flag else r
        n = (c * (r - one) * (d - one) * (d - one) - v) * self.run.constants["SQRT_AD_MINUS_ONE"]
        return x * n - self.run.number(2) * s * v, y * (one + s * s) - (one - s * s)

    def other_square(self, x: Ratio, y: Ratio) -> Ratio:
        one, s = self.run.number(1), self._s()
        root = self.run.number(2) * s * self.run.over(one + s * s)
        return one - y * y - root * root


class _Decaf(_Image):
    """The image in decaf448 (RFC 9496, 5.3.4)."""

    def divisors(self) -> list[Callable[[int], int]]:
        d, flag = self.run.d, self.flag

        def u(r: int) -> int:
            return (d * (r - 1) + 1) * (d * (r - 1) - r)

        return [
            lambda r: (1 if flag else r) * (r - 1) * (1 - 2 * d) ** 2 + (1 if flag else -1) * u(r),
            lambda r: (1 if flag else r) * (r + 1) * (1 - 2 * d) - u(r),
        ]

    def quotient(self) -> tuple[Ratio, Ratio]:
        one, d, r = self.run.number(1), self.run.number(self.run.d), self.r
        u = d * (r - one)
        return one - self.run.number(2) * d, (r + one) * (u + one) * (u - r)

    def _v(self) -> Ratio:
        return self.root if self.flag else self.root * self.t

    def note_root(self) -> None:
        s, one = self._v() * (self.r + self.run.number(1)), self.run.number(1)
        if is_square(-1, self.run.prime):
            raise RoutineError("-1 is a square")
        self.run.elements.assume(self.run.canonical(one + s * s).numerator)

    def differences(self, x: Ratio, y: Ratio) -> tuple[Ratio, Ratio]:
        one, two, r, v = self.run.number(1), self.run.number(2), self.r, self._v()
        s = v * (r + one)
        above = two * self.run.signed(self.run.canonical(s), 0)
        below = v * s * (r - one) * (one - two * self.run.number(self.run.d)) + (one if self.flag else -one)
        return x * (s * s + one) - above, y * below - (s * s - one)

    def other_square(self, x: Ratio, y: Ratio) -> Ratio:
        # (1 - x^2)*(1 - y^2) is (1 - d)*x^2*y^2, and x*y is not 0 or P is of the coset of 0.
        one, s = self.run.number(1), self._v() * (self.r + self.run.number(1))
        if not self.run.is_zero(self.root) and self.run.is_zero(y):
            return one
        root = (one - s * s) * self.run.over(one + s * s)
        return one - x * x - root * root

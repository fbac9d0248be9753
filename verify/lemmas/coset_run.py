"""Runs of routines on cosets of points (RFC 9496): points by coordinates, signs, and roots of known squares.

Signs are low bits by contract: of a number other than 0 and its negative one is odd.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from efdgen.generator.curves.cosets import cosets
from efdgen.generator.fields.root_steps import root_of_unity
from efdgen.generator.mathematics.primes import is_square, square_root
from efdgen.generator.planning.coset_routines import coset_elements
from efdgen.generator.routines.integers import RoutineError
from efdgen.verify.laws.algebra import Ratio
from efdgen.verify.lemmas.elements import Elements
from efdgen.verify.lemmas.encodings import bytes_of
from efdgen.verify.lemmas.later import later, now
from efdgen.verify.lemmas.run import Run, every

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from efdgen.verify.laws.polynomials import Polynomial
    from efdgen.verify.lemmas.prover import Prover
    from efdgen.verify.symbols.facts import Facts

_NAMES = ("x1", "y1", "x2", "y2", "z1", "z2", "g", "s", "t")
ZEROS = "zeros"
"""The result where a point is refused."""


class CosetRun(Run):
    """One way through one case of cosets: points by their coordinates, signs and roots."""

    def __init__(self, prover: Prover, facts: Facts) -> None:
        plan = prover.plan
        elements = Elements(plan.curve.prime, _NAMES, facts)
        number = elements.number
        own = cosets(plan.curve)
        assert own is not None
        self.group, self.facts, self.prime = own, facts, plan.curve.prime
        self.a, self.d = plan.curve.parameters.get("a", 1), plan.curve.parameters["d"]
        self.points: dict[str, tuple[Ratio, Ratio, Ratio]] = {}
        self.roots: list[Ratio] = []
        self.squared: Ratio | None = None
        self.is_square, self.high = 1, 0
        self.numbers: list[tuple[list[Any], Ratio]] = []
        self._signs: list[tuple[Ratio, int]] = []
        self._size = prover.plan.encoding.field
        constants = {name: number(value) for name, value in coset_elements(plan).items()}
        constants["CURVE_D"] = number(self.d)
        leaves: dict[str, Callable[..., list[Any]]] = {
            "fe_mul": later(lambda a, b: self.canonical(a * b)),
            "fe_sqr": later(lambda a: self.canonical(a * a)),
            "fe_add": later(lambda a, b: self.canonical(a + b)),
            "fe_sub": later(lambda a, b: self.canonical(a - b)),
            "extended": self._extended,
            "lift_affine": self._lifted,
            "point_or_zeros": lambda p, flag: [p if now(flag) else ZEROS],
            "fe_sqrt_ratio_z": self._root,
            "low_bit": lambda value: [self.low_bit(now(value))],
            "with_low_bit": lambda value, odd: [self.signed(now(value), now(odd))],
            "fe_to_bytes": self._written,
            "fe_from_bytes": self._read,
        }
        super().__init__(prover.module, elements, leaves, constants)
        for scale in ("z1", "z2"):
            elements.assume(self.name(scale).numerator)

    def vanishes(self, value: Ratio) -> bool:
        """Return whether an element is 0 by the relations, without a choice."""
        return bool(self.elements.remainder(self.canonical(value).numerator) == 0)

    def is_zero(self, value: Ratio) -> int:
        """Return whether an element is 0 on this way."""
        found = self.canonical(value)
        return 0 if self._is_unit(found) else self.elements.is_zero(found)

    def _is_unit(self, value: Ratio) -> bool:
        """Return whether (u + v*g)*(u - v*g) is a product of polynomials that are not 0."""
        if self.squared is None:
            return False
        u, v, _ = self._linear(value.numerator)
        norm = u * u * self.squared.denominator - v * v * self.squared.numerator
        if norm == 0:
            return False
        for known in self.elements.nonzero:
            while not (common := norm.gcd(known)).is_constant():
                norm //= common
        return bool(norm.is_constant())

    def root_of(self, square: Ratio) -> Ratio:
        """Return a new element with this square, by which all others are fractions u + v*g without others."""
        self.squared = square
        g = self.name("g")
        self.elements.relate([(g * g - square).numerator])
        return g

    def canonical(self, value: Ratio) -> Ratio:
        """Return an element as (u + v*g)/w in lowest terms, where g is a root of a known square."""
        if self.squared is None:
            return value
        n, q = self.squared.numerator, self.squared.denominator
        (u, v, up), (x, y, down) = map(self._linear, (value.numerator, value.denominator))
        if y != 0:
            u, v, x = u * x * q - v * y * n, (v * x - u * y) * q, x * x * q - y * y * n
        if down > up:
            u, v = u * q ** (down - up), v * q ** (down - up)
        x *= q ** max(0, up - down)
        common = u.gcd(v).gcd(x) if v != 0 else u.gcd(x)
        u, v, x = u // common, v // common, x // common
        return Ratio(u + v * self.name("g").numerator, x)

    def _linear(self, polynomial: Polynomial) -> tuple[Polynomial, Polynomial, int]:
        """Return u, v and k with (u + v*g)/q^k for a polynomial; q is the divisor of the square of g."""
        assert self.squared is not None
        ring, place = self.elements.ring, self.name("g").numerator.place
        powers: dict[int, dict[tuple[int, ...], Any]] = {}
        for exponents, number in polynomial.dict().items():
            without = (*exponents[:place], 0, *exponents[place + 1 :])
            powers.setdefault(exponents[place], {})[without] = number
        most = max(powers, default=0) // 2
        parts = [ring.zero(), ring.zero()]
        for power, coefficient in powers.items():
            half = power // 2
            factor = self.squared.numerator**half * self.squared.denominator ** (most - half) if most else 1
            parts[power % 2] += ring(coefficient) * factor
        return parts[0], parts[1], most

    def name(self, text: str) -> Ratio:
        """Return an element of a name."""
        return self.elements.name(text)

    def number(self, value: int) -> Ratio:
        """Return an integer modulo p."""
        return self.elements.number(value)

    def over(self, value: Ratio) -> Ratio:
        """Return 1/value, of a number other than 0."""
        if self.is_zero(value):
            raise RoutineError("a division by 0")
        return Ratio(value.denominator, value.numerator)

    def equation(self, x: Ratio, y: Ratio) -> Ratio:
        """Return what is 0 for the coordinates of a point."""
        one, a, d = map(self.number, (1, self.a, self.d))
        return a * x * x + y * y - one - d * x * x * y * y

    def point(self, label: str, x: Ratio, y: Ratio, scale: str = "z1") -> str:
        """Return a point by its coordinates, which is scaled by a number other than 0."""
        self.points[label] = x, y, self.name(scale)
        return label

    def any_point(self, at: int, label: str) -> tuple[Ratio, Ratio]:
        """Return the coordinates of any point, the first or second one, which gets a label."""
        x, y = self.name(f"x{at}"), self.name(f"y{at}")
        self.elements.relate([self.equation(x, y).numerator])
        self.point(label, x, y, f"z{at}")
        return x, y

    def coset(self, x: Ratio, y: Ratio) -> list[tuple[Ratio, Ratio]]:
        """Return all points of a coset: P + T for each T of order 1, 2 and, if it rotates, 4."""
        found = [(x, y), (-x, -y)]
        if self.group.rotates:
            i = self.number(root_of_unity(self.prime))
            found += [(i * y, i * x), (-i * y, -i * x)]
        return found

    def is_in_coset(self, p: tuple[Ratio, Ratio], q: tuple[Ratio, Ratio]) -> bool:
        """Return whether a point is one of the coset of another by the relations."""
        return any(all(map(self.vanishes, (p[0] - x, p[1] - y))) for x, y in self.coset(*q))

    def low_bit(self, value: Ratio) -> int:
        """Return the low bit of a number, as for the same number or its negative before."""
        if self.vanishes(value):
            return 0
        for known, bit in self._signs:
            if self.vanishes(value - known):
                return bit
            if self.vanishes(value + known):
                return 1 - bit
        if self.is_zero(value):
            return 0
        self._signs.append((value, self.facts.choose(f"sign {len(self._signs)}")))
        return self._signs[-1][1]

    def even(self, value: Ratio) -> None:
        """Note that the number of an element is even."""
        self._signs.append((value, 0))

    def signed(self, value: Ratio, odd: int) -> Ratio:
        """Return the one of a number and its negative that has a low bit."""
        return value if self.vanishes(value) or self.low_bit(value) == odd else -value

    def encoding(self, value: Ratio, first: int) -> list[Any]:
        """Return the bytes of an element, with a first byte that has its low bit."""
        data = [first, *bytes_of(f"number {len(self.numbers)}", self._size)[1:]]
        self.numbers.append((data, value))
        return data

    def decoded(self, data: list[Any]) -> Ratio:
        """Return the element that bytes are of."""
        found = next((value for known, value in self.numbers if known == data), None)
        if found is None:
            raise RoutineError("other bytes are a number")
        return found

    def exclude(self, quadratic: Callable[[int], int]) -> None:
        """Note that a quadratic in z*t^2 is not 0 for any t, where z is a root of unity that is no square.

        Raises :class:`RoutineError` where it is for some.
        """
        prime, z = self.prime, root_of_unity(self.prime)
        c, one, two = (quadratic(at) % prime for at in range(3))
        a = (two - 2 * one + c) * pow(2, -1, prime) % prime
        b = (one - a - c) % prime
        root = square_root((b * b - 4 * a * c) % prime, prime)
        roots = [] if root is None else [(e - b) * pow(2 * a * z, -1, prime) % prime for e in (root, -root)]
        if any(is_square(value, prime) for value in roots):
            raise RoutineError("a divisor is 0 for some element")
        r = self.number(z) * self.name("t") * self.name("t")
        self.elements.assume((self.number(a) * r * r + self.number(b) * r + self.number(c)).numerator)

    def _written(self, given: Any) -> list[Any]:  # noqa: ANN401 - an element, perhaps for later
        value = now(given)
        return [self.encoding(value, self.low_bit(value) | self.high)]

    def _read(self, data: list[Any]) -> list[Any]:
        return [self.decoded(data), 1]

    def _extended(self, label: str) -> list[Any]:
        x, y, z = self.points[label]
        return [x * z, y * z, z, x * y * z]

    def _lifted(self, given: dict[str, Any]) -> list[Any]:
        x, y = now(given["X"]), now(given["Y"])
        return [self.point(f"made {len(self.points)}", x, y)]

    def _root(self, given: Any, divisor: Any) -> list[Any]:  # noqa: ANN401 - elements, perhaps for later
        """Return a root of a/b of either sign; what is a square has one among those that are known."""
        a, b = now(given), now(divisor)
        if self.is_zero(b):
            return [self.elements.zero, self.is_zero(a)]
        if not self.is_square:
            return [self.name("t"), 0]
        for root in self.roots:
            if self.vanishes(root * root * b - a):
                return [-root if self.facts.choose("the other root") else root, 1]
        raise RoutineError("a root of another number")


def every_case(prover: Prover, name: str, cases: Iterable[tuple[str, Callable[[CosetRun], str]]]) -> None:
    """Follow every way through some cases; raise :class:`EfdgenError` with the first failure."""
    for title, follow in cases:
        every(name, title, partial(CosetRun, prover), follow)

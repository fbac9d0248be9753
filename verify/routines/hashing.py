"""Proof of hashing to a curve, from a number of many bytes on: every element has a point of the curve.

A number of many bytes is the element that it is modulo p. Each element u is mapped to x1(u) or z·u²·x1(u),
the one that is the x-coordinate of a point on the first curve, with the sign of RFC 9380; the image of any
such point is on the curve. Cases are those of the square, of the low bit of u, and of each divisor, 0 or not.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import TYPE_CHECKING, Any

from efdgen.generator.curves.hashing import Elligator, SimplifiedSwu
from efdgen.generator.fields.root_steps import root_of_unity
from efdgen.generator.mathematics.primes import is_square
from efdgen.generator.planning.hashing_routines import hashing_elements, hashing_of
from efdgen.generator.routines.integers import RoutineError
from efdgen.generator.routines.interpreter import Interpreter
from efdgen.verify.lemmas.encodings import bytes_of, interpreter
from efdgen.verify.lemmas.later import now
from efdgen.verify.lemmas.prover import PointRun, Prover
from efdgen.verify.lemmas.shapes import Infinite
from efdgen.verify.routines.hashing_images import prove_images
from efdgen.verify.symbols.facts import DeadError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from efdgen.generator.curves.isogeny import Isogeny
    from efdgen.generator.planning.plan import CurvePlan
    from efdgen.generator.routines.module import Module
    from efdgen.verify.laws.algebra import Ratio
    from efdgen.verify.lemmas.shapes import Affine, Point
    from efdgen.verify.symbols.items import Contracts

_BITS = (0, 1)
_BYTE = 8
_U, _ROOT = "x1", "y1"
_N, _D, _Y = "x1", "x2", "y1"
"""Names of elements: what is mapped, and a root; a fraction n/d and its y."""


def prove_hashing(plan: CurvePlan, module: Module) -> None:
    """Prove the routines of hashing to a curve; raise :class:`EfdgenError` where one is wrong."""
    _prove_wide(plan, module)
    own = Maps(plan, module)
    for flag, bit, sign in product(_BITS, _BITS, (1, -1)):
        case = f"{'a' if flag else 'no'} square, u with the low bit {bit}, the root with the sign {sign}"
        own.prover.every("map_fraction", case, partial(own.mapped, flag=flag, bit=bit, sign=sign))
    own.prover.every("point_of_map", "any point", own.image)
    if isinstance(own.map, Elligator) and own.map.suite:
        prove_images(own, own.map, module)
    _prove_sums(plan, module)


def _prove_wide(plan: CurvePlan, module: Module) -> None:
    """Prove that a number of many bytes becomes the element that it is."""
    prime, big = plan.curve.prime, plan.encoding.byteorder == "big"
    own, power = hashing_of(plan), hashing_elements(plan)["LOW_POWER"]
    assert isinstance(power, int)

    def read(data: Sequence[Any]) -> list[Any]:
        places = {byte.at: at for at, byte in enumerate(reversed(data) if big else data) if byte != 0}
        if 256 ** (max(places.values()) + 1) > prime:
            raise RoutineError("a part of the number may be above p")
        return [{at: 256**place for at, place in places.items()}, 1]

    def multiplied(value: dict[int, int], factor: int) -> list[Any]:
        return [{at: weight * factor % prime for at, weight in value.items()}]

    def added(one: dict[int, int], other: dict[int, int]) -> list[Any]:
        return [{at: one.get(at, 0) + other.get(at, 0) for at in one.keys() | other.keys()}]

    leaves: Contracts = {"fe_from_bytes": read, "fe_mul": multiplied, "fe_add": added}
    (found,) = interpreter(module, leaves, {"LOW_POWER": power}).call(
        "element_of_wide", bytes_of("b", own.wide)
    )
    if found != {at: pow(256, own.wide - 1 - at, prime) for at in range(own.wide)}:
        raise RoutineError("element_of_wide returns another number")


def _prove_sums(plan: CurvePlan, module: Module) -> None:
    """Prove that elements become the sum of their images, times the cofactor."""
    own = hashing_of(plan)
    clearing = own.cofactor.to_bytes(plan.reduction.bytes, plan.encoding.byteorder)

    def multiplied(k: Sequence[int], p: str) -> list[str]:
        if bytes(k) != clearing:
            raise RoutineError("another multiple")
        return [f"h*({p})"]

    cleared = (
        {"multiply": multiplied}
        if own.cofactor != plan.cofactor
        else {"clear_cofactor": lambda p: [f"h*({p})"]}
    )
    leaves: Contracts = {
        "map_fraction": lambda u: [f"n({u})", f"d({u})", f"y({u})"],
        "point_of_map": lambda n, d, y: [f"P({n}, {d}, {y})"],
        "add": lambda p, q: [" + ".join(sorted((p, q)))],
        **cleared,
    }
    constants = {"CLEARING_BYTES": list(clearing)}
    first, second = (f"P(n({u}), d({u}), y({u}))" for u in "uv")
    for name, given, wanted in (
        ("map_to_curve", "u", first),
        ("encode_element", "u", f"h*({first})"),
        ("hash_elements", "uv", f"h*({first} + {second})"),
    ):
        if Interpreter(module, leaves, constants).call(name, *given) != [wanted]:
            raise RoutineError(f"{name} returns another point")


@dataclass(frozen=True)
class _Point:
    """A point (n/d, y) of the curve that elements are mapped to: n and d, and what is 0 for it."""

    n: Ratio
    d: Ratio
    y: Ratio


class Maps:
    """The map of elements to points, and the image of these, on each way."""

    def __init__(self, plan: CurvePlan, module: Module) -> None:
        self.plan, self.map = plan, hashing_of(plan).map
        self.prover = Prover(plan, module)
        self._unity = root_of_unity(plan.curve.prime)
        inverse = pow(self.map.b, -1, plan.curve.prime)
        # The curve is y^2 = x^3 + s*x^2 + a*x + b.
        self._s, self._a, self._b = (
            (0, self.map.a, self.map.b)
            if isinstance(self.map, SimplifiedSwu)
            else (self.map.a * inverse, inverse * inverse, 0)
        )

    def give_constants(self, run: PointRun) -> None:
        """Give a run the constants that are elements."""
        number = run.elements.number
        for name, value in hashing_elements(self.plan).items():
            run.constants[name] = [number(v) for v in value] if isinstance(value, tuple) else number(value)

    def right(self, run: PointRun, x: Ratio) -> Ratio:
        """Return the right side of the equation of the first curve."""
        s, a, b = (run.elements.number(value) for value in (self._s, self._a, self._b))
        return x * x * x + s * x * x + a * x + b

    def mapped(self, run: PointRun, *, flag: int, bit: int, sign: int) -> str:
        """Follow the map of any element, for a square or none under the root."""
        self.give_constants(run)
        elements = run.elements
        u, returned = elements.name(_U), []
        if not is_square(-self.map.z, self.plan.curve.prime):
            # There is no u with z*u^2 = -1.
            elements.assume((elements.number(self.map.z) * u * u + elements.number(1)).numerator)

        def root(given: Any, divisor: Any) -> list[Any]:  # noqa: ANN401 - elements, perhaps for later
            a, b = now(given), now(divisor)
            if elements.is_zero(b):
                raise RoutineError("a root of a quotient whose divisor is 0")
            return [self._root(run, a, b, flag), flag]

        def low_bit(given: Any) -> list[int]:  # noqa: ANN401 - an element, perhaps for later
            if now(given) != u:
                raise RoutineError("the low bit of another number")
            return [bit]

        def signed(given: Any, odd: Any) -> list[Any]:  # noqa: ANN401 - an element and a choice
            if now(odd) != (bit if isinstance(self.map, SimplifiedSwu) else flag):
                raise RoutineError("another sign")
            returned.append(now(given) * elements.number(sign))
            return returned[-1:]

        run.leaves |= {"fe_sqrt_ratio_z": root, "low_bit": low_bit, "with_low_bit": signed}
        n, d, y = run.call("map_fraction", u)
        if elements.is_zero(d):
            return "the divisor is 0"
        x = self._wanted(run, u, flag)
        if not elements.is_zero(n - x * d):
            return "it returns another x"
        if [y] != returned or not elements.is_zero(y * y - self.right(run, x)):
            return "it returns another y"
        return ""

    def _root(self, run: PointRun, a: Ratio, b: Ratio, flag: int) -> Ratio:
        """Return a root of a/b, or of a/b times the root of unity where it is no square."""
        elements, prime = run.elements, self.plan.curve.prime
        if not flag:
            elements.assume(a.numerator)
        above, below = (
            elements.remainder(value.numerator * other.denominator) for value, other in ((a, b), (b, a))
        )
        if above.is_constant() and below.is_constant():
            quotient = int(above.constant_coefficient()) * pow(int(below.constant_coefficient()), -1, prime)
            if is_square(quotient, prime) != flag:
                raise DeadError
        root = elements.name(_ROOT)
        elements.relate([(root * root * b - a * elements.number(1 if flag else self._unity)).numerator])
        return root

    def _wanted(self, run: PointRun, u: Ratio, flag: int) -> Ratio:
        """Return x1(u), or z·u²·x1(u) where that is no x-coordinate (RFC 9380, 6.6.2 and 6.7.1)."""
        elements, number = run.elements, run.elements.number
        factor = number(self.map.z) * u * u
        one, a = number(1), number(self.map.a)
        if isinstance(self.map, SimplifiedSwu):
            b, total = number(self.map.b), factor * factor + factor
            first = elements.inv(number(self.map.z) * a) * b
            if not elements.is_zero(total):
                first = -b * elements.inv(a) * (one + elements.inv(total))
            return first if flag else factor * first
        s, total = number(self._s), one + factor
        first = -s if elements.is_zero(total) else -s * elements.inv(total)
        return first if flag else -first - s

    def image(self, run: PointRun) -> str:
        """Follow the image of any point of the curve that elements are mapped to."""
        self.give_constants(run)
        elements = run.elements
        given = _Point(*(elements.name(name) for name in (_N, _D, _Y)))
        elements.assume(given.d.numerator)
        x = given.n * elements.inv(given.d)
        elements.relate([(given.y * given.y - self.right(run, x)).numerator])
        point = self._image(run, x, given)
        if not isinstance(point, Infinite) and not elements.is_zero(run.curve.equation(point)):
            return "the image is not on the curve"
        (found,) = run.call("point_of_map", given.n, given.d, given.y)
        return run.difference("point", found, point)

    def _image(self, run: PointRun, x: Ratio, given: _Point) -> Point:
        if isinstance(self.map, Elligator):
            return self.on_edwards(run, self.map, x, given.y)
        if self.map.isogeny is None:
            return {"x": x, "y": given.y}
        return _isogenous(run, self.map.isogeny, given)

    def on_edwards(self, run: PointRun, to: Elligator, x: Ratio, y: Ratio) -> Affine:
        """Return the image on the Edwards curve, by the formulas of RFC 9380, D.1, or RFC 7748, 4.2."""
        elements, number = run.elements, run.elements.number
        one, four = number(1), number(4)
        if to.degree == 1:
            s = number(to.b) * x
            pairs = (number(to.factor) * x, y), (s - one, s + one)
        else:
            x2, y2 = x * x, y * y
            square = (x2 - one) * (x2 - one)
            # The second divisor of RFC 7748 over x, which is 0 for y = 0 alone.
            half = x2 + number(to.a) * x + one
            pairs = (
                (four * y * (x2 - one), square + four * y2),
                (four * y2 - square, square - number(2) * half * (x2 + one)),
            )
        if any(elements.is_zero(below) for _, below in pairs):
            return {"x": elements.zero, "y": one}
        return {name: above * elements.inv(below) for name, (above, below) in zip("xy", pairs, strict=True)}


def _isogenous(run: PointRun, own: Isogeny, given: _Point) -> Point:
    """Return the image of a point by an isogeny: the identity for a point of the kernel."""
    elements = run.elements
    kernel, above, slope = (_homogeneous(run, each, given) for each in (own.kernel, own.above, own.slope))
    if elements.is_zero(kernel):
        return Infinite(proper=False)
    inverse = elements.inv(kernel)
    square = inverse * inverse
    return {"x": above * elements.inv(given.d) * square, "y": given.y * slope * square * inverse}


def _homogeneous(run: PointRun, polynomial: Sequence[int], given: _Point) -> Ratio:
    """Return a polynomial of n/d times the power of d that is its degree."""
    degree = len(polynomial) - 1
    terms = (
        run.elements.number(c) * given.n**at * given.d ** (degree - at) for at, c in enumerate(polynomial)
    )
    return sum(terms, start=run.elements.zero)

"""Cases of points: all that a function may be given, and what the affine law makes of them.

The points of a case are names under the curve's equation, or functions of these. Together the cases are all
points of a curve, or all pairs of points:

- on y^2 = x^3 + …, the identity, points of order 2, and others; of pairs those with two x, equal points and
  opposite ones;
- on an Edwards curve any points, because the law is complete [2007-bernstein-lange];
- there, in a system that cannot represent the four points with x*y = 0, each of these and all others, by
  whether the sum is one of the four.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from efdgen.generator.errors import EfdgenError
from efdgen.generator.planning.complete import has_complete_law
from efdgen.generator.planning.special import shared_numerator, x_of_order_four
from efdgen.generator.programs.interpreter import evaluate
from efdgen.generator.routines.integers import RoutineError
from efdgen.verify.laws.group import AffineGroup
from efdgen.verify.lemmas.elements import Lawful
from efdgen.verify.lemmas.shapes import Infinite

if TYPE_CHECKING:
    from collections.abc import Callable

    from efdgen.generator.planning.plan import CurvePlan
    from efdgen.verify.laws.algebra import Ratio
    from efdgen.verify.lemmas.elements import Elements
    from efdgen.verify.lemmas.shapes import Affine, Point

Made: TypeAlias = "tuple[list[Point], Point]"
"""Points, and their sum, or the double of one."""

COORDINATES = ("x1", "y1", "x2", "y2")
_SPECIAL = range(4)


@dataclass(frozen=True)
class Case:
    """One case; a ``regular`` one has no exceptional input of any formula."""

    title: str
    make: Callable[[Curve], Made]
    regular: bool = False


class Curve:
    """A curve over elements on one way: points by the affine law."""

    def __init__(self, plan: CurvePlan, elements: Elements) -> None:
        self.elements, self.infinite = elements, plan.representation.infinite
        self.total = not plan.representation.affine
        self.system = plan.kernels.kernels[0].formula.system
        self.model = self.system.model
        numbers = dict(plan.curve.parameters)
        for kernel in plan.kernels.kernels:
            numbers |= kernel.parameters
        self.parameters = {name: elements.number(value) for name, value in numbers.items()}
        self.law = AffineGroup(self.model, Lawful(elements), self.parameters)
        self._plan = plan

    def equation(self, point: Affine) -> Ratio:
        """Return what is 0 for the coordinates of a point of the curve."""
        (equation,) = self.model.equations
        known = {**self.parameters, **point}
        return evaluate(equation.left, self.elements, known) - evaluate(equation.right, self.elements, known)

    def point(self, number: int, zero: str = "", other: str = "") -> Affine:
        """Return the first or second point, any one that has affine coordinates, or with some (not) 0."""
        point = {c: self.elements.zero if c in zero else self.elements.name(f"{c}{number}") for c in "xy"}
        self.elements.relate([self.equation(point).numerator])
        for coordinate in other:
            self.elements.assume(point[coordinate].numerator)
        return point

    def odd_point(self) -> tuple[Affine, Affine]:
        """Return a point of odd order on a binary curve, and its double; x is not 0, as for order 2."""
        point = self.point(1, other="x")
        double, square = self.law.double(point), point["x"] + self.parameters["c"]
        if self.elements.is_zero(double["x"] * point["x"] ** 2 - square**4) != 1:
            raise RoutineError("the x-coordinate of a double is another one")
        for value in (square, double["x"]):
            self.elements.assume(value.numerator)
        return point, double

    def special(self, number: int) -> Affine:
        """Return a point with x*y = 0: the identity, that of order 2, or one of the two of order 4."""
        y, x = evaluate(self.model.neutral["y"], self.elements, self.parameters), self.elements.zero
        if number > 1:
            x, y = self.elements.number(x_of_order_four(self._plan)), x
        return {"x": -x, "y": -y} if number % 2 else {"x": x, "y": y}


def single(plan: CurvePlan) -> list[Case]:
    """Return the cases of a point."""
    if plan.model == "binary":
        return [
            Case("P the identity", partial(_identity, proper=True), regular=True),
            Case("another P of odd order", _odd, regular=True),
        ]
    if plan.representation.infinite:
        return [
            Case("P the identity", partial(_identity, proper=True), regular=True),
            Case("P an identity with any numerators", partial(_identity, proper=False), regular=True),
            Case("P of order 2", _order_two, regular=True),
            Case("P of another order", partial(_doubled, other="y"), regular=True),
        ]
    _require_complete(plan)
    if not shared_numerator(plan):
        return [Case("any P", _doubled, regular=True)]
    return [
        *(Case(f"P special ({i})", partial(_special_doubled, number=i)) for i in _SPECIAL),
        *(Case(f"2*P special ({i})", partial(_order_eight, number=i)) for i in _SPECIAL[2:]),
        Case("2*P not special", partial(_not_special, count=1), regular=True),
    ]


def pairs(plan: CurvePlan) -> list[Case]:
    """Return the cases of two points."""
    if plan.model == "binary":
        return [
            Case("P and Q of two x", _odd_apart, regular=True),
            Case("P = Q", partial(_equal, make=_odd), regular=True),
            Case("P = -Q", _odd_opposite, regular=True),
            Case("P the identity", partial(_with, make=_odd, first=True), regular=True),
            Case("Q the identity", partial(_with, make=_odd, first=False), regular=True),
            Case("P and Q the identity", partial(_identities, proper=True), regular=True),
        ]
    if plan.representation.infinite:
        neither = [
            Case("P and Q of two x", _apart, regular=True),
            Case("P = Q of order 2", partial(_equal, make=_order_two)),
            Case("P = Q", partial(_equal, make=partial(_doubled, other="y"))),
            Case("P = -Q", _opposite),
        ]
        makers = {"P": _identity_with, "Q": _with_identity, "P and Q": _identities}
        some = [
            Case(
                f"{which} the identity{'' if proper else ' with any numerators'}",
                partial(make, proper=proper),
            )
            for which, make in makers.items()
            for proper in (True, False)
        ]
        return [*neither, *some]
    _require_complete(plan)
    if not shared_numerator(plan):
        return [Case("any P and Q", _summed, regular=True)]
    return [
        *(Case(f"P special ({i})", partial(_special_with, number=i)) for i in _SPECIAL),
        *(Case(f"Q special ({i})", partial(_with_special, number=i)) for i in _SPECIAL),
        *(Case(f"P + Q special ({i})", partial(_special_sum, number=i)) for i in _SPECIAL),
        *(
            Case(f"P and Q special ({i}, {j})", partial(_specials, i=i, j=j))
            for i in _SPECIAL
            for j in _SPECIAL
        ),
        Case("neither P, Q nor P + Q special", partial(_not_special, count=2), regular=True),
    ]


def _odd(curve: Curve) -> Made:
    point, double = curve.odd_point()
    return [point], double


def _odd_apart(curve: Curve) -> Made:
    one, _ = curve.odd_point()
    other = curve.point(2, other="x")
    curve.elements.assume((one["x"] - other["x"]).numerator)
    total, difference = (curve.law.add(one, second) for second in (other, curve.law.negate(other)))
    # The product of both x is a square over another, and neither x is 0.
    above, below = one["x"] * other["x"] + curve.parameters["c"] ** 2, one["x"] + other["x"]
    if curve.elements.is_zero(total["x"] * difference["x"] * below * below - above * above) != 1:
        raise RoutineError("the x-coordinates of a sum and a difference have another product")
    for value in (above, total["x"], difference["x"]):
        curve.elements.assume(value.numerator)
    return [one, other], total


def _odd_opposite(curve: Curve) -> Made:
    point, _ = curve.odd_point()
    return [point, curve.law.negate(point)], Infinite(proper=True)


def _with(curve: Curve, make: Callable[[Curve], Made], *, first: bool) -> Made:
    (point,), _ = make(curve)
    pair = [Infinite(proper=True), point]
    return pair if first else pair[::-1], point


def _require_complete(plan: CurvePlan) -> None:
    curve = plan.curve
    if not has_complete_law(curve.model, curve.prime, curve.parameters):
        raise EfdgenError(f"the addition law of {curve.name} has exceptional inputs")


def _identity(_: Curve, *, proper: bool) -> Made:
    return [Infinite(proper)], Infinite(proper)


def _order_two(curve: Curve) -> Made:
    return [curve.point(1, zero="y")], Infinite(proper=True)


def _doubled(curve: Curve, other: str = "") -> Made:
    point = curve.point(1, other=other)
    return [point], curve.law.double(point)


def _summed(curve: Curve) -> Made:
    points = curve.point(1), curve.point(2)
    return [*points], curve.law.add(*points)


def _apart(curve: Curve) -> Made:
    one, other = curve.point(1), curve.point(2)
    curve.elements.assume((one["x"] - other["x"]).numerator)
    return [one, other], curve.law.add(one, other)


def _equal(curve: Curve, make: Callable[[Curve], Made]) -> Made:
    (point,), double = make(curve)
    return [point, point], double


def _opposite(curve: Curve) -> Made:
    point = curve.point(1, other="y")
    return [point, curve.law.negate(point)], Infinite(proper=True)


def _identity_with(curve: Curve, *, proper: bool) -> Made:
    point = curve.point(1)
    return [Infinite(proper), point], point


def _with_identity(curve: Curve, *, proper: bool) -> Made:
    point = curve.point(1)
    return [point, Infinite(proper)], point


def _identities(_: Curve, *, proper: bool) -> Made:
    return [Infinite(proper)] * 2, Infinite(proper)


def _special_doubled(curve: Curve, number: int) -> Made:
    point = curve.special(number)
    return [point], curve.law.double(point)


def _order_eight(curve: Curve, number: int) -> Made:
    """Return a point whose double is (e, 0): x is e*y, and a*x^2 = y^2 for a*e^2 = 1."""
    point = curve.point(1, other="xy")
    curve.elements.relate([(point["x"] - curve.special(number)["x"] * point["y"]).numerator])
    return [point], curve.law.double(point)


def _not_special(curve: Curve, count: int) -> Made:
    points = [curve.point(number + 1, other="xy") for number in range(count)]
    total = curve.law.add(points[0], points[-1])
    for value in total.values():
        curve.elements.assume(value.numerator)
    return [*points], total


def _special_with(curve: Curve, number: int) -> Made:
    points = curve.special(number), curve.point(1, other="xy")
    return [*points], curve.law.add(*points)


def _with_special(curve: Curve, number: int) -> Made:
    points = curve.point(1, other="xy"), curve.special(number)
    return [*points], curve.law.add(*points)


def _specials(curve: Curve, i: int, j: int) -> Made:
    points = curve.special(i), curve.special(j)
    return [*points], curve.law.add(*points)


def _special_sum(curve: Curve, number: int) -> Made:
    one, total = curve.point(1, other="xy"), curve.special(number)
    other = curve.law.add(total, curve.law.negate(one))
    curve.law.add(one, other)  # notes that no divisor of the law is 0
    return [one, other], total

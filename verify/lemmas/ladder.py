"""Lemmas on Montgomery curves: the step of the ladder, for all points, and the functions on affine points.

X and Z represent a point if Z is not 0 and X/Z is its x-coordinate, and the identity if Z is 0 and X is not.
For B - A = P with x(P) != 0 the step makes representations of 2*A and A + B of those of A and B. Nothing in
it depends on b, which is any number but 0 here: points of the twist are those for another b.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

from efdgen.generator.programs.interpreter import evaluate
from efdgen.generator.routines.integers import RoutineError
from efdgen.verify.laws.group import AffineGroup
from efdgen.verify.lemmas import encodings, roots
from efdgen.verify.lemmas.elements import Elements, Lawful
from efdgen.verify.lemmas.run import Run, every, kernel_leaf

if TYPE_CHECKING:
    from collections.abc import Callable

    from efdgen.generator.planning.ladder import LadderPlan
    from efdgen.generator.routines.module import Module
    from efdgen.verify.laws.algebra import Ratio
    from efdgen.verify.lemmas.shapes import Affine, Value
    from efdgen.verify.symbols.facts import Facts

Point: TypeAlias = "Affine | None"
"""A point by its affine coordinates; None is the identity."""
Case: TypeAlias = "tuple[Point, ...]"

_NAMES = ("b", "x1", "y1", "x2", "y2", "z1", "z2")


class Curve(Run):
    """A Montgomery curve on one way through a case; ``twist`` is whether b is any number."""

    def __init__(
        self,
        plan: LadderPlan,
        module: Module,
        facts: Facts,
        *,
        twist: bool = False,
    ) -> None:
        elements, numbers = Elements(plan.curve.prime, _NAMES, facts), plan.curve.parameters
        a, b = elements.number(numbers["a"]), elements.number(numbers["b"])
        if twist:
            b = elements.name("b")
            elements.assume(b.numerator)
        step = plan.kernel(plan.step)
        kernel = {"step_kernel": kernel_leaf(step, plan.kernels, elements)}
        constants = {"CURVE_A": a, "CURVE_B": b, "TWICE_A": a + a, "TWICE_B": b + b}
        super().__init__(module, elements, kernel, constants)
        self._model, self._parameters = step.formula.system.model, {"a": a, "b": b}
        self.law = AffineGroup(self._model, Lawful(elements), self._parameters)

    def free(self, number: int) -> Affine:
        """Return any coordinates."""
        return {c: self.elements.name(f"{c}{number}") for c in "xy"}

    def point(self, number: int) -> Affine:
        """Return the first or second point, any one but the identity."""
        point = self.free(number)
        self.elements.relate([self.equation(point).numerator])
        return point

    def equation(self, point: Affine) -> Ratio:
        """Return what is 0 for the coordinates of a point."""
        (equation,), known = self._model.equations, {**self._parameters, **point}
        left, right = (evaluate(side, self.elements, known) for side in (equation.left, equation.right))
        return left - right

    def double(self, point: Affine) -> Point:
        """Return 2*P."""
        return self.law.double(point) if self.nonzero(point["y"]) else None

    def represented(self, point: Point, number: int) -> Value:
        """Return any X and Z of a point, in a name of their own."""
        z = self.elements.name(f"z{number}")
        self.elements.assume(z.numerator)
        return {"X": z, "Z": self.elements.zero} if point is None else {"X": point["x"] * z, "Z": z}

    def represents(self, value: Value, point: Point) -> bool:
        """Return whether X and Z are those of a point."""
        if point is None:
            return not self.nonzero(value["Z"]) and self.nonzero(value["X"])
        return self.nonzero(value["Z"]) and not self.nonzero(value["X"] - point["x"] * value["Z"])


def _first(curve: Curve) -> Case:
    point = curve.point(1)
    return None, point, point, None, point


def _last(curve: Curve) -> Case:
    point = curve.point(1)
    return point, None, curve.law.negate(point), curve.double(point), point


def _opposite(curve: Curve) -> Case:
    point = curve.point(1)
    curve.elements.assume(point["y"].numerator)
    double = curve.law.double(point)
    return point, curve.law.negate(point), double, double, None


def _apart(curve: Curve) -> Case:
    one, other = curve.point(1), curve.point(2)
    curve.elements.assume((one["x"] - other["x"]).numerator)
    difference = curve.law.add(other, curve.law.negate(one))
    return one, other, difference, curve.double(one), curve.law.add(one, other)


# Two points that are not equal: A, B, B - A or its negative, 2*A and A + B.
_STEPS: dict[str, Callable[[Curve], Case]] = {
    "A the identity": _first,
    "B the identity": _last,
    "A = -B": _opposite,
    "A and B of two x": _apart,
}


def prove_step(plan: LadderPlan, module: Module) -> None:
    """Prove that a step gives 2*A and A + B for x(B - A) != 0.

    For x(B - A) = 0, and X*Z = 0 for A, both results have Z = 0.
    """
    name = plan.kernel(plan.step).formula.id
    start = partial(Curve, plan, module, twist=True)

    def follow(curve: Curve, make: Callable[[Curve], Case]) -> str:
        one, other, difference, double, total = make(curve)
        assert difference is not None
        curve.elements.assume(difference["x"].numerator)
        given = (curve.represented(point, number) for number, point in ((1, one), (2, other)))
        found = curve.call("step_kernel", {"X": difference["x"]}, *given)
        right = map(curve.represents, found, (double, total))
        return "" if all(right) else "it makes other points than 2*A and A + B"

    for case, make in _STEPS.items():
        every(name, case, start, partial(follow, make=make))

    def at_zero(curve: Curve, zero: str) -> str:
        zeros = {"X": curve.elements.zero}
        one, other = (
            {m: curve.elements.name(f"{c}{n}") for m, c in (("X", "x"), ("Z", "z"))} for n in (1, 2)
        )
        found = curve.call("step_kernel", zeros, one | {zero: curve.elements.zero}, other)
        return "Z is not 0" if any(curve.nonzero(value["Z"]) for value in found) else ""

    for zero in ("X", "Z"):
        every(name, f"x(P) = 0 and {zero} of A = 0", start, partial(at_zero, zero=zero))


def prove_x(plan: LadderPlan, module: Module) -> None:
    """Prove that x_multiply returns x(k*P), 0 for the identity, if the ladder does or has X*Z = 0."""
    start = partial(Curve, plan, module, twist=True)

    def follow(curve: Curve, make: Callable[[Curve], tuple[Value, Ratio]]) -> str:
        k, x, unread = object(), curve.elements.name("x2"), dict[str, object]()
        multiple, wanted = make(curve)
        curve.leaves["ladder"] = _answer((k, x), [multiple, unread])
        (found,) = curve.call("x_multiply", k, x)
        return "it returns another number" if curve.nonzero(found - wanted) else ""

    def finite(curve: Curve) -> tuple[Value, Ratio]:
        point = curve.point(1)
        return curve.represented(point, 1), point["x"]

    def zero(curve: Curve, member: str) -> tuple[Value, Ratio]:
        value = {"X": curve.elements.name("x1"), "Z": curve.elements.name("z1")}
        return value | {member: curve.elements.zero}, curve.elements.zero

    every("x_multiply", "k*P not the identity", start, partial(follow, make=finite))
    every("x_multiply", "k*P the identity", start, partial(follow, make=partial(zero, member="Z")))
    every("x_multiply", "X = 0", start, partial(follow, make=partial(zero, member="X")))


def _further(curve: Curve, p: Affine) -> tuple[Point, Point]:
    other = curve.point(2)
    curve.elements.assume((p["x"] - other["x"]).numerator)
    return other, curve.law.add(other, p)


# P of an order other than 2, k*P, (k + 1)*P.
_MULTIPLES: dict[str, Callable[[Curve, Affine], tuple[Point, Point]]] = {
    "k*P the identity": lambda _, p: (None, p),
    "k*P = -P": lambda curve, p: (curve.law.negate(p), None),
    "k*P = P": lambda curve, p: (p, curve.law.double(p)),
    "k*P another point": _further,
}


def prove_affine(plan: LadderPlan, module: Module) -> None:
    """Prove that affine_multiple returns k*P and 1, or zeros and 0, if the ladder gives x of both."""
    name, start = "affine_multiple", partial(Curve, plan, module)

    def call(curve: Curve, p: Affine, odd: int, multiple: Value, following: Value) -> list[Any]:
        k = object()
        curve.leaves["ladder"] = _answer((k, p["x"]), [multiple, following])
        curve.leaves["scalar_bit"] = _answer((k, 0), [odd])
        return curve.call(name, k, p)

    def follow(curve: Curve, odd: int, make: Callable[[Curve, Affine], tuple[Point, Point]]) -> str:
        p = curve.point(1)
        curve.elements.assume(p["y"].numerator)
        points = make(curve, p)
        given = (curve.represented(point, number) for number, point in enumerate(points, 1))
        return _optional(curve, call(curve, p, odd, *given), points[0])

    def order_two(curve: Curve, odd: int) -> str:
        p = curve.point(1) | {"y": curve.elements.zero}
        curve.elements.relate([curve.equation(p).numerator])
        elements = curve.elements
        unknown = ({m: elements.name(f"{c}{n}") for m, c in (("X", "x"), ("Z", "z"))} for n in (2, 1))
        return _optional(curve, call(curve, p, odd, *unknown), p if odd else None)

    for odd in (0, 1):
        parity = f"k {'odd' if odd else 'even'}"
        every(name, f"P of order 2, {parity}", start, partial(order_two, odd=odd))
        for case, make in _MULTIPLES.items():
            every(name, f"{case}, {parity}", start, partial(follow, odd=odd, make=make))


def _optional(curve: Curve, found: list[Any], wanted: Point) -> str:
    """Return how an affine point and a choice differ from a point; zeros and 0 are the identity."""
    point, finite = found
    if finite != int(wanted is not None):
        return f"it returns {finite}"
    zero = curve.elements.zero
    expected = {"x": zero, "y": zero} if wanted is None else wanted
    differs = any(curve.nonzero(point[c] - expected[c]) for c in "xy")
    return "it returns another point" if differs else ""


def prove_points(plan: LadderPlan, module: Module) -> None:
    """Prove the functions on affine coordinates: tests of the equation, and what follows from these."""
    start = partial(Curve, plan, module)

    def right_side(curve: Curve) -> str:
        point = {"x": curve.elements.name("x1"), "y": curve.elements.zero}
        (found,) = curve.call("right_side", point["x"])
        return "it returns another number" if curve.nonzero(found + curve.equation(point)) else ""

    def is_on_curve(curve: Curve) -> str:
        point = curve.free(1)
        (found,) = curve.call("is_on_curve", point)
        return "" if found == curve.elements.is_zero(curve.equation(point)) else f"it returns {found}"

    def from_affine(curve: Curve, on: int) -> str:
        point = curve.free(1)
        curve.leaves["is_on_curve"] = _answer((point,), [on])
        return _optional(curve, curve.call("from_affine", point), point if on else None)

    every("right_side", "any x", start, right_side)
    every("is_on_curve", "any coordinates", start, is_on_curve)
    for on in (0, 1):
        every("from_affine", f"coordinates on the curve: {on}", start, partial(from_affine, on=on))


def prove_encodings(plan: LadderPlan, module: Module) -> None:
    """Prove points by their x-coordinates, and encodings of these."""
    start = partial(Curve, plan, module)
    roots.prove_low_bit(module, big=False)
    roots.prove_sign(start)
    for name in ("point_with_x", "lift_x"):
        roots.prove_lift(name, "xy", start, lambda curve: curve, _optional)
    encodings.encoded_x(module)
    encodings.decoded_x(module)


def _answer(given: tuple[object, ...], results: list[Any]) -> Callable[..., list[Any]]:
    """Return the contract of a function for some arguments alone."""

    def answered(*arguments: object) -> list[Any]:
        if arguments != given:
            raise RoutineError("a call with other arguments")
        return list(results)

    return answered

"""Statements on conversions between coordinates and points and on tests of coordinates, for all of these."""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.verify.lemmas.shapes import Infinite

if TYPE_CHECKING:
    from efdgen.verify.laws.algebra import Ratio
    from efdgen.verify.lemmas.cases import Case
    from efdgen.verify.lemmas.prover import PointRun, Prover
    from efdgen.verify.lemmas.shapes import Affine, Value


def to_affine(prover: Prover, name: str) -> None:
    """Prove that a function returns x and y, and zeros for a point that has none."""

    def follow(run: PointRun, case: Case) -> str:
        (point,), _ = case.make(run.curve)
        found, *finite = run.call(name, run.value("point", "p", point))
        if finite not in ([], [int(not isinstance(point, Infinite))]):
            return f"it returns {finite[0]}"
        if isinstance(point, Infinite):
            return "" if all(map(run.elements.is_zero, found.values())) else "it returns other numbers than 0"
        return run.difference("affine", found, point)

    prover.cases(name, prover.single, follow)


def from_affine(prover: Prover, name: str) -> None:
    """Prove that a function returns the point (x, y) and 1, or zeros and 0 if there is none."""

    def follow(run: PointRun, case: Case) -> str:
        (point,), _ = case.make(run.curve)
        if isinstance(point, Infinite):
            return ""
        found, on = run.call(name, _coordinates(point))
        return run.difference("point", found, point) if on else "it refuses a point"

    def other(run: PointRun) -> str:
        point = _free(run)
        run.elements.assume(run.curve.equation(point).numerator)
        found, on = run.call(name, _coordinates(point))
        return "it takes other coordinates for a point" if on or any(map(run.nonzero, found.values())) else ""

    prover.cases(name, prover.single, follow)
    prover.every(name, "coordinates of no point", other)


def is_affine(prover: Prover, name: str) -> None:
    """Prove that a function returns whether x and y satisfy the curve's equation."""

    def follow(run: PointRun) -> str:
        point = _free(run)
        (found,) = run.call(name, _coordinates(point))
        return "" if found == run.elements.is_zero(run.curve.equation(point)) else f"it returns {found}"

    prover.every(name, "any coordinates", follow)


def is_point(prover: Prover, name: str) -> None:
    """Prove that a function returns whether members are those of a point, for any elements as members."""

    def follow(run: PointRun) -> str:
        members = prover.shapes["point"].members
        value = {m: run.elements.name(f"p.{m}") for m in members}
        (found,) = run.call(name, value)
        return "" if found == _is_point(prover, run, value) else f"it returns {found}"

    prover.every(name, "any coordinates", follow)


def right_side(prover: Prover, name: str) -> None:
    """Prove that a function returns y^2 for a given x, on a curve y^2 = x^3 + a*x + b."""

    def follow(run: PointRun) -> str:
        x, zero = run.elements.name("x1"), run.elements.zero
        (found,) = run.call(name, x)
        left = run.curve.equation({"x": x, "y": zero})
        return "it returns another number" if run.nonzero(found + left) else ""

    prover.every(name, "any x", follow)


def _free(run: PointRun) -> Affine:
    return {c: run.elements.name(f"{c}1") for c in "xy"}


def _coordinates(point: Affine) -> Value:
    return {"X": point["x"], "Y": point["y"]}


def _is_point(prover: Prover, run: PointRun, value: Value) -> bool:
    point = _affine(prover, run, value)
    if point is not None:
        return not run.nonzero(run.curve.equation(point)) and not run.difference("point", value, point)
    return run.curve.infinite and not run.difference("point", value, Infinite(proper=True))


def _affine(prover: Prover, run: PointRun, value: Value) -> Affine | None:
    """Return the affine coordinates that members have, as they are defined; None where a denominator is 0."""
    shape, represented = prover.shapes["point"], prover.plan.representation
    if shape.shared and not run.nonzero(value[shape.shared]):
        one, other = (value[m] for m in shape.members if m != shape.shared)
        point = {"x": other, "y": one}
        return point if not run.nonzero(one * other) else None
    if not all(run.nonzero(value[denominator]) for denominator in represented.denominators):
        return None

    def quotient(numerator: str, denominator: str | None, power: int, factor: int) -> Ratio:
        below = run.elements.inv(value[denominator] ** power) if denominator else run.elements.number(1)
        return run.elements.number(factor) * value[numerator] * below

    return {c: quotient(r.numerator, r.denominator, r.power, r.factor) for c, r in represented.ratios.items()}

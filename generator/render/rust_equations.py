"""Equations of curves as calls of a field's methods in Rust, without divisions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from efdgen.generator.render.equations import Calls, model_equations, point_tests
from efdgen.generator.render.quotients import equal_sides
from efdgen.generator.render.rust_text import binding
from efdgen.generator.render.special import shared_numerator, sum_by_law

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from efdgen.generator.planning.plan import CurvePlan
    from efdgen.generator.render.quotients import Fraction


class StraightLine(Calls):
    """Statements that compute expressions of ``names``, which are places in Rust."""

    def __init__(self, names: Mapping[str, str]) -> None:
        super().__init__(names, "FieldElement::ONE", "square")
        self.lines: list[str] = []

    def equal(self, pairs: Iterable[tuple[str, str]]) -> str:
        """Return calls that tell whether the values of all pairs of places are equal."""
        return " & ".join([f"{left}.ct_eq(&{right})" for left, right in pairs])

    def append(self, operation: str, *operands: str) -> str:
        """Return the name of the result of a call, which is appended."""
        first, *rest = operands
        result = f"v{len(self.lines)}"
        self.lines.append(f"let {result} = {first}.{operation}({', '.join(f'&{place}' for place in rest)});")
        return result


def curve_equations(plan: CurvePlan, members: Mapping[str, str]) -> dict[str, Any]:
    """Return what the templates print of equations; ``members`` are a point's, by the system's variables.

    These are the tests of affine points and of points, what a point at infinity is, and the affine addition
    law where points are added by it.
    """
    represented = plan.representation
    model = plan.kernels.kernels[0].formula.system.model
    parameters = {name: f"CURVE_{name.upper()}" for name in plan.curve.parameters} | {
        "c": "FieldElement::ONE"
    }
    own = {variable: f"self.{member}" for variable, member in members.items()}
    right = StraightLine(parameters | {"x": "x"})
    value = right.value(model.equations[0].right) if plan.model == "shortw" else ""
    return {
        "right_side": right.lines,
        "right_value": value,
        "equation": _affine_test(plan, parameters),
        **_point_test(plan, own, parameters),
        "undefined": " | ".join(f"{own[v]}.is_zero()" for v in represented.denominators),
        "at_infinity": _at_infinity(plan, own) if represented.infinite else [],
        "law": _law(plan, parameters) if shared_numerator(plan) else None,
    }


def _affine_test(plan: CurvePlan, parameters: Mapping[str, str]) -> list[str]:
    """Return statements and an expression, which tells whether the curve's equations hold."""
    program = StraightLine(parameters)
    names: dict[str, Fraction] = {name: (place, None) for name, place in parameters.items()}
    names |= {"x": ("p.x", None), "y": ("p.y", None)}
    found = program.equal(equal_sides(equation, program, names) for equation in model_equations(plan))
    return [*program.lines, found]


def _point_test(plan: CurvePlan, own: Mapping[str, str], parameters: Mapping[str, str]) -> dict[str, Any]:
    """Return statements and an expression, which tells whether coordinates are of a point of the curve.

    Where the identity has no affine coordinates, it is another test's.
    """
    represented, program = plan.representation, StraightLine({})
    special = shared_numerator(plan)
    fractions: dict[str, Fraction] = {c: (f"p.{c}", f"p.{c}_below") for c in "xy"}
    pairs = point_tests(plan, program, {**parameters, **own}, fractions if special else None)
    tests, before = [program.equal(pairs)], ["let p = self.fractions();"] if special else []
    if special:
        # Of both denominators none is 0, or the numerator is and one of them.
        zeros = " | ".join(f"{own[v]}.is_zero()" for v in represented.denominators)
        before.append(f"let undefined = {zeros};")
        tests.append(f"!(undefined ^ {own[special]}.is_zero())")
    elif not represented.infinite:
        tests += [f"!{own[v]}.is_zero()" for v in represented.denominators]
    return {"on_lines": [*before, *program.lines], "on_value": " & ".join(tests)}


def _at_infinity(plan: CurvePlan, own: Mapping[str, str]) -> list[str]:
    """Return the lines that tell whether a point is the identity, given the square of Y and the cube of X."""
    represented = plan.representation
    zeros = [f"{own[v]}.is_zero()" for v in (*represented.denominators, *represented.extra)]
    powers = represented.powers
    lead = ["square.ct_eq(&cube)", "!square.is_zero()"]
    if len(represented.denominators) == 1 and 3 * powers[0] != 2 * powers[1]:
        none, some = "xy" if 3 * powers[0] > 2 * powers[1] else "yx"
        lead = [f"self.{none}.is_zero()", f"!self.{some}.is_zero()"]
    return binding("let infinite =", " & ".join([*zeros, *lead]), 8)


def _law(plan: CurvePlan, parameters: Mapping[str, str]) -> dict[str, Any]:
    """Return the affine addition law on fractions ``p.x`` over ``p.x_below`` and so on."""
    names: dict[str, Fraction] = {name: (place, None) for name, place in parameters.items()}
    names |= {f"{c}{i}": (f"{p}.{c}", f"{p}.{c}_below") for c in "xy" for i, p in (("1", "p"), ("2", "q"))}
    program = StraightLine({})
    (x, x_below), (y, y_below) = sum_by_law(plan, program, names)
    return {"lines": program.lines, "x": x, "x_below": x_below, "y": y, "y_below": y_below}

"""Equations of curves as calls of a field's methods in Rust, without divisions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from efdgen.generator.language.syntax import Name
from efdgen.generator.render.equations import Calls
from efdgen.generator.render.rust_text import binding
from efdgen.generator.render.special import shared_numerator, sum_by_law

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from efdgen.generator.language.syntax import Equation
    from efdgen.generator.planning.plan import CurvePlan
    from efdgen.generator.render.special import Fraction


class StraightLine(Calls):
    """Statements that compute expressions of ``names``, which are places in Rust."""

    def __init__(self, names: Mapping[str, str]) -> None:
        super().__init__(names, "FieldElement::ONE", "square")
        self.lines: list[str] = []

    def test(self, equation: Equation) -> str:
        """Return a call that tells whether an equation holds; a divisor is multiplied out."""
        left, right = self.sides(equation)
        return f"{left}.ct_eq(&{right})"

    def append(self, operation: str, *operands: str) -> str:
        """Return the name of the result of a call, which is appended."""
        first, *rest = operands
        result = f"v{len(self.lines)}"
        self.lines.append(f"let {result} = {first}.{operation}({', '.join(f'&{place}' for place in rest)});")
        return result


def curve_equations(plan: CurvePlan, members: Mapping[str, str]) -> dict[str, Any]:
    """Return what the templates print of equations; ``members`` are a point's, by the system's variables.

    These are the curve's equation, the meanings of further variables, what a point at infinity is, and the
    affine addition law where points are added by it.
    """
    represented = plan.representation
    system = plan.kernels.kernels[0].formula.system
    parameters = {name: f"CURVE_{name.upper()}" for name in plan.curve.parameters} | {
        "c": "FieldElement::ONE"
    }
    further = [m for m in system.meanings if not isinstance(m.left, Name) or m.left.text not in "xy"]
    own = {variable: f"self.{member}" for variable, member in members.items()}
    right = StraightLine(parameters | {"x": "x"})
    value = right.value(system.model.equations[0].right) if plan.model == "shortw" else ""
    return {
        "right_side": right.lines,
        "right_value": value,
        "equation": _test_lines(system.model.equations, parameters | {"x": "p.x", "y": "p.y"}),
        **_on_curve(plan, own, further, parameters | {"x": "reduced.x", "y": "reduced.y"} | own),
        "undefined": " | ".join(f"{own[v]}.is_zero()" for v in represented.denominators),
        "at_infinity": _at_infinity(plan, own) if represented.infinite else [],
        "law": _law(plan, parameters) if shared_numerator(plan) else None,
    }


def _test_lines(equations: Sequence[Equation], names: Mapping[str, str]) -> list[str]:
    """Return statements and an expression, which tells whether equations hold."""
    program = StraightLine(names)
    tests = " & ".join([program.test(equation) for equation in equations])
    return [*program.lines, tests]


def _on_curve(
    plan: CurvePlan, own: Mapping[str, str], further: Sequence[Equation], names: Mapping[str, str]
) -> dict[str, Any]:
    represented = plan.representation
    tests, lines = ["is_on_curve(&reduced)"], []
    if shared_numerator(plan):
        # Of both denominators none is 0, or the numerator is and one of them.
        zeros = " | ".join(f"{own[v]}.is_zero()" for v in represented.denominators)
        lines = [f"let undefined = {zeros};"]
        tests.append(f"!(undefined ^ {own[shared_numerator(plan)]}.is_zero())")
    elif not represented.infinite:
        tests += [f"!{own[v]}.is_zero()" for v in represented.denominators]
    value = " & ".join(tests)
    if further:
        program = StraightLine(names)
        tested = [program.test(equation) for equation in further]
        lines += [f"let on = {value};", *program.lines]
        value = " & ".join(["on", *tested])
    return {"on_lines": lines, "on_value": value}


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

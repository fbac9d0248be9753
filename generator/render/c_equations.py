"""Equations of curves as calls of field functions in C, without divisions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from efdgen.generator.language.syntax import Name
from efdgen.generator.render.c_text import WIDTH
from efdgen.generator.render.equations import Calls
from efdgen.generator.render.special import sum_by_law
from efdgen.generator.render.wrap import wrap

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from efdgen.generator.language.syntax import Equation
    from efdgen.generator.planning.plan import CurvePlan
    from efdgen.generator.render.special import Fraction


class StraightLine(Calls):
    """Calls that compute expressions of ``names``, which are C lvalues, in numbered temporaries."""

    def __init__(self, prefix: str, names: Mapping[str, str]) -> None:
        super().__init__(names, f"{prefix}_constant_one", "sqr")
        self._prefix = prefix
        self.calls: list[str] = []
        self._temporaries = 0

    def lines(self, width: int) -> list[str]:
        """Return the declaration of the temporaries and the calls."""
        return [*self.declaration(width), *self.calls]

    def declaration(self, width: int) -> list[str]:
        """Return the declaration of the temporaries."""
        names = ", ".join(f"v{i}" for i in range(self._temporaries))
        return wrap(f"{self._prefix}_fe {names};", width, subsequent_indent="    ")

    def test(self, equation: Equation) -> str:
        """Return what is 1 where an equation holds, and 0 otherwise; a divisor is multiplied out."""
        left, right = self.sides(equation)
        return f"{self._prefix}_fe_equal(&{left}, &{right})"

    def append(self, operation: str, *operands: str) -> str:
        """Return the temporary that is the result of a call, which is appended."""
        result = f"v{self._temporaries}"
        self._temporaries += 1
        arguments = ", ".join(f"&{place}" for place in (result, *operands))
        self.calls.append(f"{self._prefix}_fe_{operation}({arguments});")
        return result


def law_calls(plan: CurvePlan) -> dict[str, Any]:
    """Return what the templates print of the affine addition law, on fractions x1n/x1d and so on."""
    names: dict[str, Fraction] = {
        name: (f"{plan.prefix}_constant_{name}", None) for name in plan.curve.parameters
    }
    names |= {f"{c}{i}": (f"{c}{i}n", f"{c}{i}d") for c in "xy" for i in "12"}
    program = StraightLine(plan.prefix, {})
    (xn, xd), (yn, yd) = sum_by_law(plan, program, names)
    lines = {"declaration": program.declaration(WIDTH - 4), "calls": program.calls}
    return {**lines, "xn": xn, "xd": xd, "yn": yn, "yd": yd}


def curve_equations(plan: CurvePlan) -> dict[str, Any]:
    """Return what the templates print of equations.

    These are the curve's equation, the meanings of further variables, and what a point at infinity is.
    """
    represented = plan.representation
    system = plan.kernels.kernels[0].formula.system
    parameters = {name: f"{plan.prefix}_constant_{name}" for name in plan.curve.parameters}
    further = [m for m in system.meanings if not isinstance(m.left, Name) or m.left.text not in "xy"]
    p = {variable: f"p->{variable}" for variable in system.variables}
    names = parameters | {"x": "reduced.X", "y": "reduced.Y"} | p
    right = StraightLine(plan.prefix, parameters | {"x": "(*x)"})
    value = right.value(system.model.equations[0].right) if plan.model == "shortw" else ""
    affine = parameters | {"x": "p->X", "y": "p->Y"}
    return {
        "right_value": value,
        "right_side": right.lines(WIDTH - 4) if value else [],
        "equation": _test(plan, system.model.equations, affine, "return"),
        "meanings": _test(plan, further, names, "on &=") if further else [],
        "undefined": " | ".join(f"{plan.prefix}_fe_is_zero(&p->{v})" for v in represented.denominators),
        "at_infinity": _at_infinity(plan) if represented.infinite else "",
    }


def _test(plan: CurvePlan, equations: Sequence[Equation], names: dict[str, str], result: str) -> list[str]:
    program = StraightLine(plan.prefix, names)
    tests = " & ".join([program.test(equation) for equation in equations])
    return [*program.lines(WIDTH - 8), f"{result} {tests};"]


def _at_infinity(plan: CurvePlan) -> str:
    """Return whether p is the identity, given squares of Y and cubes of X."""
    represented, zero = plan.representation, f"{plan.prefix}_fe_is_zero"
    zeros = [f"{zero}(&p->{v})" for v in (*represented.denominators, *represented.extra)]
    powers = represented.powers
    lead = [f"{plan.prefix}_fe_equal(&square, &cube)", f"(1 ^ {zero}(&square))"]
    if len(represented.denominators) == 1 and 3 * powers[0] != 2 * powers[1]:
        none, some = "XY" if 3 * powers[0] > 2 * powers[1] else "YX"
        lead = [f"{zero}(&p->{none})", f"(1 ^ {zero}(&p->{some}))"]
    return " & ".join([*zeros, *lead])

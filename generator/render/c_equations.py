"""Equations of curves as calls of field functions in C, without divisions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from efdgen.generator.render.c_text import WIDTH
from efdgen.generator.render.equations import Calls, model_equations, point_tests
from efdgen.generator.render.quotients import equal_sides
from efdgen.generator.render.special import shared_numerator, sum_by_law
from efdgen.generator.render.wrap import wrap

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from efdgen.generator.planning.plan import CurvePlan
    from efdgen.generator.render.quotients import Fraction


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

    def equal(self, pairs: Iterable[tuple[str, str]]) -> str:
        """Return what is 1 if the values of all pairs of places are equal, and 0 otherwise."""
        return " & ".join(f"{self._prefix}_fe_equal(&{left}, &{right})" for left, right in pairs)

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

    These are the tests of affine points and of points, and what a point at infinity is.
    """
    represented = plan.representation
    model = plan.kernels.kernels[0].formula.system.model
    parameters = {name: f"{plan.prefix}_constant_{name}" for name in plan.curve.parameters}
    right = StraightLine(plan.prefix, parameters | {"x": "(*x)"})
    value = right.value(model.equations[0].right) if plan.model == "shortw" else ""
    return {
        "right_value": value,
        "right_side": right.lines(WIDTH - 4) if value else [],
        "equation": _affine_test(plan, parameters),
        "on_curve": _point_test(plan, parameters),
        "undefined": " | ".join(f"{plan.prefix}_fe_is_zero(&p->{v})" for v in represented.denominators),
        "at_infinity": _at_infinity(plan) if represented.infinite else "",
    }


def _affine_test(plan: CurvePlan, parameters: dict[str, str]) -> list[str]:
    program = StraightLine(plan.prefix, parameters)
    names: dict[str, Fraction] = {name: (place, None) for name, place in parameters.items()}
    names |= {"x": ("p->X", None), "y": ("p->Y", None)}
    found = program.equal(equal_sides(equation, program, names) for equation in model_equations(plan))
    return [*program.lines(WIDTH - 8), f"return {found};"]


def _point_test(plan: CurvePlan, parameters: dict[str, str]) -> dict[str, Any]:
    """Return the declaration and the calls that test a point whose denominators are not 0, and the test."""
    program = StraightLine(plan.prefix, {})
    places = parameters | {v: f"p->{v}" for v in plan.kernels.kernels[0].formula.system.variables}
    own: dict[str, Fraction] = {"x": ("xn", "xd"), "y": ("yn", "yd")}
    test = program.equal(point_tests(plan, program, places, own if shared_numerator(plan) else None))
    return {"declaration": program.declaration(WIDTH - 4), "calls": program.calls, "test": test}


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

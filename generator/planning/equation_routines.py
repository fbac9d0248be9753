"""Equations of a curve as routines: the tests of points, and what a square root is taken of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.planning.equations import Calls, model_equations, point_tests
from efdgen.generator.planning.quotients import equal_sides
from efdgen.generator.planning.special import shared_numerator, sum_by_law
from efdgen.generator.routines.parser import parse

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from efdgen.generator.planning.plan import CurvePlan
    from efdgen.generator.planning.quotients import Fraction
    from efdgen.generator.routines.parser import Text


class Statements(Calls):
    """Statements that compute expressions of ``names``, which are places in a routine."""

    def __init__(self, names: Mapping[str, str]) -> None:
        super().__init__(names, "ONE", "sqr")
        self.lines: list[str] = []
        self._made = 0

    def append(self, operation: str, *operands: str) -> str:
        """Return the variable for the result of a call, which is appended."""
        result = f"v{self._made}"
        self._made += 1
        self.lines.append(f"let {result} = fe_{operation}({', '.join(operands)})")
        return result

    def fractions(self, point: str, number: str) -> dict[str, Fraction]:
        """Append the affine coordinates of a point, and return them by their names, with a number."""
        found = {f"{c}{number}": (f"{c}{number}n", f"{c}{number}d") for c in "xy"}
        places = [place for pair in found.values() for place in pair]
        self.lines.append(f"let {', '.join(places)} = fractions({point})")
        return {**found}

    def called(self, name: str, value: str) -> str:
        """Return the place of a value, which is called otherwise if it is the last that is computed."""
        head, equals, rest = self.lines[-1].partition(" = ")
        if head != f"let {value}":
            return value
        self.lines[-1] = f"let {name}{equals}{rest}"
        return name

    def returning(self, value: str) -> Iterator[str]:
        """Yield the lines of a routine that returns a value."""
        yield from (f"    {line}" for line in (*self.lines, f"return {value}"))


def equation_routines(plan: CurvePlan) -> Text:
    """Return the routines that a curve's equations are."""
    names = {name: "ONE" if name == "c" else f"CURVE_{name.upper()}" for name in plan.curve.parameters}
    lines = [f"constant {name}: element" for name in names.values() if name != "ONE"]
    lines += [
        "routine affine_is_on_curve(p: affine) -> choice:",
        '    """Return whether affine coordinates are of a point of the curve."""',
        *_affine_test(plan, names),
        "routine satisfies_equations(p: point) -> choice:",
        '    """Return whether coordinates satisfy the equations of the curve and of the system."""',
        *_point_test(plan, names),
    ]
    if shared_numerator(plan):
        lines += [
            "routine add_by_law(p: point, q: point) -> point as r:",
            '    """Return p + q by the affine law on fractions, whose denominators are never 0."""',
            *_law(plan, names),
        ]
    if plan.representation.infinite:
        lines += [
            "routine is_at_infinity(p: point) -> choice:",
            '    """Return whether coordinates with a denominator of 0 are of the identity."""',
            *_at_infinity(plan),
        ]
    if plan.model == "shortw":
        right = Statements({**names, "x": "x"})
        value = right.value(plan.kernels.kernels[0].formula.system.model.equations[0].right)
        lines += [
            "routine right_side(x: element) -> element as r:",
            '    """Return x^3 + a*x + b."""',
            *right.returning(right.called("r", value)),
        ]
    return parse("\n".join(lines), f"the equations of {plan.curve.name}")


def _equal(pairs: Iterable[tuple[str, str]]) -> str:
    return " & ".join(f"fe_equal({left}, {right})" for left, right in pairs)


def _affine_test(plan: CurvePlan, parameters: Mapping[str, str]) -> Iterator[str]:
    program = Statements(parameters)
    names: dict[str, Fraction] = {name: (place, None) for name, place in parameters.items()}
    names |= {"x": ("p.X", None), "y": ("p.Y", None)}
    pairs = [equal_sides(equation, program, names) for equation in model_equations(plan)]
    return program.returning(_equal(pairs))


def _point_test(plan: CurvePlan, parameters: Mapping[str, str]) -> Iterator[str]:
    program, own = Statements({}), None
    if shared_numerator(plan):
        own = program.fractions("p", "")
    places = {v: f"p.{v}" for v in plan.kernels.kernels[0].formula.system.variables}
    pairs = [*point_tests(plan, program, {**parameters, **places}, own)]
    return program.returning(_equal(pairs))


def _law(plan: CurvePlan, parameters: Mapping[str, str]) -> Iterator[str]:
    program = Statements({})
    names: dict[str, Fraction] = {name: (place, None) for name, place in parameters.items()}
    names |= program.fractions("p", "1") | program.fractions("q", "2")
    x, y = sum_by_law(plan, program, names)
    return program.returning(f"from_fractions({', '.join((*x, *y))})")


def _at_infinity(plan: CurvePlan) -> Iterator[str]:
    """Yield the lines of a test: y^2 = x^3 for the leading terms, where their denominators are alike."""
    represented, program = plan.representation, Statements({})
    zeros = [f"fe_is_zero(p.{v})" for v in (*represented.denominators, *represented.extra)]
    powers = represented.powers
    if len(represented.denominators) == 1 and 3 * powers[0] != 2 * powers[1]:
        none, some = "XY" if 3 * powers[0] > 2 * powers[1] else "YX"
        lead = [f"fe_is_zero(p.{none})", f"~fe_is_zero(p.{some})"]
    else:
        square = program.call("sqr", "p.Y")
        cube = program.call("mul", program.call("sqr", "p.X"), "p.X")
        lead = [f"fe_equal({square}, {cube})", f"~fe_is_zero({square})"]
    return program.returning(" & ".join([*zeros, *lead]))

"""Equations of a curve as routines: the tests of points, and what a square root is taken of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.language.syntax import Name
from efdgen.generator.planning.equations import Statements
from efdgen.generator.planning.special import shared_numerator
from efdgen.generator.routines.parser import parse

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from efdgen.generator.language.syntax import Equation
    from efdgen.generator.planning.equations import Fraction
    from efdgen.generator.planning.plan import CurvePlan
    from efdgen.generator.planning.quotients import Ratio
    from efdgen.generator.routines.parser import Text

_MOST_SMALL = 8
"""Up to this absolute value a parameter is multiplied by in additions."""


def equation_routines(plan: CurvePlan) -> Text:
    """Return the routines that a curve's equations are."""
    made = _Equations(plan)
    if plan.model == "binary":
        lines = [
            "routine satisfies_equation(p: affine) -> choice:",
            '    """Return whether affine coordinates satisfy the equation of the curve."""',
            *made.affine_test(),
        ]
        return made.parsed(lines)
    lines = [
        "routine affine_is_on_curve(p: affine) -> choice:",
        '    """Return whether affine coordinates are of a point of the curve."""',
        *made.affine_test(),
        "routine satisfies_equations(p: point) -> choice:",
        '    """Return whether coordinates satisfy the equations of the curve and of the system."""',
        *made.point_test(),
    ]
    if shared_numerator(plan):
        lines += [
            "routine add_by_law(p: point, q: point) -> point as r:",
            '    """Return p + q by the affine law on fractions, whose denominators are never 0."""',
            *made.law(),
        ]
    if plan.representation.at_infinity:
        lines += [
            "routine is_at_infinity(p: point) -> choice:",
            '    """Return whether coordinates with a denominator of 0 are of the identity."""',
            *made.at_infinity(),
        ]
    if plan.model == "shortw":
        lines += [
            "routine right_side(x: element) -> element as r:",
            '    """Return x^3 + a*x + b."""',
            *made.right_side(),
        ]
    return made.parsed(lines)


def parameters_read(plan: CurvePlan) -> dict[str, int]:
    """Return the parameters that are constants of the code: in equations, or encodings of Edwards curves."""
    if plan.model == "binary":
        return {**plan.curve.parameters, "c": plan.kernel(plan.roles.double).parameters["c"]}
    read = equation_routines(plan).constants
    encoded = () if plan.model == "shortw" else ("a", "d")
    every = plan.curve.parameters.items()
    return {name: value for name, value in every if name in encoded or f"CURVE_{name.upper()}" in read}


class _Equations:
    """The bodies of the routines, with a curve's parameters as small integers or as constants."""

    def __init__(self, plan: CurvePlan) -> None:
        self._plan, field = plan, plan.curve.field
        self._system = plan.kernels.kernels[0].formula.system
        self._numbers: dict[int, str] = {0: "ZERO", 1: "ONE"}
        self._names: dict[str, Fraction] = {}
        self.constants: dict[str, str] = {}
        for name, value in plan.curve.parameters.items():
            least = field.signed(value)
            constant = f"CURVE_{name.upper()}"
            is_small = abs(least) <= (1 if field.is_binary else _MOST_SMALL)
            self._names[name] = least if is_small else constant, {}
            if not is_small or self._numbers.setdefault(least, constant) == constant:
                self.constants[name] = constant

    def parsed(self, lines: list[str]) -> Text:
        """Return lines as routines, after the constants that they read."""
        text = "\n".join(lines)
        constants = (f"constant {name}: element\n" for name in self.constants.values() if name in text)
        return parse("".join(constants) + text, f"the equations of {self._plan.curve.name}")

    def affine_test(self) -> Iterator[str]:
        """Yield the lines of a test of affine coordinates."""
        program = Statements(self._numbers)
        names: dict[str, Fraction] = {**self._names, "x": ("p.X", {}), "y": ("p.Y", {})}
        return program.returning(
            _equal(program.sides(equation, names) for equation in self._system.model.equations)
        )

    def point_test(self) -> Iterator[str]:
        """Yield the lines of a test of coordinates, for denominators that are not 0."""
        program = Statements(self._numbers)
        names = self._names | {v: (f"p.{v}", {}) for v in self._system.variables}
        if shared_numerator(self._plan):
            names |= self._fractions(program, "p", "")
        else:
            ratios = self._plan.representation.ratios
            names |= {name: _quotient(ratio, program) for name, ratio in ratios.items()}
        equations = (*self._system.model.equations, *self._further_meanings())
        return program.returning(_equal(program.sides(equation, names) for equation in equations))

    def law(self) -> Iterator[str]:
        """Yield the lines of a sum by the affine law."""
        program = Statements(self._numbers)
        names = self._names | self._fractions(program, "p", "1") | self._fractions(program, "q", "2")
        law, places = self._system.model.addition, []
        for coordinate in "xy":
            above, below = program.fraction(law[coordinate], names)
            places += [program.named(above), program.named(program.monomial(below))]
        return program.returning(f"from_fractions({', '.join(places)})")

    def at_infinity(self) -> Iterator[str]:
        """Yield the lines of a test: y^2 = x^3 for the leading terms, where their denominators are alike."""
        represented, program = self._plan.representation, Statements(self._numbers)
        zeros = [f"fe_is_zero(p.{v})" for v in (*represented.denominators, *represented.extra)]
        powers = represented.powers
        if len(represented.denominators) == 1 and 3 * powers[0] != 2 * powers[1]:
            none, some = "XY" if 3 * powers[0] > 2 * powers[1] else "YX"
            lead = [f"fe_is_zero(p.{none})", f"~fe_is_zero(p.{some})"]
        else:
            square, cube = program.named(program.power("p.Y", 2)), program.named(program.power("p.X", 3))
            lead = [f"fe_equal({square}, {cube})", f"~fe_is_zero({square})"]
        return program.returning(" & ".join([*zeros, *lead]))

    def right_side(self) -> Iterator[str]:
        """Yield the lines of x^3 + a*x + b."""
        program = Statements(self._numbers)
        (equation,) = self._system.model.equations
        value, _ = program.fraction(equation.right, {**self._names, "x": ("x", {})})
        return program.returning(program.called("r", program.named(value)))

    def _further_meanings(self) -> list[Equation]:
        """Return what the variables mean that are neither in x nor in y, such as T."""
        return [m for m in self._system.meanings if not isinstance(m.left, Name) or m.left.text not in "xy"]

    def _fractions(self, program: Statements, point: str, number: str) -> dict[str, Fraction]:
        """Append the affine coordinates of a point, and return them by their names, with a number."""
        found: dict[str, Fraction] = {f"{c}{number}": (f"{c}{number}n", {f"{c}{number}d": 1}) for c in "xy"}
        places = [f"{c}{number}{part}" for c in "xy" for part in "nd"]
        program.lines.append(f"let {', '.join(places)} = fractions({point})")
        return found


def _quotient(ratio: Ratio, program: Statements) -> Fraction:
    """Return an affine coordinate of the point p."""
    above = program.product(ratio.factor, f"p.{ratio.numerator}")
    return above, {f"p.{ratio.denominator}": ratio.power} if ratio.denominator else {}


def _equal(pairs: Iterable[tuple[str, str]]) -> str:
    return " & ".join(f"fe_equal({left}, {right})" for left, right in pairs)

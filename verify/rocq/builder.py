"""The making of statements: unique names, inverses in the place of divisions, and affine laws."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from efdgen.generator.errors import EfdgenError
from efdgen.generator.formulas.formula import point_number
from efdgen.generator.formulas.names import fresh_name
from efdgen.generator.language.printer import print_expression
from efdgen.generator.language.syntax import Binary, Equation, Group, Name, Negative, Number, rename
from efdgen.generator.mathematics.primes import prime_factors
from efdgen.verify.rocq.reserved import reserved
from efdgen.verify.rocq.statement import Claim, Line
from efdgen.verify.rocq.terms import ONE, multiplied, names_of, plain, raised, words

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from efdgen.generator.formulas.formula import Model
    from efdgen.generator.language.syntax import Expression

Point = dict[str, str]


class Builder:
    """Lines and claims about points of curves of a model; every method adds to them.

    ``names`` of methods give the meaning of names of the database in the statement.
    """

    def __init__(self, model: Model) -> None:
        self.model = model
        self.lines: list[Line] = []
        self.claims: list[Claim] = []
        self.stage = 0
        self.computed = False
        self._taken = set(reserved())
        self._inverses: dict[Expression, str] = {}
        self._laws: dict[Expression, Point] = {}
        self._comment = ""

    def name(self, wanted: str) -> str:
        """Return a new name in the statement, as close to a name as Rocq allows."""
        base = re.sub(r"\W", "_", wanted)
        found = fresh_name(f"n{base}" if base[0].isdigit() else base, self._taken)
        self._taken.add(found)
        return found

    def _add(self, line: Line) -> None:
        """Add a line, with the comment on a group of lines that it is the first of."""
        comment, self._comment = self._comment, ""
        self.lines.append(replace(line, comment="; ".join(filter(None, (comment, line.comment)))))

    def bind(self, comment: str, names: Sequence[str]) -> None:
        """Introduce names of which nothing is known yet."""
        self._add(Line(comment, tuple(names), stage=self.stage))

    def suppose(self, equation: Equation, comment: str = "", solve: Sequence[str] = ()) -> None:
        """Suppose an equation of known names, without division."""
        self._add(Line(comment, (), equation, tuple(solve), stage=self.stage))

    def require(
        self, equation: Equation, names: Mapping[str, str], solve: Sequence[str], comment: str
    ) -> None:
        """Suppose an equation, multiplied out."""
        crossed, divisors = self.crossed(equation, names), []
        for side in (equation.left, equation.right):
            divisors += _fraction(rename(plain(side), names))[1]
        self._add(Line(comment, (), crossed, tuple(solve), tuple(divisors), self.stage))

    def define(self, name: str, value: Expression, comment: str = "") -> None:
        """Introduce a name for a value."""
        equation = Equation(Name(name), value)
        self._add(Line(comment, (name,), equation, stage=self.stage, computed=self.computed))

    def claim(self, equation: Equation, names: Mapping[str, str], comment: str) -> None:
        """Claim an equation, multiplied out."""
        self.claims.append(Claim(comment, self.crossed(equation, names)))

    def on_curve(self, point: Point, parameters: Mapping[str, str]) -> tuple[Equation, ...]:
        """Return the equations of the curve at a point, multiplied out."""
        return tuple(self.crossed(e, {**parameters, **point}) for e in self.model.equations)

    def undivided(self, expression: Expression, names: Mapping[str, str]) -> Expression:
        """Return an expression in the statement's names; inverses, named before it, replace divisions."""
        return self._undivided(rename(plain(expression), names))

    def _undivided(self, expression: Expression) -> Expression:
        match expression:
            case Negative(inner):
                return Negative(self._undivided(inner))
            case Binary("/", left, right):
                return multiplied((self._undivided(left), self._inverse(self._undivided(right))))
            case Binary("^", base, exponent):
                return Binary("^", self._undivided(base), exponent)
            case Binary(operator, left, right):
                return Binary(operator, self._undivided(left), self._undivided(right))
        return expression

    def _inverse(self, expression: Expression) -> Expression:
        """Return the product of the inverses of an expression's factors."""
        match expression:
            case Number(value):
                return self._inverse_of_number(value)
            case Binary("*", left, right):
                return multiplied((self._inverse(left), self._inverse(right)))
            case Negative(inner):
                return Negative(self._inverse(inner))
            case Binary("^", base, Number(exponent)):
                return raised(self._inverse(base), exponent)
        return Name(self._named_inverse(expression))

    def _inverse_of_number(self, value: int) -> Expression:
        if value == 0 or (self.model.binary and value % 2 == 0):
            raise EfdgenError("a formula divides by zero")
        if self.model.binary:
            return ONE
        return multiplied(
            raised(Name(self._named_inverse(Number(prime))), power) for prime, power in prime_factors(value)
        )

    def _named_inverse(self, expression: Expression) -> str:
        if expression not in self._inverses:
            stem = print_expression(expression) if isinstance(expression, Name | Number) else "1"
            name = self.name(f"inv_{stem}")
            self._inverses[expression] = name
            self._add(inverse_line(name, expression, self.stage, f"{words(expression)} is invertible"))
        return self._inverses[expression]

    def crossed(self, equation: Equation, names: Mapping[str, str]) -> Equation:
        """Return an equation without division: each side is multiplied by the other's denominator."""
        (left, under_left), (right, under_right) = (
            _fraction(rename(plain(side), names)) for side in (equation.left, equation.right)
        )
        for divisor in [d for d in under_left if d in under_right]:
            under_left.remove(divisor)
            under_right.remove(divisor)
        return Equation(multiplied((left, *under_right)), multiplied((right, *under_left)))

    def law(
        self, law: Expression, points: Mapping[int, Point], parameters: Mapping[str, str], wanted: str
    ) -> Point:
        """Return the coordinates of a group expression, each defined once; names end as ``wanted``."""
        match law:
            case Name():
                return points[point_number(law)]
            case Group(inner) | Binary("*", Number(1), inner):
                return self.law(inner, points, parameters, wanted)
            case Binary("-", left, right):
                return self.law(Binary("+", left, Negative(right)), points, parameters, wanted)
        if law not in self._laws:
            terms, values = self._terms(law)
            operands = [self.law(term, points, parameters, "q") for term in terms]
            named = {**parameters}
            for number, operand in enumerate(operands, start=1):
                named |= {f"{coordinate}{number}": name for coordinate, name in operand.items()}
            comment = f"the group law: {print_expression(law)}"
            self._laws[law] = self.define_all(values, named, comment, wanted)
        return self._laws[law]

    def _terms(self, law: Expression) -> tuple[tuple[Expression, ...], Mapping[str, Expression]]:
        """Return the operands of a group expression, and the affine law that it uses."""
        match law:
            case Negative(inner):
                return (inner,), self.model.negation
            case Binary("+", left, right):
                return (left, right), self.model.addition
            case Binary("*", Number(factor), right) if factor % 2:
                return (Binary("*", Number(factor - 1), right), right), self.model.addition
            case Binary("*", Number(factor), right):
                return (Binary("*", Number(factor // 2), right),), self.model.doubling
        raise ValueError(f"not a group expression: {law}")

    def define_all(
        self, values: Mapping[str, Expression], names: Mapping[str, str], comment: str, suffix: str
    ) -> Point:
        """Define a name for each of some values, such as the coordinates of a point."""
        found: Point = {}
        self._comment = comment
        for coordinate, value in values.items():
            undivided = self.undivided(value, names)
            found[coordinate] = self.name(f"{coordinate}{suffix}")
            self.define(found[coordinate], undivided)
        return found


def inverse_line(name: str, expression: Expression, stage: int = 0, comment: str = "") -> Line:
    """Return the line that makes a name the inverse of an expression, which is hence invertible."""
    return Line(comment, (name,), Equation(Binary("*", Name(name), expression), ONE), stage=stage)


def inverted(line: Line) -> Expression | None:
    """Return the expression whose inverse a line introduces, if it does."""
    match line:
        case Line(names=(name,), equation=Equation(Binary("*", Name(text), inner), Number(1))) if (
            name == text
        ):
            return inner
    return None


def defined(line: Line) -> str | None:
    """Return the name that a line introduces for a value, if it does."""
    match line:
        case Line(names=(name,), equation=Equation(Name(text), value)) if name == text:
            return None if name in names_of(value) else name
    return None


def _fraction(expression: Expression) -> tuple[Expression, list[Expression]]:
    """Return a numerator, and the factors of the denominator."""
    match expression:
        case Negative(inner):
            numerator, under = _fraction(inner)
            return Negative(numerator), under
        case Binary("^", base, Number(exponent)):
            numerator, under = _fraction(base)
            return raised(numerator, exponent), under * exponent
        case Binary(operator, left, right):
            (a, under_a), (b, under_b) = _fraction(left), _fraction(right)
            match operator:
                case "*":
                    return multiplied((a, b)), under_a + under_b
                case "/":
                    return multiplied((a, *under_b)), [*under_a, *(() if b == ONE else (b,))]
            if under_a == under_b:
                return Binary(operator, a, b), under_a
            return Binary(operator, multiplied((a, *under_b)), multiplied((b, *under_a))), under_a + under_b
    return expression, []

"""The proof of a statement: steps that compute every name as a fraction, and cofactors for every claim.

Python finds the steps, without any search: equations are solved for names in which they are linear, others
are relations with a Gröbner basis, and claims are divided by it. Rocq computes the same numerators again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.errors import EfdgenError
from efdgen.generator.language.syntax import Equation, Name
from efdgen.generator.mathematics.primes import prime_factors
from efdgen.verify.rocq.builder import defined, inverse_line, inverted
from efdgen.verify.rocq.fractions import Fraction, Fractions, trimmed
from efdgen.verify.rocq.relations import Relations, UnsupportedError
from efdgen.verify.rocq.statement import Statement
from efdgen.verify.rocq.steps import (
    Conclude,
    Define,
    Forget,
    Invert,
    Reason,
    Shorter,
    Solve,
)
from efdgen.verify.rocq.terms import words

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from efdgen.generator.language.syntax import Expression
    from efdgen.verify.rocq.statement import Line
    from efdgen.verify.rocq.steps import Exponents, Polynomial, Step


class RefusedError(EfdgenError):
    """A claim is false, or hypotheses contradict each other."""


class Prover:
    """The state of a proof after some lines of a statement."""

    def __init__(self, statement: Statement, *, unchecked: bool, blocks: bool) -> None:
        self.statement, self.unchecked = statement, unchecked
        self.spare = [f"spare {n}" for n in range(sum(len(stage.point) + 1 for stage in statement.stages))]
        names, parameters = _generators(statement, self.spare), len(statement.parameters)
        self.fractions = Fractions(names, parameters, binary=statement.binary, blocks=blocks)
        self.steps: list[Step] = []
        self.extra: list[Line] = []
        self.divisors: list[Polynomial] = []
        self.relations = Relations(self.fractions, self.steps)
        self._origin: dict[str, int] = {}  # the equation that gave a name its value
        self._equations: list[Equation] = list(statement.equations)
        self.concluded: list[Equation] = []

    # Lines of the statement

    def follow(self, lines: Iterable[tuple[int, Line]]) -> None:
        """Use the equations of some lines, which come with their numbers."""
        for number, line in lines:
            if line.equation is None:
                continue
            if name := defined(line):
                self.define(number, name, line.equation.right, flipped=False)
            elif (inner := inverted(line)) is not None:
                self.invert(number, line.names[0], inner)
            else:
                self.require(number, line.equation, line.solve, line.divisors)

    def equation(self, number: int) -> Equation:
        """Return a hypothesis by its number; conclusions have negative ones."""
        return self.concluded[-1 - number] if number < 0 else self._equations[number]

    def define(self, number: int, name: str, value: Expression, *, flipped: bool) -> None:
        """Give a name the value of an expression."""
        found, shorter = self.relations.shortened(self.fractions.evaluate(value))
        self.steps.append(Define(number, flipped, shorter))
        self._know(name, found, number)

    def _know(self, name: str, value: Fraction, number: int) -> None:
        self.fractions.values[name] = value
        self._origin[name] = number

    def invert(self, number: int, name: str, inner: Expression) -> None:
        """Make the numerator of an expression a unit, and give its inverse a value."""
        fractions = self.fractions
        exponents, numerator = fractions.evaluate(inner)
        if numerator == 0:
            raise RefusedError(f"{words(inner)[:60]} is 0, and divided by")
        negative, powers, quotients = self._split(numerator)
        inverse = fractions.product(exponents) * (-1 if negative else 1)
        found, shorter = self.relations.shortened(Fraction(powers, inverse))
        self.steps.append(Invert(number, tuple(quotients), powers, negative, shorter))
        self._know(name, found, number)

    def _split(self, numerator: Polynomial) -> tuple[bool, Exponents, list[Polynomial]]:
        """Return sign and exponents of a polynomial; its new factors become bases, with their quotients."""
        bases, quotients, powers = self.fractions.bases, [], {}
        number, factors = self.fractions.factors(numerator)
        for prime, power in prime_factors(abs(number)):
            factors.append((self.fractions.ring(prime), power))
        for factor, power in factors:
            if factor not in bases:
                bases.append(factor)
                quotients.append(numerator / factor if factor.is_constant() else numerator // factor)
            powers[bases.index(factor)] = power
        exponents = trimmed([powers.get(place, 0) for place in range(len(bases))])
        return number < 0, exponents, quotients

    def require(
        self, number: int, equation: Equation, solve: Sequence[str], divisors: Sequence[Expression] = ()
    ) -> None:
        """Use an equation: it defines a name, or is solved for one, or becomes a relation."""
        for flipped in (True, False):
            side, other = (equation.right, equation.left) if flipped else (equation.left, equation.right)
            if isinstance(side, Name) and side.text in solve and self._is_unused(side.text, other):
                self.define(number, side.text, other, flipped=flipped)
                return
        fraction = self.fractions.difference(equation.left, equation.right)
        _, polynomial = self.fractions.everywhere(fraction.numerator)
        if polynomial == 0:
            return
        for divisor in divisors:
            common = self.fractions.evaluate(divisor).numerator.gcd(polynomial)
            for factor, _ in self.fractions.factors(common)[1]:
                if factor not in self.fractions.bases:
                    self.ask(factor)
                _, polynomial = self.fractions.everywhere(fraction.numerator)
        if polynomial.is_constant():
            raise RefusedError("the assumptions contradict each other")
        if not self._solve(number, fraction.numerator, polynomial, solve):
            self.relations.add(number, fraction.numerator)

    def _is_unused(self, name: str, other: Expression) -> bool:
        """Return whether a name is free, and no value nor another expression holds it."""
        fractions = self.fractions
        if name in self._origin:
            return False
        generator = fractions.generator(name)
        value = fractions.evaluate(other)
        return not self._holding(generator, name) and not _holds(value.numerator, generator)

    def _holding(self, generator: Polynomial, name: str) -> list[str]:
        """Return the names whose values hold a generator, except the name itself."""
        if any(_holds(base, generator) for base in self.fractions.bases):
            return ["a divisor"]
        found = [n for n, v in self.fractions.values.items() if n != name and _holds(v.numerator, generator)]
        return found + [
            "a relation" for relation in self.relations.polynomials if _holds(relation, generator)
        ]

    def _solve(self, number: int, whole: Polynomial, polynomial: Polynomial, solve: Sequence[str]) -> bool:
        """Solve a polynomial for one of the free names in which it is linear; prefer to divide by numbers."""
        options = []
        for place, name in enumerate(solve):
            if name in self._origin:
                continue
            generator = self.fractions.generator(name)
            if polynomial.degree(generator) != 1:
                continue
            slope = polynomial.coefficient({generator: 1})
            rest = polynomial - slope * generator
            if rest != 0 and not slope.is_constant() and not slope.gcd(rest).is_constant():
                continue
            unknown = self._unknown_factors(slope)
            used = bool(self._holding(generator, name))
            options.append((not slope.is_constant(), len(unknown), used, place, name, unknown))
        if not options:
            return False
        *_, name, unknown = min(options, key=lambda option: option[:4])
        for factor in unknown:
            self.ask(factor)
        self._solved(number, name, whole)
        return True

    def _unknown_factors(self, slope: Polynomial) -> list[Polynomial]:
        number, factors = self.fractions.factors(slope)
        primes = [self.fractions.ring(prime) for prime, _ in prime_factors(abs(number))]
        return [
            factor for factor in (*primes, *(f for f, _ in factors)) if factor not in self.fractions.bases
        ]

    def _solved(self, number: int, name: str, whole: Polynomial) -> None:
        """Solve a polynomial for a name whose slope is a product of bases; what holds it gets new values."""
        fractions, generator = self.fractions, self.fractions.generator(name)
        cancelled, polynomial = fractions.everywhere(whole)
        slope = polynomial.coefficient({generator: 1})
        rest = polynomial - slope * generator
        negative, exponents, _ = self._split(slope)
        numerator = rest if negative else -rest
        self.steps.append(Solve(number, name, exponents, negative, Shorter(cancelled, numerator, ())))
        again = self._holding(generator, name)
        if "a divisor" in again:
            raise UnsupportedError(f"{name} is solved for after it was divided by")
        self._know(name, Fraction(exponents, numerator), number)
        self._again(again)
        for related in self.relations.remove(lambda relation: _holds(relation, generator)):
            equation = self.equation(related)
            numerator = self.fractions.difference(equation.left, equation.right).numerator
            if numerator != 0:
                self.relations.add(related, numerator)

    def _again(self, names: Sequence[str]) -> None:
        """Compute values again that hold a name which has got a value."""
        for name in (name for name in names if name in self._origin):
            number = self._origin[name]
            equation = self.equation(number)
            if equation.left == Name(name):
                self.define(number, name, equation.right, flipped=False)
            elif equation.right == Name(name):
                self.define(number, name, equation.left, flipped=True)
            else:
                self._free(name)
                self._solved(number, name, self.fractions.difference(equation.left, equation.right).numerator)

    def ask(self, divisor: Polynomial) -> None:
        """Suppose that a polynomial is invertible."""
        name = f"inverse_{len(self.extra) + 1}"
        comment = "" if self.extra else "what else has to be invertible"
        line = inverse_line(name, self.fractions.expression(divisor), comment=comment)
        self.extra.append(line)
        self.divisors.append(divisor)
        assert line.equation is not None
        self._equations.append(line.equation)
        self.invert(len(self._equations) - 1, name, self.fractions.expression(divisor))

    def _free(self, name: str) -> None:
        """Know nothing more of a name."""
        self.fractions.values[name] = Fraction((), self.fractions.generator(name))
        self._origin.pop(name)
        self.steps.append(Forget(name))

    def forget(self, name: str) -> None:
        """Know nothing more of a name, which takes the place of a spare one, nor old relations."""
        fractions = self.fractions
        fractions.names[fractions.names.index(self.spare.pop(0))] = name
        self._free(name)
        parameters = {fractions.generator(p) for p in self.statement.parameters}
        self.relations.remove(lambda relation: not parameters.issuperset(relation.variables()))

    # Claims

    def conclude(self, equation: Equation, what: str) -> Reason:
        """Return the reason of an equation; raise :class:`RefusedError` where it is false."""
        numerator = self.fractions.difference(equation.left, equation.right).numerator
        if numerator == 0:
            return Reason()
        if self.relations.normal(numerator) == 0:
            return self.relations.reason(numerator, what)
        if not self.unchecked:
            raise RefusedError(f"false: {what}")
        return Reason()

    def lemma(self, equation: Equation, what: str) -> int:
        """Prove an equation on the way, and return its number."""
        self.steps.append(Conclude(equation, self.conclude(equation, what)))
        self.concluded.append(equation)
        return -len(self.concluded)


def _generators(statement: Statement, spare: Sequence[str]) -> list[str]:
    """Return the names that no line defines: what comes in, points, spare ones, and parameters last."""
    free = [
        [name for name in line.names if defined(line) is None and inverted(line) is None]
        for line in statement.lines
    ]
    ordered = [name for names in free[::-1] for name in names if name not in statement.parameters]
    return [*ordered, *spare, *statement.parameters]


def _holds(polynomial: Polynomial, generator: Polynomial) -> bool:
    return bool(polynomial.degree(generator) > 0)

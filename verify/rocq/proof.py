"""The proof of a statement: steps that compute every name as a fraction, and cofactors for every claim.

Python finds the steps, without any search: equations are solved for names in which they are linear, others
are relations with a Gröbner basis, and claims are divided by it. Rocq computes the same numerators again.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from efdgen.generator.errors import EfdgenError
from efdgen.generator.language.syntax import Equation, Name
from efdgen.verify.rocq.builder import defined, inverse_line, inverted
from efdgen.verify.rocq.fractions import Fraction, Fractions, missing, trimmed
from efdgen.verify.rocq.statement import Statement
from efdgen.verify.rocq.steps import (
    Combine,
    Conclude,
    Define,
    Forget,
    Invert,
    Reason,
    Relate,
    Rule,
    Shorter,
    Solve,
)
from efdgen.verify.rocq.terms import words

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from efdgen.generator.language.syntax import Expression
    from efdgen.verify.rocq.statement import Line
    from efdgen.verify.rocq.steps import Cofactors, Exponents, Polynomial, Step

_FEW_TERMS = 24
"""Up to this number of terms, cofactors of a claim are written down; beyond it Rocq divides."""


class RefusedError(EfdgenError):
    """A claim is false, or hypotheses contradict each other."""


class UnsupportedError(EfdgenError):
    """A statement whose proof needs more than certificates can say."""


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
        self.zeros: list[Polynomial] = []  # as the checker counts them
        self.relations: list[int] = []  # those of the zeros that count now
        self._basis: list[int] | None = []
        self._origin: dict[str, int] = {}  # the equation that gave a name its value
        self._related: dict[int, int] = {}  # the equation that made a polynomial 0
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
        found, shorter = self.shortened(self.fractions.evaluate(value))
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
        found, shorter = self.shortened(Fraction(powers, inverse))
        self.steps.append(Invert(number, tuple(quotients), powers, negative, shorter))
        self._know(name, found, number)

    def _split(self, numerator: Polynomial) -> tuple[bool, Exponents, list[Polynomial]]:
        """Return sign and exponents of a polynomial; its new factors become bases, with their quotients."""
        bases, quotients, powers = self.fractions.bases, [], {}
        number, factors = self.fractions.factors(numerator)
        for prime, power in _prime_factors(abs(number)):
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
            self._relate(number, fraction.numerator)

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
        return found + ["a relation" for i in self.relations if _holds(self.zeros[i], generator)]

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
        primes = [self.fractions.ring(prime) for prime, _ in _prime_factors(abs(number))]
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
        for place in [i for i in self.relations if _holds(self.zeros[i], generator)]:
            self.relations.remove(place)
            equation = self.equation(self._related[place])
            numerator = self.fractions.difference(equation.left, equation.right).numerator
            if numerator != 0:
                self._relate(self._related[place], numerator)

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

    def _relate(self, number: int, numerator: Polynomial) -> None:
        """Keep an equation as a relation."""
        cancelled, shorter = self.fractions.everywhere(numerator)
        self.steps.append(Relate(number, Shorter(cancelled, shorter, ()) if cancelled else None))
        self._related[len(self.zeros)] = number
        self.relations.append(len(self.zeros))
        self.zeros.append(shorter)
        self._basis = None

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
        self.relations = [i for i in self.relations if parameters.issuperset(self.zeros[i].variables())]
        self._basis = None

    def normal(self, polynomial: Polynomial) -> Polynomial:
        """Return the remainder of a polynomial by the relations."""
        basis = self.basis()
        return polynomial.reduce([self.zeros[i] for i in basis]) if basis else polynomial

    # Division by the relations

    def basis(self) -> list[int]:
        """Return a Gröbner basis of the relations, by the numbers of polynomials that are 0."""
        if self._basis is None:
            relations = [self.zeros[i] for i in self.relations]
            ideal = self.fractions.ring.ideal(relations)
            leading = [relation.lm() for relation in relations]
            if all(a.gcd(b) == 1 for a, b in combinations(leading, 2)):
                self._basis = list(self.relations)
            else:
                self._basis = [self._element(p, ideal) for p in ideal.groebner_basis()]
        return self._basis

    def _element(self, polynomial: Polynomial, ideal: object) -> int:
        """Return the number of an element of the basis, which is combined where it is not a relation."""
        if not self.statement.binary:
            polynomial *= polynomial.denominator()
        for number in self.relations:
            if self.zeros[number] in (polynomial, -polynomial):
                return number
        cofactors = polynomial.lift(ideal)
        common = 1
        for cofactor in cofactors if not self.statement.binary else ():
            common = cofactor.denominator().lcm(common)
        pairs = zip(self.relations, cofactors, strict=True)
        self.steps.append(Combine(tuple((i, q * common) for i, q in pairs if q != 0)))
        self.zeros.append(polynomial * common)
        return len(self.zeros) - 1

    def shortened(self, value: Fraction) -> tuple[Fraction, Shorter | None]:
        """Cancel bases in a fraction, and take the remainder by the relations where that is much shorter."""
        fractions = self.fractions
        cancelled, numerator = fractions.cancelled(value.exponents, value.numerator)
        remainder, cofactors = self._reduced(numerator)
        if not cancelled and not cofactors:
            return value, None
        outer = fractions.product(cancelled)
        shorter = Shorter(cancelled, remainder, tuple((i, q * outer) for i, q in cofactors))
        exponents = trimmed(missing(cancelled, value.exponents))
        return Fraction(exponents, remainder), shorter

    def _reduced(self, numerator: Polynomial) -> tuple[Polynomial, Cofactors]:
        basis = self.basis()
        if not basis:
            return numerator, ()
        held = {v for i in basis for v in self.zeros[i].variables()}
        if held.isdisjoint(numerator.variables()):
            return numerator, ()
        remainder = numerator.reduce([self.zeros[i] for i in basis])
        integral = self.statement.binary or remainder.denominator() == 1
        if not integral or 3 * remainder.number_of_terms() > 2 * numerator.number_of_terms():
            return numerator, ()
        cofactors = self._cofactors(numerator - remainder)
        return (numerator, ()) if cofactors is None else (remainder, cofactors)

    def _cofactors(self, rest: Polynomial) -> Cofactors | None:
        """Return cofactors of a polynomial in the ideal; None if they are not integral."""
        found = self._rational_cofactors(rest)
        integral = self.statement.binary or all(q.denominator() == 1 for q in found.values())
        return tuple(found.items()) if integral else None

    def _rational_cofactors(self, rest: Polynomial) -> dict[int, Polynomial]:
        """Return cofactors of a polynomial in the ideal, by the numbers of polynomials that are 0."""
        found: dict[int, Polynomial] = {}
        while rest != 0:
            for number in self.basis():
                remainder = rest.reduce([self.zeros[number]])
                if remainder != rest:
                    quotient = (rest - remainder) // self.zeros[number]
                    found[number] = found.get(number, 0) + quotient
                    rest = remainder
        return {number: q for number, q in found.items() if q != 0}

    # Claims

    def conclude(self, equation: Equation, what: str) -> Reason:
        """Return the reason of an equation; raise :class:`RefusedError` where it is false."""
        numerator = self.fractions.difference(equation.left, equation.right).numerator
        if numerator == 0:
            return Reason()
        if self.normal(numerator) == 0:
            cofactors = self._rational_cofactors(numerator)
            terms = sum(cofactor.number_of_terms() for cofactor in cofactors.values())
            rules = self._rules() if terms > _FEW_TERMS else ()
            return Reason(rules=rules) if rules else self._reason(cofactors, what)
        if not self.unchecked:
            raise RefusedError(f"false: {what}")
        return Reason()

    def _rules(self) -> tuple[Rule, ...]:
        """Return the basis as rules; nothing if a leading coefficient is not 1 or -1."""
        found = []
        for number in self.basis():
            polynomial = self.zeros[number]
            if polynomial.lc() not in (1, -1):
                return ()
            found.append(Rule(number, bool(polynomial.lc() != 1), polynomial.lm()))
        return tuple(found)

    def _reason(self, cofactors: dict[int, Polynomial], what: str) -> Reason:
        """Return a reason with integer coefficients: denominators have to be units."""
        common = 1
        for cofactor in () if self.statement.binary else cofactors.values():
            common = cofactor.denominator().lcm(common)
        bases, powers = self.fractions.bases, dict[int, int]()
        for prime, power in _prime_factors(int(common)):
            if self.fractions.ring(prime) not in bases:
                raise UnsupportedError(f"the proof divides by {prime}: {what}")
            powers[bases.index(self.fractions.ring(prime))] = power
        multiplied = trimmed([powers.get(place, 0) for place in range(len(bases))])
        multiples = tuple((number, q * common) for number, q in cofactors.items())
        return Reason(multiplied, (), multiples)

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


def _prime_factors(number: int) -> list[tuple[int, int]]:
    from sage.arith.misc import factor

    return [(int(prime), int(power)) for prime, power in factor(number)] if number > 1 else []

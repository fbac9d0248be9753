"""The proof of a statement from its lines to its claims."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from efdgen.generator.language.syntax import Equation, Name
from efdgen.verify.rocq.cuts import follow_in_stages
from efdgen.verify.rocq.fractions import polynomial_expression
from efdgen.verify.rocq.proof import Prover, RefusedError
from efdgen.verify.rocq.relations import UnsupportedError
from efdgen.verify.rocq.statement import Claim
from efdgen.verify.rocq.steps import Conclude
from efdgen.verify.rocq.terms import multiplied, raised

if TYPE_CHECKING:
    from collections.abc import Iterator

    from efdgen.generator.language.syntax import Expression
    from efdgen.verify.rocq.statement import Statement
    from efdgen.verify.rocq.steps import Polynomial, Reason, Step

_LONGEST = 60
"""Most terms of a denominator whose factored form a reader can use."""


@dataclass(frozen=True)
class Proof:
    """A statement, complete with what the proof divides by, and the data of its certificate.

    ``generators`` are the names of the polynomials' variables; those that are not the statement's are not
    used. ``reasons`` are those of the claims. ``divisors`` are what else has to be invertible.
    """

    statement: Statement
    generators: tuple[str, ...]
    bases: tuple[Polynomial, ...]
    steps: tuple[Step, ...]
    reasons: tuple[Reason, ...]
    divisors: tuple[Expression, ...]

    def equation(self, number: int) -> Equation:
        """Return a hypothesis by its number, or a conclusion on the way by -1, -2 and so on."""
        if number >= 0:
            return self.statement.equations[number]
        return [step.equation for step in self.steps if isinstance(step, Conclude)][-1 - number]

    def expression(self, polynomial: Polynomial) -> Expression:
        """Return a polynomial as an expression in the statement's names."""
        return polynomial_expression(polynomial, self.generators)


def prove(statement: Statement, *, unchecked: bool = False) -> Proof:
    """Prove a statement; where ``unchecked``, write what Rocq will refuse.

    Raises :class:`RefusedError` for a false claim, and :class:`UnsupportedError`.
    """
    try:
        return _prove(statement, unchecked=unchecked, blocks=False)
    except UnsupportedError:
        # Relations are monic then where the curve equation is, whatever its parameters are.
        return _prove(statement, unchecked=unchecked, blocks=True)


def _prove(statement: Statement, *, unchecked: bool, blocks: bool) -> Proof:
    prover = Prover(statement, unchecked=unchecked, blocks=blocks)
    lines, number = [], 0
    for line in statement.lines:
        lines.append((number, line))
        number += line.equation is not None
    follow_in_stages(prover, lines)
    claims = (*statement.claims, *_denominators(prover), *_scaled(prover))
    reasons = tuple(prover.conclude(claim.equation, claim.comment) for claim in claims)
    complete = replace(statement, lines=(*statement.lines, *prover.extra), claims=claims)
    return Proof(
        complete,
        tuple(prover.fractions.names),
        tuple(prover.fractions.bases),
        tuple(prover.steps),
        reasons,
        tuple(map(prover.fractions.expression, prover.divisors)),
    )


def _denominators(prover: Prover) -> Iterator[Claim]:
    """Yield the factors of the denominators of outputs: where one is 0, the output represents no point."""
    fractions, claimed = prover.fractions, {c.equation.left for c in prover.statement.claims}
    for name in prover.statement.denominators:
        exponents, numerator = fractions.values[name]
        if prover.relations.normal(numerator) == 0 and not prover.unchecked:
            raise RefusedError(f"{name} is 0: the output represents no point")
        short = not numerator.is_constant() and numerator.number_of_terms() <= _LONGEST
        if short and Name(name) not in claimed:
            bases = zip(fractions.bases, exponents, strict=False)
            under = [raised(fractions.expression(base), exponent) for base, exponent in bases]
            equation = Equation(multiplied((*under, Name(name))), fractions.factored(numerator))
            yield Claim(f"the factors of {name}: where one is 0, the output is no point", equation, True)


def _scaled(prover: Prover) -> Iterator[Claim]:
    """Yield the values of scaled outputs, in the coordinates of points and parameters alone."""
    fractions, statement = prover.fractions, prover.statement
    free = {
        fractions.generator(name): 1
        for name in statement.inputs
        if name in fractions.names and fractions.values[name].numerator == fractions.generator(name)
    }
    for name in statement.scaled:
        exponents, numerator = fractions.values[name]
        bases = zip(fractions.bases, exponents, strict=False)
        under = multiplied(
            raised(fractions.expression(fixed), exponent)
            for base, exponent in bases
            if (fixed := base.subs(free)) != 1
        )
        equation = Equation(multiplied((under, Name(name))), fractions.expression(numerator.subs(free)))
        yield Claim(f"{name} depends on the point alone", equation, True)

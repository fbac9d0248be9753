"""Many doublings in a row, proved one after another.

Once later steps read nothing but monomials in the affine coordinates of 2*P, a parameter and a scale, these
monomials are concluded, 2*P is shown to be on the curve, and its coordinates and the scale become names
of which nothing else is known: the next doubling is then no larger than the first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.language.syntax import Equation, Name, Negative, Number
from efdgen.verify.rocq.builder import defined
from efdgen.verify.rocq.terms import multiplied, names_of, raised

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from efdgen.generator.language.syntax import Expression
    from efdgen.verify.rocq.proof import Prover
    from efdgen.verify.rocq.statement import Line, Stage
    from efdgen.verify.rocq.steps import Polynomial

_HIGHEST = 4
"""The highest power of the scale in a value that is carried along."""


def follow_in_stages(prover: Prover, lines: Sequence[tuple[int, Line]]) -> None:
    """Follow the program, and cut it where the point of a stage is all that is needed."""
    later = [(number, line) for number, line in lines if line.stage]
    program = [(number, line) for number, line in lines if not line.stage]
    stages = list(enumerate(prover.statement.stages))
    for place, (number, line) in enumerate(program):
        prover.follow([(number, line)])
        if not stages or not line.computed:
            continue
        needed = _needed(prover, [later_line for _, later_line in program[place + 1 :]])
        if _cut(prover, stages[0][1], needed):
            done = stages.pop(0)[0]
            prover.follow([(n, each) for n, each in later if each.stage == done + 1])
    for stage, _ in stages:
        prover.follow([(n, each) for n, each in later if each.stage == stage + 1])


def _needed(prover: Prover, rest: Sequence[Line]) -> list[str]:
    """Return what later steps and claims read of the known values."""
    statement = prover.statement
    sides = [side for line in rest if line.equation for side in (line.equation.left, line.equation.right)]
    sides += [side for c in statement.claims for side in (c.equation.left, c.equation.right)]
    known = {line.names[0] for line in statement.lines if line.computed and defined(line)} | {
        *statement.inputs
    }
    return sorted(names_of(*sides) & known & prover.fractions.values.keys())


def _cut(prover: Prover, stage: Stage, needed: Sequence[str]) -> bool:
    """Forget how the needed values were computed, where they are monomials; return whether they are."""
    fractions, statement = prover.fractions, prover.statement
    if not needed or {*needed} & {*statement.inputs} or any(fractions.values[n].exponents for n in needed):
        return False
    found = next(filter(None, (_monomials(prover, stage, needed, scale) for scale in needed)), None)
    if found is None:
        return False
    scale, monomials = found
    numbers = {
        name: prover.lemma(Equation(Name(name), value), f"{name} on the way")
        for name, value in monomials.items()
    }
    curve = [prover.lemma(equation, "a point on the way is on the curve") for equation in stage.equations]
    for name in (*stage.point.values(), scale):
        prover.forget(name)
    for number in curve:
        prover.require(number, prover.equation(number), ())
    for name, number in numbers.items():
        prover.define(number, name, monomials[name], flipped=False)
    return True


def _monomials(
    prover: Prover, stage: Stage, needed: Sequence[str], scale: str
) -> tuple[str, dict[str, Expression]] | None:
    """Return the needed values but the scale as monomials; None if one is not a monomial."""
    found = {}
    for name in needed:
        if name != scale:
            monomial = next(_as_monomial(prover, stage, name, scale), None)
            if monomial is None:
                return None
            found[name] = monomial
    return scale, found


def _as_monomial(prover: Prover, stage: Stage, name: str, scale: str) -> Iterator[Expression]:
    """Yield forms c * coordinates or a parameter * a power of the scale that a value has."""
    fractions, coordinates = prover.fractions, list(stage.point.values())
    shapes = [[], *([c] for c in coordinates), coordinates, *([p] for p in prover.statement.parameters)]
    for shape in shapes:
        product = fractions.evaluate(multiplied(map(Name, shape)))
        left = prover.relations.normal(
            fractions.values[name].numerator * fractions.product(product.exponents)
        )
        for power in range(_HIGHEST + 1):
            right = prover.relations.normal(product.numerator * fractions.values[scale].numerator ** power)
            factor = _ratio(left, right)
            if factor:
                value = multiplied((Number(abs(factor)), *map(Name, shape), raised(Name(scale), power)))
                yield value if factor > 0 else Negative(value)


def _ratio(left: Polynomial, right: Polynomial) -> int:
    """Return the integer by which two polynomials differ; or 0."""
    if 0 in (left, right) or left.lm() != right.lm():
        return 0
    factor = left.lc() / right.lc()
    return int(factor) if factor.denominator() == 1 and left == factor * right else 0

"""Witnesses that statements are not empty: values of all names for which everything holds that is supposed.

The text of a statement is read, and evaluated at random points of a random curve modulo a prime of 61 bits,
or over a tiny field of characteristic 2. The points, their representatives and the expected outputs come from
the affine law in integers, and each step of the program is compared with the formula's own: the statement
that was read is about this formula.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain, islice
from random import Random
from typing import TYPE_CHECKING, TypeAlias

from efdgen.generator.curves.affine import Undefined
from efdgen.generator.curves.instantiate import NotApplicable, find_curve, suitable_prime
from efdgen.generator.errors import EfdgenError
from efdgen.generator.language.printer import print_equation
from efdgen.generator.language.syntax import Binary, Equation, Name, Number
from efdgen.generator.mathematics.prime import PrimeField
from efdgen.generator.programs.interpreter import evaluate
from efdgen.generator.programs.lower import lower
from efdgen.verify.curve_trial import CurveTrial
from efdgen.verify.exceptions.fields import large_primes, seed
from efdgen.verify.exceptions.laboratory import Laboratory
from efdgen.verify.refutation.binary import binary_cases
from efdgen.verify.rocq.terms import ZERO, names_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from efdgen.generator.curves.affine import Point
    from efdgen.generator.formulas.formula import Formula
    from efdgen.generator.language.syntax import Assignment, Expression
    from efdgen.generator.programs.interpreter import Field
    from efdgen.verify.rocq.reader import ReadStatement
    from efdgen.verify.rocq.statement import Statement

Curve: TypeAlias = "tuple[int, Mapping[str, int]]"  # a prime, and the values of all parameters

BITS = 61
_PRIMES = 32
_TRIALS = 400


@cache
def _laboratory() -> Laboratory:
    """Return the tiny curves that all formulas share."""
    return Laboratory()


@dataclass(frozen=True)
class Trial:
    """One choice of inputs: values of the formula's names, and the expected outputs."""

    field: Field[int]
    called: str
    names: Mapping[str, int]
    points: Mapping[int, Point]
    expected: Mapping[int, Point]


def witness(
    formula: Formula,
    statement: Statement,
    read: ReadStatement,
    program: tuple[Assignment, ...],
    zeros: Sequence[Expression] = (),
    *,
    curve: Curve | None = None,
    claims: bool = True,
) -> str:
    """Return the values of a witness, in words; raise :class:`EfdgenError` without one.

    ``program`` are the steps that the statement is about, in the formula's names, ``zeros`` what is 0 in its
    case; the ``claims`` have to hold too, unless a false formula is certified on purpose. The points are on a
    ``curve`` if one is given.
    """
    reason = "no inputs were found"
    known = {*formula.all_parameters, *formula.input_coordinates, *formula.scalar_inputs}
    chosen = tuple(Equation(zero, ZERO) for zero in zeros if names_of(zero) <= known)
    sampled = replace(formula, assumptions=(*formula.assumptions, *chosen))
    for trial in islice(trials(sampled, curve), _TRIALS):
        try:
            values = values_of(read, trial.field, known_values(formula, statement, trial))
        except ZeroDivisionError:
            reason = "a divisor is 0"
            continue
        except EfdgenError as error:
            reason = str(error)
            continue
        if any(values[name] == 0 for name in statement.denominators):
            reason = "an output represents no point"
            continue
        if claims:
            require_claims(read, trial.field, values)
        _require_formula(formula, statement, program, trial, values)
        if output := _unclaimed(formula, statement, read, trial.field, values):
            reason = f"nothing is claimed about {output}"
            continue
        return f"{trial.called}, {chosen_values(statement, read, values)}"
    raise EfdgenError(f"{formula.id}: no witness that the certificate's hypotheses can hold: {reason}")


def chosen_values(statement: Statement, read: ReadStatement, values: Mapping[str, int]) -> str:
    """Return the values of what comes in, in words."""
    named = set(statement.called.values())
    return ", ".join(f"{name} = {values[name]}" for name in read.names if name in named)


def trials(formula: Formula, curve: Curve | None = None) -> Iterator[Trial]:
    """Yield inputs of a formula, on a curve if one is given; several in a row are on one curve."""
    if curve:
        prime, parameters = curve
        return _trials_on(formula, PrimeField(prime), parameters)
    return _binary_trials(formula) if formula.system.model.binary else _odd_trials(formula)


def _odd_trials(formula: Formula) -> Iterator[Trial]:
    rng = Random(seed(formula))
    for field in map(PrimeField, chain([suitable_prime(BITS)], islice(large_primes(formula), _PRIMES))):
        for _ in range(8):
            with suppress(NotApplicable):
                yield from _trials_on(formula, field, find_curve(formula, field, rng))


def _trials_on(formula: Formula, field: PrimeField, parameters: Mapping[str, int]) -> Iterator[Trial]:
    trial = CurveTrial(formula, lower(formula), field, parameters, seed(formula))
    for points in islice(trial.points(), 4):
        with suppress(Undefined):
            expected = trial.expected(points)
            for names in trial.inputs(points):
                known = {**parameters, **names}
                yield Trial(field, f"modulo {field.prime}", known, points, expected)


def _binary_trials(formula: Formula) -> Iterator[Trial]:
    for case in binary_cases(formula, _laboratory()):
        called = f"in the field of {case.field.order} elements"
        yield Trial(case.field, called, case.names, case.points, case.expected)


def known_values(formula: Formula, statement: Statement, trial: Trial) -> dict[str, int]:
    """Return the values of the statement's names for what a formula knows."""
    coordinates = formula.system.model.coordinates
    known = dict(trial.names)
    for number, point in trial.points.items():
        known |= {f"affine {c}{number}": value for c, value in zip(coordinates, point, strict=True)}
    return {new: known[old] for old, new in statement.called.items() if old in known}


def values_of(read: ReadStatement, field: Field[int], known: Mapping[str, int]) -> dict[str, int]:
    """Return the values of all names, given some; raise :class:`EfdgenError` if an equation does not hold.

    Raises ZeroDivisionError for the inverse of 0.
    """
    values = dict(known)
    for equation in read.equations:
        match equation.left, equation.right:
            case Name(name), value if name not in values:
                values[name] = evaluate(value, field, values)
            case Binary("*", Name(name), inner), Number(1) if name not in values:
                values[name] = field.inv(evaluate(inner, field, values))
        if evaluate(equation.left, field, values) != evaluate(equation.right, field, values):
            raise EfdgenError(f"{print_equation(equation)} does not hold at the point that was tried")
    return values


def require_claims(read: ReadStatement, field: Field[int], values: Mapping[str, int]) -> None:
    """Raise :class:`EfdgenError` for a claim that does not hold for some values."""
    for equation in read.claims:
        if evaluate(equation.left, field, values) != evaluate(equation.right, field, values):
            raise EfdgenError(f"the certificate claims {print_equation(equation)}, which is false")


def _require_formula(
    formula: Formula,
    statement: Statement,
    program: tuple[Assignment, ...],
    trial: Trial,
    values: Mapping[str, int],
) -> None:
    """Require that the values which were read are those of the formula's steps and of the affine law."""
    computed = [line.names[0] for line in statement.lines if line.computed]
    own = dict(trial.names)
    for step, name in zip(program, computed, strict=True):
        own[step.target] = evaluate(step.value, trial.field, own)
        if own[step.target] != values[name]:
            raise EfdgenError(f"the certificate's {name} is not {step.target} of {formula.id}")
    model = formula.map.target if formula.map else formula.system.model
    for number, point in trial.expected.items():
        names = statement.expected[number]
        found = tuple(values[names[coordinate]] for coordinate in model.coordinates)
        if found != tuple(point):
            raise EfdgenError(f"the certificate's law of P{number} is not that of {formula.id}")


def _unclaimed(
    formula: Formula, statement: Statement, read: ReadStatement, field: Field[int], values: Mapping[str, int]
) -> str:
    """Return an output whose value may change without breaking a claim; empty if there is none."""
    computed = {line.names[0] for line in statement.lines if line.computed}
    claims = [
        equation for equation, claim in zip(read.claims, statement.claims, strict=True) if not claim.derived
    ]

    def hold(names: Mapping[str, int]) -> bool:
        return all(evaluate(e.left, field, names) == evaluate(e.right, field, names) for e in claims)

    for output in (*formula.output_names, *formula.implicit_outputs):
        changed = ({**values, output: values[output] ^ delta} for delta in (1, 2, 3) if output in computed)
        if output in computed and all(map(hold, changed)):
            return output
    return ""

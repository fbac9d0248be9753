"""Formulas with one edit, and their judgement by arithmetic: points of a curve, and the affine law."""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.curves.affine import AffineCurve
from efdgen.generator.curves.instantiate import suitable_prime
from efdgen.generator.curves.map import CurveMap
from efdgen.generator.curves.represent import means, represent
from efdgen.generator.formulas.formula import point_number
from efdgen.generator.formulas.signature import fixed_coordinates, other_input_assumptions
from efdgen.generator.language.syntax import Binary, Expression, Group, Name, Negative, Number
from efdgen.generator.mathematics.prime import PrimeField
from efdgen.generator.programs.interpreter import evaluate, run
from efdgen.generator.programs.lower import lower, lower_ghosts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from random import Random

    from efdgen.generator.formulas.database import Database
    from efdgen.generator.formulas.formula import Formula

FIELD = PrimeField(suitable_prime(61))
TRIALS = 3
KINDS = {"addition", "conversion", "diffadd", "doubling", "ladder", "subtraction", "tripling"}
CO_Z = {
    f"{name}{form}" for name in ("dblu", "tplu", "zaddu", "zaddc", "zdau", "zacau") for form in ("", "-xy")
}


def subjects(database: Database) -> list[Formula]:
    """Return every third formula over odd p whose inputs can be chosen one by one, and all of co-Z."""
    third = [name for name in database.ids[::3] if name.startswith("g1p") and name.split("/")[3] in KINDS]
    co_z = [name for name in database.ids if name.split("/")[3] in CO_Z]
    formulas = [database.formula(name) for name in (*third, *co_z)]
    return [formula for formula in formulas if not other_input_assumptions(formula)]


def edits(expression: Expression, names: Iterable[str]) -> Iterator[Expression]:
    """Yield every expression that comes of one edit: another sign, name or number, or one factor less."""
    match expression:
        case Name(text):
            yield from (Name(name) for name in names if name != text)
        case Number(value):
            yield from (Number(other) for other in (value + 1, value - 1) if other >= 0)
        case Group(inner):
            yield from (Group(edited) for edited in edits(inner, names))
        case Negative(inner):
            yield inner
            yield from (Negative(edited) for edited in edits(inner, names))
        case Binary(operator, left, right):
            if operator in "+-":
                yield Binary("-" if operator == "+" else "+", left, right)
            if operator == "*":
                yield from (left, right)
            yield from (Binary(operator, edited, right) for edited in edits(left, names))
            yield from (Binary(operator, left, edited) for edited in edits(right, names))


def is_right(formula: Formula, parameters: dict[str, int], rng: Random) -> bool:
    """Return whether the outputs mean the right points on random inputs, modulo a prime of 61 bits."""
    kind, curve = formula.kind, AffineCurve(formula.system.model, FIELD, parameters)
    way = CurveMap(formula.map, FIELD, parameters) if formula.map else None
    meant = parameters | way.target_parameters if way else parameters
    for _ in range(TRIALS):
        given = {point_number(e.left): e.right for e in kind.given if isinstance(e.left, Name)}
        points = {number: curve.random_point(rng) for number in kind.inputs if number not in given}
        points |= {number: curve.evaluate(law, points) for number, law in given.items()}
        values, field = dict(parameters), FIELD
        for number in kind.inputs:
            names = formula.coordinates(number)
            shared = {variable: values[name] for variable, name in names.items() if name in values}
            fixed = fixed_coordinates(formula, number) | shared
            chosen = represent(formula.system_of(number), FIELD, parameters, points[number], rng, fixed)
            values |= {names[variable]: value for variable, value in chosen.items()}
        values |= {e.left.text: evaluate(e.right, field, values) for e in formula.input_scalars}
        try:
            outputs = run(lower(formula), field, values) | run(lower_ghosts(formula), field, values)
        except ZeroDivisionError:
            return False
        if any(outputs[e.left.text] != evaluate(e.right, field, outputs) for e in formula.output_scalars):
            return False
        for output in kind.outputs:
            names, system = formula.coordinates(output.point), formula.system_of(output.point)
            coordinates = {variable: outputs[name] for variable, name in names.items()}
            expected = curve.evaluate(output.law, points)
            expected = way.image(expected) if way else expected
            if not means(system, FIELD, meant, coordinates, expected):
                return False
    return True

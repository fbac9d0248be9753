"""Proofs of the statements of published files about models and systems, on the generic point of each.

The representatives of a point in a system are those of the input of a formula without steps. The affine
coordinates of a model are the variables of a system of their own.
"""

from __future__ import annotations

import time
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING

from efdgen.generator.errors import EfdgenError, TextError
from efdgen.generator.formulas.formula import Formula, Kind, System
from efdgen.generator.formulas.names import fresh_name
from efdgen.generator.language.printer import print_equation, print_expression, print_statement
from efdgen.generator.language.syntax import Assignment, Equation, Name, Number
from efdgen.generator.programs.interpreter import evaluate
from efdgen.verify.exceptions.derived import built_in_model
from efdgen.verify.finding import StatedFinding
from efdgen.verify.laws.generic import generic_cases
from efdgen.verify.laws.model import prove_model
from efdgen.verify.laws.neutral import is_scaled, neutral_limit
from efdgen.verify.laws.singular import fraction_field, to_fraction
from efdgen.verify.refutation.refute import factored
from efdgen.verify.verdicts import Refuted, judge

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from efdgen.generator.formulas.database import Database
    from efdgen.generator.formulas.formula import Model
    from efdgen.generator.language.syntax import Expression, Statement
    from efdgen.verify.laws.algebra import Ratio
    from efdgen.verify.laws.generic import GenericInstance
    from efdgen.verify.laws.neutral import Element

_INPUT = Kind("", "a point", "", (1,), (), (), ())
_TOGETHER = {"neutral", "tosystem", "homogweight"}
"""Keywords of which all lines of a file are one statement, a line for each variable."""


def judge_stated(database: Database, name: str) -> Iterator[StatedFinding]:
    """Yield a finding on each statement of a file; one on all where they cannot be read."""
    above, _, part = name.rpartition("/")
    path = database.path(name)
    try:
        system = database.system(above) if part == "variables" else _affine(database.model(above))
    except EfdgenError:  # findings on formulas report it
        return
    try:
        statements = database.stated(name)
    except TextError as error:
        yield StatedFinding(name, part, "error", str(error), 0.0, statement="", line=error.position.line)
        return
    for lines in _claims(statements):
        start = time.perf_counter()
        verdict, reason = judge(partial(_prove, system, lines))
        text = "; ".join(map(print_statement, lines))
        line = lines[0].at.line
        place = f"{path}:{line}: {lines[0].keyword}: {reason}" if reason else ""
        seconds = round(time.perf_counter() - start, 6)
        yield StatedFinding(name, lines[0].keyword, verdict, place, seconds, statement=text, line=line)


def _claims(statements: Sequence[Statement]) -> Iterator[list[Statement]]:
    """Yield the lines that are one statement."""
    for keyword, lines in groupby(sorted(statements, key=lambda s: s.keyword), key=lambda s: s.keyword):
        if keyword in _TOGETHER:
            yield list(lines)
        else:
            yield from ([line] for line in lines)


def _affine(model: Model) -> System:
    """Return affine coordinates as a system, in which each variable means a coordinate."""
    variables = [fresh_name(c.upper(), (*model.parameters, *model.coordinates)) for c in model.coordinates]
    meanings = (Equation(Name(c), Name(v)) for c, v in zip(model.coordinates, variables, strict=True))
    return System(f"{model.id}/affine", "", model, (), (), tuple(variables), tuple(meanings))


def _prove(system: System, lines: Sequence[Statement]) -> None:
    """Prove a statement in every case of a system's assumptions; raise :class:`Refuted`."""
    scale = fresh_name("s", (*system.parameters, *system.model.parameters, *system.model.coordinates))
    for instance in generic_cases(
        Formula(f"{system.id}/point/point", system, _INPUT, "", (scale,), (), ())
    ).instances:
        match lines[0].keyword:
            case "ysquared" | "toaffine":
                _prove_value(instance, lines[0])
            case "tosystem":
                _prove_representative(instance, _values(instance, lines, instance.points[1]))
            case "homogweight":
                _prove_weights(instance, lines, instance.field.name(scale))
            case "neutral":
                _prove_neutral(instance, lines)


def _values(
    instance: GenericInstance, lines: Sequence[Statement], names: Mapping[str, Ratio]
) -> dict[str, Ratio]:
    """Return what lines make of names; raise :class:`Refuted` where they divide by zero."""
    known, values = {**instance.parameters, **names}, {}
    for line in lines:
        assert isinstance(line.content, Assignment)
        values[line.content.target] = _value(instance, line.content.value, known)
    return values


def _value(instance: GenericInstance, value: Expression, known: Mapping[str, Ratio]) -> Ratio:
    try:
        found = evaluate(value, instance.field, known)
        instance.field.require_divisors()
    except ZeroDivisionError:
        raise Refuted(f"{print_expression(value)} divides by zero for every point") from None
    return found


def _require_equal(instance: GenericInstance, left: Ratio, right: Ratio, text: str) -> None:
    residue = instance.field.remainder((left - right).numerator)
    if residue != 0:
        raise Refuted(f"{text} does not hold, for {factored(instance.field, residue)} is not 0")


def _prove_value(instance: GenericInstance, line: Statement) -> None:
    """Prove what an affine coordinate is of the variables, or y^2 of affine coordinates."""
    coordinates = {v: instance.coordinates[n] for v, n in instance.formula.coordinates(1).items()}
    known = {**instance.parameters, **instance.points[1], **coordinates}
    match line.content:
        case Assignment(target, value):
            equation = Equation(Name(target), value)
        case Equation() as equation:
            pass
        case str():
            return
    left, right = (_value(instance, side, known) for side in (equation.left, equation.right))
    _require_equal(instance, left, right, print_equation(equation))


def _prove_representative(instance: GenericInstance, variables: Mapping[str, Ratio]) -> None:
    """Prove that values of the variables represent the generic point."""
    known = {**instance.parameters, **instance.points[1], **variables}
    for equation in instance.formula.system.meanings:
        left, right = (_value(instance, side, known) for side in (equation.left, equation.right))
        _require_equal(instance, left, right, print_equation(equation))


def _prove_weights(instance: GenericInstance, lines: Sequence[Statement], scale: Ratio) -> None:
    """Prove that variables, scaled by powers of something, represent the same point."""
    scaled = {}
    for line in lines:
        assert isinstance(line.content, Assignment)
        if not isinstance(line.content.value, Number):
            raise Refuted(f"{print_expression(line.content.value)} is no number")
        variable, weight = line.content.target, line.content.value.value
        own = instance.coordinates[instance.formula.coordinates(1)[variable]]
        scaled[variable] = own * scale**weight
    if all(isinstance(line.content, Assignment) and line.content.value == Number(0) for line in lines):
        raise Refuted("all weights are 0")
    _prove_representative(instance, scaled)


def _prove_neutral(instance: GenericInstance, lines: Sequence[Statement]) -> None:
    """Prove that values are the limit of the representatives of points near the identity, scaled."""
    system, field = instance.formula.system, instance.field
    model = built_in_model(system.model)
    if model is system.model:
        prove_model(model)  # its map to the Weierstrass form is what the limit is found by
    own = System(
        system.id, "", model, system.parameters, system.assumptions, system.variables, system.meanings
    )
    limit, weights = neutral_limit(own, field, instance.parameters)
    base = fraction_field(field)
    values = {name: to_fraction(base, value) for name, value in _values(instance, lines, {}).items()}
    if not is_scaled(values, limit, weights):
        point = ", ".join(f"{name} = {value}" for name, value in _plain(instance, limit, weights).items())
        raise Refuted(f"the representatives of points near the neutral element tend to {point}, scaled")


def _plain(
    instance: GenericInstance, limit: Mapping[str, Element], weights: tuple[int, ...]
) -> dict[str, str]:
    """Return a representative as text: with coordinates 1 wherever it can be scaled to have them."""
    ones = {name: value if value == 0 else value**0 for name, value in limit.items()}
    shown = ones if is_scaled(ones, limit, weights) else limit
    return {name: "0" if value == 0 else instance.field.text(value) for name, value in shown.items()}

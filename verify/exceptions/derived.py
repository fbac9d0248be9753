"""Derived conclusions about a formula, cached by content so that nothing is derived twice.

Sage is imported only where something has to be derived.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

from efdgen.generator.curves.exceptional import Exceptions
from efdgen.generator.curves.instantiate import instantiate
from efdgen.generator.errors import EfdgenError, MissingSageError
from efdgen.generator.formulas.database import Database
from efdgen.generator.formulas.layers import layers
from efdgen.generator.progress import at
from efdgen.verify import store
from efdgen.verify.children import ask
from efdgen.verify.exceptions.conclusion import Conclusion
from efdgen.verify.exceptions.condition import NEVER, Condition
from efdgen.verify.exceptions.features import features
from efdgen.verify.verdicts import in_halves, verdict_of, with_reason

if TYPE_CHECKING:
    from efdgen.generator.curves.curve import Curve
    from efdgen.generator.formulas.formula import Formula, Model
    from efdgen.generator.formulas.layers import Layers
    from efdgen.verify.laws.terms import Terms

_PROVER = "efdgen.verify.exceptions.conclude"


def with_built_in_curve(formula: Formula) -> Formula:
    """Return a formula with the built-in model in place of a published one that has the same curve.

    Published maps to a Weierstrass form do not all lead to the form that is printed beside them.
    """
    model = built_in_model(formula.system.model)
    systems = {number: replace(system, model=model) for number, system in formula.systems.items()}
    return replace(formula, system=replace(formula.system, model=model), systems=systems)


def built_in_model(own: Model) -> Model:
    """Return the built-in model of the same id that has the same curve as a published one, or that itself."""
    try:
        model = Database().model(own.id)
    except EfdgenError:
        return own
    same = (model.parameters, model.equations) == (own.parameters, own.equations)
    return model if same else own


def derive(formula: Formula) -> Conclusion:
    """Derive the exceptional inputs of a formula whose law is proved, or look them up.

    Raises :class:`EfdgenError` where the two ways to do so do not agree, or where no tiny curve can be had.
    """
    formula = _at_home(formula)
    name = store.key(_PROVER, repr(formula))
    found = _read(name)
    if found is None:
        at(f"exceptional inputs of {formula.id}")
        found = ask(_conclude, formula)
        store.store(name, {**store.fields_of(found), "complete": store.fields_of(found.complete)})
    return found


def _at_home(formula: Formula) -> Formula:
    """Return a formula that came into another system as the database has it, if that system adds nothing."""
    try:
        own = _database(layers()).formula(formula.id)
    except EfdgenError:
        return formula
    points = (*formula.kind.inputs, *(output.point for output in formula.kind.outputs))
    same = (
        replace(own, system=formula.system, systems=formula.systems) == formula
        and all(own.system_of(point) == formula.system_of(point) for point in points)
        and own.all_parameters == formula.all_parameters
        and own.all_assumptions == formula.all_assumptions
    )
    return own if same else formula


@cache
def _database(tree: Layers) -> Database:
    return Database(tree)


def _conclude(formula: Formula) -> Conclusion:
    """Derive what is exceptional; Sage is imported only here, in a child."""
    from efdgen.verify.exceptions.conclude import conclude

    return conclude(formula)


def exceptions_on(formula: Formula, curve: Curve) -> Exceptions:
    """Return the exceptional inputs, on a curve, of a formula whose law is proved.

    Conditions on parameters alone are evaluated: those that do not hold on the curve are left out. Raises
    :class:`EfdgenError` with the verdicts on both halves where the inputs are not derived.
    """
    field = curve.field
    parameters = instantiate(formula, field, curve.parameters)
    try:
        found = derive(formula)
    except MissingSageError:
        raise
    except EfdgenError as error:
        verdict = in_halves(verdict_of(error), "proved")
        raise EfdgenError(f"{formula.id}: {with_reason(verdict, str(error))}") from None
    if curve.any:
        inputs = found.exceptions
        somewhere = bool(inputs) and found.complete != NEVER
        return Exceptions(inputs, found.unrepresentable, str(found.complete), not inputs, somewhere)
    points = None if curve.order is None or curve.cofactor is None else curve.order * curve.cofactor
    known = features(field, parameters, points)
    inputs = found.exceptions_on(field, parameters)
    complete = not inputs or found.complete.holds(known)
    return Exceptions(inputs, found.unrepresentable, str(found.complete), complete)


def _read(name: str) -> Conclusion | None:
    try:
        fields = store.load(name)
        literals = tuple((str(text), bool(wanted)) for text, wanted in fields["complete"]["literals"])
        condition = Condition(literals, any_of=fields["complete"].get("any_of", False))
        texts = {key: tuple(fields[key]) for key in ("exceptions", "unrepresentable", "tried_over")}
        own = fields.get("curves", ())
        curves = tuple((text, tuple(map(_terms, polynomials))) for text, polynomials in own)
        return Conclusion(**fields | texts | {"complete": condition, "curves": curves})
    except (ValueError, TypeError, KeyError):
        return None


def _terms(lists: list[Any]) -> Terms:
    return tuple((int(c), tuple((str(name), int(power)) for name, power in powers)) for c, powers in lists)

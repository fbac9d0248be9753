"""The whole database as one document of plain values, which every export and every page reads.

A number has the same source as on the command line: costs from the counter, verdicts and exceptional inputs
from the prover, descriptions from ``efdgen show``.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from efdgen.generator.curves.load import built_in_curves
from efdgen.generator.curves.text import curve_object
from efdgen.generator.errors import EfdgenError
from efdgen.generator.formulas.database import Database
from efdgen.generator.language.printer import print_equation, print_expression
from efdgen.generator.reports.describe import description
from efdgen.generator.reports.maps import map_fields
from efdgen.generator.reports.references import works
from efdgen.generator.version import __version__
from efdgen.verify.finding import FormulaFinding
from efdgen.verify.prover import examine_formulas
from efdgen.verify.rocq.record import checked_by

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from efdgen.generator.formulas.formula import Formula, Kind, Model, System
    from efdgen.generator.language.syntax import Equation, Expression
    from efdgen.generator.reports.references import Reference
    from efdgen.verify.finding import Finding

SCHEMA = 1
"""The version of the schema; it grows when a member or a column changes its meaning or goes."""

_DERIVED = ("exceptions", "unrepresentable", "unified", "complete", "homogeneous", "tried_over")
_LAWS = ("addition", "doubling", "negation", "neutral", "weierstrass", "to_weierstrass", "from_weierstrass")


def collect(selectors: Sequence[str] = (), jobs: int | None = None) -> dict[str, Any]:
    """Return everything that is known of formulas in force, of all of them without a selector.

    Formulas that are not proved yet are proved in ``jobs`` processes.
    """
    database = Database()
    ids = database.select(selectors)
    findings = {each.id: each for each in examine_formulas(database, ids, jobs)}
    formulas: dict[str, Formula] = {}
    unreadable = []
    for name in ids:
        try:
            formulas[name] = database.formula(name)
        except EfdgenError as error:
            reason = str(error).replace(str(database.path(name)), name)
            unreadable.append({"id": name, "reason": reason, "text": _text(database, name)})
    systems = _by_id(formula.system for formula in formulas.values())
    models = _by_id(system.model for system in systems.values())
    kinds = _by_id(formula.kind for formula in formulas.values())
    found = {
        "schema": SCHEMA,
        "efdgen": __version__,
        "models": [_model(database, each) for each in models.values()],
        "systems": [_system(database, each, systems.values()) for each in systems.values()],
        "kinds": [_kind(database, each) for each in kinds.values()],
        "formulas": [_formula(database, formula, findings[name]) for name, formula in formulas.items()],
        "unreadable": unreadable,
        "sources": [_source(each) for each in works().values()],
        "maps": [map_fields(database.map(name)) for name in database.map_ids],
        "curves": [curve_object(curve) for curve in built_in_curves()],
    }
    plain: dict[str, Any] = json.loads(json.dumps(found))  # as it is read again, with texts as all keys
    return plain


def proof(formula: Formula, finding: Finding) -> dict[str, Any]:
    """Return the verdict on a formula and what is derived of it, by the names that ``efdgen show`` gives."""
    found = finding if isinstance(finding, FormulaFinding) else FormulaFinding(**vars(finding))
    proved = found.verdict == "proved"
    return {
        "verdict": found.verdict,
        "reason": found.reason,
        "law": "proved" if proved else found.law,
        "exceptional_inputs": "proved" if proved else found.exceptional_inputs,
        "characteristic": found.characteristic,
        "remarks": list(found.remarks),
        "checked_by": checked_by(formula) if proved else None,
        **{name: _plain(getattr(found, name)) for name in _DERIVED},
        "refutation": (
            asdict(found.refutation) | {"text": found.refutation.lines()} if found.refutation else None
        ),
    }


def _formula(database: Database, formula: Formula, finding: Finding) -> dict[str, Any]:
    found = proof(formula, finding)
    return {
        "map": None,
        **description(formula),
        **found,
        "reason": found["reason"].replace(str(database.path(formula.id)), formula.id),
        "text": database.text(formula.id),
        "built_in": database.layers.is_built_in(formula.id),
    }


def _model(database: Database, model: Model) -> dict[str, Any]:
    return {
        "id": model.id,
        "title": model.title,
        "binary": model.binary,
        "parameters": list(model.parameters),
        "coordinates": list(model.coordinates),
        "equations": _texts(model.equations),
        **{law: _values(getattr(model, law)) for law in _LAWS},
        "text": _text(database, f"{model.id}/coordinates"),
        "built_in": database.layers.is_built_in(f"{model.id}/coordinates"),
    }


def _system(database: Database, system: System, others: Iterable[System]) -> dict[str, Any]:
    included = (each.id for each in others if each.id != system.id and system.includes(each))
    return {
        "id": system.id,
        "title": system.title,
        "model": system.model.id,
        "variables": list(system.variables),
        "parameters": list(system.parameters),
        "assumptions": _texts(system.assumptions),
        "meanings": _texts(system.meanings),
        "included": sorted(included),
        "x_only": len(system.meanings) < len(system.model.coordinates),
        "text": _text(database, f"{system.id}/variables"),
        "built_in": database.layers.is_built_in(f"{system.id}/variables"),
    }


def _kind(database: Database, kind: Kind) -> dict[str, Any]:
    laws = [f"P{each.point} == {print_expression(each.law)}" for each in kind.outputs]
    return {
        "id": kind.id,
        "title": kind.title,
        "function": kind.function,
        "inputs": list(kind.inputs),
        "laws": [*_texts(kind.given), *laws],
        "built_in": database.layers.is_built_in(f"kinds/{kind.id}"),
    }


def _source(reference: Reference) -> dict[str, Any]:
    return {
        "key": reference.key,
        "type": reference.type,
        "authors": list(reference.authors),
        "title": reference.fields.get("title"),
        "year": reference.fields.get("year"),
        "text": str(reference),
        "bibtex": reference.bibtex,
    }


def _text(database: Database, name: str) -> str | None:
    """Return the text of a file; None for a file that is not text, or that cannot be read."""
    try:
        return database.text(name)
    except EfdgenError:
        return None


def _by_id(values: Iterable[Any]) -> dict[str, Any]:
    found = {each.id: each for each in values}
    return dict(sorted(found.items()))


def _texts(equations: Iterable[Equation]) -> list[str]:
    return [print_equation(each) for each in equations]


def _values(named: Mapping[str, Expression]) -> dict[str, str]:
    return {name: print_expression(value) for name, value in named.items()}


def _plain(value: object) -> object:
    return list(value) if isinstance(value, tuple) else value

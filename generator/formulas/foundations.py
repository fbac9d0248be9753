"""The models, systems, maps and kind that a formula rests on, and those of them that are not built in."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

from efdgen.generator.errors import EfdgenError
from efdgen.generator.formulas.database import built_in
from efdgen.generator.formulas.formula import Kind, Map, Model, System

if TYPE_CHECKING:
    from efdgen.generator.formulas.formula import Formula

Foundation: TypeAlias = Model | System | Map | Kind


def foundations(formula: Formula) -> dict[str, Foundation]:
    """Return everything that a formula rests on, by the names of its files in the database."""
    found: dict[str, Foundation] = {f"kinds/{formula.kind.id}": formula.kind}
    for system in (formula.system, *formula.systems.values()):
        found[f"{system.model.id}/coordinates"] = system.model
        found[f"{system.id}/variables"] = system
    if (between := formula.map) is not None:
        found[f"{between.target.id}/coordinates"] = between.target
        found[between.id] = between
        if between.undo is not None:
            found[between.undo.id] = between.undo
    return found


def own_foundations(formula: Formula) -> list[Foundation]:
    """Return what a formula rests on and that differs from what is built in under its name."""
    return [each for each in foundations(formula).values() if each != _built_in(each)]


def _built_in(each: Foundation) -> Foundation | None:
    try:
        match each:
            case Model():
                return built_in().model(each.id)
            case System():
                return built_in().system(each.id)
            case Map():
                found = built_in().map(each.id)
                return found if each.undo else replace(found, undo=None)
            case Kind():
                return built_in().kind(each.id)
    except EfdgenError:
        return None

"""The names of a formula: declared names, used names, and fresh ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.language.syntax import names_in

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from efdgen.generator.formulas.formula import Formula
    from efdgen.generator.language.syntax import Equation


def fresh_name(wanted: str, taken: Collection[str]) -> str:
    """Return a name that is not taken: the wanted one, or one with a number after it."""
    name, number = wanted, 2
    while name in taken:
        name, number = f"{wanted}_{number}", number + 1
    return name


def taken_names(formula: Formula) -> frozenset[str]:
    """Return every name that means something in a formula, its kind, its models or an assumption.

    The names of steps are not among them: a step is known by its value.
    """
    models = [system.model for system in (formula.system, *formula.systems.values())]
    models += [formula.map.target] if formula.map else []
    of_models = (name for model in models for name in (*model.parameters, *model.coordinates))
    of_systems = (
        name
        for system in (formula.system, *formula.systems.values())
        for name in (*system.parameters, *system.variables)
    )
    return frozenset(
        (*declared_names(formula), *of_models, *of_systems, *_mentioned(formula.all_assumptions))
    )


def declared_names(formula: Formula) -> tuple[str, ...]:
    """Return the names of the values that come in, go out and are tested; once for each of two values."""
    return (
        *formula.all_parameters,
        *formula.input_coordinates,
        *formula.scalar_inputs,
        *formula.output_names,
        *formula.implicit_outputs,
        *(test.target for test in formula.tests),
        *((formula.kind.length,) if formula.kind.length else ()),
    )


def _mentioned(equations: Iterable[Equation]) -> list[str]:
    sides = (side for equation in equations for side in (equation.left, equation.right))
    return [name.text for side in sides for name in names_in(side)]

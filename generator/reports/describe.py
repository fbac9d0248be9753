"""Description of a formula: its operation, its source, its cost."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from efdgen.generator.curves.exceptional import shortened
from efdgen.generator.errors import EfdgenError
from efdgen.generator.formulas.cost import cost_of
from efdgen.generator.formulas.signature import arguments, fixed_inputs
from efdgen.generator.language.printer import print_equation, print_expression
from efdgen.generator.passes.allocation import allocate
from efdgen.generator.passes.pipeline import emitted, optimise, passes_of
from efdgen.generator.passes.substitution import substitute_numbers
from efdgen.generator.programs.lower import lower
from efdgen.generator.programs.program import program_text
from efdgen.generator.reports.graph import Flow
from efdgen.generator.reports.json_text import exact
from efdgen.generator.reports.maps import map_facts, map_fields
from efdgen.generator.reports.references import cited_keys, works
from efdgen.generator.reports.weights import PRESETS, parse_weights

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from efdgen.generator.formulas.cost import Cost
    from efdgen.generator.formulas.database import Database
    from efdgen.generator.formulas.formula import Formula
    from efdgen.generator.language.syntax import Equation
    from efdgen.generator.programs.program import Program
    from efdgen.generator.reports.weights import Weights

_SHOWN = 5


def one_formula(database: Database, selector: str) -> str:
    """Return the id of the one formula that a selector means.

    Raises :class:`EfdgenError` that names the formulas where it means several.
    """
    found = database.select([selector])
    if len(found) > 1:
        rest = f" and {len(found) - _SHOWN} more (efdgen list {selector})" if len(found) > _SHOWN else ""
        raise EfdgenError(f"{selector!r} means {', '.join(found[:_SHOWN])}{rest}; give one id")
    return found[0]


def summary(formula: Formula) -> dict[str, object]:
    """Return what a list of formulas says of each."""
    system = formula.system
    return {
        "id": formula.id,
        "kind": formula.kind.id,
        "model": system.model.title,
        "system": system.title,
        "source": formula.source,
        "parameters": list(formula.all_parameters),
        "assumptions": _texts(formula.all_assumptions),
    }


def description(formula: Formula) -> dict[str, object]:
    """Return everything there is to say of a formula, short of whether it is proved."""
    program, after = lower(formula), emitted(formula)
    return summary(formula) | {
        **_place(formula),
        "citations": citations(formula),
        "curve": _texts(formula.system.model.equations),
        "meanings": _texts(formula.system.meanings),
        "laws": _laws(formula),
        **({"map": map_fields(formula.map)} if formula.map else {}),
        "equations": equations(formula),
        "program": program_text(program).splitlines(),
        "emitted_program": program_text(after).splitlines(),
        "cost": (cost := cost_of(formula, program)).fields(),
        "published_weights": usual_prices(cost, formula),
        **_measures(formula, after),
    }


def _place(formula: Formula) -> dict[str, object]:
    """Return the ids of a formula's system and model, and what it asks beside its system.

    ``other_systems`` are systems of its points; rivals have the same ``input_assumptions``.
    """
    system = formula.system
    own = [*(formula.map.assumptions if formula.map else ()), *formula.assumptions]
    others = {each.id for each in formula.systems.values()} - {system.id}
    return {
        "name": formula.name,
        "model_id": system.model.id,
        "system_id": system.id,
        "other_systems": sorted(others),
        "own_assumptions": _texts(own),
        "input_assumptions": _texts(each for each in own if each in formula.input_assumptions),
    }


def _measures(formula: Formula, program: Program) -> dict[str, object]:
    """Return the cost of a program, its weight, its depth and width in products, and what a kernel stores."""
    cost, flow = cost_of(formula, program), Flow(formula.id, program)
    return {
        "emitted": cost.fields(),
        "weights": usual_prices(cost, formula),
        "depth": flow.depth,
        "width": flow.width,
        "temporaries": _temporaries(formula),
    }


def _temporaries(formula: Formula) -> int:
    """Return how many field elements a kernel stores beside its arguments, without coordinates that are 1."""
    program = substitute_numbers(lower(formula), fixed_inputs(formula))
    program = optimise(program, passes_of(formula.system.model))
    return allocate(program, *arguments(formula), formula.assigned_names).temporaries


def usual_prices(cost: Cost, formula: Formula) -> dict[str, str]:
    """Return the exact weight of a formula's cost, in multiplications, by each preset for its field."""
    presets = (name for name in PRESETS if name.startswith("binary") == formula.system.model.binary)
    return {name: exact(_preset(name).price(cost)) for name in presets}


@cache
def _preset(name: str) -> Weights:
    return parse_weights(name)


def description_text(formula: Formula, verdict: str, derived: Mapping[str, object]) -> str:
    """Write a formula's description for the terminal, with the verdict on it and what is derived of it."""
    system, program = formula.system, lower(formula)
    facts = [
        ("curve", f"{system.model.title}: {'; '.join(_texts(system.model.equations))}"),
        ("system", f"{system.title}: {'; '.join(_texts(system.meanings))}"),
        ("kind", f"{formula.kind.title}: {'; '.join(_laws(formula))}"),
        *map_facts(formula.map),
        ("source", formula.source or "none given by the database"),
        *(("", text) for text in citations(formula).values()),
        ("assuming", "; ".join(_texts(formula.all_assumptions)) or "nothing"),
        (
            "cost",
            f"{cost_of(formula, program)} as published, {cost_of(formula, emitted(formula))} as emitted",
        ),
        ("verdict", verdict),
        *_derived(derived),
    ]
    lines = [formula.id, *(f"  {name:17}{text}" for name, text in facts)]
    for title, body in (("equations", equations(formula)), ("program", program_text(program).splitlines())):
        lines += ["", title, *(f"  {line}" for line in body)]
    return "".join(f"{line}\n" for line in lines)


def _derived(derived: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    """Yield what is derived of a formula: lists of words, yes or no, or words; nothing for what is None."""
    for name, value in derived.items():
        match value:
            case tuple():
                words = [*map(str, value)]
                shown = shortened(words) if name in {"exceptions", "unrepresentable"} else words
                yield name, ", ".join(shown) or "none"
            case bool():
                yield name, "yes" if value else "no"
            case str():
                yield name, value


def citations(formula: Formula) -> dict[str, str]:
    """Return the works that a formula's source names, by their keys."""
    references = works()
    return {
        key: str(references.get(key, f"{key} is not a key of references.bib"))
        for key in cited_keys(formula.source)
    }


def _laws(formula: Formula) -> list[str]:
    of = "image of " if formula.map else ""
    outputs = (f"P{output.point} == {of}{print_expression(output.law)}" for output in formula.kind.outputs)
    return [*_texts(formula.kind.given), *outputs]


def equations(formula: Formula) -> list[str]:
    """Return the steps of a formula, and its hints, checks and guards, a line each."""
    steps = (f"{a.target} = {print_expression(a.value)}" for a in formula.assignments)
    hints = (f"hint {text}" for text in _texts(formula.hints))
    checks = (f"check {text}" for text in _texts(formula.checks))
    return [*hints, *steps, *checks, *(f"guard {name}" for name in formula.guards)]


def _texts(equations: Iterable[Equation]) -> list[str]:
    return [print_equation(equation) for equation in equations]

"""Output of a formula after each stage of the compiler."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from efdgen.generator.curves.load import checked_curve
from efdgen.generator.errors import EfdgenError, suggestion
from efdgen.generator.formulas.reader import formula_statements
from efdgen.generator.formulas.signature import arguments, fixed_inputs
from efdgen.generator.kernels.candidate import candidate
from efdgen.generator.language.printer import print_document
from efdgen.generator.passes.allocation import allocate
from efdgen.generator.passes.pipeline import PASSES, PASSES_MODULO_2, passes_of
from efdgen.generator.passes.substitution import substitute_numbers
from efdgen.generator.programs.kernel import Coordinate, CurveConstant, Temporary
from efdgen.generator.programs.lower import lower
from efdgen.generator.programs.program import program_text
from efdgen.generator.reports.describe import one_formula

if TYPE_CHECKING:
    from efdgen.generator.formulas.database import Database
    from efdgen.generator.formulas.formula import Formula
    from efdgen.generator.passes.allocation import Allocation
    from efdgen.generator.programs.kernel import Place


def stages() -> tuple[str, ...]:
    """Return the names of the stages, in order."""
    every = [name for name, _ in PASSES]
    for (before, _), (name, _) in pairwise(PASSES_MODULO_2):
        if name not in every:
            every.insert(every.index(before) + 1, name)
    return ("parse", "lower", *every, "allocate")


def dump_formula(database: Database, selector: str, stage: str, curve: str | None) -> tuple[str, str]:
    """Return a formula's id, and its text, program or kernel after a stage, for any curve or for one.

    Raises :class:`EfdgenError` for an unknown stage, or a selector that does not mean one formula.
    """
    if stage not in stages():
        raise EfdgenError(
            f"no stage is called {stage!r}{suggestion(stage, stages())}; see efdgen dump --list"
        )
    formula = database.formula(one_formula(database, selector))
    return formula.id, _after(formula, stage, curve)


def _after(formula: Formula, stage: str, curve: str | None) -> str:
    """Return what there is of a formula after a stage."""
    if stage == "parse":
        return print_document(formula_statements(formula))
    program = lower(formula)
    if stage == "lower":
        return program_text(program)
    passes = passes_of(formula.system.model)
    if stage != "allocate" and stage not in dict(passes):
        where = "over GF(2^m)" if formula.system.model.binary else "of odd characteristic"
        raise EfdgenError(f"{formula.id} is {where}, and has no stage {stage}")
    if curve is not None:
        chosen = checked_curve(curve)
        program = candidate(formula, chosen.field, chosen.parameters).specialised.program
    else:
        program = substitute_numbers(program, fixed_inputs(formula))
    for name, transform in passes:
        program = transform(program)
        if name == stage:
            return program_text(program)
    return _allocation_text(formula, allocate(program, *arguments(formula), formula.assigned_names))


def _allocation_text(formula: Formula, allocation: Allocation) -> str:
    inputs, outputs = arguments(formula)
    signature = ", ".join(
        f"{a.name}: {a.type.name}({', '.join(a.type.members)})" for a in (*outputs, *inputs)
    )
    lines = [f"function {signature}", f"temporaries {allocation.temporaries}"]
    for step in allocation.steps:
        call = f"{_place(step.target)} = {step.operation}({', '.join(map(_place, step.operands))})"
        lines.append(f"{call:40} {step.text}")
    lines += [f"{store.argument}.{store.member} = {_place(store.value)}" for store in allocation.stores]
    return "".join(f"{line}\n" for line in lines)


def _place(place: Place) -> str:
    match place:
        case Coordinate(argument, member):
            return f"{argument}.{member}"
        case CurveConstant(name):
            return name
        case Temporary(number):
            return f"slot{number}"

"""Candidates: representations of a field, and formulas with similar costs of their code."""

from __future__ import annotations

from dataclasses import replace
from itertools import zip_longest
from typing import TYPE_CHECKING

from efdgen.generator.autotuning.stopwatch import Timed
from efdgen.generator.curves.load import load_curve
from efdgen.generator.fields.field import Field
from efdgen.generator.fields.operations import operations
from efdgen.generator.fields.whole import WORD, whole_formulas
from efdgen.generator.formulas.signature import function_name
from efdgen.generator.kernels.candidate import candidates
from efdgen.generator.kernels.ranking import instructions
from efdgen.generator.limbs.plan import representations
from efdgen.generator.mathematics.prime import PrimeField
from efdgen.generator.planning.kernels import rehome
from efdgen.generator.tuning.tuning import FormulaChoice

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

    from efdgen.generator.compile import Request
    from efdgen.generator.formulas.database import Database
    from efdgen.generator.formulas.formula import Formula
    from efdgen.generator.options import Target
    from efdgen.generator.programs.kernel import CurveKernels, Kernel
    from efdgen.generator.tuning.tuning import Language, Tuning

    Select = Callable[[Request], CurveKernels]

NEAR = 1.1
"""Formulas of up to this many times the instructions of the chosen one are tried."""

MOST = 6
"""So many of them."""

FIELD_OPERATIONS = ("mul", "sqr", "add", "sub")
"""The default operations by which representations are compared."""

_TARGETS: dict[Language, tuple[Target, ...]] = {"c": ("gcc", "clang"), "rust": ("gcc", "rust")}


def fields(prime: int, tuning: Tuning, target: Target | None = None) -> Iterator[Field]:
    """Yield a field in every way of computing with it, for one target or all, first as without measuring."""
    ground = PrimeField(prime)
    yield Field(ground, target, (WORD,), tuning=tuning)
    for kind in representations(prime, WORD):
        for each in (target,) if target else _TARGETS[tuning.language]:
            yield Field(ground, each, (WORD,), kind=kind, tuning=tuning)


def timed_operations(field: Field, names: Collection[str]) -> list[Timed]:
    """Return operations of a field by their names."""
    (found,) = field.representations
    return [Timed(found, operation) for operation in operations(found, names)]


def timed_formulas(field: Field, group: CurveKernels, names: Sequence[str]) -> list[Timed]:
    """Return kernels of a group, those of some names, as operations of a field."""
    (found,) = field.representations
    whole = whole_formulas(group, field, names)
    return [Timed(found, whole[name].operation) for name in names]


def other_formulas(
    database: Database, request: Request, group: CurveKernels, names: Sequence[str], select: Select
) -> Iterator[CurveKernels]:
    """Yield groups of kernels in which other formulas appear, near the chosen ones.

    ``select`` chooses them as a tuning asks, so that they are as complete as the formulas that they replace.
    """
    curve = load_curve(request.curve, "efdgen tune")
    chosen = {kernel.name: kernel for kernel in group.kernels if kernel.name in names}
    rivals = [
        [FormulaChoice(curve.name, name, found) for found in _near(database, request, group, kernel)]
        for name, kernel in chosen.items()
    ]
    for choices in zip_longest(*rivals):
        tuning = replace(request.decisions, formulas=tuple(choice for choice in choices if choice))
        yield select(replace(request, tuning=tuning))


def _near(database: Database, request: Request, group: CurveKernels, kernel: Kernel) -> list[str]:
    """Return the ids of formulas of a kernel's signature that cost almost as little, the least first."""
    curve, home = load_curve(request.curve), database.system(group.system)
    wanted = function_name(kernel.formula), _families(kernel.formula)

    def alike(formula: Formula) -> bool:
        settled = formula if request.set == "kernels" else rehome(formula, home)
        return (function_name(settled), _families(formula)) == wanted and formula.id != kernel.formula.id

    place = _place(kernel.formula.id)
    ids = [
        name
        for name in database.readable(i for i in database.ids if _place(i) == place)
        if alike(database.formula(name))
    ]
    found = candidates(database, curve, ids)
    counts = {c.formula.id: instructions(c.specialised.program, curve.prime) for c in found}
    most = NEAR * instructions(kernel.program, curve.prime)
    near = (name for name, count in counts.items() if count <= most)
    return sorted(near, key=lambda name: (counts[name], name))[:MOST]


def _place(name: str) -> tuple[str, ...]:
    """Return where a formula is among others: model, coordinates, and kind."""
    *model, system, kind, _ = name.split("/")
    return *model, system.partition("-")[0], kind


def _families(formula: Formula) -> list[str]:
    """Return the coordinates that a formula's points have, whatever curves they are for."""
    points = (*formula.kind.inputs, *(output.point for output in formula.kind.outputs))
    return [formula.system_of(point).id.partition("-")[0] for point in points]

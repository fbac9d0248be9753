"""Cost tables: every formula of a selection with its published and its emitted cost, weighed and sorted."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import groupby
from typing import TYPE_CHECKING

from efdgen.generator.errors import EfdgenError, TextError
from efdgen.generator.formulas.cost import Cost, cost_of, count
from efdgen.generator.formulas.database import Database
from efdgen.generator.language.printer import print_equation
from efdgen.generator.language.syntax import Assignment, Number, names_in
from efdgen.generator.programs.lower import lower
from efdgen.generator.progress import each
from efdgen.generator.reports.weights import parse_weights, require_parameters

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from efdgen.generator.formulas.formula import Formula
    from efdgen.generator.reports.weights import Weights


@dataclass(frozen=True)
class Row:
    """A formula's costs; ``cost`` is None where it could not be read, and ``error`` says why.

    ``emitted`` is the cost after the passes, or None where published code is counted.
    Code that stops with an error of its generator has both a cost, of its lines that are code, and ``error``.
    """

    id: str
    assumptions: tuple[str, ...]
    parameters: tuple[str, ...]
    cost: Cost | None
    emitted: Cost | None = None
    error: str = ""

    @property
    def system(self) -> str:
        """The id of the formula's coordinate system."""
        return self.id.rsplit("/", 2)[0]

    @property
    def kind(self) -> str:
        """The id of the formula's kind."""
        return self.id.split("/")[-2]

    @property
    def name(self) -> str:
        """The last part of the formula's id."""
        return self.id.rpartition("/")[2]


@dataclass(frozen=True)
class Table:
    """The rows of one coordinate system, by kind and then by weight, with the weights that sorted them."""

    title: str
    weights: Weights
    rows: tuple[Row, ...]

    def price(self, cost: Cost | None) -> str:
        """Write what a cost weighs in this table, in multiplications; empty for no cost."""
        if cost is None:
            return ""
        return f"{float(self.weights.price(cost)):.4f}".rstrip("0").rstrip(".")


def cost_tables(database: Database, selectors: Sequence[str], weights: str = "") -> list[Table]:
    """Count the formulas of a selection, a table per coordinate system.

    In an upstream-style tree the published three-operand code is counted. A file that cannot be read makes
    a row without a cost. Raises :class:`EfdgenError` for selectors and weights.
    """
    # Before anything is counted, so that a mistake is told at once.
    require_parameters(parse_weights(weights), database, Database())
    read = _published_row if database.dialect == "upstream" else _row
    ids = database.select(selectors)
    rows = [read(database, formula_id) for formula_id in each(ids, len(ids), "counting", str)]
    tables = []
    for system, group in groupby(rows, key=lambda row: row.system):
        weighing = parse_weights(weights, binary=system.startswith("g12"))
        tables.append(Table(_title(database, system), weighing, _sorted(group, weighing)))
    return tables


def _row(database: Database, formula_id: str) -> Row:
    from efdgen.generator.passes.pipeline import emitted

    try:
        formula = database.formula(formula_id)
    except EfdgenError as problem:
        return Row(formula_id, (), (), None, error=_one_line(problem))
    program = lower(formula)
    try:
        database.require(formula)
    except EfdgenError as problem:
        error = _one_line(problem)
    else:
        error = ""
    return Row(
        formula_id,
        _assumptions(formula),
        formula.all_parameters,
        cost_of(formula, program),
        cost_of(formula, emitted(formula)),
        error,
    )


def _published_row(database: Database, formula_id: str) -> Row:
    try:
        code = database.three_operand(formula_id)
    except EfdgenError as problem:
        return Row(formula_id, (), (), None, error=_one_line(problem))
    formula, defect = code.formula, code.defect
    cost = count(lower(formula if defect is None else _completed(formula)))
    error = "" if defect is None else _one_line(defect)
    return Row(formula_id, _assumptions(formula), formula.all_parameters, cost, error=error)


def _completed(formula: Formula) -> Formula:
    """Let every name that defective code reads but never computes be 0, which costs nothing."""
    known = {*formula.all_parameters, *formula.input_names}
    missing = []
    for assignment in formula.assignments:
        missing += [name.text for name in names_in(assignment.value) if name.text not in known]
        known.add(assignment.target)
    missing += [name for name in formula.output_names if name not in known]
    zeros = (Assignment(name, Number(0)) for name in dict.fromkeys(missing))
    return replace(formula, assignments=(*zeros, *formula.assignments))


def _sorted(rows: Iterable[Row], weights: Weights) -> tuple[Row, ...]:
    """Sort by kind, then by weight; where it is the same, fewer operations and then the name come first."""

    def key(row: Row) -> tuple[object, ...]:
        if row.cost is None:
            return (row.kind, True, 0, 0, row.id)
        unproved = bool(row.error) and row.emitted is not None
        return (row.kind, unproved, weights.price(row.cost), sum(n for n, _ in row.cost.terms), row.id)

    return tuple(sorted(rows, key=key))


def _title(database: Database, system_id: str) -> str:
    try:
        system = database.system(system_id)
    except EfdgenError:
        return system_id
    return f"{system_id}: {system.title}, {system.model.title}"


def _assumptions(formula: Formula) -> tuple[str, ...]:
    of_map = formula.map.assumptions if formula.map else ()
    return tuple(print_equation(equation) for equation in (*of_map, *formula.assumptions))


def _one_line(error: EfdgenError) -> str:
    if isinstance(error, TextError):
        return f"{error.path}:{error.position.line}:{error.position.column}: {error.reason}"
    return str(error)

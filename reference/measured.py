"""Times that ``efdgen bench --json`` measured, by curve, system and formula of the database, for pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from efdgen.generator.curves.file import CurveFile
from efdgen.generator.curves.load import is_file, path_of_curve, read_curve
from efdgen.generator.errors import EfdgenError
from efdgen.generator.formulas.database import Database
from efdgen.generator.measuring.formats import ROWS
from efdgen.generator.measuring.records import read_records
from efdgen.generator.measuring.series import SERIES
from efdgen.generator.reading import read_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from efdgen.generator.curves.curve import Curve
    from efdgen.generator.measuring.records import Record

_REMEDY = "give a file that efdgen bench --json wrote"


class Subject(NamedTuple):
    """An operation on a curve in a coordinate system; ``formula`` is empty if it is not one formula."""

    curve: str
    system: str
    operation: str
    formula: str


class Timing(NamedTuple):
    """The time of an operation, by a machine and a compiler; cycles are None if they were not counted."""

    subject: Subject
    machine: str
    compiler: str
    nanoseconds: float
    cycles: float | None


class Times(NamedTuple):
    """The times of a machine: its compilers, and operations with a time by each, or None."""

    machine: str
    compilers: Sequence[str]
    rows: Sequence[tuple[Subject, Sequence[Timing | None]]]


def read_measured(paths: Iterable[Path]) -> list[Timing]:
    """Return the times of operations in files, those of series left out.

    Raises :class:`EfdgenError` for a file of anything else, for a curve, system or formula that the database
    does not have, and for an operation that a compiler is timed at twice.
    """
    found: dict[tuple[object, ...], tuple[Timing, Path]] = {}
    database = Database()
    for path in paths:
        for record in read_records(read_text(path), str(path), _REMEDY):
            if record.subject in SERIES:
                continue
            made = _timing(database, record, path)
            key = made.subject._replace(formula=""), made.machine, made.compiler
            if key in found:
                both = " and ".join(dict.fromkeys(map(str, (found[key][1], path))))
                raise EfdgenError(
                    f"{both}: {' '.join(key[0][:3])} is timed twice by {made.compiler}; give one"
                )
            found[key] = made, path
    return [made for made, _ in found.values()]


def times_of(measured: Iterable[Timing]) -> list[Times]:
    """Return times by machine, operations in the order of ``efdgen bench``."""
    machines: dict[str, list[Timing]] = {}
    for each in measured:
        machines.setdefault(each.machine, []).append(each)
    return [_times(machine, found) for machine, found in machines.items()]


def _times(machine: str, found: Sequence[Timing]) -> Times:
    compilers = list(dict.fromkeys(each.compiler for each in found))
    rows: dict[Subject, dict[str, Timing]] = {}
    for each in sorted(found, key=lambda each: ROWS.index(each.subject.operation)):
        rows.setdefault(each.subject, {})[each.compiler] = each
    return Times(
        machine, compilers, [(row, [by.get(name) for name in compilers]) for row, by in rows.items()]
    )


def _timing(database: Database, record: Record, path: Path) -> Timing:
    """Return a record with the names of the database."""
    system, _, other = record.system.partition(" of ")
    curve = _curve(other or record.curve, path)
    home = f"{curve.model}/{system.rpartition('/')[2]}"
    if record.subject not in ROWS or home not in database.systems(curve.model):
        what = f"{record.subject[:40]!r} in {home[:60]!r}"
        raise EfdgenError(f"{path}: efdgen bench times no {what}; {_REMEDY}")
    if record.formula and record.formula not in database.ids:
        raise EfdgenError(f"{path}: no formula is called {record.formula[:60]!r}; time the curve again")
    language = record.compiler.partition(",")[0]
    compiler = record.version if record.version.startswith(language) else f"{language}, {record.version}"
    subject = Subject(curve.name, home, record.subject, record.formula or "")
    return Timing(subject, record.machine, compiler, record.seconds[1] * 1e9, record.cycles)


def _curve(name: str, path: Path) -> Curve:
    """Return a curve of the database by any of its names."""
    if is_file(name):
        raise EfdgenError(f"{path}: times the curve of a file, {name[:60]!r}; put it into a --database")
    try:
        return read_curve(CurveFile.read(path_of_curve(name)))
    except EfdgenError as error:
        raise EfdgenError(f"{path}: {str(error)[:200]}") from None

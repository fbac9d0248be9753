"""Measurements as ``efdgen bench --json`` prints them, read again."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from efdgen.generator.errors import EfdgenError

if TYPE_CHECKING:
    from collections.abc import Mapping

_TEXTS = ("curve", "machine", "system", "compiler", "version")
_MOST = 1e18  # nanoseconds: three decades


@dataclass(frozen=True)
class Record:
    """The times of an operation, or of a series, in a coordinate system by a compiler.

    ``seconds`` are by size; an operation has the one size 1. It has ``cycles`` if the machine counts them,
    and the id of a ``formula`` if it is one.
    """

    curve: str
    machine: str
    system: str
    compiler: str
    version: str
    subject: str
    seconds: Mapping[int, float]
    cycles: float | None = None
    formula: str | None = None


_DRAWN = "efdgen bench --plot DIR --json prints what can be drawn"


def read_records(text: str, name: str, remedy: str = _DRAWN) -> list[Record]:
    """Return the measurements of a document, without those of other packages.

    Raises :class:`EfdgenError` for anything else, with the name of the document and what to do.
    """
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        raise EfdgenError(f"{name}: not JSON; {remedy}") from None
    if not isinstance(document, list) or not all(isinstance(row, dict) for row in document):
        raise EfdgenError(f"{name}: not a list of measurements; {remedy}")
    rows = [(number, row) for number, row in enumerate(document, 1) if "system" in row]
    if not rows:
        raise EfdgenError(f"{name}: no measurement of a coordinate system; {remedy}")
    found = []
    for number, row in rows:
        record = _record(row)
        if record is None:
            raise EfdgenError(f"{name}: measurement {number} is incomplete; {remedy}")
        found.append(record)
    return found


def _record(row: Mapping[str, object]) -> Record | None:
    """Return a measurement, None if a member is missing or of another type."""
    single = "operation" in row
    texts = [*(row.get(key) for key in _TEXTS), row.get("operation" if single else "series")]
    times = [row.get("nanoseconds")] if single else row.get("nanoseconds")
    sizes = [1] if single else row.get("sizes")
    if not (isinstance(sizes, list) and isinstance(times, list) and sizes and len(sizes) == len(times)):
        return None
    numbers = all(type(size) is int for size in sizes) and all(type(time) in {int, float} for time in times)
    if not numbers or not all(0 < number < _MOST for number in (*sizes, *times)):
        return None
    formula, cycles = (row.get("formula"), row.get("cycles")) if single else (None, None)
    if not all(isinstance(text, str) and text.isprintable() for text in (*texts, formula or "")):
        return None
    if cycles is not None and not (type(cycles) in {int, float} and 0 < cast("float", cycles) < _MOST):
        return None
    curve, machine, system, compiler, version, subject = cast("list[str]", texts)
    seconds = {size: time / 1e9 for size, time in zip(sizes, times, strict=True)}
    counted, known = cast("float | None", cycles), cast("str | None", formula)
    return Record(curve, machine, system, compiler, version, subject, seconds, counted, known)

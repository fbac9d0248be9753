"""The database as one file of SQLite."""

from __future__ import annotations

import json
import sqlite3
import tempfile
from contextlib import closing
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from efdgen.reference.costs import serving, terms
from efdgen.reference.export.schema import INDEXES, TABLES, VIEWS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

LICENCE = "MIT OR Apache-2.0 OR 0BSD"
_STAGES = ("equations", "program", "emitted_program")


def sqlite_bytes(document: Mapping[str, Any]) -> bytes:
    """Return the tables and views of a document as a file; equal documents give equal bytes."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "efdgen.sqlite"
        with closing(sqlite3.connect(path)) as base:
            for name, table in TABLES.items():
                columns = ", ".join(f'"{column.name}" {column.type}' for column in table.columns)
                base.execute(f'CREATE TABLE "{name}" ({columns})')
            for name, rows in _rows(document):
                marks = ",".join("?" * len(TABLES[name].columns))
                base.executemany(f'INSERT INTO "{name}" VALUES ({marks})', rows)
            for index in INDEXES:
                base.execute(f"CREATE INDEX {index.translate(str.maketrans('(, )', '____'))}i ON {index}")
            for name, (_, query) in VIEWS.items():
                base.execute(f"CREATE VIEW {name} AS {query}")
            base.commit()
            base.execute("VACUUM")
        return path.read_bytes()


def _rows(document: Mapping[str, Any]) -> Iterator[tuple[str, list[tuple[Any, ...]]]]:
    formulas = document["formulas"]
    about = {"schema": str(document["schema"]), "efdgen": document["efdgen"], "licence": LICENCE}
    yield "about", [*about.items()]
    for table in ("model", "system", "kind"):
        yield table, [_row(table, each) for each in document[f"{table}s"]]
    yield "formula", [_row("formula", each, _numbers(each)) for each in formulas]
    yield "serving", [(system["id"], f["id"]) for system, found in serving(document) for f in found]
    yield (
        "line",
        [
            (f["id"], stage, n, text)
            for f in formulas
            for stage in _STAGES
            for n, text in enumerate(f[stage], 1)
        ],
    )
    yield (
        "term",
        [
            (f["id"], stage, unit, count)
            for f in formulas
            for stage, key in (("published", "cost"), ("emitted", "emitted"))
            for unit, count in terms(f[key])
        ],
    )
    yield (
        "assumption",
        [(f["id"], text, text in f["own_assumptions"]) for f in formulas for text in f["assumptions"]],
    )
    yield (
        "exception",
        [
            (f["id"], text, representable)
            for f in formulas
            for name, representable in (("exceptions", 1), ("unrepresentable", 0))
            for text in f[name] or ()
        ],
    )
    yield "unreadable", [_row("unreadable", each) for each in document["unreadable"]]
    yield "source", [_row("source", each) for each in document["sources"]]
    yield "author", [(each["key"], name) for each in document["sources"] for name in each["authors"]]
    yield "citation", [(f["id"], key) for f in formulas for key in f["citations"]]
    yield "map", [(each["id"], json.dumps(each)) for each in document["maps"]]
    yield (
        "curve",
        [(each["name"], each["model"], each["bits"], json.dumps(each)) for each in document["curves"]],
    )


def _row(table: str, member: Mapping[str, Any], computed: Mapping[str, Any] | None = None) -> tuple[Any, ...]:
    """Return a row of values that SQLite has; lists and objects become JSON."""
    known = computed or {}
    values = (
        known[column.name] if column.name in known else member[column.member]
        for column in TABLES[table].columns
    )
    return tuple(json.dumps(value) if isinstance(value, list | dict) else value for value in values)


def _numbers(formula: Mapping[str, Any]) -> dict[str, Any]:
    """Return the columns of a formula that are computed from its costs."""
    emitted = formula["emitted"]
    weights = [float(Fraction(weight)) for weight in formula["weights"].values()]
    names = ("weight_1", "weight_08", "weight_067")
    return {
        "published": formula["cost"]["text"],
        "emitted": emitted["text"],
        "additions": emitted["add"],
        **{unit: emitted[unit] for unit in ("M", "S", "I")},
        **dict(zip(names, [*weights, None][:3], strict=True)),
    }

"""The precomputed multiples of a generator in Rust, as words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from efdgen.generator.fields.printed import TableText
from efdgen.generator.planning.tables import fixed_tables, words_of
from efdgen.generator.text.rust import filled, hexadecimal

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from efdgen.generator.fields.claims import Claims
    from efdgen.generator.fields.field import Representation
    from efdgen.generator.planning.plan import CurvePlan
    from efdgen.generator.planning.quotients import Coordinates


def table_values(
    plan: CurvePlan, members: Sequence[str], build: Representation, claims: Claims
) -> dict[str, Any]:
    """Return what the templates print of the tables in one size of words; entries have these members."""
    half, tables = 1 << (plan.generator.comb.teeth - 1), fixed_tables(plan)
    for name, rows in tables.items():
        path = f"src/tables{build.word}.rs"
        claims.announce(TableText("rust", (path,), name.upper(), build.word, words_of(rows, build)))

    def blocks(rows: Sequence[Coordinates], size: int = half) -> list[list[str]]:
        return [_entries(build, rows[at : at + size], 8) for at in range(0, len(rows), size)]

    return {
        "build": build,
        "arguments": ", ".join(f"{member}: Words" for member in members),
        "blocks": blocks(tables["comb"]),
        "second_blocks": blocks(tables.get("second", [])),
        "odd_rows": _entries(build, tables["odd"], 8),
        "odd_count": len(tables["odd"]),
        "half_blocks": blocks(tables["half"], len(tables["half"]) // 2) if plan.half else [],
        "half_count": len(tables.get("half", [])) // 2,
    }


def _entries(build: Representation, rows: Iterable[Coordinates], indent: int) -> list[str]:
    """Return calls that make entries of words, broken where they are too long for a line."""
    found = []
    for row in rows:
        words = [[hexadecimal(word, build.word // 4) for word in build.element(value)] for value in row]
        text = ", ".join(f"[{', '.join(items)}]" for items in words)
        found += filled(f"entry({text}),", indent)
    return found

"""The table of mutants: of each kind, how many were refused by what."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from mutants.__main__ import Outcome

COLUMNS = ("proof", "generator", "compiler", "tests", "equivalent", "survived")
HEADS = ("by a proof", "by the generator", "by a compiler", "by tests", "equivalent", "survived")
BEGIN, END = "<!-- mutants -->\n", "<!-- end of mutants -->\n"


def table(found: Sequence[Outcome]) -> str:
    """Return a Markdown table, a row for each kind and one for all."""
    kinds = list(dict.fromkeys(one.kind for one in found))
    rows = [(kind, [one for one in found if one.kind == kind]) for kind in kinds]
    lines = [
        f"| edits of | number | {' | '.join(HEADS)} |",
        "|---|" + "---:|" * (len(COLUMNS) + 1),
    ]
    for title, ones in [*rows, ("all", list(found))]:
        count = Counter(one.verdict for one in ones)
        cells = [title, len(ones), *(count[column] for column in COLUMNS)]
        lines.append("| " + " | ".join(map(str, cells)) + " |")
    return "\n".join(lines) + "\n"


def write_table(page: Path, seed: int, count: int, found: Sequence[Outcome]) -> None:
    """Replace the table on a page, between its marks."""
    before, mark, rest = page.read_text(encoding="utf-8").partition(BEGIN)
    _, end, after = rest.partition(END)
    assert mark, f"{page} has no {BEGIN.strip()}"
    assert end, f"{page} has no {END.strip()}"
    said = f"`make mutants SEED={seed} COUNT={count}`\n\n"
    page.write_text(f"{before}{BEGIN}{said}{table(found)}{END}{after}", encoding="utf-8")

"""The public names of a Python module: its ``__all__``."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


def with_exports(text: str) -> str:
    """Return the text of a module with ``__all__`` after its imports: all that it defines, but no import."""
    statements = ast.parse(text).body
    imports = [s for s in statements if isinstance(s, ast.Import | ast.ImportFrom)]
    names = {name for statement in statements for name in _defined(statement) if not name.startswith("_")}
    lines = text.split("\n")
    end = (imports or statements[:1])[-1].end_lineno or 0
    listed = ["", "__all__ = [", *(f'    "{name}",' for name in in_order(names)), "]"]
    return "\n".join([*lines[:end], *listed, *lines[end:]])


def in_order(names: Iterable[str]) -> list[str]:
    """Return names in the order that linters ask for: constants, classes, functions."""

    def key(name: str) -> tuple[bool, bool, list[tuple[bool, int, str]]]:
        constant = len(name) > 1 and name.isupper()
        parts = [(p.isdigit(), int(p) if p.isdigit() else 0, p) for p in re.split(r"(\d+)", name) if p]
        return not constant, not name[0].isupper(), parts

    return sorted(names, key=key)


def _defined(statement: ast.stmt) -> Iterator[str]:
    match statement:
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
        case ast.Assign(targets=targets):
            yield from (t.id for target in targets for t in ast.walk(target) if isinstance(t, ast.Name))
        case ast.AnnAssign(target=ast.Name(id=name)):
            yield name

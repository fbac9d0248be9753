"""Writing an upstream-style tree as the normalised files that ``efd/`` keeps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from efdgen.generator.errors import EfdgenError
from efdgen.generator.language.printer import print_document
from efdgen.generator.reader import formula_statements, model_statements, system_statements
from efdgen.generator.upstream import respell

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from efdgen.generator.database import Database
    from efdgen.generator.language.syntax import Statement


@dataclass(frozen=True)
class Imported:
    """What became of one file: where it goes in the tree, and its text, or why there is none."""

    path: str
    text: str | None
    reason: str = ""


def import_tree(database: Database) -> Iterator[Imported]:
    """Yield every model, system and formula of a tree in normalised form; a defect ends one file only."""
    systems = sorted({name.rsplit("/", 2)[0] for name in database.ids})
    for model in sorted({name.rpartition("/")[0] for name in systems}):
        yield _imported(f"{model}/coordinates", lambda i=model: model_statements(database.model(i)))
    for system in systems:
        yield _imported(f"{system}/variables", lambda i=system: system_statements(database.system(i)))
    for formula in database.ids:
        yield _imported(formula, lambda i=formula: formula_statements(database.formula(i)))


def _imported(path: str, load: Callable[[], list[Statement]]) -> Imported:
    try:
        return Imported(path, print_document(respell(load())))
    except EfdgenError as error:
        return Imported(path, None, str(error))

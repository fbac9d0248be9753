"""Conversion of an upstream-style tree to the normalised files of ``efd/``."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from efdgen.generator.errors import EfdgenError, TextError
from efdgen.generator.formulas.reader import formula_statements, model_statements, system_statements
from efdgen.generator.formulas.upstream import respell
from efdgen.generator.language.parser import parse_document
from efdgen.generator.language.printer import print_document
from efdgen.generator.output import write_files
from efdgen.generator.progress import each
from efdgen.generator.reading import read_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from efdgen.generator.formulas.database import Database
    from efdgen.generator.language.syntax import Statement


@dataclass(frozen=True)
class Imported:
    """The result for one file: its place in the tree, and its text, or the reason why it has none."""

    path: str
    text: str | None
    reason: str = ""


def import_tree(database: Database) -> Iterator[Imported]:
    """Yield every model, system and formula of a tree in normalised form; a defect ends one file only."""
    systems = sorted({name.rsplit("/", 2)[0] for name in database.ids})
    models = sorted({name.rpartition("/")[0] for name in systems})
    files = [(name, "coordinates") for name in models]
    files += [(name, "variables") for name in systems]
    files += [(name, "") for name in database.ids]
    for name, part in each(files, len(files), "reading", lambda file: file[0]):
        yield _imported(database, name, part)


def write_tree(imported: Iterable[Imported], directory: Path) -> int:
    """Write the files that could be imported, all or none; return how many are new.

    A file that is there already with the same text is left alone. Raises :class:`EfdgenError` where another
    text is in the way, or a file cannot be written.
    """
    files = {file.path: file.text for file in imported if file.text is not None}
    new = {path: text for path, text in files.items() if not _holds(directory / path, text)}
    return len(write_files(directory, new))


def report(imported: Iterable[Imported]) -> list[str]:
    """Return why files could not be imported, once each, and how many other files that stops."""
    stopped: dict[str, int] = {}
    for file in imported:
        if file.text is None:
            stopped[file.reason] = stopped.get(file.reason, 0) + 1
    return [
        reason if count == 1 else f"{reason}\n  {count - 1} more files cannot be used without it"
        for reason, count in stopped.items()
    ]


def compared(imported: Iterable[Imported], ours: Database) -> list[str]:
    """Return a line for each file whose text is not that in force, and a summary; values are not compared."""
    states = {file.path: _state(file, ours) for file in imported if file.text is not None}
    count = Counter(states.values())
    lines = [f"{state:10} {path}" for path, state in states.items() if state != "same text"]
    summary = ", ".join(f"{count[state]} {state}" for state in ("same text", "other text", "new"))
    return [*lines, f"beside the files in force: {summary}"]


def objects(imported: Iterable[Imported], ours: Database) -> list[dict[str, str]]:
    """Return the files as JSON objects; the state of one that cannot be used is ``error``."""
    return [
        {"path": file.path, "state": _state(file, ours), **({"reason": file.reason} if file.reason else {})}
        for file in imported
    ]


def _state(file: Imported, ours: Database) -> str:
    """Say how a file's text is to that in force."""
    if file.text is None:
        return "error"
    if not ours.layers.has(file.path):
        return "new"
    return "same text" if file.text == ours.layers.text(file.path) else "other text"


def _imported(database: Database, name: str, part: str) -> Imported:
    path = f"{name}/{part}" if part else name
    try:
        text = _printed(_statements(database, name, part))
    except EfdgenError as error:
        reason = str(error)
        named = reason.startswith(tuple(map(str, database.layers.roots)))
        place = "" if named else f"{database.path(path)}: "
        return Imported(path, None, place + reason)
    return Imported(path, text)


def imported_formula(database: Database, formula_id: str) -> list[Statement]:
    """Return a formula of a published tree in normalised form; raise :class:`EfdgenError` for a defect."""
    return _statements(database, formula_id, "")


def _statements(database: Database, name: str, part: str) -> list[Statement]:
    match part:
        case "coordinates":
            return respell(model_statements(database.model(name)))
        case "variables":
            return respell(system_statements(database.system(name)))
        case _:
            formula = database.formula(name)
            names = {*formula.all_parameters, *formula.input_names, *formula.output_names}
            return respell(formula_statements(formula), names)


def _printed(statements: list[Statement]) -> str:
    text = print_document(statements)
    try:
        same = parse_document(text) == statements
    except TextError:
        same = False
    if not same:
        raise EfdgenError("a text in this file, or a name that is missing, has no normalised form")
    return text


def _holds(path: Path, text: str) -> bool:
    try:
        return read_text(path, regular=True) == text
    except EfdgenError:
        return False

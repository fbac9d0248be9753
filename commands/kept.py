"""Answers of commands, cached under everything on which they depend.

An answer is cached only if it was made without an error, from files that did not change meanwhile. Its notes
and warnings are cached with it, and printed again. With ``--verbose``, which reports what is proved, every
answer is made again.
"""

from __future__ import annotations

import base64
import json
import logging
import os
import shutil
import sys
import zlib
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from efdgen.generator.errors import EfdgenError
from efdgen.generator.formulas.layers import BUILT_IN, Layers, layers
from efdgen.generator.reading import read_bytes
from efdgen.verify import store
from efdgen.verify.effort import scaled

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

_log = logging.getLogger("efdgen")
# Every place in a tree of formulas from which an answer may read.
_PLACES = ("g*/*/*", "g*/*/*/*", "g*/*/*/*/*", "kinds/*", "curves/*", "hosts/*")


def kept_files(
    command: str, options: Mapping[str, Any], make: Callable[[dict[str, Any]], tuple[Path, dict[str, str]]]
) -> tuple[Path, dict[str, str]]:
    """Return the default directory of a command line's files, and their texts, made or cached.

    The files that the options name are inputs too, and so is whether an option was given.
    """
    context = click.get_current_context()
    given = {name: str(context.get_parameter_source(name)) for name in options}
    named = [value for value in options.values() if isinstance(value, str | Path)]
    inputs = (command, sorted(options.items()), sorted(given.items()))

    def answer() -> tuple[str, dict[str, str]]:
        directory, files = make(dict(options))
        return str(directory), files

    directory, files = kept_answer(inputs, answer, files=named)
    return Path(directory), files


def kept_answer(
    inputs: Sequence[object],
    make: Callable[[], Any],
    keep: Callable[[Any], bool] = lambda _: True,
    files: Sequence[str | Path] = (),
) -> Any:  # noqa: ANN401 - an answer is any value that JSON represents
    """Return an answer that depends on inputs, on files, on the databases in force, and on the package.

    ``keep`` decides whether an answer may be cached. An answer on a pipe or a device is not cached: its
    content is another each time.
    """
    if _log.isEnabledFor(logging.DEBUG) or any(map(_is_stream, files)):
        return make()

    def key() -> str:
        contents, volume = [_content(name) for name in files], _log.getEffectiveLevel()
        return store.answer_key(repr((*inputs, contents, volume, scaled(1))), *_databases(layers()))

    name = key()
    found = _unpacked(store.load(name))
    if found is not None:
        for logger, level, text in found["notes"]:
            logging.getLogger(logger).log(level, "%s", text)
        return found["answer"]
    with _noted() as notes:
        answer = make()
    if keep(answer) and key() == name:
        packed = zlib.compress(json.dumps({"answer": answer, "notes": notes}).encode())
        store.store(name, base64.b85encode(packed).decode())
    return answer


def kept_text(
    inputs: Sequence[object],
    make: Callable[[], Any],
    keep: Callable[[Any], bool] = lambda _: True,
    files: Sequence[str | Path] = (),
) -> Any:  # noqa: ANN401 - as above
    """Return an answer as :func:`kept_answer` does, whose text depends on the terminal too."""
    variables = [os.environ.get(name) for name in ("COLUMNS", "FORCE_COLOR", "NO_COLOR", "TERM")]
    terminal = (sys.stdout.isatty(), tuple(shutil.get_terminal_size()), variables)
    return kept_answer((*inputs, terminal), make, keep, files)


def _unpacked(value: object) -> dict[str, Any] | None:
    """Return a cached answer with its notes; the store has checked its seal."""
    if not isinstance(value, str):
        return None
    found: dict[str, Any] = json.loads(zlib.decompress(base64.b85decode(value)))
    return found


def _databases(tree: Layers) -> Iterator[str]:
    """Yield the directories of the user that are in force, and a hash of each file in them."""
    for root in tree.roots:
        if root != BUILT_IN:
            yield str(root.absolute())
            own = Layers((root,))
            for path in (path for place in _PLACES for path in own.glob(place).values()):
                yield f"{path} {_content(path)!r}"


def _is_stream(name: str | Path) -> bool:
    """Return whether a name is one of a pipe, a socket or a device."""
    with suppress(OSError, ValueError):
        return not (Path(name).is_file() or Path(name).is_dir()) and Path(name).exists()
    return False


def _content(name: str | Path) -> bytes | str:
    """Return the content of a regular file; of anything else, why it cannot be read."""
    try:
        return read_bytes(name, regular=True)
    except (EfdgenError, ValueError) as error:
        return str(error)


class _Notes(logging.Handler):
    """Collects notes and warnings while an answer is made."""

    def __init__(self, notes: list[tuple[str, int, str]]) -> None:
        super().__init__(logging.INFO)
        self._notes = notes

    def emit(self, record: logging.LogRecord) -> None:
        self._notes.append((record.name, record.levelno, record.getMessage()))


@contextmanager
def _noted() -> Iterator[list[tuple[str, int, str]]]:
    """Yield a list of the notes and warnings that are printed meanwhile."""
    notes: list[tuple[str, int, str]] = []
    handler = _Notes(notes)
    _log.addHandler(handler)
    try:
        yield notes
    finally:
        _log.removeHandler(handler)

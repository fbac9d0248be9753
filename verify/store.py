"""The cache of proofs and answers, as files with a seal and JSON, under keys of all their dependencies.

The key of a proof has three hashes: of the claim, of all modules and grammars that its prover imports, and of
the versions of Python, Sage, Singular, FLINT and Z3, as far as the prover uses them. The key of an answer
of a command is a hash of its inputs, of every file of the package, and of all these versions. Every file has
a seal, a hash of its key and value: a file that was edited, damaged or renamed is reported and ignored.

Files are in ``EFDGEN_CACHE``, or in ``efdgen`` below ``XDG_CACHE_HOME``, or in ``~/.cache/efdgen``; where
that cannot be written, nothing is kept. Proofs of the built-in database are part of the package
(:mod:`efdgen.verify.shipped`); they are looked up by the claim and the files, for any versions.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import sys
import tempfile
from contextlib import suppress
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from efdgen.generator.errors import EfdgenError
from efdgen.generator.reading import read_bytes
from efdgen.verify import shipped
from efdgen.verify.files import write_whole
from efdgen.verify.imports import Closure, Package

if TYPE_CHECKING:
    from collections.abc import Iterable

    from _typeshed import DataclassInstance

# Files whose names show a package's installed version, by the name that is imported.
_INSTALLED = {
    "sage": ("passagemath_*.dist-info", "passagemath_singular.libs/libSingular-*"),
    "flint": ("python_flint-*.dist-info",),
    "z3": ("z3_solver-*.dist-info",),
    "lark": ("lark-*.dist-info",),
    "jinja2": ("jinja2-*.dist-info",),
}
_PACKAGE = Path(__file__).resolve().parent.parent
_IMPORTS = "imports"
_SUFFIX = ".kept"
# The parts of the package on which an answer may depend; tests and documents are no parts of it.
_PARTS = ("__init__.py", "api", "cli.py", "commands", "efd", "generator", "reference", "templates", "verify")
_log = logging.getLogger(__name__)


class Digest(NamedTuple):
    """Hashes of the files on which verdicts depend, and of installed versions of other packages."""

    files: str
    versions: str


def key(prover: str, *claim: str) -> str:
    """Return the key of a claim that a module proves; ``prover`` is the module's dotted name."""
    return joined(_hash(prover, *claim), fingerprint(prover))


def joined(claim: str, *provers: Digest) -> str:
    """Return the key of the hash of a claim, and of the digests of its provers."""
    files, versions = (_hash(*parts) for parts in zip(*provers, strict=True))
    return f"{claim[:32]}-{files[:16]}-{versions[:16]}"


def _hash(*texts: str) -> str:
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()


@cache
def fingerprint(prover: str) -> Digest:
    """Return hashes of everything but the claim on which the verdict of a module depends."""
    package, imports = _package()
    known = len(imports)
    found = digest(package.closure(prover))
    if len(imports) > known:
        store(_IMPORTS, imports)
    return found


def answer_key(*inputs: str) -> str:
    """Return the key of an answer that depends on its inputs and on anything in the package."""
    return _hash("answer", _everything(), *inputs)


@cache
def _everything() -> str:
    """Return a hash of all files of the package, of Python, and of installed versions of other packages."""
    files: dict[str, str] = {}
    pending = [str(_PACKAGE / part) for part in _PARTS]
    while pending:
        path = pending.pop()
        if not os.path.isdir(path):
            files[os.path.relpath(path, _PACKAGE)] = hashlib.sha256(Path(path).read_bytes()).hexdigest()
        elif not path.endswith("__pycache__"):
            pending += [entry.path for entry in os.scandir(path)]
    return repr(digest(Closure(dict(sorted(files.items())), frozenset(_INSTALLED))))


@cache
def _package() -> tuple[Package, dict[str, list[str]]]:
    """Return this package, and the known imports of its texts."""
    known = load(_IMPORTS)
    imports: dict[str, list[str]] = known if isinstance(known, dict) else {}
    return Package(_PACKAGE, imports), imports


def digest(closure: Closure) -> Digest:
    """Return hashes of the files of a closure, of Python, and of installed versions of other packages."""
    parts = closure.files, versions(closure.others)
    return Digest(*(hashlib.sha256(json.dumps(part).encode()).hexdigest() for part in parts))


def versions(packages: Iterable[str] = tuple(_INSTALLED)) -> list[str]:
    """Return the version of Python, and the files that show versions of some packages."""
    known = sorted(_INSTALLED.keys() & set(packages))
    python = f"{sys.implementation.name} {sys.version}"
    return [python, *(name for package in known for name in (package, *installed(package)))]


@cache
def installed(package: str) -> list[str]:
    """Return the installed files of a package that have versions in their names."""
    folders = dict.fromkeys(map(Path, sys.path))
    return sorted(p.name for folder in folders for glob in _INSTALLED[package] for p in folder.glob(glob))


def prove_again() -> None:
    """Find nothing from now on, in this process and those that it starts; new results are still stored."""
    global _again  # noqa: PLW0603 - one decision for the whole run, like the command line that makes it
    _again = True


_again = False


def load(name: str) -> Any:  # noqa: ANN401 - whatever was stored
    """Return the value under a key, or None; report once a file in the cache that is not as it was stored."""
    if _again:
        return None
    found = _loaded(name)
    return shipped.value(name) if found is None else found


def _loaded(name: str) -> Any:  # noqa: ANN401 - as above
    """Return the value under a key in the cache, or None."""
    with suppress(RuntimeError):
        path = _directory() / f"{name}{_SUFFIX}"
        try:
            return _opened(name, read_bytes(path, regular=True), path)
        except EfdgenError as error:
            if path.exists():
                _say_unkept(path, str(error))
    return None


def _opened(name: str, data: bytes, path: Path) -> Any:  # noqa: ANN401 - any value that JSON represents
    """Return the value in a file; None, with a warning, if its seal does not fit its key and value."""
    seal, _, value = data.partition(b"\n")
    if seal.decode("ascii", "replace") == seal_of(name, value):
        with suppress(ValueError, RecursionError):
            return json.loads(value)
    if _EDITED not in _told:
        _told.add(_EDITED)
        _log.warning("%s was edited or damaged; it is ignored, as are all such files of the cache", path)
    return None


def fields_of(value: DataclassInstance) -> dict[str, Any]:
    """Return the fields of a dataclass by name, without those that have their default, to be stored."""
    return {
        each.name: plain for each in fields(value) if (plain := getattr(value, each.name)) != each.default
    }


def seal_of(name: str, value: bytes) -> str:
    """Return a hash of a key and of the value that is stored under it."""
    return hashlib.sha256(b"\0".join((name.encode(), value))).hexdigest()


def store(name: str, value: object) -> None:
    """Keep a value under a key; where that cannot be written, nothing is kept."""
    with suppress(RuntimeError):
        directory = _directory()
        if _is_writable(directory):
            text = json.dumps(value)
            try:
                write_whole(directory / f"{name}{_SUFFIX}", f"{seal_of(name, text.encode())}\n{text}")
            except EfdgenError as error:
                _say_unkept(directory, str(error))


@cache
def _is_writable(directory: Path) -> bool:
    """Return whether files can be written to a directory, made if missing; report a failure once."""
    try:
        directory.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=directory).close()
    except OSError as error:
        _say_unkept(directory, f"{directory}: {error.strerror or type(error).__name__}")
        return False
    return True


_told: set[Path] = set()
_EDITED = Path()  # in _told for all edited files


def _say_unkept(path: Path, reason: str) -> None:
    """Report, once of a directory or file, that nothing is cached in it."""
    if path not in _told:
        _told.add(path)
        _log.warning("results are not cached: %s; set EFDGEN_CACHE to a directory", reason)


def _directory() -> Path:
    """Return where things are kept; raise RuntimeError if there is no home directory."""
    chosen = os.environ.get("EFDGEN_CACHE")
    if chosen:
        return Path(chosen)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache", "efdgen")

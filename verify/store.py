"""The cache of proofs, as JSON files, under keys of all their dependencies.

A key is a hash of the claim, of all modules and grammars that its prover imports, and of the versions of
Python, Sage, Singular and Z3, as far as the prover uses them. Files are in ``EFDGEN_CACHE``, or in ``efdgen``
below ``XDG_CACHE_HOME``, or in ``~/.cache/efdgen``; where that cannot be written, nothing is kept.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import sys
import tempfile
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from efdgen.generator.errors import EfdgenError
from efdgen.generator.reading import read_bytes
from efdgen.verify.files import write_whole
from efdgen.verify.imports import Package

if TYPE_CHECKING:
    from efdgen.verify.imports import Closure

# What is installed of a package, by the name that is imported: files beside it whose names have versions.
_INSTALLED = {
    "sage": ("passagemath_*.dist-info", "passagemath_singular.libs/libSingular-*"),
    "z3": ("z3_solver-*.dist-info",),
    "lark": ("lark-*.dist-info",),
}
_PACKAGE = Path(__file__).resolve().parent.parent
_IMPORTS = "imports"
_log = logging.getLogger(__name__)


def key(prover: str, *claim: str) -> str:
    """Return the key of a claim that a module proves; ``prover`` is the module's dotted name."""
    return hashlib.sha256("\0".join((fingerprint(prover), *claim)).encode()).hexdigest()


@cache
def fingerprint(prover: str) -> str:
    """Return a hash of everything but the claim on which the verdict of a module depends."""
    package, imports = _package()
    known = len(imports)
    found = digest(package.closure(prover))
    if len(imports) > known:
        store(_IMPORTS, imports)
    return found


@cache
def _package() -> tuple[Package, dict[str, list[str]]]:
    """Return this package, and what is known of what its texts import."""
    known = load(_IMPORTS)
    imports: dict[str, list[str]] = known if isinstance(known, dict) else {}
    return Package(_PACKAGE, imports), imports


def digest(closure: Closure) -> str:
    """Return a hash of the files of a closure, of Python, and of what is installed of other packages."""
    python = f"{sys.implementation.name} {sys.version}"
    others = {package: installed(package) for package in sorted(closure.others & _INSTALLED.keys())}
    return hashlib.sha256(json.dumps([python, closure.files, others]).encode()).hexdigest()


@cache
def installed(package: str) -> list[str]:
    """Return what is installed of a package, by names that have versions in them."""
    folders = dict.fromkeys(map(Path, sys.path))
    return sorted(p.name for folder in folders for glob in _INSTALLED[package] for p in folder.glob(glob))


def load(name: str) -> Any:  # noqa: ANN401 - whatever was stored
    """Return the value under a key, or None; report once a file in the cache that is no file."""
    with suppress(RuntimeError, ValueError):
        path = _directory() / f"{name}.json"
        try:
            return json.loads(read_bytes(path, regular=True))
        except EfdgenError as error:
            if path.exists():
                _say_unkept(path, str(error))
    return None


def store(name: str, value: object) -> None:
    """Keep a value under a key; where that cannot be written, nothing is kept."""
    with suppress(RuntimeError):
        directory = _directory()
        if _is_writable(directory):
            try:
                write_whole(directory / f"{name}.json", json.dumps(value))
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


def _say_unkept(path: Path, reason: str) -> None:
    """Report, once of a directory or file, that nothing is cached in it."""
    if path not in _told:
        _told.add(path)
        _log.warning("proofs are not cached: %s; set EFDGEN_CACHE to a directory", reason)


def _directory() -> Path:
    """Return where things are kept; raise RuntimeError if there is no home directory."""
    chosen = os.environ.get("EFDGEN_CACHE")
    if chosen:
        return Path(chosen)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache", "efdgen")

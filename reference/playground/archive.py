"""The archive that the playground unpacks: the modules that its entry imports, and the built-in database."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from importlib.metadata import PackageNotFoundError, distribution, packages_distributions
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from efdgen.generator.formulas.layers import BUILT_IN
from efdgen.reference.playground.store import FILE
from efdgen.verify import shipped, store
from efdgen.verify.imports import Package

if TYPE_CHECKING:
    from collections.abc import Iterator

ENTRY = "efdgen.reference.playground.entry"
_NAME = "efdgen"
_PACKAGE = Path(__file__).resolve().parents[2]
_HERE = Path(__file__).resolve().parent
_STAND_INS = {
    "__init__.py": _HERE / "__init__.py",
    "verify/children.py": _HERE / "children.py",
    "verify/store.py": _HERE / "store.py",
}
"""Modules that others replace: a browser has no API, no other processes, and no cache of files."""

_ANSWERS, _SINGULAR = f"verify/{FILE.name}", "efdgen.verify.laws.singular"

_ELSEWHERE = {"flint", "rich", "sage"}
"""Packages that are not packed: FLINT is a part, rich draws on terminals, and Sage is missing there."""

_EPOCH = (1980, 1, 1, 0, 0, 0)


def archive() -> bytes:
    """Return a zip of the browser's packages, from which Python imports; equal sources give equal bytes."""
    files = {**_own(), **_answers(), **_database(), **_metadata()}
    for package in sorted(_packages()):
        files.update(_distribution(package))
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as file:
        for name in sorted(files):
            file.writestr(zipfile.ZipInfo(name, _EPOCH), files[name], zipfile.ZIP_DEFLATED, 9)
    return packed.getvalue()


def _closure() -> tuple[frozenset[str], frozenset[str]]:
    """Return the files that the entry imports, and packages of others, with stand-ins in their places."""
    known: dict[str, list[str]] = {}
    for name, path in _STAND_INS.items():
        Package(_PACKAGE, known).closure(_module(path))  # adds its imports to the known ones
        known[_digest(_PACKAGE / name)] = known[_digest(path)]
    found = Package(_PACKAGE, known).closure(ENTRY)
    return frozenset(found.files), found.others


def _module(path: Path) -> str:
    """Return the dotted name of a module of this package."""
    return ".".join([_NAME, *path.relative_to(_PACKAGE).with_suffix("").parts]).removesuffix(".__init__")


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _own() -> dict[str, bytes]:
    """Return the modules that the entry imports, and the grammars that they read."""
    found = {f"{_NAME}/{name}": (_PACKAGE / name).read_bytes() for name in _closure()[0]}
    return found | {f"{_NAME}/{name}": path.read_bytes() for name, path in _STAND_INS.items()}


def _answers() -> dict[str, bytes]:
    """Return the shipped answers of Singular, which an installation without Sage has too."""
    known = shipped.shipped()
    found = {}
    if store.key(_SINGULAR).split("-")[1] in known.provers:
        values = {claim: json.loads(text) for claim, text in known.verdicts.items()}
        found = {claim: value for claim, value in values.items() if isinstance(value, bool)}
    return {f"{_NAME}/{_ANSWERS}": json.dumps(found).encode()}


def _database() -> dict[str, bytes]:
    paths = (path for path in BUILT_IN.rglob("*") if path.is_file() and path.suffix != ".md")
    return {f"{_NAME}/{path.relative_to(_PACKAGE).as_posix()}": path.read_bytes() for path in paths}


def _metadata() -> dict[str, bytes]:
    """Return the metadata of this installation, from which messages name what is missing."""
    try:
        own = distribution(_NAME)
    except PackageNotFoundError:  # a clone that is not installed
        return {}
    head = (own.read_text("METADATA") or "").partition("\n\n")[0]
    return {f"{_NAME}-{own.version}.dist-info/METADATA": f"{head}\n".encode()}


def _packages() -> Iterator[str]:
    """Yield the distributions of packages of others that the entry imports."""
    known = packages_distributions()
    for name in _closure()[1] - _ELSEWHERE:
        yield from known.get(name, ())


def _distribution(name: str) -> dict[str, bytes]:
    """Return the installed files of a distribution, its licence too."""
    found = {}
    for path in distribution(name).files or ():
        inside = PurePosixPath(path)
        if ".." not in inside.parts and inside.suffix != ".pyc" and inside.name != "RECORD":
            found[str(inside)] = Path(str(path.locate())).read_bytes()
    return found

"""The content of directories: kernels, whole curves and fields, as described by their headers."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

from efdgen.generator.compile import Request, make_bundle
from efdgen.generator.curves.load import checked_curve
from efdgen.generator.errors import EfdgenError
from efdgen.generator.exports.export import FACTS, exports
from efdgen.generator.fields.request import FieldRequest
from efdgen.generator.formulas.layers import layers, over
from efdgen.generator.header import MARK, read_header
from efdgen.generator.options import TABLE
from efdgen.generator.reading import read_text
from efdgen.verify.vectors.field_subjects import PROGRAMS, field_subjects
from efdgen.verify.vectors.subjects import FoundationProver, Subject
from efdgen.verify.vectors.whole_curve import WholeCurve
from efdgen.verify.vectors.whole_subjects import WholeSubject, point_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from efdgen.generator.exports.export import Export
    from efdgen.generator.formulas.database import Database
    from efdgen.generator.header import Header
    from efdgen.generator.options import Language
    from efdgen.verify.vectors.field_subjects import FieldSubject

_FORMULA = re.compile(r"^\s*(?:#|//|\*)\s+((?:g1p|g12o)/\S+) sha256:", re.M)
# Options of a header that do not change what is tested: how files are written, and for which project.
_ELSEWHERE = ("formulas", "target", "tuning", "api", "crate_name", "crate_version")
_ASKED = {row.flag: row.name for row in TABLE.values() if row.name not in _ELSEWHERE}

_Asked = TypeVar("_Asked", Request, FieldRequest)


@dataclass(frozen=True)
class _Printed(Generic[_Asked]):
    """A request, in any language, and the resulting files in each."""

    request: _Asked
    files: dict[Language, Mapping[str, str]]


def directory_subjects(
    database: Database, directories: Sequence[Path]
) -> list[Subject | WholeSubject | FieldSubject]:
    """Return what is in directories with a driver or test programs, the languages of each together.

    The command in its headers tells what it is. Raises :class:`EfdgenError` for a directory without
    generated code.
    """
    curves: list[_Printed[Request]] = []
    fields: list[_Printed[FieldRequest]] = []
    found: dict[Path, None] = {}
    for folder in _all_folders(directories):
        files = _read_files(folder)
        header = _header(files, folder)
        options, databases = header.located(folder)
        found |= dict.fromkeys(databases)
        if header.kind == "field":
            _add(fields, _field_request(options), files)
        else:
            _add(curves, _request(options, files), files)
    with over([*found]):
        database = database.over(layers())
        return [
            *(subject for printed in curves for subject in _curve_subjects(database, printed)),
            *(each for printed in fields for each in field_subjects(printed.request, printed.files)),
        ]


def _curve_subjects(database: Database, printed: _Printed[Request]) -> Iterator[Subject | WholeSubject]:
    """Yield the kernels of a curve; or a whole curve, and its protocols where they can be built here."""
    request, files = printed.request, printed.files
    curve = checked_curve(request.curve)
    if request.set == "kernels":
        yield Subject(curve.name, make_bundle(database, request, FoundationProver()), files, curve)
        return
    second = point_of(request.second, curve)
    whole = WholeSubject(
        curve.name, WholeCurve.of(curve, database, _exports(files, curve.model), second), files
    )
    yield from whole.all_parts()


def _exports(files: Mapping[Language, Mapping[str, str]], model: str) -> tuple[Export, ...]:
    """Return the functions that drivers answer for: of the model, and with their names in quotes."""
    others = {"edwards", "embedding"} if model.endswith("/shortw") else {"shortw"}
    facts = {"ladder"} if model == "g1p/montgom" else FACTS - {"ladder"} - others
    texts = [text for found in files.values() for text in found.values()]
    return tuple(e for e in exports(facts) if any(f'"{e.name}"' in text for text in texts))


def _add(found: list[_Printed[_Asked]], request: _Asked, files: Mapping[str, str]) -> None:
    """Put files to those of the same request in other languages; what is there twice is alone."""
    alike = replace(request, lang="c", layout=None)
    for printed in found:
        if printed.request == alike and request.lang not in printed.files:
            printed.files[request.lang] = files
            return
    found.append(_Printed(alike, {request.lang: files}))


def _all_folders(directories: Sequence[Path]) -> Iterator[Path]:
    for directory in directories:
        folders = sorted({*_folders(directory)})
        if not folders:
            raise EfdgenError(
                f"{directory}: no generated kernels with a driver in it; 'efdgen compile' makes some,"
                " and 'efdgen field' a field with test programs"
            )
        yield from folders


def _folders(directory: Path) -> Iterable[Path]:
    programs = (f"{program}.{ending}" for program in PROGRAMS for ending in ("c", "py"))
    for name in ("driver.c", "driver.py", "Cargo.toml", *programs):
        for path in directory.rglob(name):
            if path.is_file() and MARK in read_text(path, regular=True):
                yield path.parent


def _read_files(folder: Path) -> dict[str, str]:
    texts = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.suffix in (".c", ".h", ".py", ".rs", ".toml", ".lock"):
            text = read_text(path, regular=True)
            if MARK in text:
                texts[path.relative_to(folder).as_posix()] = text
    return texts


def _header(files: Mapping[str, str], folder: Path) -> Header:
    """Return the header of some files; raise :class:`EfdgenError` if none has a command."""
    header = next(filter(None, map(read_header, files.values())), None)
    if header is None:
        raise EfdgenError(f"{folder}: the headers of these files do not name their commands")
    return header


def _request(options: Sequence[tuple[str, str]], files: Mapping[str, str]) -> Request:
    """Return the request that a command is.

    The tuning's file is not there: the formulas that headers name replace it.
    """
    once = dict(options)
    single: dict[str, Any] = {_ASKED[name]: value for name, value in options if name in _ASKED}
    formulas = [value for name, value in options if name == "--formulas"]
    if "--tuning" in once and once.get("--set", "kernels") == "kernels":
        formulas = [*dict.fromkeys(found for text in files.values() for found in _FORMULA.findall(text))]
    return Request(formulas=(*formulas,), **single)


def _field_request(options: Sequence[tuple[str, str]]) -> FieldRequest:
    once = dict(options)
    word, operations = once.get("--word"), once.get("--ops", "")
    return FieldRequest(
        cast("Language", once["--lang"]),
        once.get("--prime", ""),
        None if word is None else 64 if word == "64" else 32,
        operations=tuple(operations.split(",")) if operations else (),
        prefix=once.get("--prefix", "fp"),
        nonresidue=int(once["--nonresidue"]) if "--nonresidue" in once else None,
        polynomial=once.get("--binary"),
    )

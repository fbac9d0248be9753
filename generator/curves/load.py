"""Curves by name or from a file, with all of their claims checked."""

from __future__ import annotations

import logging
import os
import re
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from efdgen.generator.curves.any import ANY
from efdgen.generator.curves.check import find_fault
from efdgen.generator.curves.curve import Curve
from efdgen.generator.curves.file import CurveFile
from efdgen.generator.errors import EfdgenError, suggestion
from efdgen.generator.formulas.database import Database
from efdgen.generator.formulas.layers import Layers, layers
from efdgen.generator.mathematics.binary import MOST_DEGREE, BinaryField, is_irreducible
from efdgen.generator.mathematics.prime import PrimeField

if TYPE_CHECKING:
    from collections.abc import Mapping

    from efdgen.generator.formulas.formula import Model
    from efdgen.generator.mathematics.ground import Ground

_SUFFIXES = (".toml", ".json")
# Formulas over more words are long to compile.
_MAX_BITS = 640
_LABELS: dict[str, Any] = {"name": "", "aliases": (), "source": ""}
_told: set[str] = set()
_log = logging.getLogger(__name__)
_KEYS = (
    *("name", "aliases", "source", "model", "prime", "polynomial"),
    *("order", "cofactor", "parameters", "generator"),
)


def load_curve(name_or_path: str, use: str = "this") -> Curve:
    """Load a curve over GF(p) as :func:`checked_curve` does, for some use.

    Raises :class:`EfdgenError` for a curve over another field.
    """
    curve = checked_curve(name_or_path)
    if curve.field.is_binary:
        raise EfdgenError(f"{curve.name} is over {curve.field}; {use} needs a field GF(p)")
    return curve


def checked_curve(name_or_path: str) -> Curve:
    """Load a built-in curve by its name or an alias, in any spelling, or a TOML or JSON file of the user's.

    Case, ``-``, ``_`` and spaces in a name make no difference. A name that ends in ``.toml`` or ``.json``, or
    has a directory in it, is a file. Every claim is checked: p is an odd prime or the polynomial irreducible,
    the curve is non-singular, the generator is on it, order and cofactor are right. Raises
    :class:`EfdgenError`, or :class:`TextError` with the place in the file.
    """
    if name_or_path == ANY:
        raise EfdgenError(f"--curve {ANY} is for --formulas with --field-api, such as macros")
    file = CurveFile.read(path_of_curve(name_or_path))
    curve = read_curve(file)
    fault = find_fault(curve, _database(layers()).model(curve.model))
    if fault is not None:
        raise file.error(fault.reason, fault.key)
    if is_file(name_or_path):
        _warn_of_namesake(name_or_path, curve)
    return curve


def _warn_of_namesake(path: str, curve: Curve) -> None:
    """Report, once of a file, that a known curve with other numbers has its name."""
    known = None if path in _told else _named(curve.name, _paths_by_name())
    if known is None:
        return
    _told.add(path)
    theirs, ours = (replace(each, **_LABELS) for each in (read_curve(CurveFile.read(known)), curve))
    if theirs != ours:
        _log.warning("%s: %s is another curve's name too; choose one of its own", path, curve.name)


def path_of_curve(name_or_path: str) -> Path:
    """Return the file of a curve; raise :class:`EfdgenError` for an unknown name."""
    return Path(name_or_path) if is_file(name_or_path) else _path_of_name(name_or_path)


def paths_of_curve(name_or_path: str) -> list[Path]:
    """Return the file that a curve is read from, none for any curve; errors are those of one path."""
    return [] if name_or_path == ANY else [path_of_curve(name_or_path)]


def is_file(name_or_path: str) -> bool:
    """Return whether what a user calls a curve is a file of it."""
    suffix = Path(name_or_path).suffix.lower()
    return suffix in _SUFFIXES or "/" in name_or_path or os.sep in name_or_path


def is_curve(name_or_path: str) -> bool:
    """Return whether a name is a curve's in the layers, or a path ends as one of a TOML or JSON file."""
    return (
        Path(name_or_path).suffix.lower() in _SUFFIXES or _named(name_or_path, _paths_by_name()) is not None
    )


def built_in_curves() -> list[Curve]:
    """Return all curves that have a file in the layers, in order of their names, read but not checked."""
    curves = [read_curve(CurveFile.read(path)) for path in layers().glob("curves/*.toml").values()]
    return sorted(curves, key=lambda curve: curve.name.lower())


def read_curve(file: CurveFile) -> Curve:
    """Return the curve that a file describes; what it claims of points and primes is not checked.

    Raises :class:`TextError` for a key that is missing, unknown or of the wrong kind.
    """
    file.require_known(_KEYS)
    model = _model(file)
    field = _field(file, model)
    return Curve(
        file.name("name"),
        file.names("aliases"),
        file.line("source"),
        model.id,
        field,
        file.elements("parameters", model.parameters, field),
        file.elements("generator", model.coordinates, field) if "generator" in file else None,
        file.positive("order") if "order" in file else None,
        file.positive("cofactor") if "cofactor" in file else None,
    )


def _model(file: CurveFile) -> Model:
    model_id = file.line("model")
    shelf = layers()
    known = {name.rpartition("/")[0] for name in shelf.glob("g*/*/coordinates")}
    if model_id not in known:
        what = f"no model is called {model_id!r}" if model_id else "model is missing"
        near = suggestion(model_id, known) or "; it is one such as g1p/shortw, g1p/montgom or g1p/twisted"
        raise file.error(f"{what}{near}", "model")
    return _database(shelf).model(model_id)


@cache
def _database(shelf: Layers) -> Database:
    """Return a database, which keeps the models that it has read."""
    return Database(shelf)


def _field(file: CurveFile, model: Model) -> Ground:
    """Return the field of a curve: GF(p), or for a model of ``g12o/`` GF(2^m)."""
    if not model.binary:
        if "polynomial" in file:
            raise file.error(f"{model.id} is a model over GF(p): give its prime, no polynomial", "polynomial")
        return PrimeField(_prime(file))
    if "prime" in file:
        raise file.error(f"{model.id} is a model over GF(2^m): give its polynomial, no prime", "prime")
    field = BinaryField(file.polynomial("polynomial"))
    if not 2 <= field.degree <= MOST_DEGREE:
        reason = f"the polynomial has degree {field.degree}; it must be 2 to {MOST_DEGREE}"
        raise file.error(reason, "polynomial")
    if not is_irreducible(field.polynomial):
        raise file.error("the polynomial is not irreducible", "polynomial")
    return field


def _prime(file: CurveFile) -> int:
    prime = file.positive("prime")
    if not 2 <= prime.bit_length() <= _MAX_BITS:
        reason = f"the prime has {prime.bit_length()} bits; it must have 2 to {_MAX_BITS}"
        raise file.error(reason, "prime")
    if prime % 2 == 0:
        raise file.error("the prime is even; GF(2^m) has models of g12o/ and a polynomial", "prime")
    return prime


def curve_names() -> list[str]:
    """Return the names and aliases of the curves in the layers."""
    return [*_paths_by_name()]


def _paths_by_name() -> dict[str, Path]:
    """Return the files of curves in the layers by names and aliases."""
    paths: dict[str, Path] = {}
    for path in layers().glob("curves/*.toml").values():
        file = CurveFile.read(path)
        paths |= dict.fromkeys((file.name("name"), *file.names("aliases")), path)
    return paths


def _named(name: str, paths: Mapping[str, Path]) -> Path | None:
    """Return the file of a name that differs only in case, or else only in spelling; None if not one does."""
    for simplified in (str.lower, _unpunctuated):
        found = {path for known, path in paths.items() if simplified(known) == simplified(name)}
        if len(found) == 1:
            return found.pop()
    return None


def _unpunctuated(name: str) -> str:
    return re.sub("[-_ ]", "", name).lower()


def _path_of_name(name: str) -> Path:
    paths = _paths_by_name()
    found = _named(name, paths)
    if found is None:
        near = suggestion(name, paths) or suggestion(name.upper(), paths)
        near = near or "; 'efdgen curves' lists the built-in ones"
        raise EfdgenError(f"no curve is called {name!r}{near}")
    return found

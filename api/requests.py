"""Requests for files, of the options of `efdgen compile`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from efdgen.generator.compile import Request
from efdgen.generator.curves.cosets import curve_of_group
from efdgen.generator.errors import EfdgenError
from efdgen.generator.hosts.compile import HostRequest
from efdgen.generator.options import TABLE
from efdgen.generator.tuning.file import read_tuning

if TYPE_CHECKING:
    from collections.abc import Sequence, Set

    from efdgen.generator.options import Option, Options

_OTHERS = {"c": {"rust"}, "rust": {"gcc", "clang", "rv32im", "cortex-m0", "cortex-m4"}}


_LANGUAGES = {"c": "C", "rust": "Rust", "python": "Python"}


def request_of(options: Options, given: Set[str]) -> Request | HostRequest:
    """Return the request of options; ``given`` are the names of those that are not left at a default.

    Raises :class:`EfdgenError` for options that contradict each other, and for those without an effect.
    """
    if (options.lang is None) == (options.field_api is None):
        both = ", not both" if options.field_api else ""
        raise EfdgenError(f"give --lang, or --field-api for another project's field{both}")
    if (options.curve is None) == (options.group is None):
        both = ", not both" if options.group else ""
        raise EfdgenError(f"give --curve, or --group for a group of prime order{both}")
    rows = [row for row in TABLE.values() if row.name in given]
    return _own(options, rows) if options.field_api is None else _for_host(options, rows)


def _own(options: Options, given: Sequence[Option]) -> Request:
    """Return the request of a curve over a field of efdgen's."""
    of_hosts = [row for row in TABLE.values() if "own" not in row.fields and row.name != "field_api"]
    if any(getattr(options, row.name) for row in of_hosts):
        raise EfdgenError(f"{_flags(of_hosts)} need --field-api")
    path = options.tuning
    tuning = read_tuning(Path(path), options.backend or str(options.lang)) if path else None
    implied = {"curve": curve_of_group(options.group), "set": "curve"} if options.group else {}
    request = Request(**vars(options) | {"tuning": tuning} | implied)
    request.require_group({row.name for row in given})
    if request.backend and (request.lang != "python" or request.set == "kernels"):
        raise EfdgenError("--backend needs --lang python and --set curve or protocols")
    if request.target and request.lang == "python" and not request.backend:
        raise EfdgenError("--target has no effect for Python; remove it")
    require_target(request.lang, request.target)
    request.require_layout()
    _refuse([row for row in given if request.set not in row.sets], "without --set curve or protocols")
    if not request.backend:
        idle = [row for row in given if request.lang not in row.languages]
        _refuse(idle, f"for {_LANGUAGES[request.lang]}; remove it")
    require_representation(request.optimize, request.representation)
    return request


def _for_host(options: Options, given: Sequence[Option]) -> HostRequest:
    """Return the request of functions over another project's field."""
    if any("host" not in row.fields for row in given):
        own = [row for row in TABLE.values() if "host" not in row.fields and row.name != "lang"]
        raise EfdgenError(f"{_flags([row for row in own if 'curve' in row.sets])} need --lang")
    request = HostRequest(**vars(options))
    if request.set == "protocols":
        raise EfdgenError("--set protocols needs --lang; --set curve can have another project's field")
    _refuse([row for row in given if request.set not in row.sets], "without --set curve")
    return request


def require_representation(optimize: str, representation: str | None) -> None:
    """Raise :class:`EfdgenError` for limbs that loops do not have."""
    if optimize == "size" and representation == "unsaturated":
        raise EfdgenError("--optimize size has saturated limbs; remove --representation unsaturated")


def require_target(language: str, target: str | None) -> None:
    """Raise :class:`EfdgenError` if a compiler does not compile a language."""
    if target in _OTHERS.get(language, ()):
        raise EfdgenError(f"--target {target} does not compile --lang {language}")


def _flags(rows: Sequence[Option]) -> str:
    *others, last = (row.flag for row in rows)
    return f"{', '.join(others)} and {last}"


def _refuse(rows: Sequence[Option], reason: str) -> None:
    """Raise :class:`EfdgenError` for options that are given and have no effect."""
    if rows:
        flags = " and ".join(row.flag for row in rows)
        raise EfdgenError(f"{flags} {'has' if len(rows) == 1 else 'have'} no effect {reason}")

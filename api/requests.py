"""Requests for files, of the options of `efdgen compile`."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING

from efdgen.generator.compile import Request
from efdgen.generator.errors import EfdgenError
from efdgen.generator.hosts.compile import HostRequest
from efdgen.generator.options import TABLE
from efdgen.generator.tuning.file import read_tuning

if TYPE_CHECKING:
    from collections.abc import Sequence, Set

    from efdgen.generator.options import Option, Options

_OTHERS = {"c": {"rust"}, "rust": {"gcc", "clang", "rv32im"}}


def request_of(options: Options, given: Set[str]) -> Request | HostRequest:
    """Return the request of options; ``given`` are the names of those that are not left at a default.

    Raises :class:`EfdgenError` for options that contradict each other, and for those without an effect.
    """
    if (options.lang is None) == (options.field_api is None):
        both = ", not both" if options.field_api else ""
        raise EfdgenError(f"give --lang, or --field-api for another project's field{both}")
    rows = [row for row in TABLE.values() if row.name in given]
    return _own(options, rows) if options.field_api is None else _for_host(options, rows)


def _own(options: Options, given: Sequence[Option]) -> Request:
    """Return the request of a curve over a field of efdgen's."""
    of_hosts = [row for row in _beyond(Request) if row.name != "field_api"]
    if any(getattr(options, row.name) for row in of_hosts):
        raise EfdgenError(f"{_flags(of_hosts)} need --field-api")
    known = options.of(Request)
    if options.tuning:
        known["tuning"] = read_tuning(Path(options.tuning), options.backend or str(options.lang))
    request = Request(**known)
    if request.backend and (request.language != "python" or request.set == "kernels"):
        raise EfdgenError("--backend needs --lang python and --set curve or protocols")
    if request.target and request.language == "python" and not request.backend:
        raise EfdgenError("--target has no effect for Python; remove it")
    require_target(request.language, request.target)
    request.require_layout()
    _refuse([row for row in given if request.set not in row.sets], "without --set curve or protocols")
    if not request.backend:
        _refuse([row for row in given if request.language not in row.languages], "for Python")
    return request


def _for_host(options: Options, given: Sequence[Option]) -> HostRequest:
    """Return the request of functions over another project's field."""
    own = _beyond(HostRequest)
    if any(row in own for row in given):
        curves = [row for row in own if row.name != "lang" and "curve" in row.sets]
        raise EfdgenError(f"{_flags(curves)} need --lang")
    request = HostRequest(**options.of(HostRequest))
    if request.set == "protocols":
        raise EfdgenError("--set protocols needs --lang; --set curve can have another project's field")
    _refuse([row for row in given if request.set not in row.sets], "without --set curve")
    return request


def require_target(language: str, target: str | None) -> None:
    """Raise :class:`EfdgenError` if a compiler does not compile a language."""
    if target in _OTHERS.get(language, ()):
        raise EfdgenError(f"--target {target} does not compile --lang {language}")


def _beyond(request: type) -> list[Option]:
    """Return the options that a kind of request does not have."""
    own = {each.name for each in fields(request)}
    return [row for row in TABLE.values() if row.field not in own]


def _flags(rows: Sequence[Option]) -> str:
    *others, last = (row.flag for row in rows)
    return f"{', '.join(others)} and {last}"


def _refuse(rows: Sequence[Option], reason: str) -> None:
    """Raise :class:`EfdgenError` for options that are given and have no effect."""
    if rows:
        flags = " and ".join(row.flag for row in rows)
        raise EfdgenError(f"{flags} {'has' if len(rows) == 1 else 'have'} no effect {reason}")

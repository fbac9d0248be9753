"""Requests for files, of the options of `efdgen compile` by the names that they have in requests."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any

from efdgen.generator.compile import Request
from efdgen.generator.errors import EfdgenError
from efdgen.generator.hosts.compile import HostRequest
from efdgen.generator.tuning.file import read_tuning

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Set

_OF_CURVES = ("table", "odd_multiples", "second")
_OF_WORDS = ("lowering", "representation")
_OF_HOSTS = ("in_bounds", "out_bounds", "license")
_OTHERS = {"c": {"rust"}, "rust": {"gcc", "clang", "rv32im"}}


def request_of(options: Mapping[str, Any], given: Set[str]) -> Request | HostRequest:
    """Return the request of options, with their values; ``given`` are those that are not left at a default.

    Raises :class:`EfdgenError` for options that contradict each other, and for those without an effect.
    """
    if (options["language"] is None) == (options["host"] is None):
        both = ", not both" if options["host"] else ""
        raise EfdgenError(f"give --lang, or --field-api for another project's field{both}")
    return _own(options, given) if options["host"] is None else _for_host(options, given)


def _own(options: Mapping[str, Any], given: Set[str]) -> Request:
    """Return the request of a curve over a field of efdgen's."""
    if any(options[name] for name in _OF_HOSTS):
        raise EfdgenError("--in-bounds, --out-bounds and --license need --field-api")
    known = {field.name: options[field.name] for field in fields(Request)}
    if options["tuning"]:
        known["tuning"] = read_tuning(options["tuning"], options["backend"] or options["language"])
    request = Request(**known)
    if request.backend and (request.language != "python" or request.set == "kernels"):
        raise EfdgenError("--backend needs --lang python and --set curve or protocols")
    if request.target and request.language == "python" and not request.backend:
        raise EfdgenError("--target has no effect for Python; remove it")
    require_target(request.language, request.target)
    request.require_layout()
    if request.set == "kernels":
        _refuse(_OF_CURVES, given, "without --set curve or protocols")
    if request.language == "python" and not request.backend:
        _refuse(_OF_WORDS, given, "for Python")
    return request


def _for_host(options: Mapping[str, Any], given: Set[str]) -> HostRequest:
    """Return the request of functions over another project's field."""
    known = {field.name: options[field.name] for field in fields(HostRequest)}
    if given - known.keys():
        raise EfdgenError(
            "--to, --backend, --layout, --lowering, --target, --representation and --tuning need --lang"
        )
    request = HostRequest(**known)
    if request.set == "protocols":
        raise EfdgenError("--set protocols needs --lang; --set curve can have another project's field")
    if request.set == "kernels":
        _refuse(_OF_CURVES, given, "without --set curve")
    return request


def require_target(language: str, target: str | None) -> None:
    """Raise :class:`EfdgenError` if a compiler does not compile a language."""
    if target in _OTHERS.get(language, ()):
        raise EfdgenError(f"--target {target} does not compile --lang {language}")


def _refuse(names: Iterable[str], given: Set[str], reason: str) -> None:
    """Raise :class:`EfdgenError` for options that are given and have no effect."""
    found = [f"--{name.replace('_', '-')}" for name in names if name in given]
    if found:
        raise EfdgenError(f"{' and '.join(found)} {'has' if len(found) == 1 else 'have'} no effect {reason}")

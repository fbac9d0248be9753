"""Hosts as plain values: field arithmetic of other projects, its operations and bounds, and an example."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple

from efdgen.api.files import files_of
from efdgen.generator.curves.load import built_in_curves, checked_curve
from efdgen.generator.errors import EfdgenError
from efdgen.generator.formulas.database import Database
from efdgen.generator.header import sealed
from efdgen.generator.hosts.compile import HostRequest, chosen_kernels
from efdgen.generator.hosts.file import built_in_hosts, fields_of_host, load_host
from efdgen.generator.hosts.host import EQUAL
from efdgen.generator.mathematics.prime import PrimeField
from efdgen.verify.curve_prover import CurveProver

if TYPE_CHECKING:
    from efdgen.generator.hosts.file import HostField
    from efdgen.generator.hosts.host import Host, HostOperation, HostPoint

_FIRST = ("secp256r1", "secp256k1", "edwards25519", "Curve25519")
"""Curves that examples are taken on before others, if a host has their field."""

_SHOWN = ("double", "ladder", "add")
"""Functions that are examples, the first that a curve has."""

_OWN = "name = {!r}\nmodel = 'g1p/montgom'\nprime = {!r}\n\n[parameters]\na = 6\nb = 1\n"
"""A curve over a field that no built-in curve has; 6 is neither 2 nor -2 modulo any prime above 3."""

_COMPUTES = {
    "add": ["r = a + b"],
    "sub": ["r = a - b"],
    "add_sub": ["r = a + b", "s = a - b"],
    "neg": ["r = -a"],
    "double": ["r = 2*a"],
    "mul_int": ["r = k*a"],
    "half": ["r = a/2"],
    "mul": ["r = a*b"],
    "sqr": ["r = a^2"],
    "inv": ["r = 1/a"],
    "set_int": ["r = k"],
    "copy": ["r = a"],
    EQUAL: ["a == b"],
}


class Place(NamedTuple):
    """A curve on which an example is taken: its name or its file, the text of that file, and its prime."""

    curve: str
    text: str
    prime: int


def host_names() -> list[str]:
    """Return the names of all hosts in force."""
    return built_in_hosts()


def host_page(name: str) -> dict[str, Any]:
    """Return the content of a host's file, and a proved function as ``efdgen compile`` writes it.

    Raises :class:`EfdgenError` for a file that describes no host.
    """
    fields = fields_of_host(name)
    place = _place(fields)
    host = load_host(name, PrimeField(place.prime))
    spelled = [each.name for each in fields if len(fields) > 1 and each.prime == place.prime]
    every = [*host.operations.values(), *host.restores]
    return {
        "id": name,
        **{key: getattr(host, key) for key in ("title", "source", "tested", "language", "largest", "input")},
        "fields": [_field(each) for each in fields],
        "spelled_for": "".join(spelled[:1]),
        "bound": host.style.bound.rstrip(":"),
        "reuses_variables": host.slots,
        "whole_curves": host.element is not None and host.language == "c",
        "checks": EQUAL in host.operations,
        "claims": host.claims,
        "operations": [_operation(host, each) for each in every],
        "points": [_point(each) for each in host.points],
        "example": _example(name, host, place),
    }


def _place(fields: list[HostField]) -> Place:
    """Return the curve of a host's example: a built-in one, or one over the first of its fields."""
    curves = [each for each in built_in_curves() if not each.field.is_binary]
    curves.sort(key=lambda each: (_FIRST.index(each.name) if each.name in _FIRST else len(_FIRST), each.bits))
    primes = {each.prime for each in fields}
    for curve in curves:
        if not primes or curve.prime in primes:
            return Place(curve.name, "", curve.prime)
    text = _OWN.format(fields[0].name, fields[0].text).replace("'", '"')
    return Place("curve.toml", text, fields[0].prime)


def _field(field: HostField) -> dict[str, Any]:
    curves = [each for each in built_in_curves() if not each.field.is_binary and each.prime == field.prime]
    return {"name": field.name, "prime": field.text, "curves": [each.name for each in curves]}


def _operation(host: Host, operation: HostOperation) -> dict[str, Any]:
    """Return an operation, its call spelled for variables of the host's."""
    spelled: dict[str, str] = {"k": "k"}
    for name in (*operation.results, *operation.operands):
        spelled |= {name: host.style.local.format(name=name), f"bound_{name}": f"bound_{name}"}
        spelled[f"{name}_value"] = host.style.local_value.format(name=name)
    return {
        "name": operation.name,
        "computes": _COMPUTES.get(operation.name, _COMPUTES["copy"]),
        "call": operation.code.format(**spelled),
        "in_place": operation.in_place,
        "needs": [str(condition) for condition in operation.needs],
        "apart": [f"{' and '.join(pair)} apart" for pair in operation.distinct],
        "gives": [str(quantity) for quantity in operation.gives],
        "cost": operation.cost,
        "untrusted": operation.untrusted,
        "guards": [f"guards {name}" for name in operation.guards],
    }


def _point(point: HostPoint) -> dict[str, Any]:
    return {
        "type": point.type,
        "members": dict(point.members),
        "systems": list(point.systems),
        "bounds": dict(point.bounds),
    }


def _example(name: str, host: Host, place: Place) -> dict[str, Any]:
    """Return a file of one function on a curve, or the reason why there is none."""
    with TemporaryDirectory() as folder:
        curve = place.curve
        if place.text:
            curve = str(Path(folder, place.curve))
            Path(curve).write_text(place.text, encoding="utf-8")
        found: dict[str, Any] = {"curve": "" if place.text else place.curve, "curve_file": place.text}
        try:
            formula = _formula(name, host, curve)
            request = HostRequest(field_api=name, curve=curve, formulas=(formula,))
            ((path, text),) = files_of(request)[1].items()
        except EfdgenError as error:
            return {**found, "reason": str(error)}
    found |= {"reason": "", "formula": formula, "file": path, "text": sealed(text)}
    return {**found, "command": str(request.command)}


def _formula(name: str, host: Host, curve: str) -> str:
    """Return the id of the formula that weighs least in a host, of the first function to show."""
    request = HostRequest(field_api=name, curve=curve)
    bundle = chosen_kernels(Database(), request, checked_curve(curve), host, CurveProver())
    kernels = {kernel.function: kernel.formula.id for group in bundle.groups for kernel in group.kernels}
    return next(kernels[each] for each in _SHOWN if each in kernels)

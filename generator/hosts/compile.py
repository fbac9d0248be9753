"""One run of ``efdgen compile --field-api``: a request, its functions, and the file that comes of it."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from efdgen.generator.bundle import candidate
from efdgen.generator.compile import Request, make_bundle
from efdgen.generator.curves.curve import load_curve
from efdgen.generator.errors import EfdgenError
from efdgen.generator.hosts.file import load_host
from efdgen.generator.hosts.function import Wishes, host_function
from efdgen.generator.interpreter import PrimeField
from efdgen.generator.pipeline import PASSES_WITH_INTEGERS
from efdgen.generator.render.contract import LICENSE
from efdgen.generator.specialise import specialise

if TYPE_CHECKING:
    from collections.abc import Mapping

    from efdgen.generator.bundle import Candidate, Certify
    from efdgen.generator.curves.curve import Curve
    from efdgen.generator.database import Database
    from efdgen.generator.hosts.function import HostFunction, Solve
    from efdgen.generator.hosts.host import Host
    from efdgen.generator.kernel import Bundle


@dataclass(frozen=True)
class HostRequest:
    """What the user asks for; bounds are texts such as ``X=4,Y=4,Z=1``."""

    host: str
    curve: str
    coordinates: str | None = None
    formulas: tuple[str, ...] = ()
    prefix: str | None = None
    weights: str | None = None
    in_bounds: str | None = None
    out_bounds: str | None = None
    license: str | None = None

    @property
    def command(self) -> str:
        """The command line that repeats the request, without paths of a machine."""
        words = ["efdgen", "compile", "--field-api", Path(self.host).name, "--curve", Path(self.curve).name]
        options = {
            "--coords": (self.coordinates,),
            "--formulas": self.formulas,
            "--prefix": (self.prefix,),
            "--weights": (self.weights,),
            "--in-bounds": (self.in_bounds,),
            "--out-bounds": (self.out_bounds,),
            "--license": (self.license,),
        }
        for option, values in options.items():
            words += [word for value in values if value is not None for word in (option, value)]
        return shlex.join(words)


@dataclass(frozen=True)
class HostBundle:
    """Functions for a host: the kernels that they are of, the functions in order, constants in [0, p)."""

    host: Host
    prefix: str
    license: str
    command: str
    bundle: Bundle
    functions: tuple[HostFunction, ...]
    constants: Mapping[str, int]


def make_host_bundle(database: Database, request: HostRequest, solve: Solve, certify: Certify) -> HostBundle:
    """Choose formulas, write each in the host's calls, solve for bounds, and certify what is emitted.

    Raises :class:`EfdgenError` for what does not exist or apply, where a bound cannot be met, and what
    ``certify`` raises.
    """
    host, curve = load_host(request.host), load_curve(request.curve)
    if host.prime is not None and host.prime != curve.prime:
        raise EfdgenError(
            f"the field of {host.name} is not the one of {curve.name}; its prime is {host.prime}"
        )
    bundle = make_bundle(
        database,
        Request(
            host.language, request.curve, request.coordinates, request.formulas, None, None, request.weights
        ),
        lambda formula, program, prime: "",
    )
    wishes = Wishes(_bounds(request.in_bounds, "--in-bounds"), _bounds(request.out_bounds, "--out-bounds"))
    functions: list[HostFunction] = []
    constants: dict[str, int] = {}
    field = PrimeField(curve.prime)
    for kernel in bundle.groups[0].kernels:
        found = _candidate(database, kernel.formula.id, curve)
        function, numbers = host_function(kernel, found, host, wishes, solve, certify, curve.prime)
        values = {**found.specialised.constants, **{n: field.constant(v) for n, v in numbers.items()}}
        for name in function.constants:
            if constants.setdefault(name, values[name]) != values[name]:
                raise EfdgenError(f"two formulas mean different numbers by {name}; compile one at a time")
        functions.append(function)
    return HostBundle(
        host,
        host.prefix if request.prefix is None else request.prefix,
        request.license or LICENSE,
        request.command,
        bundle,
        tuple(functions),
        dict(sorted(constants.items())),
    )


def _candidate(database: Database, formula_id: str, curve: Curve) -> Candidate:
    """Specialise a formula as a host wants it: small factors stay, for the host to multiply by."""
    found = candidate(database.formula(formula_id), curve.prime, curve.parameters)
    specialised = specialise(found.formula, curve.prime, found.parameters, PASSES_WITH_INTEGERS)
    return replace(found, specialised=specialised)


def _bounds(text: str | None, option: str) -> dict[str, int]:
    bounds = {}
    for part in text.split(",") if text else ():
        name, _, value = part.partition("=")
        if not name.strip() or not value.strip().isdecimal():
            raise EfdgenError(f"{option} is a list such as X=4,Y=4,Z=1, not {text!r}")
        bounds[name.strip()] = int(value)
    return bounds

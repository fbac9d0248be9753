"""One run of ``efdgen compile --field-api``: a request, its functions, and the resulting file."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from efdgen.generator.compile import Request
from efdgen.generator.curves.any import ANY, any_curve
from efdgen.generator.curves.load import checked_curve, paths_of_curve
from efdgen.generator.errors import EfdgenError
from efdgen.generator.hosts.common import common_bounds
from efdgen.generator.hosts.file import load_host, path_of_host, require_prefix
from efdgen.generator.hosts.function import Wishes, host_function
from efdgen.generator.hosts.prover import Deferred
from efdgen.generator.hosts.systems import bundle_of_systems
from efdgen.generator.kernels.candidate import candidate
from efdgen.generator.kernels.contract import LICENSE
from efdgen.generator.kernels.specialise import specialise
from efdgen.generator.options import Options
from efdgen.generator.origin import Origin
from efdgen.generator.passes.pipeline import PASSES_WITH_INTEGERS
from efdgen.generator.programs.kernel import Kernel

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from efdgen.generator.curves.curve import Curve
    from efdgen.generator.formulas.database import Database
    from efdgen.generator.formulas.formula import Formula
    from efdgen.generator.hosts.function import HostFunction
    from efdgen.generator.hosts.host import Host
    from efdgen.generator.hosts.prover import HostProver
    from efdgen.generator.kernels.candidate import Candidate
    from efdgen.generator.programs.kernel import Bundle


@dataclass(frozen=True)
class HostRequest(Options):
    """The user's request; bounds are texts such as ``X=4,Y=4,Z=1``."""

    field_api: str = field()
    curve: str = field()
    coords: str | None = None
    formulas: tuple[str, ...] = ()

    @property
    def command(self) -> Origin:
        """The command line that repeats the request, without paths of a machine."""
        return Origin(self.words)


@dataclass(frozen=True)
class HostBundle:
    """Functions for a host: the kernels that they are of, the functions in order, constants in [0, p)."""

    host: Host
    prefix: str
    license: str
    command: Origin
    bundle: Bundle
    functions: tuple[HostFunction, ...]
    constants: Mapping[str, int]

    def constant(self, function: HostFunction, name: str) -> str:
        """Return the name that a function's constant has in the file."""
        own = own_constant(function.kernel.name, name)
        return own if own in self.constants else name


def own_constant(function: str, name: str) -> str:
    """Return the name of a constant that has another value in other functions."""
    return f"{function}_{name}"


def make_host_bundle(database: Database, request: HostRequest, prover: HostProver) -> HostBundle:
    """Choose formulas, write each in the host's calls, solve for bounds, and prove what is emitted.

    Raises :class:`EfdgenError` for what does not exist or apply, where a bound cannot be met, and what the
    prover raises.
    """
    curve = _curve(database, request)
    host = load_host(request.field_api, curve.field, any_field=curve.any)
    if request.prefix is not None:
        prefix = require_prefix(request.prefix, lambda reason, _: EfdgenError(f"--{reason}"))
        host = replace(host, prefix=prefix)
    wishes = Wishes(_bounds(request.in_bounds, "--in-bounds"), _bounds(request.out_bounds, "--out-bounds"))
    bundle = chosen_kernels(database, request, curve, host, prover)
    kernels = [
        (kernel, database.formula(kernel.formula.id)) for group in bundle.groups for kernel in group.kernels
    ]
    alike = [wishes] * len(kernels)
    functions, constants = host_functions(kernels, curve, host, alike, prover)
    homes = [database.system(group.system) for group in bundle.groups]
    common = common_bounds(functions, host, homes, wishes)
    if common != alike:
        functions, constants = host_functions(kernels, curve, host, common, prover)
    return HostBundle(
        host,
        host.prefix,
        request.license or LICENSE,
        request.command.reading(
            database.layers,
            [kernel.formula for kernel, _ in kernels],
            [*paths_of_curve(request.curve), path_of_host(request.field_api)],
        ),
        bundle,
        functions,
        dict(sorted(constants.items())),
    )


def _curve(database: Database, request: HostRequest) -> Curve:
    if request.curve != ANY:
        return checked_curve(request.curve)
    if request.coords is not None:
        raise EfdgenError(f"--curve {ANY} needs --formulas with their systems in the place of --coords")
    return any_curve(database, request.formulas)


def chosen_kernels(
    database: Database, request: HostRequest, curve: Curve, host: Host, prover: HostProver
) -> Bundle:
    """Return the formulas on a curve that weigh least in a host, as kernels without proofs of programs."""
    weights = ",".join(text for text in (host.weights, request.weights) if text)
    asked = Request(host.language, request.curve, request.coords, request.formulas, weights=weights)
    return bundle_of_systems(database, asked, curve, Deferred(prover))


def host_functions(
    kernels: Sequence[tuple[Kernel, Formula]],
    curve: Curve,
    host: Host,
    wishes: Sequence[Wishes],
    prover: HostProver,
) -> tuple[tuple[HostFunction, ...], dict[str, int]]:
    """Return the functions of kernels, each with its formula and its wishes, and the constants they read.

    A constant that is another number in another function carries the name of its function.
    """
    functions: list[HostFunction] = []
    values: dict[str, dict[str, int]] = {}
    for (kernel, formula), wished in zip(kernels, wishes, strict=True):
        found = _candidate(formula, curve)
        function, numbers = host_function(kernel, found, host, wished, prover)
        known = {**found.specialised.constants, **{n: curve.field.constant(v) for n, v in numbers.items()}}
        for name in function.constants:
            values.setdefault(name, {})[kernel.name] = known[name]
        functions.append(function)
    constants: dict[str, int] = {}
    for name, of in values.items():
        alike = len(set(of.values())) == 1
        constants |= {(name if alike else own_constant(f, name)): value for f, value in of.items()}
    return tuple(functions), constants


def _candidate(formula: Formula, curve: Curve) -> Candidate:
    """Specialise a formula as a host wants it: small factors stay, for the host to multiply by."""
    found = candidate(formula, curve.field, curve.parameters)
    passes = None if curve.field.is_binary else PASSES_WITH_INTEGERS
    specialised = specialise(found.formula, curve.field, found.parameters, passes)
    return replace(found, specialised=specialised)


def _bounds(text: str | None, option: str) -> dict[str, int]:
    bounds = {}
    for part in text.split(",") if text else ():
        name, _, value = part.partition("=")
        if not name.strip() or not value.strip().isdecimal():
            raise EfdgenError(f"{option} is a list such as X=4,Y=4,Z=1, not {text!r}")
        bounds[name.strip()] = int(value)
    return bounds

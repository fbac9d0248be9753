"""One run of ``compile --field-api --set curve``: a plan, its formulas and operations over the host."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from efdgen.generator.compile import Request
from efdgen.generator.curves.load import load_curve, path_of_curve
from efdgen.generator.errors import EfdgenError
from efdgen.generator.hosts.compile import HostBundle, host_functions
from efdgen.generator.hosts.element import with_own_points
from efdgen.generator.hosts.file import load_host, path_of_host
from efdgen.generator.hosts.function import Wishes, operation_function
from efdgen.generator.hosts.host import HostOperation
from efdgen.generator.hosts.operation import field_operations
from efdgen.generator.hosts.prover import Deferred
from efdgen.generator.hosts.rules import Condition, Quantity
from efdgen.generator.kernels.contract import LICENSE
from efdgen.generator.planning.plan import CurvePlan
from efdgen.generator.planning.request import plan_curve
from efdgen.generator.programs.kernel import Bundle

if TYPE_CHECKING:
    from efdgen.generator.formulas.database import Database
    from efdgen.generator.hosts.compile import HostRequest
    from efdgen.generator.hosts.element import HostElement
    from efdgen.generator.hosts.host import Host
    from efdgen.generator.hosts.prover import HostProver
    from efdgen.generator.mathematics.ground import Ground

# More than any sum of other operations that a formula has.
_COST_OF_INVERSION = 10_000


@dataclass(frozen=True)
class HostCurve:
    """A whole curve over a host's field: its plan, and its formulas and operations as functions of the host.

    Every element that a function takes or gives has the bound of the host's ``element`` at most, so that any
    code may pass any element on.
    """

    plan: CurvePlan
    host: Host
    element: HostElement
    license: str
    kernels: HostBundle
    operations: HostBundle

    @property
    def preamble(self) -> list[str]:
        """The host's code before all functions, in parts."""
        return [part for text in (self.host.header, self.element.header) if (part := text.strip("\n"))]

    @property
    def postamble(self) -> list[str]:
        """The host's code after all functions."""
        return [part] if (part := self.host.footer.strip("\n")) else []

    @property
    def inverts(self) -> bool:
        """Return whether the host has an inversion."""
        return "inv" in self.host.operations


def make_host_curve(database: Database, request: HostRequest, prover: HostProver) -> HostCurve:
    """Plan a curve by a host's weights, and write its formulas and operations in the host's calls.

    Raises :class:`EfdgenError` for what does not exist or apply, for a host that lacks something, and what
    the prover raises.
    """
    curve = load_curve(request.curve, "--field-api with --set curve")
    host, element = _host(request, curve.field)
    prefix = host.prefix.rstrip("_")
    weights = ",".join(text for text in (host.weights, request.weights) if text)
    asked = Request(
        "c",
        request.curve,
        request.coords,
        request.formulas,
        prefix=prefix,
        weights=weights,
        lowering="calls",
        set="curve",
        table=request.table,
        second=request.second,
        odd_multiples=request.odd_multiples,
    )
    plan = plan_curve(database, asked, Deferred(prover))
    if not isinstance(plan, CurvePlan):
        raise EfdgenError(f"--set curve over a host's field has no ladders yet; {curve.name} needs --lang")
    files = [path_of_curve(request.curve), path_of_host(request.field_api)]
    formulas = [kernel.formula for kernel in plan.kernels.kernels]
    plan = replace(plan, command=request.command.reading(database.layers, formulas, files))
    kernels = _kernels(plan, host, element, prover)
    operations = _operations(plan, host, element, prover)
    return HostCurve(plan, host, element, request.license or LICENSE, kernels, operations)


def _host(request: HostRequest, field: Ground) -> tuple[Host, HostElement]:
    """Return the host of a request, and what whole curves need of it."""
    host = load_host(request.field_api, field)
    if host.language != "c":
        raise EfdgenError(f"--set curve needs a field in C, and {host.name} is in Rust")
    if host.element is None:
        raise EfdgenError(f"{host.name} has no [element], which --set curve needs; see efd/hosts/FORMAT.md")
    if host.style.extra and not host.element.begin:
        raise EfdgenError(f"{host.name} passes {host.style.extra}; --set curve needs it in element.begin")
    if request.in_bounds or request.out_bounds:
        raise EfdgenError("--in-bounds and --out-bounds have no effect with --set curve; element.bound has")
    return (host if request.prefix is None else replace(host, prefix=request.prefix)), host.element


def _kernels(plan: CurvePlan, host: Host, element: HostElement, prover: HostProver) -> HostBundle:
    """Return a plan's formulas as functions of the host."""
    names = "_".join((*filter(None, (plan.prefix, plan.kernels.namespace)), ""))
    own = with_own_points(host, element, plan.prefix, names, plan.kernels.types)
    if "inv" not in own.operations:
        own = replace(own, operations={**own.operations, "inv": _inversion(plan, element, host.claims)})
    found = [(kernel, kernel.formula) for kernel in plan.kernels.kernels]
    made, constants = host_functions(
        found,
        plan.curve,
        own,
        [Wishes({}, {})] * len(found),
        prover,
    )
    bundle = Bundle(plan.prefix, plan.curve.field, (plan.kernels,), plan.command)
    functions = tuple(function.apart for function in made)
    return HostBundle(own, names, LICENSE, plan.command, bundle, functions, constants)


def _inversion(plan: CurvePlan, element: HostElement, untrusted: bool) -> HostOperation:
    """Return the call of an inversion that the file defines itself, for a host without one.

    It is as any function: what it takes and gives is a claim if some of the host's results are ``untrusted``.
    """
    fe = f"{plan.prefix}_fe"
    # An array is the first member of its structure, to which a pointer may be converted.
    r, a = (f"({fe} *){{r}}", f"(const {fe} *){{a}}") if element.array else ("{r}", "{a}")
    return HostOperation(
        name="inv",
        code=f"{fe}_inv({r}, {a});",
        operands=("a",),
        results=("r",),
        needs=(Condition.parse(f"a <= {element.bound}", ("a",)),),
        gives=(Quantity.parse(str(element.bound), ("a",)),),
        takes=0,
        distinct=(),
        cost=_COST_OF_INVERSION,
        note="",
        untrusted=untrusted,
        guards=(),
    )


def _operations(plan: CurvePlan, host: Host, element: HostElement, prover: HostProver) -> HostBundle:
    """Return the operations of the field as functions of the host, each proved."""
    names = f"{plan.prefix}_fe_"
    own = with_own_points(host, element, plan.prefix, names, ())
    field, functions = plan.curve.field, []
    constants: dict[str, int] = {}
    for operation in field_operations("inv" in host.operations):
        function, program, numbers = operation_function(operation, own, prover)
        prover.require_operation(operation, program)
        functions.append(function.apart)
        constants |= {name: field.constant(numbers[name]) for name in function.constants}
    bundle = Bundle(plan.prefix, plan.curve.field, (), plan.command)
    return HostBundle(own, names, LICENSE, plan.command, bundle, tuple(functions), constants)

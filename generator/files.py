"""Files of a request, in its language and layout: of a bundle of kernels, or of the plan of a whole curve."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from efdgen.generator.compile import LAYOUTS, Request
from efdgen.generator.curves.cosets import cosets
from efdgen.generator.curves.hashing import hashing
from efdgen.generator.curves.load import load_curve
from efdgen.generator.errors import EfdgenError
from efdgen.generator.fields.claims import UNPROVED, Claims
from efdgen.generator.fields.printed import announced
from efdgen.generator.interfaces import INTERFACES, Naming, require_fit
from efdgen.generator.options import TABLE
from efdgen.generator.planning.plan import CurvePlan
from efdgen.generator.planning.possible import require_possible
from efdgen.generator.planning.protocols import protocols

if TYPE_CHECKING:
    from efdgen.generator.formulas.database import Database
    from efdgen.generator.lanes.render import LaneBundle
    from efdgen.generator.planning.ladder import LadderPlan
    from efdgen.generator.programs.kernel import Bundle
    from efdgen.generator.render.rust.bundle import Options
    from efdgen.generator.render.rust.crate import Root


_READ = {"lang", "curve", "set", "api", "crate_name", "crate_version", "machine"}
"""The options with an effect on crates without arithmetic."""


def render(bundle: Bundle, request: Request, claims: Claims = UNPROVED) -> dict[str, str]:
    """Print a bundle in the language and layout of a request: relative path to text.

    ``claims`` answers for the operations of the field.
    """
    return announced(_of_bundle(bundle, request, claims), claims)


def render_lanes(bundle: LaneBundle, claims: Claims = UNPROVED) -> dict[str, str]:
    """Print a bundle on lanes: name of the file to text; ``claims`` answers for all functions."""
    bundle.announce(claims)
    return announced(bundle.files(), claims)


def render_thin(database: Database, request: Request) -> dict[str, str] | None:
    """Print a crate that only calls another one: no plan and no proof; None for every other request.

    Raises :class:`EfdgenError` for a request that cannot be met.
    """
    from efdgen.generator.render.rust.dalek import thin_files

    interface = INTERFACES.get(f"{request.api}")
    if interface is None or interface.project != "dalek":
        return None
    curve = load_curve(request.curve, "a whole curve")
    require_possible(database, request, curve)
    naming = Naming(request.crate_name, request.crate_version)
    files = thin_files(curve, request.command, interface, naming, request.machine)
    idle = request.changed - _READ
    if files and idle:
        flags = ", ".join(sorted(TABLE[name].flag for name in idle))
        raise EfdgenError(f"{flags} has no effect on a crate without arithmetic; remove it")
    return files


def _of_bundle(bundle: Bundle, request: Request, claims: Claims) -> dict[str, str]:
    options = request.lowering, claims, request.fields
    match request.lang, request.layout:
        case "c", ("header" | "split" | None) as layout:
            from efdgen.generator.render.c import bundle as c

            return c.render(bundle, c.Options(layout or "header", *options))
        case "rust", ("crate" | "module" | None) as layout:
            from efdgen.generator.render.rust import bundle as rust

            return rust.render(bundle, rust.Options(layout or "crate", *options))
        case "python", ("module" | None):
            from efdgen.generator.render.python import bundle as python

            return python.render(bundle, python.Options(claims=claims))
    choices = " or ".join(LAYOUTS[request.lang])
    raise EfdgenError(f"--layout is {choices} for {request.lang}, not {request.layout!r}")


def render_plan(
    plan: CurvePlan | LadderPlan,
    request: Request,
    claims: Claims = UNPROVED,
    root: Root | None = None,
) -> dict[str, str]:
    """Print a plan in the language and layout of a request: relative path to text.

    ``claims`` answers for the operations of the field. ``root`` is the place of a curve in a crate in Rust,
    where it is a module.
    """
    if request.layout is not None and request.layout not in LAYOUTS[request.lang]:
        choices = " or ".join(LAYOUTS[request.lang])
        raise EfdgenError(f"--layout is {choices} for {request.lang}, not {request.layout!r}")
    return announced(_of_plan(plan, request, claims, root), claims)


def _of_plan(
    plan: CurvePlan | LadderPlan, request: Request, claims: Claims, root: Root | None
) -> dict[str, str]:
    match request.lang:
        case "python":
            return _in_python(plan, request, claims)
        case "c":
            return _in_c(plan, request, claims)
        case "rust":
            return _in_rust(plan, request, claims, root)


def _in_python(plan: CurvePlan | LadderPlan, request: Request, claims: Claims) -> dict[str, str]:
    from efdgen.generator.render.python.curve import render_curve
    from efdgen.generator.render.python.driver import render_curve_driver
    from efdgen.generator.render.python.kernels import module_text
    from efdgen.generator.render.python.ladder import render_ladder
    from efdgen.generator.render.python.package import render_package
    from efdgen.generator.render.python.protocols import render_protocols

    lanes = request.machine
    if lanes and not isinstance(plan, CurvePlan):
        reason = "has a ladder, and Python has no lanes of it; leave --machine out"
        raise EfdgenError(f"{plan.curve.name} {reason}")
    if request.backend:
        from efdgen.generator.render.c.bundle import Options
        from efdgen.generator.render.python.compiled import render_compiled

        options = Options("header", request.lowering, claims, request.fields)
        module = render_compiled(plan, options, package=request.is_package, lanes=lanes)
    else:
        place = f"{plan.prefix}/_curve" if request.is_package else plan.prefix
        claims.announce(module_text(place, plan.curve.field, (plan.kernels,)))
        module = render_curve(plan) if isinstance(plan, CurvePlan) else render_ladder(plan)
    names = protocols(plan.curve) if request.set == "protocols" else []
    driver = render_curve_driver(plan, names, package=request.is_package)
    if request.is_package:
        own = cosets(plan.curve) if request.group else None
        also = request.set == "protocols"
        return driver | render_package(plan, module, with_protocols=also, group=own, lanes=lanes)
    beside = render_protocols(plan, lanes=lanes) if request.set == "protocols" else {}
    return module | driver | beside


def _in_c(plan: CurvePlan | LadderPlan, request: Request, claims: Claims) -> dict[str, str]:
    from efdgen.generator.render.c.bundle import Options
    from efdgen.generator.render.c.curve import render_curve
    from efdgen.generator.render.c.ladder import render_ladder
    from efdgen.generator.render.c.protocols import render_protocols

    layout: Literal["header", "split"] = "split" if request.layout == "split" else "header"
    hashes = request.set == "protocols" and hashing(plan.curve) is not None
    options = Options(layout, request.lowering, claims, request.fields, hashes)
    lanes = request.machine
    if isinstance(plan, CurvePlan):
        group = request.outer_prefix if request.group else ""
        files = render_curve(plan, options, group, lanes=lanes)
    else:
        files = render_ladder(plan, options, lanes=lanes)
    return files | (render_protocols(plan, options, lanes=lanes) if request.set == "protocols" else {})


def _in_rust(
    plan: CurvePlan | LadderPlan, request: Request, claims: Claims, root: Root | None
) -> dict[str, str]:
    from efdgen.generator.render.rust.bundle import Options
    from efdgen.generator.render.rust.curve import render_curve
    from efdgen.generator.render.rust.ladder import render_ladder

    crate: Literal["crate", "module"] = "module" if request.layout == "module" else "crate"
    options, also = (
        Options(crate, request.lowering, claims, request.fields),
        request.set == "protocols",
    )
    if request.api:
        return _of_interface(plan, request, options)
    also = request.set == "protocols"
    lanes = request.machine
    if isinstance(plan, CurvePlan):
        group = request.group is not None
        return render_curve(plan, options, protocols=also, root=root, group=group, lanes=lanes)
    return render_ladder(plan, options, protocols=also, root=root, lanes=lanes)


def _of_interface(plan: CurvePlan | LadderPlan, request: Request, options: Options) -> dict[str, str]:
    """Print a crate with the interface of another project's crates."""
    from efdgen.generator.render.rust.dalek import render_dalek
    from efdgen.generator.render.rust.rustcrypto import render_rustcrypto

    interface = INTERFACES[f"{request.api}"]
    naming = Naming(request.crate_name, request.crate_version)
    assert isinstance(plan, CurvePlan)  # every curve that fits has one, if its crate has arithmetic
    if interface.project == "dalek":
        return render_dalek(plan, options, interface, naming, request.machine)
    require_fit(plan.curve, interface)
    return render_rustcrypto(plan, options, interface, naming, request.machine)

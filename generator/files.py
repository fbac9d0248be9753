"""Files of a request, in its language and layout: of a bundle of kernels, or of the plan of a whole curve."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from efdgen.generator.compile import LAYOUTS, Request
from efdgen.generator.curves.hashing import hashing
from efdgen.generator.errors import EfdgenError
from efdgen.generator.fields.claims import UNPROVED, Claims
from efdgen.generator.fields.printed import announced
from efdgen.generator.interfaces import INTERFACES, Naming, require_fit
from efdgen.generator.planning.ladder import LadderPlan
from efdgen.generator.planning.plan import CurvePlan
from efdgen.generator.planning.protocols import protocols

if TYPE_CHECKING:
    from efdgen.generator.programs.kernel import Bundle
    from efdgen.generator.render.rust.bundle import Options
    from efdgen.generator.render.rust.crate import Root


def render(bundle: Bundle, request: Request, claims: Claims = UNPROVED) -> dict[str, str]:
    """Print a bundle in the language and layout of a request: relative path to text.

    ``claims`` answers for the operations of the field.
    """
    return announced(_of_bundle(bundle, request, claims), claims)


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

    if request.backend:
        from efdgen.generator.render.c.bundle import Options
        from efdgen.generator.render.python.compiled import render_compiled

        options = Options("header", request.lowering, claims, request.fields)
        module = render_compiled(plan, options, package=request.is_package)
    else:
        place = f"{plan.prefix}/_curve" if request.is_package else plan.prefix
        claims.announce(module_text(place, plan.curve.field, (plan.kernels,)))
        module = render_curve(plan) if isinstance(plan, CurvePlan) else render_ladder(plan)
    names = protocols(plan.curve) if request.set == "protocols" else []
    driver = render_curve_driver(plan, names, package=request.is_package)
    if request.is_package:
        return driver | render_package(plan, module, with_protocols=request.set == "protocols")
    beside = render_protocols(plan) if request.set == "protocols" else {}
    return module | driver | beside


def _in_c(plan: CurvePlan | LadderPlan, request: Request, claims: Claims) -> dict[str, str]:
    from efdgen.generator.render.c.bundle import Options
    from efdgen.generator.render.c.curve import render_curve
    from efdgen.generator.render.c.ladder import render_ladder
    from efdgen.generator.render.c.protocols import render_protocols

    layout: Literal["header", "split"] = "split" if request.layout == "split" else "header"
    hashes = request.set == "protocols" and hashing(plan.curve) is not None
    options = Options(layout, request.lowering, claims, request.fields, hashes)
    files = render_curve(plan, options) if isinstance(plan, CurvePlan) else render_ladder(plan, options)
    return files | (render_protocols(plan, options) if request.set == "protocols" else {})


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
    if isinstance(plan, CurvePlan):
        return render_curve(plan, options, protocols=also, root=root)
    return render_ladder(plan, options, protocols=also, root=root)


def _of_interface(plan: CurvePlan | LadderPlan, request: Request, options: Options) -> dict[str, str]:
    """Print a crate with the interface of another project's crates."""
    from efdgen.generator.render.rust.dalek import render_dalek
    from efdgen.generator.render.rust.rustcrypto import render_rustcrypto

    interface = INTERFACES[f"{request.api}"]
    naming = Naming(request.crate_name, request.crate_version)
    if interface.project == "dalek":
        return render_dalek(plan, options, interface, naming)
    require_fit(plan.curve, interface)
    assert isinstance(plan, CurvePlan)  # every Weierstrass curve has one
    return render_rustcrypto(plan, options, interface, naming)

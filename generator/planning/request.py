"""One run of ``efdgen compile --set curve``: the requested plan, and its files."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from efdgen.generator.compile import DEFAULT_WEIGHTS, LAYOUTS, Request, origin_of, ranking, requested_system
from efdgen.generator.curves.load import load_curve
from efdgen.generator.errors import EfdgenError
from efdgen.generator.fields.bundle import unproved as unproved_field
from efdgen.generator.fields.printed import announced
from efdgen.generator.interfaces import INTERFACES, Naming, require_fit
from efdgen.generator.kernels.bundle import with_exceptions
from efdgen.generator.planning.ladder import LadderPlan, make_ladder
from efdgen.generator.planning.make import Order, draft_plans, make_plan, unproved
from efdgen.generator.planning.plan import CurvePlan
from efdgen.generator.planning.possible import require_possible
from efdgen.generator.planning.protocols import protocols
from efdgen.generator.reports.weights import parse_weights

if TYPE_CHECKING:
    from collections.abc import Callable

    from efdgen.generator.curves.curve import Curve
    from efdgen.generator.fields.bundle import Certify as CertifyField
    from efdgen.generator.formulas.database import Database
    from efdgen.generator.formulas.exceptional import Derive
    from efdgen.generator.kernels.bundle import Certify
    from efdgen.generator.render import rust
    from efdgen.generator.render.rust_crate import Root

    Justify = Callable[[CurvePlan, Database], CurvePlan]


def plan_curve(
    database: Database, request: Request, certify: Certify, justify: Justify, derive: Derive | None = None
) -> CurvePlan | LadderPlan:
    """Return the plan of a request's curve, in the system that is asked for or that weighs least.

    ``certify`` proves formulas; ``justify`` proves that the plan meets no exceptional input, and says why;
    ``derive`` says on which inputs a kernel by itself is wrong.
    Raises :class:`EfdgenError` for what does not exist or does not apply, and what these three raise.
    """
    curve, systems, order = _asked(database, request)
    if curve.model == "g1p/montgom":
        ladder = make_ladder(database, curve, order, certify)
        kernels = with_exceptions(ladder.kernels, curve, derive)
        return replace(ladder, kernels=kernels, command=origin_of(database, request, (kernels,)))
    plan = justify(make_plan(database, curve, systems, order, certify), database)
    kernels = with_exceptions(plan.kernels, curve, derive)
    return replace(plan, kernels=kernels, command=origin_of(database, request, (kernels,)))


def draft_request(database: Database, request: Request) -> list[CurvePlan]:
    """Return the plans that a request's is chosen from, the lightest first; nothing is proved of them."""
    return draft_plans(database, *_asked(database, request))


def draft_ladder(database: Database, request: Request) -> LadderPlan | None:
    """Return the plan of a Montgomery curve, nothing of it proved; None for a curve of another model."""
    curve, _, order = _asked(database, request)
    return make_ladder(database, curve, order, unproved) if curve.model == "g1p/montgom" else None


def _asked(database: Database, request: Request) -> tuple[Curve, list[str], Order]:
    curve = load_curve(request.curve, "a whole curve")
    require_possible(database, request, curve)
    asked = requested_system(database, request, curve)
    runs_on_words = request.language != "python"
    order = Order(
        prefix=request.checked_prefix,
        command=request.command,
        weights=parse_weights(f"{DEFAULT_WEIGHTS},{request.weights or ''}"),
        table=request.table,
        formulas=database.select(request.formulas) if request.formulas else (),
        set=request.set,
        second=request.second,
        odd_multiples=request.odd_multiples,
        ranking=ranking(request, curve) if runs_on_words and request.counts_instructions else None,
        branches=not (runs_on_words or request.backend),
    )
    return curve, [asked] if asked else database.systems(curve.model), order


def companion(plan: CurvePlan | LadderPlan, request: Request) -> Request | None:
    """Return the request for the curve that a crate needs beside its own, None where it needs no other."""
    interface = INTERFACES.get(request.api or "")
    if interface is None or interface.project != "dalek" or isinstance(plan, CurvePlan):
        return None
    return Request("rust", "edwards25519", set="curve", table=request.table, tuning=request.tuning)


def render_plan(
    plan: CurvePlan | LadderPlan,
    request: Request,
    certify_field: CertifyField = unproved_field,
    root: Root | None = None,
) -> dict[str, str]:
    """Print a plan in the language and layout of a request: relative path to text.

    ``certify_field`` says what is proved of an operation of the field. ``root`` is the place of a curve of
    points in a crate in Rust, where it is a module.
    """
    if request.layout is not None and request.layout not in LAYOUTS[request.language]:
        choices = " or ".join(LAYOUTS[request.language])
        raise EfdgenError(f"--layout is {choices} for {request.language}, not {request.layout!r}")
    return announced(_printed(plan, request, certify_field, root), certify_field)


def _printed(
    plan: CurvePlan | LadderPlan, request: Request, certify_field: CertifyField, root: Root | None
) -> dict[str, str]:
    chosen = request.lowering, certify_field, request.fields
    match request.language:
        case "python":
            from efdgen.generator.render.python_curve import render_curve
            from efdgen.generator.render.python_driver import render_curve_driver
            from efdgen.generator.render.python_kernels import module_text
            from efdgen.generator.render.python_ladder import render_ladder
            from efdgen.generator.render.python_protocols import render_protocols

            if request.backend:
                from efdgen.generator.render.c import Options
                from efdgen.generator.render.python_compiled import render_compiled

                module = render_compiled(plan, Options("header", *chosen), package=request.is_package)
            else:
                place = f"{plan.prefix}/_curve" if request.is_package else plan.prefix
                certify_field(module_text(place, plan.curve.prime, (plan.kernels,)))
                module = render_curve(plan) if isinstance(plan, CurvePlan) else render_ladder(plan)
            names = protocols(plan.curve) if request.set == "protocols" else []
            driver = render_curve_driver(plan, names, package=request.is_package)
            if request.is_package:
                from efdgen.generator.render.python_package import render_package

                return driver | render_package(plan, module, with_protocols=request.set == "protocols")
            beside = render_protocols(plan) if request.set == "protocols" else {}
            return module | driver | beside
        case "c":
            from efdgen.generator.render import c_curve, c_ladder, c_protocols
            from efdgen.generator.render.c import Options

            layout: Literal["header", "split"] = "split" if request.layout == "split" else "header"
            options = Options(layout, *chosen)
            if isinstance(plan, CurvePlan):
                files = c_curve.render_curve(plan, options)
            else:
                files = c_ladder.render_ladder(plan, options)
            return files | (c_protocols.render_protocols(plan, options) if request.set == "protocols" else {})
        case "rust":
            from efdgen.generator.render import rust, rust_curve, rust_ladder

            crate: Literal["crate", "module"] = "module" if request.layout == "module" else "crate"
            wanted, also = rust.Options(crate, *chosen), request.set == "protocols"
            if request.api:
                return _render_api(plan, request, wanted)
            if isinstance(plan, CurvePlan):
                return rust_curve.render_curve(plan, wanted, protocols=also, root=root)
            return rust_ladder.render_ladder(plan, wanted, protocols=also)


def _render_api(plan: CurvePlan | LadderPlan, request: Request, options: rust.Options) -> dict[str, str]:
    """Print a crate with the interface of another project's crates."""
    from efdgen.generator.render.dalek import render_dalek
    from efdgen.generator.render.rustcrypto import render_rustcrypto

    interface = INTERFACES[f"{request.api}"]
    naming = Naming(request.crate_name, request.crate_version)
    if interface.project == "dalek":
        return render_dalek(plan, options, interface, naming)
    require_fit(plan.curve, interface)
    assert isinstance(plan, CurvePlan)  # as every Weierstrass curve has
    return render_rustcrypto(plan, options, interface, naming)

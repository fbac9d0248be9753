"""Files of a request, proved before they are returned."""

from __future__ import annotations

import logging
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from efdgen.api.formulas import database
from efdgen.generator.compile import Request, make_bundle, make_lane_bundle
from efdgen.generator.curves.load import checked_curve
from efdgen.generator.errors import EfdgenError
from efdgen.generator.files import render, render_lanes, render_plan, render_thin
from efdgen.generator.planning.possible import require_possible
from efdgen.verify.curve_prover import CurveProver
from efdgen.verify.readback.proofs import FieldProofs

if TYPE_CHECKING:
    from efdgen.generator.hosts.compile import HostRequest
    from efdgen.generator.mathematics.ground import Ground
    from efdgen.generator.planning.ladder import LadderPlan
    from efdgen.generator.planning.plan import CurvePlan
    from efdgen.generator.programs.kernel import CurveKernels

_log = logging.getLogger(__name__)


def files_of(request: Request | HostRequest) -> tuple[Path, dict[str, str]]:
    """Return the default directory of a request's files, and their texts by relative path.

    Raises :class:`EfdgenError` for a request that cannot be met, and where anything is not proved.
    """
    if isinstance(request, Request) and request.machine and request.set == "kernels":
        return _formulas_in_lanes(request)
    if not isinstance(request, Request):
        return _curve_for_host(request) if request.set == "curve" else _formulas_for_host(request)
    return _formulas(request) if request.set == "kernels" else _whole(request)


def planned(request: Request) -> CurvePlan | LadderPlan:
    """Return the plan of a request's curve, with all of its proofs; raise as :func:`files_of` does."""
    from efdgen.generator.planning.request import plan_curve

    return plan_curve(database(), request, CurveProver())


def _formulas(request: Request) -> tuple[Path, dict[str, str]]:
    shelf = database()
    require_possible(shelf, request, checked_curve(request.curve))
    bundle = make_bundle(shelf, request, CurveProver())
    _check_tuning(request, bundle.groups[0], bundle.ground)
    proofs = FieldProofs()
    files = proofs.proved(partial(render, bundle, request))
    proofs.require_read(files)
    return Path("out", bundle.prefix, request.lang), files


def _whole(request: Request) -> tuple[Path, dict[str, str]]:
    from efdgen.generator.planning.request import companion
    from efdgen.generator.render.rust.crate import beside

    if thin := render_thin(database(), request):
        return Path("out", request.checked_prefix, request.lang), thin
    plan = planned(request)
    files: dict[str, str] = {}
    _check_tuning(request, plan.kernels, plan.curve.field)
    parts = [partial(render_plan, plan, request)]
    if other := companion(plan, request):
        second = replace(planned(other.request), command=plan.command)
        root = beside(other.module, other.opened)
        parts.append(partial(render_plan, second, other.request, root=root))
    for part in parts:
        proofs = FieldProofs()
        printed = proofs.proved(part)
        proofs.require_read(printed)
        files |= printed
    return Path("out", request.outer_prefix, request.lang), files


def _formulas_in_lanes(request: Request) -> tuple[Path, dict[str, str]]:
    bundle, proofs = make_lane_bundle(database(), request, CurveProver()), FieldProofs()
    files = proofs.proved(partial(render_lanes, bundle))
    proofs.require_read(files)
    return Path("out", bundle.prefix, request.lang), files


def _check_tuning(request: Request, group: CurveKernels, ground: Ground) -> None:
    """Refuse a tuning that does not concern the compiled code, and report its outdated parts."""
    from efdgen.generator.autotuning.use import programs_of, require_use

    if request.tuning:
        if ground.is_binary:
            raise EfdgenError(f"--tuning has no effect over {ground}; remove it")
        field = request.fields.of(ground)
        for line in require_use(request.tuning, ground.prime, group.curve, programs_of(group, field)):
            _log.info("%s; run efdgen tune again", line)


def _formulas_for_host(request: HostRequest) -> tuple[Path, dict[str, str]]:
    from efdgen.generator.hosts.compile import make_host_bundle
    from efdgen.generator.hosts.render import render as render_host
    from efdgen.verify.readback.hosts import require_read

    bundle = make_host_bundle(database(), request, CurveProver())
    files = render_host(bundle)
    require_read(bundle, files)
    return Path("out", bundle.host.name), files


def _curve_for_host(request: HostRequest) -> tuple[Path, dict[str, str]]:
    from efdgen.generator.hosts.curve import make_host_curve
    from efdgen.generator.render.c.host_curve import render_host_curve
    from efdgen.verify.readback.host_curves import require_curve_read

    curve = make_host_curve(database(), request, CurveProver())
    proofs = FieldProofs()
    files = proofs.proved(partial(render_host_curve, curve))
    require_curve_read(curve, files, proofs.expected)
    return Path("out", curve.host.name), files

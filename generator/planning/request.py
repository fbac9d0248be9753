"""One run of ``efdgen compile --set curve``: the requested plan, and its files."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from efdgen.generator.compile import Request, origin_of, ranking, requested_system
from efdgen.generator.curves.load import checked_curve
from efdgen.generator.interfaces import INTERFACES, Naming, published
from efdgen.generator.kernels.bundle import unnamed_systems, with_exceptions
from efdgen.generator.kernels.prover import Prover
from efdgen.generator.planning.ladder import LadderPlan, make_ladder
from efdgen.generator.planning.make import Order, draft_plans, make_plan
from efdgen.generator.planning.possible import require_possible
from efdgen.generator.reports.weights import parse_weights

if TYPE_CHECKING:
    from efdgen.generator.curves.curve import Curve
    from efdgen.generator.formulas.database import Database
    from efdgen.generator.planning.plan import CurvePlan
    from efdgen.generator.planning.prover import PlanProver


def plan_curve(database: Database, request: Request, prover: PlanProver) -> CurvePlan | LadderPlan:
    """Return the plan of a request's curve, in the system that is asked for or that weighs least.

    Raises :class:`EfdgenError` for what does not exist or does not apply, and what the prover raises.
    """
    curve, systems, order = _asked(database, request)
    if curve.model == "g1p/montgom":
        ladder = prover.ladder(make_ladder(database, curve, order, prover))
        kernels = with_exceptions(ladder.kernels, curve, prover)
        return replace(ladder, kernels=kernels, command=origin_of(database, request, (kernels,)))
    plan = prover.reasons(make_plan(database, curve, systems, order, prover), database)
    kernels = with_exceptions(plan.kernels, curve, prover)
    return replace(plan, kernels=kernels, command=origin_of(database, request, (kernels,)))


def draft_request(database: Database, request: Request) -> list[CurvePlan]:
    """Return the plans that a request's is chosen from, the lightest first; nothing is proved of them."""
    return draft_plans(database, *_asked(database, request))


def draft_ladder(database: Database, request: Request) -> LadderPlan | None:
    """Return the plan of a Montgomery curve, nothing of it proved; None for a curve of another model."""
    curve, _, order = _asked(database, request)
    return make_ladder(database, curve, order, Prover()) if curve.model == "g1p/montgom" else None


def _asked(database: Database, request: Request) -> tuple[Curve, list[str], Order]:
    curve = checked_curve(request.curve)
    require_possible(database, request, curve)
    asked = requested_system(database, request, curve)
    runs_on_words = request.lang != "python"
    order = Order(
        prefix=request.checked_prefix,
        command=request.command,
        weights=parse_weights(request.all_weights),
        table=request.tables,
        formulas=database.select(request.formulas) if request.formulas else (),
        set=request.set,
        second=request.second,
        odd_multiples=request.table_method,
        ranking=ranking(request, curve) if runs_on_words and request.counts_instructions else None,
        branches=not (runs_on_words or request.backend),
        half_length=request.optimize == "speed",
    )
    # Over GF(2^m) only systems that are taken by name have the identity.
    systems = database.systems if curve.field.is_binary else partial(unnamed_systems, database)
    return curve, [asked] if asked else [*systems(curve.model)], order


@dataclass(frozen=True)
class Companion:
    """A second curve in a crate: its request, its module, and files whose functions the crate calls."""

    request: Request
    module: str
    opened: tuple[str, ...]


def companion(plan: CurvePlan | LadderPlan, request: Request) -> Companion | None:
    """Return the curve that a crate needs beside its own, None where it needs no other."""
    if request.api is None:
        return None
    naming = Naming(request.crate_name, request.crate_version)
    facts = published(plan.curve, INTERFACES[request.api], naming, plan.prefix).facts
    if "beside" not in facts:
        return None
    beside = facts["beside"]
    other = Request(
        "rust",
        beside["curve"],
        set="curve",
        table=request.table,
        tuning=request.tuning,
        machine=request.machine,
    )
    return Companion(other, beside["module"], tuple(beside["opened"]))

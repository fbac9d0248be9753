"""One run of ``efdgen bench``: every coordinate system of a curve, in every language, timed."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from efdgen.generator.compile import Request
from efdgen.generator.curves.load import built_in_curves, load_curve
from efdgen.generator.curves.map import map_between
from efdgen.generator.errors import EfdgenError
from efdgen.generator.files import render_plan
from efdgen.generator.measuring.peer import peer_times
from efdgen.generator.measuring.programs import times
from efdgen.generator.measuring.series import series_of
from efdgen.generator.planning.ladder import COORDINATES
from efdgen.generator.planning.plan import CurvePlan
from efdgen.generator.planning.protocols import protocols
from efdgen.generator.planning.request import draft_request, plan_curve
from efdgen.generator.reports.total_formats import cost_text
from efdgen.generator.reports.totals import Step

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from efdgen.generator.curves.curve import Curve
    from efdgen.generator.fields.claims import Claims
    from efdgen.generator.formulas.database import Database
    from efdgen.generator.measuring.programs import Time
    from efdgen.generator.options import Language, Set
    from efdgen.generator.planning.ladder import LadderPlan
    from efdgen.generator.planning.prover import PlanProver

_CANDIDATES = {
    "variable base": "variable-base",
    "variable base var": "variable-base-var",
    "fixed base": "fixed-base",
    "double base var": "double-base",
}
MONTGOMERY = "g1p/montgom"
_LADDERS = ("variable base", "x alone", "fixed base", "exchange")


@dataclass
class Measured:
    """A coordinate system: what operations cost, how long they took by compiler, and what was left out.

    ``formulas`` has, by compiler, the id of each operation that is one formula: languages may differ in them.
    """

    system: str
    costs: dict[str, str]
    times: dict[str, dict[str, Time]] = field(default_factory=dict)
    left_out: dict[str, str] = field(default_factory=dict)
    formulas: dict[str, dict[str, str]] = field(default_factory=dict)


@dataclass(frozen=True)
class Bench:
    """The subject to time: a curve in some systems (all if there are none) and languages."""

    curve: str
    coordinates: tuple[str, ...]
    languages: Sequence[Language]
    rounds: int
    series: bool = False

    def run(
        self, database: Database, prover: PlanProver, claims: Claims, say: Callable[[str], None]
    ) -> tuple[list[Measured], dict[str, float]]:
        """Return what was measured, system by system, and nanoseconds of the package ecdsa.

        Raises :class:`EfdgenError` where nothing can be timed.
        """
        found: list[Measured] = []
        peer: dict[str, float] = {}
        for request in self._requests(database):
            measured = Measured(self._title(request), {})
            for language in self.languages:
                say(f"{measured.system} in {language}")
                try:
                    layout = "module" if language == "python" else None
                    asked = replace(request, lang=language, layout=layout)
                    plan = self._time(database, asked, prover, claims, measured)
                except EfdgenError as error:
                    measured.left_out[language] = str(error).splitlines()[0]
                    continue
                if language == "python" and isinstance(plan, CurvePlan) and not peer:
                    say("the package ecdsa")
                    peer = peer_times(plan, self.rounds)
            found.append(measured)
        if not any(measured.times for measured in found):
            reasons = {reason for measured in found for reason in measured.left_out.values()}
            raise EfdgenError(f"nothing was timed: {'; '.join(sorted(reasons))}")
        return found, peer

    def _title(self, request: Request) -> str:
        """Return what a table is called: the system, and the curve where it is another one."""
        system = request.coords or ""
        return system if request.curve == self.curve else f"{system} of {request.curve}"

    def _requests(self, database: Database) -> list[Request]:
        curve, names = load_curve(self.curve, "efdgen bench"), self.coordinates
        request = Request("python", self.curve, set="protocols" if protocols(curve) else "curve")
        if curve.model == MONTGOMERY:
            if {name.rpartition("/")[2] for name in names} - {COORDINATES}:
                raise EfdgenError(f"a Montgomery curve is timed in {COORDINATES} alone; leave --coords out")
            return [replace(request, coords=COORDINATES)]
        if not names:
            drafts = draft_request(database, replace(request, set="curve"))
            names = tuple(plan.representation.system.rpartition("/")[2] for plan in drafts)
            ladder = montgomery_form(database, curve)
        elif COORDINATES in names:
            ladder = montgomery_form(database, curve)
            if ladder is None:
                raise EfdgenError(f"no built-in Montgomery curve is {curve.name} in other coordinates")
        else:
            ladder = None
        found = [replace(request, coords=name) for name in names if name != COORDINATES]
        if ladder is not None:
            whole: Set = "protocols" if protocols(ladder) else "curve"
            found.append(Request("python", ladder.name, COORDINATES, set=whole))
        return found

    def _time(
        self, database: Database, request: Request, prover: PlanProver, claims: Claims, measured: Measured
    ) -> CurvePlan | LadderPlan:
        plan = plan_curve(database, request, prover)
        measured.costs |= _costs(plan) if isinstance(plan, CurvePlan) else _ladder_costs(plan)
        files = render_plan(plan, request, claims)
        with TemporaryDirectory(prefix="efdgen-") as folder:
            series = series_of(plan) if self.series else {}
            made = dict(times(plan, files, request.lang, self.rounds, Path(folder), series))
        formulas = {name: plan.kernel(role).formula.id for name, role in _kernels(plan).items()}
        measured.times |= made
        measured.formulas |= dict.fromkeys(made, formulas)
        return plan


def montgomery_form(database: Database, curve: Curve) -> Curve | None:
    """Return the built-in Montgomery curve to which a map of degree 1 leads, None if there is none."""
    ways = [way for way in map(database.map, database.map_ids) if way.degree == 1]
    targets = [target for target in built_in_curves() if target.model == MONTGOMERY]
    return next((t for t in targets if any(map_between(way, curve, t) for way in ways)), None)


def _kernels(plan: CurvePlan | LadderPlan) -> dict[str, str]:
    """Return the kernels of a plan that are timed by themselves, by the operation that each is."""
    if isinstance(plan, CurvePlan):
        return {"doubling": plan.roles.double, "addition": plan.roles.add}
    return {"ladder step": plan.step}


def _costs(plan: CurvePlan) -> dict[str, str]:
    """Return what each operation costs in multiplications, squarings and additions, where that is counted."""
    found = {}
    for name, role in _kernels(plan).items():
        kernel = plan.kernel(role)
        found[name] = cost_text([Step(Fraction(1), kernel.formula.id, kernel.cost_emitted)])
    for name, operation in _CANDIDATES.items():
        chosen = next((c for c in plan.candidates.get(operation, ()) if c.chosen), None)
        if chosen is not None:
            found[name] = cost_text(chosen.steps)
    return found


def _ladder_costs(plan: LadderPlan) -> dict[str, str]:
    """Return what a step of a ladder costs, and the steps of all bits; what follows them is not counted."""
    kernel = plan.kernel(plan.step)
    step = Step(Fraction(1), kernel.formula.id, kernel.cost_emitted)
    whole = cost_text([step * plan.bits])
    return {"ladder step": cost_text([step]), **dict.fromkeys(_LADDERS, whole)}

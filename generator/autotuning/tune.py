"""One run of ``efdgen tune``: the representation of a field, the formulas of a curve, and their schedules."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from random import Random
from time import monotonic
from typing import TYPE_CHECKING

from efdgen.generator.autotuning.candidates import (
    FIELD_OPERATIONS,
    fields,
    other_formulas,
    timed_formulas,
    timed_operations,
)
from efdgen.generator.autotuning.search import Search, starts
from efdgen.generator.autotuning.stopwatch import Timed
from efdgen.generator.curves.load import load_curve
from efdgen.generator.errors import EfdgenError, suggestion
from efdgen.generator.fields.field import Field
from efdgen.generator.fields.whole import WORD, is_whole, whole_formulas, whole_operation
from efdgen.generator.tuning.order import fingerprint
from efdgen.generator.tuning.tuning import FieldChoice, FormulaChoice, OrderChoice, Tuning

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

    from efdgen.generator.autotuning.candidates import Select
    from efdgen.generator.autotuning.session import Session
    from efdgen.generator.compile import Request
    from efdgen.generator.fields.whole import WholeFormula
    from efdgen.generator.formulas.database import Database
    from efdgen.generator.options import Target
    from efdgen.generator.programs.kernel import CurveKernels
    from efdgen.generator.programs.program import Program
    from efdgen.generator.tuning.order import Order


@dataclass(frozen=True)
class Budget:
    """The effort of the search for schedules: total seconds, and rounds per operation; None is unlimited."""

    seconds: float | None
    rounds: int | None
    seed: int


def tune_field(
    session: Session, prime: int, base: Tuning, names: Sequence[str], target: Target | None = None
) -> Tuning:
    """Decide how a field is computed with by some of its operations, or by those that matter most.

    With a ``target``, it is decided for that alone. The previous choice is that of ``base``. Raises
    :class:`EfdgenError` for an operation that is unknown.
    """
    wanted = names or FIELD_OPERATIONS
    _require_known(wanted, FIELD_OPERATIONS)
    offered = fields(prime, Tuning(base.language, base=base), target)
    return _with_field(session, offered, lambda field: timed_operations(field, wanted))


def tune_curve(
    session: Session,
    database: Database,
    request: Request,
    select: Select,
    names: Sequence[str],
    budget: Budget,
) -> Tuning:
    """Decide how the operations of a curve that a request has are computed, those of some names or all.

    ``select`` chooses the kernels of a request; the previous choice is that of the request's tuning.
    If the request names formulas, these are taken, and only their orders are searched. Raises
    :class:`EfdgenError` for an operation that there is not.
    """
    curve, base = load_curve(request.curve, "efdgen tune"), request.decisions
    group = select(request)
    request = replace(request, coords=group.system)
    known = [kernel.name for kernel in group.kernels if is_whole(kernel)]
    wanted = names or known
    _require_known(wanted, known)
    tuning = Tuning(base.language, base=base)
    if not request.formulas:
        measure = partial(timed_formulas, group=group, names=wanted)
        tuning = _with_field(session, fields(curve.prime, tuning, request.target), measure)
        tuning = _with_formulas(session, database, replace(request, tuning=tuning), group, select, wanted)
        group = select(replace(request, tuning=tuning)) if tuning.formulas else group
    field = Field(curve.field, request.target, (WORD,), tuning=tuning)
    return _with_orders(session, field, group, wanted, budget)


def _require_known(names: Sequence[str], known: Collection[str]) -> None:
    for name in names:
        if name not in known:
            hint = suggestion(name, known) or f"; there are {', '.join(known)}"
            raise EfdgenError(f"--operations: cannot tune {name}{hint}")


def _with_field(session: Session, rivals: Iterable[Field], measure: Callable[[Field], list[Timed]]) -> Tuning:
    offered: list[tuple[Field, list[Timed]]] = []
    for field in rivals:
        timed = measure(field)
        programs = [each.operation.program for each in timed]
        if programs not in [[e.operation.program for e in other] for _, other in offered]:
            offered.append((field, timed))
    named = [(_title(field), timed) for field, timed in offered]
    at = session.decide("field", named)
    decided = offered[at][0]
    if not at and decided.tuning.field(decided.prime, WORD):
        return decided.tuning
    plan = decided.representations[0].plan
    choice = FieldChoice(decided.prime, WORD, plan.representation, plan.target, session.rows[-1].ratio)
    return replace(decided.tuning, fields=(choice,))


def _title(field: Field) -> str:
    plan = field.representations[0].plan
    return f"{plan.representation}, as for {plan.target}"


def _with_formulas(
    session: Session,
    database: Database,
    request: Request,
    group: CurveKernels,
    select: Select,
    names: Sequence[str],
) -> Tuning:
    tuning = request.decisions
    field = Field(load_curve(request.curve).field, request.target, (WORD,), tuning=tuning)
    offered = {
        name: [(_formula(group, name), timed)]
        for name, timed in zip(names, timed_formulas(field, group, names), strict=True)
    }
    for other in other_formulas(database, request, group, names, select):
        has = [name for name in names if name in {kernel.name for kernel in other.kernels}]
        for name, timed in zip(has, timed_formulas(field, other, has), strict=True):
            known = [each.operation.program for _, each in offered[name]]
            if timed.operation.program not in known:
                offered[name].append((_formula(other, name), timed))
    choices = []
    for name, rivals in offered.items():
        at = session.decide(f"formula of {name}", [(formula, [timed]) for formula, timed in rivals])
        if at:
            ratio = session.rows[-1].ratio
            choices.append(FormulaChoice(group.curve, name, rivals[at][0], ratio))
    return replace(tuning, formulas=tuple(choices))


def _formula(group: CurveKernels, name: str) -> str:
    return next(kernel.formula.id for kernel in group.kernels if kernel.name == name)


def _with_orders(
    session: Session, field: Field, group: CurveKernels, names: Sequence[str], budget: Budget
) -> Tuning:
    formulas = whole_formulas(group, field, names)
    start, choices = monotonic(), {}
    for at, name in enumerate(names, 1):
        deadline = None if budget.seconds is None else start + budget.seconds * at / len(names)
        subject = _Ordered(session, field, _formula(group, name), formulas[name])
        if subject.key in choices:
            continue
        title = f"order of {name}"
        best = subject.searched(title, Random(f"{budget.seed} {subject.key}"), deadline, budget.rounds)
        found = [("as found", [subject.make(best.of(subject.program))])] if best else []
        if session.decide(title, [("as it was", [subject.standing]), *found]):
            assert best is not None
            ratio = session.rows[-1].ratio
            choices[subject.key] = OrderChoice(
                group.curve, subject.formula, subject.key, best, ratio, subject.target
            )
    return replace(field.tuning, orders=tuple(choices.values()))


class _Ordered:
    """A formula of a curve whose order is searched."""

    def __init__(self, session: Session, field: Field, formula: str, whole: WholeFormula) -> None:
        (self._found,) = field.representations
        self._session, self._tuning = session, field.tuning
        self.formula, self.program = formula, whole.program
        self.key, self.target = fingerprint(whole.program, self._found.plan), self._found.plan.target
        self.standing = Timed(self._found, whole.operation)

    def make(self, ordered: Program) -> Timed:
        """Lower the formula in an order; raise :class:`EfdgenError` where that is not proved."""
        operation = whole_operation("order", self.formula, self.program, ordered, self._found.plan)
        self._session.prove(operation)
        return Timed(self._found, operation)

    def searched(self, title: str, rng: Random, deadline: float | None, most: int | None) -> Order | None:
        """Return the fastest order that is found until a time and in a number of rounds, None for neither."""
        known, best = self._tuning.order(self.program, self._found.plan), None
        if most == 0 or (deadline is not None and monotonic() >= deadline):
            return None
        search = Search(
            self.program,
            starts(self.program, self._found.plan, known.order if known else None),
            self.make,
            lambda error: self._session.refused.append(str(error)),
            self._session.stopwatch,
            rng,
        )
        for number, (cycles, order) in enumerate(search.rounds(), 1):
            best = order
            self._session.say(f"{title}: {cycles:.1f} in round {number}")
            if number == most or (deadline is not None and monotonic() >= deadline):
                break
        return best

"""Proof of the functions of one plan in lanes: routines as on words, followed by themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from efdgen.generator.errors import EfdgenError
from efdgen.generator.planning.ladder import LadderPlan
from efdgen.generator.planning.lane_routines import MULTIPLES, SUM, SUMS
from efdgen.generator.planning.table_routines import way_of
from efdgen.generator.routines.integers import RoutineError
from efdgen.generator.routines.interpreter import Interpreter
from efdgen.verify.lemmas.table import prove_lemmas
from efdgen.verify.routines.curve import require_tables, without_reasons
from efdgen.verify.routines.ladder import prove_x_multiply
from efdgen.verify.routines.multiples import Follower
from efdgen.verify.routines.powers import prove_inversion, prove_root
from efdgen.verify.routines.shared import prove_shared
from efdgen.verify.routines.tables import prove_tables

if TYPE_CHECKING:
    from collections.abc import Callable

    from efdgen.generator.planning.lane_routines import LanePlan, LaneRoutineText
    from efdgen.generator.routines.module import Module


def prove_lanes(text: LaneRoutineText) -> None:
    """Prove k·P of multiplications, and all that they call; raise :class:`RoutineError` where one fails."""
    try:
        if isinstance(text.plan, LadderPlan):
            prove_x_multiply(text.plan, text.module)
        else:
            _prove_multiples(text.plan, text.module)
    except EfdgenError as error:
        raise RoutineError(f"{error}") from None
    prove_inversion(text.module, text.plan.curve.prime)
    prove_root(text.module, text.plan.curve.prime)


def _prove_multiples(lanes: LanePlan, module: Module) -> None:
    plan = without_reasons(lanes)
    require_tables(plan)
    prove_lemmas(plan, module)
    prove_tables(plan, module, (way_of(plan, "window"),))
    own = Follower(plan, module)
    for name in MULTIPLES:
        own.follow(name)
    if SUMS in module.routines:
        prove_shared(own)
    _prove_sum(module)


def _prove_sum(module: Module) -> None:
    """Prove that the sum is that of a multiple of the generator, and one of the point."""
    known: dict[str, Callable[..., list[Any]]] = {
        "multiply_generator": lambda k: [{"G": k}],
        "multiply": lambda k, p: [{p: k}],
        "add": lambda p, q: [p | q],
    }
    if Interpreter(module, known).call(SUM, "a", "b", "Q") != [{"G": "a", "Q": "b"}]:
        raise RoutineError(f"{SUM} returns something other than the sum")

"""Ranking of the formulas for one purpose by the cycles that they take in lanes, the fewest first.

A square costs three quarters of a product there, and a sum a tenth: other formulas win than on words.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.formulas.cost import count
from efdgen.generator.kernels.ranking import NEAR, by_weights, divides
from efdgen.generator.lanes.functions import with_numbers
from efdgen.generator.lanes.order import estimate
from efdgen.generator.lanes.plan import lane_plan
from efdgen.generator.lanes.words import lanes_of
from efdgen.generator.limbs.lower import lower_to_limbs
from efdgen.generator.limbs.spelling import LimbFunction

if TYPE_CHECKING:
    from collections.abc import Sequence

    from efdgen.generator.kernels.candidate import Candidate
    from efdgen.generator.kernels.ranking import Ranking
    from efdgen.generator.options import Machine
    from efdgen.generator.reports.weights import Weights


def by_cycles(weights: Weights, prime: int, machine: Machine) -> Ranking:
    """Order formulas that weigh almost as little as the lightest by their cycles, then by weight and name."""
    plan, by_weight = lane_plan(prime, machine), by_weights(weights)

    def cycles(found: Candidate) -> float:
        specialised = found.specialised
        program = with_numbers(specialised.program, specialised.constants, plan)
        limbs = lower_to_limbs(program, plan, builder=lanes_of(plan).begin())
        read = LimbFunction("", limbs, ()).needed
        return estimate([i for i in limbs.instructions if not read.isdisjoint(i.results)])

    def rank(rivals: Sequence[Candidate]) -> list[Candidate]:
        ranked = by_weight(rivals)
        prices = [weights.price(count(c.specialised.program)) for c in ranked]
        near = [c for c, price in zip(ranked, prices, strict=True) if price <= NEAR * prices[0]]
        if len(near) < 2 or any(divides(c.specialised.program) for c in near):
            return ranked
        return [*sorted(near, key=cycles), *ranked[len(near) :]]

    return rank

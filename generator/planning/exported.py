"""The functions of the table of exports that the curve of a plan has."""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.curves.cosets import cosets
from efdgen.generator.exports.export import exports
from efdgen.generator.planning.embedding import embedding
from efdgen.generator.planning.ladder import LadderPlan
from efdgen.generator.planning.prepared_routines import has_tables
from efdgen.generator.planning.protocols import signature_scheme

if TYPE_CHECKING:
    from efdgen.generator.exports.export import Export
    from efdgen.generator.planning.embedding import Embedding
    from efdgen.generator.planning.plan import CurvePlan


def exported(plan: CurvePlan | LadderPlan, language: str = "") -> tuple[Export, ...]:
    """Return the functions of a curve that users call, in one language or in any."""
    return tuple(e for e in exports(_facts(plan)) if not language or language in e.languages)


def embedding_of(plan: CurvePlan) -> Embedding | None:
    """Return the embedding of messages in points, None of a Weierstrass curve."""
    return None if plan.model in {"shortw", "binary"} else embedding(plan.curve.prime, plan.cofactor)


def _facts(plan: CurvePlan | LadderPlan) -> frozenset[str]:
    """Return what the table asks of a curve: words of its column ``on``."""
    if isinstance(plan, LadderPlan):
        return frozenset({"ladder"})
    some = {
        "coz": plan.coz,
        "second": plan.second,
        "signatures": signature_scheme(plan.curve),
        "embedding": embedding_of(plan),
        "tables": has_tables(plan) or None,
    }
    model = "shortw" if plan.model in {"shortw", "binary"} else "edwards"
    group = None if plan.model == "binary" else cosets(plan.curve)
    present = [name for name, value in some.items() if value is not None]
    return frozenset({"points", model, *present, *([group.prefix] if group else [])})

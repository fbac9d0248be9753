"""Methods of scalar multiplication on a curve, as ``efdgen plan --json`` prints them, without proofs."""

from __future__ import annotations

import json
from typing import Any

from efdgen.generator.compile import Request
from efdgen.generator.errors import EfdgenError
from efdgen.generator.formulas.database import Database
from efdgen.generator.planning.formats import render
from efdgen.generator.planning.request import draft_ladder, draft_request


def methods(curve: str) -> list[dict[str, Any]]:
    """Return the methods of each operation on a curve; none for a curve that is no whole one."""
    database, request = Database(), Request("python", curve, set="curve")
    try:
        ladder = draft_ladder(database, request)
        plans = [ladder] if ladder else draft_request(database, request)
    except EfdgenError:
        return []
    found: list[dict[str, Any]] = json.loads(render(plans, [*plans[0].candidates], "json", {}))
    return found

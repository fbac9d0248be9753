"""An account of a curve: its numbers, and what is proved of multiplications in C and Rust."""

from __future__ import annotations

from dataclasses import dataclass
from textwrap import wrap
from typing import TYPE_CHECKING

from efdgen.generator.compile import Request
from efdgen.generator.curves.load import load_curve
from efdgen.generator.curves.text import curve_object, curve_text
from efdgen.generator.errors import EfdgenError
from efdgen.generator.planning.request import draft_request
from efdgen.generator.progress import work
from efdgen.verify.scalars.reasons import require_safe

if TYPE_CHECKING:
    from collections.abc import Mapping

    from efdgen.generator.curves.curve import Curve
    from efdgen.generator.formulas.database import Database

_WIDTH = 100
_INDENT = " " * 4


@dataclass(frozen=True)
class CurveAccount:
    """A curve, the coordinate system of its plan, and claims by the names of multiplications.

    ``failure`` says why there is no plan.
    """

    curve: Curve
    system: str
    claims: Mapping[str, str]
    failure: str = ""

    def fields(self) -> dict[str, object]:
        """Return everything by name, as JSON has it."""
        found = {"system": self.system, "multiplications": dict(self.claims), "failure": self.failure}
        return curve_object(self.curve) | found

    def text(self) -> str:
        """Return everything in lines for a terminal."""
        lines = [curve_text(self.curve), f"multiplications in C and Rust, {self.failure or self.system}"]
        for name, claim in self.claims.items():
            lines += [f"  {name}", *wrap(claim, _WIDTH, initial_indent=_INDENT, subsequent_indent=_INDENT)]
        return "\n".join([*lines, ""])


def account_of_curve(database: Database, name: str) -> CurveAccount:
    """Plan a curve by its name or file, and prove multiplications by its routines."""
    curve = load_curve(name)
    if curve.model == "g1p/montgom":
        return CurveAccount(curve, "", {}, "by a ladder on x alone, which is tested")
    try:
        with work("planning"):
            plan = draft_request(database, Request("c", name, set="curve"))[0]
    except EfdgenError as error:
        return CurveAccount(curve, "", {}, f"none proved: {error}")
    with work("proving multiplications"):
        return CurveAccount(curve, plan.kernels.system, require_safe(plan, database).proofs)

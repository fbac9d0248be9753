"""An account of a curve: its numbers, and what is proved of multiplications in C and Rust."""

from __future__ import annotations

from dataclasses import dataclass, field
from textwrap import wrap
from typing import TYPE_CHECKING

from efdgen.generator.compile import Request
from efdgen.generator.curves.load import load_curve
from efdgen.generator.curves.text import curve_object, curve_text
from efdgen.generator.errors import EfdgenError
from efdgen.generator.exports.export import exports
from efdgen.generator.planning.exported import exported
from efdgen.generator.planning.request import draft_ladder, draft_request
from efdgen.generator.progress import work
from efdgen.verify.plan_proofs import SafePlans, require_safe
from efdgen.verify.routines.curve import without_reasons
from efdgen.verify.routines.known import WORDS, known
from efdgen.verify.routines.verdicts import prove_verdicts

if TYPE_CHECKING:
    from collections.abc import Mapping

    from efdgen.generator.curves.curve import Curve
    from efdgen.generator.formulas.database import Database
    from efdgen.verify.routines.curve import without_reasons
from efdgen.verify.routines.known import Known

_WIDTH = 100
_INDENT = " " * 4


@dataclass(frozen=True)
class CurveAccount:
    """A curve, the coordinate system of its plan, and claims by the names of multiplications.

    ``failure`` says why there is no plan; ``functions`` are those that the curve exports in C and Rust, with
    what is known of them; ``signatures`` are claims about verification by protocols.
    """

    curve: Curve
    system: str
    claims: Mapping[str, str]
    failure: str = ""
    functions: Mapping[str, Known] = field(default_factory=dict)
    signatures: Mapping[str, str] = field(default_factory=dict)

    def fields(self) -> dict[str, object]:
        """Return everything by name, as JSON has it."""
        return {
            **curve_object(self.curve),
            "system": self.system,
            "multiplications": dict(self.claims),
            "failure": self.failure,
            "functions": dict(self.functions),
            "signatures": dict(self.signatures),
        }

    def text(self) -> str:
        """Return everything in lines for a terminal."""
        lines = [curve_text(self.curve), f"multiplications in C and Rust, {self.failure or self.system}"]
        for name, claim in self.claims.items():
            lines += _item(name, claim)
        lines += ["", "signatures in C and Rust"] if self.signatures else []
        for name, claim in self.signatures.items():
            lines += _item(name, claim)
        lines += ["", "functions in C and Rust, all tested on vectors"] if self.functions else []
        for word in WORDS:
            names = ", ".join(name for name, own in self.functions.items() if own == word)
            lines += _item(word, names) if names else []
        return "\n".join([*lines, ""])


def _item(name: str, text: str) -> list[str]:
    return [f"  {name}", *wrap(text, _WIDTH, initial_indent=_INDENT, subsequent_indent=_INDENT)]


def account_of_curve(database: Database, name: str) -> CurveAccount:
    """Plan a curve by its name or file, and prove multiplications by its routines."""
    curve = load_curve(name)
    if curve.model == "g1p/montgom":
        return _account_of_ladder(database, curve, name)
    try:
        with work("planning"):
            plan = draft_request(database, Request("c", name, set="curve"))[0]
    except EfdgenError as error:
        return CurveAccount(curve, "", {}, f"none proved: {error}")
    with work("proving multiplications"):
        proofs = require_safe(plan, database).proofs
    functions = {function.name: known(function) for function in exported(plan)}
    signatures = prove_verdicts(without_reasons(plan))
    return CurveAccount(curve, plan.kernels.system, proofs, functions=functions, signatures=signatures)


def _account_of_ladder(database: Database, curve: Curve, name: str) -> CurveAccount:
    functions = {function.name: known(function, ladder=True) for function in exports({"ladder"})}
    try:
        plan = draft_ladder(database, Request("c", name, set="curve"))
    except EfdgenError as error:
        return CurveAccount(curve, "", {}, f"none proved: {error}", functions)
    assert plan is not None
    with work("proving multiplications"):
        proved = SafePlans().ladder(plan)
    return CurveAccount(curve, plan.kernels.system, proved.claims, functions=functions)

"""A check of a draft: its account, and its rank among its peers, as ``efdgen check`` prints them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from efdgen.generator.formulas.reader import normalised
from efdgen.generator.progress import work
from efdgen.verify.account import account
from efdgen.verify.peers import peers, ranking_fields, ranking_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from efdgen.generator.formulas.database import Database
    from efdgen.generator.formulas.layers import Draft
    from efdgen.verify.account import Account
    from efdgen.verify.peers import Peer


@dataclass(frozen=True)
class Checked:
    """The account of a draft, its text in the language of ``efd/`` if it is in another one, and its peers."""

    draft: Draft
    account: Account
    normalised: str
    peers: Sequence[Peer]

    @property
    def needs_sage(self) -> bool:
        """Return whether a proof needs Sage, which is not installed."""
        return bool(self.account.unproved)

    def fields(self) -> dict[str, Any]:
        """Return everything by name, as JSON has it."""
        more = {"normalised": self.normalised} if self.normalised else {}
        return self.account.fields() | more | ({"peers": ranking_fields(self.peers)} if self.peers else {})

    def text(self) -> str:
        """Return everything in lines for a terminal."""
        text = ""
        if self.normalised:
            lines = "".join(f"  {line}\n" for line in self.normalised.splitlines())
            text = f"{self.draft.path} in the language of efd/\n{lines}\n"
        ranked = f"{ranking_text(self.account.formula.id, self.peers)}\n" if self.peers else ""
        return f"{text}{self.account.text()}{ranked}"


def check_draft(database: Database, draft: Draft) -> Checked:
    """Prove or refute a draft of a database, and rank it; raise :class:`EfdgenError` if it cannot be read."""
    formula = database.formula(draft.name)
    text = "" if draft.dialect == "normalised" else normalised(formula)
    found = account(formula)
    with work("ranking"):
        rivals = peers(database, formula) if found.verdict == "proved" or found.unproved else ()
    return Checked(draft, found, text, rivals)

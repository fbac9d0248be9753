"""A printer's claims and announcements in a list, for readers of its files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from efdgen.generator.fields.claims import Claims
from efdgen.generator.fields.printed import FileText

if TYPE_CHECKING:
    from efdgen.generator.fields.claims import Claim
    from efdgen.generator.fields.printed import Printed


class Collected(Claims):
    """Everything that a printer claims and announces, in order; all claims have one statement."""

    def __init__(self) -> None:
        self.every: list[Any] = []

    def statement(self, claim: Claim) -> str:
        self.every.append(claim)
        return "so it is"

    def announce(self, printed: Printed) -> None:
        self.every.append(printed)

    @property
    def texts(self) -> list[Any]:
        """Everything except files."""
        return [each for each in self.every if not isinstance(each, FileText)]

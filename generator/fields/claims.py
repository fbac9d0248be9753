"""The claims of printers about fields, and the answers to them."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from efdgen.generator.fields.emitted import EmittedFunction, EmittedPolynomials, EmittedWords
from efdgen.generator.fields.loops import EmittedLoop
from efdgen.generator.fields.operations import FieldOperation
from efdgen.generator.fields.root_steps import RootSteps

if TYPE_CHECKING:
    from efdgen.generator.fields.printed import Printed

# Subjects of proofs: operations on words for all inputs, the steps of loops, functions on elements as they
# are printed, and functions in C on a word or two.
Claim: TypeAlias = (
    FieldOperation | EmittedLoop | RootSteps | EmittedFunction | EmittedWords | EmittedPolynomials
)


class Claims:
    """The answers to the claims of a printer: nothing is proved of them here, and a subclass proves them."""

    def statement(self, claim: Claim) -> str:
        """Return in words what is proved of a claim; empty where nothing is."""
        return ""

    def announce(self, printed: Printed) -> None:
        """Take note of a program, a table or a file that a printed text must equal."""


UNPROVED = Claims()
"""The answers for printers that nobody asks for proofs."""

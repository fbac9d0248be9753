"""Proofs of a field while it is printed, and the reading of its files behind them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.errors import EfdgenError
from efdgen.generator.fields.printed import Printed
from efdgen.verify.fields.certificate import name_of, require_field_proof
from efdgen.verify.readback.read import differences

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from efdgen.generator.fields.bundle import Claim


class FieldProofs:
    """Proves what printers claim, and then holds what they printed against what was proved.

    ``tell`` is given the name of each claim before it is proved.
    """

    def __init__(self, tell: Callable[[str], object] = str) -> None:
        self._tell = tell
        self._expected: list[Printed | Claim] = []

    def certify(self, claim: Printed | Claim) -> str:
        """Return in words what is proved of a claim, nothing of a program that is announced.

        Raises :class:`EfdgenError` where it is not proved.
        """
        self._expected.append(claim)
        if not isinstance(claim, Printed):
            self._tell(name_of(claim))
        return require_field_proof(claim)

    def require_read(self, files: Mapping[str, str]) -> None:
        """Read files back, by their relative paths; raise :class:`EfdgenError` where they differ."""
        found = differences(files, self._expected)
        if found:
            more = f", and {len(found) - 1} more" if len(found) > 1 else ""
            raise EfdgenError(f"the text differs from what was proved: {found[0]}{more}; report it as a bug")

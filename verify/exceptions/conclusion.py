"""What is derived of a formula, as plain values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from efdgen.verify.exceptions.condition import Condition


@dataclass(frozen=True)
class Conclusion:
    """What is derived of a formula.

    ``exceptions`` are the inputs on which it is wrong, such as ``P=Q``; ``unrepresentable`` those that it
    cannot be given, because its systems or assumptions leave them no representative. ``unified`` says whether
    an addition adds equal points, None of other kinds. It is complete, right for all that it can be given, on
    the curves of the condition, ``complete``.
    """

    exceptions: tuple[str, ...]
    unrepresentable: tuple[str, ...]
    unified: bool | None
    complete: Condition
    homogeneous: bool

    def fields(self) -> dict[str, object]:
        """Return what is derived by name, in words and lists of words."""
        return {**vars(self), "complete": str(self.complete)}

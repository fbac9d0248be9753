"""The conclusions about a formula, as plain values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from efdgen.verify.laws.terms import value_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from efdgen.generator.mathematics.ground import Ground
    from efdgen.verify.exceptions.condition import Condition
    from efdgen.verify.laws.terms import Terms


@dataclass(frozen=True)
class Conclusion:
    """The conclusions about a formula.

    ``exceptions`` are the inputs on which it is wrong, such as ``P=Q``; ``unrepresentable`` those that it
    cannot be given, because its systems or assumptions leave them no representative. ``unified`` says whether
    an addition adds equal points, None of other kinds. It is complete, right for all that it can be given, on
    the curves of the condition, ``complete``. ``curves`` are the exceptions of some curves alone, such as
    ``d=0``, each with the polynomials in parameters that are zero on these curves. ``tried_over`` are the
    fields over which it was run: on all points of tiny curves, and on random points over the largest.
    """

    exceptions: tuple[str, ...]
    unrepresentable: tuple[str, ...]
    unified: bool | None
    complete: Condition
    homogeneous: bool
    tried_over: tuple[str, ...]
    curves: tuple[tuple[str, tuple[Terms, ...]], ...] = ()

    def fields(self) -> dict[str, object]:
        """Return what is derived by name, in words and lists of words."""
        fields = {name: value for name, value in vars(self).items() if name != "curves"}
        return fields | {"complete": str(self.complete)}

    def exceptions_on(self, field: Ground, parameters: Mapping[str, int]) -> tuple[str, ...]:
        """Return the exceptions without those about parameters that do not hold on a curve over a field."""
        elsewhere = {
            text
            for text, polynomials in self.curves
            if any(value_of(terms, field, parameters) for terms in polynomials)
        }
        return tuple(text for text in self.exceptions if text not in elsewhere)

"""Symbols for public integers (places, indices, counts), each with its known comparisons.

Proofs by induction run one iteration of a loop on them, which then holds for all integers with these facts.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeAlias

from efdgen.generator.routines.integers import Integers, RoutineError

if TYPE_CHECKING:
    from efdgen.generator.routines.types import Type


@dataclass(frozen=True)
class Symbol:
    """An integer that is ``offset`` more than ``factor`` times one with a name.

    ``facts`` are comparisons of that one with numbers, and whether they hold.
    """

    name: str
    facts: tuple[tuple[str, int, bool], ...] = ()
    offset: int = 0
    factor: int = 1

    def plus(self, number: int) -> Symbol:
        """Return the sum with a number."""
        return replace(self, offset=self.offset + number)

    def times(self, number: int) -> Symbol:
        """Return the product with a number."""
        return replace(self, offset=self.offset * number, factor=self.factor * number)

    def compared(self, operator: str, number: int) -> int:
        """Return whether it compares so with a number; raise :class:`RoutineError` where that is open."""
        for known, other, holds in self.facts:
            if (known, other, 1) == (operator, number - self.offset, self.factor):
                return int(holds)
        raise RoutineError(f"{self.name} {operator} {number} is not known")

    def __ge__(self, other: int) -> bool:
        """Return whether an index is not negative, as those are of a loop over an array."""
        return other == 0 and self.offset >= 0

    def __lt__(self, other: int) -> bool:
        """Return whether an index is within its array, as those are of a loop over it."""
        return self.offset < self.factor


Index: TypeAlias = int | Symbol


class Symbolic(Integers):
    """Operators on integers and symbols: sums with numbers, and comparisons that are known."""

    def binary(self, operator: str, kind: Type, left: Any, right: Any) -> Any:  # noqa: ANN401 - see Integers
        """Return the value of an operator."""
        if isinstance(left, Symbol) and isinstance(right, int):
            if operator in ("+", "-"):
                return left.plus(right if operator == "+" else -right)
            return left.times(right) if operator == "*" else left.compared(operator, right)
        if isinstance(right, Symbol) and isinstance(left, int) and operator in "+*":
            return right.plus(left) if operator == "+" else right.times(left)
        if isinstance(left, Symbol) or isinstance(right, Symbol):
            raise RoutineError(f"{operator} of symbols")
        return super().binary(operator, kind, left, right)

    def public(self, value: Any) -> Any:  # noqa: ANN401 - see Integers
        """Return an integer, or a symbol, which may index an array."""
        return value if isinstance(value, Symbol) else super().public(value)

"""Values that are computed where they are used: what a selection leaves out raises no questions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from efdgen.generator.routines.integers import Integers
from efdgen.generator.routines.types import Choice

if TYPE_CHECKING:
    from collections.abc import Callable

    from efdgen.generator.routines.types import Type


class Later:
    """A value, computed when it is asked for, once."""

    def __init__(self, make: Callable[[], Any]) -> None:
        self._make: Callable[[], Any] | None = make
        self._value: Any = None

    def value(self) -> Any:  # noqa: ANN401 - an element or an integer
        """Return the value."""
        if self._make is not None:
            make, self._make = self._make, None
            self._value = now(make())
        return self._value


def now(value: Any) -> Any:  # noqa: ANN401 - a value, or one for later
    """Return a value, computed where it has to be; that of each member of a structure."""
    if isinstance(value, dict):
        return {member: now(part) for member, part in value.items()}
    return value.value() if isinstance(value, Later) else value


def later(function: Callable[..., Any]) -> Callable[..., list[Any]]:
    """Return a leaf that computes its result from values when that is asked for."""
    return lambda *arguments: [Later(lambda: function(*map(now, arguments)))]


class Choices(Integers):
    """Operators on choices for later: of ``&`` and ``|`` the second is left out where the first decides."""

    def unary(self, operator: str, kind: Type, value: Any) -> Any:  # noqa: ANN401 - see Integers
        """Return the complement of a choice, or an operator on integers."""
        if not isinstance(value, Later):
            return super().unary(operator, kind, value)
        return Later(lambda: 1 - now(value))

    def binary(self, operator: str, kind: Type, left: Any, right: Any) -> Any:  # noqa: ANN401 - see Integers
        """Return an operator on two choices, or on integers."""
        if not isinstance(kind, Choice) or operator not in "&|":
            return super().binary(operator, kind, now(left), now(right))
        return Later(lambda: now(right) if now(left) == (operator == "&") else now(left))

    def converted(self, kind: Type, value: Any) -> Any:  # noqa: ANN401 - see Integers
        """Return a choice as an integer."""
        return super().converted(kind, now(value))

    def public(self, value: Any) -> int:  # noqa: ANN401 - see Integers
        """Return a choice that a branch depends on."""
        return super().public(now(value))

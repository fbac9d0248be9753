"""Operators of routines on Python's integers; an interpreter may be given other values, such as symbols.

A sum that leaves its type and a shift by as many bits as its type has are errors.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from efdgen.generator.routines.staging import folded
from efdgen.generator.routines.types import Integer, described

if TYPE_CHECKING:
    from efdgen.generator.routines.types import Type

_BITS = {"&": int.__and__, "|": int.__or__, "^": int.__xor__}


class RoutineError(ArithmeticError):
    """An operation that no routine may perform, with its name and line."""


class Integers:
    """The meaning of each operator, given its result's type."""

    def unary(self, operator: str, kind: Type, value: Any) -> Any:  # noqa: ANN401 - or a symbol
        """Return ``not``, ``~`` or ``-`` of a value."""
        if operator == "not":
            return int(not value)
        if operator == "~":
            return value ^ (kind.high if isinstance(kind, Integer) else 1)
        return _fitting(kind, -value)

    def binary(self, operator: str, kind: Type, left: Any, right: Any) -> Any:  # noqa: ANN401 - or symbols
        """Return the value of an operator other than ``and`` and ``or``."""
        if operator in _BITS:
            return _BITS[operator](left, right)
        if operator in ("+%", "-%", "*%"):
            assert isinstance(kind, Integer)
            return kind.wrapped(folded(operator[0], left, right))
        if operator in ("<<", ">>") and isinstance(kind, Integer):
            if not 0 <= right < kind.bits:
                raise RoutineError(f"a shift by {right}")
            return kind.wrapped(folded(operator, left, right))
        return _fitting(kind, folded(operator, left, right))

    def converted(self, kind: Type, value: Any) -> Any:  # noqa: ANN401 - or a symbol
        """Return a value as another type's, modulo its 2^bits."""
        return kind.wrapped(value) if isinstance(kind, Integer) else value

    def mask(self, kind: Integer, bit: Any) -> Any:  # noqa: ANN401 - or a symbol
        """Return a word of copies of a bit."""
        if bit not in (0, 1):
            raise RoutineError(f"a mask of {bit}")
        return kind.high * bit

    def public(self, value: Any) -> int:  # noqa: ANN401 - or a symbol
        """Return an integer that an index, a loop or a branch depends on."""
        assert isinstance(value, int)
        return value


def _fitting(kind: Type, value: int) -> int:
    """Return a value, which must be one of its type."""
    if isinstance(kind, Integer) and not kind.low <= value <= kind.high:
        raise RoutineError(f"{value} is no {described(kind)}")
    return value

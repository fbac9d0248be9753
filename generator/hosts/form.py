"""One form: a linear combination, and the host's calls that compute it."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TypeAlias

Key: TypeAlias = tuple[tuple[int, Fraction], ...]
"""Atoms by number, each with its coefficient."""


@dataclass(frozen=True, slots=True)
class Alternative:
    """One call that gives a form, as one of its results: the operation, the forms read, the factor ``k``."""

    operation: str
    operands: tuple[int, ...]
    factor: int = 0
    result: int = 0

    @property
    def call(self) -> tuple[str, tuple[int, ...], int]:
        """The call, which is the same for each of its results."""
        return self.operation, self.operands, self.factor


@dataclass(frozen=True, slots=True)
class Origin:
    """The origin of a form that no call computes: an input coordinate, or a constant of the curve."""

    name: str
    constant: bool


@dataclass
class Form:
    """A linear combination, and its origin or the ways to compute it; or the ways to test that one is 0."""

    key: Key
    origin: Origin | None = None
    alternatives: list[Alternative] = field(default_factory=list)
    is_test: bool = False


def scaled(key: Key, factor: Fraction) -> Key:
    """Return a multiple of a linear combination."""
    return tuple((atom, factor * coefficient) for atom, coefficient in key) if factor else ()


def sign_of(key: Key) -> int:
    """Return the sign of the first coefficient."""
    return 1 if key[0][1] > 0 else -1


def ratio(key: Key, other: Key) -> Fraction | None:
    """Return which multiple of another linear combination one is, where it is one."""
    multiple = key[0][1] / other[0][1]
    return multiple if scaled(other, multiple) == key else None


def total(left: Key, right: Key) -> Key:
    """Return the sum of two linear combinations."""
    found = dict(left)
    for atom, coefficient in right:
        found[atom] = found.get(atom, Fraction(0)) + coefficient
    return tuple(sorted((atom, coefficient) for atom, coefficient in found.items() if coefficient))

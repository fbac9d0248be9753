"""Finite fields that curves are over: GF(p) or GF(2^m). Elements are integers in [0, order)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from efdgen.generator.mathematics.binary import BinaryField
    from efdgen.generator.mathematics.prime import PrimeField

Ground: TypeAlias = "PrimeField | BinaryField"


class GroundField(ABC):
    """The members that GF(p) and GF(2^m) share."""

    @property
    @abstractmethod
    def order(self) -> int:
        """The number of elements."""

    @abstractmethod
    def reduce(self, value: int) -> int:
        """Return the element of a class, given by any member."""

    @abstractmethod
    def inv(self, value: int) -> int:
        """Return 1/value; raise ZeroDivisionError for zero."""

    @property
    def bits(self) -> int:
        """The bits of the largest element: those of p, or the degree m."""
        return (self.order - 1).bit_length()

    @property
    def bytes(self) -> int:
        """The length of an element's encoding in bytes."""
        return (self.bits + 7) // 8

    def inverse_or_zero(self, value: int) -> int:
        """Return 1/value, and 0 for zero, as generated code does."""
        return self.inv(value) if self.reduce(value) else 0

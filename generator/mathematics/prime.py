"""Fields GF(p) for a prime p: integers modulo p."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from efdgen.generator.mathematics import primes
from efdgen.generator.mathematics.ground import GroundField

if TYPE_CHECKING:
    from fractions import Fraction


@dataclass(frozen=True)
class PrimeField(GroundField):
    """GF(p) by its prime; elements are integers in [0, p).

    Satisfies :class:`efdgen.generator.programs.interpreter.Field`.
    """

    prime: int

    is_binary: ClassVar[Literal[False]] = False
    symbol: ClassVar[str] = "p"
    """The name of the modulus in texts."""

    @property
    def order(self) -> int:
        """The number of elements."""
        return self.prime

    @property
    def characteristic(self) -> int:
        """The characteristic, p."""
        return self.prime

    def __str__(self) -> str:
        """Name the field: ``GF(p)``."""
        return "GF(p)"

    @property
    def modulus_text(self) -> str:
        """The modulus: ``p = 0x1fff``."""
        return f"p = {self.prime:#x}"

    def element_text(self, value: int) -> str:
        """Write an element: -3 rather than p - 3, and in hexadecimal what is large."""
        signed = self.signed(value)
        return str(signed) if abs(signed) < 1 << 32 else hex(value)

    def signed(self, value: int) -> int:
        """Return the integer nearest to 0 of a class."""
        value %= self.prime
        return value if value <= self.prime // 2 else value - self.prime

    def reduce(self, value: int) -> int:
        """Return an integer modulo p."""
        return value % self.prime

    def constant(self, value: Fraction) -> int:
        """Return numerator/denominator mod p; raise ZeroDivisionError where p divides the denominator."""
        if value.denominator == 1:
            return value.numerator % self.prime
        return value.numerator * self.inv(value.denominator) % self.prime

    def add(self, left: int, right: int) -> int:
        """Return left + right mod p."""
        return (left + right) % self.prime

    def sub(self, left: int, right: int) -> int:
        """Return left - right mod p."""
        return (left - right) % self.prime

    def mul(self, left: int, right: int) -> int:
        """Return left · right mod p."""
        return left * right % self.prime

    def inv(self, value: int) -> int:
        """Return 1/value mod p; raise ZeroDivisionError for zero."""
        return primes.inverse(value, self.prime)

    def power(self, value: int, exponent: int) -> int:
        """Return value^exponent mod p, for an exponent of 0 or more."""
        return primes.power(value, exponent, self.prime)

    def quadratic_roots(self, c: int, b: int, a: int) -> tuple[int, ...]:
        """Return the roots of a·t² + b·t + c for a ≠ 0, twice if both are one."""
        root = primes.square_root(b * b - 4 * a * c, self.prime)
        numerators = () if root is None else (root - b, -root - b)
        return tuple(self.mul(numerator, self.inv(2 * a)) for numerator in numerators)

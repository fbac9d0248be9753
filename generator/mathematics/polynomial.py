"""Rational functions in one unknown over a finite field, as quotients of polynomials of FLINT, and zeros."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import flint

from efdgen.generator.mathematics.binary import coefficients

if TYPE_CHECKING:
    from collections.abc import Iterable
    from fractions import Fraction

    from efdgen.generator.mathematics.ground import Ground


class Quotient(NamedTuple):
    """A numerator and a denominator, polynomials of FLINT, with no common factor taken out."""

    numerator: Any
    denominator: Any


class RationalFunctions:
    """F(t) as unreduced quotients; satisfies :class:`efdgen.generator.programs.interpreter.Field`."""

    def __init__(self, field: Ground) -> None:
        self._field, self._ring = field, _ring(field)
        self.unknown = self.polynomial((0, 1))

    def polynomial(self, values: Iterable[int]) -> Quotient:
        """Return a polynomial, by elements of the field, the constant first."""
        return Quotient(self._ring(list(map(self._element, values))), self._ring.one())

    def element(self, value: int) -> Quotient:
        """Return an element of the field as a constant function."""
        return self.polynomial((value,))

    def constant(self, value: Fraction) -> Quotient:
        """Return a rational number; raise ZeroDivisionError where its denominator is 0 in the field."""
        return self.element(self._field.constant(value))

    def add(self, left: Quotient, right: Quotient) -> Quotient:
        """Return left + right."""
        (a, b), (c, d) = left, right
        return Quotient(a + c, b) if b == d else Quotient(a * d + c * b, b * d)

    def sub(self, left: Quotient, right: Quotient) -> Quotient:
        """Return left - right."""
        return self.add(left, Quotient(-right.numerator, right.denominator))

    def mul(self, left: Quotient, right: Quotient) -> Quotient:
        """Return left · right."""
        return Quotient(left.numerator * right.numerator, left.denominator * right.denominator)

    def inv(self, value: Quotient) -> Quotient:
        """Return 1/value; raise ZeroDivisionError for zero."""
        if not value.numerator:
            raise ZeroDivisionError
        return Quotient(value.denominator, value.numerator)

    def value(self, function: Quotient, at: int) -> int | None:
        """Return the value of a function at an element of the field; None at a pole."""
        common = function.numerator.gcd(function.denominator)
        numerator, denominator = ((part // common)(self._element(at)) for part in function)
        return self._number(numerator / denominator) if denominator != 0 else None

    def zeros(self, function: Quotient) -> list[int] | None:
        """Return the roots in the field of a function's numerator, ascending, each once; None for zero."""
        polynomial = function.numerator
        if not polynomial:
            return None
        if polynomial.degree() == 2:
            return sorted({*self._field.quadratic_roots(*map(self._number, polynomial.coeffs()))})
        return sorted(self._number(root) for root, _ in polynomial.roots())

    def _element(self, value: int) -> Any:  # noqa: ANN401 - FLINT's numbers carry no types
        return self._ring.base_field()(coefficients(value)) if self._field.is_binary else value

    def _number(self, value: Any) -> int:  # noqa: ANN401 - as above
        return int(flint.fmpz_poly(value.to_list())(2) if self._field.is_binary else value)


@lru_cache
def _ring(field: Ground) -> Any:  # noqa: ANN401 - FLINT's rings carry no types
    """Return the ring of polynomials over a field."""
    if not field.is_binary:
        return flint.fmpz_mod_poly_ctx(flint.fmpz_mod_ctx(field.prime))
    modulus = flint.fmpz_mod_poly_ctx(flint.fmpz_mod_ctx(2))(coefficients(field.polynomial))
    return flint.fq_default_poly_ctx(flint.fq_default_ctx(modulus=modulus, check_modulus=False))

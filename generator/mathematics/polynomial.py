"""Rational functions in one unknown over a finite field, as quotients of polynomials of FLINT, and zeros."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import flint

from efdgen.generator.mathematics.binary import coefficients
from efdgen.generator.mathematics.primes import inverse, square_root

if TYPE_CHECKING:
    from collections.abc import Iterable
    from fractions import Fraction

    from efdgen.generator.mathematics.binary import Ground


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
        if not isinstance(self._field, int):
            return self.element(self._field.constant(value))
        return self.element(value.numerator * inverse(value.denominator, self._field))

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
            c, b, a = map(self._number, polynomial.coeffs())
            return sorted(_quadratic(c, b, a, self._field))
        return sorted(self._number(root) for root, _ in polynomial.roots())

    def _element(self, value: int) -> Any:  # noqa: ANN401 - FLINT's numbers carry no types
        return value if isinstance(self._field, int) else self._ring.base_field()(coefficients(value))

    def _number(self, value: Any) -> int:  # noqa: ANN401 - as above
        return int(value if isinstance(self._field, int) else flint.fmpz_poly(value.to_list())(2))


@lru_cache
def _ring(field: Ground) -> Any:  # noqa: ANN401 - FLINT's rings carry no types
    """Return the ring of polynomials over a field."""
    if isinstance(field, int):
        return flint.fmpz_mod_poly_ctx(flint.fmpz_mod_ctx(field))
    modulus = flint.fmpz_mod_poly_ctx(flint.fmpz_mod_ctx(2))(coefficients(field.polynomial))
    return flint.fq_default_poly_ctx(flint.fq_default_ctx(modulus=modulus, check_modulus=False))


def _quadratic(c: int, b: int, a: int, field: Ground) -> set[int]:
    """Return the roots of a·t² + b·t + c; a square root takes less time than FLINT's factors."""
    if isinstance(field, int):
        root = square_root(b * b - 4 * a * c, field)
        halves = () if root is None else (-b - root, -b + root)
        return {half * inverse(2 * a, field) % field for half in halves}
    if not b:
        return {field.square_root(field.mul(c, field.inv(a)))}
    # t = z·b/a, where z² + z = a·c/b².
    scale = field.mul(b, field.inv(a))
    z = field.solve(field.mul(c, field.inv(field.mul(scale, b))))
    return set() if z is None else {field.mul(each, scale) for each in (z, z ^ 1)}

"""Polynomials over Q or GF(p), in numbered names, with terms in graded reverse lexicographic order.

FLINT computes, through python-flint. The names of methods are those of Sage's polynomials, with which
:mod:`efdgen.verify.exceptions.singular` computes the same rational functions.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from math import gcd, lcm
from typing import TYPE_CHECKING, Any, TypeAlias

import flint

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

Exponents: TypeAlias = tuple[int, ...]

_WORD = 63  # bits of a modulus for which FLINT has words


class Ring:
    """A ring of polynomials in names ``v0``, ``v1``, …, over Q, or modulo a prime."""

    def __init__(self, names: int, modulus: int = 0) -> None:
        self.modulus, self.names = modulus, tuple(f"v{index}" for index in range(names))
        order = flint.Ordering.degrevlex
        if not modulus:
            self._context: Any = flint.fmpq_mpoly_ctx.get(self.names, ordering=order)
        else:
            modular = flint.nmod_mpoly_ctx if modulus >> _WORD == 0 else flint.fmpz_mod_mpoly_ctx
            self._context = modular.get(self.names, modulus=modulus, ordering=order)

    def __call__(self, value: int | Fraction | Polynomial | Mapping[Exponents, Fraction]) -> Polynomial:
        """Return a number, a polynomial in as many names or fewer, or terms by exponents, as a polynomial."""
        if isinstance(value, Polynomial):
            if value.ring is self:
                return value
            missing = (0,) * (len(self.names) - len(value.ring.names))
            return self({(*exponents, *missing): number for exponents, number in value.dict().items()})
        if isinstance(value, int | Fraction):
            return Polynomial(self, self._context.constant(self.number(value)))
        terms = {exponents: self.number(number) for exponents, number in value.items()}
        return Polynomial(self, self._context.from_dict(terms))

    def number(self, value: int | Fraction) -> Any:  # noqa: ANN401 - FLINT's numbers carry no types
        """Return a number as a coefficient; raise ZeroDivisionError for a fraction that there is not."""
        if not self.modulus:
            return flint.fmpq(value.numerator, value.denominator)
        if value.denominator % self.modulus == 0:
            raise ZeroDivisionError
        return value.numerator * pow(value.denominator, -1, self.modulus) % self.modulus

    def one(self) -> Polynomial:
        """Return 1."""
        return self(1)

    def zero(self) -> Polynomial:
        """Return 0."""
        return self(0)

    def gens(self) -> tuple[Polynomial, ...]:
        """Return the names as polynomials."""
        return tuple(Polynomial(self, generator) for generator in self._context.gens())

    def ngens(self) -> int:
        """Return the number of names."""
        return len(self.names)


class Polynomial:
    """A polynomial of a ring; ``raw`` is FLINT's. Operators take numbers too, on either side."""

    __slots__ = ("__dict__", "raw", "ring")

    def __init__(self, ring: Ring, raw: Any) -> None:  # noqa: ANN401 - FLINT's polynomials carry no types
        self.ring, self.raw = ring, raw

    def _raw(self, other: Polynomial | Fraction | int) -> Any:  # noqa: ANN401 - as above
        if isinstance(other, Polynomial):
            return other.raw
        return other if isinstance(other, int) else self.ring.number(other)

    def _with(self, raw: Any) -> Polynomial:  # noqa: ANN401 - as above
        return Polynomial(self.ring, raw)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Polynomial | Fraction | int):
            return bool(self.raw == self._raw(other))
        return NotImplemented

    def __hash__(self) -> int:
        return hash((len(self.raw), *(map(self.raw.monomial, range(min(len(self.raw), 2))))))

    def __neg__(self) -> Polynomial:
        return self._with(-self.raw)

    def __add__(self, other: Polynomial | Fraction | int) -> Polynomial:
        return self._with(self.raw + self._raw(other))

    __radd__ = __add__

    def __sub__(self, other: Polynomial | Fraction | int) -> Polynomial:
        return self._with(self.raw - self._raw(other))

    def __rsub__(self, other: Fraction | int) -> Polynomial:
        return -self + other

    def __mul__(self, other: Polynomial | Fraction | int) -> Polynomial:
        return self._with(self.raw * self._raw(other))

    __rmul__ = __mul__

    def __pow__(self, exponent: int) -> Polynomial:
        return self._with(self.raw**exponent)

    def __divmod__(self, other: Polynomial) -> tuple[Polynomial, Polynomial]:
        """Return quotient and remainder, no term of which the other's leading monomial divides."""
        quotient, rest = divmod(self.raw, other.raw)
        return self._with(quotient), self._with(rest)

    def __floordiv__(self, other: Polynomial) -> Polynomial:
        return divmod(self, other)[0]

    def __mod__(self, other: Polynomial) -> Polynomial:
        return divmod(self, other)[1]

    def __truediv__(self, number: Fraction | int) -> Polynomial:
        """Return the quotient by a number."""
        return self * self.ring(number).inverse()

    def __str__(self) -> str:
        return str(self.raw)

    __repr__ = __str__

    def inverse(self) -> Fraction:
        """Return the inverse of a constant; raise ZeroDivisionError for 0."""
        value = self.constant_coefficient()
        return Fraction(pow(int(value), -1, self.ring.modulus)) if self.ring.modulus else 1 / value

    def is_constant(self) -> bool:
        """Return whether this is a number."""
        return bool(self.raw.is_constant())

    def number_of_terms(self) -> int:
        """Return the number of terms that are not 0."""
        return len(self.raw)

    def degree(self, name: Polynomial | None = None) -> int:
        """Return the total degree, or that in a name; -1 for 0."""
        if not len(self.raw):
            return -1
        return int(self.raw.total_degree() if name is None else self.raw.degrees()[name.place])

    @cached_property
    def place(self) -> int:
        """The number of the name that this is."""
        return tuple(self.raw.monomial(0)).index(1)

    def lm(self) -> Polynomial:
        """Return the leading monomial."""
        return self.ring({tuple(self.raw.monomial(0)): Fraction(1)})

    def lc(self) -> Fraction:
        """Return the leading coefficient; 0 for 0."""
        return _fraction(self.raw.leading_coefficient()) if len(self.raw) else Fraction(0)

    def constant_coefficient(self) -> Fraction:
        """Return the term without names."""
        return self.dict().get((0,) * self.ring.ngens(), Fraction(0))

    def coefficients(self) -> list[Fraction]:
        """Return the coefficients, leading term first."""
        return list(map(_fraction, self.raw.coeffs()))

    def exponents(self) -> list[Exponents]:
        """Return the exponents of the terms, leading term first."""
        return [tuple(map(int, each)) for each in self.raw.monoms()]

    def dict(self) -> dict[Exponents, Fraction]:
        """Return the coefficients by exponents, leading term first."""
        return dict(zip(self.exponents(), self.coefficients(), strict=True))

    def coefficient(self, powers: Mapping[Polynomial, int]) -> Polynomial:
        """Return the polynomial by which powers of some names are multiplied."""
        places = {name.place: power for name, power in powers.items()}
        return self.ring(
            {
                tuple(0 if place in places else power for place, power in enumerate(exponents)): number
                for exponents, number in self.dict().items()
                if all(exponents[place] == power for place, power in places.items())
            }
        )

    def monomials(self) -> list[Polynomial]:
        """Return the monomials, leading one first."""
        return [self.ring({exponents: Fraction(1)}) for exponents in self.exponents()]

    def variables(self) -> tuple[Polynomial, ...]:
        """Return the names that are in this."""
        used = self.raw.degrees() if len(self.raw) else ()
        return tuple(name for name, power in zip(self.ring.gens(), used, strict=False) if power)

    def derivative(self, name: Polynomial) -> Polynomial:
        """Return the derivative in a name."""
        return self._with(self.raw.derivative(name.place))

    def at_ones(self) -> Fraction:
        """Return the value where all names are 1."""
        return self.ring(sum(self.coefficients(), start=Fraction(0))).constant_coefficient()

    def gcd(self, other: Polynomial) -> Polynomial:
        """Return the greatest common divisor, with the leading coefficient 1."""
        return self._with(self.raw.gcd(other.raw))

    def lcm(self, other: Polynomial) -> Polynomial:
        """Return the least common multiple."""
        return self * other // self.gcd(other)

    def factor(self) -> list[tuple[Polynomial, int]]:
        """Return the irreducible factors with their exponents, by degree, exponent and terms.

        Over Q their coefficients are coprime integers, the leading one positive. Their product lacks
        the factor :meth:`unit`.
        """
        if not len(self.raw):
            raise ZeroDivisionError
        _, found = self.raw.factor()
        factors = [(_primitive(self._with(factor)), int(exponent)) for factor, exponent in found]
        return sorted(factors, key=lambda pair: (pair[0].degree(), pair[1], pair[0].order()))

    def unit(self) -> Fraction:
        """Return the number by which this is more than the product of its factors."""
        number = self.lc()
        for factor, exponent in self.factor():
            number /= factor.lc() ** exponent
        return number

    def order(self) -> list[tuple[int, list[int], Fraction]]:
        """Return a key by which polynomials are ordered, by their terms, the leading one first."""
        return [(sum(e), [-x for x in reversed(e)], c) for e, c in self.dict().items()]

    def reduced(self, basis: Sequence[Polynomial]) -> Polynomial:
        """Return a remainder, no term of which the leading monomial of a polynomial in a basis divides."""
        return self.divided(basis)[0]

    def divided(self, basis: Sequence[Polynomial]) -> tuple[Polynomial, list[Polynomial]]:
        """Return such a remainder, and the quotients of which it is what is left."""
        rest, known = self.raw, [each.raw for each in basis]
        quotients: list[Any] = [self.ring.zero().raw for _ in known]
        changed = True
        while changed:
            changed = False
            for place, divisor in enumerate(known):
                quotient, rest = divmod(rest, divisor)
                if len(quotient):
                    quotients[place] += quotient
                    changed = len(known) > 1
        return self._with(rest), list(map(self._with, quotients))


def _fraction(value: Any) -> Fraction:  # noqa: ANN401 - FLINT's numbers carry no types
    """Return a coefficient; modulo a prime it is from 0 to the prime."""
    return Fraction(int(value.p), int(value.q)) if isinstance(value, flint.fmpq) else Fraction(int(value))


def _primitive(polynomial: Polynomial) -> Polynomial:
    """Return a polynomial over Q with coprime integers as coefficients, the leading one positive."""
    if polynomial.ring.modulus:
        return polynomial
    values = polynomial.coefficients()
    content = Fraction(gcd(*(v.numerator for v in values)), lcm(*(v.denominator for v in values)))
    return polynomial / (content if values[0] > 0 else -content)

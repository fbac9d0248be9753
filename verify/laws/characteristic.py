"""The characteristics for which a proof over Q is also a proof.

A proof divides by polynomials that the field notes as divisors: contents and slopes of equations, the
discriminant, and whatever the laws and the program divide by. Let p be a prime for which

1. every element of the Gröbner basis has a leading coefficient and denominators prime to p. Then division
   with remainder by the basis keeps coefficients p-integral, and modulo p it is a Gröbner basis again;
2. every element of the basis is a combination of the relations with p-integral coefficients. Then the
   basis is zero wherever the relations are, in characteristic p too;
3. no divisor has a remainder modulo the basis whose content p divides. Then no divisor is zero for every
   instance in characteristic p.

All other polynomials have integer coefficients, so that a proof, which ends in divisions by the basis with
remainder 0, can be read modulo p: the laws hold over every field of characteristic p wherever no divisor is
zero, and there are such instances. Primes for which this argument does not go through are excluded, even
if the formula should hold there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from efdgen.generator.mathematics.primes import prime_factors

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from efdgen.verify.laws.algebra import Polynomial, RationalFunctions


class Generic(Protocol):
    """The base of a proof: anything over a field of rational functions."""

    @property
    def field(self) -> RationalFunctions:
        """The field."""
        ...


def excluded_primes(instances: Iterable[Generic]) -> tuple[int, ...]:
    """Return the primes to which a proof over Q on generic instances does not carry over, ascending.

    Empty for binary fields, whose proofs are over GF(2).
    """
    numbers = {
        number for instance in instances if not instance.field.binary for number in _obstacles(instance)
    }
    return tuple(sorted({prime for number in numbers for prime, _ in prime_factors(number)}))


def _obstacles(instance: Generic) -> Iterator[int]:
    """Yield integers whose prime factors have to be excluded."""
    field = instance.field
    for polynomial in field.basis:
        yield polynomial.lc().numerator
        yield from _denominators(polynomial)
    for element in field.elements:
        for cofactor in element.cofactors:
            yield from _denominators(cofactor)
    for divisor in field.divisors:
        remainder = field.remainder(divisor)
        if remainder != 0:  # a zero divisor makes an instance void in every characteristic
            content = field.content(remainder)
            yield content.numerator
            yield content.denominator


def _denominators(polynomial: Polynomial) -> Iterator[int]:
    """Yield the denominators of the coefficients."""
    for coefficient in polynomial.coefficients():
        yield coefficient.denominator

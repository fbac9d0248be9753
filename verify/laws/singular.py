"""Rational functions and ideals in Singular, through Sage.

This file, and files in ``verify/rocq``, are the only ones to import Sage.
"""

from __future__ import annotations

import sys
from math import gcd, lcm
from typing import TYPE_CHECKING, Any

from efdgen.generator.errors import MissingSageError
from efdgen.verify.laws.algebra import RationalFunctions

try:
    import sage.rings.integer  # noqa: F401 - Sage's modules load in this order only
    from sage.libs.singular.function import singular_function
    from sage.rings.finite_rings.finite_field_constructor import GF
    from sage.rings.polynomial.polynomial_ring_constructor import PolynomialRing
    from sage.rings.rational_field import QQ
except ImportError:
    raise MissingSageError from None

if TYPE_CHECKING:
    from collections.abc import Sequence

    from efdgen.verify.laws.algebra import Ratio
    from efdgen.verify.laws.polynomials import Polynomial
    from efdgen.verify.laws.terms import Terms

# Sage looks for Boolean polynomials whenever an ideal is made; if there are none, the search takes long.
sys.modules.setdefault("sage.rings.polynomial.pbori.pbori", None)  # type: ignore[arg-type]


def singular_ring(names: int, modulus: int, order: str = "degrevlex") -> Any:  # noqa: ANN401 - without types
    """Return Sage's ring of polynomials in as many names as ours has."""
    return PolynomialRing(GF(modulus) if modulus else QQ, names, "v", order=order)


def singular_command(name: str) -> Any:  # noqa: ANN401 - as above
    """Return a command of Singular as a function."""
    return singular_function(name)


def is_prime(polynomials: Sequence[Polynomial]) -> bool:
    """Return whether polynomials of one ring, at least one, make a prime ideal."""
    own = polynomials[0].ring
    ring = singular_ring(own.ngens(), own.modulus)
    return bool(ring.ideal([to_singular(ring, polynomial) for polynomial in polynomials]).is_prime())


def to_singular(ring: Any, polynomial: Polynomial) -> Any:  # noqa: ANN401 - as above
    """Return a polynomial as Sage's, in a ring of as many names."""
    base = ring.base_ring()
    return ring({e: base(v.numerator) / base(v.denominator) for e, v in polynomial.dict().items()})


class SingularFunctions(RationalFunctions):
    """Rational functions whose numerators and denominators are Sage's polynomials."""

    def _ring(self, names: int) -> Any:  # noqa: ANN401 - as above
        return singular_ring(names, 2 if self.binary else 0)

    def content(self, polynomial: Any) -> Any:  # noqa: ANN401 - as above
        """Return the greatest number that divides all coefficients; over GF(2) it is 1."""
        if self.binary:
            return self.one
        values = polynomial.coefficients()
        return QQ(gcd(*(v.numerator() for v in values))) / lcm(*(v.denominator() for v in values))

    def terms(self, polynomial: Any) -> Terms:  # noqa: ANN401 - as above
        """Return a polynomial as integers and names, scaled to integers without a common divisor."""
        content, names = self.content(polynomial), list(self.generators)
        return tuple(
            (int(value / content), tuple((names[i], int(powers[i])) for i in powers.nonzero_positions()))
            for powers, value in polynomial.dict().items()
        )


def fraction_field(field: RationalFunctions) -> Any:  # noqa: ANN401 - as above
    """Return Sage's field of the fractions in a field's names."""
    return singular_ring(field.ring.ngens(), field.ring.modulus).fraction_field()


def to_fraction(base: Any, value: Ratio) -> Any:  # noqa: ANN401 - as above
    """Return a rational function as an element of Sage's field of fractions."""
    top, bottom = (to_singular(base.ring(), side) for side in (value.numerator, value.denominator))
    return base(top) / base(bottom)

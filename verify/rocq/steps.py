"""The steps of a certificate, as the checker in Rocq takes them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from efdgen.generator.language.syntax import Equation

Polynomial = Any
Exponents = tuple[int, ...]
Cofactors = tuple[tuple[int, Polynomial], ...]


@dataclass(frozen=True)
class Shorter:
    """Another form of a numerator: the product of cancelled bases times it, and multiples of what is 0."""

    cancelled: Exponents
    numerator: Polynomial
    cofactors: Cofactors


@dataclass(frozen=True)
class Rule:
    """A polynomial that is 0, or minus it, has a leading term, whose place the rest may take."""

    zero: int
    opposed: bool
    leading: Polynomial


@dataclass(frozen=True)
class Reason:
    """The difference of an equation's sides, times a product of bases, is a combination of what is 0.

    With ``rules``, it is so after division by them.
    """

    multiplied: Exponents = ()
    rules: tuple[Rule, ...] = ()
    multiples: Cofactors = ()


@dataclass(frozen=True)
class Define:
    """An equation gives the name on its left, or on its right if ``flipped``, its value."""

    equation: int
    flipped: bool
    shorter: Shorter | None


@dataclass(frozen=True)
class Invert:
    """An equation name·e = 1 makes the numerator of e a unit, which is ± the product of powers of bases.

    The next bases are factors of it, with some quotients.
    """

    equation: int
    quotients: tuple[Polynomial, ...]
    exponents: Exponents
    negative: bool
    shorter: Shorter | None


@dataclass(frozen=True)
class Solve:
    """An equation is ± (product of bases · name - numerator), up to cancelled bases and what is 0."""

    equation: int
    name: str
    exponents: Exponents
    negative: bool
    shorter: Shorter


@dataclass(frozen=True)
class Relate:
    """An equation makes a polynomial 0."""

    equation: int
    shorter: Shorter | None


@dataclass(frozen=True)
class Combine:
    """A combination of polynomials that are 0."""

    cofactors: Cofactors


@dataclass(frozen=True)
class Conclude:
    """A new equation."""

    equation: Equation
    reason: Reason


@dataclass(frozen=True)
class Forget:
    """Nothing more is known of a name."""

    name: str


Step: TypeAlias = Define | Invert | Solve | Relate | Combine | Conclude | Forget

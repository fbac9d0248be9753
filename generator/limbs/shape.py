"""The savings that a prime's shape offers, recognised from its value alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias, assert_never

MOST_TERMS = 5
# Factors of this many bits are written as numbers.
_SMALL_FACTOR = 16


@dataclass(frozen=True, slots=True)
class PseudoMersenne:
    """``p = 2^exponent - offset`` with a small offset, by which a high part is multiplied to fold it."""

    exponent: int
    offset: int


@dataclass(frozen=True, slots=True)
class Goldilocks:
    """``p = 2^(2·half) - 2^half - 1``: Karatsuba's middle term is the fold itself."""

    half: int


@dataclass(frozen=True, slots=True)
class Solinas:
    """``p = Σ sign·2^exponent`` with few terms, exponents falling."""

    terms: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class MontgomeryFriendly:
    """``p = factor·2^exponent - 1``: Montgomery's quotient is the low word itself."""

    factor: int
    exponent: int


@dataclass(frozen=True, slots=True)
class General:
    """No savings: Montgomery, word by word."""


Shape: TypeAlias = PseudoMersenne | Goldilocks | Solinas | MontgomeryFriendly | General


def shape_of(prime: int, word: int) -> Shape:
    """Return the shape of an odd prime for words of ``word`` bits; the first that applies, best first."""
    bits = prime.bit_length()
    limbs = -(-bits // word)
    offset = (1 << bits) - prime
    # The fold multiplies by 2^(w·limbs) mod p, which has to be small: a row for each of its words.
    if 4 * (offset << word * limbs - bits).bit_length() <= word * limbs:
        return PseudoMersenne(bits, offset)
    if bits % 2 == 0 and prime == (1 << bits) - (1 << bits // 2) - 1:
        return Goldilocks(bits // 2)
    exponent = (prime + 1 & -(prime + 1)).bit_length() - 1
    if exponent >= word:
        return MontgomeryFriendly(prime + 1 >> exponent, exponent)
    terms = signed_terms(prime)
    if len(terms) <= MOST_TERMS:
        return Solinas(terms)
    return General()


def shape_text(shape: Shape) -> str:
    """Write what a shape says of p."""
    match shape:
        case PseudoMersenne(exponent, offset):
            return f"p = 2^{exponent} - {offset}"
        case Goldilocks(half):
            return f"p = 2^{2 * half} - 2^{half} - 1"
        case MontgomeryFriendly(factor, exponent):
            terms = signed_terms((factor << exponent) - 1)
            if factor.bit_length() > _SMALL_FACTOR and len(terms) <= MOST_TERMS:
                return f"p = {_sum(terms)}"
            return f"p = {factor:{'#x' if factor.bit_length() > _SMALL_FACTOR else ''}}·2^{exponent} - 1"
        case Solinas(terms):
            return f"p = {_sum(terms)}"
        case General():
            return "p has no special form"
        case _:
            assert_never(shape)


def number_text(value: int) -> str:
    """Write a positive number as people do: ``38``, ``2^256 - 1``, ``19·2^64``, or in groups of 16 digits."""
    if value < 1 << 32:
        return str(value)
    zeros = (value & -value).bit_length() - 1
    if value >> zeros < 1 << _SMALL_FACTOR:
        return f"{f'{value >> zeros}·' * (value >> zeros > 1)}2^{zeros}"
    bits = value.bit_length()
    for power, sign in ((bits, "-"), (bits - 1, "+")):
        if abs(value - (1 << power)) < 1 << 32:
            return f"2^{power} {sign} {abs(value - (1 << power))}"
    terms = signed_terms(value)
    if len(terms) <= MOST_TERMS:
        return _sum(terms)
    digits = f"{value:x}"
    first = len(digits) % 16 or 16
    return " ".join(["0x" + digits[:first], *(digits[at : at + 16] for at in range(first, len(digits), 16))])


def _sum(terms: tuple[tuple[int, int], ...]) -> str:
    texts = [f"{'+' if sign > 0 else '-'} {f'2^{at}' if at else '1'}" for sign, at in terms]
    return " ".join(texts)[2:]


def signed_terms(value: int) -> tuple[tuple[int, int], ...]:
    """Return the non-adjacent form: signs and exponents of powers of two that sum up to a value, falling."""
    terms = []
    exponent = 0
    while value:
        if value & 1:
            sign = 2 - (value & 3)
            terms.append((sign, exponent))
            value -= sign
        value >>= 1
        exponent += 1
    return tuple(reversed(terms))

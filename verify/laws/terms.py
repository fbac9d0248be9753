"""Polynomials as plain integers and names, for evaluation without Sage."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping

Terms: TypeAlias = tuple[tuple[int, tuple[tuple[str, int], ...]], ...]
"""A polynomial with integer coefficients: each with the powers of names that it multiplies."""


def value_modulo(terms: Terms, prime: int, values: Mapping[str, int]) -> int:
    """Return the value of a polynomial modulo p, in [0, p), given those of its names."""
    total = 0
    for coefficient, powers in terms:
        product = coefficient
        for name, exponent in powers:
            product = product * pow(values[name], exponent, prime) % prime
        total += product
    return total % prime

"""Polynomials as plain integers and names, for evaluation without Sage."""

from __future__ import annotations

from fractions import Fraction
from functools import reduce
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping

    from efdgen.generator.programs.interpreter import Field

Terms: TypeAlias = tuple[tuple[int, tuple[tuple[str, int], ...]], ...]
"""A polynomial with integer coefficients: each with the powers of names that it multiplies."""


def value_of(terms: Terms, field: Field[int], values: Mapping[str, int]) -> int:
    """Return the value of a polynomial in a field, given those of its names."""
    numbers, total = field, 0
    for coefficient, powers in terms:
        factors = (values[name] for name, exponent in powers for _ in range(exponent))
        total = numbers.add(total, reduce(numbers.mul, factors, numbers.constant(Fraction(coefficient))))
    return total

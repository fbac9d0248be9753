"""Finite fields small enough for tables, and whole batches of their elements computed at once."""

from __future__ import annotations

from functools import cache
from itertools import accumulate
from typing import TYPE_CHECKING

from efdgen.generator.programs.interpreter import evaluate
from efdgen.verify.effort import scaled

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from fractions import Fraction

    from efdgen.generator.language.syntax import Equation

Row = tuple[int, ...]

MOST = 64
"""The largest order of a field that has tables, at no more effort than is needed."""

_EXPONENTS = 64


class TinyField:
    """GF(p) or GF(2^k) of few elements, which are the integers in [0, order).

    In GF(2^k) bit i of an element is its coefficient of t^i. Raises ValueError for any other order.
    Satisfies :class:`efdgen.generator.programs.interpreter.Field`.
    """

    def __init__(self, order: int) -> None:
        self.order = order
        self.characteristic = next((p for p in range(2, order + 1) if order % p == 0), 0)
        binary = self.characteristic == 2 and order & (order - 1) == 0
        if not 2 <= order <= scaled(MOST) or not (binary or self.characteristic == order):
            raise ValueError(f"no tables for a field of {order} elements")
        elements = range(order)
        if binary:
            modulus = _irreducible(order.bit_length() - 1)
            self.sums: tuple[Row, ...] = tuple(tuple(a ^ b for b in elements) for a in elements)
            self.products = tuple(tuple(_times(a, b, modulus) for b in elements) for a in elements)
        else:
            self.sums = tuple(tuple((a + b) % order for b in elements) for a in elements)
            self.products = tuple(tuple(a * b % order for b in elements) for a in elements)
        negatives = [row.index(0) for row in self.sums]
        self.differences = tuple(tuple(row[negatives[b]] for b in elements) for row in self.sums)
        self.powers = tuple(tuple(accumulate([a] * _EXPONENTS, self.mul, initial=1)) for a in elements)
        self.inverses: Row = (0, *(row.index(1) for row in self.products[1:]))

    def constant(self, value: Fraction) -> int:
        """Return the element for a rational number; raise ZeroDivisionError where its denominator is 0."""
        p = self.characteristic
        return self.mul(value.numerator % p, self.inv(value.denominator % p))

    def add(self, left: int, right: int) -> int:
        """Return left + right."""
        return self.sums[left][right]

    def sub(self, left: int, right: int) -> int:
        """Return left - right."""
        return self.differences[left][right]

    def mul(self, left: int, right: int) -> int:
        """Return left · right."""
        return self.products[left][right]

    def inv(self, value: int) -> int:
        """Return 1/value."""
        if value == 0:
            raise ZeroDivisionError
        return self.inverses[value]

    def power(self, value: int, exponent: int) -> int:
        """Return value^exponent for any integer exponent."""
        base = value if exponent >= 0 else self.inv(value)
        result = 1
        for _ in range(abs(exponent)):
            result = self.mul(result, base)
        return result

    def trace(self, value: int) -> int:
        """Return the trace of an element over the prime field."""
        total, power = 0, value
        for _ in range(self.order.bit_length() - 1 if self.characteristic == 2 else 1):
            total, power = self.add(total, power), self.power(power, self.characteristic)
        return total


class Lanes:
    """Batches of elements, one operation on all of them at a time: columns, a lane for each input.

    A division by zero does not raise; it puts the lane into ``undefined`` and goes on with 0.
    Satisfies :class:`efdgen.generator.programs.interpreter.Field`.
    """

    def __init__(self, field: TinyField, lanes: int) -> None:
        self.field, self.lanes = field, lanes
        self.undefined: set[int] = set()

    def constant(self, value: Fraction) -> list[int]:
        """Return a rational number in every lane."""
        return [self.field.constant(value)] * self.lanes

    def columns(self, values: Mapping[str, int]) -> dict[str, list[int]]:
        """Return values by name, each in every lane."""
        return {name: [value] * self.lanes for name, value in values.items()}

    def add(self, left: list[int], right: list[int]) -> list[int]:
        """Return left + right."""
        return _apply(self.field.sums, left, right)

    def sub(self, left: list[int], right: list[int]) -> list[int]:
        """Return left - right."""
        return _apply(self.field.differences, left, right)

    def mul(self, left: list[int], right: list[int]) -> list[int]:
        """Return left · right."""
        return _apply(self.field.products, left, right)

    def inv(self, value: list[int]) -> list[int]:
        """Return 1/value, 0 in the lanes that become undefined."""
        self.undefined.update(lane for lane, element in enumerate(value) if element == 0)
        inverses = self.field.inverses
        return [inverses[element] for element in value]


@cache
def tiny_field(order: int) -> TinyField:
    """Return the field of an order, always the same object."""
    return TinyField(order)


def satisfied(equation: Equation, field: TinyField, names: Mapping[str, int]) -> bool:
    """Return whether both sides of an equation are defined and equal; raise KeyError for a name not given."""
    try:
        return evaluate(equation.left, field, names) == evaluate(equation.right, field, names)
    except ZeroDivisionError:
        return False


def _apply(table: tuple[Row, ...], left: Iterable[int], right: Iterable[int]) -> list[int]:
    return [table[a][b] for a, b in zip(left, right, strict=True)]


def _times(left: int, right: int, modulus: int) -> int:
    """Multiply polynomials over GF(2) modulo one."""
    product = 0
    while right:
        if right & 1:
            product ^= left
        left, right = left << 1, right >> 1
        if left.bit_length() == modulus.bit_length():
            left ^= modulus
    return product


def _irreducible(degree: int) -> int:
    """Return the smallest polynomial over GF(2) of a degree that no smaller one divides."""
    for candidate in range(1 << degree, 2 << degree):
        if all(_remainder(candidate, divisor) for divisor in range(2, 1 << degree)):
            return candidate
    raise AssertionError


def _remainder(dividend: int, divisor: int) -> int:
    while dividend.bit_length() >= divisor.bit_length():
        dividend ^= divisor << (dividend.bit_length() - divisor.bit_length())
    return dividend

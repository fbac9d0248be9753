"""Features of a curve: its order is odd, a parameter is a square.

One definition serves tiny curves and those that kernels are made for.
"""

from __future__ import annotations

from itertools import combinations
from math import gcd
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping


class Arithmetic(Protocol):
    """A finite field, as far as features ask; elements are integers."""

    @property
    def order(self) -> int:
        """The number of elements."""
        ...

    @property
    def characteristic(self) -> int:
        """The smallest n > 0 with n·1 = 0."""
        ...

    def sub(self, left: int, right: int) -> int:
        """Return left - right."""
        ...

    def mul(self, left: int, right: int) -> int:
        """Return left · right."""
        ...

    def power(self, value: int, exponent: int) -> int:
        """Return value^exponent for an exponent of 0 or more."""
        ...


def features(field: Arithmetic, parameters: Mapping[str, int], points: int | None) -> dict[str, bool]:
    """Return what is true of a curve, the plainest first; ``points`` is their number, None if unknown."""
    found = {f"{name} is 0": value == 0 for name, value in parameters.items()}
    if points is not None:
        found["the order is odd"] = points % 2 == 1
        found |= {f"the order is divisible by {n}": points % n == 0 for n in (3, 4)}
    values = dict(parameters)
    if field.characteristic == 2:
        found |= {f"the trace of {name} is 1": _trace(field, value) == 1 for name, value in values.items()}
    else:
        values["-1"] = field.sub(0, 1)
        products = {f"{a}*{b}": field.mul(values[a], values[b]) for a, b in combinations(parameters, 2)}
        found |= {f"{name} is a square": is_power(field, v, 2) for name, v in (values | products).items()}
    return found | {f"{name} is a cube": is_power(field, value, 3) for name, value in parameters.items()}


def is_power(field: Arithmetic, value: int, exponent: int) -> bool:
    """Return whether a value is a square, for the exponent 2, or a cube, for 3."""
    units = field.order - 1
    return value == 0 or field.power(value, units // gcd(exponent, units)) == 1


def _trace(field: Arithmetic, value: int) -> int:
    """Return the trace over GF(2) of an element of GF(2^k)."""
    total, conjugate = 0, value
    for _ in range(field.order.bit_length() - 1):
        total, conjugate = field.sub(total, conjugate), field.mul(conjugate, conjugate)
    return total

"""Reference values of GF(p²) operations with pairs of Python's integers, and their vectors.

A row holds an element as one number, c0 before c1 as in its big-endian encoding.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from random import Random
from typing import TYPE_CHECKING

from efdgen.generator.fields.reference import Row
from efdgen.generator.mathematics.primes import is_square

if TYPE_CHECKING:
    from collections.abc import Iterator

Pair = tuple[int, int]

_RANDOM_VALUES = 5
_ROWS = 24


@dataclass(frozen=True)
class QuadraticReference:
    """GF(p²) with i² = nonresidue, its elements written in 2·``size`` bytes.

    ``small`` is the largest number that mul_small multiplies by.
    """

    prime: int
    nonresidue: int
    size: int
    small: int

    def rows(self, name: str, operands: int) -> Iterator[Row]:
        """Yield rows of an operation: edges of both parts, and random values."""
        rng, p = Random(f"{self.prime} {name}"), self.prime
        parts = [0, 1, 2 % p, p - 1, p // 2, rng.randrange(p)]
        values: list[Pair] = [(c0, c1) for c0 in parts for c1 in parts]
        values += [(rng.randrange(p), rng.randrange(p)) for _ in range(_RANDOM_VALUES)]
        chosen = list(product(((0, 0), (0, 1)), repeat=operands))
        chosen += [tuple(rng.choice(values) for _ in range(operands)) for _ in range(_ROWS)]
        for row in chosen[:_ROWS]:
            yield self.evaluate(name, row)

    def evaluate(self, name: str, operands: tuple[Pair, ...]) -> Row:
        """Return the row of an operation on some operands."""
        value, flag = self._value(name, *operands)
        return Row(name, tuple(map(self._packed, operands)), self._packed(value), flag)

    def _value(self, name: str, a: Pair, *others: Pair) -> tuple[Pair, bool]:
        root = is_square(self._norm(a), self.prime)
        b, c, d = (*others, (0, 0), (0, 0), (0, 0))[:3]
        match name:
            case "add" | "sub":
                sign = 1 if name == "add" else -1
                return (a[0] + sign * b[0], a[1] + sign * b[1]), True
            case "neg" | "conj":
                return (a[0] if name == "conj" else -a[0], -a[1]), True
            case "half":
                return (a[0] * (self.prime + 1) // 2, a[1] * (self.prime + 1) // 2), True
            case "mul_small":
                return (a[0] * self.small, a[1] * self.small), True
            case "select_0" | "select_1" | "cswap_0" | "cswap_1":
                return (a if name in ("select_1", "cswap_0") else b), True
            case "mul" | "sqr":
                return self._product(a, b if name == "mul" else a), True
            case "sum_of_products" | "difference_of_products":
                sign = 1 if name == "sum_of_products" else -1
                products = self._product(a, b), self._product(c, d)
                real, imaginary = (first + sign * second for first, second in zip(*products, strict=True))
                return (real, imaginary), True
            case "power":
                return self._power(a, b[0] | b[1] << 8 * self.size), True
            case "inv" | "inv_var":
                return self._inverse(a), True
            case "is_zero" | "equal":
                return (0, 0), a == (b if name == "equal" else (0, 0))
            case "is_square" | "is_square_var":
                return (0, 0), root
            case "sqrt":
                return a if root else (0, 0), root
            case "inv_sqrt":
                root = root and a != (0, 0)
                return self._inverse(a) if root else (0, 0), root
            case "sqrt_ratio":
                root = a == (0, 0) or (b != (0, 0) and is_square(self._norm(self._product(a, b)), self.prime))
                return self._product(a, self._inverse(b)) if root else (0, 0), root
            case _:
                raise ValueError(name)

    def _product(self, a: Pair, b: Pair) -> Pair:
        return a[0] * b[0] + self.nonresidue * a[1] * b[1], a[0] * b[1] + a[1] * b[0]

    def _power(self, a: Pair, exponent: int) -> Pair:
        power = 1, 0
        for bit in f"{exponent:b}":
            real, imaginary = self._product(self._product(power, power), a if bit == "1" else (1, 0))
            power = real % self.prime, imaginary % self.prime
        return power

    def _inverse(self, a: Pair) -> Pair:
        inverse = pow(self._norm(a), self.prime - 2, self.prime)
        return a[0] * inverse, -a[1] * inverse

    def _norm(self, a: Pair) -> int:
        return (a[0] ** 2 - self.nonresidue * a[1] ** 2) % self.prime

    def _packed(self, value: Pair) -> int:
        return value[0] % self.prime << 8 * self.size | value[1] % self.prime

"""Vectors of the field operations: results of Python's integers, at random and at the edges of words."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from efdgen.generator.fields.edges import edges, loose_numbers, operands_of
from efdgen.generator.fields.field import Field
from efdgen.verify.vectors.data import FieldCase
from efdgen.verify.vectors.sampler import EXHAUSTIVE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from random import Random

    from efdgen.generator.mathematics.binary import Ground

_RANDOM_VALUES = 8
_ALIASED = 7

# How many edge values operations are asked for, and how many an inversion is.
_MOST = 2048
_FEW = 256

_UNARY: dict[str, Callable[[int, int], int]] = {
    "neg": lambda a, p: -a % p,
    "half": lambda a, p: a * (p + 1) // 2 % p,
    "sqr": lambda a, p: a * a % p,
    "inv": lambda a, p: pow(a, p - 2, p),
}
_BINARY: dict[str, Callable[[int, int, int], int]] = {
    "add": lambda a, b, p: (a + b) % p,
    "sub": lambda a, b, p: (a - b) % p,
    "mul": lambda a, b, p: a * b % p,
}


def field_cases(ground: Ground, rng: Random) -> tuple[FieldCase, ...]:
    """Return vectors of every field operation: all values and pairs for a tiny prime, else chosen ones.

    None for GF(2^m), whose operations no driver has.
    """
    return tuple(_Maker(ground, rng).cases()) if isinstance(ground, int) else ()


class _Maker:
    def __init__(self, prime: int, rng: Random) -> None:
        self.prime, self.rng = prime, rng
        self.field = Field(prime)
        self.bytes = self.field.bytes

    def cases(self) -> Iterator[FieldCase]:
        values = self._values()
        yield FieldCase("set_zero", "-", (), self._hex(0))
        yield FieldCase("set_one", "-", (), self._hex(1))
        for a in values:
            yield from self._unary(a)
        for number, (a, b) in enumerate(product(values, repeat=2)):
            yield from self._binary(a, b, number)
        if self.prime >= EXHAUSTIVE:
            yield from self._walks()
        for value in self._strings(values):
            for order in ("be", "le"):
                read = self._hex(value) if value < self.prime else self._hex(0)
                flag = int(value < self.prime)
                yield FieldCase(f"from_bytes_{order}", "-", (self._hex(value, order),), f"{flag} {read}")

    def _walks(self) -> Iterator[FieldCase]:
        """Yield operations whose operands or results make carries run through words."""
        found = edges(self.field)
        values = self.rng.sample(found, min(len(found), _MOST))
        operations: dict[str, Callable[..., int]] = {**_UNARY, **_BINARY}
        for name, operation in operations.items():
            count = 1 if name in _UNARY else 2
            chosen = values[:_FEW] if name == "inv" else values
            for operands in operands_of(name, count, chosen, self.prime, self.rng):
                answer = self._hex(operation(*operands, self.prime))
                yield FieldCase(name, "-", (*map(self._hex, operands),), answer)

    def _unary(self, a: int) -> Iterator[FieldCase]:
        for name, operation in _UNARY.items():
            for alias in "-a":
                yield FieldCase(name, alias, (self._hex(a),), self._hex(operation(a, self.prime)))
        yield FieldCase("is_zero", "-", (self._hex(a),), str(int(a == 0)))
        yield FieldCase("to_bytes_be", "-", (self._hex(a),), self._hex(a))
        yield FieldCase("to_bytes_le", "-", (self._hex(a),), self._hex(a, "le"))

    def _binary(self, a: int, b: int, number: int) -> Iterator[FieldCase]:
        operands = self._hex(a), self._hex(b)
        aliases = "-ab" if number % _ALIASED == 0 else "-"
        for alias in aliases:
            for name, operation in _BINARY.items():
                yield FieldCase(name, alias, operands, self._hex(operation(a, b, self.prime)))
            for flag, chosen in ((1, operands[0]), (0, operands[1])):
                yield FieldCase("select", alias, (str(flag), *operands), chosen)
        yield FieldCase("equal", "-", operands, str(int(a == b)))

    def _values(self) -> list[int]:
        """Return all values for a tiny prime, else values at the edges of p, and random ones."""
        p = self.prime
        if p < EXHAUSTIVE:
            return list(range(p))
        corners = [0, 1, 2, p // 2, p // 2 + 1, p - 2, p - 1]
        return corners + [self.rng.randrange(p) for _ in range(_RANDOM_VALUES)]

    def _strings(self, values: list[int]) -> list[int]:
        """Return numbers that fit into the bytes of an encoding, those from p on included."""
        top = (1 << 8 * self.bytes) - 1
        loose = loose_numbers(self.field)
        refused = {self.prime, self.prime + 1, top, top - 1, *self.rng.sample(loose, min(len(loose), _FEW))}
        return [*values, *sorted(value for value in refused if value <= top)]

    def _hex(self, value: int, order: str = "be") -> str:
        return value.to_bytes(self.bytes, "big" if order == "be" else "little").hex()

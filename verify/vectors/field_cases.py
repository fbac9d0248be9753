"""Vectors of the field operations: results of Python's integers, at random and at the edges of words."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, TypeAlias

from efdgen.generator.fields.edges import edges, loose_numbers, operands_of
from efdgen.generator.fields.field import Field
from efdgen.verify.vectors.data import FieldCase
from efdgen.verify.vectors.sampler import EXHAUSTIVE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from random import Random

    from efdgen.generator.mathematics.ground import Ground

    Operations: TypeAlias = dict[str, Callable[..., int]]

_RANDOM_VALUES = 8
_ALIASED = 7

# The most requests of edge values for an operation, and for an inversion.
_MOST = 2048
_FEW = 256


def _unary(field: Ground) -> Operations:
    """Return the operations on one element."""
    of_prime = {"neg": lambda a: field.sub(0, a), "half": lambda a: field.mul(a, field.inv(2))}
    return {
        **({} if field.is_binary else of_prime),
        "sqr": lambda a: field.mul(a, a),
        "inv": field.inverse_or_zero,
    }


def field_cases(ground: Ground, rng: Random) -> tuple[FieldCase, ...]:
    """Return vectors of every field operation: all values and pairs in a tiny field, else chosen ones."""
    return tuple(_Maker(ground, rng).cases())


class _Maker:
    def __init__(self, ground: Ground, rng: Random) -> None:
        self.ground, self.order, self.rng = ground, ground.order, rng
        self.bytes = ground.bytes
        self.unary = _unary(ground)
        self.binary = {"add": ground.add, "sub": ground.sub, "mul": ground.mul}

    def cases(self) -> Iterator[FieldCase]:
        values = self._values()
        yield FieldCase("set_zero", "-", (), self._hex(0))
        yield FieldCase("set_one", "-", (), self._hex(1))
        for a in values:
            yield from self._unary(a)
        for number, (a, b) in enumerate(product(values, repeat=2)):
            yield from self._binary(a, b, number)
        if self.order >= EXHAUSTIVE:
            yield from self._walks()
        for value in self._strings(values):
            for order in ("be", "le"):
                flag = int(value < self.order)
                read = self._hex(value if flag else 0)
                yield FieldCase(f"from_bytes_{order}", "-", (self._hex(value, order),), f"{flag} {read}")

    def _walks(self) -> Iterator[FieldCase]:
        """Yield operations whose operands or results make carries or shifts run through words."""
        for name, operation in {**self.unary, **self.binary}.items():
            for operands in self._operands(name, 1 if name in self.unary else 2):
                yield FieldCase(name, "-", (*map(self._hex, operands),), self._hex(operation(*operands)))

    def _operands(self, name: str, count: int) -> Iterator[tuple[int, ...]]:
        """Yield operands of an operation among which an edge value is, or that give one."""
        rng = self.rng
        found = edges(Field(self.ground))
        values = rng.sample(found, min(len(found), _FEW if name == "inv" else _MOST))
        if not self.ground.is_binary:
            yield from operands_of(name, count, values, self.ground.prime, rng)
            return
        for value in values:
            others = (rng.choice((rng.choice(values), rng.randrange(self.order))) for _ in range(count - 1))
            yield (value, *others)

    def _unary(self, a: int) -> Iterator[FieldCase]:
        for name, operation in self.unary.items():
            for alias in "-a":
                yield FieldCase(name, alias, (self._hex(a),), self._hex(operation(a)))
        yield FieldCase("is_zero", "-", (self._hex(a),), str(int(a == 0)))
        yield FieldCase("to_bytes_be", "-", (self._hex(a),), self._hex(a))
        yield FieldCase("to_bytes_le", "-", (self._hex(a),), self._hex(a, "le"))

    def _binary(self, a: int, b: int, number: int) -> Iterator[FieldCase]:
        operands = self._hex(a), self._hex(b)
        aliases = "-ab" if number % _ALIASED == 0 else "-"
        for alias in aliases:
            for name, operation in self.binary.items():
                yield FieldCase(name, alias, operands, self._hex(operation(a, b)))
            for flag, chosen in ((1, operands[0]), (0, operands[1])):
                yield FieldCase("select", alias, (str(flag), *operands), chosen)
        yield FieldCase("equal", "-", operands, str(int(a == b)))

    def _values(self) -> list[int]:
        """Return all values of a tiny field, else values at the edges of p or 2^m, and random ones."""
        order = self.order
        if order < EXHAUSTIVE:
            return list(range(order))
        corners = [0, 1, 2, order // 2, order // 2 + 1, order - 2, order - 1]
        return corners + [self.rng.randrange(order) for _ in range(_RANDOM_VALUES)]

    def _strings(self, values: list[int]) -> list[int]:
        """Return numbers that fit into the bytes of an encoding, those from p or 2^m on included."""
        top = (1 << 8 * self.bytes) - 1
        if not self.ground.is_binary:
            loose = loose_numbers(Field(self.ground))
            above = self.rng.sample(loose, min(len(loose), _FEW))
        else:
            above = [self.order | value for value in values]
        refused = {self.order, self.order + 1, top, top - 1, *above}
        return [*values, *sorted(value for value in refused if value <= top)]

    def _hex(self, value: int, order: str = "be") -> str:
        return value.to_bytes(self.bytes, "big" if order == "be" else "little").hex()

"""Inputs of a kernel for which one of its steps has a chosen value, on the curve or not.

A carry that is lost in a fused formula changes a result only where a sum or a product in it has a rare value.
The value of a step is a polynomial of low degree in each coordinate of the input, so that one of them can be
solved for. The steps choose inputs and no more: the formula's own equations say what is expected.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.mathematics.primes import inverse, square_root
from efdgen.generator.programs.compiled import compiled_program, inverse_or_zero
from efdgen.generator.programs.program import Program

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from random import Random

    from efdgen.generator.mathematics.binary import BinaryField, Ground


class Steps:
    """The steps of a program over a field, as functions of its inputs; ``known`` are its constants."""

    def __init__(self, program: Program, field: Ground, known: Mapping[str, int]) -> None:
        self._field, self._known = field, known
        self.numbers = tuple(range(len(program.instructions)))
        every = Program(program.instructions, tuple((str(number), number) for number in self.numbers))
        self._values = compiled_program(every, field, known, inverse_or_zero)

    def solved(
        self, number: int, value: int, coordinates: Mapping[str, int], free: Sequence[str], rng: Random
    ) -> dict[str, int] | None:
        """Return coordinates with one of some names changed so that a step gives a value.

        None where the step has no such root as a polynomial of degree 1 or 2 in any of the names, which are
        tried in random order.
        """
        for name in rng.sample(free, len(free)):
            values = [self.value(number, {**coordinates, name: x}) for x in range(5)]
            found = _root(values, value, self._field)
            if found is not None:
                return {**coordinates, name: found}
        return None

    def value(self, number: int, coordinates: Mapping[str, int]) -> int:
        """Return the value of a step."""
        return self._values(**{**self._known, **coordinates})[str(number)]


def _root(values: Sequence[int], value: int, field: Ground) -> int | None:
    """Return where the polynomial through values at 0 to 4 has a value; None if its degree is 3 or 4."""
    return _root_modulo(values, value, field) if isinstance(field, int) else _root_of_2(values, value, field)


def _root_modulo(values: Sequence[int], value: int, prime: int) -> int | None:
    zero, one, two, three, four = values
    square = (two - 2 * one + zero) * (prime + 1) // 2 % prime
    linear = (one - zero - square) % prime
    wrong = (three - 9 * square - 3 * linear - zero) % prime
    if wrong or (four - 16 * square - 4 * linear - zero) % prime:
        return None
    if square:
        root = square_root((linear * linear - 4 * square * (zero - value)) % prime, prime)
        return None if root is None else (root - linear) * inverse(2 * square, prime) % prime
    return (value - zero) * inverse(linear, prime) % prime if linear else None


def _root_of_2(values: Sequence[int], value: int, field: BinaryField) -> int | None:
    """Return the root in GF(2^m), where the elements are 0, 1, x, x + 1 and x²."""
    zero, one, two, three, four = values
    # s·t² + l·t at 1 and at x: s·(x² + x) is the second and x times the first.
    square = field.mul(field.mul(2, one ^ zero) ^ two ^ zero, field.inv(field.mul(2, 3)))
    linear = one ^ zero ^ square
    for t, found in ((3, three), (4, four)):
        if found != zero ^ field.mul(t, linear ^ field.mul(t, square)):
            return None
    wanted = value ^ zero
    if not square:
        return field.mul(wanted, field.inv(linear)) if linear else None
    if not linear:
        return field.square_root(field.mul(wanted, field.inv(square)))
    # With t = (l/s)·z, z² + z = wanted·s/l².
    scale = field.mul(linear, field.inv(square))
    solved = field.solve(field.mul(wanted, field.inv(field.mul(linear, scale))))
    return None if solved is None else field.mul(scale, solved)

"""Inputs of a kernel for which one of its steps has a chosen value, on the curve or not.

A carry that is lost in a fused formula changes a result only where a sum or a product in it has a rare value.
The value of a step is a polynomial of low degree in each coordinate of the input, so that one of them can be
solved for. The steps choose inputs and no more: the formula's own equations say what is expected.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.programs.compiled import compiled_program
from efdgen.generator.programs.program import Program

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from random import Random

    from efdgen.generator.mathematics.ground import Ground


class Steps:
    """The steps of a program over a field, as functions of its inputs; ``known`` are its constants."""

    def __init__(self, program: Program, field: Ground, known: Mapping[str, int]) -> None:
        self._field, self._known = field, known
        self.numbers = tuple(range(len(program.instructions)))
        every = Program(program.instructions, tuple((str(number), number) for number in self.numbers))
        self._values = compiled_program(every, field, known, or_zero=True)

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
    zero, one, two, three, four = values
    # square·t² + linear·t at 1 and at 2, which is the element x in GF(2^m).
    first, second = field.sub(one, zero), field.sub(two, zero)
    divisor = field.sub(field.mul(2, 2), 2)
    square = field.mul(field.sub(second, field.mul(2, first)), field.inv(divisor))
    linear = field.sub(first, square)
    for t, found in ((3, three), (4, four)):
        if found != field.add(zero, field.mul(t, field.add(linear, field.mul(t, square)))):
            return None
    wanted = field.sub(value, zero)
    if square:
        return next(iter(field.quadratic_roots(field.sub(0, wanted), linear, square)), None)
    return field.mul(wanted, field.inv(linear)) if linear else None

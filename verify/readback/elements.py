"""Values of a kernel: linear combinations of coordinates, constants, products and inverses, as a graph.

Sums, differences, halves and multiples are computed exactly, with rational coefficients; a product is a new
value, the same for the same factors. So two programs have the same values where they are the same up to names
and to the order of sums and factors. In a field of characteristic 2, coefficients are 0 and 1.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, assert_never

from efdgen.generator.passes.allocation import constant_name
from efdgen.generator.programs.program import (
    Add,
    Constant,
    Input,
    Inv,
    Mul,
    MulConstant,
    MulParameter,
    Neg,
    Parameter,
    Pow,
    Sqr,
    Sub,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from efdgen.generator.programs.program import Operation, Program

Element = tuple[tuple[int, Fraction], ...]  # the coefficient of each value that is no sum
_HALF = Fraction(1, 2)


@dataclass(frozen=True)
class Flag:
    """A test of elements for 0: all of some, and none of others."""

    zero: frozenset[Element]
    nonzero: frozenset[Element] = frozenset()

    def __and__(self, other: Flag) -> Flag:
        return Flag(self.zero | other.zero, self.nonzero | other.nonzero)

    def inverted(self) -> Flag:
        """Return the opposite of a flag about one element."""
        if len(self.zero) + len(self.nonzero) != 1:
            raise ValueError("the opposite of several tests is none of a kernel")
        return Flag(self.nonzero, self.zero)

    def __rxor__(self, one: int) -> Flag:
        if one != 1:
            raise ValueError("a flag is inverted by 1")
        return self.inverted()

    __xor__ = __rxor__


class Elements:
    """Elements of a field, numbered by what makes them; ``binary`` is whether its characteristic is 2."""

    def __init__(self, *, binary: bool = False) -> None:
        self._binary = binary
        self._numbers: dict[tuple[Any, ...], int] = {}

    def _made(self, *node: Any) -> Element:  # noqa: ANN401 - names and elements
        return ((self._numbers.setdefault(node, len(self._numbers)), Fraction(1)),)

    def input(self, name: str) -> Element:
        """Return a coordinate or a constant."""
        return self._made("input", name)

    def add(self, a: Element, b: Element) -> Element:
        """Return a + b."""
        return self._sum((a, Fraction(1)), (b, Fraction(1)))

    def sub(self, a: Element, b: Element) -> Element:
        """Return a - b."""
        return self._sum((a, Fraction(1)), (b, Fraction(-1)))

    def neg(self, a: Element) -> Element:
        """Return -a."""
        return self.times(Fraction(-1), a)

    def half(self, a: Element) -> Element:
        """Return a/2."""
        return self.times(_HALF, a)

    def times(self, factor: Fraction, a: Element) -> Element:
        """Return a times a rational number."""
        return self._sum((a, factor))

    def mul(self, a: Element, b: Element) -> Element:
        """Return a·b."""
        return self._made("product", *sorted((a, b))) if a and b else ()

    def sqr(self, a: Element) -> Element:
        """Return a²."""
        return self.mul(a, a)

    def inv(self, a: Element) -> Element:
        """Return 1/a, and 0 of 0."""
        return self._made("inverse", a)

    def _sum(self, *parts: tuple[Element, Fraction]) -> Element:
        total: dict[int, Fraction] = defaultdict(Fraction)
        for part, factor in parts:
            for value, coefficient in part:
                total[value] += self._reduced(factor) * coefficient
        sums = sorted((value, self._reduced(coefficient)) for value, coefficient in total.items())
        return tuple((value, coefficient) for value, coefficient in sums if coefficient)

    def _reduced(self, coefficient: Fraction) -> Fraction:
        """Return a coefficient modulo the characteristic, if that is 2; refuse an even denominator."""
        if not self._binary:
            return coefficient
        if coefficient.denominator % 2 == 0:
            raise ValueError(f"{coefficient} does not exist in characteristic 2")
        return Fraction(coefficient.numerator % 2)

    def outputs(self, program: Program, inputs: Mapping[str, Element]) -> dict[str, Element]:
        """Return the outputs of a program on inputs, parameters and numbers by their names."""
        found: list[Element] = []
        for instruction in program.instructions:
            found.append(self._result(instruction.operation, found, inputs.__getitem__))
        return {name: found[value] for name, value in program.outputs}

    def _result(
        self, operation: Operation, of: Sequence[Element], named: Callable[[str], Element]
    ) -> Element:
        match operation:
            case Input(name) | Parameter(name):
                return named(name)
            case Constant(value):
                return self.input(constant_name(value))
            case Add(left, right):
                return self.add(of[left], of[right])
            case Sub(left, right):
                return self.sub(of[left], of[right])
            case Neg(value):
                return self.neg(of[value])
            case Mul(left, right) | MulParameter(left, right):
                return self.mul(of[left], of[right])
            case Sqr(value):
                return self.sqr(of[value])
            case MulConstant(factor, value):
                return self.times(factor, of[value])
            case Inv(value):
                return self.inv(of[value])
            case Pow():
                raise ValueError("a power should have been expanded")
            case _:
                assert_never(operation)

"""Weights of expressions: how they scale when the names in them are scaled."""

from __future__ import annotations

from fractions import Fraction
from operator import mul
from typing import TYPE_CHECKING

from efdgen.generator.programs.interpreter import evaluate

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from efdgen.generator.language.syntax import Equation

Vector = tuple[Fraction, ...]

Form = tuple[int, ...] | None
"""A linear form in the weights of some names, by their order; None is the weight of 0, which is any."""


class WeightForms:
    """The weight of an expression as a linear form in those of some names.

    Terms of a sum have to be of the same weight; ``constraints`` collects what that asks of the weights:
    forms that are zero. Satisfies :class:`efdgen.generator.programs.interpreter.Field`.
    """

    def __init__(self, names: Sequence[str]) -> None:
        self._names = tuple(names)
        self._none = (0,) * len(self._names)
        self.constraints: list[tuple[int, ...]] = []

    def names(self) -> dict[str, Form]:
        """Return the names, each with its own weight."""
        return {name: tuple(int(other == name) for other in self._names) for name in self._names}

    def weightless(self, names: Iterable[str]) -> dict[str, Form]:
        """Return other names, which are not scaled."""
        return dict.fromkeys(names, self._none)

    def require(self, equation: Equation, names: Mapping[str, Form]) -> None:
        """Ask that both sides of an equation are of one weight."""
        self.add(evaluate(equation.left, self, names), evaluate(equation.right, self, names))

    def constant(self, value: Fraction) -> Form:
        """Return the weight of a number."""
        return self._none if value else None

    def add(self, left: Form, right: Form) -> Form:
        """Return the weight of a sum."""
        if left is None or right is None:
            return right if left is None else left
        if left != right:
            self.constraints.append(tuple(a - b for a, b in zip(left, right, strict=True)))
        return left

    def sub(self, left: Form, right: Form) -> Form:
        """Return the weight of a difference."""
        return self.add(left, right)

    def mul(self, left: Form, right: Form) -> Form:
        """Return the weight of a product."""
        if left is None or right is None:
            return None
        return tuple(a + b for a, b in zip(left, right, strict=True))

    def inv(self, value: Form) -> Form:
        """Return the weight of an inverse."""
        if value is None:
            raise ZeroDivisionError
        return tuple(-entry for entry in value)


def kernel(rows: Iterable[Sequence[int | Fraction]], columns: int) -> Iterator[Vector]:
    """Yield a basis of the vectors that are orthogonal to all rows."""
    pivots: dict[int, Vector] = {}
    for constraint in rows:
        row = tuple(map(Fraction, constraint))
        for column, pivot in pivots.items():
            row = _combined(row, tuple(row[column] * entry for entry in pivot), -1)
        leading = next((column for column, entry in enumerate(row) if entry), None)
        if leading is not None:
            row = tuple(entry / row[leading] for entry in row)
            pivots = {
                c: _combined(p, tuple(p[leading] * entry for entry in row), -1) for c, p in pivots.items()
            }
            pivots[leading] = row
    for free in sorted(set(range(columns)) - pivots.keys()):
        yield tuple(
            -pivots[column][free] if column in pivots else Fraction(column == free)
            for column in range(columns)
        )


def whole_kernel(rows: Iterable[Sequence[int]], columns: int) -> list[tuple[int, ...]]:
    """Return a basis of the vectors of integers that are orthogonal to all rows of integers."""
    basis = [tuple(int(place == other) for other in range(columns)) for place in range(columns)]
    for row in rows:
        # Euclid's algorithm on the products with the row, until all but one of them are 0.
        products = {vector: sum(map(mul, row, vector)) for vector in basis}
        while len(nonzero := [vector for vector in basis if products[vector]]) > 1:
            least = min(nonzero, key=lambda vector: abs(products[vector]))
            for place, vector in enumerate(basis):
                if vector != least and products[vector]:
                    factor = products[vector] // products[least]
                    basis[place] = tuple(a - factor * b for a, b in zip(vector, least, strict=True))
                    products[basis[place]] = products[vector] - factor * products[least]
        basis = [vector for vector in basis if not products[vector]]
    return basis


def _combined(left: Vector, right: Vector, factor: int) -> Vector:
    return tuple(a + factor * b for a, b in zip(left, right, strict=True))

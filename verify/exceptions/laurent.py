"""Laurent series over a tiny field: functions on a curve near one of its points."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from efdgen.verify.exceptions.tiny_field import TinyField

PRECISION = 8


class Laurent(NamedTuple):
    """t^valuation · (c0 + c1·t + …) with c0 not zero, known up to the last coefficient and not further.

    A series of which only zeros are known has no coefficients, and its valuation says how many.
    """

    valuation: int
    coefficients: tuple[int, ...]

    @property
    def precision(self) -> int:
        """The first power of t of which the coefficient is not known."""
        return self.valuation + len(self.coefficients)

    @property
    def constant_term(self) -> int | None:
        """The value at t = 0, None for a pole."""
        if self.valuation < 0:
            return None
        return self.coefficients[0] if self.valuation == 0 and self.coefficients else 0


class LaurentSeries:
    """The series in t over a field; satisfies :class:`efdgen.generator.programs.interpreter.Field`."""

    def __init__(self, base: TinyField) -> None:
        self.base = base

    def series(self, valuation: int, coefficients: Sequence[int]) -> Laurent:
        """Return t^valuation · (c0 + c1·t + …), as far as coefficients are given."""
        first = next((i for i, c in enumerate(coefficients) if c), len(coefficients))
        return Laurent(valuation + first, tuple(coefficients[first:]))

    def polynomial(self, *coefficients: int) -> Laurent:
        """Return c0 + c1·t + …, all other coefficients zero."""
        return self.series(0, [*coefficients, *[0] * (PRECISION - len(coefficients))])

    def constant(self, value: Fraction) -> Laurent:
        """Return a rational number; raise ZeroDivisionError where the field has none such."""
        return self.polynomial(self.base.constant(value))

    def add(self, left: Laurent, right: Laurent) -> Laurent:
        """Return left + right."""
        start = min(left.valuation, right.valuation)
        total = [0] * (min(left.precision, right.precision) - start)
        for series in (left, right):
            shift = series.valuation - start
            for index, coefficient in enumerate(series.coefficients[: max(len(total) - shift, 0)], shift):
                total[index] = self.base.add(total[index], coefficient)
        return self.series(start, total)

    def sub(self, left: Laurent, right: Laurent) -> Laurent:
        """Return left - right."""
        negative = tuple(self.base.sub(0, coefficient) for coefficient in right.coefficients)
        return self.add(left, Laurent(right.valuation, negative))

    def mul(self, left: Laurent, right: Laurent) -> Laurent:
        """Return left · right."""
        length = min(len(left.coefficients), len(right.coefficients))
        product = [0] * length
        sums = self.base.sums
        for i, a in enumerate(left.coefficients[:length]):
            row = self.base.products[a]
            for j, b in enumerate(right.coefficients[: length - i], i):
                product[j] = sums[product[j]][row[b]]
        return Laurent(left.valuation + right.valuation, tuple(product))

    def inv(self, value: Laurent) -> Laurent:
        """Return 1/value; raise ZeroDivisionError where no coefficient other than 0 is known."""
        if not value.coefficients:
            raise ZeroDivisionError
        base = self.base
        first, *others = value.coefficients
        result = [base.inv(first)]
        for n in range(1, len(value.coefficients)):
            total = 0
            for coefficient, known in zip(others, reversed(result[:n]), strict=False):
                total = base.add(total, base.mul(coefficient, known))
            result.append(base.mul(base.sub(0, total), result[0]))
        return Laurent(-value.valuation, tuple(result))

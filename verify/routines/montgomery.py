"""Proof of products by Montgomery's reduction, word by word: a*b/R modulo the order n, for the radix R.

Each row adds a[i]*b and then quotient*n, whose lowest word makes that of the sum 0, and goes down by a word.
So the number before the last difference, times R, is a*b plus a multiple of n that is less than R*n. It is
less than 2*n, and n is subtracted where it is not less.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from efdgen.generator.routines.integers import RoutineError
from efdgen.generator.routines.interpreter import Interpreter
from efdgen.generator.routines.types import Integer
from efdgen.verify.routines.words import WORD, Columns, Polynomial, polynomial, whole, words

if TYPE_CHECKING:
    from efdgen.generator.routines.module import Module
    from efdgen.generator.routines.types import Type
    from efdgen.verify.symbols.items import Contracts

_BASE = 1 << WORD


class _Rows(Columns):
    """Operators on words, and quotients: words that make the lowest word of a sum 0."""

    def __init__(self, order: int) -> None:
        super().__init__()
        self._order = order
        self.quotients: list[Polynomial] = []
        self.zeros: list[tuple[Polynomial, Polynomial]] = []
        self._sum: Polynomial | None = None

    def binary(self, operator: str, kind: Type, left: Any, right: Any) -> Any:  # noqa: ANN401 - see Integers
        """Return a quotient, or an operator on words."""
        if operator != "*%":
            return super().binary(operator, kind, left, right)
        if not isinstance(kind, Integer) or kind.bits != WORD or not isinstance(left, Polynomial):
            raise RoutineError("a quotient of something else")
        if not isinstance(right, int) or (right * self._order + 1) % _BASE:
            raise RoutineError("a quotient by another inverse")
        found = Polynomial({(f"quotient{len(self.quotients)}",): 1}, 0, _BASE - 1)
        self.quotients.append(found)
        self._sum = left.plus(found.times(polynomial(self._order % _BASE)))
        return found

    def _carry(self, value: Polynomial) -> Polynomial:
        """Return the quotient by 2^32; where the lowest word is 0, it is exact."""
        if 0 <= value.low <= value.high < _BASE:
            return polynomial(0)
        found = super()._carry(value)
        if self._sum is not None and value.terms == self._sum.terms:
            self.zeros.append((found, value))
            self._sum = None
        return found

    def exact(self, difference: Polynomial) -> Polynomial:
        """Return a difference in which exact quotients by 2^32 are replaced, the last one first."""
        for carry, value in reversed(self.zeros):
            ((name, _),) = carry.terms.items()
            times = {m: v for m, v in difference.terms.items() if name[0] in m}
            for monomial, factor in times.items():
                if monomial != name or factor % _BASE:
                    raise RoutineError("a carry counts no multiple of 2^32")
                difference = difference.plus(carry, -factor).plus(value, factor // _BASE)
        return difference


def prove_montgomery(module: Module, order: int, size: int) -> None:
    """Prove a*b/R modulo an odd order, less than it, for an a below R and a b below the order.

    R is 2 to the bits of ``size`` words. Raises :class:`RoutineError` where it is something else.
    """
    count: Any = module.constants["SCALAR_WORDS"].value
    if order % 2 == 0 or order >= 1 << WORD * size or size + 1 > count:
        raise RoutineError("an order that is even, or too large for its words")
    for borrow in (0, 1):
        _prove_product(module, order, count, size, borrow)


def _prove_product(module: Module, order: int, count: int, size: int, borrow: int) -> None:
    """Prove it where the last difference is negative for a borrow of 1, and where it is not for 0."""
    rows, a, b = _Rows(order), words("a", size), list[int | Polynomial]()
    for at, word in enumerate(words("b", count)):
        most = order >> WORD * at
        b.append(replace(word, high=min(most, word.high)) if most else 0)
    before: list[Any] = []

    def less(one: Any, other: Any) -> list[Any]:  # noqa: ANN401 - words
        if whole(other).terms != {(): order}:
            raise RoutineError("another number is subtracted")
        before.append(one)
        return ["less", borrow]

    def assigned(one: Any, other: Any, flag: Any) -> list[Any]:  # noqa: ANN401 - words
        if (one, other, flag) != (before[0], "less", 1 - borrow):
            raise RoutineError("a difference is assigned where it is negative, or not where it is not")
        return ["assigned"]

    contracts: Contracts = {"scalar_sub": less, "scalar_assign": assigned}
    found = Interpreter(module, contracts, values=rows).call(
        "scalar_montgomery", [*a, *[0] * (count - size)], b
    )
    if found != ["assigned"] or len(rows.quotients) != len(rows.zeros) or len(rows.quotients) != size:
        raise RoutineError("scalar_montgomery returns something else, or does not reduce each row")
    if not all(polynomial(item).is_word for item in before[0]):
        raise RoutineError("a word may be negative or too large")
    radix = 1 << WORD * size
    scaled = Polynomial({m: v * radix for m, v in whole(before[0]).terms.items()}, 0, 0)
    total = whole(a).times(whole(b)).plus(whole(rows.quotients).times(polynomial(order)))
    if rows.exact(scaled.plus(total, -1)).terms:
        raise RoutineError("scalar_montgomery is another product")

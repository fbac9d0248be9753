"""Contracts of arithmetic of several words on numbers, and of the functions that move bits.

Their proofs are elsewhere: of sums and products in :mod:`words`, of bits in :mod:`moves`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from efdgen.generator.routines.integers import RoutineError
from efdgen.verify.symbols.bits import Sum, Word, bits_of, form_of_bit, word, xor
from efdgen.verify.symbols.facts import WORD, DeadError
from efdgen.verify.symbols.forms import combined, constant
from efdgen.verify.symbols.forms import number as constant_form

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from efdgen.verify.symbols.bits import Bit
    from efdgen.verify.symbols.facts import Facts, Number
    from efdgen.verify.symbols.forms import Form

Words: TypeAlias = "Sequence[int | Word]"


class Arithmetic:
    """Sums, differences, products and selections of numbers, on one way of a proof."""

    def __init__(self, facts: Facts, shift: int) -> None:
        self._facts, self._shift = facts, shift

    @property
    def table(self) -> dict[str, Callable[..., list[Any]]]:
        """The contracts by their routines' names."""
        return {
            "scalar_sub": self._sub,
            "scalar_add": self._add,
            "scalar_add_product": self._add_product,
            "scalar_quotient": self._quotient,
            "scalar_assign": self._assign,
        }

    def _made(self, stem: str, count: int, form: Form, low_bit: Bit | None = None) -> Number:
        value = constant(form)
        if value is not None:
            return self._facts.constant(int(value), count)
        return self._facts.make(stem, count, form, low_bit=low_bit)

    def _sub(self, a: Words, b: Words) -> list[Any]:
        """Return a - b, and as the borrow its sign; None if an operand may be negative."""
        one, other = self._facts.number(a), self._facts.number(b)
        low_bit = xor(one.bits[0], other.bits[0])
        found = self._made("difference", len(a), combined((1, one.form), (-1, other.form)), low_bit)
        borrow = word([found.sign]) if one.low >= 0 and other.low >= 0 else None
        return [found.value(), borrow]

    def _add(self, a: Words, b: Words) -> list[Any]:
        one, other = self._facts.number(a), self._facts.number(b)
        low_bit = xor(one.bits[0], other.bits[0])
        return [self._made("sum", len(a), combined((1, one.form), (1, other.form)), low_bit).value()]

    def _add_product(self, r: Words, a: Words, b: Words) -> list[Any]:
        total, one, other = map(self._facts.number, (r, a, b))
        factor = constant(other.form)
        if factor is None:
            raise RoutineError("a product of two numbers that are not known")
        return [self._made("total", len(r), combined((1, total.form), (factor, one.form))).value()]

    def _quotient(self, t: Words, g: Words, half: Sequence[int]) -> list[Any]:
        number, factor = self._facts.number(t), self._facts.number(g)
        rounding = sum(item << WORD * i for i, item in enumerate(half))
        multiplier = constant(factor.form)
        if multiplier is None or multiplier < 0 or number.low < 0:
            raise RoutineError("a quotient of a number that may be negative, or by one that is not known")
        product = combined((multiplier, number.form), (1, constant_form(rounding)))
        if self._facts.range(product)[1] >= 1 << 2 * WORD * len(t):
            raise RoutineError("a quotient of a product that may not fit its words")
        return [self._made("rounded", len(t), self._facts.quotient(product, 1 << self._shift)).value()]

    def _assign(self, t: Words, a: Words, flag: int | Word) -> list[Any]:
        """Return a or t by a bit; a number that is one or the other if they differ by a constant."""
        bits = bits_of(flag, WORD)
        if any(bits[1:]):
            raise RoutineError("a flag that is neither 0 nor 1")
        bit = self._facts.settled(bits[0])
        if isinstance(bit, Sum) and (joined := self._joined(t, a, bit)):
            return [joined.value()]
        while isinstance(bit, Sum):
            self._facts.decide(min(bit.symbols))
            bit = self._facts.settled(bit)
        return [list(a if bit else t)]

    def _joined(self, t: Words, a: Words, bit: Sum) -> Number | None:
        """Return the number that is ``a`` if a bit is set, else ``t``; None if no form is both."""
        facts = self._facts
        one, other = facts.number(t), facts.number(a)
        step = constant(combined((1, other.form), (-1, one.form)))
        if step is None or len(bit.symbols) > 1 or bit.single[0] not in facts.numbers:
            return None
        ranges = []
        for value in (0, 1):
            try:
                with facts.assuming(bit.single, value ^ bit.flipped):
                    ranges.append(facts.range((other if value else one).form))
            except DeadError:
                continue
        if not ranges:
            raise DeadError
        form = combined((1, one.form), (step, form_of_bit(bit)))
        limits = min(low for low, _ in ranges), max(high for _, high in ranges)
        return facts.make("joined", len(t), form, limits)

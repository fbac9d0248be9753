"""Machine integers as values of a graph: the domain for following printed limb functions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.verify.words.values import DependsOnDataError, Known, NotFollowedError

if TYPE_CHECKING:
    from efdgen.verify.readback.values import Values
    from efdgen.verify.words.values import Kind


class Words(Known):
    """Words, carries and double words, each the number of a value; nothing else is computed with."""

    def __init__(self, values: Values) -> None:
        self.values = values
        self._word, self._wide = values.word, 2 * values.word

    def constant(self, value: int, kind: Kind) -> int:
        """Return a constant."""
        found = self.values.constant(value)
        return self.values.widened(found) if kind.bits == self._wide else found

    def binary(self, operator: str, a: int, b: int, kind: Kind, wraps: bool) -> int:
        """Return an operator of two words or of two double words; words must be allowed to wrap."""
        if kind.signed or kind.bits not in (self._word, self._wide):
            raise _refusal(operator, kind)
        if kind.bits == self._wide:
            return self._double(operator, a, b, kind)
        values = self.values
        if operator in "&|^":
            return values.bitwise(operator, a, b)
        if not wraps:
            raise _refusal(operator, kind)
        match operator:
            case "+":
                return values.add(a, b, values.zero)
            case "-":
                return values.sub(a, b, values.zero)
            case "*":
                return values.low(values.product(a, b))
            case _:
                raise _refusal(operator, kind)

    def _double(self, operator: str, a: int, b: int, kind: Kind) -> int:
        """Return a sum of double words, which wraps, or two halves that are put together."""
        values = self.values
        match operator:
            case "+" | "-":
                return values.combined([(a, 1), (b, 1 if operator == "+" else -1)])
            case "|" if values.low(a) == values.high(b) == values.zero:
                return values.pair(values.low(b), values.high(a))
            case _:
                raise _refusal(operator, kind)

    def shift(self, operator: str, a: int, amount: int, kind: Kind) -> int:
        """Return a shifted word; or of a double word a half, or what a cast takes the low word of."""
        values = self.values
        if kind.bits == self._word:
            return values.shifted(operator, a, amount) if amount else a
        if kind.bits != self._wide or kind.signed:
            raise _refusal(operator, kind)
        low, high = values.low(a), values.high(a)
        if operator == "<<" and amount == self._word and high == values.zero:
            return values.pair(values.zero, low)
        if operator == ">>" and amount == self._word:
            return values.widened(high)
        if operator == ">>" and 0 < amount < self._word:
            return values.pair(
                values.funnel(high, low, self._word - amount), values.shifted(">>", high, amount)
            )
        raise _refusal(operator, kind)

    def convert(self, a: int, source: Kind, target: Kind) -> int:
        """Return a carry as a word, a word as a double word, or the low word of a double word."""
        if source.signed or target.signed:
            raise _refusal("a conversion", target)
        if target.bits == self._wide and source.bits < self._wide:
            return self.values.widened(a)
        if target.bits == self._word and source.bits < self._word:
            return a
        if target.bits == self._word and source.bits == self._wide:
            return self.values.low(a)
        raise _refusal("a conversion", target)

    def plain(self, a: int) -> int:
        """Return a constant word; anything else depends on data."""
        known = self.values.known(a)
        if known is None:
            raise DependsOnDataError("a branch, an index or a shift depends on data")
        return known


def _refusal(operator: str, kind: Kind) -> NotFollowedError:
    return NotFollowedError(f"{operator} of {kind.bits} bits is none of a limb program")

"""Tests of elements for 0: both results are followed, one path after the other."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import TYPE_CHECKING

from efdgen.verify.readback.elements import Elements

if TYPE_CHECKING:
    from collections.abc import Iterator

    from efdgen.verify.readback.elements import Element

_Powers = tuple[tuple[int, int], ...]  # the exponent of each value, by its number


class Ways(Elements):
    """Elements on one way: what is 0 there vanishes in products, and what is not has an inverse.

    Products of powers of what is not 0 have a normal form, the one of none is 1.
    """

    def __init__(self, taken: list[bool], *, binary: bool = False) -> None:
        super().__init__(binary=binary)
        self.taken, self._at = list(taken), 0
        self._zero: dict[Element, bool] = {}
        self._powers: dict[int, _Powers] = {}
        self.one = self._power({})

    @classmethod
    def all(cls, *, binary: bool = False) -> Iterator[Ways]:
        """Yield each way that there is; it has to be followed before the next."""
        taken: list[bool] = []
        while True:
            way = cls(taken, binary=binary)
            yield way
            taken = way.taken
            while taken and not taken[-1]:
                taken.pop()
            if not taken:
                return
            taken[-1] = False

    def constant(self, value: Fraction) -> Element:
        """Return a number."""
        return self.times(value, self.one)

    def is_zero(self, a: Element) -> bool:
        """Return whether an element is 0: as far as it is known, or as it is assumed on this way."""
        if not a:
            return True
        if self._monomial(a):
            return False
        key = self._key(a)
        if key not in self._zero:
            if self._at == len(self.taken):
                self.taken.append(True)
            self._zero[key] = self.taken[self._at]
            self._at += 1
            if len(a) == 1 and not self._zero[key]:
                self._powers[a[0][0]] = ((a[0][0], 1),)
        return self._zero[key]

    def differs(self, a: Element) -> bool:
        """Return whether an element is known not to be 0."""
        return bool(self._monomial(a)) or (bool(a) and self._zero.get(self._key(a)) is False)

    def equal(self, a: Element, b: Element) -> bool:
        """Return whether two elements are the same, or both 0."""
        return a == b or (self._vanishes(a) and self._vanishes(b))

    def mul(self, a: Element, b: Element) -> Element:
        """Return a·b."""
        left, right = self._monomial(a), self._monomial(b)
        if left and right:
            return self.times(left[1] * right[1], self._power(left[0], right[0]))
        for one, other in ((left, b), (right, a)):
            if one and not one[0]:
                return self.times(one[1], other)
        return () if self._vanishes(a) or self._vanishes(b) else super().mul(a, b)

    def inv(self, a: Element) -> Element:
        """Return 1/a, and 0 of 0."""
        if found := self._monomial(a):
            powers, coefficient = found
            return self.times(1 / coefficient, self._power({v: -e for v, e in powers.items()}))
        return () if self._vanishes(a) else super().inv(a)

    def _vanishes(self, a: Element) -> bool:
        return not a or self._zero.get(self._key(a), False)

    def _key(self, a: Element) -> Element:
        """Return what an element and its multiples have in common."""
        return self.times(1 / a[0][1], a)

    def _monomial(self, a: Element) -> tuple[dict[int, int], Fraction] | None:
        """Return the powers of values that are not 0, and the coefficient, of which an element is made."""
        if len(a) != 1 or a[0][0] not in self._powers:
            return None
        return dict(self._powers[a[0][0]]), a[0][1]

    def _power(self, *powers: dict[int, int]) -> Element:
        """Return the product of powers of values that are not 0."""
        total: Counter[int] = Counter()
        for part in powers:
            total.update(part)
        found: _Powers = tuple(sorted((value, exponent) for value, exponent in total.items() if exponent))
        if len(found) == 1 and found[0][1] == 1:
            return ((found[0][0], Fraction(1)),)
        made = self._made("powers", found)
        self._powers[made[0][0]] = found
        return made

"""Exceptional inputs: which multiples of a point may be the identity, or a point of small order.

Forms are in bits of numbers whose ranges are known. Every bit is free and every number anywhere in its range,
so that more may be found than scalars meet, and never less.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from math import gcd
from typing import TYPE_CHECKING

from efdgen.generator.errors import EfdgenError
from efdgen.verify.routines.points import TURNED
from efdgen.verify.symbols.forms import combined

if TYPE_CHECKING:
    from efdgen.generator.scalars.endomorphism import Split
    from efdgen.verify.routines.points import Point
    from efdgen.verify.symbols.facts import Facts
    from efdgen.verify.symbols.forms import Form

_MOST = 1 << 12  # multiples of an order that are tried


@dataclass(frozen=True)
class Orders:
    """The orders that a point may have: the prime ``order``, and if ``least`` is less, any from there on."""

    order: int
    least: int


class Bounds:
    """Ranges of forms in bits on one way, as far as they matter for points of an order."""

    def __init__(self, facts: Facts, order: int) -> None:
        self._facts, self._order = facts, order
        self._own: dict[str, Form] = {}

    def range(self, form: Form) -> tuple[int, int]:
        """Return a lower and an upper bound: of free bits, and if that is beyond the order, of the number.

        With X for the number, and f and o for the coefficients of the form's top bit in the form and in X,
        o times the form is f*X and a rest, which has lower bits alone: a number bounds its first bits.
        """
        low, high = _free(form)
        if -self._order < low and high < self._order:
            return low, high
        bits = {symbol: int(value) for symbol, value in form.items() if isinstance(symbol, tuple)}
        names = {symbol[0] for symbol in bits}
        if len(names) != 1:
            return low, high
        number = self._facts.numbers[names.pop()]
        own = self._form(number.name)
        top = max(bits, key=lambda symbol: abs(bits[symbol]))
        if top not in own:
            return low, high
        f, o = bits[top], int(own[top])
        if o < 0:
            f, o = -f, -o
        rest = _free(combined((o, form), (-f, own)))
        ends = sorted((f * number.low, f * number.high))
        return max(low, -(-(ends[0] + rest[0]) // o)), min(high, (ends[1] + rest[1]) // o)

    def _form(self, name: str) -> Form:
        if name not in self._own:
            self._own[name] = self._facts.form_in_bits(self._facts.numbers[name])
        return self._own[name]

    def vanishes(self, form: Form, orders: Orders) -> bool:
        """Return whether a multiple by a form may be the identity."""
        low, high = self.range(form)
        least, order = orders.least, orders.order
        if least < order:
            return not (-least < low and high < least) or (low <= 0 <= high and _reaches(form, range(1)))
        first, last = -(-low // order), high // order
        if last - first > _MOST:
            return True
        return first <= last and _reaches(form, range(order * first, order * last + 1, order))

    def meets(self, p: Point, q: Point, orders: Orders, split: Split | None) -> bool:
        """Return whether p or q may be the identity, or one the other or its negative."""
        met = (p, q, p.plus(q), p.plus(q, -1))
        if not p.forms or not q.forms:
            return True
        bases = dict.fromkeys(base for point in met for base in point.forms)
        (base, *others) = dict.fromkeys(base.removeprefix(TURNED) for base in bases)
        if others:
            return True
        if any(base.startswith(TURNED) for base in bases):
            assert split is not None
            return any(self._in_lattice(point, split) for point in met)
        return any(self.vanishes(point.forms.get(base, {}), orders) for point in met)

    def _in_lattice(self, point: Point, split: Split) -> bool:
        """Return whether u*P + v*λP may be the identity: (u, v) is 0, or in the lattice of λ."""
        plain = [form for base, form in point.forms.items() if not base.startswith(TURNED)]
        turned = [form for base, form in point.forms.items() if base.startswith(TURNED)]
        if len(plain) > 1 or len(turned) > 1 or not any(map(_is_never_zero, plain + turned)):
            return True
        most = [max(map(abs, self.range(form[0]))) if form else 0 for form in (plain, turned)]
        return _has_vector(split.basis, most[0], most[1])


def _free(form: Form) -> tuple[int, int]:
    """Return the range of a form whose bits are free."""
    constant = int(form.get(None, 0))
    negative = int(sum(value for value in form.values() if value < 0)) - min(constant, 0)
    total = int(sum(form.values()))
    return constant + negative, total - negative


def _is_never_zero(form: Form) -> bool:
    """Return whether a common divisor of a form's other coefficients does not divide its constant."""
    divisor = gcd(*(int(value) for symbol, value in form.items() if symbol is not None))
    constant = int(form.get(None, 0))
    return bool(constant % divisor) if divisor else constant != 0


def _reaches(form: Form, values: range) -> bool:
    """Return whether a form may have one of some values, its bits being free."""
    if values == range(1) and _is_never_zero(form):
        return False
    bits = sorted((abs(int(value)) for symbol, value in form.items() if symbol is not None), reverse=True)
    least, _ = _free(form)
    if any(one < 2 * other for one, other in pairwise(bits)):
        return True
    for value in values:
        left = value - least
        for bit in bits:
            if left >= bit:
                left -= bit
        if left == 0:
            return True
    return False


def _has_vector(basis: tuple[tuple[int, int], ...], most_u: int, most_v: int) -> bool:
    """Return whether a combination of a basis other than 0 is within bounds."""
    (a, b), (c, d) = basis
    determinant = abs(a * d - b * c)
    most_x = (most_u * abs(d) + most_v * abs(c)) // determinant
    most_y = (most_u * abs(b) + most_v * abs(a)) // determinant
    if (2 * most_x + 1) * (2 * most_y + 1) > _MOST:
        return True
    return any(
        (x or y) and abs(x * a + y * c) <= most_u and abs(x * b + y * d) <= most_v
        for x in range(-most_x, most_x + 1)
        for y in range(-most_y, most_y + 1)
    )


def require_basis(split: Split, order: int) -> None:
    """Raise :class:`EfdgenError` unless the basis is one of all (u, v) with u + v*λ = 0 modulo the order."""
    (a, b), (c, d) = split.basis
    if abs(a * d - b * c) != order or any((u + v * split.eigenvalue) % order for u, v in split.basis):
        raise EfdgenError("the split's basis is not a basis of the lattice in which k1 + k2*λ is 0")

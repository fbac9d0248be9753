"""Conclusion from a followed multiplication: the result is the multiple that the scalars say."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from efdgen.generator.errors import EfdgenError
from efdgen.verify.routines.points import TURNED
from efdgen.verify.symbols.forms import combined, is_multiple

if TYPE_CHECKING:
    from efdgen.generator.scalars.endomorphism import Endomorphism
    from efdgen.verify.routines.points import Point
    from efdgen.verify.symbols.facts import Facts
    from efdgen.verify.symbols.forms import Form


def in_integers(facts: Facts, form: Form, order: int) -> Form:
    """Return a form in bits as one in the integers that numbers are made of, modulo an order.

    The bits of a number have to count 2^i each, times one factor; they are replaced by what the number is,
    the last number first.
    """
    form = facts.exact(form)
    for number in reversed(facts.numbers.values()):
        own = facts.form_in_bits(number)
        lowest = next((s for s in own if s in form and s is not None), None)
        if lowest is None:
            continue
        ratio = Fraction(form[lowest]) / own[lowest]
        form = combined((1, form), (-ratio, own))
        for symbol in [s for s in form if isinstance(s, tuple) and s[0] == number.name]:
            excess = form.pop(symbol)
            if not is_multiple({None: excess}, order):
                raise EfdgenError(f"bit {symbol[1]} of a scalar counts {excess} too much")
        form = combined((1, form), (ratio, number.form))
    return facts.exact(form)


def require_multiple(
    facts: Facts,
    result: Point,
    expected: dict[str, Form],
    order: int,
    endomorphism: Endomorphism | None,
) -> None:
    """Raise :class:`EfdgenError` unless a point is the sum of bases times the expected forms.

    The forms are in the integers that numbers are made of; the bases' orders divide ``order``.
    """
    if result.curve:
        raise EfdgenError("the result has coordinates on another curve")
    left = dict(result.forms)
    for base, wanted in expected.items():
        total = in_integers(facts, left.pop(base, {}), order)
        if endomorphism is not None:
            turned = in_integers(facts, left.pop(TURNED + base, {}), order)
            total = combined((1, total), (endomorphism.eigenvalue, turned))
        difference = combined((1, total), (-1, wanted))
        if not is_multiple(difference, order):
            raise EfdgenError(f"the result is not k*{base}")
    if left:
        raise EfdgenError(f"the result depends on {', '.join(left)}")

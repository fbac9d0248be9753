"""Linear forms with rational coefficients, by symbols: integers and bits; None is for the constant."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping

Rational: TypeAlias = int | Fraction
Symbol: TypeAlias = "str | tuple[str, int] | None"
Form: TypeAlias = "dict[Symbol, Rational]"


def combined(*parts: tuple[Rational, Mapping[Symbol, Rational]]) -> Form:
    """Return a linear combination of forms."""
    if not parts:
        return {}
    (first, form), *others = parts
    found: Form = dict(form) if first == 1 else {symbol: first * value for symbol, value in form.items()}
    for times, form in others:
        for symbol, value in form.items():
            found[symbol] = found.get(symbol, 0) + times * value
    return {symbol: value for symbol, value in found.items() if value} if 0 in found.values() else found


def number(value: Rational) -> Form:
    """Return a constant as a form."""
    return {None: value} if value else {}


def constant(form: Form) -> Rational | None:
    """Return the value of a form without symbols, or None."""
    return form.get(None, 0) if not form.keys() - {None} else None


def is_multiple(form: Form, modulus: int) -> bool:
    """Return whether a form is a multiple of a modulus for all integers, or is 0 if that is 0."""
    if not modulus:
        return not any(form.values())
    return all(Fraction(value).denominator == 1 and value % modulus == 0 for value in form.values())

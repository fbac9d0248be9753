"""Numbers in human notation, in curve files and messages: ``2^255 - 19``, ``0x79be…``, ``-3``."""

from __future__ import annotations

import re
from fractions import Fraction

_TOKEN = re.compile(r"\s*(?:(0[xX][0-9a-fA-F_]+|[0-9][0-9_]*)|([-+*/^()]))")
_LONGEST = 2000
_SHOWN = 34  # characters of a number that is shown whole
_MOST_BITS = 1 << 14


def read_number(text: str) -> Fraction:
    """Return the value of an expression of integers with ``+ - * / ^`` and parentheses.

    Integers are decimal or hexadecimal (``0x``), with ``_`` anywhere between digits; an exponent is a
    non-negative integer. Raises ValueError that says what is wrong.
    """
    if len(text) > _LONGEST:
        raise ValueError(f"longer than {_LONGEST} characters")
    reader = _Reader(_tokens(text))
    try:
        value = reader.sum()
    except RecursionError:
        raise ValueError("too many parentheses inside each other") from None
    if reader.next != "":
        raise ValueError(f"unexpected {reader.next!r}")
    return value


def short_hexadecimal(value: int) -> str:
    """Return a number in hexadecimal, with its first and last digits if there are many."""
    text = f"{value:#x}"
    return text if len(text) <= _SHOWN else f"{text[:12]}…{text[-12:]} of {value.bit_length()} bits"


def _tokens(text: str) -> list[str]:
    tokens, place, end = [], 0, len(text.rstrip())
    while place < end:
        match = _TOKEN.match(text, place)
        if match is None:
            raise ValueError(f"unexpected {text[place:].strip()[0]!r}")
        tokens.append(match.group(1) or match.group(2))
        place = match.end()
    return tokens


class _Reader:
    """Recursive descent over tokens; each method reads what it is named after."""

    def __init__(self, tokens: list[str]) -> None:
        self._tokens = [*reversed(tokens)]

    @property
    def next(self) -> str:
        return self._tokens[-1] if self._tokens else ""

    def sum(self) -> Fraction:
        total = self.product()
        while self.next in ("+", "-"):
            sign = 1 if self._tokens.pop() == "+" else -1
            total += sign * self.product()
        return total

    def product(self) -> Fraction:
        total = self.signed()
        while self.next in ("*", "/"):
            operator, factor = self._tokens.pop(), self.signed()
            if operator == "/" and factor == 0:
                raise ValueError("division by zero")
            total = _bounded(total * factor if operator == "*" else total / factor)
        return total

    def signed(self) -> Fraction:
        if self.next != "-":
            return self.power()
        self._tokens.pop()
        return -self.signed()

    def power(self) -> Fraction:
        base = self.atom()
        if self.next != "^":
            return base
        self._tokens.pop()
        exponent = self.atom()
        size = max(base.numerator.bit_length(), base.denominator.bit_length())
        if exponent.denominator != 1 or exponent < 0:
            raise ValueError("an exponent must be a non-negative integer")
        if size * exponent > _MOST_BITS:
            raise ValueError("the exponent is too large")
        return base**exponent.numerator

    def atom(self) -> Fraction:
        token = self._tokens.pop() if self._tokens else ""
        if token == "(":
            inner = self.sum()
            if self.next != ")":
                raise ValueError("missing ')'")
            self._tokens.pop()
            return inner
        if not token[:1].isdigit():
            raise ValueError(
                f"expected a number, found {token!r}" if token else "expected a number at the end"
            )
        return Fraction(int(token.replace("_", ""), 16 if token[:2] in ("0x", "0X") else 10))


def _bounded(value: Fraction) -> Fraction:
    if max(value.numerator.bit_length(), value.denominator.bit_length()) > _MOST_BITS:
        raise ValueError("the number is too large")
    return value

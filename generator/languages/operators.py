"""Operators between operands, as all languages print them: precedence, and parentheses."""

from __future__ import annotations

from dataclasses import dataclass

_LEVELS = (
    ("or",),
    ("and",),
    ("==", "!=", "<", "<=", ">", ">="),
    ("|",),
    ("^",),
    ("&",),
    ("<<", ">>"),
    ("+", "-"),
    ("*", "/", "%"),
)
_LEVEL = {sign: level for level, signs in enumerate(_LEVELS) for sign in signs}
_BITS = ("|", "^", "&")
# Rust's ``as`` is between products and what is written before an operand.
AS, PREFIX, ATOM = len(_LEVELS), len(_LEVELS) + 1, len(_LEVELS) + 2


@dataclass(frozen=True)
class Text:
    """A printed expression, and how tightly its outermost operator binds."""

    text: str
    level: int = ATOM
    operator: str = ""

    def within(self, level: int) -> str:
        """Return the text as an operand of something that binds that tightly."""
        return self.text if self.level >= level else f"({self.text})"


def infix(operator: str, left: Text, right: Text, sign: str = "") -> Text:
    """Return two operands and an operator between them, which is written ``sign`` where that differs.

    Parentheses are where the operator needs them, and where compilers of C ask for them: between sums and
    shifts, and between different operators on bits.
    """
    level = _LEVEL[operator]
    one = f"({left.text})" if _unclear(operator, left) else left.within(level)
    other = f"({right.text})" if _unclear(operator, right) else right.within(level + 1)
    return Text(f"{one} {sign or operator} {other}", level, operator)


def _unclear(operator: str, operand: Text) -> bool:
    if operator in ("<<", ">>"):
        return operand.operator in ("+", "-", "*", "/", "%", "as")
    if operator in _BITS:
        return operand.operator in ("+", "-", *_BITS) and operand.operator != operator
    if operator in ("<", "<="):
        return operand.operator in (*_BITS, "<<", ">>", "as")
    return operator in ("==", "!=", ">", ">=") and operand.operator in (*_BITS, "<<", ">>")

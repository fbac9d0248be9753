"""Types of C expressions, by libclang, and the Python text of conversions and arithmetic between them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from clang.cindex import CursorKind, TypeKind

from second.errors import RefusedError

if TYPE_CHECKING:
    from clang.cindex import Cursor, Type

_SIGNED = {
    *(TypeKind.CHAR_S, TypeKind.SCHAR, TypeKind.SHORT, TypeKind.INT, TypeKind.LONG, TypeKind.LONGLONG),
    TypeKind.INT128,
}
_UNSIGNED = {
    *(TypeKind.CHAR_U, TypeKind.UCHAR, TypeKind.USHORT, TypeKind.UINT, TypeKind.ULONG, TypeKind.ULONGLONG),
    TypeKind.UINT128,
}
_OTHERS = {
    TypeKind.POINTER: "pointer",
    TypeKind.RECORD: "structure",
    TypeKind.CONSTANTARRAY: "array",
    TypeKind.INCOMPLETEARRAY: "array",
    TypeKind.FUNCTIONPROTO: "function",
    TypeKind.VOID: "void",
}
_CONVERSIONS = (CursorKind.UNEXPOSED_EXPR, CursorKind.PAREN_EXPR)


@dataclass(frozen=True)
class Integer:
    """An integer type; one of 1 bit is C++'s ``bool``."""

    bits: int
    signed: bool

    def holds(self, other: Integer) -> bool:
        """Return whether each value of another type is one of this."""
        if other.signed:
            return self.signed and self.bits >= other.bits
        return self.bits - self.signed >= other.bits

    @property
    def mask(self) -> str:
        """All ones."""
        return f"{(1 << self.bits) - 1:#x}"


INT = Integer(32, True)


class Types:
    """The types of one translation unit, each looked up once."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, int], Integer | str] = {}

    def of(self, type_: Type) -> Integer | str:
        """Return an integer type, or the word for a type of another kind; refuse one that is not known."""
        key = type_._kind_id, type_.data[0] or 0
        if key not in self._known:
            self._known[key] = self._kind(type_)
        return self._known[key]

    def _kind(self, type_: Type) -> Integer | str:
        found = type_.get_canonical()
        if found.kind in _SIGNED or found.kind in _UNSIGNED:
            return Integer(8 * found.get_size(), found.kind in _SIGNED)
        if found.kind == TypeKind.BOOL:
            return Integer(1, False)
        if found.kind not in _OTHERS:
            raise RefusedError(f"the type {type_.spelling}")
        return _OTHERS[found.kind]

    def of_expression(self, cursor: Cursor) -> Integer | str:
        """Return the type of an expression.

        libclang tells of a parameter that is declared as an array, and of a sum with it, that it is an array;
        it is a pointer.
        """
        found = self.of(cursor.type)
        if found != "array":
            return found
        inner = cursor
        while inner.kind in _CONVERSIONS and self.of(inner.type) == "array":
            (inner,) = inner.get_children()
        if self.of(inner.type) == "pointer" or inner.kind == CursorKind.BINARY_OPERATOR:
            return "pointer"
        parameter = inner.kind == CursorKind.DECL_REF_EXPR and inner.referenced.kind == CursorKind.PARM_DECL
        return "pointer" if parameter else "array"


def converted(text: str, source: Integer, target: Integer) -> str:
    """Return the text of a conversion."""
    if target.holds(source) or (text.isdigit() and int(text) < 1 << target.bits - target.signed):
        return text
    if target.bits == 1:
        return f"int(({text})!=0)"
    return f"wrapped({text},{target.bits})" if target.signed else f"(({text})&{target.mask})"


def common(left: Integer, right: Integer) -> Integer:
    """Return the type in which C computes with operands of two types."""
    left, right = (INT if side.bits < INT.bits else side for side in (left, right))
    if left.signed == right.signed:
        return max(left, right, key=lambda side: side.bits)
    signed, unsigned = (left, right) if left.signed else (right, left)
    return unsigned if unsigned.bits >= signed.bits else signed


def operation(operator: str, left: str, right: str, type_: Integer) -> str:
    """Return the text of arithmetic on two operands; the result has the left one's type."""
    if operator in ("&", "|", "^"):
        return f"(({left}){operator}({right}))"
    if operator in ("<<", ">>") and not (right.isdigit() and int(right) < type_.bits):
        right = f"amount({right},{type_.bits})"
    if operator == ">>":
        return f"(({left})>>{right})"
    if operator == "<<" and type_.signed:
        return f"left_shift({left},{right},{type_.bits})"
    if operator in ("/", "%"):
        return f"{'quotient' if operator == '/' else 'remainder'}({left},{right})"
    if operator not in ("+", "-", "*", "<<"):
        raise RefusedError(f"the operator {operator}")
    text = f"({left}){operator}({right})"
    return f"fits({text},{type_.bits})" if type_.signed else f"(({text})&{type_.mask})"

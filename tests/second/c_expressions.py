"""C expressions as Python's, with every conversion that the typed tree has."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from clang.cindex import CursorKind

from second import clang
from second.c_types import INT, Integer, Types, common, converted, operation
from second.errors import RefusedError
from second.headers import FUNCTIONS

if TYPE_CHECKING:
    from collections.abc import Collection

    from clang.cindex import Cursor

_PLACES = (CursorKind.DECL_REF_EXPR, CursorKind.ARRAY_SUBSCRIPT_EXPR, CursorKind.MEMBER_REF_EXPR)
_STEPS = {"x++": "+", "++x": "+", "x--": "-", "--x": "-"}
_COMPARISONS = ("<", ">", "<=", ">=", "==", "!=")


class Place(NamedTuple):
    """A container and a key in it, as texts; of a variable of its own, its name alone."""

    container: str
    key: str = ""

    @property
    def value(self) -> str:
        """The text that reads it."""
        return f"{self.container}[{self.key}]" if self.key else self.container


class Expressions:
    """The expressions of a function.

    A variable's name stands between guillemets until it is known whether its address is taken: then it is a
    list of one value.
    """

    def __init__(self, name: str, types: Types, functions: Collection[str]) -> None:
        self.name, self.types, self._functions = name, types, functions
        self._variables: dict[int, str] = {}
        self.addressed: set[str] = set()
        self._temporaries = 0

    def refusal(self, cursor: Cursor, what: str) -> RefusedError:
        """Return the refusal of a part of the function."""
        return RefusedError(f"{self.name}, line {cursor.location.line}: {what}")

    def declare(self, variable: Cursor) -> str:
        """Return the name of a variable, unlike those of others with its name in other blocks."""
        name = f"v{len(self._variables)}_{variable.spelling}"
        self._variables[variable.hash] = name
        return name

    def place(self, cursor: Cursor) -> Place:
        """Return where an expression is stored."""
        children = list(cursor.get_children())
        match cursor.kind:
            case CursorKind.PAREN_EXPR | CursorKind.UNEXPOSED_EXPR if len(children) == 1:
                return self.place(children[0])
            case CursorKind.DECL_REF_EXPR:
                return self._variable(cursor)
            case CursorKind.ARRAY_SUBSCRIPT_EXPR:
                return self._element(*children)
            case CursorKind.MEMBER_REF_EXPR if children:
                base = children[0]
                arrow = self.types.of_expression(base) == "pointer"
                structure = self._pointed(self.value(base)).value if arrow else self.value(base)
                return Place(structure, repr(cursor.spelling))
            case CursorKind.UNARY_OPERATOR if clang.unary_operator(cursor) == "*":
                return self._pointed(self.value(children[0]))
        raise self.refusal(cursor, f"a place of the kind {cursor.kind.name}")

    def _variable(self, cursor: Cursor) -> Place:
        found = cursor.referenced
        if found.hash in self._variables:
            name = self._variables[found.hash]
            return Place(name, "0") if self.types.of(found.type) == "structure" else Place(f"«{name}»")
        if found.kind != CursorKind.VAR_DECL or found.semantic_parent.kind == CursorKind.FUNCTION_DECL:
            raise self.refusal(cursor, f"{cursor.spelling} is no variable")
        array = self.types.of(found.type) == "array"
        return Place(f"g_{found.spelling}") if array else Place(f"g_{found.spelling}", "0")

    def _pointed(self, pointer: str, at: str = "") -> Place:
        """Return what a pointer, a text, points to, or an element after it."""
        name, container = pointer, f"{pointer}[0]"
        if not re.fullmatch(r"«\w+»", pointer):
            self._temporaries += 1
            name = f"_{self._temporaries}"
            container = f"({name}:={pointer})[0]"
        if not at or at.isdigit():
            return Place(container, f"{name}[1]+{at}" if at else f"{name}[1]")
        return Place(container, f"index({name}[1]+({at}))")

    def _element(self, array: Cursor, index: Cursor) -> Place:
        at = self.value(index)
        if self.types.of_expression(array) == "pointer":
            inner = array
            while inner.kind in (CursorKind.UNEXPOSED_EXPR, CursorKind.PAREN_EXPR):
                (inner,) = inner.get_children()
            if self.types.of_expression(inner) != "array":
                return self._pointed(self.value(array), "" if at == "0" else at)
            array = inner
        unsigned = self.types.of_expression(index)
        plain = at.isdigit() or (isinstance(unsigned, Integer) and not unsigned.signed)
        return Place(self.place(array).value, at if plain else f"index({at})")

    def value(self, cursor: Cursor) -> str:
        """Return the value of an expression."""
        if cursor.kind in _PLACES:
            if cursor.kind == CursorKind.DECL_REF_EXPR and cursor.referenced.kind == CursorKind.FUNCTION_DECL:
                raise self.refusal(cursor, f"the address of {cursor.spelling}")
            return self.place(cursor).value
        children = list(cursor.get_children())
        match cursor.kind:
            case CursorKind.PAREN_EXPR:
                return self.value(children[0])
            case CursorKind.INTEGER_LITERAL:
                return str(clang.literal(cursor))
            case CursorKind.CXX_BOOL_LITERAL_EXPR:
                return str(clang.literal(cursor))
            case CursorKind.UNEXPOSED_EXPR | CursorKind.CSTYLE_CAST_EXPR:
                return self._conversion(cursor, children)
            case CursorKind.UNARY_OPERATOR:
                return self._unary(cursor, children[0])
            case CursorKind.BINARY_OPERATOR:
                return self._binary(cursor, *children)
            case CursorKind.COMPOUND_ASSIGNMENT_OPERATOR:
                return self._stored(self.place(children[0]), self.updated(cursor, *children))
            case CursorKind.CONDITIONAL_OPERATOR:
                condition, one, other = map(self.value, children)
                return f"(({one}) if ({condition}) else ({other}))"
            case CursorKind.CALL_EXPR if children:
                return self._call(cursor, children)
        raise self.refusal(cursor, f"an expression of the kind {cursor.kind.name}")

    def _conversion(self, cursor: Cursor, children: list[Cursor]) -> str:
        inner = [child for child in children if child.kind != CursorKind.TYPE_REF][-1]
        source, target = self.types.of_expression(inner), self.types.of_expression(cursor)
        if target == "void":
            return self.value(inner)
        if isinstance(source, Integer) and isinstance(target, Integer):
            return converted(self.value(inner), source, target)
        if source == "array" and target == "pointer" and cursor.kind == CursorKind.UNEXPOSED_EXPR:
            return f"({self.place(inner).value},0)"
        if source == target and (cursor.kind == CursorKind.UNEXPOSED_EXPR or source == "structure"):
            return self.value(inner)
        raise self.refusal(cursor, f"a conversion of {inner.type.spelling} to {cursor.type.spelling}")

    def _unary(self, cursor: Cursor, operand: Cursor) -> str:
        operator = clang.unary_operator(cursor)
        if operator == "&":
            return self._address(cursor, operand)
        if operator == "*":
            return self.place(cursor).value
        type_ = self.types.of_expression(operand)
        if not isinstance(type_, Integer):
            raise self.refusal(cursor, f"{operator} of {operand.type.spelling}")
        if operator in _STEPS:
            # The value is that before the step, or after it: only a statement has neither.
            raise self.refusal(cursor, f"{operator} within an expression")
        value = self.value(operand)
        match operator:
            case "extension" | "+":
                return value
            case "!":
                return f"int(not ({value}))"
            case "~":
                return f"(~({value}))" if type_.signed else f"(({value})^{type_.mask})"
            case "-":
                return operation("-", "0", value, type_)
        raise self.refusal(cursor, f"the operator {operator}")

    def _address(self, cursor: Cursor, operand: Cursor) -> str:
        if self.types.of_expression(operand) == "array":
            raise self.refusal(cursor, "the address of an array")
        place = self.place(operand)
        if place.key:
            return f"({place.container},{place.key})"
        name = place.container.strip("«»")
        self.addressed.add(name)
        return f"({name},0)"

    def _binary(self, cursor: Cursor, left: Cursor, right: Cursor) -> str:
        operator = clang.binary_operator(cursor)
        if operator == "=":
            if self.types.of_expression(left) == "structure":
                return f"assigned({self.place(left).value},{self.value(right)})"
            return self._stored(self.place(left), self.value(right))
        if operator == ",":
            return f"({self.value(left)},{self.value(right)})[1]"
        types = self.types.of_expression(left), self.types.of_expression(right)
        if types[0] == "pointer" and operator == "+" and isinstance(types[1], Integer):
            place = self._pointed(self.value(left), self.value(right))
            return f"({place.container},{place.key})"
        if not all(isinstance(type_, Integer) for type_ in types):
            raise self.refusal(cursor, f"{operator} of {left.type.spelling} and {right.type.spelling}")
        texts = self.value(left), self.value(right)
        if operator in _COMPARISONS:
            return f"int(({texts[0]}){operator}({texts[1]}))"
        if operator in ("&&", "||"):
            return f"int(bool({texts[0]}) {'and' if operator == '&&' else 'or'} bool({texts[1]}))"
        type_ = self.types.of_expression(cursor)
        if not isinstance(type_, Integer):
            raise self.refusal(cursor, f"{operator} makes {cursor.type.spelling}")
        return operation(operator, *texts, type_)

    def updated(self, cursor: Cursor, left: Cursor, right: Cursor) -> str:
        """Return the value that a compound assignment stores."""
        operator = clang.binary_operator(cursor)[:-1]
        target, other = self.types.of_expression(left), self.types.of_expression(right)
        if not isinstance(target, Integer) or not isinstance(other, Integer):
            raise self.refusal(cursor, f"{operator}= of {left.type.spelling}")
        shift = operator in ("<<", ">>")
        computed = common(target, INT if shift else other)
        value = self.value(right) if shift else converted(self.value(right), other, computed)
        old = converted(self.place(left).value, target, computed)
        return converted(operation(operator, old, value, computed), computed, target)

    def stepped(self, cursor: Cursor, operand: Cursor) -> str:
        """Return the value that x++, ++x, x-- or --x stores."""
        type_ = self.types.of_expression(operand)
        if not isinstance(type_, Integer):
            raise self.refusal(cursor, f"a step of {operand.type.spelling}")
        computed = common(type_, INT)
        text = operation(_STEPS[clang.unary_operator(cursor)], self.place(operand).value, "1", computed)
        return converted(text, computed, type_)

    def _stored(self, place: Place, value: str) -> str:
        if not place.key:
            self.addressed.add(place.container.strip("«»"))
            return f"stored({place.container.strip('«»')},0,{value})"
        return f"stored({place.container},{place.key},{value})"

    def _call(self, cursor: Cursor, children: list[Cursor]) -> str:
        if self.types.of_expression(cursor) == "structure" and len(children) == 1:
            return self.value(children[0])  # the copy that C++ makes
        if cursor.spelling == "operator=":
            return f"assigned({self.place(children[0]).value},{self.value(children[2])})"
        callee, *arguments = children
        while callee.kind in (CursorKind.UNEXPOSED_EXPR, CursorKind.PAREN_EXPR):
            (callee,) = callee.get_children()
        if callee.kind != CursorKind.DECL_REF_EXPR or callee.referenced.kind != CursorKind.FUNCTION_DECL:
            raise self.refusal(cursor, "a call of no function")
        name = callee.referenced.spelling
        if name not in self._functions and name not in FUNCTIONS:
            raise self.refusal(cursor, f"a call of {name}")
        return f"f_{name}({','.join(map(self.value, arguments))})"

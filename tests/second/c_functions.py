"""C functions as Python's: declarations and statements."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from clang.cindex import CursorKind, StorageClass, TypeKind

from second import clang
from second.c_expressions import Expressions
from second.c_types import Integer, Types, converted

if TYPE_CHECKING:
    from collections.abc import Collection

    from clang.cindex import Cursor, Type

_ASSEMBLY = re.compile(r'__asm__(?:volatile)?\("":"\+r"\(\w+\)\);?')
_OF_TYPES = (CursorKind.TYPE_REF, CursorKind.NAMESPACE_REF)


def empty(type_: Type) -> str:
    """Return the text of a value in which nothing was stored."""
    found = type_.get_canonical()
    if found.kind == TypeKind.CONSTANTARRAY:
        element = empty(found.element_type)
        return (
            f"[{element}]*{found.element_count}"
            if element == "UNSET"
            else (f"[{element} for _ in range({found.element_count})]")
        )
    if found.kind == TypeKind.RECORD:
        return "{" + ",".join(f"{field.spelling!r}:{empty(field.type)}" for field in found.get_fields()) + "}"
    return "UNSET"


class Function(Expressions):
    """The translation of one function, or of the initial value of a constant."""

    def __init__(self, name: str, types: Types, functions: Collection[str]) -> None:
        super().__init__(name, types, functions)
        self._lines: list[tuple[int, str, str]] = []
        self._depth = 1

    def text(self, cursor: Cursor, body: Cursor) -> str:
        """Return the text of the function."""
        parameters = [child for child in cursor.get_children() if child.kind == CursorKind.PARM_DECL]
        names = [self.declare(parameter) for parameter in parameters]
        for parameter, name in zip(parameters, names, strict=True):
            self._require_plain(parameter)
            if self.types.of(parameter.type) == "structure":
                self._emit(f"{name}=[copied({name})]")
            else:
                self._lines.append((1, name, name))
        self.statement(body)
        lines = [
            f"def f_{cursor.spelling}({','.join(names)}):",
            *map(self._line, self._lines),
            "  return None",
        ]
        return re.sub(r"«(\w+)»", lambda found: self._named(found[1]), "\n".join(filter(None, lines)))

    def _line(self, line: tuple[int, str, str]) -> str:
        depth, name, text = line
        if not name:
            return "  " * depth + text
        if name == text and name not in self.addressed:
            return ""
        return "  " * depth + (f"{name}=[{text}]" if name in self.addressed else f"{name}={text}")

    def _named(self, name: str) -> str:
        return f"{name}[0]" if name in self.addressed else name

    def _emit(self, text: str) -> None:
        self._lines.append((self._depth, "", text))

    def _let(self, name: str, value: str, *, boxed: bool) -> None:
        if boxed:
            self._emit(f"{name}=[{value}]")
        else:
            self._lines.append((self._depth, name, value))

    def statement(self, cursor: Cursor) -> None:
        """Emit the lines of a statement."""
        children = list(cursor.get_children())
        match cursor.kind:
            case CursorKind.COMPOUND_STMT:
                for child in children:
                    self.statement(child)
            case CursorKind.DECL_STMT:
                for child in children:
                    self._variable_declaration(child)
            case CursorKind.RETURN_STMT:
                self._return(children)
            case CursorKind.IF_STMT:
                self._emit(f"if {self.value(children[0])}:")
                self._block(children[1])
                if children[2:]:
                    self._emit("else:")
                    self._block(children[2])
            case CursorKind.WHILE_STMT | CursorKind.FOR_STMT | CursorKind.DO_STMT:
                self._loop(cursor, children)
            case CursorKind.BREAK_STMT:
                self._emit("break")
            case CursorKind.NULL_STMT:
                self._emit("pass")
            case CursorKind.ASM_STMT:
                text = "".join(token.spelling for token in cursor.get_tokens())
                if not _ASSEMBLY.fullmatch(text):
                    raise self.refusal(cursor, f"assembler: {text}")
                self._emit("pass")
            case _:
                self._effect(cursor, children)

    def _return(self, children: list[Cursor]) -> None:
        structure = children and self.types.of_expression(children[0]) == "structure"
        value = self.value(children[0]) if children else "None"
        self._emit(f"return copied({value})" if structure else f"return {value}")

    def _block(self, cursor: Cursor, step: Cursor | None = None) -> None:
        self._depth += 1
        self._emit("pass")
        self.statement(cursor)
        if step is not None:
            self.statement(step)
        self._depth -= 1

    def _loop(self, cursor: Cursor, children: list[Cursor]) -> None:
        step = None
        if cursor.kind == CursorKind.FOR_STMT:
            if len(children) != 4:
                raise self.refusal(cursor, "a loop without one of its parts")
            start, condition, step, body = children
            self.statement(start)
        elif cursor.kind == CursorKind.WHILE_STMT:
            condition, body = children
        else:
            body, condition = children
        if any(child.kind == CursorKind.CONTINUE_STMT for child in body.walk_preorder()):
            raise self.refusal(cursor, "continue")
        first = cursor.kind == CursorKind.DO_STMT
        self._emit("while next(turns):" if first else f"while next(turns) and ({self.value(condition)}):")
        self._block(body, step)
        if first:
            self._emit(f"  if not ({self.value(condition)}): break")

    def _effect(self, cursor: Cursor, children: list[Cursor]) -> None:
        """Emit an expression for what it stores."""
        operator = clang.binary_operator(cursor) if cursor.kind == CursorKind.BINARY_OPERATOR else ""
        if operator == "=" and self.types.of_expression(children[0]) != "structure":
            self._emit(f"{self.place(children[0]).value}={self.value(children[1])}")
        elif cursor.kind == CursorKind.COMPOUND_ASSIGNMENT_OPERATOR:
            self._emit(f"{self.place(children[0]).value}={self.updated(cursor, *children)}")
        elif cursor.kind == CursorKind.UNARY_OPERATOR and "x" in clang.unary_operator(cursor):
            self._emit(f"{self.place(children[0]).value}={self.stepped(cursor, children[0])}")
        else:
            self._emit(self.value(cursor))

    def _require_plain(self, variable: Cursor) -> None:
        if variable.type.get_canonical().is_restrict_qualified():
            raise self.refusal(variable, f"{variable.spelling} is restrict")
        if any(child.kind.is_attribute() for child in variable.get_children()):
            raise self.refusal(variable, f"{variable.spelling} has an attribute")

    def _variable_declaration(self, cursor: Cursor) -> None:
        if cursor.kind != CursorKind.VAR_DECL:
            raise self.refusal(cursor, f"a local declaration of the kind {cursor.kind.name}")
        if cursor.storage_class != StorageClass.NONE:
            raise self.refusal(cursor, f"{cursor.spelling} is {cursor.storage_class.name.lower()}")
        self._require_plain(cursor)
        name, start = self.declare(cursor), clang.initializer(cursor)
        if start is not None and start.kind == CursorKind.CALL_EXPR and not [*start.get_children()]:
            start = None  # the constructor of C++, which does nothing
        value = empty(cursor.type) if start is None else self.initial(start, cursor.type)
        self._let(name, value, boxed=self.types.of(cursor.type) == "structure")

    def initial(self, value: Cursor, type_: Type) -> str:
        """Return the initial value of a variable of a type."""
        kind, found = self.types.of(type_), type_.get_canonical()
        if value.kind != CursorKind.INIT_LIST_EXPR:
            if kind == "structure":
                return f"copied({self.value(value)})"
            source = self.types.of_expression(value)
            if isinstance(kind, Integer) and isinstance(source, Integer):
                return converted(self.value(value), source, kind)
            if kind != source or kind == "array":
                raise self.refusal(value, f"an initial value of {type_.spelling}")
            return self.value(value)
        items = list(value.get_children())
        if kind == "array":
            element = found.element_type
            rest = found.element_count - len(items)
            if rest and not isinstance(self.types.of(element), Integer):
                raise self.refusal(value, "too few values")
            return f"[{','.join([*(self.initial(item, element) for item in items), *['0'] * rest])}]"
        fields = list(found.get_fields()) if kind == "structure" else []
        if len(fields) != len(items):
            raise self.refusal(value, "values of another number")
        pairs = zip(fields, items, strict=True)
        return (
            "{"
            + ",".join(f"{field.spelling!r}:{self.initial(item, field.type)}" for field, item in pairs)
            + "}"
        )

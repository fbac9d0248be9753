"""C files as Python modules: functions by their names, with their signatures."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from itertools import repeat
from typing import TYPE_CHECKING, Any

from clang.cindex import CursorKind, StorageClass, TypeKind

from second.c_functions import Function, empty
from second.c_types import Integer, Types
from second.errors import RefusedError
from second.headers import FOLDER, FUNCTIONS
from second.memory import SPACE

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from clang.cindex import Cursor, TranslationUnit, Type

_TURNS = 1 << 20  # turns of all loops in a call

# Attributes and pragmas that change no value. Compilers drop some from the tree: they are read in the text.
_HARMLESS = re.compile(
    r"__attribute__\(\((?:always_inline|noinline, unused(?:, target\(\"[\w=-]+\"\))?)\)\)"
    r"|#pragma GCC (?:push_options|pop_options"
    r"|(?:optimize|target)\((?:\"no-[\w-]+\"|\"rename-registers\"|, )+\))"
)
_HIDDEN = re.compile(r"__attribute\w*|__declspec|_*[Pp]ragma\b|##|%:|\[\[|\?\?[=/'()!<>-]")
_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)


@dataclass(frozen=True)
class Parameter:
    """A parameter: an integer type, or what it points to, an integer type or a structure by its name."""

    type: Integer | str
    pointed: Integer | str | None = None


@dataclass(frozen=True)
class Signature:
    """The types of a function."""

    returned: Integer | str
    parameters: tuple[Parameter, ...]


class Module:
    """A translated file: calls, constants and the names of its functions."""

    def __init__(
        self, text: str, signatures: Mapping[str, Signature], types: Mapping[str, Integer | str]
    ) -> None:
        self.text, self.signatures, self._types = text, signatures, types

    @cached_property
    def _space(self) -> dict[str, Any]:
        space: dict[str, Any] = {**SPACE, **{f"f_{name}": function for name, function in FUNCTIONS.items()}}
        exec(compile(self.text, "<translated C>", "exec"), space)
        return space

    def call(self, name: str, *arguments: Any) -> Any:
        """Return what a function returns."""
        self._space["turns"] = repeat(True, _TURNS)
        return self._space[f"f_{name}"](*arguments)

    def constant(self, name: str) -> Any:
        """Return a constant of the file, ``None`` if it has none by the name."""
        return self._space.get(f"g_{name}")

    def blank(self, structure: str) -> Any:
        """Return a structure, by the name of its type, in which nothing is stored; refuse an unknown one."""
        found = self._types.get(structure)
        if not isinstance(found, str):
            raise RefusedError(f"there is no structure {structure}")
        return eval(found, dict(SPACE))

    def bits(self, name: str) -> int:
        """Return the size of an unsigned type; refuse another."""
        found = self._types.get(name)
        if not isinstance(found, Integer) or found.signed:
            raise RefusedError(f"there is no unsigned type {name}")
        return found.bits


def require_known(files: Mapping[str, str]) -> None:
    """Refuse attributes, pragmas and spellings of tokens that may change a value, and are not in the tree."""
    for name, text in files.items():
        code = _HARMLESS.sub("", _COMMENT.sub(" ", text.replace("\\\n", "")))
        if found := _HIDDEN.search(code):
            line = code[found.start() :].partition("\n")[0]
            raise RefusedError(f"{name}: {line[:60]}")


def translate(unit: TranslationUnit) -> Module:
    """Return the module of a tree; refuse what is not known in it."""
    types = Types()
    found = [*_declarations(unit.cursor)]
    bodies = {c.spelling: body for c in found if c.kind == CursorKind.FUNCTION_DECL for body in _bodies(c)}
    functions, signatures, named, constants = [], {}, {}, []
    for cursor in found:
        match cursor.kind:
            case CursorKind.TYPEDEF_DECL:
                kind = types.of(cursor.underlying_typedef_type)
                named[cursor.spelling] = (
                    empty(cursor.underlying_typedef_type) if kind == "structure" else kind
                )
            case CursorKind.STRUCT_DECL:
                _require_plain(cursor)
            case CursorKind.FUNCTION_DECL:
                if body := bodies.get(cursor.spelling) if cursor.is_definition() else None:
                    signatures[cursor.spelling] = _signature(cursor, types)
                    functions.append(Function(cursor.spelling, types, bodies).text(cursor, body))
            case CursorKind.VAR_DECL:
                constants.append(_constant(cursor, types, bodies))
            case _:
                raise RefusedError(f"a declaration of the kind {cursor.kind.name}: {cursor.spelling}")
    return Module("\n".join([*functions, *constants]), signatures, named)


def _declarations(cursor: Cursor) -> Iterator[Cursor]:
    for child in cursor.get_children():
        place = child.location.file
        if place is None or child.kind.is_preprocessing() or f"{place}".startswith(FOLDER):
            continue
        if child.kind in (CursorKind.LINKAGE_SPEC, CursorKind.UNEXPOSED_DECL):
            yield from _declarations(child)
        else:
            yield child


def _bodies(function: Cursor) -> Iterator[Cursor]:
    if function.storage_class not in (StorageClass.STATIC, StorageClass.NONE):
        raise RefusedError(f"{function.spelling} is {function.storage_class.name.lower()}")
    for child in function.get_children():
        if child.kind == CursorKind.COMPOUND_STMT:
            yield child
        elif child.kind not in (CursorKind.PARM_DECL, CursorKind.TYPE_REF, CursorKind.UNEXPOSED_ATTR):
            raise RefusedError(f"{function.spelling} has {child.kind.name}")


def _require_plain(structure: Cursor) -> None:
    for child in structure.get_children():
        if child.kind != CursorKind.FIELD_DECL or child.is_bitfield():
            raise RefusedError(f"{structure.spelling} has {child.kind.name}: {child.spelling}")


def _constant(cursor: Cursor, types: Types, functions: Mapping[str, Cursor]) -> str:
    from second.clang import initializer

    name, start = cursor.spelling, initializer(cursor)
    if not (cursor.type.spelling.startswith("const ") and cursor.storage_class == StorageClass.STATIC):
        raise RefusedError(f"{name} is no constant")
    if start is None or any(child.kind.is_attribute() for child in cursor.get_children()):
        raise RefusedError(f"{name} is no plain constant")
    value = Function(name, types, functions).initial(start, cursor.type)
    return f"g_{name}={value}" if types.of(cursor.type) == "array" else f"g_{name}=[{value}]"


def _signature(function: Cursor, types: Types) -> Signature:
    def parameter(type_: Type) -> Parameter:
        found = types.of(type_)
        if found not in ("pointer", "array"):
            return Parameter(found)
        canonical = type_.get_canonical()
        target = canonical.element_type if found == "array" else canonical.get_pointee()
        if target.get_canonical().kind == TypeKind.RECORD:
            return Parameter("pointer", _name(target, type_))
        return Parameter("pointer", types.of(target))

    return Signature(
        types.of(function.result_type),
        tuple(
            parameter(child.type) for child in function.get_children() if child.kind == CursorKind.PARM_DECL
        ),
    )


def _name(structure: Type, pointer: Type) -> str:
    """Return the name of a structure that a type points to, as the text has it."""
    text = pointer.get_pointee().spelling if pointer.kind == TypeKind.POINTER else structure.spelling
    return text.removeprefix("const ").removeprefix("struct ")

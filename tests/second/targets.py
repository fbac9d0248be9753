"""Compilers that a C file is read as: targets, and the macros that its conditions test."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from clang.cindex import CursorKind

from second import clang
from second.c_files import Module, require_known, translate
from second.errors import RefusedError
from second.headers import FUNCTIONS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from clang.cindex import TranslationUnit

_X86 = "-target x86_64-linux-gnu"
_WINDOWS = "-target x86_64-pc-windows-msvc -fms-compatibility"
# Others than clang are stood in for: they lack macros of clang's.
_TARGETS = {
    "gcc, x86-64": f"{_X86} -U__clang__",
    "gcc, x86-64, words of 32 bits": f"{_X86} -U__clang__ -DPREFIX_WORD_BITS=32",
    "clang, aarch64": "-target aarch64-linux-gnu",
    "clang, x86-64": _X86,
    "plain C, x86-64": f"{_X86} -U__clang__ -U__GNUC__",
    "clang, i686": "-target i686-linux-gnu",
    "plain C, i686": "-target i686-linux-gnu -U__clang__ -U__GNUC__",
    "gcc, aarch64": "-target aarch64-linux-gnu -U__clang__",
    "gcc, armv7-m": "-target thumbv7m-none-eabi -U__clang__",
    "clang, riscv64": "-target riscv64-unknown-elf",
    "gcc, riscv64": "-target riscv64-unknown-elf -U__clang__",
    "gcc, riscv32": "-target riscv32-unknown-elf -U__clang__",
    "gcc, powerpc64, big-endian": "-target powerpc64-linux-gnu -U__clang__",
    "clang-cl, x86-64": _WINDOWS,
    "MSVC, x86-64": f"{_WINDOWS} -U__clang__ -U__SIZEOF_INT128__",
}
# Under these, each name that a condition tests is defined, and undefined.
_VARIED = ("gcc, x86-64", "gcc, x86-64, words of 32 bits", "clang, aarch64")

_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_CONDITION = re.compile(
    r"^[ \t]*(?:#|%:|\?\?=)[ \t]*(?:if|ifdef|ifndef|elif|elifdef|elifndef)\b(.*)", re.MULTILINE
)
_NAME = re.compile(r"[A-Za-z_]\w*")
_NUMBER = re.compile(r"\b(?:0[xX][0-9a-fA-F]+|[0-9]+)")
# Names that compilers define; those of types and functions expand to nothing.
_RESERVED = re.compile(r"\b(?:_[A-Z_]\w*|unix|linux|i386|char)\b")
_PLAIN = {"__attribute__", "__extension__", "__int128", "__asm__", "__forceinline", "__m128i", *FUNCTIONS}


def roots(files: Mapping[str, str]) -> list[str]:
    """Return the files of C that no other file includes, without drivers and examples."""
    code = {name: text for name, text in files.items() if name.endswith((".h", ".c"))}
    code = {name: text for name, text in code.items() if not re.search(r"driver|example|timing|test_", name)}
    included = {
        name
        for path, text in code.items()
        for name in re.findall(r'#include "([^"]+)"', text)
        if not path.startswith(name.removesuffix(".h") + "_")  # the part for words of 32 bits names its whole
    }
    return [name for name in code if name not in included]


class Header:
    """A file of C with what it includes, under each combination of target and macros."""

    def __init__(self, files: Mapping[str, str], root: str, prefix: str) -> None:
        self._files, self._root, self._prefix = _included(files, root), root, prefix
        code = "\n".join(_COMMENT.sub(" ", text.replace("\\\n", "")) for text in self._files.values())
        self._code = _CONDITION.sub("", code)
        self._values = _tested(_CONDITION.findall(code), _definitions(code))
        reserved = {*_RESERVED.findall(self._code.replace("unsigned char", ""))}
        self._by_target = bool(reserved - _PLAIN)
        self.parsed = 0

    def combinations(self) -> Iterator[tuple[str, Module]]:
        """Yield the modules that compilers make of the file, with their names; refuse what is not known."""
        require_known(self._files)
        seen: set[object] = set()
        for name, arguments, macro in self._arguments():
            unit = clang.parse(self._files, self._root, [*arguments, *macro])
            self.parsed += 1
            if error := clang.error(unit):
                if macro and error.startswith("#error"):
                    continue
                raise RefusedError(f"{name}: it does not compile: {error}")
            key = self._key(unit, arguments, macro)
            if key in seen:
                continue
            seen.add(key)
            try:
                module = translate(unit)
            except RefusedError as found:
                raise RefusedError(f"{name}: {found}") from None
            if module.text not in seen:
                seen.add(module.text)
                yield name, module

    def _arguments(self) -> Iterator[tuple[str, list[str], list[str]]]:
        prefix = self._prefix.upper()
        targets = {name: text.replace("PREFIX", prefix).split() for name, text in _TARGETS.items()}
        yield from ((name, arguments, []) for name, arguments in targets.items())
        in_cplusplus = self._values.pop("__cplusplus", None) is not None
        for target in _VARIED:
            if in_cplusplus:
                yield f"{target}, as C++", [*targets[target], *clang.CPLUSPLUS], []
            for name, values in self._values.items():
                for flag in (f"-U{name}", *(f"-D{name}={value}" for value in values)):
                    yield f"{target}, {flag}", targets[target], [flag]

    def _key(self, unit: TranslationUnit, arguments: list[str], macro: list[str]) -> object:
        """Return what a module depends on: the lines that are compiled, and the types of the target."""
        name = macro[0][2:].partition("=")[0] if macro else ""
        in_code = macro if re.search(rf"\b{name}\b", self._code) else []
        given = arguments if self._by_target else ()
        return clang.skipped(unit), _types(*arguments), *given, *in_code


@cache
def _types(*arguments: str) -> tuple[object, ...]:
    """Return the integer types of a target."""
    unit = clang.parse({"types.h": "#include <stddef.h>\n#include <stdint.h>\n"}, "types.h", [*arguments])
    types = [child for child in unit.cursor.get_children() if child.kind == CursorKind.TYPEDEF_DECL]
    names = (f"{child.spelling}: {child.underlying_typedef_type.spelling}" for child in types)
    return (*names, clang.pointer_bits(unit))


def _included(files: Mapping[str, str], root: str) -> dict[str, str]:
    """Return a file and those that it includes, at first or second hand."""
    found, wanted = {}, [root]
    while wanted:
        name = wanted.pop()
        found[name] = files[name]
        mentioned = re.findall(r'"([\w./-]+\.[ch])"', files[name])
        wanted += (other for other in mentioned if other in files and other not in found)
    return found


def _definitions(code: str) -> dict[str, list[str]]:
    """Return what macros are replaced by."""
    found: dict[str, list[str]] = {}
    for name, text in re.findall(r"^[ \t]*#[ \t]*define[ \t]+(\w+)(.*)", code, re.MULTILINE):
        found.setdefault(name, []).append(text)
    return found


def _tested(conditions: list[str], macros: Mapping[str, list[str]]) -> dict[str, list[int]]:
    """Return the names that conditions test, also by macros, each with values by which one may tell it."""
    values: dict[str, set[int]] = {}
    conditions, seen = [*conditions], set()
    while conditions:
        condition = conditions.pop()
        for name in {*_NAME.findall(condition)} & macros.keys() - seen:
            seen.add(name)
            conditions += macros[name]
        numbers = {int(text, 0) for text in _NUMBER.findall(condition)}
        for name in {*_NAME.findall(condition)} - {"defined"}:
            values.setdefault(name, {1}).update(*({number, number + 1} for number in numbers))
    return {name: sorted(found) for name, found in sorted(values.items()) if not _is_guard(name)}


def _is_guard(name: str) -> bool:
    return re.fullmatch(r"EFDGEN_\w+_H", name) is not None

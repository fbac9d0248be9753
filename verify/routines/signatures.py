"""Signatures of leaves, as a routine declares them and as they are printed.

A signature is what a caller relies on: the order of arguments, their types, which are changed, and the types
of results. Names of parameters do not matter, nor does the spelling of a public integer.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from efdgen.generator.routines.types import Array, Choice, Integer, Public, Structure, counted
from efdgen.verify.words.reader import NotReadError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from efdgen.generator.routines.tree import Routine
    from efdgen.generator.routines.types import Type

_PUBLIC = {"size_t": "int", "usize": "int", "i32": "int"}
_WORDS = {"uint32_t": "u32", "uint8_t": "byte"}
_C_HEAD = r"^(?:static |[A-Z]\w*_FUNCTION )?(?:inline )?(\w+) {}\(([^()]*)\)"
_RUST_HEAD = (
    r"^[ ]*(?:pub(?:\(crate\))? )?(?:const )?fn {}"
    r"\(([^()]*)\)(?: -> ([^{{]*?))? *(?:\{{|where)"
)


@dataclass(frozen=True)
class Argument:
    """A parameter, or an aggregate result: its type, and whether it is read in place or changed."""

    type: str
    use: str = ""


@dataclass(frozen=True)
class Signature:
    """The arguments in order, and the types that are returned."""

    arguments: tuple[Argument, ...]
    returns: tuple[str, ...]


def _named(kind: Type | None, types: Mapping[str, str], *, items: bool) -> str:
    """Return a type's name; arrays are named as their items, marked if ``items``."""
    match kind:
        case Array(item):
            return f"[{_named(item, types, items=items)}]" if items else _named(item, types, items=items)
        case Structure(name):
            return types[name]
        case Integer(name):
            return types.get(name, name)
        case Choice():
            return types.get("choice", "Choice")
        case Public():
            return "int"
        case _:
            raise NotReadError("a type that no leaf has")


def declared_in_c(routine: Routine, types: Mapping[str, str]) -> Signature:
    """Return what a leaf is in C: aggregate results come first."""
    types = {"choice": "int", **types}
    named = [
        (_named(result.type, types, items=False), isinstance(result.type, Array | Structure))
        for result in routine.results
    ]
    found = [Argument(name, "changed") for name, aggregate in named if aggregate]
    for parameter in routine.parameters:
        name = _named(parameter.type, types, items=False)
        aggregate = isinstance(parameter.type, Array | Structure)
        found.append(Argument(name, "changed" if parameter.mode else "read" if aggregate else ""))
        if isinstance(parameter.type, Array) and counted(parameter.type):
            found.append(Argument("int"))
    return Signature(tuple(found), tuple(name for name, aggregate in named if not aggregate))


def printed_in_c(name: str, text: str, prefix: str) -> Signature:
    """Return what a function is in a header, with type names without the prefix."""
    head = re.search(_C_HEAD.format(re.escape(f"{prefix}_{name}")), text, re.M)
    if head is None:
        raise NotReadError("it is not there")
    same = same_types(text, prefix)
    arguments = []
    for part in head[2].split(","):
        found = re.fullmatch(r"\s*(const )?(\w+) (\*?)\w+((?:\[\w*\])*)\s*", part)
        if found is None:
            raise NotReadError(f"its parameter {part.strip()} is not understood")
        pointer = bool(found[3] or found[4])
        use = ("read" if found[1] else "changed") if pointer else ""
        arguments.append(Argument(_spelled(found[2], same, prefix), use))
    returns = () if head[1] == "void" else (_spelled(head[1], same, prefix),)
    return Signature(tuple(arguments), returns)


def same_types(text: str, prefix: str) -> dict[str, str]:
    """Return the other names of types in a header, by their first ones, without the prefix."""
    found = re.findall(rf"^typedef {prefix}_(\w+) {prefix}_(\w+);", text, re.M)
    return dict(found)


def _spelled(name: str, same: Mapping[str, str], prefix: str) -> str:
    """Return a C type by the last of its names, without the prefix."""
    own = name.removeprefix(f"{prefix}_")
    return _PUBLIC.get(name) or _WORDS.get(name) or same.get(own, own)


def declared_in_rust(routine: Routine, types: Mapping[str, str], *, in_place: bool = False) -> Signature:
    """Return what a leaf is in Rust; the results of one that is ``in_place`` come first, as arguments."""
    arguments = tuple(
        Argument(
            _named(p.type, types, items=True),
            ("changed" if p.mode else "read") if isinstance(p.type, Array | Structure) else "",
        )
        for p in routine.parameters
    )
    results = tuple(_named(result.type, types, items=True) for result in routine.results)
    if in_place:
        return Signature((*(Argument(result, "changed") for result in results), *arguments), ())
    return Signature(arguments, results)


def printed_in_rust(name: str, texts: Iterable[str], own: str, *, method: bool) -> Signature:
    """Return what a function is in the first of some texts that has it; ``own`` is ``Self`` there."""
    for text in texts:
        for head in re.finditer(_RUST_HEAD.format(re.escape(name)), text, re.M):
            parts = [part.strip() for part in head[1].split(",") if part.strip()]
            if method == (parts[:1] in (["self"], ["&self"], ["&mut self"])):
                arguments = [_rust_argument(part, own) for part in parts]
                returned = re.findall(r"\[[^\]]*\]|[^(), ]+", head[2] or "")
                return Signature(tuple(arguments), tuple(_rust_type(kind, own) for kind in returned))
    raise NotReadError("it is not there")


def _rust_argument(part: str, own: str) -> Argument:
    if part == "self":  # a copy
        return Argument(own, "read")
    kind = part.replace("self", own) if part.endswith("self") else part.partition(": ")[2]
    if kind.startswith("&mut "):
        return Argument(_rust_type(kind[5:], own), "changed")
    if kind.startswith("&"):
        return Argument(_rust_type(kind[1:], own), "read")
    return Argument(_rust_type(kind, own))


def _rust_type(kind: str, own: str) -> str:
    """Return a type without lengths of arrays."""
    if kind.startswith("["):
        return f"[{_rust_type(kind[1:-1].partition(';')[0].strip(), own)}]"
    # What a trait ``AsT`` is asked for is as good as a T.
    kind = kind.removeprefix("impl As")
    return own if kind == "Self" else _PUBLIC.get(kind, kind)


def imported(name: str, text: str) -> str:
    """Return the name of a function that a Rust text uses under another one."""
    found = re.search(rf"^use crate::(?:\w+::)*(\w+) as {re.escape(name)};", text, re.M)
    return found[1] if found else name

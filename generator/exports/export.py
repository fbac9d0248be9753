"""Functions of the table of exports: their calls by kinds of values, and what the manual says of them."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

KINDS = frozenset(
    {
        *("point", "affine", "scalar", "element", "bit", "comb", "table"),
        *("bytes", "encoding", "uncompressed", "wire", "message", "source"),
        *("coset", "uniform"),
        *("points", "affines", "scalars", "tables", "encodings", "pairs"),
        *("key", "secret", "nonces", "hash", "number", "signature", "pair"),
    }
)
"""The kinds of arguments and results.

``scalar`` is the bytes of an integer of any value, ``bytes`` are public ones of any length, ``source`` is a
source of random bytes, ``coset`` is an encoding (RFC 9496) and ``uniform`` twice as many bytes, ``pairs`` are
the encoded affine coordinates of many points; other plurals are arrays.
The last row is of protocols: ``key`` is a point that is public, ``nonces`` is a source of secret bytes,
``pair`` are the coordinates of a point of another curve.
"""

FACTS = frozenset(
    {
        *("points", "ladder", "shortw", "edwards", "coz", "second", "signatures", "embedding"),
        *("ristretto", "decaf", "tables"),
    }
)
"""The words of the column ``on``."""

LANGUAGES = ("c", "rust", "python")

Refusing: TypeAlias = Literal["", "?", "?O"]
"""Inputs that may be refused: none, some, or the identity alone, where it is not affine."""

_CALL = re.compile(r"(?P<name>\w+)\((?P<arguments>.*)\) -> (?P<result>\w+)(?P<refusing>|\?|\?O)")
_MANY = frozenset({"points", "affines", "scalars", "tables", "encodings", "pairs", "comb", "table"})
_PUBLIC = frozenset({"bytes", "pairs", "source", "key", "hash", "number"})


@dataclass(frozen=True)
class Argument:
    """An argument: its name and kind."""

    name: str
    kind: str


@dataclass(frozen=True)
class Export:
    """A function that users call; fields are those of the table, see its head."""

    name: str
    arguments: tuple[Argument, ...]
    result: str
    refusing: Refusing
    section: str
    returns: str
    refuses: str = ""
    refusal: str = ""
    method: str = ""
    on: tuple[str, ...] = ("points",)
    languages: tuple[str, ...] = LANGUAGES
    rust: str = ""
    c: str = ""

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of the arguments."""
        return tuple(argument.kind for argument in self.arguments)

    @property
    def is_method(self) -> bool:
        """True for a method of points in Rust."""
        return self.kinds[:1] == ("point",)

    @property
    def is_plain(self) -> bool:
        """True for a function without arrays, combs or tables, which one rule of test programs calls."""
        return not _MANY & {*self.kinds, self.result}

    @property
    def constant_time(self) -> bool:
        """True where an argument may be secret."""
        return not self.name.endswith("_var") and not {*self.kinds} <= _PUBLIC

    def may_refuse(self, infinite: bool) -> bool:
        """Return whether inputs may be refused, on a curve whose identity is ``infinite`` or affine."""
        return self.refusing == "?" or (self.refusing == "?O" and infinite)

    @property
    def call(self) -> str:
        """The call as the manual writes it."""
        names = ("x, y" if argument.kind == "affine" else argument.name for argument in self.arguments)
        return f"{self.name}({', '.join(names)})"


@cache
def all_exports(table: Literal["curve", "protocols"] = "curve") -> tuple[Export, ...]:
    """Return all functions of a curve or of protocols, in the order of the table."""
    text = Path(__file__).with_name(f"{table}.toml").read_text(encoding="utf-8")
    return tuple(_export(section, row) for section, rows in tomllib.loads(text).items() for row in rows)


@cache
def protocol_exports() -> Mapping[str, Export]:
    """Return the functions of protocols by their names."""
    return {export.name: export for export in all_exports("protocols")}


def exports(facts: Collection[str]) -> tuple[Export, ...]:
    """Return the functions of a curve by its facts, which are words of the column ``on``."""
    return tuple(export for export in all_exports() if set(export.on) & set(facts))


def _export(section: str, row: Mapping[str, Any]) -> Export:
    rest: dict[str, Any] = dict(row)
    match = _CALL.fullmatch(rest.pop("call"))
    assert match is not None, row
    pairs = (text.split(": ") for text in filter(None, match["arguments"].split(", ")))
    arguments = tuple(Argument(name, kind) for name, kind in pairs)
    refusing: Refusing = "?O" if match["refusing"] == "?O" else "?" if match["refusing"] else ""
    assert {match["result"], *(argument.kind for argument in arguments)} <= KINDS, row
    assert {*row.get("on", "points").split()} <= FACTS, row
    rest |= {name: tuple(rest[name].split()) for name in ("on", "languages") if name in rest}
    return Export(match["name"], arguments, match["result"], refusing, section, **rest)

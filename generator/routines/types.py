"""Types of routines' values: machine integers, public integers, choices, structures, and arrays of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True)
class Integer:
    """A secret machine integer of this many bits, in two's complement where it is signed."""

    name: str
    bits: int
    signed: bool = False

    @property
    def low(self) -> int:
        """The least value."""
        return -(1 << (self.bits - 1)) if self.signed else 0

    @property
    def high(self) -> int:
        """The greatest value."""
        return (1 << (self.bits - self.signed)) - 1

    def wrapped(self, value: int) -> int:
        """Return the value that is congruent to an integer modulo 2^bits."""
        return (value - self.low) % (1 << self.bits) + self.low


@dataclass(frozen=True)
class Public:
    """``int``: a position, a count or an index. Always public, and of no size that a routine may rely on."""


@dataclass(frozen=True)
class Structure:
    """A value of a plan's kernels: a point, an entry of a table, an element. Its members are elements."""

    name: str


@dataclass(frozen=True)
class Choice:
    """A secret bit that selects."""


@dataclass(frozen=True)
class Condition:
    """The outcome of a comparison; a branch may be taken on it where it is public."""

    secret: bool


@dataclass(frozen=True)
class Array:
    """So many items; ``length`` is a number, the name that a call gives it, or empty for any."""

    item: Type
    length: int | str


Type: TypeAlias = Integer | Public | Structure | Choice | Condition | Array

INT, CHOICE = Public(), Choice()
# The type of the members of structures.
ELEMENT = Structure("element")
# A word of elements, of 32 bits or 64: routines make it of integers that fit both, and only hand it on.
WORD, SHORT_WORD = Integer("word", 64), Integer("word of 32 bits", 32)
SCALARS: dict[str, Type] = {
    "int": INT,
    "choice": CHOICE,
    "byte": Integer("byte", 8),
    "u32": Integer("u32", 32),
    "u64": Integer("u64", 64),
    "word": WORD,
    "i8": Integer("i8", 8, signed=True),
    "i16": Integer("i16", 16, signed=True),
    "i32": Integer("i32", 32, signed=True),
}


def described(kind: Type) -> str:
    """Return a type as it is written in routines."""
    match kind:
        case Integer(name) | Structure(name):
            return name
        case Public():
            return "int"
        case Choice():
            return "choice"
        case Condition():
            return "a condition"
        case Array(item, length):
            inner, at, sizes = described(item).partition("[")
            return f"{inner}[{length}]{at}{sizes}"


def renamed(kind: Type, names: Mapping[str, str]) -> Type:
    """Return a type whose structures have other names."""
    if isinstance(kind, Structure):
        return Structure(names.get(kind.name, kind.name))
    return Array(renamed(kind.item, names), kind.length) if isinstance(kind, Array) else kind


def is_aggregate(kind: Type | None) -> bool:
    """Return whether a value is made of others: C has it in memory alone."""
    return isinstance(kind, Array | Structure)


def counted(kind: Array) -> bool:
    """Return whether a call gives an array's length beside it."""
    return isinstance(kind.length, str) and kind.length != ""


def has_rows_of_bytes(kind: Type | None) -> bool:
    """Return whether an array of any length is of arrays of bytes, which C has one after the other."""
    return (
        isinstance(kind, Array)
        and isinstance(kind.length, str)
        and isinstance(kind.item, Array)
        and kind.item.item == SCALARS["byte"]
    )

"""Arrays of words in memory, as C and Rust pass them: inputs, outputs, and locals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from efdgen.verify.words.values import Integer, Kind, NotFollowedError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from efdgen.verify.words.values import Domain

Value = Any


class Memory:
    """Record of whether the followed function has stored an output, maybe in an input's place."""

    def __init__(self) -> None:
        self.stored = False


class Array:
    """An array of words, or of double words; an input cannot be stored to."""

    def __init__(self, name: str, kind: Kind, items: Iterable[int | None], memory: Memory | None) -> None:
        self.name, self.kind = name, kind
        self._items = list(items)
        self._memory = memory

    def __len__(self) -> int:
        return len(self._items)

    def __getitem__(self, index: int) -> Integer | None:
        if self._memory and self._memory.stored:
            raise NotFollowedError(
                f"{self.name} is read after an output is stored, which may be in its place"
            )
        found = self._items[index]
        return None if found is None else Integer(self.kind, found)

    def __setitem__(self, index: int, value: Value) -> None:
        raise NotFollowedError(f"{self.name} is an input, and stored to")

    @property
    def raw(self) -> list[int | None]:
        """The elements; None of those that were not stored."""
        return self._items


class Places(Array):
    """An array that can be stored to: a local, or an output, whose memory knows when it is."""

    def __init__(
        self, name: str, kind: Kind, count: int, domain: Domain, memory: Memory | None = None
    ) -> None:
        super().__init__(name, kind, [None] * count, None)
        self._domain, self._outputs = domain, memory

    def __setitem__(self, index: int, value: Value) -> None:
        if isinstance(value, int) and 0 <= value <= self.kind.most:
            value = Integer(self.kind, self._domain.constant(value, self.kind))
        if not isinstance(value, Integer) or value.kind != self.kind:
            raise NotFollowedError(f"{value} is stored in {self.name}, of {self.kind.bits} bits")
        self._items[index] = value.raw
        if self._outputs:
            self._outputs.stored = True


@dataclass(frozen=True)
class Whole:
    """An array behind a reference, which is read or replaced as a whole: ``*r = t``."""

    array: Array

    def read(self) -> Array:
        """Return the array."""
        return self.array

    def write(self, value: Value) -> None:
        """Store every element."""
        if len(value) != len(self.array):
            raise NotFollowedError(f"{len(value)} words are stored in {self.array.name}")
        for index in range(len(value)):
            self.array[index] = value[index]

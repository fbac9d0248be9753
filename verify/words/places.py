"""Places of values: variables in scopes, elements of arrays, members of structures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from efdgen.verify.words.values import NotFollowedError

Value = Any


class Scope:
    """Variables of a block, and those of the blocks around it."""

    def __init__(self, outer: Scope | None = None) -> None:
        self._own: dict[str, Value] = {}
        self._outer = outer

    def __contains__(self, name: str) -> bool:
        return name in self._own or (self._outer is not None and name in self._outer)

    def names(self) -> set[str]:
        """Return the names of all variables that can be seen."""
        return {*self._own, *(self._outer.names() if self._outer else ())}

    def declare(self, name: str, value: Value) -> None:
        """Make a variable, which may hide another."""
        self._own[name] = value

    def holder(self, name: str) -> dict[str, Value]:
        """Return where a variable is kept."""
        if name in self._own:
            return self._own
        if self._outer is None:
            raise NotFollowedError(f"there is no variable {name}")
        return self._outer.holder(name)

    def read(self, name: str) -> Value:
        """Return the value of a variable."""
        return self.holder(name)[name]

    def write(self, name: str, value: Value) -> None:
        """Change a variable."""
        self.holder(name)[name] = value


@dataclass(frozen=True)
class Variable:
    """A variable, or a member of a structure, that something points to."""

    holder: dict[str, Value]
    name: str

    def read(self) -> Value:
        """Return its value."""
        return self.holder[self.name]

    def write(self, value: Value) -> None:
        """Change it."""
        self.holder[self.name] = value


@dataclass(frozen=True)
class Element:
    """An element of an array that something points to."""

    array: Any  # a list, or a view
    index: int

    def __post_init__(self) -> None:
        if not 0 <= self.index < len(self.array):
            raise NotFollowedError(f"there is no element {self.index}")

    def read(self) -> Value:
        """Return its value."""
        return self.array[self.index]

    def write(self, value: Value) -> None:
        """Change it."""
        self.array[self.index] = value


@dataclass(frozen=True)
class View:
    """An array's elements from one on, as far as a number of them: a slice, or a pointer that is moved."""

    array: Any  # a list, or another view
    start: int
    count: int

    def __len__(self) -> int:
        return self.count

    def __getitem__(self, index: int) -> Value:
        return self.array[self._at(index)]

    def __setitem__(self, index: int, value: Value) -> None:
        self.array[self._at(index)] = value

    def _at(self, index: int) -> int:
        if not 0 <= index < self.count or not 0 <= self.start + index < len(self.array):
            raise IndexError(index)
        return self.start + index


def copied(value: Value) -> Value:
    """Return a value that shares nothing with another: what an assignment makes of arrays and structures."""
    if isinstance(value, list):
        return [copied(item) for item in value]
    if isinstance(value, dict):
        return {name: copied(item) for name, item in value.items()}
    return value

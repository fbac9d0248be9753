"""Values of the pass over secrets: contents of registers and of the stack."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import TypeAlias, TypeVar

Value: TypeAlias = str | int | tuple[int]
"""Public, a public constant, secret, or an address.

An address is of constant data, or a distance from the stack pointer at a function's entry; in a tuple it is
that and a public number which is not known.
"""

Key = TypeVar("Key", bound=Hashable)

PUBLIC = "public"
NUMBER = "public number"
SECRET = "secret"
CONSTANT = "constant data"


@dataclass
class Frame:
    """The stack of a function, and which part of it may be objects: from ``low`` on, and from ``high`` on.

    ``escaped`` are addresses that are computed or given away. A store through an address that is not known,
    and a call, change all objects. Exempt is a register's value that is saved at an address which itself does
    not escape: a pointer or a counter, and no data. A constant, with which an array may be cleared, is exempt
    in words where code also stores a counter; ``counted`` are those.
    ``settled`` says that one pass has collected addresses.
    """

    low: int = 0
    high: int = 1 << 30
    escaped: set[int] = field(default_factory=set)
    widths: dict[int, int] = field(default_factory=dict)
    counted: set[int] = field(default_factory=set)
    settled: bool = False

    @property
    def state(self) -> tuple[int, int, int, int, bool]:
        """The facts that decide which bytes may be of objects."""
        return len(self.escaped), len(self.counted), self.low, self.high, self.settled

    def escape(self, value: Value, *, shifted: bool = False) -> None:
        """Record that an address is used other than in direct accesses.

        An object does not begin at an address that is ``shifted``, by what an unknown number makes up for.
        """
        offset = value[0] if isinstance(value, tuple) else value
        if isinstance(offset, int):
            if not shifted:
                self.escaped.add(offset)
            if offset < 0:
                self.low = min(self.low, offset)
            else:
                self.high = min(self.high, offset)

    def overwrite(self, slots: dict[int, Value]) -> None:
        """Make all objects secret, after a store at an unknown address."""
        if not self.settled:
            return
        for place, value in slots.items():
            if (
                value != SECRET
                and (place >= self.high or self.low <= place < 0)
                and not self._saved(place, value)
            ):
                slots[place] = SECRET

    def _saved(self, place: int, value: Value) -> bool:
        """Return whether a byte is of a register's value that is saved."""
        starts = [at for at in range(place - 7, place + 1) if self.widths.get(at, 0) > place - at]
        if is_number(value) and not self.counted.issuperset(starts):
            return False
        return all(at not in self.escaped and self.widths[at] <= 8 for at in starts)


@dataclass
class State:
    """The machine before an instruction; a missing register or byte of the stack is secret."""

    registers: dict[str, Value] = field(default_factory=dict)
    slots: dict[int, Value] = field(default_factory=dict)

    def copy(self) -> State:
        """Return a state that changes by itself."""
        return State(dict(self.registers), dict(self.slots))

    def get(self, register: str) -> Value:
        """Return the value of a register."""
        return self.registers.get(register, SECRET)

    def merge(self, other: State, frame: Frame) -> bool:
        """Join another state into this one; return whether it changed."""
        registers = _merge(self.registers, other.registers, frame)
        slots = _merge(self.slots, other.slots, frame)
        return registers or slots


def _merge(own: dict[Key, Value], others: dict[Key, Value], frame: Frame) -> bool:
    changed = False
    for key in [*own]:
        old, new = own[key], others.get(key, SECRET)
        if old == new:
            continue
        frame.escape(old)
        frame.escape(new)
        joined = join(old, new)
        if joined != old:
            own[key] = joined
            changed = True
    return changed


def numbered(constant: int) -> Value:
    """Return a public constant; two different ones join to a value that is public and no constant."""
    return f"{NUMBER} {constant}"


def number_of(value: Value) -> int | None:
    """Return a constant that is known; None for another value."""
    text = value.removeprefix(f"{NUMBER} ") if is_number(value) and isinstance(value, str) else ""
    return int(text) if text.lstrip("-").isdigit() else None


def is_number(value: Value) -> bool:
    """Return whether a value is a public constant."""
    return isinstance(value, str) and value.startswith(NUMBER)


def moved(value: Value, amount: int) -> Value:
    """Return an address plus a number; another value as it is."""
    if isinstance(value, tuple):
        return (value[0] + amount,)
    return value + amount if isinstance(value, int) else value


def plain(value: Value) -> Value:
    """Return a value for another function, in which the stack has another place."""
    return value if isinstance(value, str) else PUBLIC


def join(one: Value, other: Value) -> Value:
    """Return the value that covers two others."""
    if one == other:
        return one
    return SECRET if SECRET in {one, other} else PUBLIC

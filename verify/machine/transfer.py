"""Effects on states: registers and the stack after an instruction, and addresses that depend on secrets."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from efdgen.verify.machine.effects import number
from efdgen.verify.machine.values import (
    CONSTANT,
    NUMBER,
    PUBLIC,
    SECRET,
    Frame,
    State,
    Value,
    is_number,
    moved,
    number_of,
    numbered,
    plain,
)

if TYPE_CHECKING:
    from efdgen.verify.machine.effects import Access, Effect, Table
    from efdgen.verify.machine.objects import Function, Instruction


_SUMS = {"add", "adds", "add.w"}


@dataclass(frozen=True)
class Leak:
    """An instruction that depends on a secret: a branch, an address, a division, or a library's function."""

    what: str
    instruction: str
    offset: int


@dataclass
class Transfer:
    """The changes of states by the instructions of a function.

    ``halves`` are the conditions under which registers were written since flags were, with the values.
    """

    function: Function
    table: Table
    frame: Frame
    leaks: dict[int, Leak] = field(default_factory=dict)
    halves: dict[str, tuple[str, Value]] = field(default_factory=dict)

    def leak(self, what: str, instruction: Instruction) -> None:
        """Record a leak."""
        offset = instruction.address - self.function.start
        self.leaks[offset] = Leak(what, f"{instruction}", offset)

    def change(self, effect: Effect, state: State, instruction: Instruction) -> None:
        """Change registers and the stack as an instruction does."""
        operands = [self.held(state, name) for name in effect.reads]
        for access in effect.accesses:
            loaded = self.access(access, state, instruction, self.stored(operands, effect, instruction))
            operands += [] if loaded is None else [loaded]
        value = self.computed(operands, effect, instruction)
        named = instruction.symbol is not None and instruction.symbol.constant and not effect.accesses
        value = CONSTANT if named and value == PUBLIC else value
        if value == PUBLIC and not effect.reads and not effect.accesses:
            value = _constant(instruction)
        result = self.sum(effect, state) if effect.affine else PUBLIC
        result = CONSTANT if named and (result == PUBLIC or is_number(result)) else result
        if effect.affine:
            value = SECRET if result == SECRET else PUBLIC
            self.put(state, effect.affine[0], result)
        for name in effect.writes:
            self.put(state, name, PUBLIC if name in self.table.flags and value == CONSTANT else value)
        for name in effect.merges:
            parts = {part: state.registers.get(part, SECRET) for part in (f"{name}.l", f"{name}.h")}
            kept = self.kept(effect, name, state)
            self.put(state, name, self.computed([kept, value], effect, instruction))
            if parts.keys() & {*effect.writes}:
                state.registers.update(parts)
        for name in effect.public:
            self.put(state, name, PUBLIC)
        for name, amount in effect.after:
            old = state.get(name)
            self.put(state, name, moved(old, amount))
        self.note(effect, value)

    def kept(self, effect: Effect, name: str, state: State) -> Value:
        """Return what a register may keep: what was written under the opposite condition, if anything was."""
        condition, half = self.halves.get(name, ("", SECRET))
        opposite = effect.predicate is not None and condition == effect.predicate[1]
        return half if opposite else state.get(name)

    def note(self, effect: Effect, value: Value) -> None:
        """Keep a value that is written under a condition, until that or the register changes."""
        for name in effect.written:
            self.halves.pop(name, None)
        if self.table.flags & {*effect.written}:
            self.halves.clear()
        elif effect.predicate:
            self.halves |= dict.fromkeys(effect.merges, (effect.predicate[0], value))

    def computed(self, operands: list[Value], effect: Effect, instruction: Instruction) -> Value:
        """Return the result of an operation on some operands.

        An address plus a public number is an address, and so is one minus a public number; what else is
        computed from one of constant data counts as secret, unless it sets flags alone.
        """
        written = {*effect.written} - self.table.flags
        stored = any(access.store and not access.registers for access in effect.accesses)
        places = [value for value in operands if not isinstance(value, str)]
        name = instruction.mnemonic.removeprefix("c.")
        adds = name.startswith(("add", "lea", "mov", "ldr", "lui", "adr", "madd", "mla"))
        first = operands[0] if operands else PUBLIC
        adds |= name.startswith("sub") and (first == CONSTANT or not isinstance(first, str))
        if written and len(places) == 1 and adds and not {SECRET, CONSTANT} & {*operands}:
            known = [number_of(value) for value in operands if isinstance(value, str)]
            exact = name in _SUMS and instruction.operands.count(",") < 3
            if exact and len(known) == 1 and known[0] is not None and len(operands) == 2:
                return moved(places[0], known[0] + effect.amount)
            base = places[0][0] if isinstance(places[0], tuple) else places[0]
            return (base + effect.amount,)
        if written or stored:
            for value in operands:
                self.frame.escape(value)
        if SECRET in operands:
            return SECRET
        if CONSTANT not in operands or not written:
            return PUBLIC
        if instruction.mnemonic.startswith("movt"):  # the other half of the same address
            return CONSTANT
        return CONSTANT if adds and operands.count(CONSTANT) == 1 else SECRET

    def stored(self, operands: list[Value], effect: Effect, instruction: Instruction) -> Value:
        """Return what an instruction stores that has no register for it: without operands, a number."""
        return self.computed(operands, effect, instruction) if operands else _constant(instruction)

    def held(self, state: State, name: str) -> Value:
        """Return the value of a register; one that holds a constant has a number."""
        return numbered(0) if name in self.table.constants else state.get(name)

    def put(self, state: State, name: str, value: Value) -> None:
        """Write a register, unless it is one that holds a constant."""
        if name not in self.table.constants:
            state.registers[name] = value
            for part in (f"{name}.l", f"{name}.h"):
                if part in state.registers:
                    state.registers[part] = plain(value)

    def sum(self, effect: Effect, state: State) -> Value:
        """Return a register plus a number, rounded down as the instruction says."""
        assert effect.affine is not None
        _, source, amount = effect.affine
        value = numbered(0) if source in self.table.constants else state.get(source)
        framed = source == self.table.stack or source in self.table.frames
        if isinstance(value, int) and amount < 0 and value in self.frame.escaped and not framed:
            return (value,)  # a place before an object's start is reached by the object's own indices
        if isinstance(value, int):
            return (value + amount) // effect.aligned * effect.aligned
        if isinstance(value, tuple):
            return moved(value, amount)
        known = number_of(value)
        if known is not None:
            return numbered(known + amount)
        return PUBLIC if is_number(value) and amount and source not in self.table.constants else value

    def access(self, access: Access, state: State, instruction: Instruction, value: Value) -> Value | None:
        """Load or store; return what an instruction without registers of its own loads."""
        base, index = (
            state.get(name) if name and name not in self.table.constants else PUBLIC
            for name in (access.base, access.index)
        )
        if SECRET in (base, index):
            self.leak("address", instruction)
        if not isinstance(index, str):
            self.frame.escape(moved(index, access.displacement))
        if CONSTANT in (base, index) or self.constant(access, instruction):
            base = CONSTANT if isinstance(base, str) else base
        registers = access.registers or ("",)
        for place, name in enumerate(registers):
            at = access.displacement + place * access.size
            if not access.store:
                found = self.load(access, base, at, state)
                if not name:
                    return found
                self.put(state, name, found)
            else:
                stored = self.held(state, name) if name else value
                self.store(access, base, at, stored, state)
                low = state.registers.get(f"{name}.l", SECRET)
                if stored == SECRET and low != SECRET and isinstance(base, int) and not access.index:
                    state.slots[base + at] = low
                    if low == PUBLIC:
                        self.frame.counted.add(base + at)
        return None

    def constant(self, access: Access, instruction: Instruction) -> bool:
        """Return whether an access is to constant data at an address that a relocation or a literal gives."""
        symbol = instruction.symbol
        return access.literal is not None or (symbol is not None and symbol.constant)

    def load(self, access: Access, base: Value, at: int, state: State) -> Value:
        """Return what a load at a displacement from a base gives."""
        if access.literal is not None:
            symbol = self.function.words.get(access.literal)
            if isinstance(symbol, int):
                return numbered(symbol)
            return CONSTANT if symbol is not None and symbol.constant else NUMBER
        if base == CONSTANT:
            return NUMBER
        if not isinstance(base, int) or access.index:
            self.frame.escape(moved(base, at), shifted=isinstance(base, tuple) and at != 0)
            return SECRET
        self.frame.widths.setdefault(base + at, access.size)
        places = range(base + at, base + at + access.size)
        found = [state.slots.get(place, SECRET) for place in places]
        if len({*found}) == 1 and (isinstance(found[0], str) or access.size == self.table.word):
            return found[0]
        for value in found:
            self.frame.escape(value)
        return SECRET if SECRET in found else PUBLIC

    def store(self, access: Access, base: Value, at: int, value: Value, state: State) -> None:
        """Store a value at a displacement from a base."""
        if not isinstance(base, int) or access.index:
            self.frame.escape(value)
            self.frame.escape(moved(base, at), shifted=isinstance(base, tuple) and at != 0)
            self.frame.overwrite(state.slots)
            return
        if access.size != self.table.word:
            self.frame.escape(value)
            value = plain(value)
        self.frame.widths[base + at] = max(access.size, self.frame.widths.get(base + at, 0))
        if value == PUBLIC and access.size in {4, 8}:
            self.frame.counted.add(base + at)
        # A wide register holds no pointer.
        value = NUMBER if value == PUBLIC and access.size > self.table.word else value
        state.slots.update(dict.fromkeys(range(base + at, base + at + access.size), value))


def _constant(instruction: Instruction) -> Value:
    """Return the constant that an instruction without operands in registers or memory gives."""
    clears = instruction.mnemonic.startswith(("xor", "sub", "eor", "pxor", "movi"))
    last = 0 if clears else number(instruction.operands.rpartition(",")[2].strip())
    upper = instruction.mnemonic.endswith("lui") and last is not None
    return NUMBER if last is None else numbered(last << 12 if upper else last)

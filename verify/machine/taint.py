"""The pass over secrets: which branches, addresses and divisions depend on what is loaded through pointers.

Roots take pointers and public counts alone. What is loaded through a pointer is secret; pointers, counts and
constants are public. A value that is computed from a secret is secret. States are joined over the blocks of a
function, and over the calls of a function, until nothing changes.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from efdgen.verify.machine.architectures import HARMLESS, LIBRARY, STOPPING
from efdgen.verify.machine.effects import Effect, UnknownInstructionError
from efdgen.verify.machine.values import CONSTANT, NUMBER, PUBLIC, SECRET, Frame, State, Value, moved, plain

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from efdgen.verify.machine.effects import Access, Table
    from efdgen.verify.machine.objects import Binary, Function, Instruction, Symbol

_ARGUMENT_BYTES = 256
_DECIDED = {"branch": "branch", "return": "branch", "call": "branch", "jump": "branch", "indirect": "address"}
_MEMORY = re.compile(r"mem(cpy|set|move|clr)")
_OUTLINED = "OUTLINED_FUNCTION"


@dataclass(frozen=True)
class Leak:
    """An instruction that depends on a secret: a branch, an address, a division, or a library's function by name."""

    what: str
    instruction: str
    offset: int


@dataclass
class _Known:
    """What is known of a function so far."""

    entry: State = field(default_factory=State)
    frame: Frame = field(default_factory=Frame)
    exit: State | None = None
    leaks: dict[int, Leak] = field(default_factory=dict)
    seen: bool = False
    stale: bool = True


@dataclass
class Secrets:
    """The pass over an object file; ``skipped`` says which functions may take variable time.

    ``unknown`` are functions that are not judged, with the reason.
    """

    binary: Binary
    table: Table
    skipped: frozenset[str] = frozenset()
    unknown: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.known: dict[str, _Known] = defaultdict(_Known)
        self.callers: dict[str, set[str]] = defaultdict(set)
        self.active: set[str] = set()
        self.effects: dict[int, Effect] = {}
        self.changes: dict[str, frozenset[str]] = {}
        self.places = {
            (function.section, function.start): function for function in self.binary.functions.values()
        }

    def run(self, roots: Iterable[str]) -> dict[str, list[Leak]]:
        """Return the leaks of each function that the roots reach, roots among them."""
        for name in roots:
            known = self.known[name]
            known.entry.registers = dict.fromkeys(self.table.registers, PUBLIC)
            known.entry.slots = dict.fromkeys(range(_ARGUMENT_BYTES), PUBLIC)
            self.follow(name)
        while stale := [name for name, known in self.known.items() if known.seen and known.stale]:
            for name in stale:
                self.follow(name)
        return {name: [*known.leaks.values()] for name, known in self.known.items() if known.leaks}

    def follow(self, name: str) -> None:
        """Follow a function from its entry until nothing changes."""
        if name in self.active:
            self.unknown[name] = "calls itself"
            return
        self.active.add(name)
        known, function = self.known[name], self.binary.functions[name]
        known.seen = True
        known.stale = False
        try:
            before = None
            while before != known.frame.state:
                before = known.frame.state
                _Walk(self, function, known).run()
                known.frame.settled = True
        except UnknownInstructionError as error:
            self.unknown[name] = f"{error} is not known"
        self.active.discard(name)

    def effect(self, instruction: Instruction) -> Effect:
        """Return the effect of an instruction, computed once."""
        found = self.effects.get(id(instruction))
        if found is None:
            found = self.effects[id(instruction)] = self.table.effect(instruction)
        return found

    def changed(self, name: str) -> frozenset[str]:
        """Return the registers that a function changes, those that it restores among them."""
        if name not in self.changes:
            self.changes[name] = frozenset()
            found: set[str] = set()
            for instruction in self.binary.functions[name].code:
                effect = self.effect(instruction)
                found |= {*effect.written}
                inner = self.callee(instruction)
                if inner is not None:
                    found |= self.changed(inner.name)
                elif effect.kind == "call":
                    found.add("*")
            self.changes[name] = frozenset(found)
        return self.changes[name]

    def callee(self, instruction: Instruction) -> Function | None:
        """Return the function of this file that a relocation names."""
        symbol = instruction.symbol
        if symbol is None or not symbol.section or symbol.constant:
            return None
        return self.places.get((symbol.section, symbol.offset))


@dataclass
class _Walk:
    """One pass over a function, to a fixed point of the states of its blocks."""

    secrets: Secrets
    function: Function
    known: _Known

    def __post_init__(self) -> None:
        self.places = {one.address: number for number, one in enumerate(self.function.code)}
        self.states: dict[int, State] = {}
        self.waiting: list[int] = []
        self.frame = self.known.frame
        self.table = self.secrets.table

    def run(self) -> None:
        """Follow all blocks from the entry."""
        self.known.leaks.clear()
        entry = self.known.entry.copy()
        entry.registers[self.table.stack] = 0
        self.reach(self.function.start, entry)
        while self.waiting:
            number = self.waiting.pop()
            self.block(number, self.states[number].copy())

    def reach(self, address: int | None, state: State) -> None:
        """Join a state into that of a block; the block waits if it changed."""
        number = self.places.get(-1 if address is None else address)
        if number is None:
            self.secrets.unknown[self.function.name] = "jumps to a place outside of it"
            return
        old = self.states.get(number)
        if old is None:
            self.states[number] = state.copy()
        elif not old.merge(state, self.frame):
            return
        if number not in self.waiting:
            self.waiting.append(number)

    def block(self, number: int, state: State) -> None:
        """Follow instructions from a number on, until one that does not continue, or a known block."""
        code = self.function.code
        first = number
        while number < len(code):
            if number != first and number in self.states:
                self.reach(code[number].address, state)
                return
            if not self.step(code, number, state):
                return
            number += 1

    def step(self, code: tuple[Instruction, ...], number: int, state: State) -> bool:
        """Change a state as an instruction does; return whether the next instruction follows."""
        instruction = code[number]
        effect = self.secrets.effect(instruction)
        if any(state.get(name) == SECRET for name in effect.condition):
            self.leak(_DECIDED.get(effect.kind, "conditional instruction"), instruction)
        if effect.kind == "division" and any(state.get(name) == SECRET for name in effect.reads):
            self.leak("division", instruction)
        if effect.condition and effect.accesses:  # a predicated load, store or return of ARM
            return self.perhaps(effect, state, instruction)
        self.change(effect, state, instruction)
        if effect.kind == "call":
            named = instruction if instruction.symbol else code[number - 1]
            return self.call(named, state)
        if effect.kind == "return":
            self.leave(state)
            return bool(effect.condition)
        if effect.kind == "indirect" and code[number - 1].mnemonic == "auipc" and code[number - 1].symbol:
            if self.call(code[number - 1], state, pushed=0):
                self.leave(state)
            return False
        if effect.kind == "indirect" and instruction.symbol:  # through a table of addresses of functions
            if self.call(instruction, state, pushed=0):
                self.leave(state)
            return False
        if effect.kind == "indirect":
            self.secrets.unknown[self.function.name] = f"{instruction} jumps to a computed place"
            return False
        if effect.kind in {"jump", "branch"}:
            return self.jump(effect, instruction, state)
        return True

    def perhaps(self, effect: Effect, state: State, instruction: Instruction) -> bool:
        """Change a state as an instruction may do that depends on flags."""
        other = state.copy()
        self.change(effect, other, instruction)
        if effect.kind == "return":
            self.leave(other)
        else:
            state.merge(other, self.frame)
        return True

    def jump(self, effect: Effect, instruction: Instruction, state: State) -> bool:
        """Follow a jump; one into another function is a call and a return."""
        symbol = instruction.symbol
        outside = symbol is not None and (
            not symbol.section
            or symbol.section != self.function.section
            or self.secrets.callee(instruction) not in (None, self.function)
        )
        if outside:
            other = state.copy() if effect.kind == "branch" else state
            if self.call(instruction, other, pushed=0):
                self.leave(other)
        else:
            self.reach(effect.target, state)
        return effect.kind == "branch"

    def leak(self, what: str, instruction: Instruction) -> None:
        """Record a leak."""
        offset = instruction.address - self.function.start
        self.known.leaks[offset] = Leak(what, f"{instruction}", offset)

    def change(self, effect: Effect, state: State, instruction: Instruction) -> None:
        """Change registers and the stack as an instruction does."""
        operands = [state.get(name) for name in effect.reads]
        for access in effect.accesses:
            loaded = self.access(access, state, instruction, self.stored(operands, effect, instruction))
            operands += [] if loaded is None else [loaded]
        value = self.computed(operands, effect, instruction)
        named = instruction.symbol is not None and instruction.symbol.constant and not effect.accesses
        value = CONSTANT if named and value == PUBLIC else value
        if value == PUBLIC and not effect.reads and not effect.accesses:
            value = NUMBER
        result = self.sum(effect, state) if effect.affine else PUBLIC
        result = CONSTANT if named and result in (PUBLIC, NUMBER) else result
        if effect.affine:
            value = SECRET if result == SECRET else PUBLIC
            self.put(state, effect.affine[0], result)
        for name in effect.writes:
            self.put(state, name, PUBLIC if name in self.table.flags and value == CONSTANT else value)
        for name in effect.merges:
            low = state.registers.get(f"{name}.l")
            self.put(state, name, self.computed([state.get(name), value], effect, instruction))
            if low is not None and f"{name}.l" in effect.writes:
                state.registers[f"{name}.l"] = low
        for name in effect.public:
            self.put(state, name, PUBLIC)
        for name, amount in effect.after:
            old = state.get(name)
            self.put(state, name, moved(old, amount))

    def computed(self, operands: list[Value], effect: Effect, instruction: Instruction) -> Value:
        """Return what is computed from some operands; addresses of the stack and of constants are not followed.

        The sum of the address of constant data and a public number is such an address; what else is computed
        from one counts as secret, unless it sets flags alone.
        """
        written = {*effect.written} - self.table.flags
        stored = any(access.store and not access.registers for access in effect.accesses)
        places = [value for value in operands if not isinstance(value, str)]
        adds = instruction.mnemonic.removeprefix("c.").startswith(("add", "lea", "mov", "ldr", "lui", "adr", "madd"))
        if written and len(places) == 1 and adds and not {SECRET, CONSTANT} & {*operands}:
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
        return self.computed(operands, effect, instruction) if operands else NUMBER

    def put(self, state: State, name: str, value: Value) -> None:
        """Write a register, unless it is one that holds a constant."""
        if name not in self.table.constants:
            state.registers[name] = value
            low = f"{name}.l"
            if low in state.registers:
                state.registers[low] = plain(value)

    def sum(self, effect: Effect, state: State) -> Value:
        """Return a register plus a number, rounded down as the instruction says."""
        assert effect.affine is not None
        _, source, amount = effect.affine
        value = NUMBER if source in self.table.constants else state.get(source)
        if isinstance(value, int):
            return (value + amount) // effect.aligned * effect.aligned
        if isinstance(value, tuple):
            return moved(value, amount)
        return PUBLIC if value == NUMBER and amount and source not in self.table.constants else value

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
        for number, name in enumerate(registers):
            at = access.displacement + number * access.size
            if not access.store:
                found = self.load(access, base, at, state)
                if not name:
                    return found
                self.put(state, name, found)
            else:
                stored = (NUMBER if name in self.table.constants else state.get(name)) if name else value
                self.store(access, base, at, stored, state)
        return None

    def constant(self, access: Access, instruction: Instruction) -> bool:
        """Return whether an access is to constant data at an address that a relocation or a literal gives."""
        symbol = instruction.symbol
        return access.literal is not None or (symbol is not None and symbol.constant)

    def load(self, access: Access, base: Value, at: int, state: State) -> Value:
        if access.literal is not None:
            words: Mapping[int, Symbol | None] = self.function.words
            symbol = words.get(access.literal)
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
        # A constant in memory is not told from one in an instruction; a wide register does not hold a pointer.
        value = NUMBER if value == PUBLIC and access.size > self.table.word else value
        state.slots.update(dict.fromkeys(range(base + at, base + at + access.size), value))

    def leave(self, state: State) -> None:
        """Join a state into that at the function's returns; callers continue with the result."""
        name = self.function.name
        result = State({each: plain(value) for each, value in state.registers.items()}, {})
        if self.known.exit is None:
            self.known.exit = result
        elif not self.known.exit.merge(result, self.frame):
            return
        for caller in self.secrets.callers[name]:
            self.secrets.known[caller].stale = True

    def call(self, instruction: Instruction, state: State, pushed: int | None = None) -> bool:
        """Call a function; return whether it returns, as far as is known."""
        callee = self.secrets.callee(instruction)
        symbol = instruction.symbol
        if callee is not None and callee.name.startswith(_OUTLINED):
            return self.outlined(callee, state)
        preserved = self.table.preserved
        stack = state.get(self.table.stack)
        for name, value in state.registers.items():
            if name not in preserved:
                self.frame.escape(value)
        if callee is None or callee.name in self.secrets.skipped:
            name = symbol.name if symbol else ""
            if STOPPING.search(name):
                return False
            self.outside(name, instruction, state)
            self.frame.overwrite(state.slots)
            return True
        pushed = self.table.pushed if pushed is None else pushed
        self.enter(callee.name, state, stack - pushed if isinstance(stack, int) else None)
        known = self.secrets.known[callee.name]
        if known.exit is None:
            return False
        self.frame.overwrite(state.slots)
        changed = self.secrets.changed(callee.name)
        for name in {*state.registers, *known.exit.registers} - preserved:
            if name.removesuffix(".l") in changed or name in changed or "*" in changed:
                state.registers[name] = known.exit.get(name)
        return True

    def enter(self, name: str, state: State, stack: int | None) -> None:
        """Join the state of a call into that of the callee's entry, and follow the callee if it changed."""
        known = self.secrets.known[name]
        self.secrets.callers[name].add(self.function.name)
        registers = {each: plain(value) for each, value in state.registers.items()}
        slots: dict[int, Value] = dict.fromkeys(range(self.table.pushed), NUMBER)
        for place, value in state.slots.items() if stack is not None else ():
            if place >= (stack or 0):
                slots[place - (stack or 0)] = plain(value)
        given = State(registers, slots)
        if not known.seen:
            known.entry = given
            self.secrets.follow(name)
        elif known.entry.merge(given, known.frame):
            self.secrets.follow(name)

    def outside(self, name: str, instruction: Instruction, state: State) -> None:
        """Call a function that is not followed; one of memory must get public addresses and lengths."""
        harmless = HARMLESS.fullmatch(name) is not None
        given = [state.get(each) for each in self.table.arguments]
        stack = state.get(self.table.stack)
        if not given and isinstance(stack, int):
            words = range(stack, stack + 4 * self.table.word, self.table.word)
            given = [state.slots.get(at, SECRET) for at in words]
        if harmless and _MEMORY.search(name) and SECRET in given[: 2 if "memclr" in name else 3]:
            self.leak("address", instruction)
        if LIBRARY.fullmatch(name) and SECRET in given:
            self.leak(name, instruction)
        for each in self.table.registers:
            if each not in self.table.preserved:
                state.registers[each] = SECRET
        if harmless and _MEMORY.search(name) and self.table.arguments:
            state.registers[self.table.arguments[0]] = PUBLIC

    def outlined(self, callee: Function, state: State) -> bool:
        """Follow instructions that a compiler put elsewhere, in the frame of their caller."""
        for number, instruction in enumerate(callee.code):
            effect = self.secrets.effect(instruction)
            if effect.kind == "return":
                self.change(effect, state, instruction)
                return True
            if effect.kind == "jump":
                return self.call(instruction, state, pushed=0)
            if not self.step(callee.code, number, state):
                return False
        return True

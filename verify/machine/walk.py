"""A pass over a function: its blocks, to a fixed point of the states before them, and its calls."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from efdgen.verify.machine.architectures import HARMLESS, STOPPING, words_of
from efdgen.verify.machine.transfer import Transfer
from efdgen.verify.machine.values import NUMBER, PUBLIC, SECRET, State, Value, plain

if TYPE_CHECKING:
    from efdgen.verify.machine.effects import Effect
    from efdgen.verify.machine.objects import Function, Instruction
    from efdgen.verify.machine.taint import Known, Secrets

_DECIDED = {"branch": "branch", "return": "branch", "call": "branch", "jump": "branch", "indirect": "address"}
_MEMORY = re.compile(r"mem(cpy|set|move|clr)")
_OUTLINED = "OUTLINED_FUNCTION"


class Walk(Transfer):
    """One pass over a function, to a fixed point of the states of its blocks."""

    def __init__(self, secrets: Secrets, function: Function, known: Known) -> None:
        super().__init__(function, secrets.table, known.frame)
        self.secrets = secrets
        self.known = known
        self.places = {one.address: number for number, one in enumerate(self.function.code)}
        self.states: dict[int, State] = {}
        self.waiting: list[int] = []

    def run(self) -> None:
        """Follow all blocks from the entry."""
        entry = self.known.entry.copy()
        entry.registers[self.table.stack] = 0
        self.reach(self.function.start, entry)
        while self.waiting:
            number = self.waiting.pop()
            self.block(number, self.states[number].copy())

    def reach(self, address: int | None, state: State) -> None:
        """Join a state into a block's; the block waits if it changed."""
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
        self.halves.clear()
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
        if any(self.held(state, name) == SECRET for name in effect.condition):
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
        self.halves.clear()
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
            if name not in preserved | self.table.scratch:
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
            if name[:-2] in changed or name in changed or "*" in changed:
                state.registers[name] = known.exit.get(name)
        return True

    def enter(self, name: str, state: State, stack: int | None) -> None:
        """Join the state of a call into the callee's entry, and follow the callee if it changed."""
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
        library = words_of(name, self.table.word)
        secret = SECRET in given[:library] or not library
        if library and secret:
            self.leak(name, instruction)
        for each in self.table.registers:
            if each not in self.table.preserved:
                state.registers[each] = SECRET if secret else PUBLIC
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

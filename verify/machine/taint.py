"""The pass over secrets: branches, addresses and divisions that depend on loaded data.

Roots take pointers and public counts alone. Data loaded through a pointer is secret; pointers, counts and
constants are public. A value that is computed from a secret is secret. States are joined over the blocks of a
function, and over the calls of a function, until nothing changes.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from efdgen.verify.machine.effects import Effect, UnknownInstructionError
from efdgen.verify.machine.values import PUBLIC, Frame, State
from efdgen.verify.machine.walk import Walk

if TYPE_CHECKING:
    from collections.abc import Iterable

    from efdgen.verify.machine.effects import Table
    from efdgen.verify.machine.objects import Binary, Function, Instruction
    from efdgen.verify.machine.transfer import Leak

_ARGUMENT_BYTES = 256


@dataclass
class Known:
    """The facts on a function so far."""

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
        self.known: dict[str, Known] = defaultdict(Known)
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
            registers = dict.fromkeys(self.table.registers, PUBLIC)
            entry = State({**registers}, dict.fromkeys(range(_ARGUMENT_BYTES), PUBLIC))
            if known.seen:
                known.entry.merge(entry, known.frame)
            else:
                known.entry = entry
            self.follow(name)
        while stale := [name for name, known in self.known.items() if known.seen and known.stale]:
            for name in stale:
                self.follow(name)
        self._spread()
        return {name: [*known.leaks.values()] for name, known in self.known.items() if known.leaks}

    def _spread(self) -> None:
        """Add to the functions that are not judged those that call one, or that never return."""
        for name, known in self.known.items():
            if known.seen and known.exit is None:
                self.unknown.setdefault(name, "it does not return")
        waiting = [*self.unknown]
        while waiting:
            name = waiting.pop()
            for caller in self.callers[name] - self.unknown.keys():
                self.unknown[caller] = f"it calls {name}"
                waiting.append(caller)

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
                walk = Walk(self, function, known)
                walk.run()
                known.leaks = walk.leaks
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

"""Effects of instructions: reads, writes, addresses and decisions, for the pass over secrets."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Literal, TypeAlias, cast

if TYPE_CHECKING:
    from efdgen.verify.machine.architectures import Architecture
    from efdgen.verify.machine.objects import Instruction

Kind: TypeAlias = Literal["", "branch", "jump", "call", "return", "indirect", "division"]


class UnknownInstructionError(Exception):
    """An instruction that is not in the table of its architecture."""


@dataclass(frozen=True)
class Access:
    """Loads or stores of registers one after the other, at base + index + displacement.

    ``literal`` is the address of a constant between instructions. Without registers, a load is an operand of
    the instruction and a store its result.
    """

    store: bool
    base: str
    registers: tuple[str, ...] = ()
    displacement: int = 0
    index: str = ""
    size: int = 8
    literal: int | None = None


@dataclass(frozen=True)
class Effect:
    """The effect of an instruction.

    ``writes`` receive a function of ``reads`` and loaded operands; ``merges`` keep a part of their values.
    ``affine`` is a result, a register and a number to add to it; ``aligned`` rounds it down. ``amount``
    is a number that is added to the sum of the operands. ``condition`` are registers that decide whether the
    instruction takes effect, ``after`` are registers to which a number is added afterwards, and ``target`` is
    the address of a branch in the same function. ``predicate`` is the name of a condition under which the
    instruction merges, and of the opposite one.
    """

    kind: Kind = ""
    reads: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()
    merges: tuple[str, ...] = ()
    affine: tuple[str, str, int] | None = None
    aligned: int = 1
    amount: int = 0
    accesses: tuple[Access, ...] = ()
    condition: tuple[str, ...] = ()
    after: tuple[tuple[str, int], ...] = ()
    public: tuple[str, ...] = ()
    target: int | None = None
    predicate: tuple[str, str] | None = None

    @property
    def written(self) -> tuple[str, ...]:
        """All registers that the instruction changes."""
        loaded = tuple(name for access in self.accesses if not access.store for name in access.registers)
        moved = tuple(name for name, _ in self.after)
        affine = (self.affine[0],) if self.affine else ()
        return (*self.writes, *self.merges, *loaded, *moved, *affine, *self.public)


@dataclass(frozen=True)
class Table:
    """The effects of an architecture's instructions and its calling convention.

    ``preserved`` are registers that a function leaves as they were; ``arguments`` the first four of a call,
    none where they are on the stack. ``pushed`` is the size of a return address on the stack. ``scratch`` are
    registers that hand nothing to a callee, and ``frames`` those below which variables are.
    """

    effect: Callable[[Instruction], Effect]
    stack: str
    registers: tuple[str, ...]
    flags: frozenset[str]
    preserved: frozenset[str]
    arguments: tuple[str, ...]
    constants: frozenset[str] = frozenset()
    pushed: int = 0
    word: int = 8
    scratch: frozenset[str] = frozenset()
    frames: frozenset[str] = frozenset()


def table_of(architecture: Architecture) -> Table | None:
    """Return the table of an architecture; None if it has none."""
    if not architecture.table:
        return None
    module = import_module(f"efdgen.verify.machine.{architecture.table}")
    return cast("Table", module.table(architecture.word))


_SPLIT = re.compile(r",\s*(?![^\[{]*[\]}])")


def operands_of(text: str) -> list[str]:
    """Return the operands of an instruction; memory and lists of registers are one operand each."""
    return [part.strip() for part in _SPLIT.split(text)] if text else []


def number(text: str) -> int | None:
    """Return a number as disassemblers write it; None for other text."""
    text = text.lstrip("#")
    try:
        return int(text, 0)
    except ValueError:
        return None


def aliases(groups: Mapping[str, str]) -> dict[str, str]:
    """Return the register of each name, from names separated by spaces."""
    return {name: register for register, names in groups.items() for name in names.split()}

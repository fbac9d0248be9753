"""A program in the operations of a host: single assignment, with the bound of every value."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from efdgen.generator.hosts.host import COMMUTATIVE

if TYPE_CHECKING:
    from efdgen.generator.hosts.host import HostOperation


@dataclass(frozen=True, slots=True)
class HostSource:
    """A coordinate of an input, or a constant of the curve, and the largest bound that it comes with."""

    name: str
    constant: bool
    bound: int


@dataclass(frozen=True, slots=True)
class HostCall:
    """One call of the host on values by number; ``factor`` is its ``k``, ``text`` what it computes."""

    operation: HostOperation
    operands: tuple[int, ...]
    factor: int
    text: str
    bound: int

    @property
    def commutative(self) -> bool:
        """Return whether the operands may be exchanged."""
        return self.operation.name in COMMUTATIVE


HostValue: TypeAlias = HostSource | HostCall


@dataclass(frozen=True)
class HostProgram:
    """Values in an order in which they can be computed, and which of them the outputs are.

    Every output is a call, and no two are the same. Raises ValueError where a value is read before it is
    defined.
    """

    values: tuple[HostValue, ...]
    outputs: tuple[tuple[str, int], ...]

    def __post_init__(self) -> None:
        for number, value in enumerate(self.values):
            if isinstance(value, HostCall) and any(not 0 <= n < number for n in value.operands):
                raise ValueError(f"{value.text} reads a value before it is defined")
        outputs = [number for _, number in self.outputs]
        if len(set(outputs)) < len(outputs):
            raise ValueError("two outputs are one value")
        if any(not isinstance(self.values[number], HostCall) for number in outputs):
            raise ValueError("an output is not a call")

    @property
    def calls(self) -> tuple[HostCall, ...]:
        """Everything that is called, in order."""
        return tuple(value for value in self.values if isinstance(value, HostCall))

    @property
    def counts(self) -> dict[str, int]:
        """The number of calls of each operation, in order of first use."""
        return dict(Counter(call.operation.name for call in self.calls))


def program_text(program: HostProgram) -> str:
    """Write a program, one call a line, with bounds in parentheses."""
    lines = []
    for number, value in enumerate(program.values):
        match value:
            case HostSource(name, constant, bound):
                lines.append(f"v{number} = {'constant' if constant else 'input'} {name} ({bound})")
            case HostCall(operation, operands, factor, text, bound):
                read = ", ".join([*(f"v{n}" for n in operands), *([str(factor)] if factor else [])])
                lines.append(f"v{number} = {operation.name}({read}) [{text}] ({bound})")
    lines += [f"output {name} = v{number}" for name, number in program.outputs]
    return "".join(f"{line}\n" for line in lines)

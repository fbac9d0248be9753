"""A program in the operations of a host: single assignment, with the bound of every value."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
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
class HostResult:
    """A value that a call gives: ``text`` is what it computes."""

    text: str
    bound: int


@dataclass(frozen=True, slots=True)
class HostCall:
    """One call of the host on values by number; ``factor`` is its ``k``.

    ``values`` are the numbers of what it gives: one for each result of the operation. If the operation has no
    results, there is one value, which is its operand as it is after the call.
    """

    operation: HostOperation
    operands: tuple[int, ...]
    factor: int
    values: tuple[int, ...]

    @property
    def number(self) -> int:
        """The number of the first value, which identifies the call."""
        return self.values[0]

    @property
    def bits(self) -> int:
        """A set of its values: an integer with a bit for each."""
        return sum(1 << number for number in self.values)

    @property
    def results(self) -> dict[str, int]:
        """The values that are written, by the name of the result."""
        return dict(zip(self.operation.results, self.values, strict=False))

    @property
    def commutative(self) -> bool:
        """Return whether the operands may be exchanged."""
        return self.operation.name in COMMUTATIVE


HostValue: TypeAlias = HostSource | HostResult


@dataclass(frozen=True)
class HostProgram:
    """Values in an order in which they can be computed, the calls that give them, and the outputs.

    Every output is written by a call, and no two are the same. Raises ValueError where a value is read before
    it is defined.
    """

    values: tuple[HostValue, ...]
    calls: tuple[HostCall, ...]
    outputs: tuple[tuple[str, int], ...]

    def __post_init__(self) -> None:
        for call in self.calls:
            if any(not 0 <= n < call.number for n in call.operands):
                raise ValueError(f"{self.text(call.number)} reads a value before it is defined")
        given = [number for call in self.calls for number in call.values]
        if given != [n for n, value in enumerate(self.values) if isinstance(value, HostResult)]:
            raise ValueError("a result is not a value of one call")
        outputs = [self.objects[number] for _, number in self.outputs]
        if len(set(outputs)) < len(outputs):
            raise ValueError("two outputs are one value")
        if any(isinstance(self.values[number], HostSource) for number in outputs):
            raise ValueError("an output is not written by a call")

    @cached_property
    def objects(self) -> tuple[int, ...]:
        """The value in whose place each value is: itself, except what a call without results leaves."""
        found = list(range(len(self.values)))
        for call in self.calls:
            if not call.results:
                found[call.number] = found[call.operands[0]]
        return tuple(found)

    @cached_property
    def call_of(self) -> dict[int, HostCall]:
        """The calls by their number."""
        return {call.number: call for call in self.calls}

    def text(self, value: int) -> str:
        """Return what a value is: a source, or the text of a result."""
        found = self.values[value]
        return found.name if isinstance(found, HostSource) else found.text

    def bound(self, *values: int) -> tuple[int, ...]:
        """Return the bounds of values."""
        return tuple(self.values[value].bound for value in values)

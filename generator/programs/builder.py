"""Builder of programs, one instruction at a time, used by every pass and the lowering."""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.programs.program import Instruction, Parameter, Program

if TYPE_CHECKING:
    from collections.abc import Iterable

    from efdgen.generator.programs.program import Operation


class ProgramBuilder:
    """Collects instructions, and gives labels that are unique in the program.

    ``reserved`` are labels that no temporary may take, because they will be asked for later.
    """

    def __init__(self, reserved: Iterable[str] = ()) -> None:
        self._instructions: list[Instruction] = []
        self._labels: set[str] = set()
        self._reserved = frozenset(reserved)
        self._temporaries = 0

    def __len__(self) -> int:
        return len(self._instructions)

    def __getitem__(self, value: int) -> Operation:
        return self._instructions[value].operation

    def emit(self, operation: Operation, label: str = "") -> int:
        """Append an operation and return its value; without a label it is called t0, t1 and so on."""
        self._instructions.append(Instruction(operation, self._unique(label)))
        return len(self._instructions) - 1

    def relabel(self, value: int, label: str) -> None:
        """Give a value that has only a temporary label a better one."""
        instruction = self._instructions[value]
        self._labels.discard(instruction.label)
        self._instructions[value] = Instruction(instruction.operation, self._unique(label))

    def label(self, value: int) -> str:
        """Return the label of a value."""
        return self._instructions[value].label

    def is_parameter(self, value: int) -> bool:
        """Return whether a value is a parameter itself."""
        return isinstance(self[value], Parameter)

    def build(self, outputs: Iterable[tuple[str, int]]) -> Program:
        """Return the program."""
        return Program(tuple(self._instructions), tuple(outputs))

    def _unique(self, label: str) -> str:
        if label == "":
            while (label := f"t{self._temporaries}") in self._labels | self._reserved:
                self._temporaries += 1
        elif label in self._labels:
            count = 2
            while (numbered := f"{label}_{count}") in self._labels | self._reserved:
                count += 1
            label = numbered
        self._labels.add(label)
        return label

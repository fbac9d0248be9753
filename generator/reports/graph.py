"""The data flow of a program as a graph, for Graphviz, for Mermaid, or drawn."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from efdgen.generator import processes
from efdgen.generator.errors import EfdgenError
from efdgen.generator.programs.program import (
    Constant,
    Input,
    Inv,
    Mul,
    MulParameter,
    Parameter,
    Pow,
    Sqr,
    expression_text,
    operands,
)

if TYPE_CHECKING:
    from efdgen.generator.programs.program import Operation, Program

FORMATS = ("dot", "mermaid", "svg")


@dataclass(frozen=True)
class Flow:
    """A program whose operations are at levels, each as early as its operands allow.

    A product, a square, a power and an inversion take one level, all else none.
    """

    title: str
    program: Program

    @cached_property
    def levels(self) -> tuple[int, ...]:
        """The number of products on the longest path to each value, itself included."""
        found: list[int] = []
        for instruction in self.program.instructions:
            operation = instruction.operation
            before = max((found[each] for each in operands(operation)), default=0)
            found.append(before + _is_product(operation))
        return tuple(found)

    @property
    def depth(self) -> int:
        """The number of products that have to follow one another."""
        return max(self.levels, default=0)

    @property
    def width(self) -> int:
        """The largest number of products at one level."""
        at = [
            level
            for level, instruction in zip(self.levels, self.program.instructions, strict=True)
            if _is_product(instruction.operation)
        ]
        return max(map(at.count, at), default=0)

    @property
    def summary(self) -> str:
        """The figures in a line."""
        return f"{self.title}: depth {self.depth}, width {self.width}, in products"

    def dot(self) -> str:
        """Return the graph in Graphviz's language, values from the top down."""
        lines = [f'digraph "{self.title}" {{', f'  label="{self.summary}";', "  node [shape=box];"]
        for number, text, product in self.values():
            style = ", style=filled, fillcolor=lightgrey" if product else ""
            lines.append(f'  v{number} [label="{text}"{style}];')
        lines += [f"  v{source} -> v{target};" for source, target in self.edges()]
        for name, value in self.program.outputs:
            lines += [f'  "{name} " [label="{name}", shape=oval];', f'  v{value} -> "{name} ";']
        return "\n".join([*lines, "}"]) + "\n"

    def mermaid(self) -> str:
        """Return the graph as a Mermaid flowchart."""
        lines = [f"%% {self.summary}", "flowchart TD"]
        lines += [f'  v{number}["{text}"]' for number, text, _ in self.values()]
        lines += [f"  v{source} --> v{target}" for source, target in self.edges()]
        for name, value in self.program.outputs:
            lines += [f'  out_{name}(["{name}"])', f"  v{value} --> out_{name}"]
        return "\n".join(lines) + "\n"

    def fields(self) -> dict[str, object]:
        """Return the graph as JSON has it: values by number, edges from operand to result, outputs."""
        return {
            "id": self.title,
            "depth": self.depth,
            "width": self.width,
            "values": [
                {"number": number, "text": text, "product": product}
                for number, text, product in self.values()
            ],
            "edges": self.edges(),
            "outputs": dict(self.program.outputs),
        }

    def svg(self) -> str:
        """Return the graph as Graphviz draws it; raise :class:`EfdgenError` where it is not installed."""
        if shutil.which("dot") is None:
            raise EfdgenError("Graphviz is not installed; --format dot writes its input")
        done = processes.run(["dot", "-Tsvg"], text=self.dot())
        if done.returncode:
            raise EfdgenError(f"Graphviz failed: {(done.stderr.splitlines() or ['no word why'])[0]}")
        return done.stdout

    def values(self) -> list[tuple[int, str, bool]]:
        """Return each value's number, what it is, and whether it is a product."""
        names = [instruction.label for instruction in self.program.instructions]
        found = []
        for number, instruction in enumerate(self.program.instructions):
            operation = instruction.operation
            text = expression_text(operation, lambda value, _: names[value])
            label = (
                text if isinstance(operation, Input | Parameter | Constant) else f"{names[number]} = {text}"
            )
            found.append((number, label, _is_product(operation)))
        return found

    def edges(self) -> list[tuple[int, int]]:
        """Return each operand with the value that reads it."""
        return [
            (source, target)
            for target, instruction in enumerate(self.program.instructions)
            for source in operands(instruction.operation)
        ]


def _is_product(operation: Operation) -> bool:
    return isinstance(operation, Mul | Sqr | Pow | Inv | MulParameter)

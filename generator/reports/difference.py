"""The difference of two formulas: equations, emitted programs, cost and values."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from efdgen.generator.formulas.cost import count
from efdgen.generator.passes.pipeline import emitted
from efdgen.generator.programs.program import program_text
from efdgen.generator.reports.describe import equations

if TYPE_CHECKING:
    from collections.abc import Sequence

    from efdgen.generator.formulas.cost import Cost
    from efdgen.generator.formulas.formula import Formula
    from efdgen.generator.programs.program import Program

_UNITS = {"M": "multiplication", "S": "squaring", "I": "inversion", "add": "addition"}


@dataclass(frozen=True)
class Difference:
    """Two formulas, and whether their values are the ``same``, None where that is not decided."""

    first: Formula
    second: Formula
    same: bool | None

    def fields(self) -> dict[str, object]:
        """Return everything by name, as JSON has it."""
        costs = [count(program) for program in self._programs()]
        return {
            "ids": [self.first.id, self.second.id],
            "same_values": self.same,
            "undecided": self._undecided() if self.same is None else "",
            "costs": [cost.fields() for cost in costs],
            "saving": saving(*costs),
            "equations": self._equations(),
            "program": self._emitted(),
        }

    def text(self) -> str:
        """Return everything in lines for a terminal."""
        costs = [count(program) for program in self._programs()]
        values = {True: "the same, proved", False: "not the same, proved", None: self._undecided()}[self.same]
        facts = [
            ("A", self.first.id),
            ("B", self.second.id),
            ("values", values),
            ("cost of A", str(costs[0])),
            ("cost of B", str(costs[1])),
            ("A against B", saving(*costs)),
        ]
        lines = [f"{name:13}{text}" for name, text in facts]
        for title, changes in (("equations", self._equations()), ("program as emitted", self._emitted())):
            lines += ["", title, *(changes or ["  no difference"])]
        return "".join(f"{line}\n" for line in lines)

    def _undecided(self) -> str:
        """Say why it is not decided whether the values are the same."""
        a, b = self.first, self.second
        if a.kind.id != b.kind.id:
            return f"not compared: one is of {a.kind.title}, one of {b.kind.title}"
        if (a.system.model.id, a.system.meanings) != (b.system.model.id, b.system.meanings):
            return f"not compared: coordinates are those of {a.system.id} and of {b.system.id}"
        return "not decided"

    def _programs(self) -> list[Program]:
        return [emitted(each) for each in (self.first, self.second)]

    def _equations(self) -> list[str]:
        return _changes(equations(self.first), equations(self.second))

    def _emitted(self) -> list[str]:
        first, second = (program_text(program).splitlines() for program in self._programs())
        return _changes(first, second)


def saving(cost: Cost, other: Cost) -> str:
    """Say how a cost differs from another: ``one addition fewer, 2 squarings more``."""
    ours, theirs = ({unit: number for number, unit in each.terms} for each in (cost, other))
    parts = []
    for unit in dict.fromkeys((*ours, *theirs)):
        difference = ours.get(unit, 0) - theirs.get(unit, 0)
        if difference:
            number = "one" if abs(difference) == 1 else str(abs(difference))
            name = _UNITS.get(unit, f"product by {unit[1:]}" if unit.startswith("*") else f"power {unit}")
            noun = name if abs(difference) == 1 else _plural(name)
            parts.append(f"{number} {noun} {'more' if difference > 0 else 'fewer'}")
    return ", ".join(parts) or "at the same cost"


def _plural(name: str) -> str:
    head, space, rest = name.partition(" ")
    return f"{head}s{space}{rest}"


def _changes(first: Sequence[str], second: Sequence[str]) -> list[str]:
    """Return the lines of two texts, with ``-`` or ``+`` before those of one alone; none for one text."""
    if list(first) == list(second):
        return []
    return [line for line in difflib.ndiff(first, second) if not line.startswith("?")]

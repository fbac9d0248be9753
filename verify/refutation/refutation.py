"""The findings about a false formula, as plain values, and as text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from efdgen.generator.curves.affine import Point


@dataclass(frozen=True)
class JudgedClaim:
    """One equation about the outputs: whether it holds, what is said of it, and its residue's factors.

    ``holds`` is None where that is undecided.
    """

    claim: str
    holds: bool | None
    reason: str
    residue: str


@dataclass(frozen=True)
class Step:
    """A step of the formula, by its line."""

    line: int
    text: str


@dataclass(frozen=True)
class Counterexample:
    """Values in a tiny field: parameters, affine points and coordinates that come in, and what comes out.

    ``outputs`` are None where the formula divides by zero; ``wrong`` are the numbers of the points that are
    not the ``expected`` ones, ``found`` the affine points that these represent, as far as there are any, and
    ``failed`` what else ought to be so. Elements of GF(2^degree) are integers, of which bit i is the
    coefficient of t^i; ``modulus`` is what t fulfils.
    """

    prime: int
    parameters: Mapping[str, int]
    points: Mapping[int, Point]
    inputs: Mapping[str, int]
    outputs: Mapping[str, int] | None
    expected: Mapping[int, Point]
    wrong: tuple[int, ...]
    failed: tuple[str, ...] = ()
    degree: int = 1
    modulus: str = ""
    found: Mapping[int, Point] = field(default_factory=dict)

    def lines(self) -> list[str]:
        """Return the counterexample in words."""
        wanted = [f"P{number} = {_point(self.expected[number])}" for number in self.wrong]
        gives = "divides by zero" if self.outputs is None else f"gives {_values(self.outputs)}"
        if self.found:
            gives += f", which is {_points(self.found)}"
        where = f"p = {self.prime}" if self.degree == 1 else f"GF({self.prime}^{self.degree}), {self.modulus}"
        where = ", ".join(filter(None, [where, _values(self.parameters)]))
        return [
            f"for example for {where}: {_points(self.points)}, in coordinates {_values(self.inputs)},",
            f"  {gives}; right is {', '.join([*wanted, *self.failed])}",
        ]


@dataclass(frozen=True)
class Repair:
    """One edit of the step on a line, with which the formula is proved."""

    line: int
    old: str
    new: str


@dataclass(frozen=True)
class Refutation:
    """Why a formula is false.

    ``claims`` are all equations about its outputs, ``steps`` those on which a wrong output depends, and
    ``suspects`` those of them on which no output depends of which every claim holds; ``repairs`` are single
    edits with each of which the formula is proved, None where none could be tried.
    """

    claims: tuple[JudgedClaim, ...]
    steps: tuple[Step, ...]
    counterexample: Counterexample | None
    repairs: tuple[Repair, ...] | None
    suspects: tuple[Step, ...] = ()

    def lines(self) -> list[str]:
        """Return what is known, a line for each thing."""
        found = []
        for claim in self.claims:
            because = f", for {claim.residue} is not 0" if claim.residue else ""
            found.append(f"{claim.claim} {claim.reason}{because}".lstrip())
        if self.counterexample:
            found += self.counterexample.lines()
        suspects, steps = (_ranges([step.line for step in each]) for each in (self.suspects, self.steps))
        if self.suspects and suspects != steps:
            found.append(f"suspect {suspects}, on which no correct output depends")
        if self.steps:
            found.append(f"wrong outputs depend on {steps}")
        found += [f"proved with line {r.line} as {r.new}, now {r.old}" for r in self.repairs or ()]
        if self.repairs == ():
            found.append("no edit of one step was found with which it is proved")
        return found


def _ranges(numbers: list[int]) -> str:
    """Write the numbers of lines with runs shortened: ``lines 2-5, 8``."""
    runs: list[list[int]] = []
    for number in sorted(set(numbers)):
        if runs and runs[-1][-1] == number - 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    texts = [str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs]
    return f"line{'s' * (len(texts) > 1 or '-' in texts[0])} {', '.join(texts)}" if texts else ""


def _points(points: Mapping[int, Point]) -> str:
    return ", ".join(f"P{number} = {_point(point)}" for number, point in points.items())


def _point(point: Point) -> str:
    return f"({', '.join(map(str, point))})"


def _values(names: Mapping[str, int]) -> str:
    return ", ".join(f"{name} = {value}" for name, value in names.items())

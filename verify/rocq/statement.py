"""The statement of a theorem: names, hypotheses and claims, in the order of the text."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from efdgen.verify.rocq.terms import equation_text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from efdgen.generator.language.syntax import Equation, Expression


@dataclass(frozen=True)
class Line:
    """New names, and an equation that is supposed of them; either may be missing.

    ``solve`` are the names that the equation may determine, the first of them by preference, and ``divisors``
    what it is multiplied by. A line of a later ``stage`` is used after the program has computed the point of
    the stage before; ``computed`` are the lines of the program.
    """

    comment: str = ""
    names: tuple[str, ...] = ()
    equation: Equation | None = None
    solve: tuple[str, ...] = ()
    divisors: tuple[Expression, ...] = ()
    stage: int = 0
    computed: bool = False


@dataclass(frozen=True)
class Claim:
    """An equation that is claimed; the comment says what it means.

    One that is ``derived`` adds nothing to the meaning of the outputs.
    """

    comment: str
    equation: Equation
    derived: bool = False


@dataclass(frozen=True)
class Stage:
    """A point on the way: 2*P of 8*P, by the names of its coordinates, and the equations of its curve."""

    point: Mapping[str, str]
    equations: tuple[Equation, ...]


@dataclass(frozen=True)
class Statement:
    """A theorem about every commutative ring; of characteristic 2 where ``binary``.

    ``denominators`` are the outputs whose zeros make an output meaningless, ``scaled`` those that depend on
    the points alone; the claims about both are made by the proof, which knows their values. ``inputs`` are
    the coordinates that come in. ``called`` gives the names of what a formula knows, of affine coordinates by
    ``affine x1``, ``expected`` those of the coordinates of the points that outputs are to be.
    """

    name: str
    binary: bool
    parameters: tuple[str, ...]
    lines: tuple[Line, ...]
    claims: tuple[Claim, ...]
    inputs: tuple[str, ...] = ()
    denominators: tuple[str, ...] = ()
    scaled: tuple[str, ...] = ()
    stages: tuple[Stage, ...] = ()
    called: Mapping[str, str] = field(default_factory=dict)
    expected: Mapping[int, Mapping[str, str]] = field(default_factory=dict)

    @property
    def names(self) -> tuple[str, ...]:
        """Every name, in the order of the text."""
        return tuple(name for line in self.lines for name in line.names)

    @property
    def equations(self) -> tuple[Equation, ...]:
        """Everything that is supposed, in the order of the text."""
        return tuple(line.equation for line in self.lines if line.equation)

    def text(self) -> str:
        """Return the statement in Rocq, as a proposition."""
        found = []
        for line in self.lines:
            found += [comment(line.comment)] if line.comment else []
            bound = f"forall {' '.join(line.names)} : Elt," if line.names else ""
            supposed = f"{equation_text(line.equation, binary=self.binary)} ->" if line.equation else ""
            found.append(f"{bound} {supposed}".strip())
        last = len(self.claims) - 1
        for number, claim in enumerate(self.claims):
            end = "." if number == last else " /\\"
            found += [comment(claim.comment), f"{equation_text(claim.equation, binary=self.binary)}{end}"]
        return "".join(f"  {line}\n" for line in found)


def comment(text: str) -> str:
    """Return a comment in Rocq; what would end it, or begin a string, is written otherwise."""
    return f"(* {text.replace('(*', '( *').replace('*)', '* )').replace(chr(34), chr(39))} *)"

"""Points as sums of bases with integer forms in bits, and tables of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from efdgen.generator.routines.integers import RoutineError
from efdgen.verify.symbols.forms import combined
from efdgen.verify.symbols.forms import number as constant_form

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from efdgen.verify.symbols.forms import Form

TURNED = "λ"
"""The mark of a base to which the endomorphism was applied."""


@dataclass(frozen=True)
class Point:
    """A point: of each base its form. ``curve`` says on which isomorphic curve its coordinates are.

    A base is P, G or H, or λP.
    """

    forms: Mapping[str, Form] = field(default_factory=dict)
    curve: str = ""

    def plus(self, other: Point, times: int = 1) -> Point:
        """Return the sum with a multiple of another point."""
        if self.forms and other.forms and self.curve != other.curve:
            raise RoutineError("points of two curves are added")
        bases = dict.fromkeys((*self.forms, *other.forms))
        found = {
            base: combined((1, self.forms.get(base, {})), (times, other.forms.get(base, {})))
            for base in bases
        }
        curve = self.curve if self.forms else other.curve
        return Point({base: form for base, form in found.items() if form}, curve)

    def times(self, number: int) -> Point:
        """Return a multiple by an integer that is not 0."""
        return Point({base: combined((number, form)) for base, form in self.forms.items()}, self.curve)

    def by(self, form: Form) -> Point:
        """Return the multiple of a constant point by a form."""
        found = {}
        for base, own in self.forms.items():
            if own.keys() != {None}:
                raise RoutineError("a multiple of a point that depends on a scalar")
            found[base] = combined((own[None], form))
        return Point({base: form for base, form in found.items() if form}, self.curve)

    def turned(self) -> Point:
        """Return the image under the endomorphism."""
        if any(base.startswith(TURNED) for base in self.forms):
            raise RoutineError("the endomorphism is applied twice")
        return Point({TURNED + base: form for base, form in self.forms.items()}, self.curve)

    def on(self, curve: str) -> Point:
        """Return the point with coordinates on another curve."""
        return Point(self.forms, curve)


def multiple(base: str, number: int = 1) -> Point:
    """Return a multiple of a base."""
    return Point({base: constant_form(number)} if number else {})


@dataclass(frozen=True)
class Steps:
    """A table that is read by windows: the entry for 0, and what each bit of a window adds."""

    zero: Point
    steps: tuple[Point, ...]


def read_steps(table: Sequence[Point], bits: int) -> Steps:
    """Return the entries that windows of some bits choose, as forms in the bits of the window.

    A window with its top bit chooses the entry of its other bits, any other the negative of the entry of
    their complement. Every window is tried: the choices have to be sums of what their bits add.
    """
    if len(table) != 1 << (bits - 1):
        raise RoutineError(f"a table of {len(table)} entries is read by {bits} bits")
    chosen = [*(entry.times(-1) for entry in reversed(table)), *table]
    zero = chosen[0]
    steps = tuple(chosen[1 << i].plus(zero, -1) for i in range(bits))
    for window in range(1, len(chosen)):
        top = window.bit_length() - 1
        if chosen[window] != chosen[window ^ 1 << top].plus(steps[top]):
            raise RoutineError(f"entry {window} of a table is not the sum of what its bits add")
    return Steps(zero, steps)

"""Whole curves in lanes, in every language: formulas, tables, numbers and routines of one plan."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import replace
from typing import TYPE_CHECKING

from efdgen.generator.errors import EfdgenError
from efdgen.generator.fields.printed import TableText
from efdgen.generator.lanes.functions import is_straight
from efdgen.generator.lanes.plan import lane_plan
from efdgen.generator.lanes.render import LaneBundle
from efdgen.generator.lanes.words import lanes_of
from efdgen.generator.planning.equation_routines import parameters_read
from efdgen.generator.planning.lane_powers import UNITY, unity
from efdgen.generator.planning.lane_routines import LaneRoutineText, lifts
from efdgen.generator.planning.tables import comb_table
from efdgen.generator.programs.kernel import Bundle
from efdgen.generator.routines import uses

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from efdgen.generator.fields.claims import Claims
    from efdgen.generator.lanes.text import LaneLanguage
    from efdgen.generator.languages.bindings import Bindings
    from efdgen.generator.options import Machine
    from efdgen.generator.planning.ladder import LadderPlan
    from efdgen.generator.planning.lane_routines import LanePlan
    from efdgen.generator.planning.quotients import Coordinates
    from efdgen.generator.routines.module import Module

WORD_BITS = 64


class Lanes(ABC):
    """Routines in lanes, with the formulas and field functions that they call, announced to readers."""

    language: LaneLanguage

    def __init__(
        self,
        plan: LanePlan | LadderPlan,
        module: Module,
        bindings: Bindings,
        claims: Claims,
        machine: Machine,
    ) -> None:
        self.plan, self.module, self.bindings, self.claims = plan, module, bindings, claims
        self.machine = machine
        self.field = lanes_of(lane_plan(plan.curve.prime, machine))

    @property
    @abstractmethod
    def prefix(self) -> str:
        """The beginning of every name in C."""

    @property
    def routines(self) -> tuple[str, ...]:
        """The names of routines with a body, each after what it calls."""
        return tuple(name for name, routine in self.module.routines.items() if not routine.leaf)

    def bundle(self, path: str, functions: Collection[str]) -> LaneBundle:
        """Return the field's operations and some formulas, by their functions, in a file; they are announced.

        Raises :class:`EfdgenError` for a formula that divides.
        """
        group = self.plan.kernels
        kernels = tuple(kernel for kernel in group.kernels if kernel.function in functions)
        if dividing := [kernel.formula.id for kernel in kernels if not is_straight(kernel)]:
            raise EfdgenError(f"{dividing[0]}: lanes have no divisions and no tests; choose other --coords")
        group = replace(group, kernels=kernels)
        own = Bundle(self.plan.prefix, self.plan.curve.field, (group,), self.plan.command)
        found = LaneBundle(own, self.language, self.machine, inside=path)
        found.announce(self.claims)
        return found

    def announce_routines(self, path: str) -> None:
        """Announce the routines that are functions of a file."""
        given = (self.language, self.prefix, path, self.module, self.routines, self.bindings, self.plan)
        self.claims.announce(LaneRoutineText(*given))

    def element(self, value: int) -> list[int]:
        """Return the limbs of an element, in Montgomery's form where the field is."""
        return self.field.digits(value * self.field.radix % self.field.prime)


class LaneCurve(Lanes):
    """A curve in lanes: its tables, and the numbers that every language prints."""

    plan: LanePlan

    def comb(
        self, path: str, name: str, braces: int, entry: Callable[[Coordinates], list[str]]
    ) -> list[list[str]]:
        """Return the lines of the generator's table, block by block; it is announced by its name in a file.

        ``braces`` are around an element in C.
        """
        rows, half = comb_table(self.plan), 1 << (self.plan.generator.comb.teeth - 1)
        words = tuple(word for row in rows for value in row for word in self.element(value))
        limbs = self.field.limbs if braces else 0
        self.claims.announce(TableText(self.language, (path,), name, WORD_BITS, words, limbs, braces))
        blocks = (rows[at : at + half] for at in range(0, len(rows), half))
        return [[line for row in block for line in entry(row)] for block in blocks]

    def points(self) -> dict[str, Coordinates]:
        """Return the points that routines read, by name."""
        represented = self.plan.representation
        return {"GENERATOR": represented.generator, "IDENTITY": represented.identity}

    def numbers(self) -> Iterator[tuple[str, list[tuple[int, ...]]]]:
        """Yield the rows of words that routines read, each after its name."""
        bodies = [self.module.routines[name].body for name in self.routines]
        for name, constant in self.module.constants.items():
            if isinstance(constant.value, tuple) and any(uses.mentions(body, name) for body in bodies):
                rows = (row for row in constant.value if isinstance(row, tuple))
                yield name, [tuple(word for word in row if isinstance(word, int)) for row in rows]


def plan_elements(plan: LanePlan) -> dict[str, int]:
    """Return the elements that routines in lanes read besides coordinates of points, 0 and 1."""
    found = {"BETA": plan.endomorphism.beta} if plan.endomorphism else {}
    if lifts(plan):
        found |= {f"CURVE_{name.upper()}": value for name, value in parameters_read(plan).items()}
        found[UNITY] = unity(plan.curve.prime)
    return found

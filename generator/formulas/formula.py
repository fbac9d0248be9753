"""The first representation: a formula as its author wrote it, and the meaning of its names.

A :class:`Model` is a shape of curve with its affine laws, a :class:`System` is a way to represent
points on it, a :class:`Map` leads from curves of one model to those of another, a :class:`Kind` is a
signature with laws, and a :class:`Formula` is a list of equations of one kind in one system.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from efdgen.generator.language.syntax import Assignment, Binary, Name, Negative, Number, names_in

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Protocol

    from efdgen.generator.language.syntax import Equation, Expression

    class Printer(Protocol):
        """The printer of a notebook."""

        def text(self, text: str) -> None:
            """Write a text."""


@dataclass(frozen=True)
class Model:
    """A shape of curve: its equations, and the group law in affine coordinates.

    ``addition`` is written in x1, y1, x2, y2, the other laws in x1, y1, ``neutral`` in parameters alone;
    ``neutral`` is empty where the identity is at infinity. ``weierstrass`` holds a0 … a6 of
    the curve a0 v² + a1 uv + a3 v = u³ + a2 u² + a4 u + a6 that ``to_weierstrass`` maps to.
    """

    id: str
    title: str
    parameters: tuple[str, ...]
    coordinates: tuple[str, ...]
    equations: tuple[Equation, ...]
    addition: Mapping[str, Expression]
    doubling: Mapping[str, Expression]
    negation: Mapping[str, Expression]
    neutral: Mapping[str, Expression]
    weierstrass: Mapping[str, Expression]
    to_weierstrass: Mapping[str, Expression]
    from_weierstrass: Mapping[str, Expression]

    @property
    def binary(self) -> bool:
        """Return whether the field has characteristic 2."""
        return self.id.startswith("g12")


@dataclass(frozen=True)
class System:
    """A coordinate system: variables, what they mean, and what it asks of the curve."""

    id: str
    title: str
    model: Model
    parameters: tuple[str, ...]
    assumptions: tuple[Equation, ...]
    variables: tuple[str, ...]
    meanings: tuple[Equation, ...]

    def includes(self, other: System) -> bool:
        """Return whether every point of this system is one of the other too, which asks no more of the curve.

        A formula of the other then serves this one: of Jacobian coordinates, those with a = 0.
        """
        same = (self.model.id, self.variables, self.meanings) == (
            other.model.id,
            other.variables,
            other.meanings,
        )
        return (
            same
            and set(other.assumptions) <= set(self.assumptions)
            and set(other.parameters) <= set(self.parameters)
        )


@dataclass(frozen=True)
class Map:
    """A homomorphism from the curves of one model to those of another, or of the same.

    ``curve`` gives the parameters of the target curve, in those of the source and the map's own; ``image``
    gives the coordinates of a point's image, in its coordinates as well. The map and ``inverse``, one of the
    target's, called with ``inverse_parameters``, take P to ``degree`` · P. ``undo`` is that inverse, without
    an inverse of its own; None in it, and in a map that was read alone.
    """

    id: str
    title: str
    source: str
    model: Model
    target: Model
    parameters: tuple[str, ...]
    assumptions: tuple[Equation, ...]
    curve: Mapping[str, Expression]
    image: Mapping[str, Expression]
    inverse: str
    inverse_parameters: Mapping[str, Expression]
    degree: int = 1
    undo: Map | None = None

    @property
    def name(self) -> str:
        """The last part of the id."""
        return self.id.rpartition("/")[2]

    @cached_property
    def free_parameters(self) -> tuple[str, ...]:
        """The parameters that no assumption mentions: what a target curve can be chosen by."""
        sides = [side for equation in self.assumptions for side in (equation.left, equation.right)]
        tied = {name.text for side in sides for name in names_in(side)}
        return tuple(name for name in self.parameters if name not in tied)


@dataclass(frozen=True)
class Output:
    """A point that a kind puts out, and the group expression over P1, P2, … that it equals."""

    point: int
    law: Expression


@dataclass(frozen=True)
class Shared:
    """A variable that several points have in common: Z, of P1 and P2."""

    variable: str
    points: tuple[int, ...]


@dataclass(frozen=True)
class Kind:
    """A signature with laws: the points that come in, what is known of them, and what comes out.

    ``function`` is the verb that generated functions are called by. A shared variable comes in or goes
    out once, as a coordinate of the first of its points; an implicit one, of some points or of all where none
    is named, neither comes in nor goes out, and the formula says as a ghost what becomes of it. A scalar is a
    value that is handed over beside the points, equal to an expression in their coordinates; a free one is
    any value but 0. With a ``length``, n, a function takes and gives n of each point, and makes the scalars
    that come in, which are inverses, from one inversion.
    """

    id: str
    title: str
    function: str
    inputs: tuple[int, ...]
    given: tuple[Equation, ...]
    outputs: tuple[Output, ...]
    scaled: tuple[int, ...]
    shared: tuple[Shared, ...] = ()
    implicit: tuple[Shared, ...] = ()
    scalars: tuple[Equation, ...] = ()
    free: tuple[str, ...] = ()
    length: str = ""

    @property
    def combines(self) -> bool:
        """Return whether some output is neither an input point nor its negative."""
        return any(not isinstance(output.law, Name | Negative) for output in self.outputs)

    def is_implicit(self, variable: str, point: int) -> bool:
        """Return whether a variable of a point neither comes in nor goes out."""
        return any(i.variable == variable and point in (i.points or (point,)) for i in self.implicit)


@dataclass(frozen=True)
class Formula:
    """Equations, with what they assume; values may be assigned twice, the later one counts.

    ``systems`` are the coordinate systems of the points that are not in the formula's own. ``ghosts`` say
    what implicit coordinates of outputs are; they are proved, and never computed. With a ``map`` every output
    is the image of the point that its law gives. ``hints`` are values that a caller claims to know, each with
    what it has to be; the function reports whether all ``checks`` hold and no value of ``guards`` is 0.
    """

    id: str
    system: System
    kind: Kind
    source: str
    parameters: tuple[str, ...]
    assumptions: tuple[Equation, ...]
    assignments: tuple[Assignment, ...]
    systems: Mapping[int, System] = field(default_factory=dict)
    ghosts: tuple[Assignment, ...] = ()
    map: Map | None = None
    hints: tuple[Equation, ...] = ()
    checks: tuple[Equation, ...] = ()
    guards: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The last part of the id, as the field calls it: ``add-2007-bl``."""
        return self.id.rpartition("/")[2]

    def _repr_pretty_(self, printer: Printer, _cycle: bool) -> None:
        """Write it in a notebook; ``repr`` has all of it, for keys of proofs."""
        printer.text(f"<Formula {self.id}>")

    @cached_property
    def all_parameters(self) -> tuple[str, ...]:
        """Parameters of the model, of the system, of the map and of the formula, in this order."""
        mapped = self.map.parameters if self.map else ()
        return (*self.system.model.parameters, *self.system.parameters, *mapped, *self.parameters)

    @cached_property
    def all_assumptions(self) -> tuple[Equation, ...]:
        """Assumptions of the system, of the map and of the formula, in this order."""
        mapped = self.map.assumptions if self.map else ()
        return (*self.system.assumptions, *mapped, *self.assumptions)

    @cached_property
    def assigned_names(self) -> frozenset[str]:
        """The names that the author gave to values, outputs included."""
        return frozenset(assignment.target for assignment in self.assignments)

    @cached_property
    def input_assumptions(self) -> tuple[Equation, ...]:
        """Assumptions that mention a coordinate of an input: ``Z2 == 1``."""
        return tuple(equation for equation in self.all_assumptions if self._mentions_input(equation))

    def _mentions_input(self, equation: Equation) -> bool:
        sides = (equation.left, equation.right)
        return any(name.text in self.input_coordinates for side in sides for name in names_in(side))

    def system_of(self, point: int) -> System:
        """Return the coordinate system that a point is represented in."""
        return self.systems.get(point, self.system)

    def coordinates(self, point: int) -> dict[str, str]:
        """Return what each variable of a point is called: X2 and Y2, and Z1 where Z is shared with P1."""
        return {
            variable: f"{variable}{self._owner(variable, point)}"
            for variable in self.system_of(point).variables
        }

    def passed_variables(self, point: int) -> tuple[str, ...]:
        """Return the variables of a point that a function takes or gives with it."""
        return tuple(
            variable
            for variable in self.system_of(point).variables
            if not self.kind.is_implicit(variable, point) and self._owner(variable, point) == point
        )

    def _owner(self, variable: str, point: int) -> int:
        for shared in self.kind.shared:
            if shared.variable == variable and point in shared.points:
                return shared.points[0]
        return point

    @cached_property
    def input_coordinates(self) -> tuple[str, ...]:
        """Every coordinate of an input: X1, Y1, Z1, X2, …; implicit ones are included."""
        names = [name for point in self.kind.inputs for name in self.coordinates(point).values()]
        return tuple(dict.fromkeys(names))

    @cached_property
    def input_scalars(self) -> tuple[Equation, ...]:
        """The scalars that come in, each with what it is: ``C1 == (X1 - X2)^2``; hints are the last."""
        known = {*self.input_coordinates, *self.all_parameters}
        return (*(e for e in self.kind.scalars if _names_in(e.right) <= known), *self.hints)

    @cached_property
    def output_scalars(self) -> tuple[Equation, ...]:
        """The scalars that go out, each with what it is."""
        return tuple(equation for equation in self.kind.scalars if equation not in self.input_scalars)

    @cached_property
    def tests(self) -> tuple[Assignment, ...]:
        """Values that the function tests: ``check1``, … must be 0, ``guard1``, … must not."""
        differences = (e.left if e.right == Number(0) else Binary("-", e.left, e.right) for e in self.checks)
        checks = (Assignment(f"check{number}", value) for number, value in enumerate(differences, start=1))
        guards = (
            Assignment(f"guard{number}", Name(name)) for number, name in enumerate(self.guards, start=1)
        )
        return (*checks, *guards)

    @property
    def self_contained(self) -> bool:
        """Return whether the function takes and returns only whole points of the formula's own system."""
        kind = self.kind
        return not (self.systems or kind.implicit or kind.length or self.tests or self._scalar_names)

    @property
    def _scalar_names(self) -> tuple[str, ...]:
        return (*self.scalar_inputs, *self.scalar_outputs)

    @property
    def scalar_inputs(self) -> tuple[str, ...]:
        """Names of the scalars that come in, the free ones last."""
        return (*_targets(self.input_scalars), *self.kind.free)

    @property
    def scalar_outputs(self) -> tuple[str, ...]:
        """Names of the scalars that go out."""
        return _targets(self.output_scalars)

    @cached_property
    def input_names(self) -> tuple[str, ...]:
        """The values that come in: coordinates and scalars."""
        return (*self._passed(self.kind.inputs), *self.scalar_inputs)

    @cached_property
    def output_names(self) -> tuple[str, ...]:
        """The values that go out: coordinates and scalars."""
        points = tuple(output.point for output in self.kind.outputs)
        return (*self._passed(points), *self.scalar_outputs)

    @cached_property
    def implicit_outputs(self) -> tuple[str, ...]:
        """The coordinates of outputs that only ghosts compute."""
        points = [output.point for output in self.kind.outputs]
        names = [name for point in points for name in self.coordinates(point).values()]
        return tuple(name for name in dict.fromkeys(names) if name not in self.output_names)

    def _passed(self, points: tuple[int, ...]) -> tuple[str, ...]:
        return tuple(f"{variable}{point}" for point in points for variable in self.passed_variables(point))


def _names_in(expression: Expression) -> set[str]:
    return {name.text for name in names_in(expression)}


def _targets(equations: tuple[Equation, ...]) -> tuple[str, ...]:
    return tuple(equation.left.text for equation in equations if isinstance(equation.left, Name))


def point_number(name: Name) -> int:
    """Return 3 for ``P3``, the name of a point in a kind's laws; raise ValueError for anything else."""
    if not name.text.startswith("P"):
        raise ValueError(name.text)
    return int(name.text[1:])

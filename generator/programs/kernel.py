"""The third representation: a program ready to be printed as a function.

Values live in places: coordinates of the arguments, curve constants, and numbered temporaries. Every
temporary that an output needs is written before any output is, so an output may be an input.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal, TypeAlias

from efdgen.generator.language.syntax import names_in

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from efdgen.generator.formulas.cost import Cost
    from efdgen.generator.formulas.formula import Formula
    from efdgen.generator.mathematics.ground import Ground
    from efdgen.generator.origin import Origin
    from efdgen.generator.programs.program import Program


@dataclass(frozen=True, slots=True)
class PointType:
    """A structure of field elements: its name in the code, its members, and what they mean.

    ``name`` is ``point`` for a whole representation; a point that is known to have, say, Z = 1 has a
    type of fewer members, ``normalized_point``, and ``fixed`` says which variables have which value.
    ``meaning`` is a text such as ``x = X/Z^2, y = Y/Z^3``. ``system`` says which curves and coordinates the
    point is of where these are not those of the function's group.
    """

    name: str
    members: tuple[str, ...]
    fixed: tuple[tuple[str, int], ...]
    meaning: str
    system: str = ""


@dataclass(frozen=True, slots=True)
class Argument:
    """A point that a function takes or gives: ``p1`` for the formula's P1, its number and its type.

    ``coordinates`` are what the members are called in the formula, X1 and Y1. A scalar has the number 0, and
    a type of one member.
    """

    name: str
    number: int
    type: PointType
    coordinates: tuple[str, ...]

    @property
    def members(self) -> Mapping[str, str]:
        """Return the name in the formula of each member."""
        return dict(zip(self.type.members, self.coordinates, strict=True))


@dataclass(frozen=True, slots=True)
class Coordinate:
    """The place of a coordinate of an input."""

    argument: str
    member: str


@dataclass(frozen=True, slots=True)
class CurveConstant:
    """The place of a constant of the curve; the bundle holds its value."""

    name: str


@dataclass(frozen=True, slots=True)
class Temporary:
    """The place of an intermediate value, a local variable; numbered from 0."""

    number: int


Place: TypeAlias = Coordinate | CurveConstant | Temporary

FieldOperation: TypeAlias = Literal["add", "sub", "neg", "mul", "sqr", "half", "inv", "copy"]


@dataclass(frozen=True, slots=True)
class Step:
    """One field operation on places, as a call of one function of the field.

    ``target`` may be one of the operands. ``text`` is the step as the formula has it: ``U2 = X2*Z1Z1``.
    """

    operation: FieldOperation
    target: Temporary
    operands: tuple[Place, ...]
    text: str


@dataclass(frozen=True, slots=True)
class Store:
    """A copy of a value to a coordinate of an output; all stores are after the last step."""

    argument: str
    member: str
    value: Place


@dataclass(frozen=True, slots=True)
class Test:
    """A value that a function tests: to be 0, or not to be."""

    value: Place
    zero: bool


@dataclass(frozen=True)
class Batch:
    """The shared inversion of a function of n points.

    Each point's ``inverted`` is inverted, and the steps read the result at ``inverse``. Before them,
    ``scratch``, of the point's output, holds the product of the inverted coordinates of the points before it.
    """

    inverted: Coordinate
    inverse: Temporary
    scratch: Coordinate


@dataclass(frozen=True)
class Kernel:
    """A function on points: what its comment says, its arguments, its steps and its stores.

    ``name`` is what the function is called after the bundle's prefix: ``add_mixed``. ``digest`` is the
    sha256 of the formula's text, in hexadecimal; ``proof`` says what the prover returned. ``parameters`` are
    all of the formula's on the curve; ``image`` says what map to another curve it goes through. A
    function with ``tests`` returns whether all of them come out right, and one with a ``batch``, whose steps
    are of one point of n, whether nothing that is inverted is 0. ``program`` is what the steps compute, from
    the coordinates as the formula names them and the constants of the group. ``exceptions`` says on which
    inputs the formula is wrong, and is empty where that is not derived; one that is wrong on some where the
    group operation is defined is ``incomplete``.
    """

    name: str
    formula: Formula
    summary: str
    requires: tuple[str, ...]
    cost: Cost
    cost_emitted: Cost
    digest: str
    proof: str
    program: Program
    inputs: tuple[Argument, ...]
    outputs: tuple[Argument, ...]
    steps: tuple[Step, ...]
    stores: tuple[Store, ...]
    temporaries: int
    parameters: Mapping[str, int] = field(default_factory=dict)
    image: str = ""
    tests: tuple[Test, ...] = ()
    batch: Batch | None = None
    exceptions: str = ""
    incomplete: bool = False

    @property
    def function(self) -> str:
        """The name of its function, which says whether it is incomplete."""
        return f"{self.name}_incomplete" if self.incomplete else self.name

    @property
    def tested(self) -> tuple[str, ...]:
        """The outputs of the program that are tested, not stored."""
        return tuple(test.target for test in self.formula.tests) if self.tests else ()

    def moved(self, places: Mapping[Place, Place]) -> Kernel:
        """Return a kernel that reads some values at other places."""

        def place(old: Place) -> Place:
            return places.get(old, old)

        return replace(
            self,
            steps=tuple(replace(step, operands=tuple(map(place, step.operands))) for step in self.steps),
            stores=tuple(replace(store, value=place(store.value)) for store in self.stores),
            tests=tuple(replace(test, value=place(test.value)) for test in self.tests),
        )

    def places(self) -> Iterator[Place]:
        """Yield every place that steps, stores and tests read."""
        for step in self.steps:
            yield from step.operands
        yield from self.results()

    def results(self) -> Iterator[Place]:
        """Yield the places of values that are stored or tested."""
        yield from (store.value for store in self.stores)
        yield from (test.value for test in self.tests)

    @property
    def inverses(self) -> Mapping[str, str]:
        """The inputs of the program that are inverses of coordinates, by name, with a batch."""
        if self.batch is None:
            return {}
        members = {a.name: a.members for a in self.inputs}[self.batch.inverted.argument]
        (reciprocal,) = self.formula.input_scalars
        (inverse,) = names_in(reciprocal.left)
        return {inverse.text: members[self.batch.inverted.member]}


@dataclass(frozen=True)
class CurveKernels:
    """The kernels of one curve in one coordinate system, with the constants that they read.

    ``constants`` are elements of the field, not in Montgomery form. ``types`` are in order of first use.
    ``namespace`` is between the bundle's prefix and each name; it is empty in a bundle of one group.
    ``binary`` groups are over GF(2^m).
    """

    namespace: str
    curve: str
    system: str
    description: str
    constants: Mapping[str, int]
    types: tuple[PointType, ...]
    kernels: tuple[Kernel, ...]
    binary: bool = False

    def named(self, name: str) -> str:
        """Return the name of a kernel's function, or of a type, in the namespace."""
        functions = {kernel.name: kernel.function for kernel in self.kernels}
        return f"{self.namespace}_{functions.get(name, name)}".lstrip("_")


@dataclass(frozen=True)
class Bundle:
    """Everything that one run of ``compile`` prints: a field and kernels over it.

    ``prefix`` begins every name at file scope. ``command`` is what regenerates the files, and in lines
    below what that command reads. ``claims`` are about multiplications, by the names of their functions.
    """

    prefix: str
    ground: Ground
    groups: tuple[CurveKernels, ...]
    command: Origin
    claims: Mapping[str, str] = field(default_factory=dict)

    @property
    def prime(self) -> int:
        """The prime p, of a field GF(p)."""
        assert not self.ground.is_binary
        return self.ground.prime

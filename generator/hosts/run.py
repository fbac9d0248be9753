"""Execution of the host's rules: every value with its bound, every precondition checked.

This is the independent check of what the solver found, and of aliasing: locations, not values, are what may
not coincide. It knows nothing of how a function was made.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING, Generic, TypeAlias, TypeVar

from efdgen.generator.errors import EfdgenError
from efdgen.generator.hosts.host import EQUAL

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from efdgen.generator.hosts.host import HostOperation
    from efdgen.generator.programs.interpreter import Field

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Local:
    """A variable of the function, by number."""

    number: int


@dataclass(frozen=True, slots=True)
class Member:
    """A coordinate of an argument: ``a`` and the variable ``X``."""

    argument: str
    variable: str

    def __str__(self) -> str:
        return f"{self.variable} of {self.argument}"


@dataclass(frozen=True, slots=True)
class CurveValue:
    """A constant of the curve, which is only read."""

    name: str


@dataclass(frozen=True, slots=True)
class Difference:
    """Two operands of a comparison, by the number of the check: a - b is 0 where it finds them equal."""

    check: int


Location: TypeAlias = Local | Member | CurveValue | Difference


@dataclass(frozen=True, slots=True)
class Line:
    """One call as it is printed: where the operands are and where the results go.

    The first operand of an operation in place is its first target. ``read`` and ``bounds`` are the bounds
    that operands and results are said to have; code may state them. ``texts`` are what the results are. An
    operation without results has one text and the bound of its first operand there.
    """

    operation: HostOperation
    targets: tuple[Location, ...]
    operands: tuple[Location, ...]
    read: tuple[int, ...]
    factor: int
    texts: tuple[str, ...]
    bounds: tuple[int, ...]

    @property
    def text(self) -> str:
        """The expression that the call computes."""
        return ", ".join(self.texts)

    @property
    def stated(self) -> tuple[int, ...]:
        """The bounds of the results, or of the operands where there are no results."""
        return self.bounds if self.targets else self.read


@dataclass(frozen=True, slots=True)
class Bounded(Generic[T]):
    """A value and the largest bound that it can have: certain, or claimed by what is not trusted."""

    value: T
    bound: int
    certain: bool = True


def run_lines(
    lines: Sequence[Line],
    field: Field[T],
    inputs: Mapping[Location, Bounded[T]],
    aliases: Mapping[Location, Location],
    largest: int,
) -> dict[Location, Bounded[T]]:
    """Execute lines and return what every location holds at the end; compared operands leave a difference.

    An operation that relies on a bound reads a certain one, from a trusted operation or a guard. An operand
    with a claimed bound may be any congruent value.

    ``aliases`` says which coordinate of an output is the same object as which of an input. Raises
    :class:`EfdgenError` for the first line that breaks a rule of the host or misstates its bound.
    """
    held = {aliases.get(location, location): value for location, value in inputs.items()}
    for line in lines:
        operation = line.operation
        places = {
            name: aliases.get(place, place)
            for name, place in (
                *zip(operation.results, line.targets, strict=True),
                *zip(operation.operands, line.operands, strict=True),
            )
        }
        _require_apart(line, places)
        missing = [name for name in operation.operands if places[name] not in held]
        if missing or any(isinstance(target, CurveValue) for target in line.targets):
            raise EfdgenError(f"{line.text}: {line.operation.name} reads or writes what it must not")
        operands = {name: held[places[name]] for name in operation.operands}
        held |= _given(line, field, operands, places, largest)
    return held


def _given(
    line: Line,
    field: Field[T],
    operands: Mapping[str, Bounded[T]],
    places: Mapping[str, Location],
    largest: int,
) -> dict[Location, Bounded[T]]:
    """Return what a call writes, or what it leaves if it has no results."""
    operation = line.operation
    said = dict(zip(operation.operands, line.read, strict=True))
    if any(value.bound > said[name] for name, value in operands.items()):
        raise EfdgenError(f"{line.text}: {operation.name} reads more than it says it does")
    bounds = {"k": line.factor, **said}
    for condition in operation.needs:
        if not condition.at(bounds):
            raise EfdgenError(broken(line.text, operation, str(condition), bounds))
    for name in operation.relies_on:
        if not operands[name].certain:
            raise EfdgenError(f"{line.text}: {operation.name} relies on the bound of {name}, a claim")
    if operation.name == EQUAL:
        a, b = (value.value for value in operands.values())
        return {Difference(line.factor): Bounded(field.sub(a, b), 0)}
    if not operation.results:
        return {places[n]: Bounded(operands[n].value, said[n]) for n in operation.guards}
    given: dict[Location, Bounded[T]] = {}
    values = meaning(operation.name, field, [v.value for v in operands.values()], line.factor)
    for index, (name, value) in enumerate(zip(operation.results, values, strict=True)):
        bound, rests = operation.gives[index].at(bounds), operation.rests_on(index)
        if bound > min(line.bounds[index], largest):
            raise EfdgenError(f"{line.text}: a bound of {bound}, not of {min(line.bounds[index], largest)}")
        certain = rests is not None and all(operands[operand].certain for operand in rests)
        given[places[name]] = Bounded(value, bound, certain)
    return given


def broken(text: str, operation: HostOperation, condition: str, bounds: Mapping[str, int]) -> str:
    """Say which line breaks which rule."""
    found = ", ".join(f"{name} = {bound}" for name, bound in bounds.items() if name in operation.operands)
    return f"{text}: {operation.name} needs {condition}, and {found}"


def meaning(name: str, field: Field[T], values: Sequence[T], factor: int) -> tuple[T, ...]:
    """Return what an operation computes; one that restores a bound leaves the value as it is."""
    match name, values:
        case "add", [left, right]:
            return (field.add(left, right),)
        case "sub", [left, right]:
            return (field.sub(left, right),)
        case "add_sub", [left, right]:
            return field.add(left, right), field.sub(left, right)
        case "mul", [left, right]:
            return (field.mul(left, right),)
        case "sqr", [value]:
            return (field.mul(value, value),)
        case "neg", [value]:
            return (field.sub(field.constant(Fraction(0)), value),)
        case "double", [value]:
            return (field.add(value, value),)
        case "mul_int", [value]:
            return (field.mul(field.constant(Fraction(factor)), value),)
        case "half", [value]:
            return (field.mul(field.constant(Fraction(1, 2)), value),)
        case "inv", [value]:
            return (field.inv(value),)
        case "set_int", []:
            return (field.constant(Fraction(factor)),)
        case _, [value]:
            return (value,)
        case _:
            raise ValueError(f"no operation {name} on {len(values)} values")


def _require_apart(line: Line, places: Mapping[str, Location]) -> None:
    operation = line.operation
    if operation.in_place and places["r"] != places["a"]:
        raise EfdgenError(f"{line.text}: {operation.name} works in place, on one location")
    for first, second in (*operation.distinct, *combinations(operation.results, 2)):
        if places[first] == places[second]:
            raise EfdgenError(f"{line.text}: {operation.name} needs {first} and {second} in two places")

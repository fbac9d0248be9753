"""Shapes of points: structures by their members, and whether these represent a given point.

In a system without affine coordinates for the identity, that is any structure whose denominators are 0. It
is *proper* where the members are a limit of those of points: on y^2 = x^3 + … the numerators of x and y go
like t^2 and t^3, or one of them alone is not 0. If x and y share a numerator, points with x*y = 0 have the
coordinates y, x and 0.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from efdgen.generator.language.printer import print_equation
from efdgen.generator.planning.special import shared_numerator
from efdgen.generator.programs.interpreter import evaluate
from efdgen.generator.routines.integers import RoutineError
from efdgen.verify.laws.algebra import Ratio
from efdgen.verify.laws.constraints import Constraints, SeveralCasesError
from efdgen.verify.lemmas.elements import Lawful, Strict

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from efdgen.generator.formulas.formula import System
    from efdgen.generator.planning.plan import CurvePlan
    from efdgen.verify.lemmas.elements import Elements

Affine: TypeAlias = dict[str, Ratio]
"""A point by its affine coordinates."""
Value: TypeAlias = dict[str, Ratio]
"""A structure by its members."""


@dataclass(frozen=True)
class Infinite:
    """The identity where it has no affine coordinates."""

    proper: bool


Point: TypeAlias = Affine | Infinite


@dataclass(frozen=True)
class Shape:
    """A structure for points: its members, their system, and the variables that it leaves out, by value.

    ``lead`` are the members that are not 0 in the proper identity, with their exponents in t, ``zeros`` those
    that are 0 in any identity. ``shared`` is the numerator of both coordinates.

    On a binary curve ``weighted`` are the members of the identity with Z = 1 and their exponents in Z.
    """

    members: tuple[str, ...]
    system: System
    fixed: Mapping[str, int]
    lead: Mapping[str, int]
    zeros: tuple[str, ...]
    shared: str
    weighted: Mapping[str, tuple[int, int]] = field(default_factory=dict)

    def names(self, label: str) -> list[str]:
        """Return the names of a point's coordinates."""
        return [f"{label}.{variable}" for variable in self.system.variables]

    def value(self, elements: Elements, label: str, point: Point, parameters: Mapping[str, Ratio]) -> Value:
        """Return any members that represent a point, in names that its meaning leaves free."""
        if isinstance(point, Infinite):
            return self._infinite(elements, label, point)
        if self._is_special(elements, point):
            return self._special(elements, point)
        names = dict(zip(self.system.variables, self.names(label), strict=True))
        constraints = Constraints(elements, names.values(), ())
        lawful, candidates = Lawful(elements), tuple(names.values())
        for variable, value in self.fixed.items():
            constraints.require(elements.name(names[variable]) - elements.number(value), candidates)
        for meaning in self.system.meanings:
            coordinates = {variable: constraints.values[name] for variable, name in names.items()}
            known = {**parameters, **point, **coordinates}
            left, right = (evaluate(side, lawful, known) for side in (meaning.left, meaning.right))
            try:
                constraints.require(left - right, candidates)
            except SeveralCasesError:
                raise RoutineError(f"coordinates {self.system.id} leave several cases of one point") from None
        for divisor in list(elements.divisors):
            elements.assume(divisor)
        elements.relate(constraints.relations)
        return {member: constraints.values[names[member]] for member in self.members}

    def _infinite(self, elements: Elements, label: str, point: Infinite) -> Value:
        zeros = dict.fromkeys(self.members, elements.zero)
        if self.weighted:
            z = elements.number(1) if "Z" in self.fixed else elements.name(f"{label}.Z")
            elements.assume(z.numerator)
            return {m: elements.number(value) * z**power for m, (value, power) in self.weighted.items()}
        if not point.proper:
            return zeros | {m: elements.name(f"{label}.{m}") for m in self.members if m not in self.zeros}
        t = elements.name(self.names(label)[0])
        elements.assume(t.numerator)
        return zeros | {m: t**power for m, power in self.lead.items()}

    def _is_special(self, elements: Elements, point: Affine) -> bool:
        return bool(self.shared) and any(map(elements.is_zero, point.values()))

    def _special(self, elements: Elements, point: Affine) -> Value:
        one, other = (member for member in self.members if member != self.shared)
        return {one: point["y"], other: point["x"], self.shared: elements.zero}

    def difference(
        self, elements: Elements, value: Value, point: Point, parameters: Mapping[str, Ratio]
    ) -> str:
        """Return how members differ from those of a point, empty where they represent it."""
        return next(self._differences(elements, value, point, parameters), "")

    def _differences(
        self, elements: Elements, value: Value, point: Point, parameters: Mapping[str, Ratio]
    ) -> Iterator[str]:
        missing = [f"{member} is not written" for member in self.members if member not in value]
        if missing:
            yield from missing
            return
        if isinstance(point, Infinite):
            yield from self._from_infinite(elements, value, point)
            return
        if self._is_special(elements, point):
            wanted = self._special(elements, point)
            yield from (f"{m} differs" for m in wanted if not elements.is_zero(wanted[m] - value[m]))
            return
        fixed = {variable: elements.number(number) for variable, number in self.fixed.items()}
        strict, known = Strict(elements), {**parameters, **point, **fixed, **value}
        for meaning in self.system.meanings:
            try:
                left, right = (evaluate(side, strict, known) for side in (meaning.left, meaning.right))
            except ZeroDivisionError:
                yield "a denominator is 0"
                return
            if not elements.is_zero(left - right):
                yield f"{print_equation(meaning)} fails"

    def _from_infinite(self, elements: Elements, value: Value, point: Infinite) -> Iterator[str]:
        if self.weighted:
            z = elements.number(1) if "Z" in self.fixed else value["Z"]
            yield from ["Z is 0"] * elements.is_zero(z)
            for m, (number, power) in self.weighted.items():
                if not elements.is_zero(value[m] - elements.number(number) * z**power):
                    yield f"{m} differs"
            return
        zeros = [m for m in self.members if m in self.zeros or (point.proper and m not in self.lead)]
        yield from (f"{m} is not 0" for m in zeros if not elements.is_zero(value[m]))
        if point.proper:
            yield from (f"{m} is 0" for m in self.lead if elements.is_zero(value[m]))
            (one, power), (other, further) = [*self.lead.items(), ("", 0)][:2]
            if other and not elements.is_zero(value[one] ** further - value[other] ** power):
                yield "the identity is not a limit of points"


def shapes(plan: CurvePlan) -> dict[str, Shape]:
    """Return the shapes of a plan's points, by the names of their types."""
    represented = plan.representation
    numerators = [ratio.numerator for ratio in represented.ratios.values()]
    members = next(kind.members for kind in plan.kernels.types if kind.name == "point")
    kept = [m for m, v in zip(members, represented.identity, strict=True) if v and m in numerators]
    found: dict[str, Shape] = {}
    for kernel in plan.kernels.kernels:
        for argument in (*kernel.inputs, *kernel.outputs):
            if argument.number and argument.type.name not in found:
                own = argument.type
                found[own.name] = Shape(
                    own.members,
                    kernel.formula.system_of(argument.number),
                    dict(own.fixed),
                    {m: numerators.index(m) + 2 if len(kept) == 2 else 1 for m in kept},
                    tuple(m for m in own.members if m not in numerators),
                    shared_numerator(plan) if own.name == "point" else "",
                    _weighted(plan, own.members) if own.name != "affine_point" else {},
                )
    return found


def _weighted(plan: CurvePlan, members: tuple[str, ...]) -> dict[str, tuple[int, int]]:
    """Return the members of the identity on a binary curve and their exponents in Z; X*Z is T."""
    if plan.representation.affine:
        return {}
    identity = dict(zip(_members(plan), plan.representation.identity, strict=True))
    return {m: (identity[m], 1 if m in "XZ" else 2) for m in members}


def _members(plan: CurvePlan) -> tuple[str, ...]:
    return next(kind.members for kind in plan.kernels.types if kind.name == "point")

"""Representation of points in a coordinate system: one representative of each, and all scalings.

Both come from the equations that say what the variables mean: ``x == X/Z^2`` gives X weight 2 where Z
has weight 1, and X = x where Z = 1. If affine coordinates have poles, or the representative has, the
limits of the scaled representatives of the points nearby take their place. There are several where a point
does not determine its coordinates: of ``x*y == A*B/Z^2`` with x = 0, those with A = 0, with B = 0, and with
both.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from itertools import combinations
from math import gcd, lcm
from operator import mul
from typing import TYPE_CHECKING

from efdgen.generator.language.syntax import Binary, Group, Name, Negative, Number, names_in
from efdgen.verify.exceptions.weights import Vector, WeightForms, kernel

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from efdgen.generator.formulas.formula import System
    from efdgen.generator.language.syntax import Equation, Expression
    from efdgen.verify.exceptions.laurent import Laurent

_ONE = "1"

Vanishing = frozenset[str]
"""Variables that are zero together."""


@dataclass(frozen=True)
class Representation:
    """One representative of a general point, and the weights of the scalings that give the others.

    ``section`` gives the variables one after the other as expressions in the affine coordinates, the
    parameters and the variables before. ``scalings`` holds, for each free scale, the weight of every
    variable of the system: a scale s takes X to s^weight·X. Each changes one of the variables that are 1 in
    the section. If all variables of one of the sets ``degenerate`` are zero, nothing is represented:
    scaling by ever smaller numbers leads there from every point.
    """

    section: tuple[tuple[str, Expression], ...]
    scalings: tuple[tuple[int, ...], ...]
    degenerate: tuple[Vanishing, ...]

    @cached_property
    def ones(self) -> tuple[str, ...]:
        """The variables that are 1 in the section, and scale the others."""
        return tuple(variable for variable, value in self.section if value == Number(1))

    @cached_property
    def is_closed(self) -> bool:
        """Return whether all representatives of a point with one in the section are scaled ones."""
        return all(weight > 0 for weights in self.scalings for weight in weights) and len(self.scalings) < 2

    @cached_property
    def affine(self) -> dict[str, str]:
        """The variables that are an affine coordinate in the section, by name, and which."""
        known: dict[str, str] = {}
        for variable, value in self.section:
            known[variable] = _plain(value, known)
        return {variable: text for variable, text in known.items() if text not in ("", _ONE)}


def _plain(value: Expression, known: Mapping[str, str]) -> str:
    """Return the name or the 1 that an expression is when what is 1 is left out; nothing for any other."""
    match value:
        case Name(text):
            return known.get(text, text)
        case Group(inner):
            return _plain(inner, known)
        case Number(1):
            return _ONE
        case Binary("^", base, _):
            return _ONE if _plain(base, known) == _ONE else ""
        case Binary("*" | "/" as operator, left, right):
            a, b = _plain(left, known), _plain(right, known)
            return a if b == _ONE else b if a == _ONE and operator == "*" else ""
    return ""


def representation(system: System) -> Representation:
    """Derive how a system represents points."""
    known = (*system.parameters, *system.model.parameters, *system.model.coordinates)
    return _representation(system.variables, system.meanings, known)


@cache
def _representation(
    variables: tuple[str, ...], meanings: tuple[Equation, ...], known: tuple[str, ...]
) -> Representation:
    section = tuple(_section(variables, meanings).items())
    ones = [variable for variable, value in section if value == Number(1)]
    scalings = tuple(_scalings(variables, meanings, known, ones))
    return Representation(section, scalings, tuple(dict.fromkeys(_degenerate(variables, scalings))))


def limits(known: Representation, near: Mapping[str, Laurent]) -> Iterator[dict[str, int]]:
    """Yield the limits for t to 0 of a representative near a point, scaled by every power of t.

    The powers for which all variables have limits are a polyhedron, and a limit belongs to each of its faces.
    Its corners come first. Only bounded faces represent the point: the others are reached by scaling alone.
    """
    scaled = _Scaled(known.scalings, near)
    corners = sorted({corner: scaled.limit(corner) for corner in scaled.corners()}.items(), key=_values)
    limits_of_corners = [limit for _, limit in corners]
    others = []
    for count in range(2, len(known.scalings) + 2):
        for chosen in combinations([corner for corner, _ in corners], count):
            limit = scaled.limit(tuple(sum(column) / count for column in zip(*chosen, strict=True)))
            vanishing = {variable for variable, value in limit.items() if value == 0}
            if not any(variables <= vanishing for variables in known.degenerate):
                others.append(limit)
    found: list[dict[str, int]] = []
    for limit in (*limits_of_corners, *others):
        if limit not in found:
            found.append(limit)
    yield from found


def _values(corner: tuple[Vector, Mapping[str, int]]) -> list[int]:
    return list(corner[1].values())


class _Scaled:
    """A representative near a point as series in t, scaled by powers of t, one for each scaling."""

    def __init__(self, scalings: Sequence[Sequence[int]], near: Mapping[str, Laurent]) -> None:
        self._near, self._size = near, len(scalings)
        weights = zip(*scalings, strict=True) if scalings else (() for _ in near)
        self._weights = dict(zip(near, weights, strict=True))

    def corners(self) -> Iterator[Vector]:
        """Yield the powers for which all variables have limits, and enough of these are not 0."""
        known = [variable for variable, series in self._near.items() if series.coefficients]
        for corner in combinations(known, self._size):
            power = _solution([(*self._weights[v], self._near[v].valuation) for v in corner])
            if power is not None and min(self._valuations(power).values()) >= 0:
                yield power

    def limit(self, power: Vector) -> dict[str, int]:
        """Return the limits of all variables for a power for which they have some."""
        valuations = self._valuations(power)
        return {
            variable: series.coefficients[0] if valuations[variable] == 0 and series.coefficients else 0
            for variable, series in self._near.items()
        }

    def _valuations(self, power: Vector) -> dict[str, Fraction]:
        return {
            variable: series.valuation + sum(map(mul, self._weights[variable], power), start=Fraction())
            for variable, series in self._near.items()
        }


def _section(variables: Iterable[str], meanings: Sequence[Equation]) -> dict[str, Expression]:
    section: dict[str, Expression] = {}
    while unknown := [variable for variable in variables if variable not in section]:
        solved = next(_solved(meanings, unknown), None)
        name, value = solved or (_freest(meanings, unknown), Number(1))
        section[name] = value
    return section


def _degenerate(variables: Sequence[str], scalings: Sequence[Sequence[int]]) -> Iterator[frozenset[str]]:
    """Yield the smallest sets of variables that vanish where a scaling by 0 changes no other.

    A scaling that multiplies some variables and divides others is none: it has no limit.
    """
    if not scalings:
        return
    columns = zip(*scalings, strict=True)
    weights = {v: tuple(map(Fraction, column)) for v, column in zip(variables, columns, strict=True)}
    for chosen in combinations(weights.values(), len(scalings) - 1):
        free = list(kernel(chosen, len(scalings)))
        powers = {v: sum(map(mul, weight, free[0])) for v, weight in weights.items()} if free else {}
        if len(free) == 1 and (min(powers.values()) >= 0 or max(powers.values()) <= 0):
            yield frozenset(v for v, power in powers.items() if power)


def _solved(equations: Iterable[Equation], unknown: Sequence[str]) -> Iterator[tuple[str, Expression]]:
    """Yield what an unknown is that occurs once in an equation and alone, as far as it can be isolated."""
    for equation in equations:
        for side, other in ((equation.left, equation.right), (equation.right, equation.left)):
            occurring = [name.text for name in names_in(side) if name.text in unknown]
            if len(occurring) == 1 and not any(name.text in unknown for name in names_in(other)):
                value = _isolated(side, occurring[0], other)
                if value is not None:
                    yield occurring[0], value


def _isolated(side: Expression, name: str, value: Expression) -> Expression | None:
    """Solve side = value for a name that occurs once in the side."""
    match side:
        case Name():
            return value
        case Group(inner):
            return _isolated(inner, name, value)
        case Negative(inner):
            return _isolated(inner, name, Negative(value))
        case Binary("^"):
            return None
        case Binary(operator, left, right) if any(found.text == name for found in names_in(left)):
            inverse = {"+": "-", "-": "+", "*": "/", "/": "*"}[operator]
            return _isolated(left, name, Binary(inverse, value, right))  # type: ignore[arg-type]
        case Binary("+" | "*" as operator, left, right):
            return _isolated(right, name, Binary("-" if operator == "+" else "/", value, left))
        case Binary(operator, left, right):
            return _isolated(right, name, Binary(operator, left, value))
    return None


def _freest(equations: Iterable[Equation], unknown: Sequence[str]) -> str:
    """Return the unknown that most equations mention; of these, one that divides: Z rather than X."""
    sides = [(equation.left, equation.right) for equation in equations]
    mentions = [{name.text for side in pair for name in names_in(side)} for pair in sides]
    divisors = {name for pair in sides for side in pair for name in _divisors(side)}
    return max(unknown, key=lambda name: (sum(name in names for names in mentions), name in divisors))


def _divisors(expression: Expression) -> set[str]:
    match expression:
        case Binary("/", left, right):
            return _divisors(left) | {name.text for name in names_in(right)}
        case Binary(_, left, right):
            return _divisors(left) | _divisors(right)
        case Group(inner) | Negative(inner):
            return _divisors(inner)
        case _:
            return set()


def _scalings(
    variables: Sequence[str], meanings: Iterable[Equation], known: Iterable[str], ones: Sequence[str]
) -> Iterator[tuple[int, ...]]:
    """Yield a basis of the weights for which every equation is homogeneous; known values have weight 0.

    Each vector of it is 0 at all of ``ones`` but one, as far as their weights can be chosen freely.
    """
    order = [*(variable for variable in variables if variable not in ones), *ones]
    weights = WeightForms(order)
    names = weights.names() | weights.weightless(known)
    for equation in meanings:
        weights.require(equation, names)
    for vector in kernel(weights.constraints, len(variables)):
        common = lcm(*(entry.denominator for entry in vector))
        whole = [int(entry * common) for entry in vector]
        weight = dict(zip(order, whole, strict=True))
        yield tuple(weight[variable] // gcd(*whole) for variable in variables)


def _solution(rows: Sequence[Sequence[int]]) -> Vector | None:
    """Return the only x with row · (x, 1) = 0 for every row, None if there is not exactly one."""
    size = len(rows)
    basis = list(kernel([tuple(map(Fraction, row)) for row in rows], size + 1))
    if len(basis) != 1 or basis[0][size] == 0:
        return None
    return tuple(entry / basis[0][size] for entry in basis[0][:size])

"""Representation of points in a coordinate system: one representative of each, and all scalings.

Both come from the equations that say what the variables mean: ``x == X/Z^2`` gives X weight 2 where Z
has weight 1, and X = x where Z = 1. Where affine coordinates have poles, or the representative has, the
limits of the scaled representatives of the points nearby take their place.
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
    variable of the system: a scale s takes X to s^weight·X. Where all variables of one of the sets
    ``degenerate`` are zero, a scaling changes nothing, and nothing is represented.
    """

    section: tuple[tuple[str, Expression], ...]
    scalings: tuple[tuple[int, ...], ...]
    degenerate: tuple[Vanishing, ...]

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
    scalings = tuple(_scalings(variables, meanings, known))
    section = tuple(_section(variables, meanings).items())
    return Representation(section, scalings, tuple(_degenerate(variables, scalings)))


def limits(variables: Sequence[Laurent], scalings: Sequence[Sequence[int]]) -> Iterator[tuple[int, ...]]:
    """Yield the limits for t to 0 of a representative near a point, scaled by every power of t.

    Only limits that no scaling fixes are representatives: coordinates that are all zero represent nothing.
    """
    valuations = [series.valuation for series in variables]
    weights = list(zip(*scalings, strict=True)) if scalings else [() for _ in variables]
    found = set()
    known = [index for index, series in enumerate(variables) if series.coefficients]
    for corner in combinations(known, len(scalings)):
        power = _solution([(*weights[i], valuations[i]) for i in corner])
        if power is None:
            continue
        scaled = [
            v + sum(w * k for w, k in zip(weight, power, strict=True))
            for v, weight in zip(valuations, weights, strict=True)
        ]
        if min(scaled) >= 0:
            found.add(
                tuple(
                    series.coefficients[0] if v == 0 and series.coefficients else 0
                    for v, series in zip(scaled, variables, strict=True)
                )
            )
    yield from sorted(found)


def _section(variables: Iterable[str], meanings: Sequence[Equation]) -> dict[str, Expression]:
    section: dict[str, Expression] = {}
    while unknown := [variable for variable in variables if variable not in section]:
        solved = next(_solved(meanings, unknown), None)
        name, value = solved or (_freest(meanings, unknown), Number(1))
        section[name] = value
    return section


def _degenerate(variables: Sequence[str], scalings: Sequence[Sequence[int]]) -> Iterator[frozenset[str]]:
    """Yield the smallest sets of variables without which the weights of the others leave a scaling free."""
    if not scalings:
        return
    columns = zip(*scalings, strict=True)
    weights = {v: tuple(map(Fraction, column)) for v, column in zip(variables, columns, strict=True)}
    for chosen in combinations(weights.values(), len(scalings) - 1):
        free = list(kernel(chosen, len(scalings)))
        if len(free) == 1:
            yield frozenset(v for v, weight in weights.items() if sum(map(mul, weight, free[0])))


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
    variables: Sequence[str], meanings: Iterable[Equation], known: Iterable[str]
) -> Iterator[tuple[int, ...]]:
    """Yield a basis of the weights for which every equation is homogeneous, where what is known has none."""
    weights = WeightForms(variables)
    names = weights.names() | weights.weightless(known)
    for equation in meanings:
        weights.require(equation, names)
    for vector in kernel(weights.constraints, len(variables)):
        common = lcm(*(entry.denominator for entry in vector))
        whole = [int(entry * common) for entry in vector]
        divisor = gcd(*whole) * (-1 if sum(whole) < 0 else 1)
        yield tuple(entry // divisor for entry in whole)


def _solution(rows: Sequence[Sequence[int]]) -> Vector | None:
    """Return the only x with row · (x, 1) = 0 for every row, None if there is not exactly one."""
    size = len(rows)
    basis = list(kernel([tuple(map(Fraction, row)) for row in rows], size + 1))
    if len(basis) != 1 or basis[0][size] == 0:
        return None
    return tuple(entry / basis[0][size] for entry in basis[0][:size])

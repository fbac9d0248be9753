"""Agreement of the two sides: lanes of trials that lie on a component of the degenerate locus."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from efdgen.verify.exceptions.locus import DegenerateLocus
    from efdgen.verify.exceptions.tiny_field import TinyField
    from efdgen.verify.exceptions.trials import Trials
    from efdgen.verify.laws.algebra import Polynomial


def lanes_on(locus: DegenerateLocus, trials: Trials, parameters: Mapping[str, int]) -> list[frozenset[int]]:
    """Return for each component the lanes of unscaled representatives that lie on it."""
    lanes = len(trials.row_of_lane)
    columns = {name: [value] * lanes for name, value in parameters.items()} | trials.columns
    in_chart: dict[Sequence[Polynomial], list[int]] = {}
    found = []
    for component in locus.components:
        if component.chart not in in_chart:
            in_chart[component.chart] = _zeros(locus, component.chart, trials, columns, trials.unscaled)
        own = _zeros(locus, component.own, trials, columns, in_chart[component.chart])
        found.append(frozenset(own))
    return found


def _zeros(
    locus: DegenerateLocus,
    polynomials: Iterable[Polynomial],
    trials: Trials,
    columns: Mapping[str, Sequence[int]],
    lanes: Iterable[int],
) -> list[int]:
    """Return the lanes in which polynomials are zero."""
    field, left = trials.curve.field, list(lanes)
    for polynomial in polynomials:
        terms = [
            (field.constant(Fraction(coefficient)), [(columns[name], exponent) for name, exponent in powers])
            for coefficient, powers in (locus.terms(polynomial) if left else ())
        ]
        left = [lane for lane in left if _value(field, terms, lane) == 0]
    return left


def _value(field: TinyField, terms: Iterable[tuple[int, list[tuple[Sequence[int], int]]]], lane: int) -> int:
    total = 0
    for constant, powers in terms:
        value = constant
        for column, exponent in powers:
            value = field.products[value][field.powers[column[lane]][exponent]]
        total = field.sums[total][value]
    return total

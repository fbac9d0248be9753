"""Curves without certain inputs: no points of order 2, or none at infinity."""

from __future__ import annotations

from functools import cache
from itertools import islice
from operator import not_
from typing import TYPE_CHECKING

from efdgen.verify.exceptions.condition import ALWAYS, NEVER, Condition, simplest
from efdgen.verify.exceptions.features import features
from efdgen.verify.exceptions.labels import free_points, labels
from efdgen.verify.exceptions.laboratory import solutions

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from efdgen.generator.formulas.formula import Formula, Kind
    from efdgen.verify.exceptions.predicates import Predicate
    from efdgen.verify.exceptions.specimen import Specimen
    from efdgen.verify.exceptions.tiny_curve import TinyCurve


def condition_without(
    formula: Formula,
    exceptions: Sequence[Predicate],
    unrepresentable: Mapping[int, Sequence[Predicate]],
    specimens: Sequence[Specimen],
) -> Condition:
    """Return on which curves no inputs are exceptional, judged by specimens.

    If the inputs themselves follow no simple condition, the result is one under which no point at all has the
    property that the exceptions name. Conditions on the curve's parameters come first, then those that name
    parameters of the system and the formula too, whose values follow from the curve's.
    """
    if not exceptions:
        return ALWAYS
    exist = [_exist(formula.kind, exceptions, unrepresentable, specimen) for specimen in specimens]
    anywhere = [any(predicate.points(specimen) for predicate in exceptions) for specimen in specimens]
    for names in (formula.system.model.parameters, _determined(formula, specimens)):
        known = [_features(s.curve, tuple((name, s.parameters[name]) for name in names)) for s in specimens]
        for judged in (exist, anywhere):
            condition = simplest(zip(known, map(not_, judged), strict=True))
            if condition is not None:
                return condition
    return NEVER


def _determined(formula: Formula, specimens: Iterable[Specimen]) -> list[str]:
    """Return the curve's parameters, then others that an assumption gives one value on every specimen.

    A specimen has one value of the others, so that what follows from them is not known of other values.
    """
    curve = formula.system.model.parameters
    found = list(curve)
    for name in formula.all_parameters[len(curve) :]:
        own = (
            solutions([name], formula.all_assumptions, s.curve.field, s.curve.parameters) for s in specimens
        )
        if all(len(list(islice(values, 2))) == 1 for values in own):
            found.append(name)
    return found


def _exist(
    kind: Kind,
    exceptions: Iterable[Predicate],
    unrepresentable: Mapping[int, Sequence[Predicate]],
    specimen: Specimen,
) -> bool:
    """Return whether a curve has inputs that are exceptional.

    Several free points can be chosen around those that have no representative, except on a tiny curve. A
    single free point cannot.
    """
    group, free = specimen.curve.group, free_points(kind)
    everything = range(len(group))
    for predicate in exceptions:
        wanted = predicate.points(specimen)
        if len(free) == 1 and predicate.labels:
            (number,), (label,) = free, predicate.labels
            missing = frozenset[int]().union(*(name.points(specimen) for name in unrepresentable[number]))
            images = group.evaluate(labels(kind)[label], {number: list(everything)})
            wanted = frozenset(p for p in everything if images[p] in wanted and p not in missing)
        if wanted:
            return True
    return False


@cache
def _features(curve: TinyCurve, parameters: tuple[tuple[str, int], ...]) -> dict[str, bool]:
    return features(curve.field, dict(parameters), len(curve.group))

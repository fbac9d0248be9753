"""Curves without certain inputs: no points of order 2, or none at infinity."""

from __future__ import annotations

from functools import cache
from operator import not_
from typing import TYPE_CHECKING

from efdgen.verify.exceptions.condition import ALWAYS, NEVER, Condition, simplest
from efdgen.verify.exceptions.features import features
from efdgen.verify.exceptions.labels import free_points, labels

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from efdgen.generator.formulas.formula import Kind
    from efdgen.verify.exceptions.predicates import Predicate
    from efdgen.verify.exceptions.specimen import Specimen
    from efdgen.verify.exceptions.tiny_curve import TinyCurve


def condition_without(
    kind: Kind,
    exceptions: Sequence[Predicate],
    unrepresentable: Mapping[int, Sequence[Predicate]],
    specimens: Sequence[Specimen],
) -> Condition:
    """Return on which curves no inputs are exceptional, judged by specimens.

    If the inputs themselves follow no simple condition, the result is one under which no point at all has the
    property that the exceptions name.
    """
    if not exceptions:
        return ALWAYS
    exist = [_exist(kind, exceptions, unrepresentable, specimen) for specimen in specimens]
    anywhere = [any(predicate.points(specimen) for predicate in exceptions) for specimen in specimens]
    known = [_features(specimen.curve) for specimen in specimens]
    conditions = (simplest(zip(known, map(not_, judged), strict=True)) for judged in (exist, anywhere))
    return next(filter(None, conditions), NEVER)


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
def _features(curve: TinyCurve) -> dict[str, bool]:
    return features(curve.field, curve.parameters, len(curve.group))

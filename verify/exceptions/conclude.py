"""Conclusions about a formula: its exceptional inputs, and the curves without any."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, TypeAlias

from efdgen.generator.language.syntax import Binary
from efdgen.generator.programs.lower import lower
from efdgen.verify.exceptions.completeness import condition_without
from efdgen.verify.exceptions.conclusion import Conclusion
from efdgen.verify.exceptions.condition import NEVER
from efdgen.verify.exceptions.group import NEUTRAL
from efdgen.verify.exceptions.homogeneity import is_homogeneous
from efdgen.verify.exceptions.investigation import Investigation, Observation
from efdgen.verify.exceptions.labels import DIFFERENCE, SUM, free_points, input_labels
from efdgen.verify.exceptions.laboratory import Laboratory
from efdgen.verify.exceptions.naming import fewest, joined
from efdgen.verify.exceptions.predicates import Predicate, finer_predicates, predicates, relations
from efdgen.verify.exceptions.random_points import require_right
from efdgen.verify.laws.acceptance import prove_tests

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from efdgen.generator.formulas.formula import Formula
    from efdgen.verify.exceptions.locus import Component
    from efdgen.verify.exceptions.predicates import Relation
    from efdgen.verify.exceptions.trials import Rows

    Name: TypeAlias = Predicate | Relation


def conclude(formula: Formula) -> Conclusion:
    """Derive the exceptional inputs of a formula whose law is proved.

    Raises :class:`EfdgenError` where the two ways to do so do not agree, or if there is no tiny curve.
    """
    prime = require_right(formula)
    study = Investigation(formula, _laboratory())
    named, nameless = _exceptions(study)
    described = {study.locus.description(c): study.locus.on_parameters(c) for c in nameless}
    unrepresentable = {number: _unrepresentable(study, number) for number in formula.kind.inputs}
    plain = [name for name in named if isinstance(name, Predicate)]
    tests_hints = not (formula.checks and prove_tests(formula, lower(formula)).curves)
    certain = len(plain) == len(named) and not described and tests_hints
    return Conclusion(
        exceptions=(*(name.text for name in named), *described),
        unrepresentable=tuple(
            dict.fromkeys(name.text for names in unrepresentable.values() for name in names)
        ),
        unified=_unified(study),
        complete=condition_without(formula, plain, unrepresentable, study.specimens) if certain else NEVER,
        homogeneous=all(map(is_homogeneous, study.loci))
        and all(o.outcome.homogeneous for o in study.observations),
        tried_over=_fields(study, prime),
        curves=(
            *((name.text, (((1, ((name.property.coordinate, 1),)),),)) for name in plain if not name.labels),
            *((text, polynomials) for text, polynomials in described.items() if polynomials),
        ),
    )


def _fields(study: Investigation, prime: int | None) -> tuple[str, ...]:
    """Return the fields of the tiny curves, and the large one that random points are over."""
    orders = sorted({specimen.curve.field.order for specimen in study.specimens})
    return tuple(f"GF({order})" for order in (*orders, *([] if prime is None else [prime])))


@cache
def _laboratory() -> Laboratory:
    return Laboratory()


def _exceptions(study: Investigation) -> tuple[list[Name], list[Component]]:
    """Return the names of the wrong inputs, and the components of those that have no name."""
    formula, wrong = study.formula, study.joined(o.outcome.wrong for o in study.observations)
    components = list(study.components())
    # Curves on which every input is wrong say nothing about the inputs on others.
    everywhere = study.joined(o.outcome.wrong if _is_exceptional(study, o) else 0 for o in study.observations)
    candidates = list(predicates(formula)) if wrong else []
    curves, left = fewest(_rows(study, [p for p in candidates if not p.labels]), everywhere)
    names: list[Name] = [p for p in candidates if p.labels]
    named, others = fewest(_elsewhere(study, names, wrong, everywhere), wrong & ~everywhere)
    for further in (relations, finer_predicates):
        if others:
            names += further(formula)
            named, others = fewest(_elsewhere(study, names, wrong, everywhere), wrong & ~everywhere)
    left |= others
    nameless, _ = fewest({index: rows & left for index, (_, rows) in enumerate(components)}, left)
    return [*curves, *named], [*(components[i][0] for i in nameless), *study.unseen]


def _is_exceptional(study: Investigation, observation: Observation) -> bool:
    """Return whether every input is wrong on a curve, because of its parameters."""
    parts = zip(study.locus.components, observation.on_component, strict=True)
    return observation.outcome.wrong == observation.trials.all_rows and any(
        rows and study.locus.is_of_curves(component) for component, rows in parts
    )


def _elsewhere(
    study: Investigation, candidates: Sequence[Name], wrong: Rows, everywhere: Rows
) -> dict[Name, Rows]:
    """Return the rows of names for wrong inputs, except for those on curves where every input is wrong."""
    named = _rows(study, candidates).items()
    return {name: rows & ~everywhere for name, rows in named if not rows & ~wrong}


def _rows(study: Investigation, candidates: Sequence[Name]) -> dict[Name, Rows]:
    return {name: study.joined(name.rows(o.trials) for o in study.observations) for name in candidates}


def _unrepresentable(study: Investigation, number: int) -> list[Predicate]:
    """Return names for the points that cannot be given as an input."""
    label = input_labels(study.formula.kind)[number]
    candidates = [p for p in predicates(study.formula) if p.labels == (label,) and not p.of_image]

    trials = [o.trials for o in study.observations]

    def everywhere(points: Iterable[Iterable[int]]) -> Rows:
        sets = (sum(1 << point for point in own) for own in points)
        return joined(zip(sets, (len(t.curve.group) for t in trials), strict=True))

    names = {p: everywhere(p.points(t.specimen) for t in trials) for p in candidates}
    missing = everywhere(t.missing(number) for t in trials)
    plainest = next(iter(names))
    neutral = [plainest] if names[plainest] & ~missing == 0 else []
    return list(dict.fromkeys((*neutral, *fewest(names, missing)[0])))


def _unified(study: Investigation) -> bool | None:
    """Return whether some equal points are added; one correct addition implies it in general."""
    kind = study.formula.kind
    if kind.given or len(free_points(kind)) != 2:
        return None
    subtracts = any(isinstance(o.law, Binary) and o.law.operator == "-" for o in kind.outputs[:1])
    label = SUM if subtracts else DIFFERENCE
    return any(o.trials.where(label, [NEUTRAL]) & ~o.outcome.wrong for o in study.observations)

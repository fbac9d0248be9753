"""The single edits of a step that make a false formula provable.

Edits are tried in integers first, on a few inputs over a large prime field; of those that are right there the
law is proved. So most of some thousand edits cost a fraction of a millisecond.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from random import Random
from typing import TYPE_CHECKING

from efdgen.generator.curves.instantiate import find_curve, suitable_prime
from efdgen.generator.errors import EfdgenError
from efdgen.generator.formulas.edits import edits
from efdgen.generator.language.printer import print_expression
from efdgen.generator.programs.interpreter import PrimeField, evaluate
from efdgen.generator.programs.lower import lower
from efdgen.verify.curve_trial import CurveTrial
from efdgen.verify.laws.law import prove_law
from efdgen.verify.refutation.refutation import Repair
from efdgen.verify.verdicts import judge

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from efdgen.generator.curves.affine import Point
    from efdgen.generator.formulas.formula import Formula
    from efdgen.generator.language.syntax import Assignment

_BITS = 61
_INPUTS = 3
_MOST = 3
"""How many repairs are looked for."""


def repairs(formula: Formula) -> list[Repair]:
    """Return the first few edits that make a formula provable, at most one of each step, in order."""
    if formula.system.model.binary:
        return []
    try:
        trial = _Trial(formula)
    except EfdgenError:
        return []
    return list(islice((_repair(formula, *edited) for edited in _proved(formula, trial)), _MOST))


def _repair(formula: Formula, number: int, step: Assignment) -> Repair:
    old = formula.assignments[number]
    texts = (f"{a.target} = {print_expression(a.value)}" for a in (old, step))
    return Repair(old.at.line, *texts)


def _proved(formula: Formula, trial: _Trial) -> Iterator[tuple[int, Assignment]]:
    known = [*formula.input_names, *formula.all_parameters]
    for number, step in enumerate(formula.assignments):
        for value in edits(step.value, list(dict.fromkeys(known))):
            edited = replace(step, value=value)
            steps = (*formula.assignments[:number], edited, *formula.assignments[number + 1 :])
            if trial.is_right(steps) and _is_proved(replace(formula, assignments=steps)):
                yield number, edited
                break
        known.append(step.target)


def _is_proved(formula: Formula) -> bool:
    def prove() -> None:
        prove_law(formula, lower(formula))

    return judge(prove)[0] == "proved"


class _Trial:
    """A few inputs over a large prime field, on which the steps of a formula are run as they stand."""

    def __init__(self, formula: Formula) -> None:
        self._formula, self._prime = formula, suitable_prime(_BITS)
        self._field = PrimeField(self._prime)
        parameters = find_curve(formula, self._prime, Random(0))
        self._trial = CurveTrial(formula, lower(formula), self._prime, parameters)
        self._cases: list[tuple[dict[str, int], Mapping[int, Point]]] = []
        for points in self._trial.points():
            for names in islice(self._trial.inputs(points), 1):
                self._cases.append(({**parameters, **names}, self._trial.expected(points)))
            if len(self._cases) == _INPUTS:
                return

    def is_right(self, steps: Sequence[Assignment]) -> bool:
        """Whether steps give the right points for every input."""
        return all(self._gives(steps, names, expected) for names, expected in self._cases)

    def _gives(
        self, steps: Sequence[Assignment], names: Mapping[str, int], expected: Mapping[int, Point]
    ) -> bool:
        values = dict(names)
        try:
            for step in (*steps, *self._formula.ghosts):
                values[step.target] = evaluate(step.value, self._field, values)
        except ZeroDivisionError:
            return False
        return not self._trial.wrong_points(values, expected)

"""The single edits of a step that make a false formula provable.

Edits are tried in integers first, on a few inputs over a large prime field, or over tiny binary ones; of
those that are right there the law is proved. So most of some thousand edits cost a fraction of a millisecond.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from itertools import islice
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from efdgen.generator.curves.instantiate import find_curve, suitable_prime
from efdgen.generator.errors import EfdgenError
from efdgen.generator.formulas.edits import edits
from efdgen.generator.language.printer import print_expression
from efdgen.generator.mathematics.prime import PrimeField
from efdgen.generator.programs.interpreter import evaluate
from efdgen.generator.programs.lower import lower
from efdgen.verify.curve_trial import CurveTrial
from efdgen.verify.laws.acceptance import prove_tests
from efdgen.verify.laws.law import prove_law
from efdgen.verify.refutation.binary import binary_cases
from efdgen.verify.refutation.refutation import Repair
from efdgen.verify.verdicts import judge

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from efdgen.generator.formulas.formula import Formula
    from efdgen.generator.language.syntax import Assignment
    from efdgen.generator.programs.interpreter import Field

_BITS = 61
_INPUTS = 3
_BINARY_INPUTS = 30
_MOST = 3
"""Number of repairs to search for."""


def repairs(formula: Formula) -> tuple[Repair, ...] | None:
    """Return the first few edits that make a formula provable, at most one of each step, in order.

    None where no inputs are found to try edits on.
    """
    try:
        trial = _Trial(formula)
    except EfdgenError:
        return None
    return tuple(islice((_repair(formula, *edited) for edited in _proved(formula, trial)), _MOST))


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
        program = lower(formula)
        prove_law(formula, program)
        prove_tests(formula, program)

    return judge(prove)[0] == "proved"


class _Case(NamedTuple):
    """Inputs and parameters in some field, and what tells which outputs are wrong."""

    field: Field[int]
    values: Mapping[str, int]
    wrong_points: Callable[[Mapping[str, int]], Sequence[int]]


class _Trial:
    """A few inputs on which the steps of a formula are run as they are."""

    def __init__(self, formula: Formula) -> None:
        self._formula = formula
        # In a tiny field a right formula meets exceptional inputs, and a wrong one is right now and then.
        self._cases, self._most_wrong = (
            (_binary_cases(formula), _BINARY_INPUTS // 3)
            if formula.system.model.binary
            else (_prime_cases(formula), 0)
        )

    def is_right(self, steps: Sequence[Assignment]) -> bool:
        """Return whether steps give the right points for every input, or for almost all in tiny fields."""
        wrong = (case for case in self._cases if not self._gives(steps, case))
        return len(list(islice(wrong, self._most_wrong + 1))) <= self._most_wrong

    def _gives(self, steps: Sequence[Assignment], case: _Case) -> bool:
        values = dict(case.values)
        try:
            for step in (*steps, *self._formula.ghosts):
                values[step.target] = evaluate(step.value, case.field, values)
        except ZeroDivisionError:
            return False
        return not case.wrong_points(values)


def _prime_cases(formula: Formula) -> list[_Case]:
    """Return inputs over a large prime field."""
    field = PrimeField(suitable_prime(_BITS))
    parameters = find_curve(formula, field, Random(0))
    trial = CurveTrial(formula, lower(formula), field, parameters)
    found: list[_Case] = []
    for points in trial.points():
        for names in islice(trial.inputs(points), 1):
            wrong = partial(trial.wrong_points, expected=trial.expected(points))
            found.append(_Case(field, {**parameters, **names}, wrong))
        if len(found) == _INPUTS:
            break
    return found


def _binary_cases(formula: Formula) -> list[_Case]:
    """Return inputs over the largest of the tiny binary fields, from all over its curves."""
    cases = list(binary_cases(formula))
    most = max((case.field.order for case in cases), default=0)
    largest = [case for case in cases if case.field.order == most]
    chosen = largest[:: max(1, len(largest) // _BINARY_INPUTS)][:_BINARY_INPUTS]
    return [_Case(case.field, case.names, case.wrong_points) for case in chosen]

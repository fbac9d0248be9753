"""Comparison of two codes of one formula, with the first value that differs."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from efdgen.generator.programs.interpreter import evaluate

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from efdgen.generator.formulas.formula import Formula
    from efdgen.generator.language.syntax import Assignment
    from efdgen.verify.laws.algebra import Ratio
    from efdgen.verify.laws.generic import GenericInstance


def first_difference(
    instances: Sequence[GenericInstance], formula: Formula, code: Formula
) -> Assignment | None:
    """Return the first assignment of ``code`` that gives a name another value than ``formula`` does.

    None where all outputs are the same rational functions modulo the relations. A name that is assigned
    several times is compared time by time. Raises ZeroDivisionError where either divides by zero.
    """
    differences = (_first_difference(instance, formula, code) for instance in instances)
    return next(filter(None, differences), None)


def _first_difference(instance: GenericInstance, formula: Formula, code: Formula) -> Assignment | None:
    expected: dict[str, list[Ratio]] = defaultdict(list)
    for assignment, value in _values(instance, formula):
        expected[assignment.target].append(value)
    times: Counter[str] = Counter()
    first: Assignment | None = None
    outputs = {}
    for assignment, value in _values(instance, code):
        name = assignment.target
        if name in formula.output_names:
            outputs[name] = assignment, value
        if first is None and times[name] < len(expected[name]):
            first = None if instance.field.equal(value, expected[name][times[name]]) else assignment
        times[name] += 1
    wrong = (a for name, (a, value) in outputs.items() if not instance.field.equal(value, expected[name][-1]))
    last = next(wrong, None)
    return last and (first or last)


def _values(instance: GenericInstance, formula: Formula) -> Iterator[tuple[Assignment, Ratio]]:
    values = {**instance.parameters, **instance.inputs}
    for assignment in formula.assignments:
        values[assignment.target] = evaluate(assignment.value, instance.field, values)
        yield assignment, values[assignment.target]

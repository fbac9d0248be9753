"""The smallest input on which a formula is wrong, over the smallest field that has one."""

from __future__ import annotations

from itertools import combinations, islice
from typing import TYPE_CHECKING

from efdgen.generator.curves.affine import INFINITY, Undefined
from efdgen.generator.curves.instantiate import parameter_assumptions
from efdgen.generator.curves.weierstrass import is_singular
from efdgen.generator.mathematics.prime import PrimeField
from efdgen.generator.programs.lower import lower
from efdgen.generator.programs.solve import solutions
from efdgen.verify.curve_trial import CurveTrial
from efdgen.verify.refutation.binary import binary_cases, distinct
from efdgen.verify.refutation.refutation import Counterexample

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from efdgen.generator.curves.affine import AffineCurve, Point
    from efdgen.generator.formulas.formula import Formula
    from efdgen.generator.programs.program import Program
    from efdgen.verify.exceptions.tiny_field import TinyField
    from efdgen.verify.refutation.binary import BinaryCase

_PRIMES = (5, 7, 11, 13, 17, 19, 23, 29, 31, 37)
_CURVES = 40
"""Number of curves to try over one field."""
_DEGENERATE = 100
"""Number of counterexamples to examine for one with a point as result."""
_MOST = 20_000
"""Largest number of choices of points to try."""


def smallest_counterexample(formula: Formula, excluded: Sequence[int]) -> Counterexample | None:
    """Return the first counterexample in the order of fields, parameters, points and representatives.

    None if there is none among the first choices of points. Inputs at which right formulas may fail too
    are not taken: equal or opposite points, points of order 2; nor ``excluded`` primes; nor those for which
    nothing comes out that represents a point, unless that is so of the first that are found.
    """
    if formula.system.model.binary:
        return _telling(filter(None, map(failure, binary_cases(formula))))
    primes = (prime for prime in _PRIMES if prime not in excluded)
    choices = ((t, points) for prime in primes for t in trials(formula, prime) for points in t.points())
    return _telling(c for trial, points in islice(choices, _MOST) for c in failures(trial, points))


def _telling(found: Iterable[Counterexample]) -> Counterexample | None:
    """Return the first counterexample in which a point comes out, or else the first of all."""
    first = None
    for example in islice(found, _DEGENERATE):
        if example.found or not example.wrong:
            return example
        first = first or example
    return first


def failure(case: BinaryCase) -> Counterexample | None:
    """Return a case as a counterexample, if it is one."""
    try:
        outputs = case.outputs()
        wrong = case.wrong_points({**case.names, **outputs})
    except ZeroDivisionError:
        outputs, wrong = None, list(case.expected)
    if not wrong:
        return None
    degree = case.field.order.bit_length() - 1
    return Counterexample(
        2,
        case.parameters,
        case.points,
        case.inputs,
        outputs,
        case.expected,
        tuple(wrong),
        degree=degree,
        modulus=_modulus(case.field, degree),
        found=_found(case, case.names, outputs, wrong),
    )


def _found(
    trial: CurveTrial | BinaryCase,
    names: Mapping[str, int],
    outputs: Mapping[str, int] | None,
    wrong: Sequence[int],
) -> dict[int, Point]:
    """Return the affine points that wrong outputs represent, by their numbers."""
    if outputs is None:
        return {}
    points = {number: trial.affine({**names, **outputs}, number) for number in wrong}
    return {number: point for number, point in points.items() if point is not None}


def _modulus(field: TinyField, degree: int) -> str:
    """Write what the power of t is that is the first to be reduced: ``t^3 = t + 1``."""
    reduced = field.mul(2, field.order >> 1)
    powers = [power for power in range(degree - 1, -1, -1) if reduced >> power & 1]
    terms = ["1" if power == 0 else "t" if power == 1 else f"t^{power}" for power in powers]
    return f"t^{degree} = {' + '.join(terms)}"


def trials(formula: Formula, prime: int) -> Iterator[CurveTrial]:
    """Yield the formula on curves over GF(p)."""
    names, program, field, made = formula.all_parameters, lower(formula), PrimeField(prime), 0
    for values in solutions(parameter_assumptions(formula), {}, names, field, lambda _: range(prime)):
        if trial := _trial(formula, program, field, {name: values[name] for name in names}):
            yield trial
            made += 1
        if made == _CURVES:
            return


def _trial(
    formula: Formula, program: Program, field: PrimeField, parameters: Mapping[str, int]
) -> CurveTrial | None:
    """Return the formula on one curve; None if there is none, or none that the formula's map leads to."""
    if is_singular(formula.system.model, field, parameters):
        return None
    try:
        return CurveTrial(formula, program, field, parameters)
    except ZeroDivisionError:
        return None


def failures(trial: CurveTrial, points: Mapping[int, Point]) -> Iterator[Counterexample]:
    """Yield the counterexamples among representatives of some points."""
    expected = expected_points(trial, points)
    for names in trial.inputs(points) if expected else ():
        assert expected is not None
        failed: list[str] = []
        try:
            outputs = trial.outputs(names)
            if any(outputs[t.target] == 0 for t in trial.formula.tests if t.target.startswith("guard")):
                continue  # the function reports it
            wrong = trial.wrong_points({**trial.parameters, **names, **outputs}, expected)
            failed = trial.failures(names, outputs)
        except ZeroDivisionError:
            outputs, wrong = None, list(expected)
        if wrong or failed:
            yield Counterexample(
                trial.prime,
                trial.parameters,
                points,
                names,
                outputs,
                expected,
                tuple(wrong),
                tuple(failed),
                found=_found(trial, {**trial.parameters, **names}, outputs, wrong),
            )


def expected_points(trial: CurveTrial, points: Mapping[int, Point]) -> dict[int, Point] | None:
    """Return the outputs by the affine law; None for special points, or where one is not affine."""
    if not _is_general(trial.curve, distinct(trial.formula.kind, points)):
        return None
    try:
        expected = trial.expected(points)
    except Undefined:
        return None
    return None if INFINITY in expected.values() else expected


def _is_general(curve: AffineCurve, points: Mapping[int, Point]) -> bool:
    """Return whether points are neither neutral nor of order 2, and no two of them equal or opposite."""
    try:
        opposite = {number: curve.negate(point) for number, point in points.items()}
    except Undefined:
        return False
    if any(point in (curve.neutral, opposite[number]) for number, point in points.items()):
        return False
    return all(points[a] not in (points[b], opposite[b]) for a, b in combinations(points, 2))

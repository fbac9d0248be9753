"""Preference among formulas: complete ones first, then unified ones, then the cheapest.

A trial at one point of the curve decides the choice, and claims nothing: a formula that needs unequal points
says so in its contract.
"""

from __future__ import annotations

from itertools import chain
from random import Random
from typing import TYPE_CHECKING, TypeVar

from efdgen.generator.curves.affine import AffineCurve, Undefined
from efdgen.generator.curves.represent import NotRepresentable, means, represent
from efdgen.generator.errors import EfdgenError
from efdgen.generator.formulas.signature import fixed_coordinates
from efdgen.generator.programs.interpreter import run
from efdgen.generator.programs.lower import lower

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from efdgen.generator.curves.curve import Curve
    from efdgen.generator.formulas.formula import Formula
    from efdgen.generator.kernels.prover import Prover
    from efdgen.generator.mathematics.ground import Ground

T = TypeVar("T")


def in_preference(
    rivals: Sequence[tuple[T, Formula, Mapping[str, int]]], curve: Curve, prover: Prover
) -> Iterator[T]:
    """Yield what comes with some formulas, the best first; given are their parameters, cheapest first.

    A formula whose exceptional inputs the prover does not know is not taken to be complete.
    """
    unified = [adds_equal_points(formula, curve.field, values) for _, formula, values in rivals]

    def is_complete(index: int) -> bool:
        _, formula, _ = rivals[index]
        # An addition that fails for P1 = P2 is not complete: skip the question.
        possible = unified[index] or not _takes_any_two_points(formula)
        try:
            found = prover.exceptions(formula, curve) if possible else None
        except EfdgenError:
            return False
        return found is not None and found.complete_here

    every = range(len(rivals))
    order = chain(filter(is_complete, every), (index for index in every if unified[index]), every)
    seen: set[int] = set()
    for index in order:
        if index not in seen:
            seen.add(index)
            yield rivals[index][0]


def _takes_any_two_points(formula: Formula) -> bool:
    return len(formula.kind.inputs) > 1 and not formula.kind.given


def adds_equal_points(formula: Formula, field: Ground, parameters: Mapping[str, int]) -> bool:
    """Return whether a formula of several independent points is right where they are one point of the curve.

    ``parameters`` are all of the formula's. False for other kinds, and where it cannot be tried.
    """
    kind, system, rng = formula.kind, formula.system, Random(0)
    if len(kind.inputs) < 2 or kind.given or kind.shared or kind.scalars or formula.systems:
        return False
    curve = AffineCurve(system.model, field, parameters)
    point = curve.random_point(rng)
    names = dict(parameters)
    try:
        for number in kind.inputs:
            fixed = fixed_coordinates(formula, number)
            found = represent(system, field, parameters, point, rng, fixed)
            names |= {formula.coordinates(number)[variable]: value for variable, value in found.items()}
        outputs = run(lower(formula), field, names)
        expected = {o.point: curve.evaluate(o.law, dict.fromkeys(kind.inputs, point)) for o in kind.outputs}
    except (NotRepresentable, Undefined, ZeroDivisionError):
        return False
    return all(
        means(system, field, parameters, {v: outputs[f"{v}{number}"] for v in system.variables}, result)
        for number, result in expected.items()
    )

"""Witnesses of statements about points alone: random points modulo a prime, or over 16 elements."""

from __future__ import annotations

from contextlib import suppress
from itertools import islice
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from efdgen.generator.curves.affine import AffineCurve
from efdgen.generator.curves.instantiate import suitable_prime
from efdgen.generator.curves.weierstrass import is_singular
from efdgen.generator.errors import EfdgenError
from efdgen.generator.mathematics.binary import BinaryField
from efdgen.generator.mathematics.prime import PrimeField
from efdgen.generator.programs.solve import solutions
from efdgen.verify.exceptions.fields import seed
from efdgen.verify.rocq.witness import BITS, chosen_values, require_claims, values_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from efdgen.generator.curves.affine import Point
    from efdgen.generator.formulas.formula import Map, Model
    from efdgen.generator.language.syntax import Equation
    from efdgen.generator.mathematics.ground import Ground
    from efdgen.generator.programs.interpreter import Field
    from efdgen.verify.rocq.reader import ReadStatement
    from efdgen.verify.rocq.statement import Statement

_CURVES, _PAIRS, _VALUES = 16, 16, 64
_SMALL = BinaryField(0b10011)


class _Trial(NamedTuple):
    field: Field[int]
    called: str
    parameters: Mapping[str, int]
    points: tuple[Point, Point]


def points_witness(
    subject: Model | Map,
    model: Model,
    parameters: Sequence[str],
    assumptions: Sequence[Equation],
    stated: tuple[Statement, ReadStatement],
) -> str:
    """Return the values of a witness, in words; raise :class:`EfdgenError` without one.

    ``parameters`` and ``assumptions`` are those besides the model's; ``stated`` is a statement with what was
    read of it.
    """
    statement, read = stated
    rng, names = Random(seed(subject)), (*model.parameters, *parameters)
    for trial in _trials(model, names, assumptions, rng):
        known = dict(trial.parameters)
        for number, point in enumerate(trial.points, start=1):
            known |= {f"affine {c}{number}": v for c, v in zip(model.coordinates, point, strict=True)}
        with suppress(ZeroDivisionError, EfdgenError):
            own = {new: known[old] for old, new in statement.called.items()}
            values = values_of(read, trial.field, own)
            require_claims(read, trial.field, values)
            return f"{trial.called}, {chosen_values(statement, read, values)}"
    raise EfdgenError(f"{subject.id}: no witness that the hypotheses of {statement.name} can hold")


def _trials(
    model: Model, names: Sequence[str], assumptions: Sequence[Equation], rng: Random
) -> Iterator[_Trial]:
    """Yield points of random curves modulo a prime of 61 bits, or over 16 elements."""
    ground: Ground = _SMALL if model.binary else PrimeField(suitable_prime(BITS))
    called = f"in the field of {_SMALL.order} elements" if model.binary else f"modulo {ground.order}"

    def choices(_: str) -> Iterator[int]:
        yield from (rng.randrange(ground.order) for _ in range(_VALUES))

    found = solutions(assumptions, {}, names, ground, choices)
    for parameters in islice((p for p in found if not is_singular(model, ground, p)), _CURVES):
        curve = AffineCurve(model, ground, parameters)
        with suppress(EfdgenError):
            for _ in range(_PAIRS):
                points = curve.random_point(rng), curve.random_point(rng)
                yield _Trial(ground, called, parameters, points)

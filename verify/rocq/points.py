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
from efdgen.generator.mathematics.solve import solutions
from efdgen.generator.programs.interpreter import PrimeField
from efdgen.verify.exceptions.fields import seed
from efdgen.verify.exceptions.tiny_field import satisfied, tiny_field
from efdgen.verify.rocq.witness import BITS, chosen_values, require_claims, values_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from efdgen.generator.curves.affine import Point
    from efdgen.generator.formulas.formula import Map, Model
    from efdgen.generator.language.syntax import Equation
    from efdgen.generator.programs.interpreter import Field
    from efdgen.verify.rocq.reader import ReadStatement
    from efdgen.verify.rocq.statement import Statement

_CURVES, _VALUES, _ORDER, _TRIES = 16, 64, 16, 100_000


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
    trials = _binary(model, rng) if model.binary else _odd(model, names, assumptions, rng)
    for trial in trials:
        known = dict(trial.parameters)
        for number, point in enumerate(trial.points, start=1):
            known |= {f"affine {c}{number}": v for c, v in zip(model.coordinates, point, strict=True)}
        with suppress(ZeroDivisionError, EfdgenError):
            own = {new: known[old] for old, new in statement.called.items()}
            values = values_of(read, trial.field, own)
            require_claims(read, trial.field, values)
            return f"{trial.called}, {chosen_values(statement, read, values)}"
    raise EfdgenError(f"{subject.id}: no witness that the hypotheses of {statement.name} can hold")


def _odd(
    model: Model, names: Sequence[str], assumptions: Sequence[Equation], rng: Random
) -> Iterator[_Trial]:
    """Yield points of random curves modulo a prime of 61 bits."""
    prime = suitable_prime(BITS)

    def choices(_: str) -> Iterator[int]:
        yield from (rng.randrange(prime) for _ in range(_VALUES))

    for parameters in islice(solutions(assumptions, {}, names, prime, choices), _CURVES):
        if not is_singular(model, prime, parameters):
            curve = AffineCurve(model, prime, parameters)
            points = curve.random_point(rng), curve.random_point(rng)
            yield _Trial(PrimeField(prime), f"modulo {prime}", parameters, points)


def _binary(model: Model, rng: Random) -> Iterator[_Trial]:
    """Yield points of random curves over a field of 16 elements."""
    field = tiny_field(_ORDER)
    for _ in range(_TRIES):
        parameters = {name: rng.randrange(_ORDER) for name in model.parameters}
        first, second = (tuple(rng.randrange(_ORDER) for _ in model.coordinates) for _ in range(2))
        points = [{**parameters, **dict(zip(model.coordinates, p, strict=True))} for p in (first, second)]
        if all(satisfied(equation, field, names) for names in points for equation in model.equations):
            yield _Trial(field, f"in the field of {_ORDER} elements", parameters, (first, second))

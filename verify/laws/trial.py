"""Models and maps tried on random points over a large prime field, by integers.

A law that is not that of the group is wrong for nearly all points, so that a false model or map is found in
milliseconds, and no Gröbner basis of it is computed. Prime, curve and points follow from the text.
"""

from __future__ import annotations

from contextlib import suppress
from itertools import islice
from random import Random
from typing import TYPE_CHECKING

from efdgen.generator.curves.affine import AffineCurve, Undefined
from efdgen.generator.curves.map import CurveMap
from efdgen.generator.curves.weierstrass import is_singular
from efdgen.generator.errors import EfdgenError
from efdgen.generator.mathematics.prime import PrimeField
from efdgen.generator.programs.solve import solutions
from efdgen.verify.exceptions.chord_curve import ChordCurve
from efdgen.verify.exceptions.fields import large_primes, seed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from efdgen.generator.curves.affine import Point
    from efdgen.generator.formulas.formula import Map, Model
    from efdgen.generator.language.syntax import Equation

_PRIMES = 8
_CURVES = 64
_POINTS = 4


def try_model(model: Model) -> None:
    """Compare a model's laws with chords and tangents; raise :class:`EfdgenError` where they differ.

    Nothing is tried of models over binary fields.
    """
    if model.binary:
        return
    rng, field, parameters = _curve(model, model, model.parameters, ())
    own, other = (kind(model, field, parameters) for kind in (AffineCurve, ChordCurve))
    for _ in range(_POINTS):
        p, q = own.random_point(rng), own.random_point(rng)
        for law, points in (("negation", (p,)), ("doubling", (p,)), ("addition", (p, q))):
            results = [_defined(curve, law, points) for curve in (own, other)]
            if results[0] != results[1] or not results[0] or not own.on_curve(results[0]):
                raise EfdgenError(f"its {law} is not that of the Weierstrass form at random points")


def try_map(between: Map) -> None:
    """Compare images of sums with sums of images; raise :class:`EfdgenError` where they differ."""
    if between.model.binary:
        return
    names = (*between.model.parameters, *between.parameters)
    rng, field, parameters = _curve(between, between.model, names, between.assumptions)
    with suppress(ZeroDivisionError):
        way = CurveMap(between, field, parameters)
        source, target = (
            ChordCurve(model, field, values)
            for model, values in (
                (between.model, way.parameters),
                (between.target, way.target_parameters),
            )
        )
        for _ in range(_POINTS):
            p, q = source.random_point(rng), source.random_point(rng)
            with suppress(Undefined):
                if way.image(source.add(p, q)) != target.add(way.image(p), way.image(q)):
                    raise EfdgenError("the image of a sum is not the sum of images at random points")


def _defined(curve: AffineCurve, law: str, points: Sequence[Point]) -> Point | None:
    """Return the value of a law, None where it divides by zero."""
    laws: dict[str, Callable[..., Point]] = {
        "negation": curve.negate,
        "doubling": curve.double,
        "addition": curve.add,
    }
    try:
        return laws[law](*points)
    except Undefined:
        return None


def _curve(
    text: Model | Map, model: Model, names: Sequence[str], assumptions: Sequence[Equation]
) -> tuple[Random, PrimeField, dict[str, int]]:
    """Return random numbers, a field of a large prime, and parameters of a curve that is not singular."""
    rng = Random(seed(text))
    for field in map(PrimeField, islice(large_primes(text), _PRIMES)):

        def choices(_: str, prime: int = field.prime) -> Iterator[int]:
            yield from (rng.randrange(prime) for _ in range(_CURVES))

        found = solutions(assumptions, {}, names, field, choices)
        for parameters in islice(found, _CURVES):
            if not is_singular(model, field, parameters):
                return rng, field, parameters
    raise EfdgenError(f"no curve of {text.id} was found modulo {_PRIMES} large primes")

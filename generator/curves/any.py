"""Any curve of a model: parameters drawn so that formulas apply and none is a small number."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from efdgen.generator.curves.curve import Curve
from efdgen.generator.curves.instantiate import find_curve, suitable_prime
from efdgen.generator.errors import EfdgenError
from efdgen.generator.mathematics.binary import BinaryField, read_polynomial
from efdgen.generator.mathematics.prime import PrimeField

if TYPE_CHECKING:
    from collections.abc import Sequence

    from efdgen.generator.formulas.database import Database

ANY = "any"
"""The name of a curve whose parameters are arguments of functions."""

_BITS = 256
_PENTANOMIAL = "x^283 + x^12 + x^7 + x^5 + 1"


def any_curve(database: Database, selectors: Sequence[str]) -> Curve:
    """Return a curve for functions that are right on every curve of a model, and nothing claimed of points.

    Its parameters, and those of the first formula, are numbers that no text shows: functions take them as
    arguments. They satisfy what that formula assumes. Raises :class:`EfdgenError` for no formula, and for
    formulas of several models.
    """
    formulas = [database.formula(name) for name in database.select(selectors)]
    models = sorted({formula.system.model.id for formula in formulas})
    if len(models) != 1 or not selectors:
        found = f"; {models[0]} and {models[1]} are two" if selectors else ""
        raise EfdgenError(f"--curve {ANY} needs --formulas of one model{found}")
    model = formulas[0].system.model
    field = BinaryField(read_polynomial(_PENTANOMIAL)) if model.binary else PrimeField(suitable_prime(_BITS))
    parameters = find_curve(formulas[0], field, Random(formulas[0].id))
    return Curve("any curve", (), "", model.id, field, parameters, None, None, None, any=True)

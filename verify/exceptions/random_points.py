"""Random inputs over a large prime field: a formula against the chord-and-tangent law, in integers.

Tiny fields are blind to what vanishes in all of them. A formula that is wrong in general is wrong for nearly
all inputs over a field of 2^127 elements. Prime, curve, points and representatives follow from the formula.
"""

from __future__ import annotations

from contextlib import suppress
from itertools import islice
from random import Random
from typing import TYPE_CHECKING

from efdgen.generator.curves.instantiate import NotApplicable, find_curve
from efdgen.generator.errors import EfdgenError
from efdgen.generator.mathematics.prime import PrimeField
from efdgen.generator.programs.lower import lower
from efdgen.verify.curve_trial import CurveTrial
from efdgen.verify.exceptions.chord_curve import ChordCurve
from efdgen.verify.exceptions.fields import large_primes, seed

if TYPE_CHECKING:
    from efdgen.generator.formulas.formula import Formula

_INPUTS = 4
_PRIMES = 32


def require_right(formula: Formula) -> int | None:
    """Hold a formula against the group law on random inputs; return the prime that they are modulo.

    None for binary fields, of which only tiny ones are tried. Raises :class:`EfdgenError` where the formula
    is wrong, or where no input is found.
    """
    if formula.system.model.binary:
        return None
    prime, values = _curve(formula)
    trial = CurveTrial(formula, lower(formula), PrimeField(prime), values, seed(formula), ChordCurve)
    inputs = ((points, names) for points in trial.points() for names in trial.inputs(points))
    tried = list(islice(inputs, _INPUTS))
    if not tried:
        raise EfdgenError(f"{formula.id}: no random points modulo {prime} have representatives")
    for points, names in tried:
        if not trial.is_right(points, names):
            given = ", ".join(f"{name} = {names[name]}" for name in formula.input_names)
            raise EfdgenError(
                f"{formula.id}: the formula and the affine law disagree modulo {prime} for {given}"
            )
    return prime


def _curve(formula: Formula) -> tuple[int, dict[str, int]]:
    """Return a large prime and values of all parameters that satisfy the assumptions modulo it.

    An assumption such as a^2 == 5 can be satisfied modulo some primes only.
    """
    rng = Random(seed(formula))
    for prime in islice(large_primes(formula), _PRIMES):
        with suppress(NotApplicable):
            return prime, find_curve(formula, PrimeField(prime), rng)
    raise EfdgenError(f"{formula.id}: no curve satisfies the assumptions modulo {_PRIMES} large primes")

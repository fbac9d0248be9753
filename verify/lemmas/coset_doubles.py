"""The lemma on encodings of doubled points: they are those of twice the points, for every point."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from efdgen.generator.fields.root_steps import root_of_unity
from efdgen.generator.routines.integers import RoutineError
from efdgen.verify.lemmas.coset_run import every_case
from efdgen.verify.lemmas.cosets import roots_to_encode

if TYPE_CHECKING:
    from efdgen.verify.laws.algebra import Ratio
    from efdgen.verify.lemmas.coset_run import CosetRun
    from efdgen.verify.lemmas.prover import Prover

_P, _Q = "p", "q"


def encoded_double(prover: Prover, name: str) -> None:
    """Prove that a function returns the encoding of the coset of twice a point, with a root and without."""
    cases = [(f"P = T{at}", partial(_zero, name=name, at=at)) for at in range(4)]
    cases += [(f"P = (x, {'-' * at}i*x)", partial(_of_order_eight, name=name, at=at)) for at in range(2)]
    every_case(prover, name, [*cases, ("any other P", partial(_any, name=name))])


def double(run: CosetRun, x: Ratio, y: Ratio) -> tuple[Ratio, Ratio]:
    """Return twice a point by the affine law, whose divisors are not 0."""
    one, two, a, d = map(run.number, (1, 2, run.a, run.d))
    both = d * x * x * y * y
    for value in (one + both, one - both):
        run.elements.assume(value.numerator)
    return two * x * y * run.over(one + both), (y * y - a * x * x) * run.over(one - both)


def _zero(run: CosetRun, name: str, at: int) -> str:
    x, y = run.coset(run.elements.zero, run.number(1))[at]
    run.point(_Q, x, y)
    return _is_zero(run, name, *double(run, x, y))


def _of_order_eight(run: CosetRun, name: str, at: int) -> str:
    """Follow points with x^2 + y^2 = 0, twice which has y = 0."""
    x = run.name("x1")
    y = (-x if at else x) * run.number(root_of_unity(run.prime))
    run.elements.assume(x.numerator)
    run.elements.relate([run.equation(x, y).numerator])
    run.point(_Q, x, y)
    return _is_zero(run, name, *double(run, x, y))


def _is_zero(run: CosetRun, name: str, x: Ratio, y: Ratio) -> str:
    """Require the encoding of 0 for a point whose double, at these coordinates, is of the coset of 0."""
    if not run.vanishes(x * y):
        return "twice the point is of another coset"
    (data,) = run.call(name, _Q)
    return "" if run.vanishes(run.decoded(data)) else "it returns another encoding"


def _any(run: CosetRun, name: str) -> str:
    """Follow any point whose double is outside the coset of 0."""
    x, y = run.any_point(1, _Q)
    for value in (x, y, x * x + y * y):
        run.elements.assume(value.numerator)
    u, v = double(run, x, y)
    one, i, both = run.number(1), run.number(root_of_unity(run.prime)), run.number(run.d) * x * x * y * y
    # No encoding is 0: these are factors of (a - d)*(e/h)^2 and (g/f)^2.
    over_h, over_f = run.number(2) * x * y * run.over(one - both), (x * x + y * y) * run.over(one + both)
    _assume_factors(run, one - v, one + v, run.number(run.a - run.d) * over_h * over_h)
    _assume_factors(run, one - i * u, one + i * u, over_f * over_f)
    run.point(_P, u, v)
    root = (one - both) * run.over(run.number(2) * x * y)
    run.roots = roots_to_encode(run, [(u, v, root * run.constants["INVSQRT_A_MINUS_D"])])
    (data,), (other, exists) = run.call(name, _Q), run.call("ristretto_encode", _P)
    if not exists or not run.vanishes(run.decoded(data) - run.decoded(other)):
        return "it returns another encoding"
    return ""


def _assume_factors(run: CosetRun, left: Ratio, right: Ratio, product: Ratio) -> None:
    """Take factors of a number other than 0 for others than 0."""
    if not run.vanishes(left * right - product):
        raise RoutineError("the double has other coordinates")
    for factor in (left, right):
        run.elements.assume(factor.numerator)

"""Routines in lanes whose result is a power: inverses and roots, whose steps are the same for every lane.

Other inversions have steps that differ from lane to lane.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.fields.chains import addition_chain
from efdgen.generator.fields.root_steps import RootSteps
from efdgen.generator.routines.parser import parse

if TYPE_CHECKING:
    from collections.abc import Iterator

    from efdgen.generator.fields.chains import Chain
    from efdgen.generator.routines.parser import Text

INVERSION, ROOT = "fe_inv", "fe_sqrt_ratio"
"""Functions on elements that are routines in lanes."""

UNITY = "ROOT_OF_UNITY"
"""The constant of order 2^s, for p - 1 = 2^s*q with an odd q."""

_SQUARINGS = '''
routine fe_sqr_times(a: element, times: int) -> element as r:
    """Return a to the power 2^times."""
    var r: element = a
    for i in 0..times:
        r = fe_sqr(r)
    return r
'''
# An iteration halves the order of the remaining root of unity [2001-bernstein-roots].
_TURNS = """\
    let square = fe_sqr(power)
    var rest: element = fe_mul(square, product)
    var unity: element = ROOT_OF_UNITY
    for i in reversed(0..{turns}):
        let halfway = fe_sqr_times(rest, i)
        let found = fe_equal(halfway, ONE)
        let next = fe_mul(power, unity)
        power = fe_select(power, next, found)
        unity = fe_sqr(unity)
        let less = fe_mul(rest, unity)
        rest = fe_select(rest, less, found)
"""
_ROOT = '''
routine {root}(u: element, v: element) -> element as r, choice:
    """Return a root of u/v and 1, or 0 and 0 where it has none; v is not 0."""
    let product = fe_mul(u, v)
    {power} = root_power(product)
{turns}
    let root = fe_mul(power, u)
    let squared = fe_sqr(root)
    let again = fe_mul(squared, v)
    let right = fe_equal(again, u)
    return fe_select(root, ZERO, right), right
'''


def powers(prime: int) -> Text:
    """Return the inversion and the root of a ratio modulo a prime, with what they call."""
    steps = RootSteps.of(prime)
    lines = [
        f"constant {UNITY}: element",
        _SQUARINGS,
        f"routine {INVERSION}(a: element) -> element as r:",
        '    """Return 1/a, which is a to the power p - 2, and 0 for 0."""',
        *_power(addition_chain(prime - 2)),
        "routine root_power(a: element) -> element as r:",
        '    """Return a to the power (q - 1)/2, for p - 1 = 2^s*q with an odd q."""',
        *_power(steps.chain),
        _root(steps.bits),
    ]
    return parse("\n".join(lines), "powers in lanes")


def _root(turns: int) -> str:
    power = "var power: element" if turns else "let power"
    return _ROOT.format(root=ROOT, power=power, turns=_TURNS.format(turns=turns) if turns else "")


def unity(prime: int) -> int:
    """Return the root of unity that the routines read."""
    return RootSteps.of(prime).unity


def _power(chain: Chain) -> Iterator[str]:
    """Yield the lines of a power of a along a chain."""
    places = ["a", *(f"t{number}" for number in range(1, len(chain.steps) + 1))]
    for number, step in enumerate(chain.steps, 1):
        left, name = places[step.left], places[number]
        squared = left
        if step.squarings:
            squared = name if step.right is None else f"s{number}"
            yield f"    let {squared} = fe_sqr_times({left}, {step.squarings})"
        if step.right is not None:
            yield f"    let {name} = fe_mul({squared}, {places[step.right]})"
    yield f"    return {places[-1]}"

"""Proof that divsteps compute the Jacobi symbol, for all numbers and all steps.

Let (g/|f|) be Jacobi's symbol, f odd and g prime to it, either sign. A step takes f and g to f' and g', and
what a text counts of it is, as :mod:`efdgen.verify.fields.turns` proves of each text:

- ``exchanged``   where f and g are exchanged: f ≡ 1 and g ≡ 3 modulo 4;
- ``halved``      whether 2 is no square modulo f', which f' modulo 8 tells;
- how often the first coordinate changes its sign, of a vector that is moved by the same steps.

The changes of the symbol follow from the laws of Jacobi's symbol for odd m, n > 0 [1993-cohen]:

    (ab/m) = (a/m)·(b/m)    (a + m/m) = (a/m)    (-1/m), (2/m), (m/n)·(n/m) by m and n modulo 8

They are applied to every case of f and g modulo 8, of their signs, and of whether they are exchanged. Left is
a sign: -1 for each time that f turns from positive to negative. When g is 0, f is 1 or -1 and (0/1) = 1.

Signs of f are counted along other vectors, and it is proved of any w and y that take the same steps that

    changes(y) = changes(w) + ([y < 0 before] ⊕ [y < 0 after] ⊕ [w < 0 after])

where w starts as (ε, 1), ε > 0 and as small as you like, and [y < 0] is the sign of the first coordinate.
For y may be replaced by -y, so let it start positive; then y × w > 0, which steps keep, as their
determinants are positive; and where that is so, each step keeps changes(y) - changes(w) = [signs of both
differ] (Z3, reals). After the steps w is (u·ε + v, ..), whose sign is that of v, as u > 0 where v = 0 (Z3,
integers). Infinitely small ε make an ordered field, of which no more is used.
"""

from __future__ import annotations

from functools import lru_cache
from importlib import import_module
from itertools import product
from typing import TYPE_CHECKING, Any

from efdgen.verify.fields.rows import AHEAD
from efdgen.verify.solver import follows
from efdgen.verify.verdicts import Refuted

if TYPE_CHECKING:
    from collections.abc import Callable

Value = Any  # an integer or a bit-vector

# This is added to the changes of a sign that starts positive: then bit 1 counts the turns to negative.
ROUNDED = 1

# Bits of f that steps read besides those of which they are taken: f modulo 8 after the last one.
_READ = 3


def exchanged(f: Value, g: Value) -> tuple[Value, Value]:
    """Return two conditions under which an exchange of f and g changes the symbol, except for signs."""
    return f & 3 == 1, g & 3 == 3


def halved(f: Value) -> Value:
    """Return a number whose bit 1 is set where a halving modulo f changes the symbol."""
    return f ^ f >> 1


@lru_cache
def prove_symbol() -> None:
    """Prove that what is told of steps is Jacobi's symbol; raises :class:`Refuted`."""
    claims: tuple[tuple[Callable[[], bool], str], ...] = (
        (steps_change_it_as_told, "a step changes Jacobi's symbol as it is told"),
        (signs_follow_each_other, "changes of sign are brought from one vector to another"),
        (signs_are_those_of_rows, "the sign of a row is that of its second entry"),
        (turns_are_counted, "a sign turns negative at every other change"),
        (lambda: AHEAD >= _READ, "f is known modulo 8"),
    )
    for holds, text in claims:
        if not holds():
            raise Refuted(f"fails: {text}")


def steps_change_it_as_told() -> bool:
    """Compare what is told with the laws of Jacobi's symbol, case by case."""
    cases = product(range(1, 8, 2), range(8), (1, -1), (1, -1), (False, True))
    return all(
        _told(f, g, signs, swaps) == _lawful(f, g, signs, swaps)
        for f, g, *signs, swaps in cases
        if g % 2 or not swaps
    )


def _told(f: int, g: int, signs: list[int], swaps: bool) -> int:
    """Return whether a step changes the symbol, as it is told: f and g modulo 8, and their signs."""
    changes = swaps and all(exchanged(f, g))
    turns = swaps and signs[0] > 0 > signs[1]
    return int(changes ^ turns ^ (halved(g if swaps else f) >> 1 & 1))


def _lawful(f: int, g: int, signs: list[int], swaps: bool) -> int:
    """Return whether (g/|f|) and the symbol after a step differ, by the laws; f and g are modulo 8."""
    m, n = f * signs[0] % 8, g * signs[1] % 8  # |f| and |g|
    if not swaps:
        # (2/|f|)·(g'/|f|) = (2g'/|f|) = (g/|f|), as 2g' is g or g + f.
        return _two(m)
    # (g/|f|) = (±1/|f|)·(|g|/|f|), and (2g'/|g|) = (g - f/|g|) = (-f/|g|) = (∓1/|g|)·(|f|/|g|).
    first = _minus(m) if signs[1] < 0 else 0
    second = _minus(n) if signs[0] > 0 else 0
    return first ^ second ^ _reciprocity(m, n) ^ _two(n)


def _minus(m: int) -> int:
    return (m - 1) // 2 % 2


def _two(m: int) -> int:
    return (m * m - 1) // 8 % 2


def _reciprocity(m: int, n: int) -> int:
    return (m - 1) // 2 * ((n - 1) // 2) % 2


def signs_follow_each_other(turned: int = 1) -> bool:
    """Show by induction how changes of sign of two vectors differ that take the same steps.

    ``turned`` is the sign of their cross product: of no other than 1 it holds.
    """
    z3 = import_module("z3")
    f, g, x, y = z3.Reals("f g x y")  # (f, g) and (x, y)

    def differ(a: Value, b: Value) -> Value:
        return z3.If((a < 0) != (b < 0), 1, 0)

    # Only an exchange takes another first coordinate, of which none is 0; the others change no sign.
    before = turned * (f * y - g * x) > 0
    kept = differ(f, g) - differ(x, y) == differ(g, y) - differ(f, x)
    steps = [(f, g / 2), (f, (g + f) / 2), (g, (g - f) / 2)], [(x, y / 2), (x, (y + x) / 2), (y, (y - x) / 2)]
    still = z3.And(*(turned * (a * d - b * c) > 0 for (a, b), (c, d) in zip(*steps, strict=True)))
    nonzero = [value != 0 for value in (f, g, x, y)]
    start = z3.Implies(z3.And(f > 0, x > 0, x * g < f, y == 1), before)
    question = "changes of sign of two vectors follow each other"
    return (
        follows(question, start)
        and follows(question, still, before)
        and follows(question, z3.And(kept, still), before, *nonzero)
    )


def signs_are_those_of_rows() -> bool:
    """Show by induction that the second entry of an upper row is even, and 0 only before every exchange."""
    z3 = import_module("z3")
    rows = u, v, q, r = z3.Ints("u v q r")

    def kept(u: Value, v: Value, _: Value, r: Value) -> Value:
        return z3.And(v % 2 == 0, r % 2 == 1, z3.Implies(v == 0, u > 0))

    steps = [(2 * u, 2 * v, q, r), (2 * u, 2 * v, q + u, r + v), (2 * q, 2 * r, q - u, r - v)]
    start = kept(1, z3.IntVal(0), 0, z3.IntVal(1))
    question = "the second entry of an upper row is even"
    return follows(question, z3.And(start, *(kept(*after) for after in steps)), kept(*rows))


def turns_are_counted() -> bool:
    """Follow a sign that starts positive; what is told of it has a period of 4 changes."""
    positive, turns = True, 0
    for changes in range(9):
        if changes + ROUNDED >> 1 & 1 != turns % 2:
            return False
        turns += positive
        positive = not positive
    return True

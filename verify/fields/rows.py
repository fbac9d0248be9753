"""Rows of divstep matrices: bounds of their entries, and their representation in words.

A row (low, u, v) of n steps is in one word, s·u and s·v above low and apart, where s is -1 or 1:

    low + s·(u·2^(place + n - i) + v·2^(place + width + n - i))    after i steps

A step is linear, and looks at parity alone, which is that of ``low`` as long as i < n: so what does a step on
two such words as integers does it on the rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from efdgen.verify.solver import follows

if TYPE_CHECKING:
    from collections.abc import Sequence

Z3 = Any  # the module, which has no types
Term = Any  # nor have its terms

# Low bits of f and g that are kept beside those that steps look at, where symbols are read off them.
AHEAD = 3


@dataclass(frozen=True)
class Rows:
    """Rows of ``count`` steps in words, times ``sign``, with ``ahead`` more low bits."""

    count: int
    ahead: int
    sign: int

    @property
    def place(self) -> int:
        """The position of u after the last step; v is ``width`` higher."""
        return self.count + self.ahead + 1

    @property
    def width(self) -> int:
        """Bits of u, with its sign."""
        return self.count + 1

    def word(self, low: Term, u: Term, v: Term, after: int) -> Term:
        """Return a row's word after a given number of steps."""
        rest = self.count - after
        return low + self.sign * (u * (1 << self.place + rest) + v * (1 << self.place + self.width + rest))


@lru_cache
def entries_are_bounded() -> bool:
    """Show by induction that rows of 2^n·M stay within :func:`bounded`: ``power`` is 2^n."""
    z3 = import_module("z3")
    *rows, power = z3.Ints("u v q r power")
    u, v, q, r = rows
    kept = [
        bounded(z3, (2 * u, 2 * v, q, r), 2 * power),
        bounded(z3, (2 * u, 2 * v, q + u, r + v), 2 * power),
        bounded(z3, (2 * q, 2 * r, q - u, r - v), 2 * power),
    ]
    start = bounded(z3, (1, 0, 0, 1), 1)
    return follows("rows are bounded", z3.And(start, *kept), bounded(z3, rows, power), power >= 1)


def bounded(z3: Z3, rows: Sequence[Term], size: Term) -> Term:
    """Say how large entries are after n steps, where ``size`` is 2^n.

    |u| + |v| ≤ 2^n ≥ |q| + |r|, and no entry is -2^n; q and r are not 2^n either except for r at the start.
    """
    u, v, q, r = rows
    return z3.And(
        *(sign * a + other * b <= size for a, b in ((u, v), (q, r)) for sign in (1, -1) for other in (1, -1)),
        *(entry > -size for entry in rows),
        q < size,
        z3.Or(r < size, z3.And(size == 1, u == 1, v == 0, q == 0, r == 1)),
    )


def words_have_room(rows: Rows, word: int) -> bool:
    """Show that two rows' words have a sum that fits one before each step, and that signs are those of rows.

    The sign of a word is that of v, or of u where v = 0, and what is above ``low`` is even.
    """
    z3 = import_module("z3")
    u, v, q, r, f, g = z3.Ints("u v q r f g")
    half, limit = 1 << rows.count + rows.ahead, 1 << word - 1
    low = [z3.And(part > -half, part < half) for part in (f, g)]
    for after in range(rows.count):
        premises = [bounded(z3, (u, v, q, r), 1 << after), *low]
        upper, lower = rows.word(f, u, v, after), rows.word(g, q, r, after)
        sums = [sign * upper + other * lower for sign in (1, -1) for other in (1, -1)]
        room = z3.And(*(total + 1 < limit for total in sums))
        signed = z3.Implies(
            z3.Or(u != 0, v != 0), (rows.sign * upper < 0) == z3.Or(v < 0, z3.And(v == 0, u < 0))
        )
        if not follows(f"two rows' words have room before step {after}", z3.And(room, signed), *premises):
            return False
    return rows.place > 0

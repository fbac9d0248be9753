"""Proof of inversion by divsteps and of tests for squares, as printed in a language.

Statements and their proofs:

- a turn of the innermost loop is a divstep, and its words hold what they should, for all words
  (:mod:`efdgen.verify.fields.turns`: Z3, bit-vectors; :mod:`efdgen.verify.fields.rows`: Z3, integers), or
  halves and subtracts (:mod:`efdgen.verify.fields.halvings`: Z3, bit-vectors and integers);
- functions around it compute what they should, for all numbers within bounds, and nothing overflows
  (:mod:`efdgen.verify.fields.limbs`: polynomials, intervals; Z3);
- the loops around these call them so that steps follow each other, and end with what these make of a
  (:mod:`efdgen.verify.fields.trace`), with no branch on data but where names say so;
- the steps suffice (:mod:`efdgen.verify.fields.steps`), or another function is called after them;
- what is told of steps is Jacobi's symbol (:mod:`efdgen.verify.fields.symbols`);
- numbers that are multiplied by a row stay between -2p and p, and what is returned of the last one is reduced
  (Z3, reals and integers; here).
"""

from __future__ import annotations

from functools import lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from efdgen.generator.fields.halvings import Halvings
from efdgen.verify.fields.compilers import prove_for_compilers
from efdgen.verify.fields.halvings import prove_halvings
from efdgen.verify.fields.limbs import prove_limbs
from efdgen.verify.fields.rows import AHEAD, Rows, entries_are_bounded
from efdgen.verify.fields.run import run
from efdgen.verify.fields.steps import suffice
from efdgen.verify.fields.symbols import prove_symbol
from efdgen.verify.fields.texts import routines
from efdgen.verify.fields.trace import Trace
from efdgen.verify.fields.turns import prove_piece
from efdgen.verify.solver import follows
from efdgen.verify.verdicts import Refuted
from efdgen.verify.words.values import NotFollowedError

if TYPE_CHECKING:
    from efdgen.generator.fields.loops import EmittedLoop
    from efdgen.verify.words.tree import Routines

Term = Any  # Z3's terms carry no types

# Iterations before a loop learns that g is 0: all are the same except for the place that they write to.
_ENDINGS = 1, 2, 3
_NEVER = 1 << 30


def prove_loop(loop: EmittedLoop) -> None:
    """Prove a loop as it is printed; raises :class:`Refuted` for what does not hold."""
    _require(entries_are_bounded(), "rows of a matrix of n steps have absolute sums of at most 2^n")
    _require(_rows_stay_between(), "numbers that are multiplied by a row stay between -2p and p")
    _require(_ends_reduced(), "what is returned is in [0, p)")
    if loop.arrangement.lookahead:
        prove_symbol()
    if loop.language == "c":
        prove_for_compilers(loop.text, loop.arrangement.word)
    try:
        _prove_text(loop, routines(loop))
    except NotFollowedError as error:
        raise Refuted(f"fails: {loop.language} can be followed: {error}") from None


def _prove_text(loop: EmittedLoop, text: Routines) -> None:
    """Prove what the routines of a loop do."""
    steps = loop.arrangement
    if loop.function.endswith("_var"):
        for ending in _ENDINGS:
            Trace(loop, text, ending).follow()
    if isinstance(loop.steps, Halvings):
        trace = Trace(loop, text, _NEVER).follow()
        prove_halvings(text, loop.steps)
        prove_limbs(text, steps, trace.products)
    else:
        trace = Trace(loop, text, _NEVER if loop.function.endswith("_var") else None).follow()
        enough = suffice(trace.last, steps.modulus.bit_length())
        _require(enough, f"{trace.last} steps are enough")
        for count in sorted(trace.counts):
            rows = Rows(count, AHEAD, 1) if steps.lookahead else Rows(count, 0, -1)
            prove_piece(text, steps.word, rows)
        prove_limbs(text, steps, trace.products)
    if "square" not in loop.function:
        _require(run(loop, 0) == 0, "what is returned for 0 is 0")


def _require(holds: bool, text: str) -> None:
    if not holds:
        raise Refuted(f"fails: {text}")


@lru_cache
def _rows_stay_between() -> bool:
    """Show that bounds of d and e are closed under a row, and the multiple of p that it adds."""
    z3 = import_module("z3")
    d, e, cut, prime = z3.Reals("d e cut prime")
    # d and e with p added where they are negative lie between -p and p, and |u| + |v| ≤ 1 after scaling.
    inside = [-prime < d, d < prime, -prime < e, e < prime, cut >= 0, cut < 1, prime > 0]
    corners = [(1, 0), (0, 1), (-1, 0), (0, -1)]
    bounded = [
        z3.And(-2 * prime < a * d + b * e - cut * prime, a * d + b * e - cut * prime < prime)
        for a, b in corners
    ]
    # The value is linear in (u, v), which is a convex combination of the corners.
    return follows("numbers that a row multiplies stay in bounds", z3.And(*bounded), *inside)


@lru_cache
def _ends_reduced() -> bool:
    """Follow d to the end: p is added where it is negative, its sign is changed or not, and p added again."""
    z3 = import_module("z3")
    d, prime = z3.Ints("d prime")
    once = z3.If(d < 0, d + prime, d)
    ends = [z3.If(value < 0, value + prime, value) for value in (once, -once)]
    reduced = z3.And(*(z3.And(end >= 0, end < prime) for end in ends))
    return follows("the result is in [0, p)", reduced, prime > 0, -2 * prime < d, d < prime)

"""Inversion by division steps and tests for squares, proved for an arrangement: all that their loops rest on.

What is proved, and by what:

- a turn of the innermost loop is a division step, for all words (Z3, bit-vectors);
- entries of matrices stay in their bounds, and rows in words apart (Z3: integers by induction, bit-vectors);
- low words tell every step what it reads, and no product or sum overflows (integers);
- a row divided by 2^limb_bits leaves nothing, is right modulo p and in bounds again, and what is returned
  of the last one is reduced (Z3, integers);
- so many steps are enough (:mod:`efdgen.verify.fields.steps`).

The words are those of the templates, written down here once more; that the printed code does the same is
tested.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from efdgen.generator.fields.division_steps import LumpedSteps, sufficient_steps
from efdgen.verify.fields.rows import AHEAD, Rows, entries_are_bounded, proved
from efdgen.verify.fields.steps import suffice
from efdgen.verify.fields.texts import texts
from efdgen.verify.fields.turns import prove_piece
from efdgen.verify.laws.law import Refuted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from efdgen.generator.fields.division_steps import DivisionSteps
    from efdgen.generator.fields.loops import EmittedLoop

Z3 = Any  # the module, which has no types
Term = Any  # nor have its terms


def prove_loop(loop: EmittedLoop) -> tuple[str, ...]:
    """Return what is proved of a loop as it is printed, a sentence each; raises :class:`Refuted`."""
    if isinstance(loop.steps, LumpedSteps):
        return prove_lumped_steps(loop.steps)
    told = prove_division_steps(loop.steps)
    for text in texts(loop):
        for rows in rows_of(loop.steps):
            prove_piece(text, loop.steps.word, rows)
    return (*told, "turns of the printed loops are division steps, for all words")


def prove_division_steps(steps: DivisionSteps) -> tuple[str, ...]:
    """Return what is proved of an arrangement, a sentence each; raises :class:`Refuted` for what is not."""
    z3 = import_module("z3")
    claims = (
        (entries_are_bounded(), "rows of a matrix of n steps have absolute sums of at most 2^n"),
        (_there_is_room(steps), "words tell what steps read, and nothing overflows"),
        (_rows_divide(z3, steps), "rows are divided without remainder, modulo p, and stay between -2p and p"),
        (_ends_reduced(z3), "what is returned is in [0, p)"),
        (
            suffice(steps.batches * steps.steps, steps.modulus.bit_length()),
            f"{steps.batches * steps.steps} steps are enough",
        ),
    )
    return _required(claims)


def rows_of(steps: DivisionSteps) -> tuple[Rows, ...]:
    """Return how rows stand in words in the pieces of an arrangement."""
    ahead, sign = (AHEAD, 1) if steps.lookahead else (0, -1)
    return tuple(Rows(count, ahead, sign) for count in sorted(set(steps.pieces)))


def prove_lumped_steps(lumped: LumpedSteps) -> tuple[str, ...]:
    """Return what is proved of steps that are done many at once; raises :class:`Refuted`."""
    z3, steps = import_module("z3"), lumped.arrangement
    bits = steps.modulus.bit_length()
    claims = (
        (_lumps_are_steps(lumped), "lumps are division steps, for all low bits"),
        (
            _lumped_entries_are_bounded(z3, lumped),
            "rows of a matrix of n steps have absolute sums of at most 2^n",
        ),
        (_sums_have_room(steps), "nothing overflows"),
        (_rows_divide(z3, steps), "rows are divided without remainder, modulo p, and stay between -2p and p"),
        (_ends_reduced(z3), "what is returned is in [0, p)"),
        (suffice(sufficient_steps(bits) + 1, bits), "steps come to an end"),
    )
    return _required(claims)


def _required(claims: Sequence[tuple[bool, str]]) -> tuple[str, ...]:
    for holds, text in claims:
        if not holds:
            raise Refuted(f"it does not hold that {text}")
    return tuple(text for _, text in claims)


def _there_is_room(steps: DivisionSteps) -> bool:
    """Check sizes: of low words, of products of matrices, and of sums of limbs."""
    total, ahead = sum(steps.pieces), AHEAD if steps.lookahead else 0
    # A limb's bits, less those that steps of the batch have used, are for the last piece to read.
    return total + ahead <= steps.limb_bits and total < steps.word - 1 and _sums_have_room(steps)


def _sums_have_room(steps: DivisionSteps) -> bool:
    """Check sizes of sums of limbs: of f, g, d and e by a row, and of p by a multiple below 2^(bits + 1)."""
    word, bits, limb = steps.word, steps.limb_bits, 1 << steps.limb_bits
    sums = limb * limb + 2 * limb * (limb >> 1) + 2 * limb
    return (
        sums < 1 << 2 * word - 1
        and max(map(abs, steps.balanced_modulus())) <= limb >> 1
        and 2 * steps.modulus < 1 << bits * steps.limbs - 1
    )


def _rows_divide(z3: Z3, steps: DivisionSteps) -> bool:
    """Show that the low limb vanishes and that the bounds of d and e are closed under a row.

    ``sum`` is u·d + v·e modulo 2^limb_bits; the multiple of p is m - ((sum/p + m) mod 2^limb_bits), where m
    is what makes d and e positive.
    """
    bits, p = steps.limb_bits, steps.modulus
    total, m = z3.BitVec("sum", bits), z3.BitVec("m", bits)
    multiple = m - (steps.inverse_of_modulus * total + m)
    cleared = proved(z3, total + p % (1 << bits) * multiple == 0)
    d, e, cut, prime = z3.Reals("d e cut prime")
    # d and e with p added where they are negative lie between -p and p, and |u| + |v| ≤ 1 after scaling.
    inside = [-prime < d, d < prime, -prime < e, e < prime, cut >= 0, cut < 1, prime > 0]
    corners = [(1, 0), (0, 1), (-1, 0), (0, -1)]
    bounded = [
        z3.And(-2 * prime < a * d + b * e - cut * prime, a * d + b * e - cut * prime < prime)
        for a, b in corners
    ]
    # The value is linear in (u, v), which is a convex combination of the corners.
    return cleared and proved(z3, z3.And(*bounded), *inside)


def _ends_reduced(z3: Z3) -> bool:
    """Follow d to the end: p is added where it is negative, its sign is changed or not, and p added again."""
    d, prime = z3.Ints("d prime")
    once = z3.If(d < 0, d + prime, d)
    ends = [z3.If(value < 0, value + prime, value) for value in (once, -once)]
    reduced = z3.And(*(z3.And(end >= 0, end < prime) for end in ends))
    return proved(z3, reduced, prime > 0, -2 * prime < d, d < prime)


def _lumps_are_steps(lumped: LumpedSteps) -> bool:
    """Do the steps of a lump one by one, for all low bits that they read: f odd, none exchanges f and g."""
    limit = 1 << lumped.lump
    return all(
        lumped.multiple(f, g, count) == _added(f, g, count)
        for f in range(1, limit, 2)
        for g in range(limit)
        for count in range(1, lumped.lump + 1)
    )


def _added(f: int, g: int, count: int) -> int:
    """Return how often f is added to g in so many steps; each time it counts for 2^step."""
    multiple = 0
    for step in range(count):
        odd = g & 1
        multiple += odd << step
        g = g + odd * f >> 1
    return multiple


def _lumped_entries_are_bounded(z3: Z3, lumped: LumpedSteps) -> bool:
    """Show by induction that |u| + |v| ≤ 2^n ≥ |q| + |r| where n steps are counted; ``power`` is 2^n.

    A lump adds w·(u, v) to (q, r); its steps are counted with the zeros that it makes.
    """
    u, v, q, r, power, w = z3.Ints("u v q r power w")

    def size(a: Term, b: Term) -> Term:
        return z3.If(a < 0, -a, a) + z3.If(b < 0, -b, b)

    held = [size(u, v) <= power, size(q, r) <= power, power >= 1, w >= 0]
    exchanged = z3.And(size(q, r) <= power, size(-u, -v) <= power)
    return proved(z3, exchanged, *held) and all(
        proved(z3, size(q + w * u, r + w * v) <= power * (1 << count), *held, w < 1 << count)
        for count in range(1, lumped.lump + 1)
    )

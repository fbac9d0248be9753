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

from efdgen.generator.fields.division_steps import sufficient_steps
from efdgen.verify.fields.steps import suffice
from efdgen.verify.laws.law import Refuted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from efdgen.generator.fields.division_steps import DivisionSteps, LumpedSteps

Z3 = Any  # the module, which has no types
Term = Any  # nor have its terms


def prove_division_steps(steps: DivisionSteps) -> tuple[str, ...]:
    """Return what is proved of an arrangement, a sentence each; raises :class:`Refuted` for what is not."""
    z3 = import_module("z3")
    claims = (
        (_turns_are_steps(z3, steps.word), "a turn of the loop is a division step, for all words"),
        (_entries_are_bounded(z3), "rows of a matrix of n steps have absolute sums of at most 2^n"),
        (all(_rows_are_read(z3, steps, n) for n in set(steps.pieces)), "rows are read from their words"),
        (_there_is_room(steps), "words tell what steps read, and nothing overflows"),
        (_rows_divide(z3, steps), "rows are divided without remainder, modulo p, and stay between -2p and p"),
        (_ends_reduced(z3), "what is returned is in [0, p)"),
        (
            suffice(steps.batches * steps.steps, steps.modulus.bit_length()),
            f"{steps.batches * steps.steps} steps are enough",
        ),
    )
    return _required(claims)


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


def _proved(z3: Z3, claim: Term, *premises: Term) -> bool:
    solver = z3.Solver()
    solver.add(*premises, z3.Not(claim))
    return bool(solver.check() == z3.unsat)


def _turns_are_steps(z3: Z3, word: int) -> bool:
    """Compare a turn with the definition, over words that are extended by two bits so that nothing wraps."""
    f, g, zeta = (z3.BitVec(name, word) for name in ("f", "g", "zeta"))
    one = z3.BitVecVal(1, word)
    negative = zeta >> word - 1
    odd = -(g & 1)
    swap = odd & negative
    half = ((g + one) + ((f ^ negative) & odd)) >> 1
    after = half, f ^ ((f ^ g) & swap), (zeta ^ swap) - one
    wide = [z3.SignExt(2, value) for value in (f, g, zeta)]
    is_odd = z3.Extract(0, 0, g) == 1
    swaps = z3.And(is_odd, zeta < 0)
    doubled = z3.If(swaps, wide[1] - wide[0], z3.If(is_odd, wide[1] + wide[0], wide[1]))
    g_after = doubled >> 1
    f_after = z3.If(swaps, wide[1], wide[0])
    # zeta = -(δ + 1/2): δ > 0 where it is negative, and 1 - δ is -zeta - 2.
    zeta_after = z3.If(swaps, -wide[2] - 2, wide[2] - 1)
    limit, small = 1 << word - 2, 1 << word // 2
    premises = [z3.Extract(0, 0, f) == 1]
    premises += [z3.And(value <= limit, value >= -limit) for value in (f, g)]
    premises += [zeta < small, zeta > -small]
    pairs = zip((g_after, f_after, zeta_after), after, strict=True)
    equal = [wanted == z3.SignExt(2, value) for wanted, value in pairs]
    bounded = [z3.And(value <= limit, value >= -limit) for value in after[:2]]
    return _proved(z3, z3.And(*equal, *bounded, z3.Extract(0, 0, doubled) == 0), *premises)


def _entries_are_bounded(z3: Z3) -> bool:
    """Show by induction that rows of 2^n·M stay as they should: ``power`` is 2^n.

    |u| + |v| ≤ 2^n ≥ |q| + |r|, and no entry is -2^n; q and r are not 2^n either but for r at the start.
    """
    u, v, q, r, power = z3.Ints("u v q r power")

    def absolute(a: Term) -> Term:
        return z3.If(a < 0, -a, a)

    def invariant(rows: tuple[Term, ...], size: Term) -> Term:
        a, b, c, d = rows
        return z3.And(
            absolute(a) + absolute(b) <= size,
            absolute(c) + absolute(d) <= size,
            *(entry > -size for entry in rows),
            c < size,
            z3.Or(d < size, z3.And(size == 1, a == 1, b == 0, c == 0, d == 1)),
        )

    start = invariant((1, 0, 0, 1), 1)
    kept = [
        invariant((2 * u, 2 * v, q, r), 2 * power),
        invariant((2 * u, 2 * v, q + u, r + v), 2 * power),
        invariant((2 * q, 2 * r, q - u, r - v), 2 * power),
    ]
    return _proved(z3, z3.And(start, *kept), invariant((u, v, q, r), power), power >= 1)


def _rows_are_read(z3: Z3, steps: DivisionSteps, count: int) -> bool:
    """Put a row of so many steps into a word and read it as the templates do."""
    word, ahead = steps.word, 3 if steps.lookahead else 0
    low, u, v = (z3.BitVec(name, word) for name in ("low", "u", "v"))
    half, place, width = 1 << count + ahead, count + ahead + 1, count + 1
    rest = word - width
    limit = 1 << count
    premises = [low >= -half, low < half, u > -limit, u <= limit, v > -limit, v <= limit]
    if steps.lookahead:
        packed = low + (u << place) + (v << place + width)
        both = -((packed + half) >> place)
        first = -((both << rest) >> rest)
        second = -((both + first) >> width)
        return _proved(z3, z3.And(first == u, second == v), *premises)
    packed = low - (u << place) - (v << place + width)
    both = (packed + half) >> place
    first = (both << rest) >> rest
    second = (both - first) >> width
    return _proved(z3, z3.And(first == -u, second == -v), *premises)


def _there_is_room(steps: DivisionSteps) -> bool:
    """Check sizes: of words that hold rows, of low words, of products of matrices, and of sums of limbs."""
    word, bits, ahead = steps.word, steps.limb_bits, 3 if steps.lookahead else 0
    first = max(3 * count + 2 + ahead for count in steps.pieces)
    total = sum(steps.pieces)
    # A limb's bits, less those that steps of the batch have used, are for the last piece to read.
    return (
        first <= word - 2 and total + ahead <= bits and 1 << total < 1 << word - 1 and _sums_have_room(steps)
    )


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
    cleared = _proved(z3, total + p % (1 << bits) * multiple == 0)
    d, e, cut, prime = z3.Reals("d e cut prime")
    # d and e with p added where they are negative lie between -p and p, and |u| + |v| ≤ 1 after scaling.
    inside = [-prime < d, d < prime, -prime < e, e < prime, cut >= 0, cut < 1, prime > 0]
    corners = [(1, 0), (0, 1), (-1, 0), (0, -1)]
    bounded = [
        z3.And(-2 * prime < a * d + b * e - cut * prime, a * d + b * e - cut * prime < prime)
        for a, b in corners
    ]
    # The value is linear in (u, v), which is a convex combination of the corners.
    return cleared and _proved(z3, z3.And(*bounded), *inside)


def _ends_reduced(z3: Z3) -> bool:
    """Follow d to the end: p is added where it is negative, its sign is changed or not, and p added again."""
    d, prime = z3.Ints("d prime")
    once = z3.If(d < 0, d + prime, d)
    ends = [z3.If(value < 0, value + prime, value) for value in (once, -once)]
    reduced = z3.And(*(z3.And(end >= 0, end < prime) for end in ends))
    return _proved(z3, reduced, prime > 0, -2 * prime < d, d < prime)


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
    return _proved(z3, exchanged, *held) and all(
        _proved(z3, size(q + w * u, r + w * v) <= power * (1 << count), *held, w < 1 << count)
        for count in range(1, lumped.lump + 1)
    )

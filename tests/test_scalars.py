"""Recodings and splits of scalars against plain integers."""

from itertools import pairwise
from random import Random

import pytest
from whole_curves import subject

from efdgen.generator.scalars.comb import combs
from efdgen.generator.scalars.digits import OddWindows, wnaf_entries
from efdgen.generator.scalars.endomorphism import find_endomorphism, reduced_basis, split
from efdgen.generator.scalars.reduction import reduction
from efdgen.verify.routines.curve import follower


@pytest.mark.parametrize("width", [1, 2, 3, 4, 5])
def test_odd_windows_make_up_every_odd_number(width):
    windows = OddWindows(width, 255)
    for scalar in range(1, 256, 2):
        digits = windows.digits(scalar)
        assert len(digits) == windows.count
        assert sum(d << (width * i) for i, d in enumerate(digits)) == scalar
        assert all(d % 2 and abs(d) < 1 << width for d in digits)
        assert digits[-1] > 0
        for remaining in range(windows.count):
            least, most = windows.prefixes(remaining)
            prefix = sum(d << (width * i) for i, d in enumerate(digits[remaining:]))
            assert least <= prefix <= most
    for wrong in (0, 2, 256, 257, -1):
        with pytest.raises(ValueError, match="not odd"):
            windows.digits(wrong)


def wnaf(scalar: int, width: int) -> list[int]:
    """Return the non-adjacent form of an integer: digits 0 or odd with |d| < 2^(width - 1), the lowest first.

    Of any ``width`` digits in a row at most one is not 0. [2000-solinas]
    """
    digits = []
    while scalar:
        digit = 0
        if scalar & 1:
            digit = scalar & ((1 << width) - 1)
            if digit >> (width - 1):
                digit -= 1 << width
        digits.append(digit)
        scalar = (scalar - digit) >> 1
    return digits


@pytest.mark.parametrize("width", [2, 3, 4, 5, 6])
def test_non_adjacent_forms(width):
    for scalar in [*range(-300, 300), (1 << 256) - 1]:
        digits = wnaf(scalar, width)
        assert sum(d << i for i, d in enumerate(digits)) == scalar
        assert all(d == 0 or (d % 2 and abs(d) < 1 << (width - 1)) for d in digits)
        places = [i for i, d in enumerate(digits) if d]
        assert all(after - before >= width for before, after in pairwise(places))
        assert max((abs(d) for d in digits), default=1) <= 2 * wnaf_entries(width) - 1


def test_combs_make_up_every_odd_number():
    for comb in combs(8, 16):
        tables = [comb.multiples(block) for block in range(comb.blocks)]
        assert sum(map(len, tables)) == comb.entries <= 16
        assert comb.bits >= 8
        for scalar in range(1, 256, 2):
            total = 0
            for added in comb.steps(scalar):
                total = 2 * total + sum(sign * tables[block][entry] for block, entry, sign in added)
            assert total == scalar, (comb, scalar)


def test_combs_are_the_leanest_of_their_shape():
    shapes = {(comb.blocks, comb.teeth) for comb in combs(256, 1 << 10)}
    assert (11, 6) in shapes
    assert (43, 6) not in {(c.blocks, c.teeth) for c in combs(256, 1 << 10)}
    assert all((c.blocks - 1) * c.teeth * c.spacing < 256 for c in combs(256, 1 << 10) if c.blocks > 1)


def test_reductions_by_subtraction():
    for modulus in (5, 13, 100, 251, 255, 256, 1000):
        small = reduction(modulus)
        for scalar in {0, 1, modulus - 1, modulus, modulus + 1, (1 << 8 * small.bytes) - 1}:
            assert small.reduce(scalar) == scalar % modulus
    assert reduction(2**521 - 1).shifts == (7, 6, 5, 4, 3, 2, 1, 0)


def test_halves_are_made_odd():
    for order, eigenvalue in ((31, 5), (37, 10), (43, 6), (10009, 2001)):
        halves = split(order, eigenvalue)
        most = halves.odd_bounds()
        for k in range(order):
            k1, k2 = halves.odd_halves(k)
            assert k1 % 2 == k2 % 2 == 1
            assert (k1 + k2 * eigenvalue - k) % order == 0
            assert abs(k1) <= most[0]
            assert abs(k2) <= most[1]


def test_a_short_basis_is_shortest():
    for order in (31, 37, 61, 1009, 10009):
        for eigenvalue in range(2, min(order, 60)):
            basis = reduced_basis(order, eigenvalue)
            assert all((u + v * eigenvalue) % order == 0 for u, v in basis)
            (a, b), (c, d) = basis
            assert abs(a * d - b * c) == order
            radius = range(-40, 41)
            others = [(u, v) for u in radius for v in radius if (u, v) != (0, 0)]
            lengths = [u * u + v * v for u, v in others if (u + v * eigenvalue) % order == 0]
            assert a * a + b * b <= min(lengths, default=order * order)


def test_halves_make_up_the_scalar_within_their_bounds():
    for order, eigenvalue in ((31, 5), (37, 10), (43, 6), (10009, 2001)):
        halves = split(order, eigenvalue)
        most = halves.bounds()
        for k in range(order):
            k1, k2 = halves.halves(k)
            assert (k1 + k2 * eigenvalue - k) % order == 0
            assert abs(k1) <= most[0]
            assert abs(k2) <= most[1]


@pytest.mark.slow
def test_halves_of_secp256k1():
    plan = subject("secp256k1").plan
    rng = Random(3)
    halves, most = plan.endomorphism.split, plan.endomorphism.split.bounds()
    assert max(most) < 1 << 128
    assert find_endomorphism(47, 13, (1, 1), lambda *_: (0, 0)) is None  # no cube roots of 1
    ranges = follower(plan).scalars.half_ranges()
    assert all(max(abs(low), abs(high)) <= bound for (low, high), bound in zip(ranges, most, strict=True))
    for k in (0, 1, plan.order - 1, plan.order // 2, *(rng.randrange(plan.order) for _ in range(100))):
        k1, k2 = halves.halves(k)
        assert (k1 + k2 * halves.eigenvalue - k) % plan.order == 0
        assert abs(k1) <= most[0]
        assert abs(k2) <= most[1]

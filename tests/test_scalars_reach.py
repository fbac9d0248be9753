"""Additions and doublings of a multiplication that may be exceptional, against all that are."""

from itertools import product

import pytest

from efdgen.generator.mathematics.primes import is_prime
from efdgen.generator.scalars.comb import combs
from efdgen.generator.scalars.digits import OddWindows
from efdgen.generator.scalars.endomorphism import Split, split
from efdgen.generator.scalars.reach import (
    comb_additions,
    comb_doublings,
    half_additions,
    may_vanish,
    safe_odd_multiples,
    window_additions,
    window_doublings,
)


def exceptional_additions(digits: OddWindows, order: int) -> set[int]:
    """Return the numbers of digits to come at which some odd scalar meets an exceptional addition."""
    found = set()
    for scalar in range(1, digits.bound + 1, 2):
        *low, accumulator = digits.digits(scalar)
        for remaining, digit in reversed(list(enumerate(low))):
            accumulator <<= digits.width
            if not all(value % order for value in (accumulator, accumulator - digit, accumulator + digit)):
                found.add(remaining)
            accumulator += digit
    return found


def test_unsafe_additions_are_never_fewer_than_the_exceptional_ones():
    tight = 0
    for order in filter(is_prime, range(5, 300)):
        for width in (2, 3, 4):
            digits = OddWindows(width, order)
            claimed, real = window_additions(digits, order), exceptional_additions(digits, order)
            assert all(remaining < claimed for remaining in real), (order, width)
            tight += bool(real) and claimed == max(real) + 1
    assert tight > 50


def test_unsafe_additions_of_combs_are_never_fewer_than_the_exceptional_ones():
    met = tight = count = 0
    for order in filter(is_prime, range(17, 200)):
        for comb in combs(order.bit_length(), 16):
            tables = [comb.multiples(block) for block in range(comb.blocks)]
            safe, least = comb.additions - comb_additions(comb, order), comb.additions
            for scalar in range(1, order + 1, 2):
                total, number = 0, -1
                for added in comb.steps(scalar):
                    total *= 2
                    for block, entry, sign in added:
                        term = sign * tables[block][entry]
                        exceptional = not all(v % order for v in (total, total - term, total + term))
                        if number >= 0 and exceptional:
                            met += 1
                            assert number >= safe, (order, comb, scalar)
                            least = min(least, number)
                        total, number = total + term, number + 1
            tight, count = tight + (safe == least), count + 1
    # Scalars below the order do not meet all sums that are a multiple of it.
    assert met > 1000
    assert tight > count / 2, (tight, count)


def test_sums_of_signed_powers_that_are_multiples():
    """Against all signs."""
    for powers in range(1, 1 << 7):
        places = [1 << i for i in range(7) if powers >> i & 1]
        sums = {abs(sum(s * p for s, p in zip(signs, places, strict=True))) for signs in every_sign(places)}
        for order in (3, 5, 7, 11, 23, 61):
            expected = any(total % order == 0 for total in sums)
            assert may_vanish((powers,), order) == expected, (powers, order)


def every_sign(places: list[int]):
    return product((1, -1), repeat=len(places))


def test_unsafe_doublings_are_never_fewer_than_those_of_multiples_of_the_order():
    """A point of order 4n has multiples m·P that formulas do not know where n divides m."""
    met = 0
    for order in filter(is_prime, range(3, 300)):
        for cofactor in (4, 8):
            for width in (2, 3, 4):
                digits = OddWindows(width, cofactor * order)
                claimed = window_doublings(digits, order)
                for scalar in range(1, digits.bound, 2):
                    *low, total = digits.digits(scalar)
                    for remaining, digit in reversed(list(enumerate(low))):
                        met += total % order == 0
                        assert total % order or remaining < claimed, (order, width, scalar)
                        total = (total << width) + digit
    assert met > 500
    assert window_doublings(OddWindows(4, 8 * 1009), 1009) == 0


def test_unsafe_doublings_of_combs_are_never_fewer_than_those_of_multiples_of_the_order():
    met = 0
    for order in filter(is_prime, range(17, 200)):
        for comb in combs(order.bit_length(), 16):
            tables = [comb.multiples(block) for block in range(comb.blocks)]
            claimed = comb_doublings(comb, order)
            for scalar in range(1, order + 1, 2):
                total = 0
                for number, added in enumerate(comb.steps(scalar)):
                    if number and total % order == 0:
                        met += 1
                        assert comb.spacing - 1 - number < claimed, (order, comb, scalar)
                    total = 2 * total + sum(sign * tables[block][entry] for block, entry, sign in added)
    assert met > 10


def exceptional_half_additions(halves: Split, digits: OddWindows) -> set[int]:
    """Return how many additions are to come when some scalar meets an exceptional one, that one included."""
    found, n = set(), halves.order
    for scalar in range(n):
        pair = halves.odd_halves(scalar)
        rows = [[d if k > 0 else -d for d in digits.digits(abs(k))] for k in pair]
        total, left = rows[0][-1], 2 * digits.count - 1
        terms = [(0, halves.eigenvalue * rows[1][-1])]
        for i in reversed(range(digits.count - 1)):
            terms += [(digits.width, rows[0][i]), (0, halves.eigenvalue * rows[1][i])]
        for shift, term in terms:
            total <<= shift
            if not all(value % n for value in (total, total - term, total + term)):
                found.add(left)
            total, left = total + term, left - 1
        assert (total - scalar) % n == 0
    return found


@pytest.mark.slow
def test_unsafe_additions_of_halves_are_never_fewer_than_the_exceptional_ones():
    met = safe = 0
    for order in filter(is_prime, range(7, 1200)):
        for eigenvalue in (
            [z for z in range(2, order) if (z * z + z + 1) % order == 0] if order % 3 == 1 else []
        ):
            halves = split(order, eigenvalue)
            for width in (1, 2, 3) if order < 300 else (2,):
                digits = OddWindows(width, max(halves.odd_bounds()))
                claimed, real = (
                    half_additions(digits, halves.shortest),
                    exceptional_half_additions(halves, digits),
                )
                assert all(left <= claimed for left in real), (order, eigenvalue, width)
                met += bool(real)
                safe += claimed < 2 * digits.count - 1
    assert met > 50
    assert safe > 50


def test_tables_of_odd_multiples_are_safe_only_below_the_order():
    for order in filter(is_prime, range(5, 100)):
        for entries in (1, 2, 4, 8, 16):
            odd = range(1, 2 * entries, 2)
            if safe_odd_multiples(entries, order):
                assert all(
                    (m + 2) % order and (m - 2) % order and m % order for m in odd if m > 1 or order > 3
                )

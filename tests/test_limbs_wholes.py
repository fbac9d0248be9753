"""Bounds on words from whole numbers: bounds that depend on a case, and bounds that do not hold."""

import pytest

from efdgen.generator.fields.field import Field
from efdgen.generator.fields.operations import operations
from efdgen.generator.limbs.intervals import Interval
from efdgen.generator.mathematics.prime import PrimeField
from efdgen.verify.limbs.prove import prove_contract
from efdgen.verify.limbs.wholes import always_within

R, P, A, BIT = 1 << 192, (1 << 191) + 5, 0, 1
INTERVALS = {A: Interval(0, 2 * P - 1), BIT: Interval(0, 1)}
# a - p + 2^192·bit is a number of three words: the bit is 1 where a is less than p.
LESS = ({(A,): 1, (): -P, (BIT,): R}, Interval(0, R - 1))
REDUCED = {(A,): 1, (): -P, (BIT,): P}
MNT753 = int(
    "01c4c62d92c41110229022eee2cdadb7f997505b8fafed5eb7e8f96c97d87307fdb925e8a0ed8d99d124d9a15af79db117e776f2"
    "18059db80f0da5cb537e38685acce9767254a4638810719ac425f0e39d54522cdd119f5e9063de245e8001",
    16,
)


@pytest.mark.parametrize(
    ("polynomial", "wanted", "facts", "holds"),
    [
        (REDUCED, Interval(0, P - 1), [LESS], True),
        (REDUCED, Interval(0, P - 2), [LESS], False),
        (REDUCED, Interval(1, P - 1), [LESS], False),
        (REDUCED, Interval(0, P - 1), [], False),
        ({(A,): 1, (BIT,): -1}, Interval(-1, 2 * P - 1), [], True),
        ({}, Interval(0, 0), [], True),
        ({(A, BIT): 1}, Interval(0, 2 * P - 1), [], True),
        ({(A, BIT): 1}, Interval(0, 2 * P - 2), [], False),
    ],
)
def test_bounds_follow_from_whole_numbers_or_do_not(polynomial, wanted, facts, holds):
    assert always_within(polynomial, wanted, facts, INTERVALS.__getitem__) == holds


def test_a_large_number_is_brought_below_p_without_a_search():
    (representation,) = Field(PrimeField(MNT753), "portable", (64,)).representations
    (canonical,) = operations(representation, ["canonical"])
    assert prove_contract(canonical.program, canonical.contract).questions > 0

"""Sums and differences of two tight numbers: each way is taken, proved, and refused where it is broken."""

from dataclasses import replace

import pytest

from efdgen.generator.limbs.field_operations import field_operations
from efdgen.generator.limbs.lower import lower_to_limbs
from efdgen.generator.limbs.operations import Add, Constant, MulWide, Select, Sub, operands
from efdgen.generator.limbs.plan import plan
from efdgen.verify.laws.law import Refuted
from efdgen.verify.limbs.prove import prove_limb_program

# For each way the chains that it takes, and a prime for it.
WAYS = {
    "any n words": (3, 2**256 - 2**32 - 977),
    "any n words, a long complement": (3, 2**256 - 2**224 + 2**192 + 2**96 - 1),
    "slack": (2, 2**255 - 19),
    "much slack": (2, 2**521 - 1),
    "at most 2p": (2, 5 * 2**248 - 1),
}


def lowered(name, prime, word=64):
    chosen, program = plan(prime, word), field_operations()[name]
    return lower_to_limbs(program, chosen), program, chosen


def chains(limbs):
    """Count the sums and differences that begin without a carry, and of which a carry is read."""
    return sum(
        isinstance(i.operation, Add | Sub) and len(operands(i.operation)) == 2 and i.results[1] in limbs.read
        for i in limbs.instructions
    )


@pytest.mark.parametrize("word", [64, 32])
@pytest.mark.parametrize("name", ["add", "sub"])
@pytest.mark.parametrize("way", WAYS)
def test_short_sums_are_proved_in_one_block_without_products(way, name, word):
    limbs, program, chosen = lowered(name, WAYS[way][1], word)
    prove_limb_program(limbs, program, chosen)
    assert len(limbs.blocks) == 1
    assert not any(isinstance(i.operation, MulWide) for i in limbs.instructions)


@pytest.mark.parametrize("way", WAYS)
def test_a_difference_takes_as_few_chains_as_its_way_says(way):
    limbs, _, _ = lowered("sub", WAYS[way][1])
    assert chains(limbs) <= WAYS[way][0]


@pytest.mark.parametrize("name", ["add", "sub"])
@pytest.mark.parametrize("way", WAYS)
def test_a_short_sum_that_corrects_by_another_number_is_refused(way, name):
    limbs, program, chosen = lowered(name, WAYS[way][1])
    masked = [i.operation.one for i in limbs.instructions if isinstance(i.operation, Select)]
    broken = tuple(
        replace(i, operation=Constant(i.operation.value ^ 2)) if i.results[0] == masked[0] else i
        for i in limbs.instructions
    )
    with pytest.raises(Refuted):
        prove_limb_program(replace(limbs, instructions=broken), program, chosen)


@pytest.mark.parametrize("name", ["add", "sub"])
def test_a_short_sum_without_its_last_correction_is_refused(name):
    """Where 2^256 is exceeded twice, as by two numbers of 256 ones, two corrections are needed."""
    limbs, program, chosen = lowered(name, WAYS["any n words"][1])
    selects = [i for i in limbs.instructions if isinstance(i.operation, Select)]
    zero = selects[-1].operation.zero
    broken = tuple(
        replace(i, operation=replace(i.operation, one=zero)) if i is selects[-1] else i
        for i in limbs.instructions
    )
    with pytest.raises(Refuted):
        prove_limb_program(replace(limbs, instructions=broken), program, chosen)

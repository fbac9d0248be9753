"""Sums and differences of two tight numbers: each way is taken, proved, and refused where it is broken."""

from dataclasses import replace

import pytest

from efdgen.generator.limbs import short_sums, short_ways
from efdgen.generator.limbs.estimate import estimate_cycles
from efdgen.generator.limbs.field_operations import field_operations
from efdgen.generator.limbs.lower import lower_to_limbs
from efdgen.generator.limbs.operations import Add, Constant, MulWide, Select, Sub, operands
from efdgen.generator.limbs.plan import plan
from efdgen.generator.limbs.short_sums import shortest_way
from efdgen.verify.laws.law import Refuted
from efdgen.verify.limbs.prove import prove_limb_program

N256 = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
BLS12_381_R = 0x73EDA753299D7D483339D80809A1D80553BDA402FFFE5BFEFFFFFFFF00000001
# For each way the chains that it takes for a difference, a comparison being one, and a prime for it.
WAYS = {
    "any n words": (3, 2**256 - 2**32 - 977),
    "counted by one word": (4, 2**256 - 2**224 + 2**192 + 2**96 - 1),
    "counted by several words": (4, 2**384 - 2**128 - 2**96 + 2**32 - 1),
    "counted, a complement of two terms": (4, 2**448 - 2**224 - 1),
    "counted, a complement of many terms": (3, N256),
    "slack": (2, 2**255 - 19),
    "much slack": (2, 2**521 - 1),
    "at most 2p": (2, 5 * 2**248 - 1),
}
COUNTED = [way for way in WAYS if "counted" in way]
# Sums of these are brought down in another way.
NEARLY = {"p + 1 has zeros at its end": 65 * 2**376 - 1, "no shape": BLS12_381_R}


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


@pytest.mark.parametrize("word", [64, 32])
@pytest.mark.parametrize("way", NEARLY)
def test_differences_of_what_may_exceed_p_a_little_are_proved_in_one_block(way, word):
    limbs, program, chosen = lowered("sub", NEARLY[way], word)
    prove_limb_program(limbs, program, chosen)
    assert len(limbs.blocks) == 1
    assert not any(isinstance(i.operation, MulWide) for i in limbs.instructions)


@pytest.mark.parametrize("name", ["add", "sub"])
@pytest.mark.parametrize("way", COUNTED)
@pytest.mark.parametrize("moved", [lambda bound: bound // 2, lambda bound: 4 * bound], ids=["low", "high"])
def test_what_is_counted_by_a_bound_beyond_its_space_is_refused(way, name, moved, monkeypatch):
    """The space is from C to 2·C; a power of two in it has no neighbour but one there."""
    rounded = short_ways._roundest
    monkeypatch.setattr(short_ways, "_roundest", lambda least, most: moved(rounded(least, most)))
    limbs, program, chosen = lowered(name, WAYS[way][1])
    with pytest.raises(Refuted):
        prove_limb_program(limbs, program, chosen)


@pytest.mark.parametrize("name", ["add", "sub"])
@pytest.mark.parametrize("way", COUNTED)
def test_what_is_counted_and_corrected_by_another_number_is_refused(way, name, monkeypatch):
    multiple = short_ways.ShortWays._multiple
    monkeypatch.setattr(
        short_ways.ShortWays, "_multiple", lambda *given: multiple(*given[:-1], given[-1] + 1)
    )
    limbs, program, chosen = lowered(name, WAYS[way][1])
    with pytest.raises(Refuted):
        prove_limb_program(limbs, program, chosen)


@pytest.mark.parametrize("way", NEARLY)
def test_a_difference_that_is_counted_by_a_bound_beyond_its_space_is_refused(way, monkeypatch):
    monkeypatch.setattr(short_ways, "_roundest", lambda least, _: least // 2)
    limbs, program, chosen = lowered("sub", NEARLY[way])
    with pytest.raises(Refuted):
        prove_limb_program(limbs, program, chosen)


def test_the_way_with_the_lowest_estimate_is_taken(monkeypatch):
    reduction = plan(WAYS["counted by one word"][1]).reduction
    assert shortest_way(reduction, 64, -1) == "counted"
    assert shortest_way(plan(WAYS["any n words"][1]).reduction, 64, -1) == "corrected"
    monkeypatch.setattr(short_sums, "estimate_cycles", lambda program: -estimate_cycles(program))
    assert shortest_way(reduction, 64, -1) == "corrected"


@pytest.mark.parametrize("way", WAYS)
def test_a_difference_takes_as_few_chains_as_its_way_says(way):
    limbs, _, _ = lowered("sub", WAYS[way][1])
    assert chains(limbs) <= WAYS[way][0]


@pytest.mark.parametrize("name", ["add", "sub"])
@pytest.mark.parametrize("way", [way for way in WAYS if way not in COUNTED])
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

"""Sums and differences of two tight numbers: each way is taken, proved, and refused where it is broken."""

from dataclasses import replace

import pytest

from efdgen.generator.limbs.builder import LimbBuilder
from efdgen.generator.limbs.field_operations import field_operations
from efdgen.generator.limbs.lower import lower_to_limbs
from efdgen.generator.limbs.montgomery import MontgomeryReduction
from efdgen.generator.limbs.operations import (
    Add,
    Constant,
    Funnel,
    Mul,
    MulWide,
    Select,
    ShiftRight,
    Sub,
)
from efdgen.generator.limbs.plan import plan
from efdgen.generator.limbs.program import Claim, Term
from efdgen.generator.mathematics.prime import PrimeField
from efdgen.verify.limbs.lemma import lemmas
from efdgen.verify.limbs.prove import prove_lemma, prove_limb_program
from efdgen.verify.verdicts import Refuted

# For each way the chains that it takes, and a prime for it; what is known is added to a summand in one more.
# A sum of the highest words alone counts as a chain.
WAYS = {
    "any n words": (3, 2**256 - 2**32 - 977),
    "slack": (2, 2**255 - 19),
    "much slack": (2, 2**521 - 1),
    "below 2p": (2, 2**251 + 17 * 2**192 + 1),
    "below 3p, which shows signs": (3, 5 * 2**248 - 1),
    "below 3p, of many words": (3, 27 * 2**500 - 1),
    "below p, of as many bits as n words": (2, 2**256 - 2**224 + 2**192 + 2**96 - 1),
    "below p, of two powers": (2, 2**448 - 2**224 - 1),
    "below p, which is no shape": (2, 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551),
    "below p, of one bit less": (2, 65 * 2**376 - 1),
}


def lowered(name, prime, word=64):
    chosen, program = plan(prime, word), field_operations()[name]
    return lower_to_limbs(program, chosen), program, chosen


def chains(limbs):
    """Count the sums and differences that begin without a carry, and of which a carry is read."""
    return sum(
        isinstance(i.operation, Add | Sub) and len(i.operation.operands) == 2 and i.results[1] in limbs.read
        for i in limbs.instructions
    )


@pytest.mark.drawn(31)
@pytest.mark.parametrize("word", [64, 32])
@pytest.mark.parametrize("name", ["add", "sub", "neg"])
@pytest.mark.parametrize("way", WAYS)
def test_short_sums_are_proved_in_one_block_without_products(way, name, word):
    limbs, program, chosen = lowered(name, WAYS[way][1], word)
    prove_limb_program(limbs, program, chosen)
    assert len([block for block in limbs.blocks if block.text != "zero"]) == 1
    assert not any(isinstance(i.operation, MulWide) for i in limbs.instructions)


@pytest.mark.parametrize("way", WAYS)
def test_sums_and_differences_take_as_few_chains_as_their_way_says(way):
    for name, more in (("sub", 0), ("add", "below" in way)):
        limbs, _, _ = lowered(name, WAYS[way][1])
        assert chains(limbs) <= WAYS[way][0] + more, name


@pytest.mark.parametrize("name", ["add", "sub"])
@pytest.mark.parametrize("way", WAYS)
def test_a_short_sum_that_corrects_by_another_number_is_refused(way, name):
    limbs, program, chosen = lowered(name, WAYS[way][1])
    known = {i.results[0]: i.operation.value for i in limbs.instructions if isinstance(i.operation, Constant)}
    chosen_from = [
        set(i.operation.operands) & known.keys()
        for i in limbs.instructions
        if isinstance(i.operation, Select | Mul)
    ]
    masked = [value for values in chosen_from for value in values if known[value]]
    broken = tuple(
        replace(i, operation=Constant(i.operation.value ^ 2)) if i.results[0] == masked[0] else i
        for i in limbs.instructions
    )
    with pytest.raises(Refuted):
        prove_limb_program(replace(limbs, instructions=broken), program, chosen)


@pytest.mark.parametrize("name", ["add", "sub"])
def test_a_short_sum_without_its_last_correction_is_refused(name):
    """Two corrections are needed if 2^256 is exceeded twice, as by two numbers of 256 ones."""
    limbs, program, chosen = lowered(name, WAYS["any n words"][1])
    selects = [i for i in limbs.instructions if isinstance(i.operation, Select)]
    zero = selects[-1].operation.zero
    broken = tuple(
        replace(i, operation=replace(i.operation, one=zero)) if i is selects[-1] else i
        for i in limbs.instructions
    )
    with pytest.raises(Refuted):
        prove_limb_program(replace(limbs, instructions=broken), program, chosen)


@pytest.mark.parametrize("name", ["add", "sub"])
@pytest.mark.parametrize("way", [way for way in WAYS if "below" in way and "3p" not in way])
def test_a_short_sum_that_is_corrected_in_the_other_case_is_refused(way, name):
    limbs, program, chosen = lowered(name, WAYS[way][1])
    turned = tuple(
        replace(i, operation=Select(i.operation.bit, i.operation.zero, i.operation.one))
        if isinstance(i.operation, Select)
        else i
        for i in limbs.instructions
    )
    with pytest.raises(Refuted):
        prove_limb_program(replace(limbs, instructions=turned), program, chosen)


@pytest.mark.parametrize("name", ["add", "sub", "neg"])
@pytest.mark.parametrize("way", [way for way in WAYS if "3p" in way])
def test_a_sign_of_fewer_bits_or_of_more_is_refused(way, name):
    """Three bits of a word that is 3p at most away from 0 are no multiple of 3, and one bit is too little."""
    limbs, program, chosen = lowered(name, WAYS[way][1])
    assert chosen.reduction.tight == 3 * WAYS[way][1] - 1
    (at,) = (at for at, i in enumerate(limbs.instructions) if isinstance(i.operation, ShiftRight))
    shift = limbs.instructions[at].operation
    for more in (-1, 1):
        wrong = replace(limbs.instructions[at], operation=replace(shift, amount=shift.amount + more))
        with pytest.raises(Refuted):
            prove_limb_program(
                replace(limbs, instructions=(*limbs.instructions[:at], wrong, *limbs.instructions[at + 1 :])),
                program,
                chosen,
            )


@pytest.mark.parametrize(
    "prime", [65 * 2**376 - 1, 2**251 + 17 * 2**192 + 1, 2**127 - 1, 5 * 2**100 + 1, 2**61 - 1]
)
def test_elements_are_below_3p_only_where_that_shows_signs(prime):
    tight = MontgomeryReduction(prime, 64).tight
    assert tight + 1 in (prime, 2 * prime)


@pytest.mark.parametrize("word", [64, 32])
@pytest.mark.parametrize("way", WAYS)
def test_products_are_as_tight_as_what_comes_in(way, word):
    for name in ("mul", "sqr"):
        limbs, program, chosen = lowered(name, WAYS[way][1], word)
        prove_limb_program(limbs, program, chosen)
        ((_, result),) = limbs.outputs
        assert limbs.numbers[result].maximum <= chosen.reduction.tight


def test_a_product_below_p_without_its_correction_is_refused():
    """A p with the bits of n words is subtracted from the high half, and added again if nothing carries."""
    limbs, program, chosen = lowered("mul", WAYS["below p, of as many bits as n words"][1])
    zero = next(i.results[0] for i in limbs.instructions if i.operation == Constant(0))
    selects = [i for i in limbs.instructions if isinstance(i.operation, Select)]
    assert selects
    broken = tuple(
        replace(i, operation=Select(i.operation.bit, zero, zero)) if i in selects else i
        for i in limbs.instructions
    )
    with pytest.raises(Refuted):
        prove_limb_program(replace(limbs, instructions=broken), program, chosen)


def test_a_wrong_note_of_a_bound_is_refused():
    """Statements about a row for the proof are proved: a row that may be p is not at most p - 1."""
    prime = WAYS["below p, of as many bits as n words"][1]
    for least, refused in ((0, False), (2, True)):
        builder = LimbBuilder(64)
        a = builder.input("a", 4, prime)
        words = builder.numbers[a].words
        builder.note_within(words, prime - least)
        builder.define("r = a", words, prime, Claim(1, (Term(1, (a,)),), PrimeField(prime)))
        (lemma,) = lemmas(builder.build([("r", 1)]))
        if not refused:
            prove_lemma(lemma)
            continue
        with pytest.raises(Refuted, match="may be"):
            prove_lemma(lemma)


@pytest.mark.parametrize("way", ["below p, of as many bits as n words", "below p, of one bit less"])
def test_a_remainder_by_another_quotient_is_refused(way):
    """Numbers from 2p on are divided by p as if it were a power of two, a bit more or less."""
    limbs, program, chosen = lowered("difference_of_products", WAYS[way][1])
    prove_limb_program(limbs, program, chosen)
    last, changed = limbs.blocks[-1], []
    for at in range(last.start, last.stop):
        match limbs.instructions[at].operation:
            case Funnel(high, low, amount) if limbs.instructions[at].results[0] in limbs.read:
                changed.append((at, Funnel(high, low, amount + 1)))
            case Add(left, _, None) if limbs.intervals[left].high < 8:
                changed.append((at, Add(left, left, None)))
    assert changed
    for at, operation in changed:
        instruction = replace(limbs.instructions[at], operation=operation)
        broken = (*limbs.instructions[:at], instruction, *limbs.instructions[at + 1 :])
        with pytest.raises(Refuted):
            prove_limb_program(replace(limbs, instructions=broken), program, chosen)

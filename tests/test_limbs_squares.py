"""Squares in full words, words that are added to themselves, and wide numbers that are tight at once."""

import pytest

from efdgen.generator.limbs import multiply
from efdgen.generator.limbs.builder import LimbBuilder
from efdgen.generator.limbs.interpreter import run, split
from efdgen.generator.limbs.operations import Add, And, Constant, Funnel, MulWide, Or
from efdgen.generator.limbs.program import Claim, Term
from efdgen.generator.limbs.pseudo_mersenne import PseudoMersenneReduction
from efdgen.generator.mathematics.prime import PrimeField
from efdgen.verify.limbs.lemma import lemmas
from efdgen.verify.limbs.prove import prove_lemma
from efdgen.verify.verdicts import Refuted

WORD = 64


def squared(count: int, *, for_gcc: bool):
    builder = LimbBuilder(WORD, for_gcc=for_gcc)
    a = builder.input("a", count, (1 << WORD * count) - 1)
    return builder.build([("r", multiply.square(builder, a, "r"))])


def edges(count: int, rng):
    """Numbers of so many words: all zeros and ones, ones in one word, highest bits, and random ones."""
    whole, ones = (1 << WORD * count) - 1, (1 << WORD) - 1
    single = [ones << WORD * at for at in range(count)]
    highest = sum(1 << WORD * at + WORD - 1 for at in range(count))
    return [0, 1, whole, whole - 1, *single, highest, highest - 1, *(rng.randrange(whole) for _ in range(20))]


@pytest.mark.parametrize("for_gcc", [False, True])
@pytest.mark.parametrize("count", [1, 2, 3, 4, 5, 7])
def test_squares_are_those_of_integers(count, for_gcc, rng):
    program = squared(count, for_gcc=for_gcc)
    for value in edges(count, rng):
        found = run(program, {"a": split(program.numbers[0], value, WORD)})["r"]
        assert found == value**2, hex(value)
    products = [i for i in program.instructions if isinstance(i.operation, MulWide)]
    assert len(products) == count * (count + 1) // 2


@pytest.mark.parametrize(("for_gcc", "shifts"), [(False, 4), (True, 6)])
def test_compilers_other_than_gcc_double_the_low_words_by_sums(for_gcc, shifts):
    program = squared(4, for_gcc=for_gcc)
    known = {i.results[0] for i in program.instructions if i.operation == Constant(0)}
    funnels = [i.operation for i in program.instructions if isinstance(i.operation, Funnel)]
    assert len([f for f in funnels if f.high not in known]) == shifts


def doubled(count: int, by_sums: int, *, shifted_in: bool = True):
    """2·a, without the bit that a shift brings into the upper words unless that is asked for."""
    builder = LimbBuilder(WORD)
    a = builder.input("a", count, (1 << WORD * count) - 1)
    words, maximum = builder.numbers[a].words, 2 * builder.numbers[a].maximum
    row = builder.doubled(words, by_sums)
    if not shifted_in:
        row = [*row[:by_sums], *builder.shift_left(words[by_sums:], 1)]
    return builder.build([("r", builder.define("r = 2·a", row, maximum, Claim(1, (Term(2, (a,)),))))])


@pytest.mark.parametrize(
    ("count", "by_sums"), [(1, 0), (1, 2), (2, 2), (3, 0), (4, 1), (4, 2), (4, 3), (4, 9)]
)
def test_a_number_is_doubled_by_sums_and_shifts(count, by_sums, rng):
    program = doubled(count, by_sums)
    (lemma,) = lemmas(program)
    prove_lemma(lemma)
    for value in edges(count, rng):
        assert run(program, {"a": split(program.numbers[0], value, WORD)}) == {"r": 2 * value}, hex(value)


def test_a_highest_bit_that_no_shift_brings_in_is_missed():
    (lemma,) = lemmas(doubled(4, 2, shifted_in=False))
    with pytest.raises(Refuted, match="of the claim do not vanish"):
        prove_lemma(lemma)


def test_the_carry_of_a_doubled_word_is_not_taken_for_zero():
    """Else x + 2^63, which carries where the highest bit of x is 1, would be proved not to carry."""
    builder = LimbBuilder(WORD)
    (x,) = builder.numbers[builder.input("x", 1, (1 << WORD) - 1)].words
    twice, _ = builder.emit(Add(x, x))
    (nothing,) = builder.emit(And(twice, builder.constant(0)))
    (same,) = builder.emit(Or(x, nothing))
    total, _ = builder.emit(Add(same, builder.constant(1 << WORD - 1)))
    builder.define("r", [total], (1 << WORD) - 1, Claim(1, (), PrimeField(1)))
    (lemma,) = lemmas(builder.build([("r", 1)]))
    with pytest.raises(Refuted, match="drops a carry"):
        prove_lemma(lemma)


def reduced(exponent: int, offset: int, *, for_gcc: bool = False):
    reduction = PseudoMersenneReduction(exponent, offset, WORD)
    builder = LimbBuilder(WORD, for_gcc=for_gcc)
    count = 2 * reduction.limbs
    number = reduction.reduce_tight(builder, builder.input("a", count, (1 << WORD * count) - 1), "r")
    return None if number is None else builder.build([("r", number)])


@pytest.mark.parametrize(
    ("exponent", "offset"), [(256, 2**32 + 977), (128, 159), (384, 317), (192, 2**62 + 135)]
)
def test_what_is_twice_as_wide_is_reduced_at_once_whatever_carries(exponent, offset, rng):
    program = reduced(exponent, offset)
    (lemma,) = lemmas(program)
    prove_lemma(lemma)
    size, ones = 1 << exponent, (1 << WORD) - 1
    # The low words of the products fill up those below, so that what the top makes carries.
    high = ones * (size >> WORD)
    filled = size - 1 - (offset * ones % (1 << WORD) << exponent - WORD)
    for value in [*edges(exponent // WORD * 2, rng), size - 1, size - offset, high * size + filled]:
        found = run(program, {"a": split(program.numbers[0], value, WORD)})["r"]
        assert found < size, hex(value)
        assert (found - value) % (size - offset) == 0, hex(value)


@pytest.mark.parametrize(
    ("exponent", "offset", "for_gcc"),
    [(256, 2**32 + 977, True), (256, 2**63 + 1, False), (64, 59, False), (255, 2**40 + 1, False)],
    ids=["for gcc", "a fold of a whole word", "one word", "a fold that may carry"],
)
def test_other_numbers_are_reduced_in_two_steps(exponent, offset, for_gcc):
    assert reduced(exponent, offset, for_gcc=for_gcc) is None

"""Steps of Montgomery's reduction: what each prime saves, and what a step makes of a row."""

import pytest

from efdgen.generator.fields.field import Field
from efdgen.generator.fields.operations import operations
from efdgen.generator.limbs.builder import LimbBuilder
from efdgen.generator.limbs.clearing import cheapest_step
from efdgen.generator.limbs.field_operations import field_operations
from efdgen.generator.limbs.interpreter import run, split
from efdgen.generator.limbs.lower import lower_to_limbs
from efdgen.generator.limbs.operations import Add, Funnel, MulWide, Sub
from efdgen.generator.limbs.plan import plan
from efdgen.generator.limbs.program import Claim
from efdgen.generator.mathematics.prime import PrimeField
from efdgen.generator.programs.builder import ProgramBuilder
from efdgen.generator.programs.program import Add as Plus
from efdgen.generator.programs.program import Input, Mul
from efdgen.generator.programs.program import Sub as Minus
from efdgen.verify.limbs.prove import prove_contract, prove_limb_program

P384 = 2**384 - 2**128 - 2**96 + 2**32 - 1
# Words cleared together, products for each of them, and whether there is one more for the quotient.
SAVINGS = {
    5 * 2**248 - 1: (3, 1, False),
    65 * 2**376 - 1: (5, 1, False),
    2**448 - 2**224 - 1: (3, 0, False),
    2**256 - 2**224 + 2**192 + 2**96 - 1: (1, 1, False),
    P384: (1, 2, True),
    2**252 + 27742317777372353535851937790883648493: (1, 2, True),
    0xA9FB57DBA1EEA9BC3E660A909D838D726E3BF623D52620282013481D1F6E5377: (1, 4, True),
}


@pytest.mark.parametrize("prime", SAVINGS, ids=hex)
def test_what_a_prime_saves(prime):
    limbs = -(-prime.bit_length() // 64)
    step = cheapest_step(prime, 64, limbs)
    assert (step.words, step.products(64), step.inverse is not None) == SAVINGS[prime]
    assert cheapest_step(prime, 64, 1).words == 1


@pytest.mark.parametrize("prime", SAVINGS, ids=hex)
@pytest.mark.parametrize("word", [64, 32])
def test_a_step_divides_by_a_power_of_two_modulo_p(prime, word, rng):
    limbs = -(-prime.bit_length() // word)
    step, largest = cheapest_step(prime, word, limbs), (1 << word * limbs) - 1
    builder = LimbBuilder(word)
    row = list(builder.numbers[builder.input("a", limbs, largest)].words)
    cleared = 1 << word * step.words
    maximum = largest + (cleared - 1) * prime >> word * step.words
    builder.define("r", step.take(builder, row, maximum), maximum, Claim(1, (), PrimeField(1)))
    program = builder.build([("r", 1)])
    for value in (0, 1, largest, largest - 1, prime, rng.randrange(largest), rng.randrange(largest)):
        found = run(program, {"a": split(program.numbers[0], value, word)})["r"]
        assert found * cleared % prime == value % prime, value


def test_the_reason_names_the_saving():
    assert plan(P384).reason == (
        "p = 2^384 - 2^128 - 2^96 + 2^32 - 1: Montgomery's reduction in full 64-bit words,"
        " 2 products for each word that is cleared; the quotients are one more product"
    )


@pytest.mark.parametrize(
    ("prime", "limbs"), [(5 * 2**248 - 1, 4), (65 * 2**376 - 1, 6), (27 * 2**500 - 1, 8)]
)
def test_few_steps_go_through_a_whole_wide_number(prime, limbs):
    """A multiple for n - 1 words takes n - 1 sums, and n + 1 to add; the one for the last has two words."""
    builder, reduction = LimbBuilder(64), plan(prime).reduction
    reduction.reduce(builder, builder.input("a", 2 * limbs, prime**2), "r")
    sums = sum(isinstance(i.operation, Add | Sub) for i in builder.instructions)
    assert sums == (limbs - 1) + (limbs + 1) + 2


def test_of_many_steps_the_high_half_waits():
    """P-256 takes four steps; that a chain of each went through the high half would take 22 sums."""
    builder, reduction = LimbBuilder(64), plan(2**256 - 2**224 + 2**192 + 2**96 - 1).reduction
    reduction.reduce(builder, builder.input("a", 8, reduction.prime**2), "r")
    assert sum(isinstance(i.operation, Add | Sub) for i in builder.instructions) == 20


@pytest.mark.parametrize(
    ("prime", "target", "shifts"),
    [(5 * 2**248 - 1, "clang", False), (5 * 2**248 - 1, "gcc", True), (65 * 2**376 - 1, "rust", True)],
)
def test_few_words_of_a_square_are_doubled_by_sums(prime, target, shifts):
    square, chosen = field_operations()["sqr"], plan(prime, target=target)
    limbs = lower_to_limbs(square, chosen)
    prove_limb_program(limbs, square, chosen)
    assert any(isinstance(i.operation, Funnel) for i in limbs.instructions) == shifts


@pytest.mark.parametrize("prime", [*SAVINGS, 2**255 - 19, 2**521 - 1], ids=hex)
def test_a_product_that_stays_wide_is_reduced_with_each_sum(prime):
    """Without that the product is reduced for both sums, and each sum is tightened."""
    builder = ProgramBuilder()
    a, b, c, d = (builder.emit(Input(name), name) for name in "abcd")
    both, other = builder.emit(Mul(a, b), "both"), builder.emit(Mul(c, d), "other")
    outputs = [(f"r{at}", builder.emit(kind(both, other), f"r{at}")) for at, kind in enumerate((Plus, Minus))]
    program, chosen = builder.build(outputs), plan(prime)
    reductions = []
    for stay_wide in (False, True):
        limbs = lower_to_limbs(program, chosen, stay_wide=stay_wide)
        prove_limb_program(limbs, program, chosen)
        wide = {at for at, number in enumerate(limbs.numbers) if number.name.endswith("_wide")}
        read = [
            {f for term in b.claim.terms for f in term.factors} for b in limbs.blocks if b.result not in wide
        ]
        reductions.append(sorted(len(factors & wide) for factors in read if factors & wide))
    assert reductions == [[1, 1], [1, 1]]
    assert any("_wide" in b.text and b.result in wide and " - " in b.text for b in limbs.blocks)


@pytest.mark.parametrize(
    ("prime", "rows_of"), [(5 * 2**248 - 1, "a"), (2**255 - 19, "b"), (65 * 2**376 - 1, "b")]
)
def test_rows_of_a_product_by_itself_run_over_the_operand_that_suits_compilers(prime, rows_of):
    """The first product of a row is by its word, and the next one by the same."""
    (operation,) = operations(Field(PrimeField(prime), "clang", (64,)).representations[0], ("mul",))
    prove_contract(operation.program, operation.contract)
    first, second = [i for i in operation.program.instructions if isinstance(i.operation, MulWide)][:2]
    (word,) = {first.operation.left, first.operation.right} & {second.operation.left, second.operation.right}
    (name,) = (n.name for n in operation.program.numbers[:2] if word in n.words)
    assert name == rows_of

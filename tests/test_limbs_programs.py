"""Limb programs against integers: every operation, points, primes of many sizes, both word sizes."""

import random
from fractions import Fraction
from itertools import product

import gmpy2
import pytest

from efdgen.generator.errors import EfdgenError
from efdgen.generator.kernels.specialise import specialise
from efdgen.generator.limbs.field_operations import field_operations
from efdgen.generator.limbs.interpreter import LostError, run, split
from efdgen.generator.limbs.intervals import Interval
from efdgen.generator.limbs.lower import lower_to_limbs
from efdgen.generator.limbs.operations import Add, Constant, Dot, Mul, MulWide, Word
from efdgen.generator.limbs.plan import FieldPlan, plan
from efdgen.generator.limbs.printer import limb_program_text
from efdgen.generator.limbs.program import Block, Claim, Instruction, LimbProgram, Number, analyse
from efdgen.generator.limbs.shape import (
    General,
    Goldilocks,
    MontgomeryFriendly,
    PseudoMersenne,
    Solinas,
    shape_of,
)
from efdgen.generator.mathematics.prime import PrimeField
from efdgen.generator.programs.builder import ProgramBuilder
from efdgen.generator.programs.interpreter import run as run_program
from efdgen.generator.programs.program import Input, Inv, MulConstant, Sub

PRIMES = {
    "secp256k1": 2**256 - 2**32 - 977,
    "2^255-19": 2**255 - 19,
    "2^192-237": 2**192 - 237,
    "2^127-1": 2**127 - 1,
    "2^521-1": 2**521 - 1,
    "P-256": 2**256 - 2**224 + 2**192 + 2**96 - 1,
    "P-256 n": 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551,
    "P-384": 2**384 - 2**128 - 2**96 + 2**32 - 1,
    "2^448-2^224-1": 2**448 - 2**224 - 1,
    "Ed25519 l": 2**252 + 27742317777372353535851937790883648493,
    "5*2^248-1": 5 * 2**248 - 1,
    "brainpoolP256r1": 0xA9FB57DBA1EEA9BC3E660A909D838D726E3BF623D52620282013481D1F6E5377,
}


def edges(prime: int, largest: int) -> list[int]:
    values = {0, 1, 2, prime - 1, prime, prime + 1, largest, largest - 1, largest - prime, 2**64 - 1, 2**64}
    return sorted(value for value in values | {largest ^ (2**64 - 1)} if 0 <= value <= largest)


def check(limbs: LimbProgram, program, chosen: FieldPlan, rng: random.Random, rounds: int) -> None:
    """Hold a limb program against the program on edge values and random ones, everything in bounds."""
    prime, radix = chosen.prime, chosen.reduction.radix
    inputs = [limbs.numbers[index] for index in limbs.inputs]
    corner = list(product(edges(prime, inputs[0].maximum), repeat=len(inputs)))
    cases = rng.sample(corner, min(rounds, len(corner)))
    cases += [tuple(rng.randrange(number.maximum + 1) for number in inputs) for _ in range(rounds)]
    for case in cases:
        values = {number.name: value for number, value in zip(inputs, case, strict=True)}
        found = run(limbs, {n.name: split(n, values[n.name], limbs.word) for n in inputs})
        elements = {name: value * pow(radix, -1, prime) for name, value in values.items()}
        expected = run_program(program, PrimeField(prime), elements)
        assert {name: value % prime for name, value in found.items()} == {
            name: value * radix % prime for name, value in expected.items()
        }, values


@pytest.mark.drawn(6)
@pytest.mark.parametrize("word", [64, 32])
@pytest.mark.parametrize("prime", PRIMES.values(), ids=PRIMES.keys())
def test_field_operations_agree_with_integers(prime, word, rng):
    for program in field_operations().values():
        check(lower_to_limbs(program, plan(prime, word)), program, plan(prime, word), rng, 40)


@pytest.mark.parametrize("name", ["doubling/dbl-2009-l", "addition/madd-2007-bl", "addition/add-2007-bl"])
def test_point_formulas_agree_with_integers(name, database, rng):
    prime = PRIMES["secp256k1"]
    program = specialise(
        database.formula(f"g1p/shortw/jacobian-0/{name}"), PrimeField(prime), {"a": 0, "b": 7}
    ).program
    check(lower_to_limbs(program, plan(prime)), program, plan(prime), rng, 30)


@pytest.mark.parametrize("name", ["2^255-19", "P-256"])
def test_a_factor_that_is_no_small_number_is_multiplied(name, rng):
    builder = ProgramBuilder()
    x = builder.emit(Input("x"), "x")
    third = builder.emit(MulConstant(Fraction(1, 3), x), "third")
    program = builder.build([("r", builder.emit(Sub(third, x), "r"))])
    prime = PRIMES[name]
    check(lower_to_limbs(program, plan(prime)), program, plan(prime), rng, 30)


def test_divisions_are_refused():
    builder = ProgramBuilder()
    program = builder.build([("r", builder.emit(Inv(builder.emit(Input("x"), "x")), "r"))])
    with pytest.raises(EfdgenError, match="expand it first"):
        lower_to_limbs(program, plan(PRIMES["secp256k1"]))


@pytest.mark.parametrize(
    ("prime", "shape"),
    [
        (2**256 - 2**32 - 977, PseudoMersenne(256, 2**32 + 977)),
        (2**255 - 19, PseudoMersenne(255, 19)),
        (2**448 - 2**224 - 1, Goldilocks(224)),
        (5 * 2**248 - 1, MontgomeryFriendly(5, 248)),
        (2**256 - 2**224 + 2**192 + 2**96 - 1, MontgomeryFriendly((2**160 - 2**128 + 2**96 + 1), 96)),
        (2**224 - 2**96 + 1, Solinas(((1, 224), (-1, 96), (1, 0)))),
        (2**252 + 27742317777372353535851937790883648493, General()),
    ],
)
def test_shapes_are_recognised(prime, shape):
    assert shape_of(prime, 64) == shape


def one_addition(*, carry: bool) -> LimbProgram:
    """a + b, of words of 8 bits, in one word or in two."""
    instructions = (
        Instruction(Word("a", 0), (0,)),
        Instruction(Word("b", 0), (1,)),
        Instruction(Add(0, 1), (2, 3)),
    )
    a, b = (Number(name, (value,), (0,), 255) for value, name in enumerate("ab"))
    words, positions = ((2, 3), (0, 8)) if carry else ((2,), (0,))
    result = Number("r", words, positions, 510)
    blocks = (Block(2, 3, 2, Claim(1, (), PrimeField(1)), "r"),)
    intervals = analyse(8, instructions, (a, b))
    return LimbProgram(8, instructions, intervals, (a, b, result), blocks, (0, 1), (("r", 2),))


def test_a_carry_that_is_read_is_kept():
    assert run(one_addition(carry=True), {"a": [200], "b": [100]}) == {"r": 300}


def test_a_carry_that_nobody_reads_must_be_zero():
    assert run(one_addition(carry=False), {"a": [200], "b": [55]}) == {"r": 255}
    with pytest.raises(LostError, match="drops a carry"):
        run(one_addition(carry=False), {"a": [200], "b": [56]})


def test_inputs_out_of_bounds_are_refused():
    with pytest.raises(LostError, match="not in"):
        split(Number("a", (0, 1), (0, 64), 2**100), 2**100 + 1, 64)


@pytest.mark.parametrize(
    "instructions",
    [
        (Instruction(Add(0, 1), (0, 1)),),
        (Instruction(Constant(256), (0,)),),
        (Instruction(Constant(1), (1,)),),
        (Instruction(Constant(2), (0,)), Instruction(Add(0, 0, 0), (1, 2))),
    ],
    ids=["read before defined", "not a word", "numbered wrongly", "carry that is no bit"],
)
def test_what_is_no_program_is_refused(instructions):
    with pytest.raises(ValueError):  # noqa: PT011 - each has its own message
        LimbProgram(8, instructions, (Interval(2, 9),) * 3, (), (), (), ())


@pytest.mark.parametrize("multiplied", [Mul(3, 2), MulWide(2, 3), Dot(((0, 1), (3, 2)))], ids=str)
def test_a_product_by_a_bit_is_refused(multiplied):
    """Was: clang 14 made a branch of the product of a carry by 19, for riscv64."""
    words = [Instruction(Word("a", 0), (0,)), Instruction(Word("a", 1), (1,)), Instruction(Add(0, 1), (2, 3))]
    results = (4,) if isinstance(multiplied, Mul) else (4, 5)
    bounds = {3: Interval(0, 1)}
    intervals = tuple(bounds.get(value, Interval(0, 255)) for value in range(results[-1] + 1))
    with pytest.raises(ValueError, match="multiplies a bit"):
        LimbProgram(8, (*words, Instruction(multiplied, results)), intervals, (), (), (), ())


def test_a_limb_program_prints():
    text = limb_program_text(lower_to_limbs(field_operations()["add"], plan(2**61 - 1)))
    assert text.startswith(
        "v0 = a[0]\nv1 = b[0]\n\n; r = a + b, below 2^64\nv2, v3 = v0 + v1\nv4 = v2 >> 61\n"
    )
    assert text.endswith("\nv12, v13 = v6 + v10\noutput r = v12\n")


@pytest.mark.slow
def test_fields_of_random_primes_agree_with_integers(rng):
    for _ in range(10):
        size = rng.randint(70, 640)
        prime = int(gmpy2.next_prime(rng.randrange(1 << size - 1, (1 << size) - (1 << size // 2))))
        for word in (64, 32):
            chosen = plan(prime, word)
            for name in ("add", "sub", "mul", "difference_of_products"):
                program = field_operations()[name]
                check(lower_to_limbs(program, chosen), program, chosen, rng, 10)

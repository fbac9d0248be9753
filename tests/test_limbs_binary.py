"""Limb programs over GF(2)[x]: their values are the field's, and a proof refuses every other program."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest

from efdgen.generator.errors import EfdgenError
from efdgen.generator.formulas.database import Database
from efdgen.generator.limbs.binary import BinaryPlan, binary_plan
from efdgen.generator.limbs.field_operations import field_operations
from efdgen.generator.limbs.interpreter import run, split
from efdgen.generator.limbs.lower import lower_to_limbs
from efdgen.generator.limbs.operations import And, CarrylessDot, Constant, Funnel, ShiftRight, Word, Xor
from efdgen.generator.limbs.program import Instruction, LimbProgram
from efdgen.generator.mathematics.binary import BinaryField, is_irreducible, read_polynomial
from efdgen.generator.passes.pipeline import optimise
from efdgen.generator.programs.builder import ProgramBuilder
from efdgen.generator.programs.lower import lower
from efdgen.generator.programs.program import Input, Inv, MulConstant, Program
from efdgen.verify.limbs.prove import prove_limb_program
from efdgen.verify.verdicts import Refuted

# Trinomials and pentanomials of SEC 2, one whose second term is high, and small fields.
POLYNOMIALS = (
    *("x^113 + x^9 + 1", "x^163 + x^7 + x^6 + x^3 + 1", "x^233 + x^74 + 1", "x^239 + x^158 + 1"),
    *("x^283 + x^12 + x^7 + x^5 + 1", "x^409 + x^87 + 1", "x^571 + x^10 + x^5 + x^2 + 1"),
    *("x^2 + x + 1", "x^3 + x + 1", "x^8 + x^4 + x^3 + x^2 + 1", "x^127 + x^126 + 1"),
)


def irreducible(degree: int, rng: Random) -> int:
    while True:
        found = 1 << degree | rng.getrandbits(degree) | 1
        if is_irreducible(found):
            return found


def fields(rng: Random) -> list[BinaryField]:
    """The fields above, and some by polynomials of many terms, whose degrees are around words."""
    degrees = (5, 31, 32, 33, 64, 65, rng.randrange(66, 300))
    drawn = (irreducible(degree, rng) for degree in degrees)
    return [BinaryField(polynomial) for polynomial in (*map(read_polynomial, POLYNOMIALS), *drawn)]


def times(a: int, b: int, polynomial: int) -> int:
    """a·b modulo a polynomial, bit by bit."""
    found, degree = 0, polynomial.bit_length() - 1
    for at in reversed(range(degree)):
        found <<= 1
        if found >> degree:
            found ^= polynomial
        if b >> at & 1:
            found ^= a
    return found


EXPECTED = {
    "add": lambda f, a, b: a ^ b,
    "sub": lambda f, a, b: a ^ b,
    "neg": lambda f, a: a,
    "mul": lambda f, a, b: times(a, b, f),
    "sqr": lambda f, a: times(a, a, f),
    "sum_of_products": lambda f, a, b, c, d: times(a, b, f) ^ times(c, d, f),
    "difference_of_products": lambda f, a, b, c, d: times(a, b, f) ^ times(c, d, f),
}


def lowered(name: str, plan: BinaryPlan) -> LimbProgram:
    return lower_to_limbs(field_operations()[name], plan)


def computed(limbs: LimbProgram, values: dict[str, int]) -> dict[str, int]:
    words = {limbs.numbers[index].name: limbs.numbers[index] for index in limbs.inputs}
    return run(limbs, {name: split(number, values[name], limbs.word) for name, number in words.items()})


@pytest.mark.long
@pytest.mark.parametrize("word", [64, 32])
@pytest.mark.slow
def test_operations_are_proved_and_agree_with_products_bit_by_bit(rng: Random, word: int, few):
    for field in few(rng, fields(rng), 3):
        plan = binary_plan(field, word, "portable")
        for name, expected in EXPECTED.items():
            limbs = lowered(name, plan)
            prove_limb_program(limbs, field_operations()[name], plan)
            names = [limbs.numbers[index].name for index in limbs.inputs]
            for drawn in (
                [field.order - 1] * 4,
                *([rng.getrandbits(field.degree) for _ in "abcd"] for _ in "ab"),
            ):
                values = dict(zip(names, drawn, strict=False))
                found = computed(limbs, values)["r"]
                assert found == expected(field.polynomial, *values.values()), (str(field), name)


def test_multiples_are_taken_modulo_two():
    plan = binary_plan(BinaryField(read_polynomial("x^8 + x^4 + x^3 + x^2 + 1")), 32, "portable")
    for factor, expected in ((2, 0), (3, 77), (-1, 77)):
        builder = ProgramBuilder()
        value = builder.emit(MulConstant(factor, builder.emit(Input("a"), "a")), "r")
        program = builder.build([("r", value)])
        limbs = lower_to_limbs(program, plan)
        prove_limb_program(limbs, program, plan)
        assert computed(limbs, {"a": 77})["r"] == expected


def test_a_half_is_refused():
    plan = binary_plan(BinaryField(0b1011), 32, "portable")
    builder = ProgramBuilder()
    value = builder.emit(MulConstant(Fraction(1, 2), builder.emit(Input("a"), "a")), "r")
    with pytest.raises((EfdgenError, ZeroDivisionError)):
        lower_to_limbs(builder.build([("r", value)]), plan)


def edited(limbs: LimbProgram, at: int, rng: Random) -> LimbProgram | None:
    """A program with another operation in a place; None where there is none to take."""
    operation = limbs.instructions[at].operation
    earlier = [value for i in limbs.instructions[:at] for value in i.results]
    match operation:
        case Xor(left, right):
            other = rng.choice([value for value in earlier if value not in (left, right)])
            new = Xor(left, other)
        case Funnel(high, low, amount):
            new = Funnel(high, low, amount % (limbs.word - 1) + 1)
        case ShiftRight(value, amount):
            new = ShiftRight(value, amount - 1)
        case Constant(value) if value:
            new = Constant(value ^ 1 << rng.randrange(limbs.word))
        case CarrylessDot(((left, right), *others), added):
            new = CarrylessDot(((left, rng.choice([v for v in earlier if v != right])), *others), added)
        case CarrylessDot((), added):
            new = CarrylessDot((), added[1:])
        case And(left, right):
            new = Xor(left, right)
        case _:
            return None
    instructions = list(limbs.instructions)
    instructions[at] = Instruction(new, instructions[at].results)
    return replace(limbs, instructions=tuple(instructions))


@pytest.mark.parametrize("name", ["mul", "sqr", "add"])
def test_a_single_edit_is_refused_by_the_proof(rng: Random, name: str):
    """Or it changes nothing: then the edited program gives the same for random elements and for all ones."""
    refused = 0
    for text in ("x^163 + x^7 + x^6 + x^3 + 1", "x^233 + x^74 + 1", "x^127 + x^126 + 1"):
        plan = binary_plan(BinaryField(read_polynomial(text)), 64, "portable")
        limbs, meaning = lowered(name, plan), field_operations()[name]
        for at, instruction in enumerate(limbs.instructions):
            mutant = None if isinstance(instruction.operation, Word) else edited(limbs, at, rng)
            if mutant is None:
                continue
            try:
                prove_limb_program(mutant, meaning, plan)
            except Refuted:
                refused += 1
            else:
                assert all(agree(mutant, limbs, plan.ground, rng) for _ in range(20)), (at, instruction)
    assert refused > 0


def agree(one: LimbProgram, other: LimbProgram, field: BinaryField, rng: Random) -> bool:
    values = {name: rng.getrandbits(field.degree) for name in "ab"}
    return computed(one, values) == computed(other, values)


@pytest.mark.slow
@pytest.mark.parametrize("word", [64, 32])
def test_every_formula_without_a_division_is_proved_as_one_limb_program(database: Database, word: int):
    plan = binary_plan(BinaryField(read_polynomial("x^113 + x^9 + 1")), word, "portable")
    proved = 0
    for model in ("g12o/edwards", "g12o/hessian", "g12o/shortw"):
        systems = database.systems(model)
        for name in sorted({each for system in systems for each in database.formulas_for(system)}):
            program = optimise(lower(database.formula(name)))
            if not any(isinstance(instruction.operation, Inv) for instruction in program.instructions):
                prove_limb_program(lower_to_limbs(program, plan), program, plan)
                proved += 1
    assert proved > 100


def test_a_program_of_another_operation_is_refused():
    plan = binary_plan(BinaryField(read_polynomial("x^233 + x^74 + 1")), 64, "portable")
    with pytest.raises(Refuted, match="another polynomial"):
        prove_limb_program(lowered("mul", plan), field_operations()["add"], plan)


def test_another_polynomial_is_refused():
    plan = binary_plan(BinaryField(read_polynomial("x^233 + x^74 + 1")), 64, "portable")
    other = binary_plan(BinaryField(read_polynomial("x^233 + x^159 + 1")), 64, "portable")
    with pytest.raises(Refuted, match="says nothing"):
        prove_limb_program(lowered("mul", plan), field_operations()["mul"], other)
    program: Program = field_operations()["mul"]
    limbs = lowered("mul", plan)
    claims = tuple(replace(block, claim=replace(block.claim, modulus=other.ground)) for block in limbs.blocks)
    with pytest.raises(Refuted, match="coefficients of the claim differ"):
        prove_limb_program(replace(limbs, blocks=claims), program, other)

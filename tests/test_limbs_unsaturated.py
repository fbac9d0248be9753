"""Limbs that leave room in words: proved, run on limbs up to their limits, and refused where broken."""

import random
from dataclasses import replace
from fractions import Fraction

import gmpy2
import pytest

from efdgen.generator.errors import EfdgenError
from efdgen.generator.fields.field import Field
from efdgen.generator.fields.operations import operations
from efdgen.generator.kernels.specialise import specialise
from efdgen.generator.limbs.contract import field_contract
from efdgen.generator.limbs.field_operations import field_operations
from efdgen.generator.limbs.interpreter import LostError, run
from efdgen.generator.limbs.lower import lower_to_limbs
from efdgen.generator.limbs.operations import Constant, Dot, Funnel, ShiftRight, Sub
from efdgen.generator.limbs.plan import plan, representations
from efdgen.generator.limbs.program import Instruction
from efdgen.generator.mathematics.prime import PrimeField
from efdgen.generator.programs.builder import ProgramBuilder
from efdgen.generator.programs.interpreter import run as run_program
from efdgen.generator.programs.program import Constant as Known
from efdgen.generator.programs.program import Input, Mul, MulConstant, Neg
from efdgen.generator.programs.program import Sub as Difference
from efdgen.verify.limbs.prove import prove_contract, prove_limb_program
from efdgen.verify.verdicts import Refuted

SECP256K1, CURVE25519, P521 = 2**256 - 2**32 - 977, 2**255 - 19, 2**521 - 1
P448, P256 = 2**448 - 2**224 - 1, 2**256 - 2**224 + 2**192 + 2**96 - 1
FIELDS = {
    "2^255-19": (CURVE25519, 64),
    "2^255-19, 32 bits": (CURVE25519, 32),
    "secp256k1": (SECP256K1, 64),
    "2^521-1": (P521, 64),
    "2^448-2^224-1": (P448, 64),
    "2^448-2^224-1, 32 bits": (P448, 32),
    "2^127-1": (2**127 - 1, 64),
    "2^127-1, 32 bits": (2**127 - 1, 32),
}
OPERATIONS = (
    *field_operations(),
    *("half", "mul_small", "canonical", "from_canonical", "to_number", "from_number", "select", "cswap"),
)


def field(prime, word, target="gcc"):
    (found,) = Field(PrimeField(prime), target, (word,), kind="unsaturated").representations
    assert found.plan.representation == "unsaturated"
    return found


def limbs_of(number, rng: random.Random) -> list[int]:
    """Words of a number, each within its limit, edges as often as not."""
    limits = number.limits or [(1 << 64) - 1 & (number.maximum >> at) for at in number.positions]
    if not number.limits:
        value = rng.choice((0, 1, number.maximum, number.maximum - 1, rng.randrange(number.maximum + 1)))
        ends = [*number.positions[1:], number.maximum.bit_length() + 1]
        pairs = zip(number.positions, ends, strict=True)
        return [value >> at & (1 << max(0, end - at)) - 1 for at, end in pairs]
    return [rng.choice((0, 1, limit - 1, limit, rng.randrange(limit + 1))) for limit in limits]


def check(limbs, contract, prime: int, rng: random.Random, rounds: int) -> None:
    """Hold a limb program against what its contract says, on words within their bounds."""
    for _ in range(rounds):
        taken = [limbs.numbers[index] for index in limbs.inputs]
        words = {number.name: limbs_of(number, rng) for number in taken}
        found = run(limbs, words)
        values = {
            number.name: sum(w << at for w, at in zip(words[number.name], number.positions, strict=True))
            for number in taken
        }
        expected = run_program(contract.meaning, PrimeField(prime), values)
        assert all((found[name] - value) % prime == 0 for name, value in expected.items()), words
        for name, value in found.items():
            assert value <= contract.outputs[name].maximum


@pytest.mark.parametrize("name", FIELDS)
def test_operations_are_proved_and_agree_with_integers(name, rng):
    chosen = field(*FIELDS[name])
    found = list(operations(chosen, OPERATIONS))
    assert [operation.name for operation in found] == list(OPERATIONS)
    for operation in found:
        prove_contract(operation.program, operation.contract)
        check(operation.program, operation.contract, chosen.plan.prime, rng, 15)


@pytest.mark.parametrize("name", FIELDS)
def test_products_that_are_carried_at_once_are_proved_and_agree_with_integers(name, rng):
    chosen = field(*FIELDS[name], target="clang")
    for operation in operations(chosen, ("mul", "sqr")):
        assert len(operation.program.blocks) == 1
        prove_contract(operation.program, operation.contract)
        check(operation.program, operation.contract, chosen.plan.prime, rng, 15)


def random_pseudo_mersenne(rng: random.Random) -> int:
    bits, least = rng.randrange(100, 600), rng.randrange(1, 2000, 2)
    return 2**bits - next(c for c in range(least, 10**6, 2) if gmpy2.is_prime(2**bits - c))


@pytest.mark.parametrize("name", FIELDS)
def test_products_of_limbs_are_as_many_as_are_said(name):
    chosen = field(*FIELDS[name])
    for operation, squared in zip(operations(chosen, ("mul", "sqr")), (False, True), strict=True):
        made = [instruction.operation for instruction in operation.program.instructions]
        pairs = [pair for dot in made if isinstance(dot, Dot) for pair in dot.products]
        known = {i.results[0] for i in operation.program.instructions if isinstance(i.operation, Constant)}
        count = sum(known.isdisjoint(pair) for pair in pairs)
        assert count == chosen.plan.reduction.products(squared=squared)


def test_random_primes_are_proved_and_agree_with_integers():
    seed = random.randrange(2**32)
    rng = random.Random(seed)
    for _ in range(5):
        prime, word = random_pseudo_mersenne(rng), rng.choice((64, 32))
        if "unsaturated" not in representations(prime, word):
            continue
        for operation in operations(field(prime, word), OPERATIONS):
            try:
                prove_contract(operation.program, operation.contract)
            except Refuted as refuted:
                raise AssertionError((seed, prime, word, operation.name)) from refuted
            check(operation.program, operation.contract, prime, rng, 3)


@pytest.mark.parametrize("name", ["doubling/dbl-2009-l", "addition/madd-2007-bl"])
def test_point_formulas_are_proved_and_agree_with_integers(name, database, rng):
    formula = database.formula(f"g1p/shortw/jacobian-0/{name}")
    program = specialise(formula, PrimeField(SECP256K1), {"a": 0, "b": 7}).program
    for prime, target in ((SECP256K1, "gcc"), (P448, "clang")):
        chosen = plan(prime, 64, target, "unsaturated")
        limbs = lower_to_limbs(program, chosen)
        prove_limb_program(limbs, program, chosen)
        check(limbs, field_contract(program, chosen), prime, rng, 15)


@pytest.mark.parametrize("target", ["gcc", "clang"])
def test_a_product_that_is_only_subtracted_is_proved(target, rng):
    builder = ProgramBuilder()
    a, b = (builder.emit(Input(name), name) for name in "ab")
    program = builder.build([("r", builder.emit(Neg(builder.emit(Mul(a, b), "ab")), "r"))])
    for prime in (SECP256K1, P521):
        chosen = plan(prime, 64, target, "unsaturated")
        limbs = lower_to_limbs(program, chosen)
        prove_limb_program(limbs, program, chosen)
        check(limbs, field_contract(program, chosen), prime, rng, 15)


# c, its multiple, and that of a·b: r = 4 - a·b, r = 4·c - 2·a·b, …
DIFFERENCES = [
    *((None, 1, 1), (None, 4, 2), (None, -3, 5), (0, 1, 2), (1, 1, 1), (2, 2, 1), (4, 1, 1)),
    *((2, 4, 2), (-1, 4, 1), (-1, -3, 5), (2**40 + 1, 1, 3)),
]


def difference_of_multiples(c: int | None, of_c: int, of_ab: int):
    """Return the program of ``of_c``·c - ``of_ab``·a·b, for a number c or an input."""
    builder = ProgramBuilder()
    a, b, *inputs = (builder.emit(Input(name), name) for name in ("abc" if c is None else "ab"))
    (left,) = inputs or [builder.emit(Known(Fraction(c)), "k")]
    right = builder.emit(Mul(a, b), "ab")
    if of_c != 1:
        left = builder.emit(MulConstant(Fraction(of_c), left), "of_c")
    if of_ab != 1:
        right = builder.emit(MulConstant(Fraction(of_ab), right), "of_ab")
    return builder.build([("r", builder.emit(Difference(left, right), "r"))])


@pytest.mark.parametrize("representation", ["unsaturated", "saturated"])
@pytest.mark.parametrize("name", FIELDS)
@pytest.mark.slow
def test_differences_of_known_numbers_and_products_are_proved(name, representation, rng):
    prime, word = FIELDS[name]
    chosen = plan(prime, word, "gcc", representation)
    radix = chosen.reduction.radix
    for c, of_c, of_ab in DIFFERENCES:
        program = difference_of_multiples(c, of_c, of_ab)
        limbs = lower_to_limbs(program, chosen)
        try:
            prove_limb_program(limbs, program, chosen)
        except Refuted as refuted:
            raise AssertionError((c, of_c, of_ab)) from refuted
        for _ in range(5):
            taken = [limbs.numbers[index] for index in limbs.inputs]
            words = {number.name: limbs_of(number, rng) for number in taken}
            values = {
                n.name: sum(w << at for w, at in zip(words[n.name], n.positions, strict=True)) for n in taken
            }
            known = values["c"] if c is None else c * radix
            product = values["a"] * values["b"] * pow(radix, -1, prime)
            assert (run(limbs, words)["r"] - of_c * known + of_ab * product) % prime == 0, (c, words)


def refused(limbs, contract) -> bool:
    try:
        prove_contract(limbs, contract)
    except Refuted:
        return True
    return False


def broken(operation, known):
    """Yield what an operation must not be."""
    match operation:
        case Dot(products, added, subtracted):
            if products:
                yield Dot(products[1:], added, subtracted)
            if added:
                yield Dot(products, added[:-1], subtracted)
            if subtracted:
                yield Dot(products, added, subtracted[1:])
        case Constant(value) if value > 1:
            yield Constant(value - 1)
        case ShiftRight(value, amount):
            yield ShiftRight(value, amount - 1)
        case Funnel(high, low, amount) if low not in known:
            yield Funnel(high, low, amount - 1)
        case Sub(left, right, borrow):
            yield Sub(right, left, borrow)


@pytest.mark.parametrize("name", ["2^255-19", "secp256k1", "2^448-2^224-1"])
def test_whatever_is_left_out_or_changed_is_refused(name):
    tried = 0
    for operation in operations(field(*FIELDS[name]), ("mul", "difference_of_products", "canonical")):
        limbs = operation.program
        known = {i.results[0] for i in limbs.instructions if isinstance(i.operation, Constant)}
        for at, instruction in enumerate(limbs.instructions):
            for mutant in broken(instruction.operation, known):
                changed = Instruction(mutant, instruction.results)
                instructions = (*limbs.instructions[:at], changed, *limbs.instructions[at + 1 :])
                mutated = replace(limbs, instructions=instructions)
                assert refused(mutated, operation.contract), (operation.name, at, mutant)
                tried += 1
    assert tried > 60


def test_limits_that_are_too_small_or_not_enough_are_refused():
    for operation in operations(field(P448, 64), ("sub", "difference_of_products")):
        limbs = operation.program
        for index, number in enumerate(limbs.numbers):
            for at, limit in enumerate(number.limits):
                limits = (*number.limits[:at], limit // 2, *number.limits[at + 1 :])
                changed = replace(number, limits=limits)
                numbers = (*limbs.numbers[:index], changed, *limbs.numbers[index + 1 :])
                assert refused(replace(limbs, numbers=numbers), operation.contract), (number.name, at)
        for port in ("a", "b"):
            wider = replace(operation.contract.inputs[port], limits=())
            contract = replace(operation.contract, inputs={**operation.contract.inputs, port: wider})
            assert refused(limbs, contract)


def test_a_column_that_does_not_fit_is_lost():
    limbs = lower_to_limbs(field_operations()["mul"], plan(2**127 - 1, 64, representation="unsaturated"))
    with pytest.raises(LostError):
        run(limbs, {"a": [2**64 - 1] * 3, "b": [2**64 - 1] * 3})


@pytest.mark.parametrize(("prime", "word"), [(P256, 64), (SECP256K1, 32), (13, 64)])
def test_primes_without_such_limbs_are_refused(prime, word):
    assert representations(prime, word) == ("saturated",)
    with pytest.raises(EfdgenError, match=f"no unsaturated .* in {word}-bit words"):
        plan(prime, word, representation="unsaturated")


def test_what_is_chosen_is_said():
    for target in ("gcc", "clang", "rust", "portable"):
        for prime, word in FIELDS.values():
            best, *_ = representations(prime, word, target)
            chosen = plan(prime, word, target)
            assert chosen.representation == best
            assert ("limbs of" in chosen.reason) == (best == "unsaturated")


def test_gcc_gets_limbs_where_a_number_has_many_words():
    for prime in (P521, P448):
        assert representations(prime, 64, "gcc")[0] == "unsaturated"
        assert "gcc finds no registers" in plan(prime, 64, "gcc").reason
        assert representations(prime, 64, "clang")[0] == "saturated"
    assert representations(CURVE25519, 64, "gcc")[0] == "saturated"


def test_a_field_has_limbs_where_words_have_room():
    wide, narrow = Field(PrimeField(SECP256K1), kind="unsaturated").representations
    assert (wide.limbs, wide.words, narrow.limbs, narrow.words) == (5, 4, 8, 8)
    with pytest.raises(EfdgenError, match="no unsaturated representation"):
        Field(PrimeField(P256), kind="unsaturated")

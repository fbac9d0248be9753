"""Proofs of limb programs: what is right is proved, and what is broken in any one place is refused."""

import random
from dataclasses import replace
from fractions import Fraction

import pytest

from efdgen.generator.kernels.specialise import specialise
from efdgen.generator.limbs.field_operations import field_operations
from efdgen.generator.limbs.interpreter import LostError, run, split
from efdgen.generator.limbs.lower import lower_to_limbs
from efdgen.generator.limbs.operations import Add, Constant, Funnel, MulWide, Sub
from efdgen.generator.limbs.plan import plan
from efdgen.generator.limbs.program import Instruction
from efdgen.generator.mathematics.prime import PrimeField
from efdgen.generator.programs import program as elements
from efdgen.generator.programs.interpreter import run as run_program
from efdgen.verify.limbs.prove import prove_limb_program
from efdgen.verify.verdicts import Refuted

SECP256K1, CURVE25519, SQISIGN = 2**256 - 2**32 - 977, 2**255 - 19, 5 * 2**248 - 1
P256 = 2**256 - 2**224 + 2**192 + 2**96 - 1
BRAINPOOL = 0xA9FB57DBA1EEA9BC3E660A909D838D726E3BF623D52620282013481D1F6E5377
PRIMES = {
    "secp256k1": (SECP256K1, 64),
    "secp256k1, 32 bits": (SECP256K1, 32),
    "2^255-19": (CURVE25519, 64),
    "2^255-19, 32 bits": (CURVE25519, 32),
    "2^127-1": (2**127 - 1, 64),
    "2^521-1": (2**521 - 1, 64),
    "P-256": (P256, 64),
    "P-384": (2**384 - 2**128 - 2**96 + 2**32 - 1, 64),
    "5*2^248-1": (SQISIGN, 64),
    "brainpoolP256r1": (BRAINPOOL, 64),
}


@pytest.mark.parametrize(("prime", "word"), PRIMES.values(), ids=PRIMES.keys())
def test_field_operations_are_proved(prime, word):
    for program in field_operations().values():
        chosen = plan(prime, word)
        prove_limb_program(lower_to_limbs(program, chosen), program, chosen)


@pytest.mark.parametrize("name", ["doubling/dbl-2009-l", "addition/madd-2007-bl", "addition/add-2007-bl"])
def test_point_formulas_are_proved(name, database):
    program = specialise(
        database.formula(f"g1p/shortw/jacobian-0/{name}"), PrimeField(SECP256K1), {"a": 0, "b": 7}
    ).program
    chosen = plan(SECP256K1)
    certificate = prove_limb_program(lower_to_limbs(program, chosen), program, chosen)
    assert certificate.lemmas < certificate.blocks


THREE, FRACTION = elements.Constant(Fraction(3)), elements.Constant(Fraction(5, 7))


@pytest.mark.parametrize("name", ["2^255-19", "P-256", "5*2^248-1"])
@pytest.mark.parametrize(
    "operations",
    [
        # Each reads x, which is value 0, and values before it.
        (THREE, FRACTION, elements.Mul(1, 2), elements.Mul(3, 0)),
        (THREE, elements.Sqr(1), elements.Add(2, 0)),
        (THREE, elements.Sqr(1), elements.Sub(1, 2), elements.Mul(3, 0)),
        (FRACTION, elements.Mul(1, 1)),
    ],
    ids=["a product of both", "a square", "a difference", "alone"],
)
def test_constants_by_constants_are_proved(name, operations):
    """A product of two constants has no words to multiply: it is a constant itself."""
    prime, word = PRIMES[name]
    steps = [elements.Instruction(operation, f"v{at}") for at, operation in enumerate(operations)]
    whole = elements.Instruction(elements.Input("x"), "x"), *steps
    program, chosen = elements.Program(whole, (("r", len(steps)),)), plan(prime, word)
    prove_limb_program(lower_to_limbs(program, chosen), program, chosen)


def prepared(name, prime):
    program, chosen = field_operations()[name], plan(prime)
    return lower_to_limbs(program, chosen), program, chosen


def with_instruction(limbs, at, operation):
    changed = Instruction(operation, limbs.instructions[at].results)
    return replace(limbs, instructions=(*limbs.instructions[:at], changed, *limbs.instructions[at + 1 :]))


def refused(limbs, program, chosen):
    try:
        prove_limb_program(limbs, program, chosen)
    except Refuted:
        return True
    return False


@pytest.mark.parametrize("prime", [SECP256K1, CURVE25519])
def test_every_dropped_carry_is_refused(prime):
    limbs, program, chosen = prepared("mul", prime)
    carries = 0
    for at, instruction in enumerate(limbs.instructions):
        if isinstance(instruction.operation, Add) and instruction.operation.bit is not None:
            broken = with_instruction(limbs, at, replace(instruction.operation, bit=None))
            assert refused(broken, program, chosen), at
            carries += 1
    assert carries > 20


@pytest.mark.parametrize("prime", [SECP256K1, CURVE25519])
def test_every_wrong_constant_is_refused(prime):
    for name in ("mul", "sub"):
        limbs, program, chosen = prepared(name, prime)
        for at, instruction in enumerate(limbs.instructions):
            match instruction.operation:
                case Constant(value) if value:
                    assert refused(with_instruction(limbs, at, Constant(value - 1)), program, chosen), at


@pytest.mark.parametrize("prime", [SECP256K1, CURVE25519])
def test_swapped_operands_are_refused(prime):
    limbs, program, chosen = prepared("difference_of_products", prime)
    for at, instruction in enumerate(limbs.instructions):
        match instruction.operation:
            case Sub(left, right, borrow):
                assert refused(with_instruction(limbs, at, Sub(right, left, borrow)), program, chosen), at


def test_bounds_that_are_too_small_are_refused():
    for prime in (SECP256K1, CURVE25519):
        limbs, program, chosen = prepared("difference_of_products", prime)
        for index, number in enumerate(limbs.numbers):
            smaller = replace(number, maximum=number.maximum * 3 // 4)
            numbers = (*limbs.numbers[:index], smaller, *limbs.numbers[index + 1 :])
            assert refused(replace(limbs, numbers=numbers), program, chosen), number.name


def test_least_values_that_are_too_large_or_missing_are_refused(database):
    program = specialise(
        database.formula("g1p/shortw/jacobian-0/doubling/dbl-sum"), PrimeField(SECP256K1), {"a": 0, "b": 7}
    ).program
    chosen = plan(SECP256K1)
    limbs = lower_to_limbs(program, chosen)
    known = [(at, number) for at, number in enumerate(limbs.numbers) if 0 < number.minimum < number.maximum]
    assert "X3" in [number.name for _, number in known]
    for at, number in known:
        larger = (number.minimum + number.maximum) // 2
        for minimum in (0, larger) if number.name == "X3" else (larger,):
            numbers = (*limbs.numbers[:at], replace(number, minimum=minimum), *limbs.numbers[at + 1 :])
            assert refused(replace(limbs, numbers=numbers), program, chosen), (number.name, minimum)


def test_another_program_is_refused():
    operations = field_operations()
    chosen = plan(SECP256K1)
    with pytest.raises(Refuted, match="another polynomial"):
        prove_limb_program(lower_to_limbs(operations["add"], chosen), operations["sub"], chosen)


def mutated(operation, result, rng):
    """Return an operation that differs in one operand, or in the amount of a shift."""
    match operation:
        case Funnel(high, low, amount) if amount > 1:
            return Funnel(high, low, amount - 1)
        case MulWide(left, right) if left != right and rng.random() < 0.5:
            return MulWide(left, left)
    values = list(operation.operands)
    if values:
        values[rng.randrange(len(values))] = rng.randrange(max(0, result - 12), result)
    return operation.on(tuple(values))


def wrong(limbs, program, chosen, rng):
    """Return whether a limb program fails on some edge values or random ones."""
    prime, radix = chosen.prime, chosen.reduction.radix
    inputs = [limbs.numbers[index] for index in limbs.inputs]
    largest = inputs[0].maximum
    edges = [0, 1, largest, largest - 1, prime - 1, min(prime, largest), max(0, largest - prime)]
    for _ in range(40):
        values = {
            n.name: rng.choice(edges) if rng.random() < 0.6 else rng.randrange(largest + 1) for n in inputs
        }
        try:
            found = run(limbs, {n.name: split(n, values[n.name], limbs.word) for n in inputs})
        except LostError:
            return True
        elements = {name: value * pow(radix, -1, prime) for name, value in values.items()}
        expected = run_program(program, PrimeField(prime), elements)
        if any((found[name] - radix * expected[name]) % prime for name in expected):
            return True
    return False


MUTANTS = 40


@pytest.mark.drawn(2)
@pytest.mark.parametrize("prime", [SECP256K1, CURVE25519, P256])
@pytest.mark.parametrize("name", ["sqr", "difference_of_products"])
@pytest.mark.slow
def test_mutants_that_fail_are_not_proved(name, prime, few, rng: random.Random):
    limbs, program, chosen = prepared(name, prime)
    failing = 0
    places = few(rng, [*enumerate(limbs.instructions)], MUTANTS)
    for at, instruction in places:
        operation = mutated(instruction.operation, instruction.results[0], rng)
        if operation == instruction.operation:
            continue
        try:
            mutant = with_instruction(limbs, at, operation)
        except ValueError:
            continue
        if wrong(mutant, program, chosen, rng):
            failing += 1
            assert refused(mutant, program, chosen), (at, operation)
    assert failing >= len(places) // 4

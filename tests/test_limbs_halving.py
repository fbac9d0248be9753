"""Halves within formulas: shifts and not products, proved, and what integers say."""

from dataclasses import replace
from fractions import Fraction

import pytest
from field_primes import PRIMES

from efdgen.generator.kernels.specialise import specialise
from efdgen.generator.limbs.interpreter import run, split
from efdgen.generator.limbs.lower import lower_to_limbs
from efdgen.generator.limbs.operations import Constant, MulLow, MulWide
from efdgen.generator.limbs.operations import Mul as MulWord
from efdgen.generator.limbs.outline import outline
from efdgen.generator.limbs.plan import plan
from efdgen.generator.limbs.spelling import LimbFunction
from efdgen.generator.mathematics.prime import PrimeField
from efdgen.generator.programs.builder import ProgramBuilder
from efdgen.generator.programs.interpreter import run as run_program
from efdgen.generator.programs.program import Add, Input, Mul, MulConstant, Sqr, Sub
from efdgen.verify.limbs.prove import prove_limb_program
from efdgen.verify.verdicts import Refuted

SOME = ("2^255-19", "secp256k1", "P-256", "P-384 order", "5*2^248-1", "2^127-1", "brainpoolP256r1")


def times(builder, factor, value):
    return builder.emit(MulConstant(Fraction(factor), value))


def element(builder, a, c, d):
    return times(builder, "1/2", a)


def square_and_sum(builder, a, c, d):
    return builder.emit(Sub(d, times(builder, "3/2", builder.emit(Sqr(a)))))


def negative_eighth(builder, a, c, d):
    total = builder.emit(Sub(builder.emit(Add(a, c)), d))
    return builder.emit(Mul(times(builder, "-1/8", total), c))


def products(builder, a, c, d):
    total = builder.emit(Add(builder.emit(Mul(a, c)), builder.emit(Mul(c, d))))
    return builder.emit(Sub(times(builder, "5/4", a), times(builder, "1/2", total)))


def nothing(builder, a, c, d):
    return builder.emit(Add(a, times(builder, "1/2", builder.emit(Sub(c, c)))))


def program(write):
    builder = ProgramBuilder()
    result = write(builder, *(builder.emit(Input(name), name) for name in "acd"))
    return builder.build([("r", result)])


def check(limbs, written, chosen, rng):
    """Hold a limb program against the program, on corners and on random values within bounds."""
    prime, tight, inverse = (
        chosen.prime,
        chosen.reduction.tight,
        pow(chosen.reduction.radix, -1, chosen.prime),
    )
    numbers = [limbs.numbers[index] for index in limbs.inputs]
    corners = (0, 1, 2, prime - 1, min(prime, tight), tight, tight - 1)
    for _ in range(20):
        values = {number.name: rng.choice([*corners, rng.randrange(tight + 1)]) for number in numbers}
        found = run(limbs, {n.name: split(n, values[n.name], limbs.word) for n in numbers})
        elements = {name: value * inverse % prime for name, value in values.items()}
        expected = run_program(written, PrimeField(prime), elements)
        assert {name: value * inverse % prime for name, value in found.items()} == expected, values
        assert max(found.values()) <= tight


@pytest.mark.drawn(15)
@pytest.mark.parametrize("write", [element, square_and_sum, negative_eighth, products, nothing])
@pytest.mark.parametrize("name", SOME)
def test_halves_are_proved_and_agree_with_integers(name, write, rng):
    written = program(write)
    for word in (64, 32):
        chosen = plan(PRIMES[name], word)
        limbs = lower_to_limbs(written, chosen)
        prove_limb_program(limbs, written, chosen)
        check(limbs, written, chosen, rng)


@pytest.mark.parametrize("name", ["doubling/dbl-2021-d", "addition/add-1986-cc-2"])
def test_point_formulas_with_halves_are_proved(name, database, rng):
    prime = PRIMES["secp256k1"]
    formula = database.formula(f"g1p/shortw/jacobian/{name}")
    chosen = plan(prime)
    written = specialise(formula, PrimeField(prime), {"a": 0, "b": 7, "half": (prime + 1) // 2}).program
    limbs = lower_to_limbs(written, chosen)
    prove_limb_program(limbs, written, chosen)
    check(limbs, written, chosen, rng)
    blocks, _ = outline([LimbFunction("formula", limbs, ("",))])
    assert any(block.name.startswith("halve_") for block in blocks)


@pytest.mark.parametrize("name", SOME)
def test_a_half_is_no_product(name):
    for word in (64, 32):
        limbs = lower_to_limbs(program(element), plan(PRIMES[name], word))
        assert not any(isinstance(i.operation, MulWord | MulWide | MulLow) for i in limbs.instructions), word


@pytest.mark.parametrize("name", SOME)
def test_another_constant_than_half_of_p_is_refused(name):
    written, chosen = program(element), plan(PRIMES[name])
    limbs = lower_to_limbs(written, chosen)
    places = [at for at, i in enumerate(limbs.instructions) if isinstance(i.operation, Constant)]
    for at in places:
        wrong = list(limbs.instructions)
        value = wrong[at].operation.value
        wrong[at] = replace(wrong[at], operation=Constant(value ^ 2))
        with pytest.raises((Refuted, ValueError)):
            prove_limb_program(replace(limbs, instructions=tuple(wrong)), written, chosen)

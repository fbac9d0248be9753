"""Values that are 0 for every input: products with them, and sums, become words like all others."""

from fractions import Fraction

import pytest

from efdgen.generator.limbs.interpreter import run, split
from efdgen.generator.limbs.lower import lower_to_limbs
from efdgen.generator.limbs.plan import plan, representations
from efdgen.generator.programs.builder import ProgramBuilder
from efdgen.generator.programs.program import Add, Constant, Input, Mul, MulConstant, Sqr, Sub
from efdgen.verify.limbs.prove import prove_limb_program

PRIMES = {
    "secp256k1": 2**256 - 2**32 - 977,
    "P-256": 2**256 - 2**224 + 2**192 + 2**96 - 1,
    "2^255-19": 2**255 - 19,
    "brainpoolP256r1": 0xA9FB57DBA1EEA9BC3E660A909D838D726E3BF623D52620282013481D1F6E5377,
    "7": 7,
}


def with_zeros(prime):
    """Yield programs from a and b, and what each makes as a multiple of a."""
    for zero in (
        lambda made, a: made.emit(Constant(Fraction(0))),
        lambda made, a: made.emit(Constant(Fraction(prime))),
        lambda made, a: made.emit(Sub(a, a)),
        lambda made, a: made.emit(MulConstant(Fraction(prime), a)),
    ):
        for write, multiple in (
            (lambda made, a, b, nil: nil, 0),
            (lambda made, a, b, nil: made.emit(Mul(b, nil)), 0),
            (lambda made, a, b, nil: made.emit(Mul(nil, b)), 0),
            (lambda made, a, b, nil: made.emit(Sqr(nil)), 0),
            (lambda made, a, b, nil: made.emit(MulConstant(Fraction(1, 2), made.emit(Mul(b, nil)))), 0),
            (lambda made, a, b, nil: made.emit(MulConstant(Fraction(5, 3), made.emit(Mul(b, nil)))), 0),
            (lambda made, a, b, nil: made.emit(Sub(a, made.emit(Mul(made.emit(Mul(a, b)), nil)))), 1),
            (lambda made, a, b, nil: made.emit(Add(made.emit(Mul(nil, nil)), made.emit(Add(a, a)))), 2),
        ):
            made = ProgramBuilder()
            a, b = (made.emit(Input(name), name) for name in "ab")
            yield made.build([("r", write(made, a, b, zero(made, a)))]), multiple


@pytest.mark.parametrize("word", [64, 32])
@pytest.mark.parametrize("prime", PRIMES.values(), ids=PRIMES.keys())
def test_products_with_zero_are_zero(prime, word):
    for kind in representations(prime, word):
        chosen = plan(prime, word, representation=kind)
        for program, multiple in with_zeros(prime):
            limbs = lower_to_limbs(program, chosen)
            prove_limb_program(limbs, program, chosen)
            numbers, most = (limbs.numbers[index] for index in limbs.inputs), chosen.reduction.tight
            inputs = {number.name: split(number, most, word) for number in numbers}
            assert (run(limbs, inputs)["r"] - multiple * most) % prime == 0

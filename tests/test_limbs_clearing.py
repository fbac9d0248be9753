"""Steps of Montgomery's reduction: what each prime saves, and what a step makes of a row."""

import pytest

from efdgen.generator.limbs.builder import LimbBuilder
from efdgen.generator.limbs.clearing import cheapest_step
from efdgen.generator.limbs.interpreter import run, split
from efdgen.generator.limbs.plan import plan
from efdgen.generator.limbs.program import Claim

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
    builder.define("r", step.take(builder, row, maximum), maximum, Claim(1, (), 1))
    program = builder.build([("r", 1)])
    for value in (0, 1, largest, largest - 1, prime, rng.randrange(largest), rng.randrange(largest)):
        found = run(program, {"a": split(program.numbers[0], value, word)})["r"]
        assert found * cleared % prime == value % prime, value


def test_the_reason_names_the_saving():
    assert plan(P384).reason == (
        "p = 2^384 - 2^128 - 2^96 + 2^32 - 1: Montgomery's reduction in full 64-bit words,"
        " 2 products for each word that is cleared; the quotients are one more product"
    )

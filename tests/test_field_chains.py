"""Addition chains of square roots and inverses, and roots of unity."""

import pytest

from efdgen.generator.fields.chains import Chain, Step, addition_chain
from efdgen.generator.fields.root_steps import root_of_unity, two_adicity

# p - 1 is divisible by these powers of two: 1, 2, 4, 8, 16; 1, 2, 32, 96.
PRIMES = {
    "3": 3,
    "5": 5,
    "17": 17,
    "73": 73,
    "241": 241,
    "251": 251,
    "2^255-19": 2**255 - 19,
    "BLS12-381's r": 0x73EDA753299D7D483339D80809A1D80553BDA402FFFE5BFEFFFFFFFF00000001,
    "P-224": 2**224 - 2**96 + 1,
    "P-521": 2**521 - 1,
}
# Exponents of square roots and inverses, and how long the best chains are that we know of.
KNOWN = {
    "2^252-3": (2**252 - 3, 251 + 11),
    "secp256k1's (p+1)/4": ((2**256 - 2**32 - 977 + 1) // 4, 253 + 13),
    "P-256's (p+1)/4": ((2**256 - 2**224 + 2**192 + 2**96) // 4, 253 + 7),
    "2^448's (p-3)/4": ((2**448 - 2**224 - 4) // 4, 445 + 12),
    "(5*2^248-1)'s (p-3)/4": (5 * 2**246 - 1, 247 + 12),
    "(65*2^376-1)'s (p-3)/4": (65 * 2**374 - 1, 379 + 14),
    "2^255-21": (2**255 - 21, 254 + 11),
    "secp256k1's p-2": (2**256 - 2**32 - 979, 269),
    "P-256's p-2": (2**256 - 2**224 + 2**192 + 2**96 - 3, 266),
    "P-384's p-2": (2**384 - 2**128 - 2**96 + 2**32 - 3, 396),
    "P-256's n-2": (0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC63254F, 292),
}


def raised(base: int, chain: Chain, modulus: int) -> int:
    """Run a chain on a number."""
    made = [base]
    for step in chain.steps:
        power = pow(made[step.left], 1 << step.squarings, modulus)
        made.append(power if step.right is None else power * made[step.right] % modulus)
    return made[-1]


@pytest.mark.parametrize(("exponent", "known"), KNOWN.values(), ids=KNOWN.keys())
def test_chains_make_their_power_and_are_about_as_short_as_any_known(exponent, known):
    chain = addition_chain(exponent)
    assert raised(3, chain, 2**607 - 1) == pow(3, exponent, 2**607 - 1)
    assert chain.exponents()[-1] == exponent
    assert known <= chain.squarings + chain.multiplications <= known + 2


def test_chains_for_small_and_for_random_exponents(rng):
    for exponent in [*range(1, 300), *(rng.getrandbits(rng.randrange(20, 400)) | 1 for _ in range(8))]:
        chain = addition_chain(exponent)
        assert (1, *chain.exponents())[-1] == exponent
        bits = exponent.bit_length()
        assert chain.squarings <= bits + 8, exponent
        assert chain.multiplications <= min(exponent.bit_count() - 1, bits // 4 + 10), exponent


def test_a_chain_says_what_it_makes():
    chain = Chain((Step(0, 1, None), Step(1, 0, 0), Step(2, 2, 2)))
    assert chain.exponents() == (2, 3, 15)
    assert (chain.squarings, chain.multiplications) == (3, 2)
    assert Chain((Step(0, 1, None), Step(1, 0, 1), Step(2, 2, 2))).exponents()[-1] != 15


@pytest.mark.parametrize("p", PRIMES.values(), ids=PRIMES.keys())
def test_the_root_of_unity_has_its_order(p):
    order = 1 << two_adicity(p)
    assert (p - 1) // order % 2 == 1
    assert pow(root_of_unity(p), order // 2, p) == p - 1

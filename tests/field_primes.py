"""Test primes of fields, and the stored numbers of their elements."""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.mathematics.primes import next_prime

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from efdgen.generator.fields.field import Representation

PRIMES = {
    "2^255-19": 2**255 - 19,
    "secp256k1": 2**256 - 2**32 - 977,
    "secp256k1 order": 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141,
    "P-256": 2**256 - 2**224 + 2**192 + 2**96 - 1,
    "P-256 order": 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551,
    "P-384": 2**384 - 2**128 - 2**96 + 2**32 - 1,
    "P-384 order": int(
        "FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFC7634D81F4372DDF581A0DB248B0A77AECEC196ACCC52973", 16
    ),
    "P-521": 2**521 - 1,
    "P-521 order": int(
        "1FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFA51868783BF2F966B7FCC0148F709A5D"
        "03BB5C9B8899C47AEBB6FB71E91386409",
        16,
    ),
    "2^448-2^224-1": 2**448 - 2**224 - 1,
    "Ed25519 order": 2**252 + 27742317777372353535851937790883648493,
    "5*2^248-1": 5 * 2**248 - 1,
    "65*2^376-1": 65 * 2**376 - 1,
    "27*2^500-1": 27 * 2**500 - 1,
    "BLS12-381": int(
        "1A0111EA397FE69A4B1BA7B6434BACD764774B84F38512BF6730D2A0F6B0F6241EABFFFEB153FFFFB9FEFFFFFFFFAAAB", 16
    ),
    "BLS12-381 order": 0x73EDA753299D7D483339D80809A1D80553BDA402FFFE5BFEFFFFFFFF00000001,
    "brainpoolP256r1": 0xA9FB57DBA1EEA9BC3E660A909D838D726E3BF623D52620282013481D1F6E5377,
    "brainpoolP384r1": int(
        "8CB91E82A3386D280F5D6F7E50E641DF152F7109ED5456B412B1DA197FB71123ACD3A729901D1A71874700133107EC53", 16
    ),
    "brainpoolP512r1": int(
        "AADD9DB8DBE9C48B3FD4E6AE33C9FC07CB308DB3B3C9D20ED6639CCA703308717D4D9B009BC66842AECDA12AE6A380E6"
        "2881FF2F2D82C68528AA6056583A48F3",
        16,
    ),
    "2^127-1": 2**127 - 1,
}
SMALL_PRIMES = {"3": 3, "13": 13, "2^31-1": 2**31 - 1, "2^32-5": 2**32 - 5, "2^64-59": 2**64 - 59}


def random_primes(rng: Random, count: int, bits: Sequence[int] = range(3, 641)) -> list[int]:
    """Return primes of different sizes, each of them any number before it was made prime."""
    sizes = rng.sample(bits, count)
    return [next_prime(rng.randrange(1 << size - 1, (1 << size) - (1 << size // 2))) for size in sizes]


def kept_words(representation: Representation, rng: Random, count: int) -> list[tuple[int, ...]]:
    """Return possible stored words of an element: corners of their bounds, of p and of words, and others."""
    reduction = representation.plan.reduction
    if not reduction.limits:
        full = range(0, representation.word * representation.limbs, representation.word)
        numbers = _kept_numbers(representation, rng, count)
        return [tuple(n >> at & (1 << representation.word) - 1 for at in full) for n in numbers]
    widths = [limit.bit_length() - 1 for limit in reduction.limits]
    corners = [
        (0, 1, (1 << width) - 1, 1 << width, limit - 1, limit)
        for width, limit in zip(widths, reduction.limits, strict=True)
    ]
    chosen = set(zip(*corners, strict=True))
    chosen |= {representation.element(d % representation.prime) for d in (1, 2, -1, -2)}
    chosen |= {representation.words_of(representation.prime + d) for d in (-1, 0, 1)}
    for _ in range(count):
        chosen.add(tuple(map(rng.choice, corners)))
        chosen.add(tuple(rng.randrange(limit + 1) for limit in reduction.limits))
    return sorted(chosen)


def _kept_numbers(representation: Representation, rng: Random, count: int) -> list[int]:
    prime, tight, word = representation.prime, representation.tight, representation.word
    multiples = {k * prime + d for k in (0, 1, 2) for d in (-2, -1, 0, 1, 2)}
    ones = {(1 << bits) - 1 for bits in (*range(word, tight.bit_length() + 1, word), prime.bit_length())}
    corners = multiples | ones | {value + 1 for value in ones} | {tight - d for d in (0, 1, prime, prime + 1)}
    corners |= {tight ^ value for value in ones} | {tight >> 1, tight // 3}
    chosen = sorted(value for value in corners if 0 <= value <= tight)
    return [*chosen, *(rng.randrange(tight + 1) for _ in range(count))]

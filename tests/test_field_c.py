"""The field in C against Python's integers: primes of every shape, both word sizes, aliased operands."""

import os
import random
import subprocess
from itertools import product
from pathlib import Path

import gmpy2
import pytest

from efdgen.generator.errors import EfdgenError
from efdgen.generator.kernel import Bundle
from efdgen.generator.render.c import Options, render

PRIMES = {
    "3": 3,
    "5": 5,
    "7": 7,
    "13": 13,
    "251": 251,
    "65537": 65537,
    "2^31-1": 2**31 - 1,
    "2^61-1": 2**61 - 1,
    "2^64-59": 2**64 - 59,
    "2^127-1": 2**127 - 1,
    "2^128-159": 2**128 - 159,
    "2^255-19": 2**255 - 19,
    "secp256k1": 2**256 - 2**32 - 977,
    "P-256": 2**256 - 2**224 + 2**192 + 2**96 - 1,
    "P-384": 2**384 - 2**128 - 2**96 + 2**32 - 1,
    "2^448-2^224-1": 2**448 - 2**224 - 1,
    "2^521-1": 2**521 - 1,
    "2^640-305": 2**640 - 305,
}
SMALL = 13
BINARY = {
    "add": lambda a, b, p: (a + b) % p,
    "sub": lambda a, b, p: (a - b) % p,
    "mul": lambda a, b, p: a * b % p,
}
UNARY = {
    "neg": lambda a, p: -a % p,
    "half": lambda a, p: a * ((p + 1) // 2) % p,
    "sqr": lambda a, p: a * a % p,
    "inv": lambda a, p: pow(a, -1, p) if a else 0,
}


class Driver:
    """A driver for a prime, compiled; ``edit`` changes the header before."""

    def __init__(self, folder: Path, prime: int, *flags: str, edit=lambda text: text) -> None:
        self.prime, self.size = prime, (prime.bit_length() + 7) // 8
        files = render(Bundle("toy", prime, (), "efdgen compile"), Options())
        (folder / "toy.h").write_text(edit(files["toy.h"]))
        (folder / "driver.c").write_text(files["driver.c"])
        self.path = folder / "driver"
        subprocess.run(
            [os.environ.get("CC", "cc"), "-std=c99", "-O1", *flags, "driver.c", "-o", "driver"],
            cwd=folder,
            check=True,
        )

    def differences(self, cases: list[tuple[str, str]]) -> list[str]:
        """Return the cases that the driver answers differently."""
        text = "".join(f"{request}\n" for request, _ in cases)
        answers = subprocess.run(
            [self.path], input=text, capture_output=True, text=True, check=True
        ).stdout.splitlines()
        pairs = zip(cases, answers, strict=True)
        return [
            f"{request}: {expected}, not {answer}"
            for (request, expected), answer in pairs
            if answer != expected
        ]

    def hex(self, *values: int) -> str:
        return " ".join(value.to_bytes(self.size, "big").hex() for value in values)

    def edges(self) -> list[int]:
        """Values at which a carry, a borrow or a subtraction of p is likely, as numbers and as words."""
        p, radix = self.prime, 1 << -(-self.prime.bit_length() // 64) * 64
        edges = {0, 1, 2, p - 1, p - 2, (p - 1) // 2, (p + 1) // 2, radix % p, -radix % p}
        ones = {(1 << bits) - 1 for bits in (31, 32, 33, 63, 64, 65, p.bit_length() - 1)}
        ones |= {p ^ (1 << bits) - 1 for bits in (32, 64)}
        edges |= {value for value in ones if value < p}
        return sorted(value % p for value in edges | {value * pow(radix, -1, p) for value in edges})

    def arithmetic(self, values: list[int]) -> list[tuple[str, str]]:
        """Each operation on each pair of values, the result being an object of its own or an operand."""
        p = self.prime
        cases = []
        for a, b, alias in product(values, values, "-ab"):
            operands = self.hex(a, b)
            cases += [
                (f"field.{name} {alias} {operands}", self.hex(f(a, b, p))) for name, f in BINARY.items()
            ]
        for a, b in product(values, values):
            cases += [(f"field.select - {flag} {self.hex(a, b)}", self.hex((b, a)[flag])) for flag in (0, 1)]
            cases.append((f"field.equal - {self.hex(a, b)}", str(int(a == b))))
        for a, alias in product(values, "-a"):
            cases += [(f"field.{name} {alias} {self.hex(a)}", self.hex(f(a, p))) for name, f in UNARY.items()]
            cases.append((f"field.is_zero - {self.hex(a)}", str(int(a == 0))))
        return cases

    def conversions(self, rng: random.Random) -> list[tuple[str, str]]:
        """Reading and writing bytes, of numbers that are too large as well."""
        p, end = self.prime, 1 << 8 * self.size
        numbers = [*self.edges(), p, p + 1, end - 1, *(rng.randrange(end) for _ in range(20))]
        cases = [("field.set_zero -", self.hex(0)), ("field.set_one -", self.hex(1))]
        for number in filter(lambda n: n < end, numbers):
            answer = f"1 {self.hex(number)}" if number < p else f"0 {self.hex(0)}"
            big, little = (number.to_bytes(self.size, order).hex() for order in ("big", "little"))
            cases += [(f"field.from_bytes_be - {big}", answer), (f"field.from_bytes_le - {little}", answer)]
            if number < p:
                cases += [(f"field.to_bytes_be - {big}", big), (f"field.to_bytes_le - {big}", little)]
        return cases

    def cases(self, rng: random.Random) -> list[tuple[str, str]]:
        p = self.prime
        values = range(p) if p <= SMALL else {*self.edges(), *(rng.randrange(p) for _ in range(5))}
        return self.arithmetic(sorted(values)) + self.conversions(rng)


def words(bits: int) -> str:
    return f"-DTOY_WORD_BITS={bits}"


@pytest.mark.parametrize("bits", [64, 32])
@pytest.mark.parametrize("prime", PRIMES.values(), ids=PRIMES.keys())
def test_the_field_agrees_with_integers(prime, bits, rng, tmp_path):
    driver = Driver(tmp_path, prime, words(bits))
    assert driver.differences(driver.cases(rng)) == []


@pytest.mark.parametrize("bits", [64, 32])
def test_fields_of_random_primes_agree_with_integers(bits, rng, tmp_path):
    for _ in range(10):
        size = rng.randint(9, 640)
        prime = int(gmpy2.next_prime(rng.randrange(1 << size - 1, (1 << size) - (1 << size // 2))))
        driver = Driver(tmp_path, prime, words(bits))
        assert driver.differences(driver.cases(rng)) == [], prime


@pytest.mark.parametrize("bits", [64, 32])
@pytest.mark.parametrize("name", ["3", "2^64-59", "2^521-1"])
def test_the_field_does_nothing_undefined(name, bits, rng, tmp_path):
    flags = ("-fsanitize=address,undefined", "-fno-sanitize-recover=all", words(bits))
    driver = Driver(tmp_path, PRIMES[name], *flags)
    assert driver.differences(driver.cases(rng)) == []


@pytest.mark.parametrize(
    ("name", "right", "wrong"),
    [
        ("secp256k1", "0xD838091DD2253531", "0xD838091DD2253533"),  # -1/p
        ("secp256k1", "0x000007A2000E90A1", "0x000007A2000E90A2"),  # R^2
        ("2^255-19", "0xFFFFFFFFFFFFFFEB", "0xFFFFFFFFFFFFFFEA"),  # p - 2
        ("2^64-59", "reduce(r, carry, &sum)", "reduce(r, 0, &sum)"),
        ("2^64-59", "reduce(r, high, &t)", "reduce(r, 0, &t)"),
        ("2^64-59", "sum[TOY_LIMBS] = carry", "sum[TOY_LIMBS] = 0"),
        ("2^255-19", "mask(borrow - high)", "mask(1)"),
        ("2^255-19", "negative = toy_word_mask(borrow)", "negative = toy_word_mask(0)"),
        ("2^255-19", "below = toy_word_mask(borrow)", "below = toy_word_mask(1)"),
    ],
)
def test_a_defect_is_seen(name, right, wrong, rng, tmp_path):
    def edit(text: str) -> str:
        assert text.count(right) == 1
        return text.replace(right, wrong)

    driver = Driver(tmp_path, PRIMES[name], edit=edit)
    assert driver.differences(driver.cases(rng)) != []


@pytest.mark.parametrize("prime", [1, 2, 2**640 + 1, 10**6])
def test_a_modulus_that_is_even_or_of_another_size_is_refused(prime):
    with pytest.raises(EfdgenError, match="must be odd and have 2 to 640 bits"):
        render(Bundle("toy", prime, (), "efdgen compile"), Options())

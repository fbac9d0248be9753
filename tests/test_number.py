"""Numbers as people write them."""

from fractions import Fraction

import pytest

from efdgen.generator.mathematics.number import read_number
from efdgen.generator.mathematics.prime import PrimeField


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0", 0),
        ("2^255 - 19", 57896044618658097711785492504343953926634992332820282019728792003956564819949),
        ("0xFFff_0000", 4294901760),
        ("1_000", 1000),
        ("  7 ", 7),
        ("-3", -3),
        ("--3", 3),
        ("-2^2", -4),
        ("2*-3", -6),
        ("2 + 3*4^2 - 1", 49),
        ("(2 + 3)*4", 20),
        ("10/4/5", Fraction(1, 2)),
        ("10 - 4 - 5", 1),
        ("-121665/121666", Fraction(-121665, 121666)),
        ("2^0", 1),
        ("(1/2)^3", Fraction(1, 8)),
    ],
)
def test_values(text: str, value: Fraction) -> None:
    assert read_number(text) == value


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "expected a number at the end"),
        ("2^255 -", "expected a number at the end"),
        ("2 * * 3", "expected a number, found '\\*'"),
        ("2^255 - q", "unexpected 'q'"),
        ("2^255 - 19)", "unexpected '\\)'"),
        ("12 13", "unexpected '13'"),
        ("(1 + 2", "missing '\\)'"),
        ("1/0", "division by zero"),
        ("1/(2 - 2)", "division by zero"),
        ("2^(1/2)", "non-negative integer"),
        ("2^-1", "expected a number, found '-'"),
        ("2^(0-1)", "non-negative integer"),
        ("2^1000000000", "the exponent is too large"),
        ("2^8000*2^8000*2^8000", "the number is too large"),
        ("9" * 2001, "longer than 2000 characters"),
        ("(" * 1900, "too many parentheses"),
        ("0x", "unexpected 'x'"),
        ("1.5", "unexpected '\\.'"),
    ],
)
def test_what_is_not_a_number(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        read_number(text)


def test_residues_are_written_as_people_write_them() -> None:
    prime = 2**255 - 19
    text = PrimeField(prime).element_text
    assert text(prime - 3) == "-3"
    assert text(486662) == "486662"
    assert text(1 << 40) == "0x10000000000"
    assert text(prime - (1 << 40)) == hex(prime - (1 << 40))

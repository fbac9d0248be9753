"""Contracts of functions on scalars that only templates call: edits of them are refused."""

import pytest
from mutants.sources import Routines
from test_routines_followed import plan

from efdgen.generator.errors import EfdgenError
from efdgen.verify.routines.called import PROVED, prove_called
from efdgen.verify.routines.curve import follower

WINDOWS, OTHER, LONG = "scalar_shifted_var", "scalar_differs_by", "scalar_lengthened"
WRONG = [
    ("secp256k1", "            at += 1\n", "            at -= 1\n", "does -1 places of 5"),
    ("secp256k1", "            at += width\n", "            at += width + 1\n", "bits|add up|places"),
    (
        "secp256k1",
        "    var carry: u32 = 0\n    var at",
        "    var carry: u32 = 1\n    var at",
        "does not start",
    ),
    ("secp256k1", "            carry = digit >> width - 1\n", "", "even|add up|carry"),
    ("secp256k1", "i32(carry << width))", "i32(carry >> width))", "even|add up|not below"),
    ("secp256k1", "i32(digit) - i32(carry", "i32(carry) - i32(digit", "add up|not below"),
    ("secp256k1", "digits[at] = form_digit", "digits[at + 1] = form_digit", "not followed|item|place"),
    ("secp256k1", "while at < DIGITS", "while at < DIGITS - 1", "no loop over all places"),
    ("secp256k1", "digits[i] = -digits[i]", "digits[i] = digits[i]", "signed_wnaf_var gives"),
    ("secp256k1", "    if negative == 1:", "    if negative == 0:", "signed_wnaf_var gives"),
    ("P-256", "width * (i + 1) - 1", "width * (i + 2) - 1", WINDOWS),
    ("P-256", "u32(1) << at % 32", "u32(1) >> at % 32", WINDOWS),
    ("P-256", "buckets.bits / width + 1", "buckets.bits / width", "window_count is not"),
    ("P-256", "scalar_sub(a, b)\n    var other", "scalar_sub(b, a)\n    var other", OTHER),
    ("P-256", "other |= difference[i]", "other = difference[i]", OTHER),
    ("P-256", "for i in 1..SCALAR_WORDS:", "for i in 2..SCALAR_WORDS:", OTHER),
    ("P-256", "(other | 0 -% other)", "(other ^ 0 -% other)", OTHER),
    ("P-256", "scalar_bits(once, top, 1)", "scalar_bits(once, top + 1, 1)", LONG),
    (
        "secp256k1",
        "let negative = t[SCALAR_WORDS - 1] >> 31",
        "let negative = t[0] >> 31",
        "scalar_absolute may",
    ),
    ("P-256", "scalar_assign(r, once, scalar", "scalar_assign(r, t, scalar", LONG),
    ("P-256", "var r = scalar_add(once, n)", "var r = scalar_add(once, t)", LONG),
]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["secp256k1", "P-256", "edwards25519", "P-521"])
def test_functions_that_templates_call_are_proved(name):
    own = follower(plan(name))
    prove_called(plan(name), own.module, own.scalars)
    assert {"wnaf_var", "scalar_shifted_var", "window_count"} <= PROVED & own.module.routines.keys()


@pytest.mark.slow
@pytest.mark.drawn(10)
@pytest.mark.parametrize(("name", "old", "new", "why"), WRONG)
def test_edits_of_functions_that_templates_call_are_refused(name, old, new, why):
    made, source = plan(name), Routines("scalars")
    assert source.text.count(old) == 1, (old, source.text.count(old))
    with source.replaced(source.text.replace(old, new)):
        own = follower(made)
        with pytest.raises(EfdgenError, match=why):
            prove_called(made, own.module, own.scalars)

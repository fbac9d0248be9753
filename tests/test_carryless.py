"""Carry-less products: their printed text is proved, in every way that computes them, and no edit is."""

from dataclasses import replace

import pytest

from efdgen.generator.fields.emitted import EmittedPolynomials, emitted_polynomials
from efdgen.generator.fields.pieces import Names
from efdgen.generator.limbs.binary import binary_plan
from efdgen.generator.limbs.c import render_header
from efdgen.generator.limbs.field_operations import field_operations
from efdgen.generator.limbs.lower import lower_to_limbs
from efdgen.generator.limbs.rust import render_module
from efdgen.generator.limbs.spelling import LimbFunction
from efdgen.generator.mathematics.binary import BinaryField, read_polynomial
from efdgen.verify.fields.carryless import WAYS, prove_carryless
from efdgen.verify.readback.limbs import LimbReader
from efdgen.verify.verdicts import Refuted
from efdgen.verify.words.c import read_c
from efdgen.verify.words.rust import read_rust

POLYNOMIAL = "x^283 + x^12 + x^7 + x^5 + 1"


def printed(language: str, word: int) -> EmittedPolynomials:
    return emitted_polynomials(word, Names("fp"), language)


@pytest.mark.parametrize("word", [64, 32])
@pytest.mark.parametrize("language", ["c", "rust"])
def test_products_are_proved_as_printed(language, word):
    prove_carryless(printed(language, word))


EDITS = {
    ("c", 64): {
        # Sixteen products of bits would meet, and carry into a place that is kept.
        "UINT64_C(0x0fffffffffffffff)": "UINT64_C(0x1fffffffffffffff)",
        "(a1 * b3)": "(a1 * b2)",
        "m1 = m0 << 1": "m1 = m0 << 2",
        "<< 62": "<< 61",
        "a >> 60 & 1": "a >> 61 & 1",
        "0x3333333333333333": "0x2333333333333333",
        "(a << 16)": "(a << 15)",
        "_mm_unpackhi_epi64(a, a)": "_mm_unpackhi_epi64(a, a), a",
        "vgetq_lane_u64(a, 1)": "vgetq_lane_u64(a, 0)",
        "b), 0);": "b), 1);",
        "return a ^ b;": "return a | b;",
    },
    ("c", 32): {
        "(a2 * b2)": "(a2 * b1)",
        "UINT32_C(0x11111111)": "UINT32_C(0x01111111)",
        "(a << 1)": "(a << 2)",
        "(uint32_t)(a >> 32)": "(uint32_t)(a >> 31)",
        "r3 &= fp_poly_of(m3, m3);": "",
    },
    ("rust", 64): {
        "0x0fff_ffff_ffff_ffff": "0xffff_ffff_ffff_ffff",
        "a3.wrapping_mul(b3)": "a3.wrapping_mul(b2)",
        "<< 63": "<< 62",
        "(r2 & m2)": "(r2 & m1)",
        "(a >> 64)": "(a >> 63)",
    },
    ("rust", 32): {"a0.wrapping_mul(b1)": "a1.wrapping_mul(b1)", "(r << 8)": "(r << 4)"},
}


@pytest.mark.parametrize(
    ("language", "word", "right", "wrong"),
    [(*where, *edit) for where, edits in EDITS.items() for edit in edits.items()],
)
def test_an_edit_is_refused(language, word, right, wrong):
    claim = printed(language, word)
    assert right in claim.text
    with pytest.raises(Refuted):
        prove_carryless(replace(claim, text=claim.text.replace(right, wrong, 1)))


def functions(word: int) -> dict[str, LimbFunction]:
    plan = binary_plan(BinaryField(read_polynomial(POLYNOMIAL)), word, "portable")
    return {
        name: LimbFunction(name, lower_to_limbs(program, plan), (f"{name}.",))
        for name, program in field_operations().items()
    }


def texts(word: int) -> tuple[str, str]:
    """Limb functions in C and in Rust, under the names that are read back."""
    plan = binary_plan(BinaryField(read_polynomial(POLYNOMIAL)), word, "portable")
    found = functions(word)
    in_c = render_header(plan, tuple(found.values()), "fp")
    for name in found:
        in_c = in_c.replace(f" fp_{name}(", f" fp_limbs_{name}(")
    return in_c, render_module(plan, tuple(found.values()))


@pytest.mark.parametrize("word", [64, 32])
def test_limb_functions_are_read_back(word):
    in_c, in_rust = texts(word)
    for defined in WAYS[word].values():
        assert LimbReader("c", word, functions(word)).differences(read_c(in_c, word, defined)) == {}
    assert LimbReader("rust", word, functions(word)).differences(read_rust(in_rust)) == {}


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("fp_poly_mul(t_{0}, t_{1})", "fp_poly_mul(t_{0}, t_{0})"),
        (" ^ t_", " & t_"),
        ("fp_poly_low(s_", "fp_poly_high(s_"),
    ],
)
def test_an_edit_of_a_limb_function_is_seen(right, wrong):
    in_c, _ = texts(64)
    start = in_c.index("fp_limbs_mul(")
    body = in_c[start:]
    if "{0}" in right:
        first = body.index("fp_poly_mul(")
        call = body[first : body.index(")", first) + 1]
        left = call[len("fp_poly_mul(") :].partition(",")[0]
        body = body.replace(call, f"fp_poly_mul({left}, {left})", 1)
    else:
        assert right in body
        body = body.replace(right, wrong, 1)
    found = LimbReader("c", 64, functions(64)).differences(read_c(in_c[:start] + body, 64))
    assert "mul" in found

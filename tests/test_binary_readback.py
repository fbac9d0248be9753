"""Kernels over binary fields in C and Rust: their text is read back and proved; edits are refused."""

from __future__ import annotations

from dataclasses import replace
from functools import cache, partial

import pytest

from efdgen.generator.compile import Request, make_bundle
from efdgen.generator.fields.emitted import EmittedFunction
from efdgen.generator.files import render
from efdgen.generator.formulas.database import Database
from efdgen.generator.kernels.prover import Prover
from efdgen.verify.fields.printed import prove_function
from efdgen.verify.readback.proofs import FieldProofs
from efdgen.verify.readback.read import Readback
from efdgen.verify.verdicts import Refuted

LANGUAGES = ("c", "rust")


@cache
def proved(
    language: str, curve: str = "sect113r1", layout: str | None = None
) -> tuple[FieldProofs, dict[str, str]]:
    """The files of kernels, after the proof of every claim about them."""
    request = Request(language, curve, prefix="toy", layout=layout)
    bundle = make_bundle(Database(), request, Prover())
    proofs = FieldProofs()
    return proofs, proofs.proved(partial(render, bundle, request))


@pytest.mark.parametrize("layout", ["header", "split", "crate", "module"])
def test_kernels_are_read_back(layout: str) -> None:
    proofs, files = proved("c" if layout in ("header", "split") else "rust", layout=layout)
    assert Readback(proofs.expected).differences(files) == []
    text = "\n".join(files.values())
    assert text.count("for all inputs (linear and bilinear forms over GF(2))") > 10
    assert "sums, products and squares over GF(2) are correct" in " ".join(text.split()).replace(" * ", " ")


EDITS = {
    "c": {
        "toy_poly_mul(t_0, t_2)": "toy_poly_mul(t_0, t_0)",
        "toy_poly_high(s_4)": "toy_poly_low(s_4)",
        "toy_poly_spread(a >> 32)": "toy_poly_spread(a >> 31)",
        "toy_limbs_reduce_a_225_to_113(r, r_wide)": "toy_limbs_product(r_wide, a, a)",
        "toy_fe_inv(&": "toy_fe_sqr(&",
        "_mm_xor_si128(a, b)": "_mm_or_si128(a, b)",
        "toy_fe_sqr_n(&power, a, n)": "toy_fe_sqr_n(&power, a, n + 1)",
    },
    "rust": {
        "poly_mul(t_0, t_2)": "poly_mul(t_0, t_0)",
        "poly_high(s_4)": "poly_low(s_4)",
        "0x3333_3333": "0x3333_3331",
        ".invert()": ".square()",
        "self.square_n(n).mul(other)": "self.square_n(n + 1).mul(other)",
    },
}


@pytest.mark.drawn(6)
@pytest.mark.parametrize(
    ("language", "right", "wrong"), [(name, *edit) for name in LANGUAGES for edit in EDITS[name].items()]
)
def test_an_edit_of_kernels_is_seen(language: str, right: str, wrong: str) -> None:
    proofs, files = proved(language)
    edited = {path: text.replace(right, wrong, 1) for path, text in files.items()}
    if edited == files:
        pytest.fail(f"{right} is nowhere")
    assert Readback(proofs.expected).differences(edited)


FUNCTION_EDITS = {
    "c": {
        "fe_inv": ("&t[0], 8, &t[0]", "&t[0], 7, &t[0]"),
        "fe_from_bytes_be": ("byte << (8", "byte << (7"),
        "fe_equal": ("fp_fe_sub(", "fp_fe_mul("),
        "fe_sqr_n": ("i = 1; i < n", "i = 0; i < n"),
    },
    "rust": {
        "fe_inv": (".square()", ".square_n(2)"),
        "fe_from_bytes_le": ("(8 * (i", "(7 * (i"),
    },
}


@pytest.mark.parametrize(
    ("language", "name"), [(language, name) for language in LANGUAGES for name in FUNCTION_EDITS[language]]
)
def test_an_edit_of_a_function_is_refuted(language: str, name: str) -> None:
    proofs, _ = proved(language)
    claims = [claim for claim in proofs.expected if isinstance(claim, EmittedFunction)]
    claim = next(claim for claim in claims if claim.name == name)
    prove_function(claim)
    right, wrong = FUNCTION_EDITS[language][name]
    assert right in claim.text, claim.text
    with pytest.raises(Refuted):
        prove_function(replace(claim, text=claim.text.replace(right, wrong, 1)))

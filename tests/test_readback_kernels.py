"""Kernels and fused formulas are read back from the text of a bundle, and wrong places are refused."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

import pytest
from collected import Collected

from efdgen.generator.compile import Request, make_bundle
from efdgen.generator.fields.printed import KernelText
from efdgen.generator.files import render, render_plan
from efdgen.generator.formulas.database import Database
from efdgen.generator.kernels.prover import Prover
from efdgen.generator.planning.request import plan_curve
from efdgen.generator.render.c import source as c_source
from efdgen.verify.plan_proofs import SafePlans
from efdgen.verify.readback import proofs
from efdgen.verify.readback.read import Readback

if TYPE_CHECKING:
    from collections.abc import Callable

FORMULAS = ("*/addition/add-2007-bl", "*/doubling/dbl-2009-l", "*/scaling/z", "*/addition/madd-2004-hmv")


@cache
def printed(language: str, layout: str) -> tuple[dict[str, str], Readback]:
    claims = Collected()
    target = "gcc" if language == "c" else None
    request = Request(
        language, "secp256k1", "jacobian-0", FORMULAS, prefix="toy", layout=layout, target=target
    )
    files = render(make_bundle(Database(), request, Prover()), request, claims)
    assert sum(isinstance(claim, KernelText) for claim in claims.texts) == len(FORMULAS)
    return files, Readback(claims.texts)


def differences(language: str, layout: str, name: str, edit: Callable[[str], str]) -> list[str]:
    files, reader = printed(language, layout)
    edited = edit(files[name])
    assert edited != files[name]
    return [str(found) for found in reader.differences({**files, name: edited})]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("language", "layout"), [("c", "header"), ("c", "split"), ("rust", "crate"), ("rust", "module")]
)
def test_every_layout_is_what_was_proved(language, layout):
    files, reader = printed(language, layout)
    assert reader.differences(files) == []


@pytest.mark.slow
@pytest.mark.parametrize("language", ["c", "rust"])
@pytest.mark.parametrize("curve", ["X25519", "edwards25519"])
def test_whole_curves_and_protocols_are_what_was_proved(language, curve):
    """Two fields, that of the curve and that of its order, macros and functions over them."""
    claims = Collected()
    request = Request(language, curve, prefix="toy", set="protocols", table="small", lowering="calls")
    files = render_plan(plan_curve(Database(), request, SafePlans()), request, claims)
    reader = Readback(claims.texts)
    assert reader.differences(files) == []
    name = "toy_n.h" if language == "c" else "src/scalar_limbs64.rs"
    if name in files:
        edited = once(r"(word_addc|add_carry)\(c_\d+", r"\1(0")(files[name])
        (found, *_) = reader.differences({**files, name: edited})
        assert found.word == 64
    assert (name in files) == (curve == "edwards25519")


def test_a_dropped_carry_of_secp256k1_is_refused():
    """Wrong for 2^255 + (2^255 + 2^64 - 1), canonical inputs: no vector of the drivers met it."""

    def edit(text: str) -> str:
        start = text.index("toy_limbs_add(uint64_t")
        carries = list(re.finditer(r"word_addc\((c_\d+)", text[start : text.index("\n}", start)]))
        assert len(carries) == 6
        first, last = carries[3].span(1)
        return f"{text[: start + first]}0{text[start + last :]}"

    (found,) = differences("c", "header", "toy.h", edit)
    assert found.startswith("limbs_add, with 64-bit words: r[0] is")


@pytest.mark.slow
@pytest.mark.parametrize("layout", ["header", "split"])
def test_the_header_for_32_bit_words_is_read(layout):
    found = differences("c", layout, "toy_32.h", once(r"word_addc\(c_\d+", "word_addc(0"))
    assert found
    assert all("with 32-bit words" in one for one in found)
    files, reader = printed("c", layout)
    without = {name: text for name, text in files.items() if name != "toy_32.h"}
    assert any("toy_32.h is missing" in str(one) for one in reader.differences(without))


def once(pattern: str, replacement: str) -> Callable[[str], str]:
    return lambda text: re.sub(pattern, replacement, text, count=1, flags=re.M | re.S)


# Edits of C, and the function to be named; fused formulas first, then calls of 32-bit words.
WRONG_IN_C = [
    (r"(toy_limbs_reduce_a_plus_b\w*)\((\w+), (\w+), (\w+)\)", r"\1(\2, \4, \3)", "whole"),
    (r"^    x3\[0\] = (\w+)\[0\];", r"    x3[0] = \1[1];", "whole"),
    (r"(toy_limbs_square_\d+\(\w+, )z2\)", r"\1z1)", "whole"),
    (r"(toy_limbs_whole_\w+\(p3->)X\.limb, p3->Y", r"\1Y.limb, p3->X", "p3."),
    (r"(toy_limbs_whole_\w+\([^;]*)p1->Y", r"\1p1->X", "p3."),
    (r"toy_fe_sub\(&(\w+), &(\S+), &(\S+)\)", r"toy_fe_sub(&\1, &\3, &\2)", "p3."),
    (r"toy_fe_sqr\(&(\w+), &(\S+)\)", r"toy_fe_mul(&\1, &\2, &p1->X)", "p3."),
    (r"p3->X = (\w+);\n(\s*)p3->Y = (\w+);", r"p3->X = \3;\n\2p3->Y = \1;", "p3."),
    (r"^    p3->Z = \w+;\n", "", "p3.Z is not"),
    (r"(toy_fe_sqr\(&(\w+), &p\d->Z\);)", r"\1 p3->X = \2;", "p3 in the place of p1"),
    (r"UINT64_C\(0x0{15}1\)", "UINT64_C(0x0000000000000003)", "its words"),
    (r"#define TOY_SEAM .*?$", "#define TOY_SEAM return", "cannot be read"),
    (
        r"typedef uint64_t toy_word;",
        "#define uint64_t uint32_t\ntypedef uint64_t toy_word;",
        "cannot be read",
    ),
]


@pytest.mark.drawn(3)
@pytest.mark.parametrize(("pattern", "replacement", "told"), WRONG_IN_C)
def test_wrong_places_in_c_are_refused(pattern, replacement, told):
    found = differences("c", "header", "toy.h", once(pattern, replacement))
    assert any(told in one for one in found), found


WRONG_IN_RUST = [
    ("src/limbs64.rs", r"(reduce_a_plus_b\w*\(&mut \w+, )(&\w+), (&\w+)\)", r"\1\3, \2)", "whole"),
    ("src/limbs64.rs", r"\*x3 = (\w+);\n(\s*)\*y3 = (\w+);", r"*x3 = \3;\n\2*y3 = \1;", "whole"),
    ("src/lib.rs", r"p3\.x\.words_mut\(\),(\s*)p3\.y", r"p3.y.words_mut(),\1p3.x", "p3."),
    ("src/lib.rs", r"p1\.y\.words\(\)", "p1.x.words()", "p3."),
    ("src/lib.rs", r"(let \w+ = )(\w+)\.sub\(&(\w+)\)", r"\1\3.sub(&\2)", "p3."),
    ("src/lib.rs", r"\.square\(\)", ".neg()", "p3."),
    ("src/lib.rs", r"\bx: ([a-z]\w*),\n(\s*)y: ([a-z]\w*),", r"x: \3,\n\2y: \1,", "p3."),
    ("src/lib.rs", r"\n            z: [a-z]\w*,", r"\n            z: FieldElement::ZERO,", "p3.z is not"),
    ("src/lib.rs", r"-> Point \{", "-> XyPoint {", "it returns XyPoint"),
    ("src/lib.rs", r"limbs64\.rs", "limbs32.rs", "cannot be read"),
    ("src/lib.rs", r"cfg\(any\(not\(", r"cfg(all(not(", "cannot be read"),
    (
        "src/lib.rs",
        r"feature = \"word32\"\)\)\)\]\n    \{",
        'feature = "zeroize")))]\n    {',
        "a condition within a function",
    ),
    ("src/field.rs", r"limbs::mul\(&mut r\.0, &self", "limbs::add(&mut r.0, &self", "mul"),
    ("src/limbs64.rs", r"wrapping_mul\(u128::from\(b\)\)", "wrapping_mul(u128::from(a))", "mul_wide"),
    ("src/limbs64.rs", r"0x0000_0000_0000_0001,", "0x0000_0000_0000_0003,", "its words"),
]


@pytest.mark.parametrize(("name", "pattern", "replacement", "told"), WRONG_IN_RUST)
def test_wrong_places_in_rust_are_refused(name, pattern, replacement, told):
    found = differences("rust", "crate", name, once(pattern, replacement))
    assert any(told in one for one in found), found


@pytest.mark.usefixtures("made_again")
def test_a_text_that_differs_is_not_written(efdgen, monkeypatch, tmp_path):
    """The error is one line and names the function, and no file is left."""
    monkeypatch.setattr(proofs, "kept_proof", lambda _: "so it is")
    arguments = ("compile", "--lang", "c", "--curve", "secp256k1", "--coords", "jacobian-0")
    chosen = (option for formula in FORMULAS[:1] for option in ("--formulas", formula))
    command = (*arguments, *chosen, "--prefix", "toy", "--out", tmp_path / "right")
    assert efdgen(*command).code == 0
    monkeypatch.setattr(c_source, "fitted", once(r"word_subb\(c_\d+", "word_subb(0"))
    outcome = efdgen(*command[:-1], tmp_path / "wrong")
    assert outcome.code == 2
    assert re.fullmatch(
        r"efdgen: the text differs from what was proved: limbs_\w+, with 64-bit words: [^\n]*\n", outcome.err
    )
    assert not (tmp_path / "wrong").exists()


@pytest.mark.parametrize(
    ("language", "layout", "name", "above", "mark"),
    [
        ("c", "header", "toy.h", "/* A point of", "/* Proved: by nobody.\n * A point of"),
        ("c", "split", "toy.c", "/* Basic-block", "/* Proved: by nobody.\n * Basic-block"),
        ("rust", "crate", "src/lib.rs", "/// A point of", "/// Proved: by nobody.\n/// A point of"),
        ("rust", "module", "toy.rs", "pub fn double(", "/// Proved: by nobody.\npub fn twice("),
    ],
)
def test_what_is_called_proved_and_is_not_read_is_refused(language, layout, name, above, mark):
    found = differences(language, layout, name, lambda text: text.replace(above, mark, 1))
    assert any("nobody read it" in one for one in found), found

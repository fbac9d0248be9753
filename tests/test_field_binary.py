"""Fields GF(2^m) in C and Rust: every function is proved and no edit of it is, and programs test them."""

from __future__ import annotations

import subprocess
from dataclasses import replace
from functools import cache, partial
from typing import TYPE_CHECKING

import pytest

from efdgen.generator.fields.bundle import offered_functions
from efdgen.generator.fields.emitted import EmittedFunction
from efdgen.generator.fields.field import Field
from efdgen.generator.fields.operations import operations
from efdgen.generator.fields.pieces import Names
from efdgen.generator.fields.reference_polynomials import FLAGS, ROOTS, VALUES
from efdgen.generator.fields.request import FieldRequest
from efdgen.generator.mathematics.binary import BinaryField, read_polynomial
from efdgen.generator.render.field.bundle import render_field
from efdgen.verify.fields.printed import prove_function
from efdgen.verify.limbs.prove import prove_contract
from efdgen.verify.readback.proofs import FieldProofs
from efdgen.verify.verdicts import Refuted

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

LANGUAGES = ("c", "rust")
MANY = "x^41 + x^32 + x^30 + x^27 + x^24 + x^22 + x^20 + x^19 + x^15 + x^13 + x^2 + x + 1"
# Degrees of both parities, around words, in one word and with a polynomial of many terms.
POLYNOMIALS = [
    *("x^2 + x + 1", "x^8 + x^4 + x^3 + x + 1", "x^31 + x^3 + 1", "x^63 + x + 1", "x^64 + x^4 + x^3 + x + 1"),
    *("x^65 + x^18 + 1", "x^113 + x^9 + 1", "x^128 + x^7 + x^2 + x + 1", "x^163 + x^7 + x^6 + x^3 + 1"),
    MANY,
]


def field(text: str) -> Field:
    return Field(BinaryField(read_polynomial(text)))


@cache
def claims(text: str, language: str) -> dict[str, EmittedFunction]:
    found = {}
    for function in offered_functions(field(text), Names("fp"), language).values():
        for claim in function.claims:
            assert isinstance(claim, EmittedFunction)
            found[claim.name] = claim
    return found


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.drawn(8)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("text", POLYNOMIALS)
def test_functions_are_proved(text: str, language: str) -> None:
    found = claims(text, language)
    assert {"fe_inv", "fe_sqrt", "fe_trace", "fe_solve_quadratic", "fe_inv_batch", "fe_pow"} <= found.keys()
    assert ("fe_half_trace" in found) == (read_polynomial(text).bit_length() % 2 == 0)
    for claim in found.values():
        prove_function(claim)


@pytest.mark.parametrize("text", POLYNOMIALS)
def test_operations_on_words_are_proved(text: str) -> None:
    names = ("canonical", "to_number", "from_number", "from_canonical", "select", "cswap", "is_nonzero")
    for representation in field(text).representations:
        found = {each.name: each for each in operations(representation, (*names, "reaches_degree"))}
        assert found.keys() == {*names, "reaches_degree"}
        for operation in found.values():
            prove_contract(operation.program, operation.contract)


EVEN, ODD = "x^64 + x^4 + x^3 + x + 1", "x^113 + x^9 + 1"
EDITS = {
    "c": [
        (ODD, "fe_sqrt", "a, 112)", "a, 113)"),
        (ODD, "fe_trace", "0x01, 0x00", "0x03, 0x00"),
        (MANY, "fe_trace", "sum >> 2", "sum >> 3"),
        (MANY, "fe_trace", "sum & 1", "sum & 3"),
        (ODD, "fe_trace", "i = 0; i < FP_FE_BYTES", "i = 1; i < FP_FE_BYTES"),
        (ODD, "fe_half_trace", "i < 56", "i < 55"),
        (ODD, "fe_half_trace", "&power, 2)", "&power, 1)"),
        (ODD, "fe_solve_quadratic", "1 ^ fp_fe_trace(a)", "fp_fe_trace(a)"),
        (ODD, "fe_solve_quadratic", "fp_make_even(&root);", ""),
        (ODD, "fe_solve_quadratic", "r->limb[0] & 1", "r->limb[0] & 2"),
        (ODD, "fe_solve_quadratic", "&root, &zero, flag)", "&zero, &root, flag)"),
        (EVEN, "fe_solve_quadratic", "i = 1; i < 64", "i = 0; i < 64"),
        (EVEN, "fe_solve_quadratic", "fp_fe_set_one(&rest)", "fp_fe_set_zero(&rest)"),
        (EVEN, "fe_solve_quadratic", "fp_fe_sqr(&weight, &weight);", ""),
        (EVEN, "fe_solve_quadratic", "bytes[7] = 32", "bytes[7] = 64"),
        (EVEN, "fe_inv", "fp_fe_sqr(r", "fp_fe_mul(r, a"),
        (ODD, "fe_inv_batch", "&zero, &r[i], skip", "&r[i], &zero, skip"),
    ],
    "rust": [
        (ODD, "fe_sqrt", "square_n(112)", "square_n(111)"),
        (ODD, "fe_trace", "0x01, 0x00", "0x03, 0x00"),
        (MANY, "fe_trace", "sum >> 4", "sum >> 3"),
        (ODD, "fe_half_trace", "0..56", "0..57"),
        (ODD, "fe_solve_quadratic", "!self.trace()", "self.trace()"),
        (ODD, "fe_solve_quadratic", ".make_even()", ""),
        (ODD, "fe_solve_quadratic", "words[0] & 1", "words[1] & 1"),
        (EVEN, "fe_solve_quadratic", "1..64", "1..65"),
        (EVEN, "fe_solve_quadratic", "power.mul(&rest)", "power.mul(&weight)"),
    ],
}


@pytest.mark.parametrize(
    ("language", "text", "name", "right", "wrong"),
    [(language, *edit) for language in LANGUAGES for edit in EDITS[language]],
)
def test_an_edit_is_refuted(language: str, text: str, name: str, right: str, wrong: str) -> None:
    claim = claims(text, language)[name]
    assert right in claim.text, claim.text
    with pytest.raises(Refuted):
        prove_function(replace(claim, text=claim.text.replace(right, wrong, 1)))


@pytest.mark.drawn(4)
@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("text", POLYNOMIALS)
def test_files_are_proved_and_read_back(text: str, language: str) -> None:
    proofs = FieldProofs()
    request = FieldRequest(language, polynomial=text)
    files = proofs.proved(partial(render_field, request))
    proofs.require_read(files)
    header = " ".join(next(iter(files.values())).replace("\n *", " ").split())
    assert f"--binary '{text}' --lang {language}" in header.replace(" # ", " ")


@pytest.mark.drawn(4)
@pytest.mark.parametrize("text", POLYNOMIALS)
def test_programs_in_c_test_fields(cc: str, tmp_path: Path, text: str) -> None:
    for name, content in render_field(FieldRequest("c", polynomial=text)).items():
        (tmp_path / name).write_text(content)
    for word in (64, 32):
        warnings = ("-Wall", "-Wextra", "-Wconversion", "-Werror", f"-DFP_WORD_BITS={word}")
        command = [cc, "-std=c99", "-O1", *warnings, "test_fp.c", "-o", "test"]
        subprocess.run(command, cwd=tmp_path, check=True)
        done = subprocess.run([tmp_path / "test", "test", "50"], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout
        names = {
            line.split()[0]
            for line in subprocess.check_output([tmp_path / "test", "bench", "1"]).decode().splitlines()
        }
        left_out = {"half_trace"} if read_polynomial(text).bit_length() % 2 else set()
        assert (VALUES.keys() | FLAGS.keys() | ROOTS.keys()) - left_out <= names


@pytest.mark.usefixtures("cc", "cargo")
@pytest.mark.parametrize("text", ["x^8 + x^4 + x^3 + x + 1", "x^113 + x^9 + 1"])
def test_a_directory_is_tested_in_all_languages(efdgen: Callable, tmp_path: Path, text: str) -> None:
    for language in ("c", "rust", "python"):
        done = efdgen("field", "--binary", text, "--lang", language, "--out", tmp_path / language)
        assert done.code == 0, done.err
    outcome = efdgen("test", tmp_path, "--vectors", tmp_path / "vectors")
    assert outcome.code == 0, outcome.out
    assert "all as expected" in outcome.out
    assert "solve_quadratic" in outcome.out
    header = tmp_path / "c" / "fp.h"
    header.write_text(header.read_text().replace("r->limb[0] & 1", "r->limb[0] & 3"))
    outcome = efdgen("test", tmp_path, "--lang", "c")
    assert outcome.code == 1
    assert "solve_quadratic" in outcome.out


def test_the_field_of_a_curve_has_the_operations_that_are_asked_for(efdgen: Callable, tmp_path: Path) -> None:
    done = efdgen(
        "field", "--curve", "K-163", "--lang", "c", "--ops", "trace,inv", "--word", "64", "--out", tmp_path
    )
    assert done.code == 0
    text = (tmp_path / "fp.h").read_text()
    assert "--binary 'x^163 + x^7 + x^6 + x^3 + 1' --lang c --word 64 --ops trace,inv" in text
    assert "fp_fe_trace(" in text
    assert "fp_fe_solve_quadratic(" not in text
    assert "32-bit" not in text

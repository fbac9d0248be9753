"""Prefixes of generated names: any identifier works, or is refused before anything is proved."""

import random
import re
import string
from functools import partial

import pytest

from efdgen.generator.compile import Request
from efdgen.generator.curves.load import built_in_curves
from efdgen.generator.errors import EfdgenError
from efdgen.generator.fields.request import FieldRequest
from efdgen.generator.files import render_plan
from efdgen.generator.formulas.database import Database
from efdgen.generator.planning.request import plan_curve
from efdgen.generator.render.field.bundle import render_field
from efdgen.generator.text.prefixes import require_prefix
from efdgen.generator.text.wrap import wrap
from efdgen.verify.plan_proofs import SafePlans
from efdgen.verify.readback.proofs import FieldProofs
from efdgen.verify.vectors.drivers import Build, build_driver
from efdgen.verify.vectors.subjects import curve_subject
from efdgen.verify.vectors.suite import vectors_of

# Were refused after minutes: names of variables, and what begins like the prefix of texts that proofs read.
ODD = [
    "d",
    "e",
    "f",
    "g",
    "fp_x",
    "fp_secp256k1",
    "size",
    "int64",
    "UINT32",
    "FP",
    "alpha",
    "r",
    "main",
    "x" * 63,
]
REFUSED = [
    "",
    "_x",
    "1x",
    "a-b",
    "x" * 64,
    "stdint",
    "String",
    "immintrin",
    "driver",
    "test_fp",
    "fp_32",
    "ä",
]


@pytest.mark.slow
@pytest.mark.parametrize("prefix", ODD)
def test_odd_prefixes_are_proved_and_read_back(prefix, rng):
    drawn = rng.choice(string.ascii_letters) + "".join(
        rng.choices(string.ascii_letters + "_09", k=rng.randrange(62))
    )
    for name in (prefix, drawn):
        request = FieldRequest("c", "2^61-1", prefix=name, operations=("inv", "inv_var", "sqrt", "is_square"))
        proofs = FieldProofs()
        files = proofs.proved(partial(render_field, request))
        proofs.require_read(files)


@pytest.mark.parametrize("prefix", REFUSED)
def test_other_prefixes_are_refused_before_any_proof(prefix):
    with pytest.raises(EfdgenError, match=r"choose another prefix|must be an identifier"):
        require_prefix("c", prefix)


def test_every_built_in_curve_has_a_prefix_in_every_language():
    for curve in built_in_curves():
        for language in ("c", "rust", "python"):
            prefix = Request(language, curve.name).checked_prefix
            assert require_prefix(language, prefix) == prefix


def longest() -> str:
    """Return the curve whose default prefix is the longest."""
    return max((curve.name for curve in built_in_curves()), key=lambda n: len(Request("c", n).checked_prefix))


def test_the_longest_default_prefix_compiles_and_passes_its_vectors(cc, tmp_path, database: Database):
    """Was: lines were broken within ``->`` and names, for prefixes of 36 characters or more."""
    name = longest()
    assert len(Request("c", name).checked_prefix) > 36
    subject = curve_subject(
        database, Request("c", name, formulas=("*/negation/*", "*/doubling/dbl-2007-bl")), ["c"]
    )
    driver = build_driver(Build("c", "c", level="0"), subject.files["c"], tmp_path)
    suite = vectors_of(subject, 1)
    assert suite.functions
    from efdgen.verify.vectors.runner import judge, requests

    results = judge(suite, {"c": driver.ask(requests(suite, "c"))})
    assert all(result.ok for result in results)


def test_lines_are_broken_at_spaces_alone(rng: random.Random):
    words = ["a->b", "x" * 90, "0x12", "p-1", "->", "y"]
    for _ in range(20):
        text = " ".join(rng.choices(words, k=12))
        lines = wrap(text, 40, subsequent_indent="    ")
        assert " ".join(" ".join(lines).split()) == text
        assert all(word in words for line in lines for word in line.split())


@pytest.mark.slow
@pytest.mark.parametrize("curve", ["secp256k1", "edwards25519", "Curve25519"])
def test_no_name_of_a_test_program_is_a_name_of_the_curve_with_some_prefix(curve: str):
    """With the prefix read the type read_point and a function of the program had one name."""
    request = Request("c", curve, prefix="whole", set="protocols", table="small", lowering="calls")
    files = render_plan(plan_curve(Database(), request, SafePlans()), request)
    code = {name: re.sub(r'/\*.*?\*/|"[^"\n]*"', "", text, flags=re.S) for name, text in files.items()}
    names = {n for file in code if file.endswith(".h") for n in re.findall(r"\bwhole_(\w+)", code[file])}
    for program in ("driver.c", "driver_protocols.c"):
        own = {n for n in re.findall(r"\b[a-z]\w*", code[program]) if not n.startswith(("whole_", "driver_"))}
        pairs = {(n[:at], n[at + 1 :]) for n in own for at, letter in enumerate(n) if letter == "_"}
        assert not {(prefix, rest) for prefix, rest in pairs if rest in names}, program
    with pytest.raises(EfdgenError, match="hide"):
        require_prefix("c", "driver")

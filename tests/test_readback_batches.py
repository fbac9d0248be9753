"""Functions of many points with one inversion are read back, and every edit of them is refused."""

from functools import cache

import pytest
from collected import Collected
from mutants.edits import edits
from mutants.kinds import difference

from efdgen.generator.compile import Request, make_bundle
from efdgen.generator.fields.printed import KernelText
from efdgen.generator.files import render
from efdgen.generator.kernels.prover import Prover
from efdgen.verify.readback.read import Readback

SCALING = "g1p/shortw/jacobian/scaling-batch/scale"
FILES = {"c": "toy.h", "rust": "src/lib.rs"}
STARTS = {"c": "static inline int toy_normalize_batch(", "rust": "pub fn normalize_batch("}
CURVES = {
    "g1p/edwards/inverted": "Curve1174",
    "g1p/edwards/projective": "Curve1174",
    "g1p/montgom/xz": "Curve25519",
    "g1p/shortw/jacobian": "secp256k1",
    "g1p/shortw/modified": "P-256",
    "g1p/shortw/projective": "P-256",
    "g1p/shortw/xyzz": "P-256",
    "g1p/shortw/xz": "P-256",
    "g1p/twisted/extended": "edwards25519",
    "g1p/twisted/inverted": "edwards25519",
    "g1p/twisted/projective": "edwards25519",
}
# Edits that change nothing, and why: lines that are taken away, and added.
EQUIVALENT = {
    "-        if (i > 1) {\n+        if (i >= 1) {": "before the first point the product is 1",
    "-        if (i > 1) {\n+        if (i > 0) {": "before the first point the product is 1",
    "-        if index > 0 {\n+        if index >= 0 {": "before the first point the product is 1",
    "-            toy_fe_mul(&i1, &product, &p3->X);\n"
    "+            toy_fe_mul(&i1, &i1, &p3->X);": "one is a copy of the other",
}


@cache
def printed(database, language: str, formula: str = SCALING, curve: str = "secp256k1", layout: str = ""):
    """Return the files of a batch, with functions of the field called, and what reads them back."""
    claims = Collected()
    request = Request(language, curve, None, (formula,), prefix="toy", layout=layout or None)
    files = render(make_bundle(database, request, Prover()), request, claims)
    assert any(isinstance(claim, KernelText) and claim.inverses for claim in claims.texts)
    return files, Readback(claims.texts)


@pytest.mark.drawn(3)
@pytest.mark.parametrize("language", ["c", "rust"])
@pytest.mark.parametrize("system", CURVES)
def test_batches_of_every_system_are_what_was_proved(language, system, database):
    (name,) = [name for name in database.ids if name.startswith(f"{system}/scaling-batch")]
    files, reader = printed(database, language, name, CURVES[system])
    assert reader.differences(files) == []


def span(text: str, language: str) -> tuple[int, int]:
    start = text.index(STARTS[language])
    return start, text.index("\n}\n", start) + 3


@pytest.mark.long
@pytest.mark.parametrize("language", ["c", "rust"])
@pytest.mark.slow
def test_every_edit_of_a_batch_is_refused(language, database):
    files, reader = printed(database, language)
    whole = files[FILES[language]]
    start, end = span(whole, language)
    text, found, missed = whole[start:end], 0, []
    for edit in edits(text, language):
        edited = edit.apply(text)
        found += 1
        if not reader.differences({**files, FILES[language]: whole[:start] + edited + whole[end:]}):
            missed.append(difference(text, edited))
    assert not [each for each in missed if each not in EQUIVALENT]
    assert found > 30

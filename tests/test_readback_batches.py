"""Functions of many points with one inversion are read back, and every edit of them is refused."""

from functools import cache

import pytest
from collected import Collected
from mutants.edits import edits
from mutants.kinds import difference
from mutants.sources import Routines

from efdgen.generator.compile import Request, make_bundle
from efdgen.generator.errors import EfdgenError
from efdgen.generator.fields.printed import BatchText
from efdgen.generator.files import render
from efdgen.generator.kernels.batches import ROUTINE
from efdgen.generator.kernels.prover import Prover
from efdgen.generator.routines.integers import RoutineError
from efdgen.verify.readback.read import Readback
from efdgen.verify.routines.formula_batches import prove_formula_batch

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


def announced(database, language: str, formula: str, curve: str, layout: str):
    """Return the files of a batch, with functions of the field called, and what is announced of them."""
    claims = Collected()
    request = Request(language, curve, None, (formula,), prefix="toy", layout=layout or None)
    return render(make_bundle(database, request, Prover()), request, claims), claims.texts


@cache
def printed(database, language: str, formula: str = SCALING, curve: str = "secp256k1", layout: str = ""):
    """Return the files of a batch, and what reads them back."""
    files, texts = announced(database, language, formula, curve, layout)
    assert any(isinstance(text, BatchText) for text in texts)
    return files, Readback(texts)


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
    text, found, missed = whole[start:end], 0, list[str]()
    for edit in edits(text, language):
        edited = edit.apply(text)
        found += 1
        if not reader.differences({**files, FILES[language]: whole[:start] + edited + whole[end:]}):
            missed.append(difference(text, edited))
    assert missed == []
    assert found > 30


def changes_nothing(edit: str) -> bool:
    """Return whether factors change places, or a product is that by the 1 before the first point."""
    if edit == "-        if i > 0:\n+        if i >= 0:":
        return True
    return "fe_mul(" in edit and len({tuple(sorted(line[1:])) for line in edit.splitlines()}) == 1


@pytest.mark.slow
def test_every_edit_of_the_routine_is_refused(database):
    source, missed, found = Routines(ROUTINE), list[str](), 0
    for edit in edits(source.text, "routines"):
        edited = edit.apply(source.text)
        found += 1
        try:
            with source.replaced(edited):
                _, texts = announced(database, "c", SCALING, "secp256k1", "")
                (text,) = [text for text in texts if isinstance(text, BatchText)]
                prove_formula_batch(text)
        except (EfdgenError, RoutineError):
            continue
        missed.append(difference(source.text, edited))
    assert [each for each in missed if not changes_nothing(each)] == []
    assert found > 30

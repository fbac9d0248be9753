"""Certificates: what they say, that they are kept by content, and that a kept one needs no Sage."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from kept_proofs import kept

from efdgen.generator.errors import EfdgenError
from efdgen.generator.formulas.database import Database
from efdgen.generator.formulas.formula import Formula
from efdgen.generator.kernels.specialise import Specialised, specialise
from efdgen.generator.language.parser import parse_document
from efdgen.generator.mathematics.prime import PrimeField
from efdgen.generator.passes.pipeline import optimise
from efdgen.generator.programs.lower import lower
from efdgen.generator.programs.program import Add, Instruction, Sub
from efdgen.verify import certificate, store
from efdgen.verify.certificate import Certificate, certify, require_proof

DOUBLING = "g1p/shortw/jacobian-0/doubling/dbl-2009-l"
SECP256K1 = 2**256 - 2**32 - 977

CODE = """
import sys
from efdgen.generator.formulas.database import Database
from efdgen.generator.programs.lower import lower
from efdgen.verify import children
from efdgen.verify.certificate import certify
formula = Database().formula(sys.argv[1])
print(certify(formula, lower(formula)).verdict, "sage" in sys.modules, children._child is None)
"""


@pytest.fixture(autouse=True)
def cache(unproved: Path) -> Path:
    """Keep the certificates of a test to itself."""
    return unproved


@pytest.fixture
def formula(database: Database) -> Formula:
    return database.formula(DOUBLING)


def with_wrong_sign(formula: Formula) -> Formula:
    """Return a formula whose last step is negated."""
    last = formula.assignments[-1]
    (wrong,) = parse_document(f"compute {last.target} = -({last.target})\n")
    return replace(formula, assignments=(*formula.assignments, wrong.content))


@pytest.mark.parametrize(
    ("formula_id", "characteristic", "covered", "refused"),
    [
        ("g1p/shortw/jacobian/doubling/dbl-2007-bl", "every odd p", (3, 5, SECP256K1), (2,)),
        (DOUBLING, "every p but 2, 3", (5, SECP256K1), (2, 3)),
        ("g1p/twistedhessian/projective/doubling/dbl-2009-bkl", "every p but 3", (2, 5), (3,)),
        ("g12o/shortw/affine/doubling/dbl", "characteristic 2", (2,), (3, 5)),
    ],
)
def test_a_certificate_says_for_which_fields(
    database: Database, formula_id, characteristic, covered, refused
):
    formula = database.formula(formula_id)
    found = certify(formula, lower(formula))
    assert (found.verdict, found.reason, found.characteristic) == ("proved", "", characteristic)
    assert all(found.covers(prime) for prime in covered)
    assert not any(found.covers(prime) for prime in refused)


def test_the_program_is_certified_and_not_the_formula_alone(formula: Formula):
    right = optimise(lower(formula))
    assert certify(formula, right).verdict == "proved"
    number = max(n for n, i in enumerate(right.instructions) if isinstance(i.operation, Sub))
    wrong = right.instructions[number]
    assert isinstance(wrong.operation, Sub)
    broken = Instruction(Add(wrong.operation.left, wrong.operation.right), wrong.label)
    instructions = (*right.instructions[:number], broken, *right.instructions[number + 1 :])
    assert certify(formula, replace(right, instructions=instructions)).verdict == "refuted"


def test_what_a_curve_makes_of_a_formula_is_certified(database: Database):
    general = database.formula("g1p/shortw/jacobian/doubling/dbl-2007-bl")
    special = specialise(general, PrimeField(SECP256K1), {"a": SECP256K1 - 3, "b": 7})
    assert "a" not in special.program.parameters
    assert certify(special.formula, special.program).verdict == "proved"
    assert certify(general, special.program).verdict == "refuted"


def test_a_wrong_formula_has_no_proof(formula: Formula):
    wrong = with_wrong_sign(formula)
    assert not certify(wrong, lower(wrong)).covers(SECP256K1)
    with pytest.raises(EfdgenError, match=f"^{DOUBLING} is not proved: P3: y == Y/Z\\^3 does not hold$"):
        require_proof(Specialised(wrong, lower(wrong), PrimeField(SECP256K1), {"a": 1, "b": 7}))


def test_a_proof_is_refused_for_a_prime_that_it_does_not_cover(formula: Formula):
    found = specialise(formula, PrimeField(7), {"a": 0, "b": 2})
    assert require_proof(found) == "the laws of doubling, for every p but 2, 3"
    with pytest.raises(EfdgenError, match="is proved for every p but 2, 3 only, not for p = 3"):
        require_proof(replace(found, ground=PrimeField(3)))


def test_a_kept_certificate_needs_no_sage(cache: Path):
    command = [sys.executable, "-c", CODE, DOUBLING]
    outcomes = [subprocess.check_output(command, text=True).split() for _ in range(2)]
    assert outcomes == [["proved", "False", "False"], ["proved", "False", "True"]]
    assert len(kept(cache)) == 1


def test_a_certificate_is_kept_for_its_content_alone(formula: Formula, cache: Path):
    certify(formula, lower(formula))
    certify(formula, lower(formula))
    assert len(kept(cache)) == 1
    certify(formula, optimise(lower(formula)))
    assert len(kept(cache)) == 2
    certify(with_wrong_sign(formula), lower(formula))
    assert len(kept(cache)) == 3


def test_a_certificate_of_another_prover_is_not_used(formula: Formula, monkeypatch: pytest.MonkeyPatch):
    program = lower(formula)
    certify(formula, program)
    monkeypatch.setattr(
        certificate, "_proof", lambda *_: Certificate("", "refuted", "asked again", False, ())
    )
    assert certify(formula, program).verdict == "proved"
    monkeypatch.setattr(store, "fingerprint", lambda _: store.Digest("another", ""))
    assert certify(formula, program).reason == "asked again"


@pytest.mark.parametrize("text", ["", "{", "[]", '{"verdict": "proved"}', "\x00"])
def test_a_damaged_certificate_is_made_again(formula: Formula, cache: Path, text: str):
    program = lower(formula)
    found = certify(formula, program)
    (file,) = kept(cache)
    file.write_text(text)
    assert certify(formula, program) == found
    assert file.read_text() != text


def test_without_a_cache_everything_is_proved(
    formula: Formula, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("EFDGEN_CACHE", str(tmp_path / "file" / "below"))
    assert certify(formula, lower(formula)).verdict == "proved"


def test_the_cache_is_where_caches_are(formula: Formula, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("EFDGEN_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    certify(formula, lower(formula))
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    certify(formula, lower(formula))
    assert len(kept(tmp_path / "xdg/efdgen")) == len(kept(tmp_path / ".cache/efdgen")) == 1

"""Exceptional inputs in every place: kept conclusions, comments of functions, choices of formulas, JSON."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from kept_proofs import kept

from efdgen.generator.compile import DEFAULT_WEIGHTS, Request, make_bundle
from efdgen.generator.curves.exceptional import Exceptions, in_words
from efdgen.generator.curves.load import load_curve
from efdgen.generator.files import render
from efdgen.generator.formulas.database import Database
from efdgen.generator.kernels.bundle import cheapest_formulas
from efdgen.generator.kernels.prover import Prover
from efdgen.generator.kernels.ranking import by_weights
from efdgen.generator.reports.weights import parse_weights
from efdgen.verify import store
from efdgen.verify.curve_prover import CurveProver
from efdgen.verify.exceptions.derived import derive, exceptions_on

RCB = "g1p/shortw/projective/addition/add-2015-rcb"
WEIGHTS = parse_weights(DEFAULT_WEIGHTS)

CODE = f"""
from efdgen.generator.formulas.database import Database
from efdgen.verify import children
from efdgen.verify.exceptions.derived import derive
print(derive(Database().formula({RCB!r})).complete, children._child is not None)
"""


@pytest.fixture
def cache(unproved: Path) -> Path:
    """Keep the conclusions of a test to itself."""
    return unproved


def test_a_kept_conclusion_needs_no_sage(cache: Path):
    outcomes = [subprocess.check_output([sys.executable, "-c", CODE], text=True).strip() for _ in range(2)]
    assert outcomes == ["on curves of odd order True", "on curves of odd order False"]
    assert len(kept(cache)) == 1


@pytest.mark.parametrize("text", ["", "{", "[]", '{"exceptions": []}', '{"complete": {}}', "\x00"])
def test_a_damaged_conclusion_is_derived_again(database: Database, cache: Path, text: str):
    formula = database.formula("g1p/shortw/jacobian/doubling/dbl-2007-bl")
    found = derive(formula)
    (file,) = kept(cache)
    file.write_text(text)
    assert derive(formula) == found


def test_a_conclusion_of_another_prover_is_not_used(database: Database, cache: Path, monkeypatch):
    formula = database.formula("g1p/shortw/jacobian/doubling/dbl-2007-bl")
    derive(formula)
    monkeypatch.setattr(store, "fingerprint", lambda _: store.Digest("another", ""))
    derive(formula)
    assert len(kept(cache)) == 2


@pytest.mark.parametrize(
    ("curve", "formula_id", "complete"),
    [
        ("P-256", RCB, True),
        ("secp256k1", "g1p/shortw/projective-0/addition/add-2015-rcb", True),
        ("P-256", "g1p/shortw/projective/addition/add-2002-bj", False),
        ("edwards25519", "g1p/twisted/extended-1/addition/add-2008-hwcd-3", True),
        ("edwards25519", "g1p/twisted/extended-1/addition/add-2008-hwcd-4", False),
    ],
)
def test_completeness_is_judged_on_the_curve(database: Database, curve: str, formula_id: str, complete: bool):
    found = exceptions_on(database.formula(formula_id), load_curve(curve))
    assert found.complete_here is complete
    assert found.inputs


def test_complete_addition_is_preferred_to_unified_addition(database: Database):
    curve, system = load_curve("P-256"), "g1p/shortw/projective-3"
    chosen, unaided = (
        {
            found.formula.kind.id: found.formula.name
            for found in formulas
            if not found.formula.input_assumptions
        }
        for formulas in (
            cheapest_formulas(database, curve, system, by_weights(WEIGHTS), CurveProver()),
            cheapest_formulas(database, curve, system, by_weights(WEIGHTS), Prover()),
        )
    )
    assert (chosen["addition"], chosen["doubling"]) == ("add-2015-rcb", "dbl-2015-rcb")
    assert unaided["addition"] == "add-2002-bj"


@pytest.mark.parametrize(
    ("kind", "exceptions", "text"),
    [
        ("addition", Exceptions((), (), "always", True), "Right for every input."),
        (
            "addition",
            Exceptions(("P=Q", "P=-Q", "2P+Q=O"), ("P=O", "Q=O"), "no", False),
            "Undefined for p1 = p2, p1 = -p2 and 2p1 + p2 = identity; not checked; "
            "the identity has no representative.",
        ),
        (
            "addition",
            Exceptions(("P-Q of order 2",), ("Q=O",), "on curves of odd order", True),
            "Right for every input: the formula is complete on curves of odd order; "
            "p2 = identity has no representative.",
        ),
        (
            "diffadd",
            Exceptions(("P=Q", "x(P-Q)=0"), (), "no", False),
            "Undefined for p2 = p3 and x(p2 - p3) = 0; not checked.",
        ),
    ],
)
def test_exceptions_are_said_of_the_arguments(database: Database, kind: str, exceptions, text: str):
    assert in_words(exceptions, database.kind(kind)) == text


def test_the_comment_of_a_function_says_what_is_exceptional(database: Database):
    request = Request("python", "P-256", None, ("jacobian-3/addition/madd-2004-hmv",))
    bundle = make_bundle(database, request, CurveProver())
    (text,) = (text for name, text in render(bundle, request).items() if name.endswith("256.py"))
    assert "Undefined for p1 = p2 and p1 = identity; not checked;" in " ".join(text.split())
    assert "def add_mixed_incomplete(" in text


def test_show_and_verify_say_the_same(efdgen: Callable):
    (finding,) = json.loads(efdgen("verify", RCB, "--json").out)
    shown = json.loads(efdgen("show", RCB, "--json").out)
    for found in (finding, shown):
        assert found["exceptions"] == ["P-Q of order 2"]
        assert found["unrepresentable"] == []
        assert found["unified"] is True
        assert found["complete"] == "on curves of odd order"
        assert found["homogeneous"] is True
    lines = efdgen("show", RCB).out.splitlines()
    assert "  exceptions       P-Q of order 2" in lines
    assert "  unrepresentable  none" in lines
    assert "  unified          yes" in lines

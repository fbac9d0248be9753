"""Printed exceptional inputs: named where a name is known, and in lines of a sensible width."""

import json
from collections.abc import Callable
from dataclasses import replace

import pytest
from own_systems import FORMULAS, own

from efdgen.generator.curves.exceptional import Exceptions, in_words, shortened
from efdgen.generator.formulas.database import Database
from efdgen.verify.examination import examine
from efdgen.verify.exceptions.conclude import conclude
from efdgen.verify.finding import FormulaFinding
from efdgen.verify.prover import examine_formulas
from efdgen.verify.report import Report

WIDTH = 200
MONTGOM = "g1p/montgom"

# The map to Edwards curves leaves a sum undefined where P - Q leads to a point at infinity: where x = -1, and
# where P - Q is of order 2 and not (0, 0).
OF_EDWARDS = ("x(P-Q)=-1", "P-Q of order 2 except where x=0")
KNOWN = {
    f"{MONTGOM}/defined/addition/add-m1": OF_EDWARDS,
    f"{MONTGOM}/defined/addition/add-b1": OF_EDWARDS,
    f"{MONTGOM}/defined/addition/add-generic": OF_EDWARDS,
    f"{MONTGOM}/edwards-extended/addition/add": OF_EDWARDS,
    f"{MONTGOM}/edwards-extended/addition/add-m1": OF_EDWARDS,
    # A parameter that others determine does so in the limit too, where the curve would be singular.
    f"{MONTGOM}/edwards-extended/doubling/dbl": (),
}


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> Database:
    return own(tmp_path_factory.mktemp("own"))


def lines(finding: FormulaFinding) -> list[str]:
    """Return the printed lines about a finding, as of few."""
    return Report(1).lines(finding)


@pytest.mark.parametrize("formula_id", KNOWN)
def test_exceptions_by_a_map_have_names(texts: Database, formula_id: str):
    assert conclude(texts.formula(formula_id)).exceptions == KNOWN[formula_id]


def test_no_line_on_a_built_in_formula_is_long(database: Database):
    findings = examine_formulas(database, database.ids)
    assert len(findings) == len(database.ids)
    long = [line for finding in findings for line in lines(finding) if len(line) > WIDTH]
    assert long == []


@pytest.mark.drawn(8)
@pytest.mark.parametrize("formula_id", FORMULAS)
def test_no_line_on_other_systems_is_long(texts: Database, formula_id: str):
    finding = examine(texts, formula_id)
    assert finding.verdict == "proved"
    assert [line for line in lines(finding) if len(line) > WIDTH] == []


LONG = " + ".join(f"X1^{power}*Y2" for power in range(99)) + "=0"


@pytest.mark.parametrize(
    ("conditions", "printed"),
    [
        ((), ()),
        (("P=Q", "P=O"), ("P=Q", "P=O")),
        ((LONG,), ("one condition in coordinates (see --json)",)),
        (("P=Q", LONG, "P=O", LONG), ("P=Q", "P=O", "2 conditions in coordinates (see --json)")),
        (("x" * 50,) * 4, ("x" * 50, "x" * 50, "2 conditions in coordinates (see --json)")),
    ],
)
def test_conditions_in_many_terms_are_counted(conditions: tuple[str, ...], printed: tuple[str, ...]):
    assert shortened(conditions) == printed


def test_a_long_condition_is_counted_wherever_it_is_printed(texts: Database):
    found = examine(texts, f"{MONTGOM}/defined/doubling/dbl-m1")
    assert isinstance(found, FormulaFinding)
    (_, line) = lines(replace(found, exceptions=(LONG, "P=O")))
    assert line.startswith("  exceptions: P=O, one condition in coordinates (see --json); complete: ")
    kind = texts.kind("addition")
    assert in_words(Exceptions(("P=Q", LONG), (), "no", complete_here=False), kind) == (
        "Undefined for p1 = p2 and one condition in coordinates (see efdgen show --json); not checked."
    )


def test_conditions_are_in_full_in_json(efdgen: Callable):
    formula_id = "g1p/shortw/projective/addition/add-2002-bj"
    (finding,) = json.loads(efdgen("verify", formula_id, "--json").out)
    assert "y(P) + y(Q)=0 and x(P)^2 + x(P)*x(Q) + x(Q)^2 + a=0" in finding["exceptions"]

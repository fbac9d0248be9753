"""Definitions of one coordinate system in other words: proofs of formulas do not depend on them."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from own_systems import own

from efdgen.generator.errors import EfdgenError
from efdgen.generator.formulas.database import BUILT_IN, Database
from efdgen.generator.formulas.formula import Formula
from efdgen.generator.formulas.layers import Layers
from efdgen.generator.language.parser import parse_document
from efdgen.generator.programs.lower import lower
from efdgen.verify.exceptions.conclude import conclude
from efdgen.verify.laws.law import prove_law
from efdgen.verify.verdicts import Refuted

MONTGOM = "g1p/montgom"
FORMULAS = ("addition/add-b1", "addition/add-m1", "doubling/dbl-m1")

# Extended Montgomery coordinates: x = X/Z, x/y = T/Z, and Y = X·T/Z.
DEFINITIONS = (
    ("x == X/Z", "x/y == T/Z", "Y*Z == X*T"),
    ("x == X/Z", "y == X/T", "X*T == Y*Z"),
    ("x == X/Z", "y == X/T", "Y == X*T/Z"),
    ("x == X/Z", "x == y*T/Z", "Y*Z == X*T"),
    ("x/y == T/Z", "x^2/y == Y/Z", "Y*Z == X*T"),
    ("x/y == T/Z", "Y*Z == X*T", "y == X/T"),
    ("x/y == T/Z", "T*X == Y*Z", "x == Y/T"),
    ("x == X/Z", "x^2/y == Y/Z", "x/y == T/Z"),
    ("x*Z == X", "y*T == X", "Y*Z == X*T"),
    ("X == x*Z", "x*Z == y*T", "Y == x*T"),
)


def defined(directory: Path, meanings: tuple[str, ...]) -> Database:
    """Return the database with extended Montgomery coordinates as they are defined."""
    own(directory)
    lines = [*(f"variable {v}" for v in "XYZT"), *(f"satisfying {meaning}" for meaning in meanings)]
    (directory / MONTGOM / "defined" / "variables").write_text("\n".join(["name defined", *lines, ""]))
    return Database(Layers((directory, BUILT_IN)))


@pytest.mark.drawn(7)
@pytest.mark.parametrize("meanings", DEFINITIONS, ids="; ".join)
@pytest.mark.parametrize("name", FORMULAS)
def test_every_definition_of_a_system_has_the_same_laws(tmp_path: Path, meanings: tuple[str, ...], name: str):
    formula = defined(tmp_path, meanings).formula(f"{MONTGOM}/defined/{name}")
    assert len(prove_law(formula, lower(formula)).instances) == 1


@pytest.mark.parametrize("meanings", DEFINITIONS, ids="; ".join)
@pytest.mark.parametrize("variable", "XYZT")
def test_every_definition_refutes_a_wrong_coordinate(
    tmp_path: Path, meanings: tuple[str, ...], variable: str
):
    formula = defined(tmp_path, meanings).formula(f"{MONTGOM}/defined/doubling/dbl-m1")
    with pytest.raises(Refuted, match="does not hold"):
        prove(edited(formula, f"compute {variable}3 = 2*{variable}3"))


def edited(formula: Formula, *lines: str) -> Formula:
    steps = tuple(statement.content for statement in parse_document("\n".join(lines) + "\n"))
    return replace(formula, assignments=(*formula.assignments, *steps))


def prove(formula: Formula) -> None:
    prove_law(formula, lower(formula))


@pytest.mark.drawn(3)
@pytest.mark.parametrize("meanings", DEFINITIONS, ids="; ".join)
@pytest.mark.parametrize("name", FORMULAS)
def test_every_definition_has_the_same_exceptions(tmp_path: Path, meanings: tuple[str, ...], name: str):
    found = conclude(defined(tmp_path, meanings).formula(f"{MONTGOM}/defined/{name}"))
    adds = name.startswith("addition")
    assert found.exceptions == (("x(P-Q)=-1", "P-Q of order 2 except where x=0") if adds else ())
    assert (found.unified, found.unrepresentable, found.homogeneous) == (True if adds else None, (), True)


@pytest.mark.parametrize(
    "assumption",
    [
        "X2*s == X2*r",  # X2 = 0 or s = r: the first of them is a case of its own
        "X2*T2*s == X2*T2*r",
        "Z2*X2*s == Z2*X2*r",
    ],
)
def test_a_case_of_special_points_by_an_assumption_is_looked_at(tmp_path: Path, assumption: str):
    formula = defined(tmp_path, DEFINITIONS[1]).formula(f"{MONTGOM}/defined/addition/add-m1")
    (assumed,) = (statement.content for statement in parse_document(f"assume {assumption}\n"))
    wrong = edited(formula, *(f"compute {name} = {name} + s - r" for name in formula.output_names))
    tied = replace(
        wrong, parameters=(*formula.parameters, "r", "s"), assumptions=(*formula.assumptions, assumed)
    )
    with pytest.raises((Refuted, EfdgenError)):
        prove(tied)


def test_the_command_line_proves_natural_definitions(efdgen: Callable, tmp_path: Path):
    own(tmp_path)
    names = [f"montgom/extended-{word}/doubling/dbl-m1" for word in ("fractions", "products")]
    found = efdgen("verify", "--database", tmp_path, *names)
    assert found.code == 0
    assert "2 of 2 proved" in found.out

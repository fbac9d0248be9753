"""Exceptional inputs in systems whose coordinates a point does not determine, such as T as a product."""

from collections.abc import Callable
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest
from own_systems import own

from efdgen.generator.formulas.database import Database
from efdgen.generator.formulas.formula import Formula
from efdgen.generator.language.parser import parse_document
from efdgen.generator.mathematics.prime import PrimeField
from efdgen.generator.programs.lower import lower
from efdgen.generator.programs.solve import holds
from efdgen.verify.exceptions.conclude import conclude
from efdgen.verify.exceptions.representation import representation
from efdgen.verify.exceptions.representatives import Representatives
from efdgen.verify.exceptions.tiny_curve import TinyCurve
from efdgen.verify.exceptions.tiny_field import TinyField
from efdgen.verify.exceptions.weights import whole_kernel
from efdgen.verify.laws.law import prove_law

SPLIT, SQUARED = "g1p/twisted/extended-factors", "g1p/twisted/extended-factors-squared"
JACOBIAN = "g1p/shortw/jacobian-split"

# The same as of the formulas whose T, or Z, is not a product.
KNOWN = {
    f"{SPLIT}/doubling/dbl": ((), "always"),
    f"{SPLIT}/addition/add": (("P-Q at infinity",), "when a is a square and d is not"),
    f"{SPLIT}/negation/neg": ((), "always"),
    f"{SQUARED}/negation/neg": ((), "always"),
    f"{JACOBIAN}/doubling/dbl": ((), "always"),
    f"{JACOBIAN}/addition/add": (("P=Q", "P=O", "Q=O"), "no"),
}


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> Database:
    return own(tmp_path_factory.mktemp("own"))


@pytest.mark.slow
@pytest.mark.parametrize("formula_id", KNOWN)
def test_a_product_in_place_of_a_coordinate_has_its_exceptions(texts: Database, formula_id: str):
    formula = texts.formula(formula_id)
    prove_law(formula, lower(formula))
    found = conclude(formula)
    assert (found.exceptions, str(found.complete)) == KNOWN[formula_id]
    assert (found.unrepresentable, found.homogeneous) == ((), True)


def edited(formula: Formula, *lines: str) -> Formula:
    steps = tuple(statement.content for statement in parse_document("\n".join(lines) + "\n"))
    return replace(formula, assignments=(*formula.assignments, *steps))


@pytest.mark.parametrize(
    ("factor", "exceptions"),
    [
        # These points have representatives with A1 = 0, and others.
        ("A1", ("x=0", "y=0")),
        ("B1", ("x=0", "y=0")),
        ("X1", ("x=0", "y(P) infinite")),
        ("Z1", ("P at infinity",)),
    ],
)
def test_a_factor_that_may_vanish_is_an_exception(texts: Database, factor: str, exceptions: tuple[str, ...]):
    formula = edited(
        texts.formula(f"{SPLIT}/doubling/dbl"),
        f"compute extra = {factor}",
        *(f"compute {name} = {name}*extra" for name in ("X3", "Y3", "Z3", "A3")),
    )
    prove_law(formula, lower(formula))
    assert conclude(formula).exceptions == exceptions


@pytest.mark.parametrize("system_id", [SPLIT, SQUARED])
def test_representatives_are_what_the_definitions_say(texts: Database, system_id: str):
    field, system = TinyField(7), texts.system(system_id)
    curve = TinyCurve(system.model, field, {"a": 6, "d": 5})
    known = Representatives(system, curve, {})
    for coordinates in product(range(field.order), repeat=5):
        for number, point in enumerate(curve.affine):
            if None in point or coordinates[2] == 0:
                continue
            names = {
                **curve.parameters,
                **dict(zip("xy", point, strict=True)),
                **dict(zip(system.variables, coordinates, strict=True)),
            }
            meant = all(holds(equation, names, PrimeField(field.order)) for equation in system.meanings)
            assert (number in known.points(coordinates)) is meant


def test_every_way_in_which_factors_vanish_is_tried(texts: Database):
    system = texts.system(SPLIT)
    curve = TinyCurve(system.model, TinyField(7), {"a": 6, "d": 5})
    known = Representatives(system, curve, {})
    for number, point in enumerate(curve.affine):
        ways = {tuple(map(bool, orbit[0][3:])) for orbit in known.orbits[number]}
        several = {(False, True), (True, False), (False, False)}
        assert ways == (several if 0 in point and None not in point else {(True, True)})


def test_factors_that_may_vanish_together_are_no_degenerate_point(texts: Database):
    assert representation(texts.system(SPLIT)).degenerate == (frozenset("XYZB"), frozenset("XYZA"))
    assert set(representation(texts.system(JACOBIAN)).degenerate) == {frozenset("XYU"), frozenset("XYV")}


@pytest.mark.parametrize(
    ("rows", "columns", "basis"),
    [
        ([], 2, {(1, 0), (0, 1)}),
        ([(1, 2, 0), (1, 0, 2)], 3, {(2, -1, -1)}),
        ([(2, 0, 2)], 3, {(0, 1, 0), (1, 0, -1)}),
        ([(1, 1)], 2, {(1, -1)}),
        ([(1, 0), (0, 1)], 2, set()),
    ],
)
def test_monomials_that_no_scaling_changes(rows, columns: int, basis: set[tuple[int, ...]]):
    found = {
        vector if vector > (0,) * columns else tuple(-x for x in vector)
        for vector in whole_kernel(rows, columns)
    }
    assert found == basis


def test_the_command_line_proves_formulas_with_a_product(efdgen: Callable, tmp_path: Path):
    own(tmp_path)
    found = efdgen("verify", "--database", tmp_path, "extended-factors")
    assert found.code == 0
    assert "exceptions: P-Q at infinity; complete: when a is a square and d is not;" in found.out

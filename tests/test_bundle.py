"""The coordinate system and formulas of a curve, and the distinct names of their constants."""

import pytest

from efdgen.generator.compile import Request, make_bundle
from efdgen.generator.curves.instantiate import NotApplicable, instantiate
from efdgen.generator.curves.load import load_curve
from efdgen.generator.errors import EfdgenError
from efdgen.generator.formulas.database import Database
from efdgen.generator.kernels.bundle import cheapest_formulas, cheapest_system, group, priced_formulas
from efdgen.generator.kernels.candidate import candidate, candidates
from efdgen.generator.kernels.preference import adds_equal_points
from efdgen.generator.kernels.prover import Prover
from efdgen.generator.kernels.ranking import by_weights
from efdgen.generator.mathematics.prime import PrimeField
from efdgen.generator.reports.weights import parse_weights

WEIGHTS = parse_weights("S=0.8,param=1,const=0.2,add=0.2")


@pytest.mark.parametrize(
    ("curve", "system"),
    [
        ("secp256k1", "g1p/shortw/jacobian-0"),
        ("P-256", "g1p/shortw/jacobian-3"),
        ("brainpoolP256r1", "g1p/shortw/jacobian"),
        ("edwards25519", "g1p/twisted/extended-1"),
        ("Curve25519", "g1p/montgom/xz"),
    ],
)
def test_a_curve_gets_the_system_that_practice_uses(database: Database, curve, system):
    assert cheapest_system(database, load_curve(curve), WEIGHTS) == system


@pytest.mark.parametrize(
    ("curve", "coordinates", "functions"),
    [
        ("secp256k1", None, {"add", "add_mixed", "double", "negate", "normalize"}),
        ("P-256", "projective-3", {"add", "add_mixed", "double", "negate", "normalize"}),
        ("edwards25519", None, {"add", "add_mixed", "double", "negate", "normalize"}),
        ("Curve25519", None, {"double", "ladder_step", "ladder_step_mixed", "negate", "normalize"}),
    ],
)
def test_few_functions_are_the_default(database: Database, curve, coordinates, functions):
    (group,) = make_bundle(database, Request("c", curve, coordinates), Prover()).groups
    assert {kernel.name for kernel in group.kernels} == functions


def test_other_functions_are_named(database: Database):
    request = Request("c", "secp256k1", formulas=("jacobian-0/tripling/tpl-2005-dim-2",))
    (group,) = make_bundle(database, request, Prover()).groups
    assert [kernel.name for kernel in group.kernels] == ["triple"]


def test_an_addition_that_also_doubles_is_preferred_to_a_cheaper_one(database: Database):
    curve = load_curve("edwards25519")
    chosen = cheapest_formulas(database, curve, "g1p/twisted/extended-1", by_weights(WEIGHTS), Prover())
    assert {"add-2008-hwcd-3", "madd-2008-hwcd-3"} <= {found.formula.name for found in chosen}


@pytest.mark.parametrize(
    ("formula", "unified"),
    [
        ("g1p/twisted/extended-1/addition/add-2008-hwcd-3", True),
        ("g1p/twisted/extended-1/addition/add-2008-hwcd-4", False),
        ("g1p/twisted/extended-1/doubling/dbl-2008-hwcd", False),
    ],
)
def test_whether_equal_points_are_added_is_found_by_trying(database: Database, formula, unified):
    curve, loaded = load_curve("edwards25519"), database.formula(formula)
    values = instantiate(loaded, curve.field, curve.parameters)
    assert adds_equal_points(loaded, curve.field, values) is unified


def test_parameters_of_the_same_name_and_functions_of_the_same_kind_stay_apart(database: Database):
    prime, parameters = 37, {"a": 3}
    ids = ["add-2007-d", "add-2007-bl", "add-2002-bj", "dbl-2007-fw", "dbl-2007-bl"]
    found = [
        candidate(
            database.formula(database.select([f"g1p/jquartic/xyz/*/{i}"])[0]), PrimeField(prime), parameters
        )
        for i in ids
    ]
    kernels = group("", "a curve", PrimeField(prime), found, Prover())
    assert len({kernel.name for kernel in kernels.kernels}) == len(ids)
    for kernel, source in zip(kernels.kernels, found, strict=True):
        read = {p.name for step in kernel.steps for p in step.operands if type(p).__name__ == "CurveConstant"}
        values = sorted(kernels.constants[name] for name in read if not name.startswith("number_"))
        assert values == sorted(source.specialised.constants.values())


def test_a_formula_for_other_curves_is_refused(database: Database):
    curve = load_curve("secp256k1")
    with pytest.raises(NotApplicable, match="-3"):
        candidate(
            database.formula("g1p/shortw/jacobian-3/doubling/dbl-2001-b"), curve.field, curve.parameters
        )
    with pytest.raises(EfdgenError, match="one coordinate system at a time"):
        group(
            "",
            "secp256k1",
            curve.field,
            [
                candidate(database.formula(f"g1p/shortw/{i}"), curve.field, curve.parameters)
                for i in ("jacobian-0/doubling/dbl-2009-l", "projective/doubling/dbl-2007-bl")
            ],
            Prover(),
        )


def test_a_system_has_the_formulas_of_those_that_it_includes(database: Database):
    curve = load_curve("secp256k1")
    names = {
        found.formula.id
        for found in cheapest_formulas(
            database, curve, "g1p/shortw/jacobian-0", by_weights(WEIGHTS), Prover()
        )
    }
    assert "g1p/shortw/jacobian/zaddu/zaddu-2007-m" in names
    assert not any("jacobian-3" in name for name in names)


def test_functions_between_systems_are_for_who_asks_and_have_names_of_their_own(database: Database):
    curve = load_curve("edwards25519")
    names = {
        f.formula.name
        for f in cheapest_formulas(database, curve, "g1p/twisted/extended-1", by_weights(WEIGHTS), Prover())
    }
    assert not names & {"add-cached", "add-niels", "dbl-to-projective"}
    asked = database.select(["extended-1/addition/add-*", "extended-1/doubling/*"])
    chosen = candidates(database, curve, asked)
    assert {"add-cached", "add-niels-to-completed", "dbl-to-projective"} <= {f.formula.name for f in chosen}
    kernels = group("", "edwards25519", curve.field, chosen, Prover()).kernels
    assert len({kernel.name for kernel in kernels}) == len(chosen)


def test_a_system_is_priced_by_what_stays_within_it(database: Database):
    curve = load_curve("edwards25519")
    chosen = priced_formulas(database, curve, "g1p/twisted/extended-1", WEIGHTS)
    names = [found.formula.name for found in chosen if found.formula.kind.id in ("addition", "doubling")]
    assert names == ["add-2008-hwcd-3", "dbl-2008-hwcd"]


def test_a_system_for_other_curves_is_refused(database: Database):
    request = Request("c", "secp256k1", coords="jacobian-3")
    with pytest.raises(NotApplicable, match="-3"):
        make_bundle(database, request, Prover())


def test_a_formula_of_another_model_is_refused(database: Database):
    request = Request("c", "secp256k1", formulas=("g12o/shortw/*",))
    with pytest.raises(EfdgenError, match="is a formula of g1p/shortw/jacobian-0"):
        make_bundle(database, request, Prover())

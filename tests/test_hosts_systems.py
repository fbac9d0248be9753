"""Functions of several coordinate systems in one file of a host: names, header, constants, bounds."""

from __future__ import annotations

import re
from itertools import permutations
from typing import TYPE_CHECKING

import pytest
from host_formulas import HOSTS
from host_provers import Bounds

from efdgen.generator.hosts.compile import HostBundle, HostRequest, make_host_bundle
from efdgen.generator.hosts.render import render
from efdgen.verify.readback.hosts import differences

if TYPE_CHECKING:
    from pathlib import Path

    from efdgen.generator.formulas.database import Database

DOUBLING = "twisted/projective/doubling/dbl-2008-bbjlp"
EXTENDED = ("twisted/extended-1/doubling/dbl-2008-hwcd", "twisted/extended-1/addition/add-2008-hwcd-3")
CONVERSION = "twisted/extended/conversion/to-cached"


def made(database: Database, host: str, *formulas: str, curve: str = "edwards25519") -> HostBundle:
    return make_host_bundle(database, HostRequest(host, curve, formulas=formulas), Bounds())


def only_text(bundle: HostBundle) -> str:
    (text,) = render(bundle).values()
    return text


@pytest.mark.slow
def test_a_system_is_named_where_two_functions_would_meet(database: Database) -> None:
    """In any order of the formulas; a structure has one declaration, whichever formula it is from."""
    asked = (DOUBLING, EXTENDED[0], CONVERSION)
    bundles = [made(database, "macros", *order) for order in permutations(asked)]
    for bundle in bundles:
        assert {function.kernel.name for function in bundle.functions} == {
            "projective_double",
            "extended_1_double",
            "convert_to_cached",
        }
    texts = {re.sub(r"Command: .*?\n \*\n", "", only_text(bundle), flags=re.S) for bundle in bundles}
    assert len(texts) == 1
    (text,) = texts
    declared = re.findall(r"^\} (\w+);$", text, re.M)
    assert sorted(declared) == ["point_cached_point", "point_extended_1_point", "point_projective_point"]
    signature = r"convert_to_cached\(\s*point_cached_point \*r, const point_extended_1_point \*a,"
    assert re.search(signature, text)
    for formula in asked:
        assert text.count(f" {formula.replace('twisted', 'g1p/twisted')} sha256:") == 1
    assert not list(differences(bundles[0], render(bundles[0])))


def test_one_system_has_no_other_names_than_before(database: Database) -> None:
    bundle = made(database, "macros", *EXTENDED, CONVERSION)
    names = {"double", "add", "convert_to_cached"}
    assert {function.kernel.name for function in bundle.functions} == names
    declared = re.findall(r"^\} (\w+);$", only_text(bundle), re.M)
    assert sorted(declared) == ["point_cached_point", "point_point"]


def test_a_requested_system_is_the_only_one(database: Database) -> None:
    request = HostRequest("macros", "edwards25519", "extended-1", (DOUBLING, *EXTENDED))
    bundle = make_host_bundle(database, request, Bounds())
    assert {function.kernel.name for function in bundle.functions} == {"double", "add"}


@pytest.mark.slow
def test_bounds_agree_for_each_structure_and_not_beyond(database: Database) -> None:
    """A host without limits of its own: what the solver finds for one system does not bind the other."""
    formulas = [f"g1p/shortw/projective-0/{end}-2015-rcb" for end in ("*/dbl", "addition/madd")]
    formulas += ["shortw/jacobian-0/doubling/dbl-2009-l", "shortw/jacobian/negation/neg"]
    bundle = made(database, "k256", *formulas, curve="secp256k1")
    assert len(bundle.functions) == 4
    taken: dict[tuple[str, str], set[int]] = {}
    for function in bundle.functions:
        system = function.kernel.formula.system.id.rpartition("/")[2].removesuffix("-0")
        for argument in function.kernel.inputs:
            for variable, name in argument.members.items():
                taken.setdefault((system, variable), set()).add(function.bounds[name])
    assert taken.keys() == {(system, v) for system in ("projective", "jacobian") for v in "XYZ"}
    assert all(len(bounds) == 1 for bounds in taken.values()), taken
    for function in bundle.functions:
        system = function.kernel.formula.system.id.rpartition("/")[2].removesuffix("-0")
        for argument in function.kernel.outputs:
            for variable, name in argument.members.items():
                assert function.bounds[name] <= min(taken[system, variable])
    assert any(taken["projective", v] != taken["jacobian", v] for v in "XYZ"), taken


def test_a_constant_of_two_values_is_two_constants(database: Database, tmp_path: Path) -> None:
    text = (HOSTS / "macros.toml").read_text().replace("[style]", '[style]\nconstant = "{name} {hex}"')
    (tmp_path / "mine.toml").write_text(text)
    halved = "twisted/projective/conversion/to-niels-halved"
    bundle = made(database, str(tmp_path / "mine.toml"), EXTENDED[1], CONVERSION, halved)
    prime = 2**255 - 19
    d = -121665 * pow(121666, -1, prime)
    names = {"add_k": 2 * d, "convert_to_cached_k": 2 * d, "convert_to_niels_halved_k": 4 * d}
    assert bundle.constants == {name: value % prime for name, value in names.items()}
    text = only_text(bundle)
    for name, value in bundle.constants.items():
        assert text.count(f"point_{name} {value:064x}") == 1
        assert len(re.findall(rf"FE_MUL\(.*point_{name}\b", text)) == 1
    assert not list(differences(bundle, render(bundle)))

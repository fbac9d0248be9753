"""Whole binary curves and the affine law: all of tiny ones, edges of built-in ones, keys of NIST, defects."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest
from protocol_files import protocols_of
from protocol_rows import nist, public_keys
from protocol_vectors import BINARY
from test_conformance_protocols import LANGUAGES, build
from whole_curves import DATABASE, has_order
from whole_drivers import Subject

from efdgen.generator.compile import Request
from efdgen.generator.curves.affine import AffineCurve
from efdgen.generator.curves.load import built_in_curves
from efdgen.generator.mathematics.binary import BinaryField, read_polynomial
from efdgen.verify.vectors.drivers import Build, build_driver
from efdgen.verify.vectors.even_points import points_of_even_order
from efdgen.verify.vectors.suite import run_suites
from efdgen.verify.vectors.whole_curve import REFUSED, WholeCurve
from efdgen.verify.vectors.whole_subjects import WholeSubject, whole_subject

# The degree, a2, a6, the order and the cofactor; Tr(a2) is 1 for the cofactor 2.
TINY = {
    "32 of 2": (5, 1, 2, 17, 2),
    "32 of 4": (5, 0, 1, 11, 4),
    "64 of 2": (6, 32, 1, 37, 2),
    "64 of 4": (6, 0, 40, 17, 4),
    "128 of 2": (7, 1, 1, 71, 2),
    "128 of 4": (7, 0, 9, 31, 4),
}
POLYNOMIALS = {5: "x^5 + x^2 + 1", 6: "x^6 + x + 1", 7: "x^7 + x + 1"}
CURVES = {c.name: c for c in built_in_curves() if c.model == "g12o/shortw" and c.cofactor in (2, 4)}
READERS = {"from_affine", "lift_x", "decode", "decode_wire", "decode_xy_batch"}
"""The functions that read a point."""
C = [Build("C", "c", level="0"), Build("C, 32 bits", "c", level="0", word=32)]
RUST = [Build("Rust", "rust", level="0"), Build("Rust, 32 bits", "rust", level="0", word=32)]
BUILDS = [
    pytest.param(C, marks=pytest.mark.needs("cc"), id="c"),
    pytest.param(RUST, marks=pytest.mark.needs("cargo"), id="rust"),
]
# An edit of the header of a curve of cofactor 4, and functions of which each answers wrongly then.
HALVED = "for (size_t i = 0; i < {}; i++) {{\n        tiny_affine_point r;"
DEFECTS = {
    "any point is read": ("odd &= exists;", "odd |= exists;", READERS),
    "points are halved once": (HALVED.format(2), HALVED.format(1), READERS),
    "the sign is the bit of y": ("tiny_fe_mul(&ratio, &p->Y, &inverse);", "ratio = p->Y;", {"encode"}),
}


def tiny(folder: Path, name: str, *languages: str) -> WholeSubject:
    """Return a tiny curve in some languages."""
    degree, a2, a6, order, cofactor = TINY[name]
    field, parameters = BinaryField(read_polynomial(POLYNOMIALS[degree])), {"a2": a2, "a6": a6}
    affine = AffineCurve(DATABASE.model("g12o/shortw"), field, parameters)
    assert len([*affine.all_points()]) + 1 == order * cofactor
    x, y = next(point for point in affine.all_points() if has_order(affine, point, order))
    path = folder / "tiny.toml"
    path.write_text(
        f'name = "tiny"\nmodel = "g12o/shortw"\npolynomial = "{POLYNOMIALS[degree]}"\norder = {order}\n'
        f"cofactor = {cofactor}\nparameters = {{a2 = {a2}, a6 = {a6}}}\ngenerator = {{x = {x}, y = {y}}}\n"
    )
    return whole(str(path), *languages)


def whole(curve: str, *languages: str) -> WholeSubject:
    """Return a curve with small tables, and calls of field functions, in some languages."""
    return whole_subject(
        DATABASE, Request("c", curve, set="curve", table="small", lowering="calls"), languages
    )


def wrong(subjects: Iterable[WholeSubject], builds: list[Build], seed: int = 1) -> set[str]:
    """Return the functions that are answered wrongly, after each build has answered."""
    found = [result for _, results in run_suites([*subjects], seed, builds=builds) for result in results]
    assert {r.language for r in found if r.calls} == {build.name for build in builds}
    return {result.function for result in found if not result.ok}


@pytest.mark.long
@pytest.mark.drawn(1)
@pytest.mark.parametrize("builds", BUILDS)
@pytest.mark.parametrize("name", TINY)
def test_all_of_a_tiny_binary_curve(name, builds, tmp_path):
    found = tiny(tmp_path, name, builds[0].language)
    assert found.curve.is_tiny
    asked = {q.function for q in found.suite(1).questions if q.answer.startswith(REFUSED)}
    assert asked >= READERS
    assert wrong([found], builds) == set()


@pytest.mark.long
@pytest.mark.parametrize("builds", BUILDS)
def test_a_binary_curve_answers_by_the_affine_law(builds, rng, few, tmp_path):
    """Another curve in each run, or those of a slice."""
    names = few(rng, sorted(CURVES), 1)
    print(names)
    assert wrong([whole(name, builds[0].language) for name in names], builds) == set()


@pytest.mark.parametrize("name", CURVES)
def test_points_of_even_order_are_none_of_odd_order(name, rng):
    curve = WholeCurve.of(CURVES[name], DATABASE)
    group = curve.affine
    small = [*points_of_even_order(group, [curve.generator, group.random_point(rng)], rng)]
    assert len({*small}) == 3 * (group.cofactor - 1)
    assert all(map(group.every.on_curve, small))
    assert not any(map(group.on_curve, small))


@pytest.mark.long
@pytest.mark.drawn(1)
@pytest.mark.parametrize("defect", DEFECTS)
@pytest.mark.usefixtures("cc")
def test_a_defect_of_a_binary_curve_is_seen(defect, tmp_path):
    right, other, functions = DEFECTS[defect]
    found = tiny(tmp_path, "32 of 4", "c")
    files = found.files["c"]
    assert right in files["tiny.h"]
    broken = {"c": {**files, "tiny.h": files["tiny.h"].replace(right, other)}}
    assert wrong([replace(found, files=broken)], C[:1]) >= functions


@pytest.mark.long
@pytest.mark.drawn(1)
@pytest.mark.parametrize("name", BINARY)
@pytest.mark.usefixtures("cc")
def test_public_keys_of_nist_on_binary_curves(name, tmp_path):
    found = whole(BINARY[name], "c")
    driver = build_driver("c", found.files["c"], tmp_path)
    rows = [*public_keys(found.curve)]
    assert {row[0]: row[-1] == REFUSED for row in rows} == {"from_affine": True, "validate": False}
    assert Subject(found.curve, driver).differences(rows) == []


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.drawn(1)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", BINARY)
def test_published_values_on_binary_curves(name, language, tmp_path):
    """Signatures of RFC 6979, those that NIST has verified or generated, and exchanges of NIST."""
    found = protocols_of(BINARY[name], language.partition(",")[0])
    # The driver in Rust does not know SHA-1.
    rows = [row for row in nist(found.curve) if language != "rust" or "sha1" not in row]
    asked = {"ecdsa_public_key", "ecdsa_sign", "ecdsa_verify", "ecdsa_from_der", "ecdh_exchange"}
    assert asked <= {row[0] for row in rows}
    assert {"0", "1", REFUSED} <= {row[-1] for row in rows}
    driver = build(language, BINARY[name], found.files[language.partition(",")[0]], tmp_path)
    assert Subject(found.curve, driver).differences(rows) == []

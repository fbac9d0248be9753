"""Maps between models: proved, refused where they are wrong, held against curves as they are published."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from efdgen.generator.curves.affine import INFINITY, Point, Undefined
from efdgen.generator.curves.curve import Curve, load_curve
from efdgen.generator.curves.map import CurveMap, map_between, maps_between
from efdgen.generator.curves.weierstrass import is_singular, weierstrass_curve
from efdgen.generator.database import Database
from efdgen.generator.errors import EfdgenError, TextError
from efdgen.generator.formula import Map, Model
from efdgen.generator.language.parser import parse_document
from efdgen.generator.language.printer import print_document
from efdgen.generator.mathematics.solve import solutions
from efdgen.generator.reader import map_statements, read_map
from efdgen.verify.laws.law import Refuted
from efdgen.verify.laws.map import prove_map

MAPS = (
    *("edwards/maps/isogenous-montgom", "edwards/maps/montgom", "edwards/maps/twisted"),
    *("montgom/maps/edwards", "montgom/maps/isogenous-edwards", "montgom/maps/montgom"),
    *("montgom/maps/shortw", "montgom/maps/twisted", "shortw/maps/montgom", "shortw/maps/shortw"),
    *("shortw/maps/twisted", "twisted/maps/edwards", "twisted/maps/montgom", "twisted/maps/shortw"),
    "twisted/maps/twisted",
)
SMALL = 37


def model_of(database: Database) -> Callable[[str], Model]:
    return lambda name: database.model(f"g1p/{name}")


def edited(database: Database, map_id: str, *edits: tuple[str, str]) -> Map:
    text = database.text(map_id)
    for old, new in edits:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return read_map(parse_document(text), map_id, model_of(database), text, "<text>")


def generator(curve: Curve, names: tuple[str, ...]) -> Point:
    assert curve.generator is not None
    return tuple(curve.generator[name] for name in names)


def test_these_are_all_the_maps(database: Database) -> None:
    assert [name.removeprefix("g1p/") for name in database.map_ids] == sorted(MAPS)


@pytest.mark.parametrize("name", MAPS)
def test_a_map_is_a_homomorphism_and_its_inverse_undoes_it(database: Database, name: str) -> None:
    prove_map(database.map(f"g1p/{name}"), database.map)


@pytest.mark.parametrize("name", MAPS)
def test_a_map_is_written_as_it_was_read(database: Database, name: str) -> None:
    assert print_document(map_statements(database.map(f"g1p/{name}"))) == database.text(f"g1p/{name}")


@pytest.mark.parametrize(
    ("name", "edits", "reason"),
    [
        ("twisted/maps/montgom", [("(1 + y)/(1 - y)\n", "(1 - y)/(1 + y)\n")], "not on the target curve"),
        ("twisted/maps/montgom", [("4/(", "3/(")], "not on the target curve"),
        ("twisted/maps/montgom", [("s*(1 + y)", "-s*(1 + y)")], "not multiplication by 1"),
        ("twisted/maps/montgom", [("where s = s", "where s = -s")], "not multiplication by 1"),
        ("twisted/maps/montgom", [("where s = s", "where s = 2*s")], "leads to another curve"),
        ("twisted/maps/montgom", [("inverse twisted", "inverse shortw")], "leads to g1p/shortw"),
        ("montgom/maps/shortw", [("where t = 1/s\n", "")], "do not say what the parameters"),
        ("montgom/maps/shortw", [("where r = s^2", "where r = s")], "does not take the parameters"),
        ("shortw/maps/montgom", [("(3*r^2 + a)*s^2", "(3*r^2 - a)*s^2")], "not on the target curve"),
        ("edwards/maps/isogenous-montgom", [("degree 4", "degree 2")], "not multiplication by 2"),
        ("edwards/maps/isogenous-montgom", [("2 - 4*d", "2 + 4*d")], "not on the target curve"),
    ],
)
def test_a_wrong_map_is_refused(
    database: Database, name: str, edits: list[tuple[str, str]], reason: str
) -> None:
    with pytest.raises(Refuted, match=reason):
        prove_map(edited(database, f"g1p/{name}", *edits), database.map)


def test_a_translation_of_the_group_is_refused(database: Database) -> None:
    """As RFC 7748 prints the birational map of curve448: u = (y - 1)/(y + 1) takes (0, 1) to (0, 0)."""
    translated = edited(
        database,
        "g1p/edwards/maps/montgom",
        ("curve a = 2*", "curve a = -2*"),
        ("curve b = 4/", "curve b = -4/"),
        ("image x = (c + y)/(c - y)", "image x = (y - c)/(y + c)"),
        ("image y = s*c*(c + y)/((c - y)*x)", "image y = s*c*(y - c)/((y + c)*x)"),
    )
    with pytest.raises(Refuted, match="the image of a sum is not the sum of images"):
        prove_map(translated, database.map)


def test_what_is_missing_or_unknown_in_a_map_is_an_error_with_its_place(database: Database) -> None:
    for edit, reason in (
        (("image y = y\n", ""), "no 'image' line for y"),
        (("image y = y", "image z = y"), "there is no 'z'"),
        (("image y = y", "image y = Y"), "unknown name 'Y'"),
        (("curve a = a/s^2", "curve a = x/s^2"), "unknown name 'x'"),
        (("inverse twisted", "degree four\ninverse twisted"), "'four' is not a degree"),
    ):
        with pytest.raises(TextError, match=reason):
            edited(database, "g1p/twisted/maps/twisted", edit)


def small_map(between: Map) -> CurveMap:
    """Return a map on a curve over a small field that has one, whose every parameter is not 1."""
    names = (*between.model.parameters, *between.parameters)
    for found in solutions(between.assumptions, {}, names, SMALL, lambda _: range(2, SMALL)):
        if not is_singular(between.model, SMALL, found):
            return CurveMap(between, SMALL, found)
    raise AssertionError(between.id)


@pytest.mark.parametrize("name", MAPS)
def test_all_sums_of_a_small_curve_are_kept(database: Database, name: str) -> None:
    way = small_map(database.map(f"g1p/{name}"))
    points = list(way.source.all_points())
    images: dict[Point, Point] = {way.source.neutral: way.target.neutral}
    for point in points:
        try:
            images[point] = way.image(point)
        except Undefined:
            continue
        assert images[point] == INFINITY or way.target.on_curve(images[point]), (name, point)
    held = 0
    for left, image_of_left in images.items():
        for right, image_of_right in images.items():
            try:
                total, expected = way.source.add(left, right), way.target.add(image_of_left, image_of_right)
            except Undefined:
                continue
            if total in images:
                assert images[total] == expected, (name, left, right)
                held += 1
    assert held > len(points)
    orders = [
        weierstrass_curve(curve.model, SMALL, curve.parameters).count_points()
        for curve in (way.source, way.target)
    ]
    assert orders[0] == orders[1]


@pytest.mark.parametrize(
    ("name", "source", "target"),
    [
        ("twisted/maps/montgom", "edwards25519", "Curve25519"),
        ("montgom/maps/twisted", "Curve25519", "edwards25519"),
        ("edwards/maps/isogenous-montgom", "edwards448", "Curve448"),
        ("shortw/maps/shortw", "brainpoolP256r1", "brainpoolP256t1"),
        ("shortw/maps/shortw", "brainpoolP384t1", "brainpoolP384r1"),
    ],
)
def test_published_generators_are_images_of_each_other(
    database: Database, name: str, source: str, target: str
) -> None:
    between, start, end = database.map(f"g1p/{name}"), load_curve(source), load_curve(target)
    way = map_between(between, start, end)
    assert way is not None
    assert way.image(generator(start, between.model.coordinates)) == generator(
        end, between.target.coordinates
    )
    assert len(list(maps_between(between, start, end))) == 2  # the other one takes P to -P


def test_the_scale_between_edwards25519_and_curve25519_is_that_of_rfc_7748(database: Database) -> None:
    edwards, montgomery = load_curve("edwards25519"), load_curve("Curve25519")
    way = map_between(database.map("g1p/twisted/maps/montgom"), edwards, montgomery)
    assert way is not None
    assert pow(way.parameters["s"], 2, way.prime) == -486664 % way.prime
    assert way.target_parameters == {"a": 486662, "b": 1}


def test_edwards448_is_isogenous_and_not_isomorphic_to_curve448(database: Database) -> None:
    edwards, montgomery = load_curve("edwards448"), load_curve("Curve448")
    assert map_between(database.map("g1p/edwards/maps/montgom"), edwards, montgomery) is None
    back = map_between(database.map("g1p/montgom/maps/isogenous-edwards"), montgomery, edwards)
    assert back is not None
    fourfold = back.target.multiple(4, generator(edwards, ("x", "y")))
    assert back.image(generator(montgomery, ("x", "y"))) == fourfold


def test_curve25519_in_weierstrass_form_is_wei25519(database: Database) -> None:
    """The draft on alternative curve representations gives a, b and the generator's abscissa so."""
    curve = load_curve("Curve25519")
    way = CurveMap(database.map("g1p/montgom/maps/shortw"), curve.prime, {**curve.parameters, "s": 1})
    assert way.target_parameters == {
        "a": 0x2AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA984914A144,
        "b": 0x7B425ED097B425ED097B425ED097B425ED097B425ED097B4260B5E9C7710C864,
    }
    assert way.image(generator(curve, ("x", "y")))[0] == (
        0x2AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAD245A
    )


def test_edwards_curves_are_twisted_edwards_curves_with_a_1(database: Database) -> None:
    curve = load_curve("E-222")
    parameters = {**curve.parameters, "s": 1}
    way = CurveMap(database.map("g1p/edwards/maps/twisted"), curve.prime, parameters)
    assert way.target_parameters == {"a": 1, "d": 160102}
    point = generator(curve, ("x", "y"))
    assert way.image(point) == point
    assert curve.order is not None
    assert way.target.multiple(curve.order, point) == way.target.neutral


def test_a_map_with_a_missing_inverse_or_target_names_it(database: Database) -> None:
    between = replace(database.map("g1p/twisted/maps/montgom"), inverse="none")
    with pytest.raises(EfdgenError, match=r"maps/none"):
        prove_map(between, database.map)

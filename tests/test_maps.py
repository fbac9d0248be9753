"""Maps between models: proved, refused where they are wrong, held against curves as they are published."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from efdgen.generator.compile import Request, make_bundle, render
from efdgen.generator.curves.affine import INFINITY, Point, Undefined
from efdgen.generator.curves.curve import Curve
from efdgen.generator.curves.load import load_curve
from efdgen.generator.curves.map import CurveMap, map_between, maps_between
from efdgen.generator.curves.weierstrass import is_singular, weierstrass_curve
from efdgen.generator.errors import EfdgenError, TextError
from efdgen.generator.formulas.database import Database
from efdgen.generator.formulas.formula import Map, Model
from efdgen.generator.formulas.reader import map_statements, read_map
from efdgen.generator.language.parser import parse_document, parse_equation
from efdgen.generator.language.printer import print_document
from efdgen.generator.language.syntax import Binary, Expression, Group, Number
from efdgen.generator.mathematics.solve import holds, solutions
from efdgen.generator.programs.lower import lower
from efdgen.generator.reports.maps import undefined_inputs
from efdgen.verify.laws.law import prove_law
from efdgen.verify.laws.map import prove_map
from efdgen.verify.vectors.drivers import LANGUAGES
from efdgen.verify.vectors.subjects import curve_subject
from efdgen.verify.vectors.suite import run_suites
from efdgen.verify.verdicts import Refuted

CONVERSIONS = (
    ("edwards25519", "extended-1", "Curve25519", "montgom", ("affine", "xz")),
    ("Curve25519", "affine", "edwards25519", "twisted", ("affine", "projective", "extended", "completed")),
    ("edwards448", "projective", "Curve448", "isogenous-montgom", ("affine", "xz")),
    ("Curve448", "affine", "edwards448", "isogenous-edwards", ("affine", "projective")),
    ("Curve25519", "affine", None, "shortw", ("affine", "jacobian")),
    ("E-222", "projective", None, "twisted", ("affine", "extended")),
    ("brainpoolP256r1", "jacobian", "brainpoolP256t1", "shortw", ("jacobian",)),
)
MAPS = (
    *(
        "edwards/maps/isogenous-montgom",
        "edwards/maps/montgom",
        "edwards/maps/twisted",
        "hessian/maps/shortw",
    ),
    *("jquartic/maps/shortw", "montgom/maps/edwards", "montgom/maps/isogenous-edwards"),
    *("montgom/maps/montgom", "montgom/maps/shortw", "montgom/maps/twisted", "shortw/maps/hessian"),
    *("shortw/maps/jquartic", "shortw/maps/montgom", "shortw/maps/shortw", "shortw/maps/twisted"),
    *("twisted/maps/edwards", "twisted/maps/montgom", "twisted/maps/shortw", "twisted/maps/twisted"),
)
SMALL = 37


def model_of(database: Database) -> Callable[[str], Model]:
    return lambda name: database.model(f"g1p/{name}")


def edited(database: Database, map_id: str, *edits: tuple[str, str]) -> Map:
    text = database.text(map_id)
    for old, new in edits:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    found = read_map(parse_document(text), map_id, model_of(database), text, "<text>")
    return replace(found, undo=database.map(f"{found.target.id}/maps/{found.inverse}"))


def generator(curve: Curve, names: tuple[str, ...]) -> Point:
    assert curve.generator is not None
    return tuple(curve.generator[name] for name in names)


def test_these_are_all_the_maps(database: Database) -> None:
    assert [name.removeprefix("g1p/") for name in database.map_ids] == sorted(MAPS)


@pytest.mark.parametrize("name", MAPS)
def test_a_map_is_a_homomorphism_and_its_inverse_undoes_it(database: Database, name: str) -> None:
    assert set(prove_map(database.map(f"g1p/{name}"))) <= {2, 3, 7}


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
        prove_map(edited(database, f"g1p/{name}", *edits))


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
        prove_map(translated)


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
    between = replace(database.map("g1p/twisted/maps/montgom"), undo=None)
    with pytest.raises(Refuted, match="the map g1p/twisted/maps/montgom has no inverse"):
        prove_map(between)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("twisted/maps/montgom", ("1 - y = 0", "x = 0")),
        ("montgom/maps/twisted", ("y = 0", "x + 1 = 0")),
        ("shortw/maps/twisted", ("y = 0", "s*(x - r) + 1 = 0")),
        ("edwards/maps/isogenous-montgom", ("x = 0",)),
        ("shortw/maps/montgom", ()),
        ("edwards/maps/twisted", ()),
    ],
)
def test_where_a_map_is_not_defined_is_read_from_its_denominators(
    database: Database, name: str, expected: tuple[str, ...]
) -> None:
    assert undefined_inputs(database.map(f"g1p/{name}")) == expected


@pytest.mark.parametrize("name", MAPS)
def test_a_map_divides_by_zero_where_it_says_so_and_nowhere_else(database: Database, name: str) -> None:
    way = small_map(database.map(f"g1p/{name}"))
    equations = [parse_equation(text.replace("=", "==")) for text in undefined_inputs(way.map)]
    for point in way.source.all_points():
        names = {**way.parameters, **dict(zip(way.map.model.coordinates, point, strict=True))}
        defined = True
        try:
            way.image(point)
        except Undefined:
            defined = False
        said = any(holds(equation, names, SMALL) for equation in equations)
        assert said is not defined or point == way.source.neutral, (name, point)


@pytest.mark.drawn(2)
@pytest.mark.parametrize(("source", "system", "target", "way", "outputs"), CONVERSIONS)
@pytest.mark.usefixtures("cc", "cargo")
def test_kernels_for_published_curves_lead_where_the_map_does(
    database: Database, source: str, system: str, target: str | None, way: str, outputs: tuple[str, ...]
) -> None:
    names = tuple(f"conversion/to-{way}-{output}" for output in outputs)
    request = Request("c", source, system, names, target)
    (suite, results), *_ = run_suites([curve_subject(database, request, LANGUAGES)], seed=1)
    assert len(suite.functions) == len(outputs)
    assert {result.language for result in results} == set(LANGUAGES)
    assert all(result.ok for result in results), [result.failures for result in results]


def test_an_emitted_kernel_takes_the_generator_to_the_generator(database: Database) -> None:
    request = Request("python", "edwards25519", None, ("extended/conversion/to-montgom-affine",), "X25519")
    text = render(make_bundle(database, request, lambda *_: "none"), request)["edwards25519.py"]
    names: dict[str, Any] = {"__name__": "kernels"}
    exec(compile(text, "edwards25519.py", "exec"), names)
    edwards, montgomery = load_curve("edwards25519"), load_curve("Curve25519")
    x, y = generator(edwards, ("x", "y"))
    point = names["Point"](5 * x, 5 * y, 5, 5 * x * y % edwards.prime)
    assert names["convert_to_montgom_affine"](point) == generator(montgomery, ("x", "y"))
    assert "--to X25519" in text


def test_the_result_of_another_sign_is_not_accepted(database: Database) -> None:
    request = Request("python", "edwards25519", None, ("extended/conversion/to-montgom-affine",), "X25519")
    subject = curve_subject(database, request, ("python",))
    name = "CONSTANT_s = 0x"
    (path,) = (path for path, text in subject.files["python"].items() if name in text)
    files = {**subject.files["python"], path: subject.files["python"][path].replace(name, f"{name}1 + 0x")}
    (_, results), *_ = run_suites([replace(subject, files={"python": files})], seed=1)
    assert not any(result.ok for result in results)


@pytest.mark.parametrize(
    ("curve", "formula", "target", "reason"),
    [
        (
            "edwards448",
            "edwards/projective/conversion/to-montgom-xz",
            "Curve448",
            "does not lead to Curve448",
        ),
        ("edwards25519", "twisted/extended/conversion/to-montgom-xz", "P-256", "does not lead to secp256r1"),
        ("P-256", "shortw/jacobian/conversion/to-montgom-xz", None, "has no solution modulo p"),
        ("P-256", None, "P-256", "--to is for conversions between models"),
    ],
)
def test_what_leads_nowhere_is_an_error(
    database: Database, curve: str, formula: str | None, target: str | None, reason: str
) -> None:
    request = Request("c", curve, None, (formula,) if formula else (), target)
    with pytest.raises(EfdgenError, match=reason):
        make_bundle(database, request, lambda *_: "none")


def test_single_edits_of_conversions_between_models_are_refused(database: Database) -> None:
    """Of every fourth, each step with the operator at its top turned over."""
    ids = [name for name in database.select(["conversion"]) if database.formula(name).map]
    assert len(ids) > 70
    refused = 0
    for name in ids[::4]:
        formula = database.formula(name)
        for number, assignment in enumerate(formula.assignments):
            for value in turned(assignment.value):
                wrong = replace(assignment, value=value)
                steps = (*formula.assignments[:number], wrong, *formula.assignments[number + 1 :])
                edited_formula = replace(formula, assignments=steps)
                with pytest.raises(Refuted):
                    prove_law(edited_formula, lower(edited_formula))
                refused += 1
    assert refused > 60


def turned(value: Expression) -> Iterator[Expression]:
    """Yield an expression with one sign or factor turned over, at the top of it."""
    match value:
        case Binary("+", left, right):
            yield replace(value, operator="-")
        case Binary("-", left, right):
            yield replace(value, operator="+")
        case Binary("*", left, right):
            yield left
            yield Binary("*", left, Group(Binary("+", right, Number(1))))

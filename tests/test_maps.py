"""Maps between models: proved, refused where they are wrong, held against curves as they are published."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

import pytest

from efdgen.generator.compile import Request, make_bundle
from efdgen.generator.curves.affine import INFINITY, Point, Undefined
from efdgen.generator.curves.curve import Curve
from efdgen.generator.curves.instantiate import instantiate
from efdgen.generator.curves.load import checked_curve, load_curve
from efdgen.generator.curves.map import CurveMap, map_between, maps_between
from efdgen.generator.curves.weierstrass import is_singular, weierstrass_curve
from efdgen.generator.errors import EfdgenError, TextError
from efdgen.generator.files import render
from efdgen.generator.formulas.database import Database
from efdgen.generator.formulas.formula import Map, Model
from efdgen.generator.formulas.reader import map_statements, read_map
from efdgen.generator.kernels.prover import Prover
from efdgen.generator.language.parser import parse_document, parse_equation
from efdgen.generator.language.printer import print_document
from efdgen.generator.language.syntax import Binary, Expression, Group, Number
from efdgen.generator.mathematics.binary import BinaryField, polynomial_text
from efdgen.generator.mathematics.ground import Ground
from efdgen.generator.mathematics.prime import PrimeField
from efdgen.generator.programs.lower import lower
from efdgen.generator.programs.solve import holds, solutions
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
    ("BBE251", "xy", "BBE251 in Weierstrass form", "shortw", ("affine", "projective", "lopezdahab", "xz")),
    ("BBE251", "xyz", None, "shortw", ("affine", "projective", "lopezdahab", "xz")),
    ("BBE251 in Weierstrass form", "affine", "BBE251", "edwards", ("xy", "xyz")),
    ("BBE251 in Weierstrass form", "lopezdahab", "BBE251", "edwards", ("xy", "xyz")),
    ("sect163r2", "projective", None, "edwards", ("xy", "xyz")),
    ("sect113r1", "xz", None, "edwards", ("wz",)),
    ("Hessian233", "standard", None, "shortw", ("affine", "projective", "lopezdahab", "xz")),
    ("Hessian233 in Weierstrass form", "affine", "Hessian233", "hessian", ("standard",)),
    ("Hessian233 in Weierstrass form", "projective", None, "hessian", ("standard",)),
    ("Hessian233 in Weierstrass form", "lopezdahab", "Hessian233", "hessian", ("standard",)),
    ("sect163r1", "affine", "sect163r1 in Weierstrass form", "shortw", ("affine",)),
    ("sect163r1", "projective", "sect163r1 in Weierstrass form", "shortw", ("projective",)),
    ("sect163r1", "jacobian", "sect163r1 in Weierstrass form", "shortw", ("jacobian",)),
    ("sect163r1", "lopezdahab", "sect163r1 in Weierstrass form", "shortw", ("lopezdahab",)),
    ("sect163r1", "lambda", "sect163r1 in Weierstrass form", "shortw", ("lambda",)),
)
BINARY_MAPS = (
    *("g12o/edwards/maps/shortw", "g12o/hessian/maps/shortw"),
    *("g12o/shortw/maps/edwards", "g12o/shortw/maps/hessian", "g12o/shortw/maps/shortw"),
)
MAPS = (
    *BINARY_MAPS,
    *("g1p/edwards/maps/isogenous-montgom", "g1p/edwards/maps/montgom", "g1p/edwards/maps/twisted"),
    *("g1p/extendedjquartic/maps/shortw", "g1p/hessian/maps/shortw", "g1p/jquartic/maps/shortw"),
    *("g1p/montgom/maps/edwards", "g1p/montgom/maps/isogenous-edwards", "g1p/montgom/maps/montgom"),
    *("g1p/montgom/maps/shortw", "g1p/montgom/maps/twisted"),
    *("g1p/shortw/maps/extendedjquartic", "g1p/shortw/maps/hessian", "g1p/shortw/maps/jquartic"),
    *("g1p/shortw/maps/montgom", "g1p/shortw/maps/shortw", "g1p/shortw/maps/twisted"),
    *("g1p/twisted/maps/edwards", "g1p/twisted/maps/montgom"),
    *("g1p/twisted/maps/shortw", "g1p/twisted/maps/twisted"),
)
SMALL = 37
SMALL_BINARY = tuple(map(BinaryField, (0b1011, 0b10011, 0b100101)))

Few: TypeAlias = Callable[[Random, Sequence[CurveMap], int], list[CurveMap]]


def model_of(database: Database, map_id: str) -> Callable[[str], Model]:
    return lambda name: database.model(f"{map_id.partition('/')[0]}/{name}")


def edited(database: Database, map_id: str, *edits: tuple[str, str]) -> Map:
    text = database.text(map_id)
    for old, new in edits:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    found = read_map(parse_document(text), map_id, model_of(database, map_id), text, "<text>")
    return replace(found, undo=database.map(f"{found.target.id}/maps/{found.inverse}"))


def in_weierstrass_form(database: Database, name: str, directory: Path) -> str:
    """Write the file of a curve that a binary curve's map leads to, with s = x, and return its path."""
    curve = checked_curve(name)
    between = database.map(f"{curve.model}/maps/shortw")
    way = CurveMap(between, curve.field, {**curve.parameters, "s": 2})
    x, y = way.image(generator(curve, between.model.coordinates))
    a2, a6 = way.target_parameters.values()
    assert curve.field.is_binary
    polynomial = polynomial_text(curve.field.polynomial)
    path = directory / f"{curve.name}-weierstrass.toml"
    path.write_text(
        f'name = "{path.stem}"\nmodel = "g12o/shortw"\npolynomial = "{polynomial}"\n'
        f"order = {curve.order}\ncofactor = {curve.cofactor}\n"
        f'[parameters]\na2 = "{a2:#x}"\na6 = "{a6:#x}"\n[generator]\nx = "{x:#x}"\ny = "{y:#x}"\n'
    )
    return str(path)


def generator(curve: Curve, names: tuple[str, ...]) -> Point:
    assert curve.generator is not None
    return tuple(curve.generator[name] for name in names)


def test_these_are_all_the_maps(database: Database) -> None:
    assert list(database.map_ids) == sorted(MAPS)


@pytest.mark.parametrize("name", MAPS)
def test_a_map_is_a_homomorphism_and_its_inverse_undoes_it(database: Database, name: str) -> None:
    assert set(prove_map(database.map(name))) <= {2, 3, 7}


@pytest.mark.parametrize("name", MAPS)
def test_a_map_is_written_as_it_was_read(database: Database, name: str) -> None:
    assert print_document(map_statements(database.map(name))) == database.text(name)


@pytest.mark.parametrize(
    ("name", "edits", "reason"),
    [
        ("g1p/twisted/maps/montgom", [("(1 + y)/(1 - y)\n", "(1 - y)/(1 + y)\n")], "not on the target curve"),
        ("g1p/twisted/maps/montgom", [("4/(", "3/(")], "not on the target curve"),
        ("g1p/twisted/maps/montgom", [("s*(1 + y)", "-s*(1 + y)")], "not multiplication by 1"),
        ("g1p/twisted/maps/montgom", [("where s = s", "where s = -s")], "not multiplication by 1"),
        ("g1p/twisted/maps/montgom", [("where s = s", "where s = 2*s")], "leads to another curve"),
        ("g1p/twisted/maps/montgom", [("inverse twisted", "inverse shortw")], "leads to g1p/shortw"),
        ("g1p/montgom/maps/shortw", [("where t = 1/s\n", "")], "do not say what the parameters"),
        ("g1p/montgom/maps/shortw", [("where r = s^2", "where r = s")], "does not take the parameters"),
        ("g1p/shortw/maps/montgom", [("(3*r^2 + a)*s^2", "(3*r^2 - a)*s^2")], "not on the target curve"),
        ("g1p/edwards/maps/isogenous-montgom", [("degree 4", "degree 2")], "not multiplication by 2"),
        ("g1p/edwards/maps/isogenous-montgom", [("2 - 4*d", "2 + 4*d")], "not on the target curve"),
        ("g12o/edwards/maps/shortw", [("curve a2 = d1^2 +", "curve a2 = d1 +")], "not on the target curve"),
        ("g12o/edwards/maps/shortw", [("(s + 1)*(x + y)", "s*(x + y)")], "not multiplication by 1"),
        ("g12o/edwards/maps/shortw", [("where s = s", "where s = s + 1")], "not multiplication by 1"),
        ("g12o/edwards/maps/shortw", [("where s = s", "where s = s^2")], "does not take the parameters"),
        ("g12o/edwards/maps/shortw", [("where k = d1\n", "where k = d2\n")], "does not take the parameters"),
        ("g12o/edwards/maps/shortw", [(" + s^2 + s\n", " + s^2\n")], "not on the target curve"),
        ("g12o/shortw/maps/edwards", [("assume r^2 == a6", "assume r^2 == a6 + 1")], "not on the target"),
        ("g12o/shortw/maps/edwards", [("+ s*x + r +", "+ s*x +")], "not on the target curve"),
        ("g12o/shortw/maps/edwards", [("where s = s", "where s = s + k")], "leads to another curve"),
        ("g12o/shortw/maps/hessian", [("assume k^3*t == 1", "assume k^3*t == s")], "not on the target curve"),
        ("g12o/shortw/maps/hessian", [("x = k*(y + s*x", "x = k*(y + (s + 1)*x")], "not on the target curve"),
        ("g12o/hessian/maps/shortw", [("where t = 1/d^3", "where t = d^3")], "does not take the parameters"),
        ("g12o/hessian/maps/shortw", [("(s + 1)*(x + y)", "(s + 1)*x")], "not on the target curve"),
        ("g12o/shortw/maps/shortw", [("y + (s + 1)*x", "y + s*x")], "not multiplication by 1"),
        ("g12o/shortw/maps/shortw", [("where s = s", "where s = 1")], "leads to another curve"),
        ("g12o/shortw/maps/shortw", [("image x = x", "image x = x + 1")], "not on the target curve"),
    ],
)
def test_a_wrong_map_is_refused(
    database: Database, name: str, edits: list[tuple[str, str]], reason: str
) -> None:
    with pytest.raises(Refuted, match=reason):
        prove_map(edited(database, name, *edits))


def test_a_translation_of_the_group_is_refused(database: Database) -> None:
    """RFC 7748 prints the birational map of curve448: u = (y - 1)/(y + 1) takes (0, 1) to (0, 0)."""
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


def small_maps(between: Map, field: Ground, values: Iterable[int]) -> Iterator[CurveMap]:
    """Yield a map on every curve over a small field that it has, for some values of what is chosen."""
    names, values = (*between.model.parameters, *between.parameters), [*values]
    for found in solutions(between.assumptions, {}, names, field, lambda _: values):
        if not is_singular(between.model, field, found):
            with suppress(ZeroDivisionError):
                yield CurveMap(between, field, found)


def small_map(between: Map) -> CurveMap:
    """Return a map on a curve over a small field that has one, whose every chosen parameter is not 1."""
    field, order = (SMALL_BINARY[2], 32) if between.model.binary else (PrimeField(SMALL), SMALL)
    return next(small_maps(between, field, range(2, order)))


@pytest.mark.parametrize("name", MAPS)
def test_all_sums_of_a_small_curve_are_kept(database: Database, name: str) -> None:
    way = small_map(database.map(name))
    assert kept_sums(way) > len(list(way.source.all_points()))


@pytest.mark.slow
@pytest.mark.parametrize("name", BINARY_MAPS)
@pytest.mark.parametrize("field", SMALL_BINARY, ids=str)
def test_all_sums_are_kept_for_all_parameters_over_a_small_binary_field(
    database: Database, name: str, field: BinaryField, rng: Random, few: Few
) -> None:
    """All over GF(8), a few of those over larger fields."""
    ways = list(small_maps(database.map(name), field, range(field.order)))
    if field.order > 8:
        ways = few(rng, ways, min(100, len(ways)))
    # A curve over GF(8) has 9 points on average, the identity included.
    assert sum(map(kept_sums, ways)) > 8 * 8 * len(ways)


def kept_sums(way: CurveMap) -> int:
    """Require that images of all sums of two points are the sums of images; return their number."""
    points = list(way.source.all_points())
    images: dict[Point, Point] = {way.source.neutral: way.target.neutral}
    for point in points:
        try:
            images[point] = way.image(point)
        except Undefined:
            continue
        assert images[point] == INFINITY or way.target.on_curve(images[point]), (way.parameters, point)
    held = 0
    for left, image_of_left in images.items():
        for right, image_of_right in images.items():
            try:
                total, expected = way.source.add(left, right), way.target.add(image_of_left, image_of_right)
            except Undefined:
                continue
            if total in images:
                assert images[total] == expected, (way.parameters, left, right)
                held += 1
    orders = [
        weierstrass_curve(curve.model, way.field, curve.parameters).count_points()
        for curve in (way.source, way.target)
    ]
    assert orders[0] == orders[1]
    return held


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
    way = CurveMap(database.map("g1p/montgom/maps/shortw"), curve.field, {**curve.parameters, "s": 1})
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
    way = CurveMap(database.map("g1p/edwards/maps/twisted"), curve.field, parameters)
    assert way.target_parameters == {"a": 1, "d": 160102}
    point = generator(curve, ("x", "y"))
    assert way.image(point) == point
    assert curve.order is not None
    assert way.target.multiple(curve.order, point) == way.target.neutral


def test_the_binary_edwards_curve_has_the_published_weierstrass_form_and_order(database: Database) -> None:
    """With d1 = d2: v² + uv = u³ + (d1² + d1)u² + d1⁸."""
    curve = checked_curve("BBE251")
    field, d = curve.field, curve.parameters["d1"]
    assert field.is_binary
    way = CurveMap(database.map("g12o/edwards/maps/shortw"), field, {**curve.parameters, "s": 1})
    assert way.target_parameters == {"a2": field.square(d) ^ d, "a6": field.power(d, 8)}
    point = way.image(generator(curve, ("x", "y")))
    assert way.target.on_curve(point)
    assert curve.order is not None
    assert way.target.multiple(curve.order, point) == INFINITY
    assert way.target.multiple(curve.order - 1, point) == (point[0], point[0] ^ point[1])


@pytest.mark.parametrize(("name", "back"), [("BBE251", "edwards"), ("Hessian233", "hessian")])
def test_a_binary_curve_is_found_again_from_its_weierstrass_form(
    database: Database, tmp_path: Path, name: str, back: str
) -> None:
    start, end = checked_curve(name), checked_curve(in_weierstrass_form(database, name, tmp_path))
    there = map_between(database.map(f"g12o/{back}/maps/shortw"), start, end)
    again = map_between(database.map(f"g12o/shortw/maps/{back}"), end, start)
    assert there is not None
    assert again is not None
    assert there.parameters["s"] == again.parameters["s"] == 2
    assert again.image(there.image(generator(start, ("x", "y")))) == generator(start, ("x", "y"))
    assert len(list(maps_between(database.map(f"g12o/shortw/maps/{back}"), end, start))) == 2


def test_a_parameter_that_is_not_determined_is_the_least_that_leads_to_a_curve(database: Database) -> None:
    """An Edwards form with d1 = k exists where Tr(a2 + k + r/k²) = 0, and r² = a6."""
    curve = checked_curve("sect571r1")
    field = curve.field
    assert field.is_binary
    root = field.square_root(curve.parameters["a6"])
    formula = database.formula("g12o/shortw/affine/conversion/to-edwards-xy")
    traces = [
        field.trace(curve.parameters["a2"] ^ k ^ field.mul(root, field.inv(field.square(k))))
        for k in range(1, 64)
    ]
    assert traces[0] == 1
    assert instantiate(formula, field, curve.parameters)["k"] == traces.index(0) + 1


def test_a_map_with_a_missing_inverse_or_target_names_it(database: Database) -> None:
    between = replace(database.map("g1p/twisted/maps/montgom"), undo=None)
    with pytest.raises(Refuted, match="the map g1p/twisted/maps/montgom has no inverse"):
        prove_map(between)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("g1p/twisted/maps/montgom", ("1 - y = 0", "x = 0")),
        ("g1p/montgom/maps/twisted", ("y = 0", "x + 1 = 0")),
        ("g1p/shortw/maps/twisted", ("y = 0", "s*(x - r) + 1 = 0")),
        ("g1p/edwards/maps/isogenous-montgom", ("x = 0",)),
        ("g1p/shortw/maps/montgom", ()),
        ("g1p/edwards/maps/twisted", ()),
        ("g12o/edwards/maps/shortw", ("x*y + d1*(x + y) = 0",)),
        ("g12o/shortw/maps/edwards", ("x^2 + k*x + r = 0",)),
        ("g12o/shortw/maps/hessian", ("x + t + 1 = 0",)),
        ("g12o/shortw/maps/shortw", ()),
    ],
)
def test_where_a_map_is_not_defined_is_read_from_its_denominators(
    database: Database, name: str, expected: tuple[str, ...]
) -> None:
    assert undefined_inputs(database.map(name)) == expected


@pytest.mark.parametrize("name", MAPS)
def test_a_map_divides_by_zero_where_it_says_so_and_nowhere_else(database: Database, name: str) -> None:
    way = small_map(database.map(name))
    equations = [parse_equation(text.replace("=", "==")) for text in undefined_inputs(way.map)]
    for point in way.source.all_points():
        names = {**way.parameters, **dict(zip(way.map.model.coordinates, point, strict=True))}
        defined = True
        try:
            way.image(point)
        except Undefined:
            defined = False
        said = any(holds(equation, names, way.field) for equation in equations)
        assert said is not defined or point == way.source.neutral, (name, point)


@pytest.mark.drawn(2)
@pytest.mark.parametrize(("source", "system", "target", "way", "outputs"), CONVERSIONS)
@pytest.mark.usefixtures("cc", "cargo")
def test_kernels_for_published_curves_lead_where_the_map_does(
    database: Database,
    tmp_path: Path,
    source: str,
    system: str,
    target: str | None,
    way: str,
    outputs: tuple[str, ...],
) -> None:
    start, end = (
        in_weierstrass_form(database, name.split()[0], tmp_path) if name and " " in name else name
        for name in (source, target)
    )
    assert start is not None
    names = tuple(f"conversion/to-{way}-{output}" for output in outputs)
    request = Request("c", start, system, names, end)
    (suite, results), *_ = run_suites([curve_subject(database, request, LANGUAGES)], seed=1)
    assert len(suite.functions) == len(outputs)
    assert {result.language for result in results} == set(LANGUAGES)
    assert all(result.ok for result in results), [result.failures for result in results]


def test_an_emitted_kernel_takes_the_generator_to_the_generator(database: Database) -> None:
    request = Request("python", "edwards25519", None, ("extended/conversion/to-montgom-affine",), "X25519")
    text = render(make_bundle(database, request, Prover()), request)["edwards25519.py"]
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
        ("P-256", "shortw/jacobian/conversion/to-montgom-xz", None, r"has no solution in GF\(p\)"),
        ("P-256", None, "P-256", "--to is for conversions between models"),
        (
            "sect233k1",
            "shortw/affine/conversion/to-hessian-standard",
            None,
            r"has no solution in GF\(2\^233\)",
        ),
        ("BBE251", "edwards/xy/conversion/to-shortw-affine", "sect233k1", "does not lead to sect233k1"),
        ("sect233k1", "shortw/affine/conversion/to-edwards-xy", "BBE251", "does not lead to BBE251"),
        ("sect233k1", "shortw/affine/conversion/to-shortw-affine", "sect233r1", "does not lead to sect233r1"),
    ],
)
def test_what_leads_nowhere_is_an_error(
    database: Database, curve: str, formula: str | None, target: str | None, reason: str
) -> None:
    request = Request("c", curve, None, (formula,) if formula else (), target)
    with pytest.raises(EfdgenError, match=reason):
        make_bundle(database, request, Prover())


def test_single_edits_of_conversions_between_models_are_refused(database: Database) -> None:
    """Each step of every fourth formula has the operator at its top turned over."""
    ids = [name for name in database.select(["conversion"]) if database.formula(name).map]
    assert len(ids) > 90
    refused = 0
    for name in ids[::4]:
        formula = database.formula(name)
        for number, assignment in enumerate(formula.assignments):
            for value in turned(assignment.value, formula.system.model.binary):
                wrong = replace(assignment, value=value)
                steps = (*formula.assignments[:number], wrong, *formula.assignments[number + 1 :])
                edited_formula = replace(formula, assignments=steps)
                with pytest.raises(Refuted):
                    prove_law(edited_formula, lower(edited_formula))
                refused += 1
    assert refused > 60


def turned(value: Expression, binary: bool) -> Iterator[Expression]:
    """Yield an expression with one sign or factor turned over, at the top of it; a term, where 1 = -1."""
    match value:
        case Binary("+" | "-", left, _) if binary:
            yield left
        case Binary("+", left, right):
            yield replace(value, operator="-")
        case Binary("-", left, right):
            yield replace(value, operator="+")
        case Binary("*", left, right):
            yield left
            yield Binary("*", left, Group(Binary("+", right, Number(1))))

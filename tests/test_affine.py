"""The affine group against chord and tangent on Weierstrass curves, exhaustively, and published vectors."""

import hashlib
import itertools
import random
from collections.abc import Callable
from dataclasses import replace

import pytest

from efdgen.generator.curves.affine import INFINITY, AffineCurve, Point, Undefined
from efdgen.generator.curves.load import load_curve
from efdgen.generator.curves.weierstrass import is_singular, weierstrass_curve
from efdgen.generator.formulas.database import Database
from efdgen.generator.formulas.formula import Model
from efdgen.generator.language.syntax import Binary, Name, Number
from efdgen.generator.mathematics.prime import PrimeField
from efdgen.generator.programs.interpreter import evaluate

MODELS = [
    *("shortw", "montgom", "edwards", "twisted", "hessian"),
    *("twistedhessian", "jintersect", "jquartic", "2dik", "3dik"),
]


def some_curve(model: Model, prime: int, rng: random.Random) -> AffineCurve:
    while True:
        parameters = {name: rng.randrange(prime) for name in model.parameters}
        if not is_singular(model, PrimeField(prime), parameters):
            print(model.id, prime, parameters)
            return AffineCurve(model, PrimeField(prime), parameters)


class ChordAndTangent:
    """The group of a0·v² + a1·uv + a3·v = u³ + a2·u² + a4·u + a6 by lines, points as pairs or INFINITY."""

    def __init__(self, curve: AffineCurve) -> None:
        self.curve, self.p = curve, curve.prime
        self.field = PrimeField(curve.prime)
        a = curve.model.weierstrass
        self.a = {name: evaluate(a[name], self.field, curve.parameters) for name in a}

    def image(self, point: Point) -> Point:
        """Return where the model's map takes a point; raise ZeroDivisionError where it is not defined."""
        if point == self.curve.neutral:
            return INFINITY
        names = self.curve.parameters | dict(zip(self.curve.model.coordinates, point, strict=True))
        return tuple(evaluate(e, self.field, names) for e in self.curve.model.to_weierstrass.values())

    def on_curve(self, point: Point) -> bool:
        if point == INFINITY:
            return True
        (u, v), a = point, self.a
        left = a["a0"] * v * v + a["a1"] * u * v + a["a3"] * v
        return (left - (u**3 + a["a2"] * u * u + a["a4"] * u + a["a6"])) % self.p == 0

    def add(self, left: Point, right: Point) -> Point:
        if INFINITY in (left, right):
            return left or right
        (u1, v1), (u2, v2), a, p = left, right, self.a, self.p
        if u1 != u2:
            rise, run = v2 - v1, u2 - u1
        elif (a["a0"] * (v1 + v2) + a["a1"] * u1 + a["a3"]) % p == 0:
            return INFINITY
        else:
            rise = 3 * u1 * u1 + 2 * a["a2"] * u1 + a["a4"] - a["a1"] * v1
            run = 2 * a["a0"] * v1 + a["a1"] * u1 + a["a3"]
        slope = rise * pow(run, -1, p)
        u3 = (a["a0"] * slope * slope + a["a1"] * slope - a["a2"] - u1 - u2) % p
        other = v1 + slope * (u3 - u1)
        return u3, (-other - (a["a1"] * u3 + a["a3"]) * pow(a["a0"], -1, p)) % p


def check_against_chord_and_tangent(curve: AffineCurve) -> int:
    """Hold every sum of two points that is defined against its image; return how many were compared."""
    weierstrass = ChordAndTangent(curve)
    images = {}
    for point in {curve.neutral, *curve.all_points()}:
        try:
            images[point] = weierstrass.image(point)
        except ZeroDivisionError:
            continue
        assert weierstrass.on_curve(images[point])
    compared = 0
    for left, right in itertools.product(images, repeat=2):
        try:
            total = curve.add(left, right)
        except Undefined:
            continue
        assert curve.on_curve(total), (left, right)
        if total in images:
            assert images[total] == weierstrass.add(images[left], images[right]), (left, right)
            compared += 1
    return compared


@pytest.mark.parametrize("prime", [13, 19, 23])
@pytest.mark.parametrize("name", MODELS)
def test_sums_against_chord_and_tangent(
    database: Database, rng: random.Random, name: str, prime: int
) -> None:
    curve = some_curve(database.model(f"g1p/{name}"), prime, rng)
    assert check_against_chord_and_tangent(curve) > 0


@pytest.mark.parametrize("name", MODELS)
def test_a_wrong_law_is_refused(database: Database, name: str) -> None:
    model = database.model(f"g1p/{name}")
    last = model.coordinates[-1]
    wrong = replace(model, addition={**model.addition, last: Binary("*", Number(2), model.addition[last])})
    curve = AffineCurve(wrong, PrimeField(19), dict(zip(model.parameters, (3, 5), strict=False)))
    assert not is_singular(model, PrimeField(19), curve.parameters)
    with pytest.raises(AssertionError):
        check_against_chord_and_tangent(curve)


@pytest.mark.parametrize("prime", [13, 17])
@pytest.mark.parametrize("name", MODELS)
def test_the_points_are_a_group(database: Database, rng: random.Random, name: str, prime: int) -> None:
    curve = some_curve(database.model(f"g1p/{name}"), prime, rng)
    points = sorted({curve.neutral, *curve.all_points()})
    sums: dict[tuple[Point, Point], Point] = {}
    for left, right in itertools.product(points, repeat=2):
        try:
            sums[left, right] = curve.add(left, right)
        except Undefined:
            continue
    assert set(sums.values()) <= set(points)
    for (left, right), total in sums.items():
        # The law of twisted Hessian curves is not symmetric in what it leaves undefined.
        assert sums.get((right, left), total) == total
        for third in points:
            if (right, third) in sums and (total, third) in sums and (left, sums[right, third]) in sums:
                assert sums[total, third] == sums[left, sums[right, third]]
    for point in points:
        assert sums[point, curve.neutral] == point
        try:
            opposite = curve.negate(point)
        except Undefined:
            assert (name, point[-1]) == ("twistedhessian", 0)  # then it is at infinity
        else:
            assert curve.add(point, opposite) == curve.neutral


@pytest.mark.parametrize("prime", [13, 29])
@pytest.mark.parametrize("name", MODELS)
def test_every_order_divides_the_number_of_points(
    database: Database, rng: random.Random, name: str, prime: int
) -> None:
    curve = some_curve(database.model(f"g1p/{name}"), prime, rng)
    count = weierstrass_curve(curve.model, PrimeField(prime), curve.parameters).count_points()
    reached = 0
    for point in curve.all_points():
        multiples = [curve.neutral]
        try:
            while len(multiples) <= count:
                multiples.append(curve.add(multiples[-1], point))
            products = [curve.multiple(k, point) for k in (0, 1, 5, count - 1, count, -1)]
        except Undefined:
            continue
        assert multiples[count] == curve.neutral
        assert products == [multiples[k] for k in (0, 1, 5, count - 1, count, count - 1)]
        reached += 1
    assert reached > 0


@pytest.mark.parametrize("prime", [5, 13])
@pytest.mark.parametrize("name", MODELS)
def test_all_points_against_exhaustive_search(
    database: Database, rng: random.Random, name: str, prime: int
) -> None:
    curve = some_curve(database.model(f"g1p/{name}"), prime, rng)
    names = curve.model.coordinates
    field = PrimeField(prime)
    found = {
        point
        for point in itertools.product(range(prime), repeat=len(names))
        if all(
            evaluate(e.left, field, curve.parameters | dict(zip(names, point, strict=True)))
            == evaluate(e.right, field, curve.parameters | dict(zip(names, point, strict=True)))
            for e in curve.model.equations
        )
    }
    listed = list(curve.all_points())
    assert len(listed) == len(set(listed))
    assert set(listed) == found
    assert all(curve.on_curve(point) for point in listed)
    off = next(p for p in itertools.product(range(prime), repeat=len(names)) if p not in found)
    assert not curve.on_curve(off)


@pytest.mark.parametrize("name", MODELS)
def test_random_points_are_on_the_curve(database: Database, rng: random.Random, name: str) -> None:
    curve = some_curve(database.model(f"g1p/{name}"), 2**255 - 19, rng)
    points = {curve.random_point(rng) for _ in range(3)}
    assert len(points) == 3
    assert all(curve.on_curve(point) for point in points)


def test_incomplete_laws_say_so(database: Database) -> None:
    # d = 9 is a square, so that d·x1·x2·y1·y2 can be 1 or -1.
    curve = AffineCurve(database.model("g1p/twisted"), PrimeField(13), {"a": 2, "d": 9})
    undefined = []
    for left, right in itertools.product(curve.all_points(), repeat=2):
        product = 9 * left[0] * left[1] * right[0] * right[1] % 13
        try:
            curve.add(left, right)
        except Undefined:
            undefined.append((left, right))
            assert product in (1, 12)
    assert undefined


def test_infinity_and_affine_neutral_elements(database: Database) -> None:
    weierstrass = AffineCurve(database.model("g1p/shortw"), PrimeField(13), {"a": 2, "b": 9})
    assert weierstrass.on_curve(INFINITY)
    assert weierstrass.negate(INFINITY) == INFINITY == weierstrass.double(INFINITY)
    edwards = AffineCurve(database.model("g1p/edwards"), PrimeField(13), {"c": 1, "d": 2})
    assert edwards.neutral == (0, 1)
    assert not edwards.on_curve(INFINITY)
    twisted_hessian = AffineCurve(database.model("g1p/twistedhessian"), PrimeField(13), {"a": 2, "d": 9})
    assert twisted_hessian.neutral == (0, 12)
    assert twisted_hessian.on_curve((0, 12))


def test_group_expressions_of_kinds(database: Database) -> None:
    curve = AffineCurve(database.model("g1p/shortw"), PrimeField(13), {"a": 2, "b": 9})
    first, second = list(curve.all_points())[2:7:4]
    law = database.kind("ladder").outputs[0].law
    assert curve.evaluate(law, {2: first}) == curve.double(first)
    law = database.kind("diffadd").given[0].right
    assert curve.evaluate(law, {3: second, 2: first}) == curve.add(second, curve.negate(first))
    law = database.kind("tripling").outputs[0].law
    assert curve.evaluate(law, {1: first}) == curve.add(curve.add(first, first), first)
    with pytest.raises(ValueError, match="not a group expression"):
        curve.evaluate(Binary("*", Name("P1"), Name("P2")), {1: first, 2: second})


def curve_and_generator(name: str) -> tuple[AffineCurve, Point]:
    curve = load_curve(name)
    model = Database().model(curve.model)
    assert curve.generator is not None
    generator = tuple(curve.generator[coordinate] for coordinate in model.coordinates)
    return AffineCurve(model, curve.field, curve.parameters), generator


@pytest.mark.parametrize(
    ("name", "x", "y"),
    [
        (
            "secp256k1",
            0xC6047F9441ED7D6D3045406E95C07CD85C778E4B8CEF3CA7ABAC09B95C709EE5,
            0x1AE168FEA63DC339A3C58419466CEAEEF7F632653266D0E1236431A950CFE52A,
        ),
        (
            "P-256",
            0x7CF27B188D034F7E8A52380304B51AC3C08969E277F21B35A60B48FC47669978,
            0x07775510DB8ED040293D9AC69F7430DBBA7DADE63CE982299E04B79D227873D1,
        ),
    ],
)
def test_published_doubles_of_generators(name: str, x: int, y: int) -> None:
    group, generator = curve_and_generator(name)
    assert group.double(generator) == (x, y) == group.multiple(2, generator)


def clamped_25519(secret: bytes) -> int:
    return int.from_bytes(secret[:32], "little") & ((1 << 254) - 8) | 1 << 254


def clamped_448(secret: bytes) -> int:
    return int.from_bytes(secret[:56], "little") & ((1 << 447) - 4) | 1 << 447


# RFC 7748, section 6.1 and 6.2: Alice's keys.
@pytest.mark.parametrize(
    ("name", "clamp", "secret", "public"),
    [
        (
            "X25519",
            clamped_25519,
            "77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a",
            "8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a",
        ),
        (
            "X448",
            clamped_448,
            "9a8f4925d1519f5775cf46b04b5800d4ee9ee8bae8bc5565d498c28dd9c9baf5"
            "74a9419744897391006382a6f127ab1d9ac2d8c0a598726b",
            "9b08f7cc31b7e3e67d22d5aea121074a273bd2b83de09c63faa73d2c22c5d9bb"
            "c836647241d953d40c5b12da88120d53177f80e532c41fa0",
        ),
    ],
)
def test_published_diffie_hellman_keys(
    name: str, clamp: Callable[[bytes], int], secret: str, public: str
) -> None:
    group, generator = curve_and_generator(name)
    u, _ = group.multiple(clamp(bytes.fromhex(secret)), generator)
    assert u.to_bytes(len(public) // 2, "little").hex() == public


def ed25519_scalar(secret: bytes) -> int:
    return clamped_25519(hashlib.sha512(secret).digest())


def ed448_scalar(secret: bytes) -> int:
    return clamped_448(hashlib.shake_256(secret).digest(114))


# RFC 8032, sections 7.1 and 7.4: the keys of the first tests.
@pytest.mark.parametrize(
    ("name", "scalar", "secret", "public"),
    [
        (
            "edwards25519",
            ed25519_scalar,
            "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
            "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        ),
        (
            "edwards448",
            ed448_scalar,
            "6c82a562cb808d10d632be89c8513ebf6c929f34ddfa8c9f63c9960ef6e348a3"
            "528c8a3fcc2f044e39a3fc5b94492f8f032e7549a20098f95b",
            "5fd7449b59b461fd2ce787ec616ad46a1da1342485a70e1f8a0ea75d80e96778"
            "edf124769b46c7061bd6783df1e50f6cd1fa1abeafe8256180",
        ),
    ],
)
def test_published_signature_keys(
    name: str, scalar: Callable[[bytes], int], secret: str, public: str
) -> None:
    group, generator = curve_and_generator(name)
    x, y = group.multiple(scalar(bytes.fromhex(secret)), generator)
    encoded = int.from_bytes(bytes.fromhex(public), "little")
    sign = 8 * (len(public) // 2) - 1
    assert (y, x % 2) == (encoded & ((1 << sign) - 1), encoded >> sign)

"""Representatives of affine points in every coordinate system, tiny fields exhaustively."""

import random
import re

import pytest

from efdgen.generator.curves.affine import INFINITY, AffineCurve
from efdgen.generator.curves.instantiate import NotApplicable, find_curve, suitable_prime
from efdgen.generator.curves.represent import NotRepresentable, means, represent
from efdgen.generator.formulas.database import Database
from efdgen.generator.language.printer import print_equation
from efdgen.generator.mathematics.prime import PrimeField

# What coordinates are divided by in x and y, such as y and y*(x + 1).
DIVISOR = r"/(\(?[xy](?:[-+* xy\d()]*[xy\d)])?)(?= |$)"
SYSTEMS = sorted({name.rsplit("/", 2)[0] for name in Database().ids if name.startswith("g1p/")})


def curve_in(
    database: Database, system: str, prime: int, rng: random.Random
) -> tuple[AffineCurve, dict[str, int]]:
    formula = database.formula(next(name for name in database.ids if name.startswith(f"{system}/")))
    values = find_curve(formula, PrimeField(prime), rng)
    return AffineCurve(formula.system.model, PrimeField(prime), values), values


@pytest.mark.parametrize("system_id", SYSTEMS)
def test_tiny_points_in_every_system(database: Database, rng: random.Random, system_id: str) -> None:
    system, prime = database.system(system_id), 13
    curve, values = curve_in(database, system_id, prime, rng)
    points = list(curve.all_points())
    unrepresentable = 0
    for point in points:
        try:
            coordinates = represent(system, PrimeField(prime), values, point, rng)
        except NotRepresentable:
            unrepresentable += 1
            x, y = point
            divisors = [d for m in system.meanings for d in re.findall(DIVISOR, print_equation(m))]
            assert "inverted" in system_id or any(eval(d, {"x": x, "y": y}) % prime == 0 for d in divisors)
            assert "inverted" not in system_id or 0 in point
            continue
        assert list(coordinates) == list(system.variables)
        meant = [other for other in points if means(system, PrimeField(prime), values, coordinates, other)]
        assert point in meant
        # Coordinates without x or y stand for a point and its negative, y^2 for two more.
        assert len(meant) <= 1 or not {"X", "Y"} <= set(system.variables), (coordinates, meant)
    assert unrepresentable < len(points)


@pytest.mark.parametrize("system_id", SYSTEMS)
def test_large_points_in_every_system(database: Database, rng: random.Random, system_id: str) -> None:
    system, prime = database.system(system_id), suitable_prime(256)
    curve, values = curve_in(database, system_id, prime, rng)
    point, other = curve.random_point(rng), curve.random_point(rng)
    first, second = (represent(system, PrimeField(prime), values, point, rng) for _ in range(2))
    determined = len(system.meanings) == len(system.variables)
    assert (first == second) is determined
    for coordinates in (first, second):
        assert means(system, PrimeField(prime), values, coordinates, point)
        assert not means(system, PrimeField(prime), values, coordinates, other)
        for variable in system.variables:
            changed = {**coordinates, variable: (coordinates[variable] + 1) % prime}
            assert not means(system, PrimeField(prime), values, changed, point)


@pytest.mark.parametrize(
    ("system_id", "fixed"),
    [
        ("g1p/shortw/jacobian", {"Z": 1}),
        ("g1p/shortw/jacobian", {"Z": 5}),
        ("g1p/shortw/xyzz", {"ZZ": 1, "ZZZ": 1}),
        ("g1p/shortw/xyzz", {"ZZ": 4}),
        ("g1p/hessian/standard", {"X": 1}),
        ("g1p/jintersect/extended", {"S": 1}),
        ("g1p/twisted/inverted", {"Z": 1}),
        ("g1p/edwards/yzsquared", {"Z": 1}),
        ("g1p/jquartic/xxyzzr", {"Z": 1}),
    ],
)
def test_fixed_variables(
    database: Database, rng: random.Random, system_id: str, fixed: dict[str, int]
) -> None:
    system, prime = database.system(system_id), 2**255 - 19
    curve, values = curve_in(database, system_id, prime, rng)
    point = curve.random_point(rng)
    coordinates = represent(system, PrimeField(prime), values, point, rng, fixed)
    assert fixed.items() <= coordinates.items()
    assert means(system, PrimeField(prime), values, coordinates, point)


def test_known_representatives(database: Database, rng: random.Random) -> None:
    # 11·2^2 = 44 and 7·2^3 = 56 modulo 101.
    system, parameters = database.system("g1p/shortw/modified"), {"a": 3, "b": 0}
    expected = {"X": 44, "Y": 56, "Z": 2, "T": 48}
    assert represent(system, PrimeField(101), parameters, (11, 7), rng, {"Z": 2}) == expected
    assert means(system, PrimeField(101), parameters, expected, (11, 7))
    assert not means(system, PrimeField(101), parameters, expected, (11, 94))
    assert not means(system, PrimeField(101), parameters, {**expected, "T": 49}, (11, 7))
    assert not means(system, PrimeField(101), parameters, {"X": 0, "Y": 0, "Z": 0, "T": 0}, (11, 7))


def test_points_without_a_representative(database: Database, rng: random.Random) -> None:
    inverted = database.system("g1p/twisted/inverted")
    for point in [(0, 1), (0, 12)]:
        with pytest.raises(NotRepresentable, match="inverted"):
            represent(inverted, PrimeField(13), {"a": 1, "d": 2}, point, rng)
    jacobian = database.system("g1p/shortw/jacobian")
    with pytest.raises(NotRepresentable, match="infinity"):
        represent(jacobian, PrimeField(13), {"a": 2, "b": 9}, INFINITY, rng)
    assert not means(jacobian, PrimeField(13), {"a": 2, "b": 9}, {"X": 1, "Y": 1, "Z": 0}, INFINITY)
    xyzz = database.system("g1p/shortw/xyzz")
    with pytest.raises(NotRepresentable, match="ZZ"):
        represent(xyzz, PrimeField(13), {"a": 2, "b": 9}, (0, 3), rng, {"ZZ": 2})  # 2 is not a square


def test_free_variables_are_random_and_not_zero(database: Database, rng: random.Random) -> None:
    system = database.system("g1p/shortw/projective")
    drawn = {represent(system, PrimeField(13), {"a": 2, "b": 9}, (0, 3), rng)["Z"] for _ in range(200)}
    assert drawn == set(range(1, 13))


def test_found_curves_exist_over_every_tiny_prime(database: Database, rng: random.Random) -> None:
    for system_id in SYSTEMS:
        for prime in (13, 37, 61):
            try:
                curve_in(database, system_id, prime, rng)
            except NotApplicable as error:
                pytest.fail(str(error))

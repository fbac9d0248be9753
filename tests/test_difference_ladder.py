"""The ladder in differences of x: multiples of points of small curves, wrong texts, limits of its inputs."""

from random import Random

import pytest

from efdgen.generator.curves.affine import AffineCurve
from efdgen.generator.formulas.cost import count
from efdgen.generator.formulas.database import Database
from efdgen.generator.formulas.reader import read_formula
from efdgen.generator.language.parser import parse_document
from efdgen.generator.mathematics.prime import PrimeField
from efdgen.generator.programs.interpreter import run
from efdgen.generator.programs.lower import lower
from efdgen.verify.exceptions.limits import joint_limits
from efdgen.verify.laws.law import prove_law
from efdgen.verify.laws.terms import value_of
from efdgen.verify.verdicts import Refuted

JACOBIAN = "g1p/shortw/jacobian"
START, STEP, FINISH = (
    f"{JACOBIAN}/difference-ladder{name}" for name in ("-start/start", "/ladd-2020-h", "-finish/finish")
)


def test_costs(database: Database) -> None:
    """A step is 8M + 3S + 7A in the paper; here a doubling by an addition counts as one."""
    costs = {name: count(lower(database.formula(name))) for name in (START, STEP, FINISH)}
    assert {name: (cost.multiplications, cost.squarings) for name, cost in costs.items()} == {
        START: (1, 4),
        STEP: (8, 3),
        FINISH: (6, 1),
    }


def multiplied(
    database: Database, curve: AffineCurve, n: int, point: tuple[int, ...]
) -> tuple[int, int, int]:
    """Return n·P in projective coordinates, for n of two bits or more.

    A state of P, Q, R = P + Q is one of -P, R, Q if Q and R are swapped, and y and the slope negated.
    """
    field, prime = curve.field, curve.field.order
    programs = {name: lower(database.formula(name)) for name in (START, STEP, FINISH)}
    constants = dict(curve.parameters)
    begun = run(programs[START], field, constants | dict(zip(("X1", "Y1"), point, strict=True)))
    names = ("Q", "R", "YP", "M")
    q, r, y, m = (begun[f"{name}3"] for name in names)
    swapped = False
    for bit in f"{n:b}"[1:]:
        # The step gives Q + R and 2R, where R has to be the greater multiple for a bit 1, the lesser for 0.
        if swapped == (bit == "1"):
            q, r, y, m, swapped = r, q, -y % prime, -m % prime, not swapped
        found = run(programs[STEP], field, constants | {"Q1": q, "R1": r, "YP1": y, "M1": m})
        q, r, y, m = (found[f"{name}4"] for name in names)
    if swapped:
        q, r, y, m = r, q, -y % prime, -m % prime
    ends = {"Q1": q, "R1": r, "YP1": y, "M1": m, "XA1": point[0], "YA1": point[1]}
    last = run(programs[FINISH], field, constants | ends)
    return last["X4"], last["Y4"], last["Z4"]


@pytest.mark.parametrize("prime", [1009, 1013])
def test_multiples_are_those_of_the_affine_law(database: Database, rng: Random, prime: int) -> None:
    field = PrimeField(prime)
    right = 0
    for _ in range(12):
        parameters = {"a": rng.randrange(prime), "b": rng.randrange(1, prime)}
        curve = AffineCurve(database.model("g1p/shortw"), field, parameters)
        point = rng.choice([p for p in curve.all_points() if p and p[0] and p[1]])
        for n in rng.sample(range(2, 40), 6):
            multiple = curve.multiple(n, point)
            x, y, z = multiplied(database, curve, n, point)
            if z:  # the guard
                inverse = pow(z, -1, prime)
                assert (x * inverse % prime, y * inverse % prime) == multiple, (parameters, point, n)
                right += 1
    assert right > 50


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        (STEP, "compute R4 = XR^2 + YF", "compute R4 = XR^2 - YF"),
        (STEP, "compute L = K + MF", "compute L = K - MF"),
        (START, "compute YP3 = W^2", "compute YP3 = 2*W^2"),
        (FINISH, "compute D = M1^2 - Q1 - R1", "compute D = M1^2 - Q1 + R1"),
    ],
)
def test_wrong_texts_are_refuted(database: Database, name: str, old: str, new: str) -> None:
    text = database.text(name)
    assert text.count(old) == 1
    wrong = read_formula(
        parse_document(text.replace(old, new)),
        name,
        lambda system: database.system(system if "/" in system else f"g1p/shortw/{system}"),
        database.kind(name.split("/")[3]),
        text.replace(old, new),
        "<text>",
    )
    with pytest.raises(Refuted):
        prove_law(wrong, lower(wrong))


def test_limits_of_points_that_share_z_are_those_of_the_group(database: Database, rng: Random) -> None:
    """Where Z is 0, X/Y of the second point is the difference of the others': limits of near points."""
    limits = joint_limits(database.formula(STEP))
    assert limits is not None
    assert limits.shared == "Z1"
    field = PrimeField(10007)

    def are(slopes: tuple[int, int, int]) -> bool:
        values = {"a": 3, "b": 5, "Z1": 0}
        for number, slope in enumerate(slopes, start=1):
            inverse = pow(slope, -1, 10007)
            values |= {f"X{number}": inverse**2 % 10007, f"Y{number}": inverse**3 % 10007}
        return all(value_of(relation, field, values) == 0 for relation in limits.relations)

    for _ in range(20):
        first, third = rng.sample(range(1, 10007), 2)
        assert are((first, (third - first) % 10007, third))
        assert not are((first, (third - first) % 10007 + 1, third))


def test_points_that_are_not_related_have_no_joint_limits(database: Database) -> None:
    assert joint_limits(database.formula(f"{JACOBIAN}/zaddu/zaddu-2007-m")) is None

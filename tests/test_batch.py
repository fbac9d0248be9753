"""Functions of any number of points: what they make of zeros, what they cost, and what is proved of them."""

import types
from collections import Counter
from collections.abc import Callable
from random import Random

import pytest

from efdgen.generator.compile import Request, make_bundle
from efdgen.generator.curves.affine import AffineCurve
from efdgen.generator.curves.load import load_curve
from efdgen.generator.errors import TextError
from efdgen.generator.files import render
from efdgen.generator.formulas.cost import cost_of
from efdgen.generator.formulas.database import Database
from efdgen.generator.formulas.reader import read_kind
from efdgen.generator.kernels.prover import Prover
from efdgen.generator.language.parser import parse_document
from efdgen.generator.programs.lower import lower
from efdgen.generator.reports.tables import cost_tables
from efdgen.generator.reports.weights import parse_weights
from efdgen.verify.certificate import certify
from efdgen.verify.laws import batch
from efdgen.verify.laws.algebra import RationalFunctions
from efdgen.verify.verdicts import Refuted

SCALING = "g1p/shortw/jacobian/scaling-batch/scale"
COUNTED: Counter[str] = Counter()


class Counting(int):
    """An integer that counts its products; a remainder is one too, and a square is a product of equals."""

    def __mul__(self, other: int) -> "Counting":
        COUNTED["S" if self is other else "M"] += 1
        return Counting(int(self) * int(other))

    __rmul__ = __mul__

    def __mod__(self, other: int) -> "Counting":
        return Counting(int(self) % int(other))

    def __pow__(self, exponent: int, prime: int | None = None) -> "Counting":
        COUNTED["I"] += 1
        return Counting(pow(int(self), exponent, prime))


@pytest.fixture(scope="module")
def module(database: Database) -> types.ModuleType:
    request = Request("python", "secp256k1", "jacobian", (SCALING,), prefix="kernels")
    text = render(make_bundle(database, request, Prover()), request)["kernels.py"]
    made = types.ModuleType("kernels")
    exec(compile(text, "kernels.py", "exec"), vars(made))
    return made


def test_each_system_that_is_scaled_by_an_inverse_has_a_batch(database: Database) -> None:
    single = {name for name in database.ids if "/scaling-given-z" in name}
    assert {name.replace("scaling-given-zzz", "scaling-batch-zzz") for name in single if "zzz" in name} | {
        name.replace("scaling-given-z", "scaling-batch") for name in single if "zzz" not in name
    } == {name for name in database.ids if "/scaling-batch" in name}
    assert len(single) > 20


@pytest.mark.parametrize("size", [0, 1, 2, 3, 7])
def test_a_zero_disturbs_no_other_point(
    module: types.ModuleType, database: Database, rng: Random, size
) -> None:
    curve = load_curve("secp256k1")
    affine, prime = AffineCurve(database.model("g1p/shortw"), curve.field, curve.parameters), curve.prime
    points = [affine.random_point(rng) for _ in range(size)]
    for mask in range(1 << size):
        given = []
        for index, (x, y) in enumerate(points):
            z = 0 if mask >> index & 1 else rng.randrange(1, prime)
            given.append(module.Point(x * z**2 % prime or 5, y * z**3 % prime or 7, z))
        found, every = module.normalize_batch(given)
        expected = [(0, 0) if mask >> index & 1 else point for index, point in enumerate(points)]
        assert [tuple(point) for point in found] == expected, mask
        assert every == (mask == 0)


@pytest.mark.parametrize("size", [1, 2, 5, 16])
def test_n_points_cost_one_inversion_and_three_products_each(module, rng: Random, size: int) -> None:
    coordinates = [[Counting(rng.randrange(1, module.P)) for _ in range(3)] for _ in range(size)]
    COUNTED.clear()
    module.normalize_batch([module.Point(*values) for values in coordinates])
    # Three of the products for the inverses are with 1; C and Rust leave them out by looking at the index.
    assert dict(COUNTED) == {"I": 1, "M": 3 * size + 3 * size, "S": size}


def test_costs_are_functions_of_n(database: Database) -> None:
    formula = database.formula(SCALING)
    assert str(cost_of(formula, lower(formula))) == "n(6M + 1S) + 1I - 3M"
    (table,) = cost_tables(database, [SCALING])
    (row,) = table.rows
    assert str(row.cost) == str(row.emitted) == "n(6M + 1S) + 1I - 3M"
    assert table.price(row.cost) == "6.8"
    assert parse_weights("").price(row.cost) * 5 == 34


def test_a_batch_is_proved(database: Database) -> None:
    formula = database.formula(SCALING)
    certificate = certify(formula, lower(formula))
    assert (certificate.verdict, certificate.remarks) == ("proved", ("the inverses by induction on n",))


def test_an_induction_whose_step_is_wrong_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    class Wrong(RationalFunctions):
        def impose(self, relations) -> None:
            super().impose([relation + 1 for relation in relations])

    monkeypatch.setattr(batch, "RationalFunctions", Wrong)
    with pytest.raises(Refuted):
        batch.prove_batch("n")


@pytest.mark.parametrize(
    "edit",
    [
        lambda text: text.replace("1/Z1", "Z1"),
        lambda text: text.replace("1/Z1", "2/Z1"),
        lambda text: text.replace("scalar I1 == 1/Z1\n", ""),
        lambda text: text + "input P2\n",
    ],
)
def test_a_length_wants_one_inverse(database: Database, edit: Callable[[str], str]) -> None:
    text = edit((database.layers.roots[0] / "kinds/scaling-batch").read_text(encoding="utf-8"))
    with pytest.raises(TextError, match="a length wants one input, one output, and one scalar"):
        read_kind(parse_document(text), "scaling-batch", text, "<text>")

"""Ladders over the co-Z kernels, against the affine law: all scalars of tiny curves, edges of large ones."""

import types
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import cycle, islice
from pathlib import Path
from random import Random
from typing import Any, get_type_hints

import pytest

from efdgen.generator.compile import Request, make_bundle
from efdgen.generator.curves.affine import AffineCurve
from efdgen.generator.curves.curve import Curve
from efdgen.generator.curves.load import load_curve
from efdgen.generator.errors import EfdgenError
from efdgen.generator.files import render
from efdgen.generator.formulas.database import Database
from efdgen.generator.kernels.prover import Prover
from efdgen.verify.vectors.data import hexadecimal
from efdgen.verify.vectors.drivers import build_driver
from efdgen.verify.vectors.ladders import LADDERS, Call, Kernels, multiple

VERBS = ("add_update", "add_conjugate", "double_add_update", "double_and_add")
KINDS = ("dblu", "tplu", "dblu-z", "tplu-z", "zaddu", "zaddc", "zdau", "zacau")
IMPLICIT = [name for name, ladder in LADDERS.items() if ladder.implicit]
FORMULAS = (*(f"jacobian/{kind}{form}" for kind in KINDS for form in ("", "-xy")), "jacobian/recovery-z")
X_KINDS = ("dblu", "dblu-z", "ladder-coz", "ladder-coz-carried", "recovery-coz")
X_FORMULAS = tuple(f"xz/{kind}" for kind in X_KINDS)
RECOVERING = [*IMPLICIT, "x-only", "x-only-carried"]

TINY = """name = "tiny"
model = "g1p/shortw"
prime = {prime}
order = {order}
cofactor = 1
parameters = {{ a = {a}, b = {b} }}
generator = {{ x = {x}, y = {y} }}
"""
MIDDLE = {"prime": 499, "order": 461, "a": 5, "b": 20}
SMALLEST = {"prime": 7, "order": 5, "a": 1, "b": 1}
SMALL = {"prime": 37, "order": 43, "a": 3, "b": 7}


def exceptional(ladder: str, order: int, scalar: int) -> bool:
    """Return whether a ladder by itself is wrong for a scalar in [1, n).

    Montgomery's R1 comes to the neutral element at n - 1. The scalar 1 has no bit after the first: there is
    nothing to recover Z from, nothing to triple. Joye's and the signed digits take an even k for k + 1.
    """
    return {
        "montgomery": scalar == order - 1,
        "montgomery-xy": scalar in (1, order - 1),
        "conjugate-montgomery": scalar == order - 1,
        "conjugate-montgomery-xy": scalar in (1, order - 1),
        "joye": scalar % 2 == 0,
        "signed-digit": scalar % 2 == 0 or scalar == 1,
        "signed-digit-xy": scalar % 2 == 0 or scalar == 1,
        "x-only": scalar == order - 1,
        "x-only-carried": scalar == order - 1,
    }[ladder]


KERNELS = (
    *(f"{verb}_update{form}_normalized" for verb in ("double", "triple") for form in ("", "_xy")),
    *(f"{verb}_update_given_z{form}_normalized" for verb in ("double", "triple") for form in ("", "_xy")),
    *(f"coz_{verb}{form}" for verb in VERBS for form in ("", "_xy")),
    "coz_recover_z_affine",
)
X_KERNELS = (
    "double_update_normalized",
    "double_update_given_z_normalized",
    "coz_ladder_step_mixed",
    "coz_ladder_step_carried",
    "coz_recover_y_affine_to_projective",
)


@dataclass
class Subject:
    """A curve, what it is loaded by, its emitted Python kernels and the affine law."""

    source: str
    curve: Curve
    affine: AffineCurve
    kernels: Kernels


def subject(database: Database, curve_name: str) -> Subject:
    curve = load_curve(curve_name)
    affine = AffineCurve(database.model("g1p/shortw"), curve.field, curve.parameters)
    call, x_call = (
        python_call(loaded(files(database, "python", curve_name, system))) for system in ("jacobian", "xz")
    )
    return Subject(
        curve_name, curve, affine, Kernels(call, curve.prime, x_call=x_call, a=curve.parameters["a"])
    )


def python_call(module: types.ModuleType) -> Call:
    """Return the calls of an emitted Python module."""

    @cache
    def function(name: str) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        called = getattr(module, name)
        hints = get_type_hints(called, vars(module))
        return called, tuple(hint for argument, hint in hints.items() if argument != "return")

    def call(name: str, numbers: tuple[int, ...]) -> tuple[int, ...]:
        called, types = function(name)
        given = iter(numbers)
        points = [made(*islice(given, len(made._fields))) for made in types]
        results = (found if isinstance(found, tuple) else (found,) for found in called(*points))
        return tuple(int(value) for result in results for value in result)

    return call


def loaded(texts: dict[str, str]) -> types.ModuleType:
    module = types.ModuleType("kernels")
    exec(compile(texts["kernels.py"], "kernels.py", "exec"), vars(module))
    return module


def files(
    database: Database, language: str, curve_name: str, system: str, lowering: str = "whole"
) -> dict[str, str]:
    formulas = FORMULAS if system == "jacobian" else X_FORMULAS
    request = Request(language, curve_name, system, formulas, prefix="kernels", lowering=lowering)
    return render(make_bundle(database, request, Prover()), request)


def tiny(database: Database, folder: Path, numbers: dict[str, int]) -> Subject:
    p, a, b = numbers["prime"], numbers["a"], numbers["b"]
    x, y = next((x, y) for x in range(1, p) for y in range(1, p) if (y * y - x**3 - a * x - b) % p == 0)
    path = folder / "tiny.toml"
    path.write_text(TINY.format(**numbers, x=x, y=y))
    return subject(database, str(path))


@pytest.fixture(scope="module")
def middle(database: Database, tmp_path_factory: pytest.TempPathFactory) -> Subject:
    return tiny(database, tmp_path_factory.mktemp("middle"), MIDDLE)


@pytest.fixture(scope="module")
def small(database: Database, tmp_path_factory: pytest.TempPathFactory) -> Subject:
    return tiny(database, tmp_path_factory.mktemp("small"), SMALL)


@pytest.fixture(scope="module")
def smallest(database: Database, tmp_path_factory: pytest.TempPathFactory) -> Subject:
    return tiny(database, tmp_path_factory.mktemp("smallest"), SMALLEST)


@pytest.fixture(scope="module")
def secp256k1(database: Database) -> Subject:
    return subject(database, "secp256k1")


@pytest.fixture(scope="module")
def p256(database: Database) -> Subject:
    return subject(database, "P-256")


def multiples(affine: AffineCurve, point: tuple[int, ...], order: int) -> list[tuple[int, ...]]:
    """Return 0·P … (n - 1)·P by adding P again and again."""
    found = [affine.neutral]
    for _ in range(order - 1):
        found.append(affine.add(found[-1], point))
    return found


def edge_scalars(order: int, rng: Random) -> list[int]:
    bits = order.bit_length()
    half = order // 2
    chosen = [1, 2, 3, 4, 5, 6, 7, order - 1, order - 2, order - 3, half, half + 1, half - 1]
    chosen += [(1 << n) - 1 for n in (8, 64, bits - 1)]
    chosen += [1 << n for n in (3, 64, bits - 1)]
    chosen += [(1 << bits - 1) + 1, (1 << bits) - (1 << bits - 16), int("10" * (bits // 2), 2) % order]
    chosen += [rng.randrange(1, order) for _ in range(2)]
    assert all(chosen)
    return [scalar % order for scalar in chosen]


def bare(ladder: str, kernels: Kernels, scalar: int, point: tuple[int, ...]) -> tuple[int, int] | None:
    """Return what a ladder by itself makes of a scalar; None where it says that it cannot recover Z or y."""
    found = LADDERS[ladder]
    try:
        return found.run(replace(kernels, implicit=found.implicit), scalar, point)
    except EfdgenError:
        return None


@pytest.mark.parametrize("ladder", LADDERS)
def test_all_scalars_of_a_tiny_curve(middle: Subject, ladder: str, rng: Random) -> None:
    generator, order = tuple(middle.curve.generator.values()), middle.curve.order
    expected = multiples(middle.affine, generator, order)
    for scalar in range(1, order):
        for z in (None, 1, rng.randrange(2, middle.curve.prime)):
            kernels = replace(middle.kernels, z=z)
            found = multiple(LADDERS[ladder], kernels, order, scalar, generator)
            assert found == expected[scalar], (scalar, z)


@pytest.mark.parametrize("ladder", LADDERS)
@pytest.mark.parametrize("curve", ["small", "smallest"])
def test_all_scalars_and_all_base_points(request, curve: str, ladder: str) -> None:
    tested = request.getfixturevalue(curve)
    order, refused = tested.curve.order, 0
    for point in tested.affine.all_points():
        expected = multiples(tested.affine, point, order)
        if (LADDERS[ladder].implicit or ladder == "x-only-carried") and 0 in point:
            refused += 1
            with pytest.raises(EfdgenError, match=r"Z cannot be .* from a point with x = 0"):
                multiple(LADDERS[ladder], tested.kernels, order, 3, point)
            continue
        for scalar in range(1, order):
            found = multiple(LADDERS[ladder], tested.kernels, order, scalar, point)
            assert found == expected[scalar], (point, scalar)
    takes_x_0 = not LADDERS[ladder].implicit and ladder != "x-only-carried"
    assert refused == (0 if takes_x_0 else 2)  # b is a square, and no point has order 2


@pytest.mark.parametrize("ladder", LADDERS)
@pytest.mark.parametrize("curve", ["middle", "small", "smallest"])
def test_a_ladder_is_wrong_for_its_exceptional_scalars_alone(request, curve: str, ladder: str) -> None:
    tested = request.getfixturevalue(curve)
    generator, order = tuple(tested.curve.generator.values()), tested.curve.order
    expected = multiples(tested.affine, generator, order)
    wrong = {k for k in range(1, order) if bare(ladder, tested.kernels, k, generator) != expected[k]}
    assert wrong == {k for k in range(1, order) if exceptional(ladder, order, k)}


@pytest.mark.slow
@pytest.mark.parametrize("curve", ["secp256k1", "p256"])
def test_random_and_edge_scalars_of_large_curves(request, curve: str, rng: Random) -> None:
    tested = request.getfixturevalue(curve)
    order, point = tested.curve.order, tested.affine.random_point(rng)
    for scalar in edge_scalars(order, rng):
        expected = tested.affine.multiple(scalar, point)
        for name, ladder in LADDERS.items():
            kernels = replace(tested.kernels, z=rng.choice((None, rng.randrange(1, tested.curve.prime))))
            assert multiple(ladder, kernels, order, scalar, point) == expected, (name, scalar, kernels.z)
            if exceptional(name, order, scalar):
                assert bare(name, tested.kernels, scalar, point) != expected, (name, scalar)


@pytest.mark.parametrize("ladder", IMPLICIT)
def test_a_recovery_whose_guard_is_not_asked_goes_wrong_for_x_0(small: Subject, ladder: str) -> None:
    def blind(name: str, numbers: tuple[int, ...]) -> tuple[int, ...]:
        found = small.kernels.call(name, numbers)
        return (*found[:-1], 1) if name == "coz_recover_z_affine" else found

    point = next(point for point in small.affine.all_points() if point[0] == 0)
    expected = small.affine.multiple(5, point)
    assert bare(ladder, small.kernels, 5, point) is None
    assert bare(ladder, replace(small.kernels, call=blind), 5, point) not in (None, expected)
    assert bare(ladder.removesuffix("-xy"), small.kernels, 5, point) == expected


@pytest.mark.parametrize("ladder", RECOVERING)
def test_a_point_with_y_0_is_refused_where_something_is_recovered(small: Subject, ladder: str) -> None:
    with pytest.raises(EfdgenError, match=r"recovered from a point with .*y = 0"):
        multiple(LADDERS[ladder], small.kernels, 43, 5, (1, 0))


@pytest.mark.parametrize("scalar", [-1, 0, 43, 44])
def test_scalars_that_are_not_reduced_are_refused(small: Subject, scalar: int) -> None:
    with pytest.raises(EfdgenError, match=r"not in \[1, 43\); reduce it"):
        multiple(LADDERS["joye"], small.kernels, 43, scalar, tuple(small.curve.generator.values()))


def opposite(kernels: Kernels, changed: str, place: int) -> Kernels:
    """Return kernels of which one gives Y of both outputs, the second at a place, the opposite sign."""

    def call(name: str, numbers: tuple[int, ...]) -> tuple[int, ...]:
        found = list(kernels.call(name, numbers))
        if name == changed:
            found[1], found[place] = -found[1] % kernels.prime, -found[place] % kernels.prime
        return tuple(found)

    return replace(kernels, call=call)


def test_opposite_signs_are_made_good_where_z_is_recovered(middle: Subject) -> None:
    """ZADDU' with X2 - X1 for X1 - X2: both Y change sign, and so does the Z that is recovered."""
    generator, order = tuple(middle.curve.generator.values()), middle.curve.order
    kernels, ladder = opposite(middle.kernels, "coz_add_update_xy", 3), LADDERS["conjugate-montgomery-xy"]
    for scalar in range(2, order - 1):
        found = multiple(ladder, kernels, order, scalar, generator)
        assert found == middle.affine.multiple(scalar, generator)


@pytest.mark.parametrize("name", ["montgomery-xy", "conjugate-montgomery-xy", "conjugate-montgomery"])
def test_a_sign_that_z_does_not_follow_is_caught(middle: Subject, name: str) -> None:
    generator, order = tuple(middle.curve.generator.values()), middle.curve.order
    kernels = opposite(middle.kernels, "coz_add_update", 4)
    for scalar in range(2, order - 1):
        right = middle.affine.multiple(scalar, generator)
        wrong = middle.affine.negate(right)  # after an odd number of steps with Z; of two, the signs cancel
        steps = 1 if LADDERS[name].implicit else scalar.bit_length() - 1
        found = multiple(LADDERS[name], kernels, order, scalar, generator)
        assert found == (wrong if steps % 2 else right)


@dataclass
class Recorder:
    """Kernels of one system that write down what is asked of them, as drivers are asked, and the answer."""

    kernels: Kernels
    system: str
    width: int
    steps: dict[str, str] = field(default_factory=dict)

    def recording(self, z: int | None) -> Kernels:
        place = "call" if self.system == "jacobian" else "x_call"
        return replace(self.kernels, z=z, **{place: self._call})

    def _call(self, name: str, numbers: tuple[int, ...]) -> tuple[int, ...]:
        call = self.kernels.call if self.system == "jacobian" else self.kernels.x_call
        found = call(name, numbers)
        values = len(found) - name.startswith("coz_recover")  # behind them is a flag
        answer = [*hexadecimal(found[:values], self.width), *map(str, found[values:])]
        self.steps[" ".join([name, "-", *hexadecimal(numbers, self.width)])] = " ".join(answer)
        return found


@pytest.mark.drawn(4)
@pytest.mark.parametrize("language", ["c", "rust"])
@pytest.mark.parametrize(("system", "names"), [("jacobian", KERNELS), ("xz", X_KERNELS)])
@pytest.mark.parametrize("curve", ["middle", "secp256k1", "p256"])
@pytest.mark.usefixtures("cc", "cargo")
def test_kernels_in_other_languages_take_every_step_of_every_ladder(
    request,
    database: Database,
    tmp_path: Path,
    rng: Random,
    language: str,
    system: str,
    names: tuple[str, ...],
    curve: str,
) -> None:
    """Each step that the Python kernels take is asked of the others; every coordinate is the same.

    So their ladders give what those over the Python kernels give, which is right: for all scalars of a tiny
    curve, for random and edge ones of large curves.
    """
    tested = request.getfixturevalue(curve)
    order, generator = tested.curve.order, tuple(tested.curve.generator.values())
    if curve == "middle":
        runs = list(zip(range(1, order), cycle([generator]), cycle([None, 2]), strict=False))
    else:
        z, point = rng.randrange(1, tested.curve.prime), tested.affine.random_point(rng)
        edges = (3, 4, order - 2, order // 2, rng.randrange(order))
        runs = list(zip(edges, cycle([point]), cycle([None, z]), strict=False))
    recorder = Recorder(tested.kernels, system, 2 * (-(-tested.curve.prime.bit_length() // 8)))
    for scalar, point, z in runs:
        expected = tested.affine.multiple(scalar, point)
        for ladder in LADDERS.values():
            assert multiple(ladder, recorder.recording(z), order, scalar, point) == expected, (scalar, z)
    # Whole formulas take compilers long; they are tested over one limb, and in the language that is faster.
    lowering = "whole" if curve == "middle" or (language, curve) == ("rust", "secp256k1") else "calls"
    texts = files(database, language, tested.source, system, lowering)
    asked, answers = zip(*recorder.steps.items(), strict=True)
    assert len(asked) > 500
    assert {question.split(" ")[0] for question in asked} == set(names)
    assert build_driver(language, texts, tmp_path).ask(asked) == list(answers)

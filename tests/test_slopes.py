"""Sums by a slope that is selected: all pairs of points of small curves over several z, and the proof."""

import subprocess
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest
from whole_c import build, planned
from whole_curves import DATABASE, run, subject, tiny_file
from whole_rust import Wanted, run_cargo, write_workspace

from efdgen.generator.curves.affine import INFINITY, AffineCurve, Point
from efdgen.generator.curves.load import load_curve
from efdgen.generator.mathematics.prime import PrimeField
from efdgen.generator.programs.interpreter import run as run_program
from efdgen.generator.programs.lower import lower
from efdgen.verify.exceptions.conclude import conclude

# a = 0, a = -3, and a curve with points of order 2.
CURVES = {"halves": "jacobian-0", "three": "jacobian-3", "even": "jacobian"}
SCALES = (1, 2, 5)
C_PROGRAM = r"""#include <stdio.h>
#include "whole.h"

static int read_point(whole_point *p) {
    uint8_t bytes[WHOLE_WIRE_BYTES];
    unsigned byte;
    for (int i = 0; i < WHOLE_WIRE_BYTES; i++) {
        if (scanf("%2x", &byte) != 1) {
            return 0;
        }
        bytes[i] = (uint8_t)byte;
    }
    return whole_decode_wire(p, bytes, sizeof bytes);
}

int main(void) {
    whole_point p, q, r;
    uint8_t bytes[1 + 2 * WHOLE_FIELD_BYTES];
    while (read_point(&p) && read_point(&q)) {
        whole_add(&r, &p, &q);
        if (!whole_is_on_curve(&r)) {
            puts("not on the curve");
        } else if (!whole_encode_uncompressed(bytes, &r)) {
            puts("O");
        } else {
            printf("%02x%02x\n", bytes[1], bytes[2]);
        }
    }
    return 0;
}
"""
RUST_PROGRAM = """//! Adds points in the wire format.

use std::io::{stdin, BufRead};

use NAME::{decode_wire, Point, WIRE_BYTES};

fn point(text: &str) -> Point {
    let digits = |at| u8::from_str_radix(&text[at..at + 2], 16).unwrap();
    let bytes: Vec<u8> = (0..2 * WIRE_BYTES).step_by(2).map(digits).collect();
    decode_wire(&bytes).unwrap()
}

fn main() {
    for line in stdin().lock().lines() {
        let line = line.unwrap();
        let (p, q) = line.split_once(' ').unwrap();
        let sum = point(p).add(&point(q));
        let encoded: Option<[u8; 3]> = sum.encode_uncompressed().into();
        match encoded {
            _ if !bool::from(sum.is_on_curve()) => println!("not on the curve"),
            Some([_, x, y]) => println!("{x:02x}{y:02x}"),
            None => println!("O"),
        }
    }
}
"""


def affine_curve(path: str) -> AffineCurve:
    curve = load_curve(path)
    return AffineCurve(DATABASE.model(curve.model), curve.field, curve.parameters)


def over(point: Point, z: int, prime: int) -> tuple[int, int, int]:
    """Return Jacobian coordinates of a point."""
    x, y, z = (1, 1, 0) if point == INFINITY else (*point, z)
    scale = z or 5
    return x * scale**2 % prime, y * scale**3 % prime, z


def sums(affine: AffineCurve) -> Iterator[tuple[tuple[int, int, int], tuple[int, int, int], Point]]:
    """Yield every pair of points over some z, with their sum; the same points over the same and other z."""
    points = [INFINITY, *affine.all_points()]
    given = [(point, over(point, z, affine.prime)) for point in points for z in SCALES]
    for (p, left), (q, right) in product(given, given):
        yield left, right, affine.add(p, q) if INFINITY not in (p, q) else (q if p == INFINITY else p)


def requests(affine: AffineCurve) -> tuple[str, list[str]]:
    """Return lines of pairs of points in the wire format, a byte for each coordinate, and the answers."""
    rows = list(sums(affine))
    text = "".join(f"{bytes(p).hex()} {bytes(q).hex()}\n" for p, q, _ in rows)
    return text, ["O" if r == INFINITY else bytes(r).hex() for _, _, r in rows]


def answers(program: Path, text: str) -> list[str]:
    done = subprocess.run([program], input=text, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


@pytest.fixture(params=CURVES)
def small(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[str, str, AffineCurve]:
    """Return the file of a small curve, its coordinate system, and the affine law."""
    path = tiny_file(tmp_path, request.param)
    return path, CURVES[request.param], affine_curve(path)


def test_small_curves_have_every_case(tmp_path: Path) -> None:
    cases = set()
    for name in CURVES:
        affine = affine_curve(tiny_file(tmp_path, name))
        for p in affine.all_points():
            cases |= {"order 2"} if affine.double(p) == INFINITY else {"other"}
            cases |= (
                {"numerator 0"} if (3 * p[0] ** 2 + affine.parameters["a"]) % affine.prime == 0 else set()
            )
    assert cases == {"order 2", "other", "numerator 0"}


@pytest.mark.long
@pytest.mark.slow
def test_formulas_add_any_two_points_but_the_identity_by_the_slope_of_either_line(small) -> None:
    _, system, affine = small
    start = DATABASE.formula(f"g1p/shortw/{system}/slopes/add")
    add = DATABASE.formula("g1p/shortw/jacobian/addition-given-chord/add")
    field, known = PrimeField(affine.prime), dict(affine.parameters)
    for left, right, expected in sums(affine):
        if not (left[2] and right[2]):
            continue
        named = dict(zip(("X1", "Y1", "Z1", "X2", "Y2", "Z2"), (*left, *right), strict=True))
        v = run_program(lower(start), field, known | named)
        chord = v["DY3"] or v["DX3"]
        names = {"X1": v["X3"], "Y1": v["Y3"], "Z1": v["Z3"], "X2": v["X4"], "Y2": v["Y4"]}
        names |= {f"D{c}1": v[f"D{c}3"] if chord else v[f"T{c}3"] for c in "XY"}
        x, y, z = run_program(lower(add), field, known | names).values()
        if expected == INFINITY:
            assert z == 0
            assert y * y % affine.prime == x**3 % affine.prime != 0
        else:
            assert (x, y, z) == over(expected, z, affine.prime)


@pytest.mark.parametrize("lowering", ["calls", "whole"])
def test_c_adds_any_two_points(small, lowering: str, cc: str, tmp_path: Path) -> None:
    path, system, affine = small
    build(tmp_path, path, system, compiler=cc, lowering=lowering)
    (tmp_path / "sums.c").write_text(C_PROGRAM)
    subprocess.run([cc, "-Wno-unused-function", "sums.c", "-o", "sums"], cwd=tmp_path, check=True)
    text, expected = requests(affine)
    assert answers(tmp_path / "sums", text) == expected


def test_rust_adds_any_two_points(cargo: str, tmp_path: Path) -> None:
    files = {name: tiny_file(tmp_path, name) for name in CURVES}
    wanted = [Wanted(name, path, CURVES[name], lowering="whole") for name, path in files.items()]
    write_workspace(tmp_path / "crates", wanted)
    for name in CURVES:
        example = tmp_path / "crates" / name / "examples" / f"sums_{name}.rs"
        example.write_text(RUST_PROGRAM.replace("NAME", name))
    examples = (word for name in CURVES for word in ("--example", f"sums_{name}"))
    run_cargo(tmp_path / "crates", "build", *examples, own=True)
    for name, path in files.items():
        text, expected = requests(affine_curve(path))
        assert answers(tmp_path / "crates/target/debug/examples" / f"sums_{name}", text) == expected, name


@pytest.mark.slow
@pytest.mark.long
def test_python_adds_any_two_points(small) -> None:
    path, system, affine = small
    tiny = subject(path, system)
    assert tiny.plan.roles.slopes is None, "code that branches takes the cheaper sum"
    module = run(tiny.plan)
    for left, right, expected in sums(affine):
        total = module.add(module.Point(*left), module.Point(*right))
        assert module.is_on_curve(total)
        assert tiny.lower(total) == expected


@pytest.mark.slow
@pytest.mark.parametrize(
    ("curve", "operations"), [("secp256k1", (12, 5)), ("P-256", (12, 7)), ("brainpoolP256r1", (12, 7))]
)
def test_plans_take_sums_by_slopes_where_these_cost_less(curve: str, operations: tuple[int, int]) -> None:
    plan = planned(curve, None, "small")
    slopes = plan.roles.slopes
    assert slopes is not None
    costs = [plan.kernel(name).cost_emitted for name in (slopes.start, slopes.add)]
    assert (
        tuple(sum(getattr(c, kind) for c in costs) for kind in ("multiplications", "squarings")) == operations
    )


@pytest.mark.slow
def test_plans_of_other_systems_have_no_slopes() -> None:
    for curve, system in (("P-256", "projective-3"), ("edwards25519", None)):
        plan = planned(curve, system, "small")
        assert plan.roles.slopes is None


@pytest.mark.parametrize(
    ("name", "exceptions", "complete"),
    [("chord", ("P=Q",), "no"), ("tangent", (), "always")],
)
def test_the_sum_by_a_slope_is_exceptional_only_for_the_chord_of_equal_points(
    name: str, exceptions: tuple[str, ...], complete: str
) -> None:
    """Broke on a kind with two inputs that are equal."""
    found = conclude(DATABASE.formula(f"g1p/shortw/jacobian/addition-given-{name}/add"))
    assert (found.exceptions, str(found.complete)) == (exceptions, complete)

"""Whole curves in Rust against the affine law: all scalars and points of tiny curves, edges of large ones."""

import subprocess
from dataclasses import replace

import pytest
from number_rows import number_rows
from test_curve_c_ladder import tiny_file as ladder_file
from whole_curves import DATABASE, SECOND, tiny_file
from whole_rust import PEDANTIC, Wanted, run_cargo, write_workspace

from efdgen.generator.compile import Request
from efdgen.generator.curves.affine import AffineCurve
from efdgen.generator.curves.load import load_curve
from efdgen.generator.errors import EfdgenError
from efdgen.generator.files import render_plan
from efdgen.generator.planning.special import shared_numerator
from efdgen.verify.vectors.whole_calls import calls_of
from efdgen.verify.vectors.whole_cases import all_rows
from efdgen.verify.vectors.whole_sums import some_sums

TINY = {
    "prime": "projective",
    "halves": "jacobian-0",
    "odd": "xyzz",
    "twisted": "extended-1",
    "edwards": "projective",
    "twisted_halved": "halved-extended",
    "twisted_inverted": "inverted",
    "edwards_inverted": "inverted",
    "twisted_affine": "affine",
    "three": "projective-3",
    "three_xyzz": "xyzz-3",
}
LARGE = {
    "secp256k1": ("jacobian-0", "whole", "medium"),
    "brainpoolp256r1": ("jacobian", "calls", "small"),
    "edwards25519": ("extended-1", "whole", "medium"),
    "ed448": ("projective", "calls", "small"),
}
NAMES = {
    "ed448": "Ed448",
    "brainpoolp256r1": "brainpoolP256r1",
}
sums = calls_of("add", "subtract", "add_var", "subtract_var", "double", "is_identity", "equal")
multiples = calls_of("multiply", "multiply_var", "coz_multiply")
multiples_of_the_generator = calls_of("multiply_generator", "multiply_generator_var", "double_multiply_var")
LADDERS = [(47, 3, 1, 11, 4), (53, 4, 2, 11, 4)]
ALLOCATING = ",".join(f"{name}/alloc" for name in (*TINY, *LARGE))
NARROW = ("secp256k1", "edwards25519")
LINTED = ("odd", "twisted_inverted", "edwards_inverted", "twisted_affine", *NARROW)


def tiny_crate(folder, name, system) -> Wanted:
    """Return the crate of a tiny curve with a second fixed point; its name begins with the curve's."""
    path = tiny_file(folder, name.partition("_")[0])
    curve = load_curve(path)
    affine = AffineCurve(DATABASE.model(curve.model), curve.prime, curve.parameters)
    x, y = affine.multiple(SECOND, tuple(curve.generator.values()))
    return Wanted(name, path, system, second=f"{x},{y}", change=with_few_points_in_buckets)


def with_few_points_in_buckets(plan):
    return replace(plan, multi=replace(plan.multi, threshold=4, windows=((9, 3), (4, 2))))


@pytest.fixture(scope="module")
def workspace(cargo, tmp_path_factory):
    """Return a folder of crates, their drivers built with checks of overflows, and these by their names."""
    folder = tmp_path_factory.mktemp("crates")
    wanted = [tiny_crate(folder, name, system) for name, system in TINY.items()]
    for case in LADDERS:
        own = tmp_path_factory.mktemp("ladder")
        wanted.append(Wanted(f"ladder_{case[0]}", ladder_file(own, *case)))
    wanted += [Wanted("curve25519", "Curve25519", lowering="whole"), Wanted("curve448", "Curve448")]
    wanted += [Wanted(name, NAMES.get(name, name), *rest) for name, rest in LARGE.items()]
    subjects = write_workspace(folder, wanted)
    run_cargo(folder, "build", "--examples", "--features", ALLOCATING, own=True)
    return folder, subjects


def refused_wires(subject):
    """Yield coordinates that are no point's, which are refused though there is no inversion."""
    if shared_numerator(subject.plan):
        # The last coordinate and both others show x*y = 0, and must agree.
        x, y = subject.curve.generator
        for bad in ((0, 1, 1), (1, 0, 1), (y, x, 0)):
            yield "decode_wire", "".join(map(subject.curve.element, bad)), "refused"


@pytest.mark.parametrize("name", TINY)
def test_all_of_a_tiny_curve(name, workspace, rng):
    subject = workspace[1][name]
    assert subject.differences(all_rows(subject.curve, rng)) == []
    assert subject.differences(refused_wires(subject)) == []


@pytest.mark.parametrize("prime", [case[0] for case in LADDERS])
def test_all_of_a_tiny_ladder(prime, workspace, rng):
    subject = workspace[1][f"ladder_{prime}"]
    assert subject.differences(all_rows(subject.curve, rng)) == []


@pytest.mark.parametrize("name", ["curve25519", "curve448", *LARGE])
def test_edges_of_large_curves(name, workspace, rng):
    subject = workspace[1][name]
    assert subject.differences(all_rows(subject.curve, rng)) == []


@pytest.mark.parametrize("name", ["prime", "twisted", "edwards", "ladder_47", "curve25519", *LARGE])
def test_arithmetic_of_elements_and_scalars(name, workspace, rng):
    subject = workspace[1][name]
    assert subject.differences(number_rows(subject.curve, rng)) == []


def test_edges_with_words_of_32_bits(workspace, rng):
    folder, subjects = workspace
    packages = [word for name in NARROW for word in ("-p", name)]
    run_cargo(
        folder, "build", *packages, "--examples", "--features", "word32,alloc", "--target-dir", "narrow"
    )
    for name in NARROW:
        subject = subjects[name]
        narrow = replace(subject, driver=folder / "narrow/debug/examples" / name)
        assert narrow.differences(all_rows(subject.curve, rng)) == []
        assert narrow.differences(number_rows(subject.curve, rng)) == []


@pytest.mark.parametrize("name", ["prime", "edwards", "twisted_affine"])
def test_operators(name, workspace):
    subject = workspace[1][name]
    curve = subject.curve
    rows = []
    for p in curve.points[::5]:
        for q in curve.points[::3]:
            total = curve.affine.add(curve.multiple(5, p), curve.multiple(4, q))
            rows.append(("operators", curve.point(p), curve.point(q), curve.point(total)))
    for k in range(curve.order):
        for p in curve.points[::4]:
            multiple = curve.multiple(8 * k**3, p)
            rows.append(("times", curve.scalar(k), curve.point(p), curve.point(multiple)))
    assert subject.differences(rows) == []


@pytest.mark.parametrize(
    ("crate", "file", "right", "wrong", "cases"),
    [
        ("ladder_47", "ladder", "swapped ^ bit", "bit", all_rows),
        ("ladder_47", "ladder", "order_two & odd", "order_two & !odd", all_rows),
        ("ladder_47", "ladder", "next.z.is_zero() | order_two", "order_two", all_rows),
        ("prime", "point", "sum = twice.select(&sum, same);", "", sums),
        ("halves", "point", "rise.value = tangent_rise.value.choose(&rise.value, same);", "", sums),
        ("edwards_inverted", "point", "sum.x.is_zero() | sum.y.is_zero()", "sum.y.is_zero()", sums),
        ("twisted_inverted", "point", "value.choose(&other,", "value.choose(value,", sums),
        ("edwards_inverted", "point", "!(undefined ^ special)", "!undefined", sums),
        ("edwards_inverted", "point", " & !(undefined ^ special)", "", None),
        ("prime", "multiply", "digit ^ negative.wrapping_neg()", "digit", multiples),
        ("prime", "words", "carry = digit >> (width - 1);", "carry = digit >> width;", multiples),
        ("prime", "multiply", "IDENTITY.select(&sum, p_is_identity)", "sum", multiples),
        ("prime", "multi", "window - half - 1", "(window - half) % half", some_sums),
        ("prime", "multiply", "window ^ flips", "window", multiples_of_the_generator),
        ("prime", "scalar", "self.add(self).is_odd()", "self.is_odd()", number_rows),
        ("prime", "operators", "Scalar => Scalar, Scalar::sub", "Scalar => Scalar, Scalar::add", number_rows),
        ("twisted", "scalar", "number.mul(&RADIX)", "number", number_rows),
        ("twisted", "multiply", "left + usize::from(at == 0)", "left", multiples),
    ],
)
def test_a_defect_is_seen(crate, file, right, wrong, cases, workspace, same_rng):
    folder, subjects = workspace
    path = folder / crate / "src" / f"{file}.rs"
    text, allocating = path.read_text(), ["--features", "alloc"] if crate in TINY else []
    assert text.count(right) == 1
    try:
        path.write_text(f"#![allow(warnings)]\n{text}".replace(right, wrong))
        run_cargo(folder, "build", "-p", crate, "--examples", "--target-dir", "defects", *allocating)
    finally:
        path.write_text(text)
    subject = subjects[crate]
    broken = replace(subject, driver=folder / "defects/debug/examples" / crate)
    assert answers_wrongly(broken, list(cases(subject.curve, same_rng) if cases else refused_wires(subject)))


def answers_wrongly(subject, cases) -> bool:
    """Return whether a driver answers a request wrongly, or panics."""
    try:
        return subject.differences(cases) != []
    except AssertionError as error:
        return "panicked" in str(error)


@pytest.mark.usefixtures("clippy")
def test_linters_have_no_word_against_the_crates(rustfmt, workspace):
    folder, subjects = workspace
    sources = [str(path) for name in subjects for path in (folder / name).rglob("*.rs")]
    done = subprocess.run(
        [rustfmt, "--check", "--edition", "2021", *sources], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout
    packages = [word for name in LINTED for word in ("-p", name)]
    run_cargo(folder, "clippy", *packages, *PEDANTIC)
    run_cargo(folder, "clippy", "-p", "secp256k1", "--features", "alloc,zeroize,word32", *PEDANTIC)


def test_the_example_of_the_documentation_runs(workspace):
    folder, _ = workspace
    assert "1 passed" in run_cargo(folder, "test", "--doc", "-p", "secp256k1", "-p", "edwards25519")


def test_what_is_refused(workspace):
    plan = workspace[1]["secp256k1"].plan
    with pytest.raises(EfdgenError, match="is a crate"):
        render_plan(plan, Request("rust", "secp256k1", set="curve", layout="module"))

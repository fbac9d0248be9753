"""Whole curves in Python: all scalars and points of tiny curves, edges of large ones, malformed encodings."""

import secrets
import subprocess
import sys
import types
from dataclasses import replace
from functools import reduce
from random import Random

import pytest
from whole_curves import DATABASE, TINY, has_order, run, subject, tiny_file

from efdgen.generator.compile import Request
from efdgen.generator.curves.affine import INFINITY
from efdgen.generator.files import render_plan
from efdgen.generator.planning.make import unproved
from efdgen.generator.planning.plan import FixedWindow
from efdgen.generator.planning.request import plan_curve
from efdgen.generator.scalars.digits import OddWindows
from efdgen.generator.scalars.reach import half_additions
from efdgen.verify.routines.curve import follower, multiplication_reasons
from efdgen.verify.scalars.reasons import require_safe

SYSTEMS = {
    "prime": ("jacobian", "modified", "projective", "xyzz"),
    "halves": ("jacobian-0", "modified", "projective-0"),
    "negative": ("projective-1",),
    "three": ("projective-3", "xyzz-3"),
    "even": ("jacobian", "projective"),
    "odd": ("jacobian", "xyzz"),
    "twisted": (
        *("affine", "projective", "inverted", "extended", "extended-1"),
        *("halved-extended", "halved-completed"),
    ),
    "square": ("projective", "extended"),
    "edwards": ("affine", "projective", "inverted"),
}
TINY_CASES = [(name, system) for name, systems in SYSTEMS.items() for system in systems]
LINT = "E,W,F,I,N,D,ANN,UP,B,SIM,RUF,PL"
IGNORED = "D203,D213,PLR2004,PLR0913,PLR0915"
LARGE = {
    "secp256k1": "jacobian-0",
    "P-256": "jacobian-3",
    "brainpoolP256r1": "jacobian",
    "edwards25519": "extended-1",
    "Ed448": "projective",
}


LONG = """\
name = "long"
model = "g1p/shortw"
prime = "0x16960757d098b06904a475cd8c5a0f7b12797dffaab6aec4d665588bce8e83bc898e4e88578b3a51c5d0ed518a15e01e5"
order = "0x16960757d098b06904a475cd8c5a0f7b12797dffaab6aec4c82390e295a37f35b3e0d403a8bb7658da31f0d556643d031"
cofactor = 1
parameters = {a = 0, b = 13}
[generator]
x = 1
y = "0x43a751d0b59577e306dc34cd49a1376ad1acb20154d0e7a54bedcdafcfda5cd35cf8ba882857631fe76e120eed05b8d7"
"""
"""A curve with halves of scalars and 385 bits: multipliers of two rows, of which one is negative."""


@pytest.fixture(params=TINY_CASES, ids="-".join)
def tiny(request, tmp_path_factory):
    name, system = request.param
    folder = tmp_path_factory.getbasetemp() / "tiny"
    folder.mkdir(exist_ok=True)
    return subject(tiny_file(folder, name), system)


def every_point(tiny):
    points = list(tiny.affine.all_points())
    return [INFINITY, *points] if tiny.affine.neutral == INFINITY else points


@pytest.mark.slow
def test_ladders_on_points_of_one_z_are_there_for_jacobian_coordinates():
    assert [c for c in LARGE if subject(c, LARGE[c]).plan.coz] == ["secp256k1", "P-256", "brainpoolP256r1"]


def test_two_fixed_points(tiny):
    module, generator = tiny.module, tiny.generator
    second = tiny.affine.multiple(3, generator)
    for a in range(tiny.plan.order + 1):
        b = 5 * a + 2
        found = module._by_combs([(a, module.GENERATOR), (b, tiny.lift(second))])
        assert tiny.lower(found) == tiny.affine.multiple(a + 3 * b, generator), a


def test_halves_of_long_scalars(tmp_path, rng):
    (path := tmp_path / "long.toml").write_text(LONG)
    long = subject(str(path))
    assert long.plan.endomorphism is not None
    assert min(long.plan.endomorphism.split.multipliers) < 0
    for _ in range(8):
        m, k = rng.randrange(long.plan.order), rng.randrange(long.plan.order)
        point = long.affine.multiple(m, long.generator)
        expected = long.affine.multiple(k, point)
        for multiply in (long.module.multiply, long.module.multiply_var):
            assert long.lower(multiply(k, long.lift(point))) == expected, (m, k)


@pytest.mark.slow
def test_a_second_fixed_point(efdgen, tmp_path):
    found = subject("secp256k1", "jacobian-0")
    x, y = found.affine.multiple(7, found.generator)
    given = (
        "compile",
        "--lang",
        "python",
        "--curve",
        "secp256k1",
        "--set",
        "curve",
        "--coords",
        "jacobian-0",
    )
    made = efdgen(*given, "--second", f"{x:#x},{y}", "--out", tmp_path)
    assert (made.code, made.err) == (0, "")
    module = types.ModuleType("pedersen")
    text = (tmp_path / "secp256k1/_curve.py").read_text()
    exec(text, vars(module))
    assert "--second" in text
    expected = found.affine.multiple(11 + 7 * 13, found.generator)
    assert tuple(map(int, module.to_affine(module.double_multiply_generators(11, 13)))) == expected
    for wrong, why in (("1", "two numbers"), ("1,x", "two numbers"), ("1,2", "not a point")):
        refused = efdgen(*given, "--second", wrong, "--out", tmp_path)
        assert refused.code == 2
        assert why in refused.err
    small = efdgen(
        "compile", "--lang", "python", "--curve", "edwards25519", "--set", "curve", "--second", "0,-1"
    )
    assert "not of the order" in small.err


SYSTEMS_OF_TEXTS = [
    ("secp256k1", "modified"),
    ("edwards25519", "inverted"),
    ("Ed448", "projective"),
    ("P-521", None),
]


@pytest.mark.slow
def test_modules_pass_the_linters_and_are_typed(tmp_path):
    requests = [
        Request("python", curve, system, prefix=f"c{number}", set="protocols", layout="module")
        for number, (curve, system) in enumerate(SYSTEMS_OF_TEXTS)
    ]
    ladder = Request("python", "Curve448", prefix="ladder", set="protocols", layout="module")
    for request in (*requests, ladder):
        for name, text in render_plan(plan_curve(DATABASE, request, unproved, require_safe), request).items():
            (tmp_path / name.replace("driver", f"{request.prefix}_driver")).write_text(text)
    for tool in (
        (
            "ruff",
            "check",
            "--no-cache",
            "--isolated",
            "--line-length",
            "110",
            "--select",
            LINT,
            "--ignore",
            IGNORED,
        ),
        ("ruff", "format", "--no-cache", "--isolated", "--line-length", "110", "--check"),
        ("mypy", "--strict", "--cache-dir", str(tmp_path / "cache")),
    ):
        files = sorted(map(str, tmp_path.glob("*.py")))
        done = subprocess.run(
            [sys.executable, "-m", *tool, *files], capture_output=True, text=True, check=False, cwd=tmp_path
        )
        assert done.returncode == 0, done.stdout + done.stderr


def test_every_tiny_case_is_there():
    assert {*SYSTEMS, "long halves"} == set(TINY)


def test_sums_of_all_pairs(tiny):
    points = every_point(tiny)
    assert len(points) == tiny.plan.order * tiny.plan.cofactor
    for p in points:
        lifted = tiny.lift(p)
        assert tiny.lower(lifted) == p
        assert tiny.lower(tiny.module.double(lifted)) == tiny.affine.double(p)
        assert tiny.lower(tiny.module.negate(lifted)) == tiny.affine.negate(p)
        assert tiny.module.is_identity(lifted) == (p == tiny.affine.neutral)
        assert tiny.module.is_on_curve(lifted)
        for q in points:
            other = tiny.lift(q)
            assert tiny.lower(tiny.module.add(lifted, other)) == tiny.affine.add(p, q), (p, q)
            assert tiny.module.equal(lifted, other) == (p == q), (p, q)


def test_all_multiples_of_all_points(tiny):
    module, bound = tiny.module, 2 * tiny.plan.order * tiny.plan.cofactor + 3
    few = every_point(tiny)[:5]
    for p in every_point(tiny):
        lifted, expected = tiny.lift(p), tiny.affine.neutral
        for k in range(bound):
            assert tiny.lower(module.multiply(k, lifted)) == expected, (k, p)
            assert tiny.lower(module.multiply_var(k, lifted)) == expected, (k, p)
            if tiny.plan.coz and p in few:
                assert tiny.lower(module.coz_multiply(k, lifted)) == expected, (k, p)
            expected = tiny.affine.add(expected, p)


def test_all_multiples_of_the_generator_and_of_it_and_a_point(tiny):
    module, affine, rng = tiny.module, tiny.affine, Random(1)
    points, generator = every_point(tiny), tiny.generator
    for k in range(2 * tiny.plan.order + 3):
        expected = affine.multiple(k, generator)
        assert tiny.lower(module.multiply_generator(k)) == expected, k
        for q in rng.sample(points, 9):
            b = rng.randrange(3 * tiny.plan.order)
            both = affine.add(expected, affine.multiple(b, q))
            assert tiny.lower(module.double_multiply_var(k, b, tiny.lift(q))) == both, (k, b, q)


def test_sums_of_many_multiples(tiny):
    module, affine, rng = tiny.module, tiny.affine, Random(2)
    points = every_point(tiny)
    for count in (0, 1, 2, 9):
        chosen = [rng.choice(points) for _ in range(count)]
        scalars = [rng.randrange(100) for _ in range(count)]
        multiples = [affine.multiple(k, p) for k, p in zip(scalars, chosen, strict=True)]
        expected = reduce(affine.add, multiples, affine.neutral)
        lifted = [tiny.lift(p) for p in chosen]
        assert tiny.lower(module.multi_multiply_var(scalars, lifted)) == expected, (scalars, chosen)
        finite = [pair for pair in zip(scalars, lifted, strict=True) if not module.is_identity(pair[1])]
        for width in (2, 3, 5):
            assert tiny.lower(module._sum_by_buckets(finite, width)) == expected, (scalars, chosen, width)


def test_subgroup_and_validation(tiny):
    for p in every_point(tiny):
        lifted = tiny.lift(p)
        inside = has_order(tiny.affine, p, tiny.plan.order)
        assert tiny.module.is_in_subgroup(lifted) == inside, p
        assert tiny.lower(tiny.module.clear_cofactor(lifted)) == tiny.affine.multiple(tiny.plan.cofactor, p)
        if inside and p != tiny.affine.neutral:
            assert tiny.module.validate(lifted) == lifted
        else:
            with pytest.raises(ValueError, match="subgroup"):
                tiny.module.validate(lifted)


def test_every_encoding_of_one_field_element_is_a_point_or_is_refused(tiny):
    """Of all strings up to an encoding's length exactly those are taken that points are written as."""
    module = tiny.module
    finite = [p for p in every_point(tiny) if p != INFINITY]
    written = {module.encode(tiny.lift(p)): p for p in finite}
    assert len(written) == len(finite)
    if tiny.affine.neutral == INFINITY:
        for encode in (module.encode, module.encode_uncompressed):
            with pytest.raises(ValueError, match="identity"):
                encode(module.IDENTITY)
    read, refusals = {}, set()
    for length in range(3):
        for number in range(256**length):
            encoding = number.to_bytes(length, "big")
            try:
                read[encoding] = module.decode(encoding)
            except ValueError as refusal:
                refusals.add(str(refusal))
    assert "" not in refusals
    assert {encoding: tiny.lower(point) for encoding, point in read.items()} == written


def test_wire_format(tiny):
    module = tiny.module
    for p in every_point(tiny):
        wire = module.encode_wire(tiny.lift(p))
        assert len(wire) == module.WIRE_BYTES
        assert tiny.lower(module.decode_wire(wire)) == p
        for wrong in (wire[1:], wire + b"\0", b"\xff" * len(wire)):
            with pytest.raises(ValueError, match=r"\S"):
                module.decode_wire(wrong)
    if len(tiny.plan.representation.identity) > 2:
        with pytest.raises(ValueError, match="curve"):
            module.decode_wire(bytes(module.WIRE_BYTES))


def test_batches(tiny):
    points = [p for p in every_point(tiny) if p != INFINITY]
    lifted = [tiny.module.multiply_var(1, tiny.lift(p)) for p in points]
    assert [tuple(p) for p in tiny.module.to_affine_batch(lifted)] == points
    assert tiny.module.encode_batch(lifted) == [tiny.module.encode(p) for p in lifted]
    if tiny.affine.neutral == INFINITY:
        with pytest.raises(ValueError, match="identity"):
            tiny.module.encode_batch([*lifted, tiny.module.IDENTITY])


@pytest.mark.parametrize(("name", "width"), [("halves", 2), ("halves", 3), ("long halves", 3)])
def test_all_multiples_by_windows_of_halves(name, width, tmp_path):
    """Windows of halves, whatever the plan is; 2551 is long enough for additions that are incomplete."""
    found = subject(tiny_file(tmp_path, name), "jacobian-0")
    plan, affine = found.plan, found.affine
    halves = plan.endomorphism.split
    digits = OddWindows(width, max(halves.odd_bounds()))
    complete = half_additions(digits, halves.shortest)
    assert name == "halves" or complete < 2 * digits.count - 3
    window = FixedWindow(digits, False, complete, True, halves=True)
    plan = replace(plan, variable=window)
    module = run(replace(plan, reasons={**plan.reasons, **multiplication_reasons(plan, follower(plan))[0]}))
    for base in [found.generator, affine.multiple(5, found.generator)]:
        expected = INFINITY
        for k in range(plan.order + 2):
            assert found.lower(module.multiply(k, module.from_affine(*base))) == expected, (k, base)
            expected = affine.add(expected, base)
    assert module.is_identity(module.multiply(7, module.IDENTITY))


@pytest.mark.parametrize("curve", LARGE)
def test_edges_of_large_curves(curve):
    found = subject(curve, LARGE[curve])
    module, affine, n = found.module, found.affine, found.plan.order
    seed = secrets.randbits(32)
    rng = Random(seed)
    scalars = [0, 1, 2, 3, n - 1, n, n + 1, n * found.plan.cofactor, (1 << 8 * module.SCALAR_BYTES) - 1]
    scalars += [rng.randrange(n) for _ in range(2)]
    points = [affine.neutral, found.generator, affine.negate(found.generator), affine.random_point(rng)]
    for k in scalars:
        of_generator = affine.multiple(k, found.generator)
        assert found.lower(module.multiply_generator(k)) == of_generator, (k, seed)
        for p in points:
            expected, lifted = affine.multiple(k, p), found.lift(p)
            assert found.lower(module.multiply(k, lifted)) == expected, (k, p, seed)
            assert found.lower(module.multiply_var(k, lifted)) == expected, (k, p, seed)
            if found.plan.coz:
                assert found.lower(module.coz_multiply(k, lifted)) == expected, (k, p, seed)
            both = affine.add(of_generator, expected)
            assert found.lower(module.double_multiply_var(k, k, lifted)) == both, (k, p, seed)


def test_integers_of_python_and_of_gmpy2_give_the_same():
    found = subject("secp256k1", "jacobian-0")
    module, k = found.module, 0x1234567890ABCDEF << 180
    q = module.multiply_generator(k)
    assert type(q.X) is not int
    plain = {name: int(getattr(module, name)) for name in ("P", "HALF", "BETA")}
    before = {name: getattr(module, name) for name in (*plain, "_integer")}
    try:
        vars(module).update(plain, _integer=int)
        for function in (module._generator_table, module._comb_tables):
            function.cache_clear()
        again = module.multiply_generator(k)
        assert type(again.X) is int
        assert module.equal(again, q)
        assert module.encode(module.double_multiply_var(k, k, again)) == module.encode(
            module.multiply_var(k * (k + 1), module.GENERATOR)
        )
    finally:
        vars(module).update(before)


def test_points_at_random():
    module = subject("secp256k1", "jacobian-0").module
    assert module.is_in_subgroup(module.random_point())
    lifted = module.random_point_by_lift(Random(7).randbytes)
    assert module.is_on_curve(lifted)
    assert module.equal(module.random_point_by_lift(Random(7).randbytes), lifted)
    always = iter([bytes(32), b"\xff" * 32, (5).to_bytes(32, "big")])
    assert module.random_scalar(lambda _: next(always)) == 5

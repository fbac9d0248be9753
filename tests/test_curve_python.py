"""Whole curves in Python: what only this language has, and reasons of refusals."""

import types
from dataclasses import replace
from random import Random

import pytest
from conformance import build_python, rows_of
from linters import OVER_C, mypy, ruff
from whole_curves import DATABASE, run, subject, tiny_file

from efdgen.generator.compile import Request
from efdgen.generator.curves.affine import INFINITY
from efdgen.generator.files import render_plan
from efdgen.generator.planning.plan import FixedWindow
from efdgen.generator.planning.request import plan_curve
from efdgen.generator.scalars.digits import OddWindows
from efdgen.generator.scalars.reach import half_additions
from efdgen.verify.plan_proofs import SafePlans
from efdgen.verify.routines.curve import follower, multiplication_reasons

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


@pytest.mark.slow
def test_ladders_on_points_of_one_z_are_there_for_jacobian_coordinates():
    systems = {"secp256k1": "jacobian-0", "P-256": "jacobian-3", "brainpoolP256r1": "jacobian"}
    others = {"edwards25519": "extended-1", "Ed448": "projective"}
    found = [curve for curve, system in (systems | others).items() if subject(curve, system).plan.coz]
    assert found == [*systems]


@pytest.mark.slow
def test_halves_of_long_scalars(tmp_path):
    (path := tmp_path / "long.toml").write_text(LONG)
    long = build_python(tmp_path, str(path))
    assert long.plan.endomorphism is not None
    assert min(long.plan.endomorphism.split.multipliers) < 0
    assert long.differences(rows_of(long.curve, str(path))) == []


@pytest.mark.slow
def test_a_second_fixed_point(efdgen, tmp_path):
    found = subject("secp256k1", "jacobian-0")
    x, y = found.affine.multiple(7, found.generator)
    options = "compile --lang python --set curve --curve"
    given = (*options.split(), "secp256k1", "--coords", "jacobian-0")
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
    small = efdgen(*options.split(), "edwards25519", "--second", "0,-1")
    assert "not of the order" in small.err


LINTED = {
    None: {
        **{"secp256k1": "modified", "edwards25519": "inverted", "Ed448": "projective"},
        **{"P-521": None, "Curve448": None},
    },
    "c": {"secp256k1": "jacobian-0", "edwards25519": "extended-1", "Curve25519": None},
}
"""Coordinate systems of curves, by the back end."""


@pytest.mark.slow
@pytest.mark.parametrize("backend", LINTED)
def test_modules_pass_the_linters_and_are_typed(backend, tmp_path):
    for number, (curve, system) in enumerate(LINTED[backend].items()):
        options = {"prefix": f"c{number}", "set": "protocols", "backend": backend, "layout": "module"}
        request = Request("python", curve, system, **options)
        for name, text in render_plan(plan_curve(DATABASE, request, SafePlans()), request).items():
            if name.endswith(".py") and not (backend and name.startswith("driver")):
                (tmp_path / name.replace("driver", f"{request.prefix}_driver")).write_text(text)
    ruff(tmp_path, OVER_C if backend else "")
    mypy(tmp_path)


@pytest.mark.slow
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


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "system"), [("prime", "jacobian"), ("odd", "xyzz"), ("twisted", "extended-1")]
)
def test_refusals_have_reasons(name, system, tmp_path):
    tiny = subject(tiny_file(tmp_path, name), system)
    module, generator = tiny.module, tiny.lift(tiny.generator)
    wire, encoding = module.encode_wire(generator), module.encode(generator)
    wrong = {
        "subgroup": [lambda: module.validate(module.IDENTITY)],
        "curve": [lambda: module.decode_wire(bytes(module.WIRE_BYTES))],
        r"\S": [
            *(
                lambda text=text: module.decode_wire(text)
                for text in (wire[1:], wire + b"\0", b"\xff" * len(wire))
            ),
            *(
                lambda text=text: module.decode(text)
                for text in (b"", encoding[1:], encoding + b"\0", b"\xff" * 2)
            ),
        ],
    }
    if tiny.affine.neutral == INFINITY:
        encodings = (module.encode, module.encode_uncompressed, lambda p: module.encode_batch([generator, p]))
        wrong["identity"] = [lambda encode=encode: encode(module.IDENTITY) for encode in encodings]
    for match, calls in wrong.items():
        for call in calls:
            with pytest.raises(ValueError, match=match):
                call()


def test_the_identity_of_a_ladder_is_none(tmp_path):
    request = Request(
        "python", tiny_file(tmp_path, "ladder47of8"), prefix="whole", set="curve", layout="module"
    )
    files = render_plan(plan_curve(DATABASE, request, SafePlans()), request)
    module = types.ModuleType("whole")
    exec(files["whole.py"], vars(module))
    assert {module.ladder_multiply(k, None) for k in range(99)} == {None}
    for wrong in (b"", bytes(2)):
        with pytest.raises(ValueError, match="length"):
            module.decode(wrong)

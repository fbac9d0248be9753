"""Packages of curves over GF(2^m): points with operators, keys, and protocols, over both back ends."""

import importlib
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from random import Random
from types import SimpleNamespace

import pytest
from linters import OVER_C, mypy, ruff
from whole_curves import subject

from efdgen.generator.compile import Request
from efdgen.generator.files import render_plan
from efdgen.generator.planning.exported import exported

SEED = int(os.environ["EFDGEN_TEST_SEED"])

KEY = 0x09A4D6792295A7F730FC3F2B49CBC0F62E862272F
PUBLIC = 0x79AEE090DB05EC252D5CB4452F356BE198A4FF96F, 0x782E29634DDC9A31EF40386E896BAA18B53AFA5A3
SIGNATURES = {
    "sha1": "030C45B80BA0E1406C4EFBBB7000D6DE4FA465D505038D87DF89493522FC4CD7DE1553BD9DBBA2123011",
    "sha256": "0113A63990598A3828C407C0F4D2438D990DF99A7F01313A2E03F5412DDB296A22E2C455335545672D9F",
}
"""A key on sect163k1, and its signatures of "sample" (RFC 6979, A.2.8)."""


@pytest.fixture(scope="module", params=[None, "c"], ids=["pure", "c"])
def package(request, tmp_path_factory, cc):
    """A package of sect163k1, over each back end, by its modules."""
    prefix, folder = f"binary_{request.param}".lower(), tmp_path_factory.mktemp("package")
    plan = replace(subject("sect163k1").plan, prefix=prefix)
    asked = Request("python", "sect163k1", prefix=prefix, set="protocols", backend=request.param)
    for name, text in render_plan(plan, asked).items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text.replace("-O3", "-O0"))
    if request.param:
        subprocess.run([sys.executable, str(folder / prefix / "_build.py")], check=True, capture_output=True)
    names = ("", ".keys", "._curve", "._ecdsa", "._ecdh")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(folder)
        modules = [importlib.import_module(prefix + name) for name in names]
        yield SimpleNamespace(**dict(zip(("whole", "keys", "curve", "ecdsa", "ecdh"), modules, strict=True)))


@pytest.mark.slow
def test_signatures_and_exchanges(package):
    curve, ecdsa, ecdh = package.curve, package.ecdsa, package.ecdh
    public = ecdsa.public_key(KEY)
    assert curve.to_affine(public) == PUBLIC
    assert not hasattr(ecdsa, "recover")
    for name, text in SIGNATURES.items():
        signature = bytes.fromhex(text)
        assert ecdsa.sign(KEY, b"sample", name) == signature
        assert ecdsa.verify(public, b"sample", signature, name)
        wrong = [
            signature[:-1] + bytes([signature[-1] ^ 1]),
            bytes(42),
            signature + b"\0",
            signature[21:] * 2,
        ]
        assert not any(ecdsa.verify(public, b"sample", each, name) for each in wrong)
        assert not ecdsa.verify(public, b"simple", signature, name)
        assert not ecdsa.verify(curve.IDENTITY, b"sample", signature, name)
    common = subject("sect163k1").affine.multiple(7, PUBLIC)[0].to_bytes(21, "big")
    assert ecdh.exchange(7, public) == common
    assert ecdh.exchange(KEY, ecdsa.public_key(7)) == common
    x, s, z, _ = public
    wrong = curve.Point(x, s, z, 1)
    for secret, peer in ((0, public), (curve.ORDER, public), (1, curve.IDENTITY), (1, wrong)):
        with pytest.raises(ValueError, match=r"secret|subgroup"):
            ecdh.exchange(secret, peer)


@pytest.mark.slow
def test_packages_have_points_and_keys(package):
    whole, keys, own = package.whole, package.keys, subject("sect163k1")
    five = whole.GENERATOR * 5
    x, y = own.affine.multiple(5, own.generator)
    assert (five.x, five.y) == (x, y)
    same = [whole.Point(x, y), whole.Point.from_bytes(bytes(five)), whole.Point.lift_x(x, bytes(five)[0] & 1)]
    same += [
        whole.Point.from_bytes(five.to_bytes(compressed=False)),
        8 * whole.GENERATOR - 3 * whole.GENERATOR,
    ]
    assert same == [five] * 5
    assert (whole.ORDER * five).is_identity()
    assert whole.multi_multiply([2, 3], [five, whole.GENERATOR]) == whole.double_multiply(3, 2, five)
    field = own.affine.field
    assert (field.degree, field.polynomial) == (whole.M, whole.F)
    assert not hasattr(whole, "P")
    root = field.square_root(own.affine.parameters["a6"])
    for wrong in ((0, root), (x, y ^ 1), (x + (1 << whole.M), y)):
        with pytest.raises(ValueError, match="point"):
            whole.Point(*wrong)
    key = keys.derive_private_key(KEY)
    public = key.public_key()
    signature = key.sign(b"sample")
    assert keys.decode_dss_signature(signature)[0] == int(SIGNATURES["sha256"][:42], 16)
    public.verify(signature, b"sample")
    public.verify_digest(key.sign_digest(b"digest"), b"digest")
    with pytest.raises(keys.InvalidSignature):
        public.verify(signature, b"simple")
    assert key.exchange(keys.PublicKey(five)) == (KEY * five).x.to_bytes(whole.FIELD_BYTES, "big")
    assert not hasattr(public, "recover")


@pytest.mark.slow
def test_points_of_packages_are_those_of_the_module(package):
    made, own = package.curve, subject("sect163k1")
    pure, rng = own.module, Random(SEED)
    assert all(hasattr(made, export.name) for export in exported(own.plan, "python"))
    for k in (0, 1, own.plan.order - 1, rng.randrange(own.plan.order)):
        point, other = made.multiply_generator(k), pure.multiply_generator(k)
        assert made.is_on_curve(point)
        assert pure.equal(pure.decode_wire(made.encode_wire(point)), other), SEED
        assert made.equal(made.decode_wire(pure.encode_wire(other)), point), SEED
    lifted, other = (module.random_point_by_lift(Random(SEED).randbytes) for module in (made, pure))
    assert made.encode(lifted) == pure.encode(other)
    assert [made.encode(lifted)] == made.encode_batch([lifted])


@pytest.mark.slow
def test_packages_pass_the_linters_and_are_typed(package):
    folder = Path(package.whole.__file__).parents[1]
    ruff(folder, OVER_C)
    mypy(folder, "-p", package.whole.__name__)

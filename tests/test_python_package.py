"""Emitted Python packages: points with operators, keys, and input that is refused, over both back ends."""

import base64
import copy
import importlib
import json
import pickle
import subprocess
import sys

import pytest
from test_curve_python import IGNORED, LINT
from whole_curves import DATABASE

from efdgen.generator.compile import Request
from efdgen.generator.errors import EfdgenError
from efdgen.generator.planning.make import unproved
from efdgen.generator.planning.request import plan_curve, render_plan
from efdgen.verify.scalars.reasons import require_safe

SECRET = 0xC9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721
R = 0xEFD48B2AACB6A8FD1140DD9CD45E81D69D2C877B56AAF991C34D0EA84EAF3716
S = 0xF7CB1C942D657C41D436C7A1B6E29F65F3E900DBB9AFF4064DC4AB2F843ACDA8
"""A key and its signature of "sample" with SHA-256 (RFC 6979, A.2.5)."""

ED25519 = (
    "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
    "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
    "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155"
    "5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
)
"""The secret, the public key and the signature of nothing (RFC 8032, 7.1, test 1)."""

TOKEN = (
    "eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19y"
    "b290Ijp0cnVlfQ.DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q"
)
JWK = ("f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU", "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0")
"""A token and the coordinates of its key (RFC 7515, A.3)."""


def written(folder, curve, prefix, backend=None):
    """Write a package below a folder, with its extension; return its module of keys."""
    request = Request("python", curve, prefix=prefix, set="protocols", table="small", backend=backend)
    files = render_plan(plan_curve(DATABASE, request, unproved, require_safe), request)
    for name, text in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text.replace("-O3", "-O0"))
    if backend:
        subprocess.run([sys.executable, str(folder / prefix / "_build.py")], check=True, capture_output=True)
    return importlib.import_module(f"{prefix}.keys")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    found = tmp_path_factory.mktemp("packages")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(found)
        yield found


@pytest.fixture(scope="module", params=[None, "c"], ids=["pure", "c"])
def p256(request, folder, cc):
    prefix = f"package_p256_{request.param}".lower()
    keys = written(folder, "P-256", prefix, request.param)
    return importlib.import_module(prefix), keys


def test_points_are_a_group(p256):
    curve, _ = p256
    g, zero = curve.GENERATOR, curve.IDENTITY
    assert 3 * g - g == g + g == g * 2 != g
    assert -1 * g == -g
    assert curve.ORDER * g == g - g == zero
    assert zero.is_identity()
    assert not g.is_identity()
    assert len({2 * g, g + g, 5 * g - 3 * g, zero, g - g}) == 2
    assert curve.Point(g.x, g.y) == g == curve.Point.from_bytes(bytes(g))
    for p in (5 * g, zero):
        assert pickle.loads(pickle.dumps(p)) == copy.deepcopy(p) == p
    assert eval(repr(7 * g), vars(curve)) == 7 * g


def test_wrong_types_and_lengths_of_points_are_refused(p256):
    curve, _ = p256
    g = curve.GENERATOR
    for compute in (
        lambda: g + (g.x, g.y),  # noqa: RUF005 - addition has to be refused
        lambda: g + 1,
        lambda: g - b"",
        lambda: 1.0 * g,
        lambda: g * g,
        lambda: "2" * g,
        lambda: curve.Point(1.0, 2),
        lambda: curve.Point.from_bytes(bytes(g).hex()),
        lambda: curve.Point.from_bytes(33),
        lambda: tuple(g),
    ):
        with pytest.raises(TypeError):
            compute()
    assert g != (g.x, g.y)
    for encoding in (b"", bytes(g)[:-1], bytes(g) + b"\0", b"\5" + bytes(g)[1:], b"\2" + b"\xff" * 32):
        with pytest.raises(ValueError, match=r"encoded|below"):
            curve.Point.from_bytes(encoding)
    for x, y in ((g.x, g.y + 1), (g.x + curve.P, g.y), (-1, g.y)):
        with pytest.raises(ValueError, match=r"not a point|not in"):
            curve.Point(x, y)
    with pytest.raises(ValueError, match="identity"):
        curve.IDENTITY.to_bytes()


def test_ecdsa_signs_as_the_standard_and_reads_only_der(p256):
    curve, keys = p256
    private = keys.derive_private_key(SECRET)
    public, signature = private.public_key(), private.sign(b"sample")
    assert keys.decode_dss_signature(signature) == (R, S)
    public.verify(signature, b"sample")
    r, s = (b"\0" + n.to_bytes(32, "big") for n in (R, S))
    body = b"\2\x21" + r + b"\2\x21" + s
    assert signature == b"\x30" + bytes([len(body)]) + body
    wrong = {
        "nothing": b"",
        "cut": signature[:-1],
        "trailing": signature + b"\0",
        "trailing inside": b"\x30" + bytes([len(body) + 1]) + body + b"\0",
        "long length": b"\x30\x81" + signature[1:],
        "indefinite": b"\x30\x80" + body + b"\0\0",
        "negative": b"\x30\x44\2\x20" + r[1:] + b"\2\x20" + s[1:],
        "leading zero": b"\x30\x47\2\x22\0" + r + b"\2\x21" + s,
        "zero": b"\x30\6\2\1\0\2\1\0",
        "empty integer": b"\x30\x25\2\0\2\x21" + s,
        "other tag": b"\x31" + signature[1:],
        "too large": keys.encode_dss_signature(R + curve.ORDER, S),
        "enormous": keys.encode_dss_signature(1 << 300, S),
        "raw": r[1:] + s[1:],
    }
    for encoding in wrong.values():
        with pytest.raises(keys.InvalidSignature):
            public.verify(encoding, b"sample")
    with pytest.raises(keys.InvalidSignature):
        public.verify(signature, b"Sample")
    for data in ("sample", 6, None):
        with pytest.raises(TypeError):
            private.sign(data)
        with pytest.raises(TypeError):
            public.verify(signature, data)
    with pytest.raises(ValueError, match="unsupported hash"):
        private.sign(b"sample", "sha0")


def test_wrong_keys_are_refused(p256):
    curve, keys = p256
    one, two = keys.generate_private_key(), keys.generate_private_key()
    assert one.exchange(two.public_key()) == two.exchange(one.public_key())
    for secret in (0, curve.ORDER, -1):
        with pytest.raises(ValueError, match="secret"):
            keys.derive_private_key(secret)
    with pytest.raises(ValueError, match="identity"):
        keys.PublicKey(curve.IDENTITY)
    for compute in (
        lambda: keys.derive_private_key("1"),
        lambda: keys.PublicKey((1, 2)),
        lambda: one.exchange(two.public_key().point),
    ):
        with pytest.raises(TypeError):
            compute()


def _octets(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def test_a_published_token_is_verified(p256):
    curve, keys = p256
    x, y = (int.from_bytes(_octets(word), "big") for word in JWK)
    public = keys.PublicKey(curve.Point(x, y))
    head, payload, raw = TOKEN.split(".")
    r, s = (int.from_bytes(_octets(raw)[at : at + 32], "big") for at in (0, 32))
    public.verify(keys.encode_dss_signature(r, s), f"{head}.{payload}".encode())
    assert json.loads(_octets(payload))["iss"] == "joe"
    with pytest.raises(keys.InvalidSignature):
        public.verify(keys.encode_dss_signature(r, s), f"{head}.{payload}A".encode())


def test_eddsa_and_exchange_have_keys_that_refuse(folder):
    ed25519, ed448 = written(folder, "Ed25519", "package_ed25519"), written(folder, "Ed448", "package_ed448")
    secret, raw, signature = map(bytes.fromhex, ED25519)
    private = ed25519.Ed25519PrivateKey.from_private_bytes(secret)
    assert private.public_key().public_bytes_raw() == raw
    assert private.sign(b"") == signature
    public = ed25519.Ed25519PublicKey.from_public_bytes(raw)
    public.verify(signature, b"")
    for wrong in (signature[:-1], signature + b"\0", b"", signature[:32] + b"\xff" * 32):
        with pytest.raises(ed25519.InvalidSignature):
            public.verify(wrong, b"")
    for make in (ed25519.Ed25519PublicKey, ed25519.Ed25519PrivateKey):
        with pytest.raises(TypeError):
            make(secret.hex())
        with pytest.raises(ValueError, match=r"length|bytes"):
            make(secret[:-1])
    long = ed448.Ed448PrivateKey.generate()
    made = long.sign(b"m", b"c" * 255)
    long.public_key().verify(made, b"m", b"c" * 255)
    with pytest.raises(ed448.InvalidSignature):
        long.public_key().verify(made, b"m")
    for refuse in (lambda c: long.sign(b"m", c), lambda c: long.public_key().verify(made, b"m", c)):
        with pytest.raises(ValueError, match="255"):
            refuse(b"c" * 256)
    x25519 = written(folder, "Curve25519", "package_x25519")
    one, two = x25519.X25519PrivateKey.generate(), x25519.X25519PrivateKey.generate()
    assert one.exchange(two.public_key()) == two.exchange(one.public_key())
    with pytest.raises(ValueError, match="small order"):
        one.exchange(x25519.X25519PublicKey(bytes(32)))
    with pytest.raises(TypeError):
        one.exchange(bytes(two.public_key().public_bytes_raw()))
    for make in (x25519.X25519PublicKey, x25519.X25519PrivateKey):
        with pytest.raises(ValueError, match="32 bytes"):
            make(bytes(33))


def test_packages_pass_a_strict_project(folder, p256):
    for curve in ("Ed448", "Curve25519"):
        written(folder, curve, f"package_{curve.lower()}_strict")
    names = [path.name for path in folder.iterdir() if path.is_dir() and (path / "py.typed").exists()]
    words = [word for name in names for word in ("-p", name)]
    lint = [
        "ruff",
        "check",
        "--isolated",
        "--line-length=110",
        f"--select={LINT}",
        f"--ignore={IGNORED},ANN401,N802,N803",
    ]
    for command in (["mypy", "--strict", *words], [*lint, *names]):
        done = subprocess.run(
            [sys.executable, "-m", *command], check=False, capture_output=True, text=True, cwd=folder
        )
        assert done.returncode == 0, done.stdout + done.stderr


def test_kernels_alone_are_no_package():
    with pytest.raises(EfdgenError, match="--set curve"):
        Request("python", "P-256", layout="package").require_layout()

"""Emitted Python packages: points with operators, keys, and input that is refused, over both back ends."""

import base64
import copy
import importlib
import json
import pickle
import subprocess
import sys

import pytest
from linters import OVER_C, mypy, ruff
from whole_curves import DATABASE, MONTGOM, tiny_file

from efdgen.generator.compile import Request
from efdgen.generator.curves.affine import AffineCurve
from efdgen.generator.errors import EfdgenError
from efdgen.generator.files import render_plan
from efdgen.generator.planning.request import plan_curve
from efdgen.verify.plan_proofs import SafePlans

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

B = 0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B
"""The parameter b of P-256."""

TOKEN = (
    "eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19y"
    "b290Ijp0cnVlfQ.DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q"
)
JWK = ("f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU", "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0")
"""A token and the coordinates of its key (RFC 7515, A.3)."""


def written(folder, curve, prefix, backend=None):
    """Write a package below a folder, with its extension; return its module of keys."""
    request = Request("python", curve, prefix=prefix, set="protocols", table="small", backend=backend)
    files = render_plan(plan_curve(DATABASE, request, SafePlans()), request)
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


def test_wrong_numbers_of_points_and_wrong_keys_are_named(p256):
    curve, keys = p256
    g = curve.GENERATOR
    with pytest.raises(ValueError, match="1 scalars for 2 points"):
        curve.multi_multiply([1], [g, g])
    off_curve = next(x for x in range(1, 99) if pow(x**3 - 3 * x + B, (curve.P - 1) // 2, curve.P) != 1)
    with pytest.raises(ValueError, match=r"no point has this coordinate|not an encoded point"):
        keys.PublicKey.from_encoded_point(b"\2" + off_curve.to_bytes(32, "big"))
    private = keys.derive_private_key(SECRET)
    assert repr(private) == "<PrivateKey>"
    assert repr(private.public_key()) == f"<PublicKey {private.public_key().public_bytes_raw().hex()}>"


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
    for unknown in ("sha0", "shake_128"):
        for compute in (
            lambda name: private.sign(b"sample", name),
            lambda name: public.verify(signature, b"sample", name),
        ):
            with pytest.raises(ValueError, match="unsupported hash"):
                compute(unknown)


def test_keys_are_immutable(p256):
    curve, keys = p256
    private = keys.derive_private_key(SECRET)
    public = private.public_key()
    assert (private.private_value, public.point) == (SECRET, SECRET * curve.GENERATOR)
    assert hash(public) == hash(keys.PublicKey(SECRET * curve.GENERATOR))
    for change in (
        lambda: setattr(private, "private_value", 1),
        lambda: setattr(public, "point", curve.GENERATOR),
        lambda: setattr(curve.GENERATOR, "x", 1),
        lambda: setattr(curve.GENERATOR, "z", 1),
    ):
        with pytest.raises(AttributeError):
            change()


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


@pytest.mark.slow
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
    again = x25519.X25519PublicKey(one.public_key().public_bytes_raw())
    assert len({one.public_key(), again, two.public_key()}) == 2
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
    for name in names:
        ruff(folder / name, OVER_C)
    mypy(folder, *(word for name in names for word in ("-p", name)))


def test_kernels_alone_are_no_package():
    with pytest.raises(EfdgenError, match="--set curve"):
        Request("python", "P-256", layout="package").require_layout()


TINY = {"prime": "jacobian", "twisted": "extended-1", "edwards": "inverted", "montgom": None}


@pytest.mark.slow
@pytest.mark.parametrize("name", TINY)
def test_points_of_tiny_curves_are_the_group(name, folder):
    """All sums, differences and multiples, by the affine law."""
    package, affine = tiny_package(folder, name)
    finite = [*affine.all_points()]
    points = {point: package.Point(*point) for point in finite}
    points[affine.neutral] = package.IDENTITY
    for p, ours in points.items():
        assert ours.is_identity() == (p == affine.neutral)
        assert -ours == points[affine.negate(p)]
        assert pickle.loads(pickle.dumps(ours)) == eval(repr(ours), vars(package)) == ours
        assert ours.is_in_subgroup() == (affine.multiple(package.ORDER, p) == affine.neutral)
        assert ours.clear_cofactor() == points[affine.multiple(package.COFACTOR, p)]
        for k in range(-3, 2 * package.ORDER):
            expected = points[affine.multiple(k % (package.COFACTOR * package.ORDER), p)]
            assert k * ours == ours * k == expected, (k, p)
            assert hash(k * ours) == hash(expected)
        for q, other in points.items():
            assert ours + other == points[affine.add(p, q)], (p, q)
            assert ours - other == points[affine.add(p, affine.negate(q))], (p, q)
            assert (ours == other) == (p == q)
    lift = getattr(package.Point, "lift_x", None) or package.Point.lift_y
    given, other = (0, 1) if hasattr(package.Point, "lift_x") else (1, 0)
    for value in range(package.P):
        for odd in (0, 1):
            wanted = [p for p in finite if p[given] == value and p[other] & 1 == odd]
            if wanted:
                assert [lift(value, odd)] == [points[p] for p in wanted]
            else:
                with pytest.raises(ValueError, match=r"no point|has no odd"):
                    lift(value, odd)
    with pytest.raises(ValueError, match="0 or 1"):
        lift(1, 2)


def tiny_package(folder, name):
    """Return the package of a tiny curve, and the curve's affine law."""
    if name == "montgom":
        (path := folder / "montgom.toml").write_text(MONTGOM)
    else:
        path = tiny_file(folder, name)
    request = Request("python", str(path), TINY[name], prefix=f"tiny_{name}", set="curve", table="small")
    plan = plan_curve(DATABASE, request, SafePlans())
    for file, text in render_plan(plan, request).items():
        (folder / file).parent.mkdir(exist_ok=True)
        (folder / file).write_text(text)
    affine = AffineCurve(DATABASE.model(plan.curve.model), plan.curve.field, plan.curve.parameters)
    return importlib.import_module(request.prefix), affine


@pytest.mark.parametrize("backend", [None, "c"])
def test_x_coordinates_are_checked(folder, backend, cc):
    written(folder, "Curve25519", f"package_x_{backend}".lower(), backend)
    curve = importlib.import_module(f"package_x_{backend}".lower())
    g, n = curve.GENERATOR, curve.ORDER
    assert curve.decode(curve.encode(g.x)) == g.x == 9
    assert curve.x_multiply(5, 9) == (5 * g).x == (g + 2 * g + 2 * g).x
    assert (n - 1) * g == -g
    assert curve.x_multiply(n, 9) == 0
    for compute in (
        lambda: curve.x_multiply(-1, 9),
        lambda: curve.x_multiply(1 << 256, 9),
        lambda: curve.x_multiply(1, curve.P),
        lambda: curve.encode(-1),
        lambda: curve.encode(curve.P),
        lambda: curve.decode(bytes(31)),
        lambda: curve.decode(b"\xff" * 32),
        lambda: curve.IDENTITY.x,
        lambda: curve.Point(9, 1),
    ):
        with pytest.raises(ValueError, match=r"\S"):
            compute()
    for compute in (
        lambda: curve.x_multiply(1.0, 9),
        lambda: curve.x_multiply(1, "9"),
        lambda: curve.encode("9"),
        lambda: curve.decode("9" * 32),
        lambda: g + g.x,
        lambda: g * g,
    ):
        with pytest.raises(TypeError):
            compute()


def test_sums_of_multiples_and_encodings(p256):
    curve, _ = p256
    g, n = curve.GENERATOR, curve.ORDER
    points, scalars = [g, 3 * g, curve.IDENTITY, -g], [5, -7, 9, n + 2]
    assert curve.multi_multiply(scalars, points) == (5 - 21 - 2) * g
    assert curve.multi_multiply([], []) == curve.IDENTITY
    assert curve.double_multiply(-1, 2, 3 * g) == 5 * g
    long = g.to_bytes(compressed=False)
    assert long == b"\4" + g.x.to_bytes(32, "big") + g.y.to_bytes(32, "big")
    assert curve.Point.from_bytes(long) == curve.Point.from_bytes(bytearray(bytes(g))) == g
    with pytest.raises(ValueError, match=r"\S"):
        curve.multi_multiply([1], [])
    for compute in (
        lambda: curve.multi_multiply([1.0], [g]),
        lambda: curve.multi_multiply([1], [(g.x, g.y)]),
        lambda: curve.double_multiply(1, 1, None),
        lambda: curve.double_multiply("1", 1, g),
        lambda: curve.Point.lift_x("1", 0),
    ):
        with pytest.raises(TypeError):
            compute()
    assert all(0 < curve.random_scalar() < n for _ in range(3))


@pytest.mark.slow
def test_messages_in_points_and_elgamal(folder):
    written(folder, "Ed25519", "package_elgamal")
    curve, elgamal = (importlib.import_module(f"package_elgamal{name}") for name in ("", ".elgamal"))
    message = bytes(range(curve.MESSAGE_BYTES))
    assert curve.extract(curve.embed(message)) == message
    for embed in (curve.embed, elgamal.embed):
        with pytest.raises(ValueError, match="message"):
            embed(b"short")
        with pytest.raises(TypeError):
            embed("text")
    secret, point = curve.random_scalar(), elgamal.embed(bytes(elgamal.EMBED_BYTES))
    first, second = elgamal.encrypt(secret * curve.GENERATOR, point)
    assert second - secret * first == point
    assert elgamal.decrypt(secret, (first, second)) == point
    assert elgamal.extract(point) == bytes(elgamal.EMBED_BYTES)
    for wrong in (0, curve.ORDER, -1):
        with pytest.raises(ValueError, match="secret"):
            elgamal.decrypt(wrong, (first, second))
    for compute in (
        lambda: elgamal.encrypt((1, 2), point),
        lambda: elgamal.extract(None),
        lambda: elgamal.decrypt("1", (first, second)),
        lambda: elgamal.decrypt(1, (first, 2)),
    ):
        with pytest.raises(TypeError):
            compute()

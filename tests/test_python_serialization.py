"""Keys of emitted Python packages in PEM, DER and JSON Web Keys, beside those of the package cryptography."""

import importlib
from functools import cache

import pytest
from cryptography.hazmat.primitives import serialization as formats
from cryptography.hazmat.primitives.asymmetric import ec, ed448, ed25519, x448, x25519
from test_python_package import written

CURVES = {
    "P-256": ec.SECP256R1,
    "P-521": ec.SECP521R1,
    "secp256k1": ec.SECP256K1,
    "brainpoolP384r1": ec.BrainpoolP384R1,
    "edwards25519": ed25519.Ed25519PrivateKey,
    "Ed448": ed448.Ed448PrivateKey,
    "Curve25519": x25519.X25519PrivateKey,
    "Curve448": x448.X448PrivateKey,
}
PLAIN = formats.NoEncryption()
# Keys of RFC 7517, A.2, of RFC 8037, A.1, and the public key of A.6 there.
JWKS = {
    "P-256": {
        "kty": "EC",
        "crv": "P-256",
        "x": "MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4",
        "y": "4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM",
        "d": "870MB6gfuTJ4HtUnUvYMyJpr5eUZNP4Bk43bVdj3eAE",
    },
    "edwards25519": {
        "kty": "OKP",
        "crv": "Ed25519",
        "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
        "d": "nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A",
    },
    "Curve25519": {"kty": "OKP", "crv": "X25519", "x": "3p7bfXt9wbTTW2HC7OQ1Nz-DQ8hbeGdNrfx-FG-IK08"},
}


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    """Return what writes a curve's package once, and returns its keys and serialization."""
    folder = tmp_path_factory.mktemp("serialized")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(folder)

        @cache
        def module(curve):
            prefix = f"serialized_{curve.lower().replace('-', '')}"
            return written(folder, curve, prefix), importlib.import_module(f"{prefix}.serialization")

        yield module


def new(curve, keys):
    """Return a new key, and the key of the same secret in the package cryptography."""
    kind = CURVES[curve]
    if issubclass(kind, ec.EllipticCurve):
        key = keys.generate_private_key()
        return key, ec.derive_private_key(key.private_value, kind())
    theirs = kind.generate()
    private = getattr(keys, kind.__name__)
    return private(theirs.private_bytes_raw()), theirs


@pytest.mark.slow
@pytest.mark.drawn(3)
@pytest.mark.parametrize("curve", CURVES)
def test_keys_are_written_as_cryptography_writes_them(curve, package):
    keys, serialized = package(curve)
    key, theirs = new(curve, keys)
    private, public = formats.PrivateFormat.PKCS8, formats.PublicFormat.SubjectPublicKeyInfo
    for kind, write in (("pem", serialized.to_pem), ("der", serialized.to_der)):
        encoding = getattr(formats.Encoding, kind.upper())
        assert write(key) == theirs.private_bytes(encoding, private, PLAIN)
        assert write(key.public_key()) == theirs.public_key().public_bytes(encoding, public)
        load = getattr(serialized, f"load_{kind}_private_key")
        encrypted = write(key, b"password")
        assert write(load(write(key))) == write(load(encrypted, b"password")) == write(key)
        with pytest.raises(TypeError):
            load(encrypted)
        with pytest.raises(ValueError, match=r".+"):
            load(encrypted, b"other")
        assert getattr(serialized, f"load_{kind}_public_key")(write(key.public_key())) == key.public_key()
        with pytest.raises(ValueError, match="a public key has no password"):
            write(key.public_key(), b"password")
        with pytest.raises(TypeError, match="expected a key, not int"):
            write(1)


@pytest.mark.slow
@pytest.mark.drawn(2)
@pytest.mark.parametrize("curve", CURVES)
def test_other_keys_and_other_data_are_refused(curve, package):
    _, serialized = package(curve)
    others = [ec.generate_private_key(ec.SECP384R1()), ed25519.Ed25519PrivateKey.generate()]
    if curve == "edwards25519":
        others[1] = x25519.X25519PrivateKey.generate()
    for other in others:
        text = other.private_bytes(formats.Encoding.PEM, formats.PrivateFormat.PKCS8, PLAIN)
        with pytest.raises(ValueError, match="not a private key of"):
            serialized.load_pem_private_key(text)
        with pytest.raises(ValueError, match=r".+"):
            serialized.load_pem_public_key(text)
        public = other.public_key().public_bytes(
            formats.Encoding.DER, formats.PublicFormat.SubjectPublicKeyInfo
        )
        with pytest.raises(ValueError, match="not a public key of"):
            serialized.load_der_public_key(public)
        with pytest.raises(ValueError, match=r".+"):
            serialized.load_der_public_key(public[:-1])
    for data in (b"", b"-----BEGIN PRIVATE KEY-----\n", bytes(99)):
        with pytest.raises(ValueError, match=r".+"):
            serialized.load_pem_private_key(data)


@pytest.mark.slow
@pytest.mark.parametrize("curve", JWKS)
def test_published_keys_are_json_web_keys(curve, package):
    _, serialized = package(curve)
    jwk = JWKS[curve]
    assert serialized.to_jwk(serialized.from_jwk(jwk)) == jwk
    public = {name: text for name, text in jwk.items() if name != "d"}
    key = serialized.from_jwk(public)
    assert serialized.to_jwk(key) == public
    assert "d" not in jwk or serialized.from_jwk(jwk).public_key() == key


@pytest.mark.slow
@pytest.mark.parametrize("curve", ["P-256", "edwards25519"])
def test_malformed_json_web_keys_are_refused(curve, package):
    _, serialized = package(curve)
    jwk = JWKS[curve]
    other = serialized.to_jwk(new(curve, package(curve)[0])[0])
    wrong = [{}, {**jwk, "kty": "RSA"}, {**jwk, "crv": "P-384"}, {**jwk, "d": other["d"]}]
    for name in {"x", "y", "d"} & jwk.keys():
        text = jwk[name]
        # Bits after the last byte, padding, a shorter and a longer number, other alphabets and types.
        texts = (
            f"{text[:-1]}{chr(ord(text[-1]) + 1)}",
            f"{text}=",
            text[:-2],
            f"AA{text}",
            f"{text[:-1]}+",
            7,
        )
        wrong += [{**jwk, name: given} for given in (*texts, "", None)]
    for given in wrong:
        with pytest.raises(ValueError, match=r".+"):
            serialized.from_jwk(given)
    with pytest.raises(TypeError, match="expected a key, not str"):
        serialized.to_jwk("key")
    with pytest.raises(TypeError, match="expected a mapping, not NoneType"):
        serialized.from_jwk(None)


def test_curves_of_no_format_have_no_keys_in_files(package):
    with pytest.raises(ModuleNotFoundError, match="serialization"):
        package("secp160r1")

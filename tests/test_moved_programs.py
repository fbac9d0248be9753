"""Programs written for the package cryptography, and emitted keys in its place: results of both agree.

py-minisign signs release files with Ed25519. Its sources are copied, and three lines of imports and two calls
are replaced.
"""

import importlib
import re
from pathlib import Path
from types import ModuleType

import minisign
import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import ec, ed448, x448, x25519
from cryptography.hazmat.primitives.hashes import SHA256, SHA512
from test_python_package import written

KEYS = "moved_ed25519"
LINES = {
    "from cryptography.hazmat.primitives.asymmetric import ed25519": f"from {KEYS} import keys as ed25519",
    "from cryptography.exceptions import InvalidSignature": f"from {KEYS}.keys import InvalidSignature",
}
CALL = re.compile(
    r"\.(private_bytes|public_bytes)\(\s*encoding=.*?Raw,\s*format=.*?Raw,(?:[^()]*\(\),)?\s*\)"
)

PUBLISHED = (
    "RWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3",
    "untrusted comment: signature from minisign secret key\n"
    "RWQf6LRCGA9i59SLOFxz6NxvASXDJeRtuZykwQepbDEGt87ig1BNpWaVWuNrm73YiIiJbq71Wi+dP9eKL8OC351vwIasSSbXxwA=\n"
    "trusted comment: timestamp:1555779966\tfile:test\n"
    "QtKMXWyYcwdpZAlPF7tE2ENJkRd1ujvKjlj1m9RtHTBnZPa5WKU5uWRs5GoP5M/VqE81QFuMKI5k/SfNQUaOAA==",
)
"""A key of minisign, and its signature of "test", as minisign's documentation has them."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    found = tmp_path_factory.mktemp("moved")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(found)
        yield found


@pytest.fixture(scope="module")
def programs(folder) -> dict[str, ModuleType]:
    """The program as it is published, and as it is moved to emitted keys."""
    written(folder, "Ed25519", KEYS)
    copy = folder / "moved_minisign"
    copy.mkdir()
    edits = 0
    for path in sorted(Path(minisign.__file__).parent.glob("*.py")):
        text = path.read_text()
        for before, after in LINES.items():
            edits += text.count(before)
            text = text.replace(before, after)
        text, calls = CALL.subn(r".\1_raw()", text)
        edits += calls
        (copy / path.name).write_text(text)
    assert edits == 6, "another version of the program has other lines"
    return {"published": minisign, "moved": importlib.import_module("moved_minisign")}


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.parametrize(("signer", "verifier"), [("moved", "published"), ("published", "moved")])
@pytest.mark.parametrize("prehash", [True, False])
def test_release_files_signed_by_one_are_verified_by_the_other(programs, signer, verifier, prehash, tmp_path):
    (release := tmp_path / "release.tar").write_bytes(bytes(range(256)) * 5)
    signs, verifies = programs[signer], programs[verifier]
    pair = signs.KeyPair.generate()
    secret, public = bytes(pair.secret_key), bytes(pair.public_key)
    options = {"prehash": prehash, "trusted_comment": "release 1.0"}
    signature = bytes(pair.secret_key.sign(release.read_bytes(), **options))
    again = verifies.SecretKey.from_bytes(secret).sign(release.read_bytes(), **options)
    assert bytes(again) == signature, "Ed25519 is deterministic"
    (tmp_path / "release.tar.minisig").write_bytes(signature)
    verifies.PublicKey.from_bytes(public).verify_file(release)
    release.write_bytes(release.read_bytes() + b"\0")
    with pytest.raises(verifies.VerifyError):
        verifies.PublicKey.from_bytes(public).verify_file(release)


@pytest.mark.slow
@pytest.mark.parametrize("program", ["moved", "published"])
def test_the_published_signature_and_no_other_is_verified(programs, program):
    found = programs[program]
    key, text = found.PublicKey.from_base64(PUBLISHED[0]), PUBLISHED[1]
    key.verify(b"test", found.Signature.from_bytes(text.encode()))
    for before, after in (("ig1B", "ig1C"), ("file:test", "file:tesT"), ("NQUaO", "NQUbO")):
        assert before in text
        with pytest.raises(found.VerifyError):
            key.verify(b"test", found.Signature.from_bytes(text.replace(before, after).encode()))
    with pytest.raises(found.VerifyError):
        key.verify(b"Test", found.Signature.from_bytes(text.encode()))


@pytest.mark.slow
@pytest.mark.parametrize(("name", "theirs"), [("P-256", ec.SECP256R1()), ("secp256k1", ec.SECP256K1())])
def test_ecdsa_and_ecdh_agree_with_cryptography(folder, name, theirs):
    keys = written(folder, name, f"moved_{name.replace('-', '').lower()}")
    point = importlib.import_module(keys.__package__).Point
    peer = ec.generate_private_key(theirs)
    ours = keys.derive_private_key(peer.private_numbers().private_value)
    numbers = peer.public_key().public_numbers()
    public = keys.PublicKey(point(numbers.x, numbers.y))
    assert ours.public_key() == public
    for hash_name, algorithm in (("sha256", SHA256()), ("sha512", SHA512())):
        signature = ours.sign(b"data", hash_name)
        peer.public_key().verify(signature, b"data", ec.ECDSA(algorithm))
        public.verify(peer.sign(b"data", ec.ECDSA(algorithm)), b"data", hash_name)
        for wrong in (signature[:-1], signature + b"\0", b"\x30\x81" + signature[1:]):
            with pytest.raises(InvalidSignature):
                peer.public_key().verify(wrong, b"data", ec.ECDSA(algorithm))
            with pytest.raises(keys.InvalidSignature):
                public.verify(wrong, b"data", hash_name)
    other = ec.generate_private_key(theirs)
    encoded = keys.derive_private_key(other.private_numbers().private_value).public_key().public_bytes_raw()
    assert ours.exchange(keys.PublicKey.from_encoded_point(encoded)) == peer.exchange(
        ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(theirs, encoded)
    )


@pytest.mark.parametrize(
    ("curve", "name", "theirs"), [("Curve25519", "X25519", x25519), ("Curve448", "X448", x448)]
)
def test_key_exchange_agrees_with_cryptography(folder, curve, name, theirs):
    keys = written(folder, curve, f"moved_{name.lower()}")
    ours = getattr(keys, f"{name}PrivateKey").generate()
    own_class, public_class = (getattr(theirs, f"{name}{kind}") for kind in ("PrivateKey", "PublicKey"))
    peer = own_class.generate()
    received = getattr(keys, f"{name}PublicKey").from_public_bytes(peer.public_key().public_bytes_raw())
    sent = public_class.from_public_bytes(ours.public_key().public_bytes_raw())
    assert ours.exchange(received) == peer.exchange(sent)
    assert own_class.from_private_bytes(ours.private_bytes_raw()).public_key() == sent


@pytest.mark.slow
def test_ed448_agrees_with_cryptography(folder):
    keys = written(folder, "Ed448", "moved_ed448")
    ours = keys.Ed448PrivateKey.generate()
    peer = ed448.Ed448PrivateKey.from_private_bytes(ours.private_bytes_raw())
    assert ours.sign(b"data") == peer.sign(b"data")
    assert ours.public_key().public_bytes_raw() == peer.public_key().public_bytes_raw()

"""Protocols over whole curves in Python, on the vectors of RFC 7748, 8032, 6979, 7027 and of NIST."""

import hashlib
from random import Random

import pytest
from protocol_vectors import (
    HASHES,
    NIST,
    VECTORS,
    der_integers,
    ed448_vectors,
    ed25519_vectors,
    private_key,
    records,
    rfc6979,
)
from whole_curves import protocol_modules


def test_ed25519():
    scheme = protocol_modules("edwards25519")["eddsa"]
    vectors = ed25519_vectors()
    assert len(vectors) == 16
    for secret, public, message, signature in vectors:
        assert scheme.public_key(secret) == public
        assert scheme.sign(secret, message) == signature
        assert scheme.sign(scheme.signing_key(secret), message) == signature
        assert scheme.verify(public, message, signature)
        assert not scheme.verify(public, message + b"x", signature)


def test_ed448():
    scheme = protocol_modules("Ed448")["eddsa"]
    vectors = ed448_vectors()
    assert len(vectors) > 5
    for secret, public, message, signature, context in vectors:
        assert scheme.public_key(secret) == public
        assert scheme.sign(secret, message, context) == signature
        assert scheme.sign(scheme.signing_key(secret), message, context) == signature
        assert scheme.verify(public, message, signature, context)
        assert not scheme.verify(public, message, signature, context + b"x")
    with pytest.raises(ValueError, match="255"):
        scheme.sign(bytes(57), b"", bytes(256))


@pytest.mark.parametrize("curve", ["edwards25519", "Ed448"])
def test_malformed_signatures(curve):
    modules = protocol_modules(curve)
    scheme, group = modules["eddsa"], modules["curve"]
    secret = bytes(range(scheme.SECRET_BYTES))
    public, size = scheme.public_key(secret), group.ENCODED_BYTES
    signature = scheme.sign(secret, b"m")
    s = int.from_bytes(signature[size:], "little")
    assert scheme.verify(public, b"m", signature)
    larger = (s + group.ORDER).to_bytes(size, "little")
    for wrong in (signature[:-1], signature + b"\0", signature[:size] + larger, bytes(2 * size)):
        assert not scheme.verify(public, b"m", wrong)
    for bad in (public[1:], b"\xff" * size, bytes([public[0] ^ 1]) + public[1:]):
        assert not scheme.verify(bad, b"m", signature)
    with pytest.raises(ValueError, match="bytes"):
        scheme.sign(secret[1:], b"m")


@pytest.mark.parametrize(("curve", "name"), [("curve25519", "X25519"), ("curve448", "X448")])
def test_exchange_of_keys(curve, name):
    modules = protocol_modules(curve)
    exchange = modules["exchange"]
    rows = records(VECTORS / name / "rfc7748.txt", "COUNT")
    assert len(rows) >= 3
    for row in rows:
        scalar, u, expected = (bytes.fromhex(row[key]) for key in ("INPUT_SCALAR", "INPUT_U", "OUTPUT_U"))
        assert exchange.exchange(scalar, u) == expected
    ours, theirs = bytes(range(len(scalar))), bytes(range(1, len(scalar) + 1))
    common = exchange.exchange(ours, exchange.public_key(theirs))
    assert common == exchange.exchange(theirs, exchange.public_key(ours))
    prime = int(modules["curve"].P)
    for small in (0, 1, prime - 1, prime, prime + 1):
        with pytest.raises(ValueError, match="small order"):
            exchange.exchange(ours, small.to_bytes(len(scalar), "little"))
    with pytest.raises(ValueError, match="bytes"):
        exchange.exchange(ours[1:], common)
    with pytest.raises(ValueError, match="bytes"):
        exchange.exchange(ours, common[1:])


def test_x25519_takes_what_is_not_canonical():
    exchange = protocol_modules("curve25519")["exchange"]
    secret, nine = bytes(range(32)), (9).to_bytes(32, "little")
    same = ((9 + 2**255 - 19) % 2**256).to_bytes(32, "little")
    high = bytes([*nine[:-1], 0x80])
    assert (
        exchange.exchange(secret, same) == exchange.exchange(secret, nine) == exchange.exchange(secret, high)
    )


def test_iterated_x25519():
    """RFC 7748, 5.2: the result of each round is the next scalar, and the scalar the next u."""
    exchange = protocol_modules("curve25519")["exchange"]
    k = u = (9).to_bytes(32, "little")
    for count in range(100):
        k, u = exchange.exchange(k, u), k
        if count == 0:
            assert k.hex() == "422c8e7a6227d7bca1350b3e2bb7279f7897b87bb6854b783c60e80311ae3079"
    group = protocol_modules("curve25519")["curve"]
    assert group.x_multiply(group.ORDER, 9) == 0


@pytest.mark.parametrize("curve", NIST)
@pytest.mark.slow
def test_deterministic_ecdsa(curve):
    modules = protocol_modules(curve)
    scheme, group = modules["ecdsa"], modules["curve"]
    rows = [row for row in rfc6979() if row[0] == curve]
    assert len(rows) == 10
    for _, pem, hash_name, message, output in rows:
        secret = private_key(pem, scheme.ORDER_BYTES)
        signature = scheme.sign(secret, message.encode(), hash_name.lower())
        expected = b"".join(n.to_bytes(scheme.ORDER_BYTES, "big") for n in der_integers(output))
        assert signature == expected, hash_name
        public = scheme.public_key(secret)
        assert scheme.verify(public, message.encode(), signature, hash_name.lower())
        assert not scheme.verify(group.negate(public), message.encode(), signature, hash_name.lower())


@pytest.mark.parametrize("curve", NIST)
def test_ecdsa_of_nist(curve):
    modules = protocol_modules(curve)
    scheme, group = modules["ecdsa"], modules["curve"]
    rows = [
        r for r in records(VECTORS / "ECDSA/FIPS_186-3/SigVer.rsp", "Msg") if r[""].startswith(f"{curve},")
    ]
    seen = set()
    for row in rows[::4] if curve == "P-521" else rows[::2]:
        name = HASHES[row[""].partition(",")[2]]
        x, y, r, s = (int(row[key], 16) for key in ("Qx", "Qy", "R", "S"))
        size = scheme.ORDER_BYTES
        verdict = row["Result"].startswith("P")
        try:
            public = group.from_affine(x, y)
        except ValueError:
            assert not verdict
            continue
        signature = r.to_bytes(size, "big") + s.to_bytes(size, "big")
        assert scheme.verify(public, bytes.fromhex(row["Msg"]), signature, name) == verdict, row
        seen.add(verdict)
    assert seen == {True, False}


def test_ecdsa_on_secp256k1():
    modules = protocol_modules("secp256k1")
    scheme, group = modules["ecdsa"], modules["curve"]
    rows = records(VECTORS / "ECDSA/SECP256K1/SigGen.txt", "Msg")
    assert len(rows) > 20
    for row in rows[::3]:
        secret, x, y, r, s = (int(row[key], 16) for key in ("d", "Qx", "Qy", "R", "S"))
        public = scheme.public_key(secret)
        assert group.equal(public, group.from_affine(x, y))
        signature = r.to_bytes(32, "big") + s.to_bytes(32, "big")
        name = HASHES[row[""].partition(",")[2]]
        assert scheme.verify(public, bytes.fromhex(row["Msg"]), signature, name)
        for wrong in (signature[1:], bytes(64), signature[:32] + group.ORDER.to_bytes(32, "big")):
            assert not scheme.verify(public, bytes.fromhex(row["Msg"]), wrong, name)
    for wrong in (0, group.ORDER):
        with pytest.raises(ValueError, match="secret"):
            scheme.sign(wrong, b"")
    assert not scheme.verify(group.IDENTITY, b"", signature)


@pytest.mark.parametrize("curve", NIST)
def test_public_keys_of_nist(curve):
    group = protocol_modules(curve)["curve"]
    rows = [r for r in records(VECTORS / "ECDSA/FIPS_186-3/PKV.rsp", "Qx") if r[""] == curve]
    verdicts = []
    for row in rows:
        try:
            group.validate(group.from_affine(int(row["Qx"], 16), int(row["Qy"], 16)))
            verdicts.append("P")
        except ValueError:
            verdicts.append("F")
    assert verdicts == [row["Result"][0] for row in rows]
    assert {"P", "F"} == set(verdicts)


@pytest.mark.parametrize("curve", NIST)
def test_ecdh_of_nist(curve):
    modules = protocol_modules(curve)
    exchange, group = modules["ecdh"], modules["curve"]
    section = {"P-256": "EC", "P-384": "ED", "P-521": "EE"}[curve]
    path = VECTORS / "ECDH/KASValidityTest_ECCStaticUnified_NOKC_ZZOnly_init.fax"
    rows = [row for row in records(path, "COUNT") if row[""].startswith(f"{section} - ")]
    assert len(rows) > 20
    verdicts = []
    for row in rows[:12]:
        x, y, secret = (int(row[key], 16) for key in ("QsCAVSx", "QsCAVSy", "dsIUT"))
        name = HASHES[row[""].partition(" - ")[2].replace("SHA", "SHA-")]
        try:
            common = exchange.exchange(secret, group.from_affine(x, y))
            own = group.to_affine(group.multiply_generator(secret))
            right = tuple(own) == (int(row["QsIUTx"], 16), int(row["QsIUTy"], 16))
            right = right and hashlib.new(name, common).hexdigest() == row["CAVSHashZZ"].lower()
        except ValueError:
            right = False
        assert right == row["Result"].startswith("P"), row
        verdicts.append(right)
    assert set(verdicts) == {True, False}


def test_ecdh_on_brainpool_p256r1():
    modules = protocol_modules("brainpoolP256r1")
    exchange, group = modules["ecdh"], modules["curve"]
    row = next(r for r in records(VECTORS / "ECDH/brainpool.txt", "COUNT") if r["curve"] == "brainpoolP256r1")
    number = {key: int(value, 16) for key, value in row.items() if key not in ("", "COUNT", "curve")}
    a, b = (group.multiply_generator(number[key]) for key in ("dA", "dB"))
    assert tuple(group.to_affine(a)) == (number["x_qA"], number["y_qA"])
    assert tuple(group.to_affine(b)) == (number["x_qB"], number["y_qB"])
    common = number["x_Z"].to_bytes(32, "big")
    assert exchange.exchange(number["dA"], b) == exchange.exchange(number["dB"], a) == common
    with pytest.raises(ValueError, match="subgroup"):
        exchange.exchange(1, group.IDENTITY)
    with pytest.raises(ValueError, match="secret"):
        exchange.exchange(0, a)


@pytest.mark.parametrize("curve", ["secp256k1", "edwards25519"])
def test_messages_in_points(curve):
    modules = protocol_modules(curve)
    scheme, group = modules["elgamal"], modules["curve"]
    random_bytes = Random(11).randbytes
    secret = group.random_scalar(random_bytes)
    public = group.multiply_generator(secret)
    for message in (
        bytes(scheme.EMBED_BYTES),
        b"\xff" * scheme.EMBED_BYTES,
        random_bytes(scheme.EMBED_BYTES),
    ):
        point = scheme.embed(message)
        assert group.is_in_subgroup(point)
        ciphertext = scheme.encrypt(public, point, random_bytes)
        assert scheme.extract(scheme.decrypt(secret, ciphertext)) == message
        assert not group.equal(ciphertext[1], point)
    with pytest.raises(ValueError, match="bytes"):
        scheme.embed(bytes(scheme.EMBED_BYTES + 1))
    with pytest.raises(ValueError, match="no message"):
        scheme.extract(group.GENERATOR)

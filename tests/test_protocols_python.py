"""Protocols in Python: what their errors name, keys that are expanded once, and messages in points."""

import pytest
from protocol_vectors import ed448_vectors, ed25519_vectors
from whole_curves import protocol_modules

REFUSALS = [
    ("edwards25519", "bytes", lambda m: m["eddsa"].sign(bytes(31), b"m")),
    ("Ed448", "bytes", lambda m: m["eddsa"].sign(bytes(56), b"m")),
    ("Ed448", "255", lambda m: m["eddsa"].sign(bytes(57), b"", bytes(256))),
    *(
        (curve, match, lambda m, secret=secret, owner=owner: m["exchange"].exchange(secret, owner))
        for curve, size in (("curve25519", 32), ("curve448", 56))
        for match, secret, owner in (
            ("small order", bytes(size), bytes(size)),
            ("bytes", bytes(size - 1), b"\5" * size),
            ("bytes", bytes(size), b"\5" * (size - 1)),
        )
    ),
    ("secp256k1", "secret", lambda m: m["ecdsa"].sign(0, b"")),
    ("secp256k1", "secret", lambda m: m["ecdsa"].sign(m["curve"].ORDER, b"")),
    ("secp256k1", "secret", lambda m: m["ecdh"].exchange(0, m["curve"].GENERATOR)),
    ("secp256k1", "subgroup", lambda m: m["ecdh"].exchange(1, m["curve"].IDENTITY)),
    *(
        case
        for curve in ("secp256k1", "edwards25519")
        for case in (
            (curve, "bytes", lambda m: m["elgamal"].embed(bytes(m["elgamal"].EMBED_BYTES + 1))),
            (curve, "no message", lambda m: m["elgamal"].extract(m["curve"].GENERATOR)),
        )
    ),
]


@pytest.mark.slow
@pytest.mark.parametrize(("curve", "match", "call"), REFUSALS)
def test_errors_name_what_is_wrong(curve, match, call):
    with pytest.raises(ValueError, match=match):
        call(protocol_modules(curve))


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.parametrize(("curve", "vectors"), [("edwards25519", ed25519_vectors), ("Ed448", ed448_vectors)])
def test_expanded_keys_sign_too(curve, vectors):
    scheme = protocol_modules(curve)["eddsa"]
    for secret, _, message, signature, *context in vectors():
        assert scheme.sign(scheme.signing_key(secret), message, *context) == signature

"""Published vectors of protocols as rows for drivers: a function, its arguments, and the answer."""

import hashlib
from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path

from protocol_vectors import (
    BINARY,
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

from efdgen.generator.curves.hashing import hashing
from efdgen.generator.planning.protocols import recovers_keys
from efdgen.verify.vectors.signature_cases import pair, signed_digest
from efdgen.verify.vectors.whole_curve import REFUSED, WholeCurve

Rows = Iterator[tuple[str, ...]]
OWN = Path(__file__).with_name("vectors")
NAMES = {name: nist for nist, name in (NIST | BINARY).items()}
SECTIONS = {"P-256": "EC", "P-384": "ED", "P-521": "EE"}
ITERATED_ONCE = "422c8e7a6227d7bca1350b3e2bb7279f7897b87bb6854b783c60e80311ae3079"  # RFC 7748, 5.2


def text(data: bytes) -> str:
    """Write bytes; - is for none."""
    return data.hex() or "-"


def eddsa(curve: WholeCurve, vectors: list[tuple[bytes, ...]]) -> Rows:
    """Yield keys and signatures of RFC 8032, and what is not one."""
    for secret, public, message, signature, *contexts in vectors:
        context = [text(given) for given in contexts]
        yield "eddsa_public_key", secret.hex(), public.hex()
        yield "eddsa_sign", secret.hex(), text(message), *context, signature.hex()
        flipped = signature[:-1] + bytes([signature[-1] ^ 1])
        for signed, given, verdict in (
            (message, signature, "1"),
            (message + b"x", signature, "0"),
            (message, flipped, "0"),
        ):
            yield "eddsa_verify", public.hex(), text(signed), given.hex(), *context, verdict
        for given in contexts:
            yield "eddsa_verify", public.hex(), text(message), signature.hex(), text(given + b"x"), "0"
    size = len(public)
    first, last = signature[:size], signature[size:]
    larger = (int.from_bytes(last, "little") + curve.order).to_bytes(size, "little")
    for wrong in (
        *(first + larger, bytes(2 * size), signature[:-1], signature + b"\0", b""),
        *(first[:-1] + b"\xff" + last, first[:1] + signature),
    ):
        yield "eddsa_verify", public.hex(), text(message), text(wrong), *context, "0"
    for wrong in (public[1:], b"\xff" * size, bytes([public[0] ^ 1]) + public[1:], b""):
        yield "eddsa_verify", text(wrong), text(message), signature.hex(), *context, "0"
    yield "eddsa_sign", secret[1:].hex(), text(message), *context, REFUSED
    if context:
        yield "eddsa_sign", secret.hex(), text(message), "00" * 256, REFUSED


def eddsa_variants(*titles: str) -> Rows:
    """Yield signatures of RFC 8032 with contexts and of digests."""
    for row in (row for row in records(OWN / "rfc8032.txt", "COUNT") if row[""] in titles):
        name = f"eddsa_{row[''].removeprefix('Ed25519').removeprefix('Ed448')}"
        secret, owner, message, context, signature = (
            row[key] for key in ("SECRET", "PUBLIC", "MESSAGE", "CONTEXT", "SIGNATURE")
        )
        yield "eddsa_public_key", secret, owner
        yield f"{name}_sign_expanded", secret, message or "-", context or "-", signature
        yield f"{name}_verify", owner, message or "-", signature, context or "-", "1"
        yield f"{name}_verify", owner, message or "-", signature, f"{context}00", "0"
        yield f"{name}_sign_expanded", secret, message or "-", "00" * 256, REFUSED


def edwards25519(curve: WholeCurve) -> Rows:
    """Yield rows of Ed25519 and its variants."""
    yield from eddsa(curve, ed25519_vectors())
    yield from eddsa_variants("Ed25519ctx", "Ed25519ph")


def edwards448(curve: WholeCurve) -> Rows:
    """Yield rows of Ed448 and Ed448ph."""
    yield from eddsa(curve, ed448_vectors())
    yield from eddsa_variants("Ed448ph")


def exchange(curve: WholeCurve, name: str) -> Rows:
    """Yield exchanges of RFC 7748, and public keys of small order."""
    for row in records(VECTORS / name / "rfc7748.txt", "COUNT"):
        secret = row["INPUT_SCALAR"]
        yield "exchange", secret, row["INPUT_U"], row["OUTPUT_U"]
    prime, size = curve.curve.prime, curve.field_bytes
    for small in (0, 1, prime - 1, prime, prime + 1):
        yield "exchange", secret, small.to_bytes(size, "little").hex(), REFUSED
    if name == "X25519":
        nine, same = ((9 + factor * prime).to_bytes(size, "little") for factor in (0, 1))
        for number in (nine, same, nine[:-1] + b"\x80"):
            yield "exchange", nine.hex(), number.hex(), ITERATED_ONCE
        yield "exchange_public_key", nine.hex(), ITERATED_ONCE


def deterministic(curve: WholeCurve) -> Rows:
    """Yield keys and signatures of RFC 6979, and of digests and in DER too."""
    for _, pem, name, message, output in (row for row in rfc6979() if row[0] == NAMES[curve.curve.name]):
        secret, hash_name = private_key(pem, curve.field_bytes), name.lower()
        point = curve.multiple(secret, curve.generator)
        owner, other, k = curve.point(point), curve.point(curve.affine.negate(point)), curve.scalar(secret)
        signature = pair(curve, *der_integers(output)).hex()
        signed = message.encode().hex()
        yield "ecdsa_public_key", k, owner
        yield "ecdsa_sign", k, signed, hash_name, signature
        yield "ecdsa_verify", owner, signed, signature, hash_name, "1"
        yield "ecdsa_verify", other, signed, signature, hash_name, "0"
        digest = hashlib.new(hash_name, message.encode()).hexdigest()
        *numbers, recovery = signed_digest(curve, secret, bytes.fromhex(digest), hash_name)
        assert pair(curve, *numbers).hex() == signature
        yield "ecdsa_to_der", signature, output.hex()
        yield "ecdsa_from_der", output.hex(), signature
        yield "ecdsa_verify_digest", owner, digest, signature, "1"
        if recovers_keys(curve.curve):
            yield "ecdsa_sign_digest", k, digest, hash_name, f"{signature} {recovery}"
            yield "ecdsa_recover", digest, signature, str(recovery), owner
        else:
            yield "ecdsa_sign_digest", k, digest, hash_name, signature


def verified(curve: WholeCurve) -> Rows:
    """Yield signatures that NIST has verified, by keys that are points."""
    for row in records(VECTORS / "ECDSA/FIPS_186-3/SigVer.rsp", "Msg"):
        name, _, hash_name = row[""].partition(",")
        x, y, r, s = (int(row[key], 16) for key in ("Qx", "Qy", "R", "S"))
        if name == NAMES[curve.curve.name] and not max(r, s) >> 8 * curve.field_bytes:
            verdict, signature = str(int(row["Result"].startswith("P"))), pair(curve, r, s).hex()
            if curve.affine.on_curve((x, y)):
                key = curve.point((x, y))
                yield "ecdsa_verify", key, row["Msg"], signature, HASHES[hash_name], verdict
            else:
                assert verdict == "0"


def generated(curve: WholeCurve) -> Rows:
    """Yield the first key and signature that NIST has generated with each hash."""
    rows = {row[""]: row for row in reversed(records(VECTORS / "ECDSA/FIPS_186-3/SigGen.txt", "Msg"))}
    for section, row in rows.items():
        name, _, hash_name = section.partition(",")
        if name == NAMES[curve.curve.name]:
            secret, x, y, r, s = (int(row[key], 16) for key in ("d", "Qx", "Qy", "R", "S"))
            key, signature = curve.point((x, y)), pair(curve, r, s).hex()
            yield "ecdsa_public_key", curve.scalar(secret), key
            yield "ecdsa_verify", key, row["Msg"], signature, HASHES[hash_name], "1"


def exchanged(curve: WholeCurve) -> Rows:
    """Yield exchanges that NIST has tested; the affine law gives results whose hashes are published."""
    path = VECTORS / "ECDH/KASValidityTest_ECCStaticUnified_NOKC_ZZOnly_init.fax"
    section = SECTIONS[NAMES[curve.curve.name]]
    for row in [row for row in records(path, "COUNT") if row[""].startswith(f"{section} - ")][:12]:
        hash_name = HASHES[row[""].partition(" - ")[2].replace("SHA", "SHA-")]
        x, y, secret = (int(row[key], 16) for key in ("QsCAVSx", "QsCAVSy", "dsIUT"))
        k, is_key, right = curve.scalar(secret), 0 < secret < curve.order, curve.affine.on_curve((x, y))
        if right:
            own = curve.multiple(secret, curve.generator)
            common = curve.element(curve.multiple(secret, (x, y))[0])
            yield "ecdsa_public_key", k, curve.point(own) if is_key else REFUSED
            yield "ecdh_exchange", k, curve.point((x, y)), common if is_key else REFUSED
            digest = hashlib.new(hash_name, bytes.fromhex(common)).hexdigest()
            right = is_key and own == (int(row["QsIUTx"], 16), int(row["QsIUTy"], 16))
            right = right and digest == row["CAVSHashZZ"].lower()
        assert right == row["Result"].startswith("P"), row


def exchanged_with_cofactor(curve: WholeCurve) -> Rows:
    """Yield exchanges of NIST on a binary curve, whose secrets are multiplied by the cofactor modulo n."""
    for row in [row for row in records(OWN / "ecc_cdh.txt", "PEER_X") if row[""] == NAMES[curve.curve.name]]:
        number = {key: int(value, 16) for key, value in row.items() if key}
        own, peer = ((number[f"{name}_X"], number[f"{name}_Y"]) for name in ("OWN", "PEER"))
        secret = curve.curve.cofactor * number["SECRET"] % curve.order
        # No point of even order is among these.
        assert curve.affine.on_curve(peer), row
        assert curve.multiple(number["SECRET"], curve.generator) == own, row
        assert curve.multiple(secret, peer)[0] == number["COMMON"], row
        yield "ecdsa_public_key", curve.scalar(number["SECRET"]), curve.point(own)
        yield "ecdh_exchange", curve.scalar(secret), curve.point(peer), curve.element(number["COMMON"])


def nist(curve: WholeCurve) -> Rows:
    """Yield rows of ECDSA and ECDH, and keys that are refused."""
    yield from deterministic(curve)
    yield from verified(curve)
    yield from generated(curve)
    yield from (exchanged_with_cofactor if curve.field.is_binary else exchanged)(curve)
    g = curve.point(curve.generator)
    yield "ecdh_exchange", curve.scalar(1), g, curve.element(curve.generator[0])
    for wrong in (0, curve.order):
        yield "ecdh_exchange", curve.scalar(wrong), g, REFUSED
        yield "ecdsa_sign", curve.scalar(wrong), "6d", "sha256", REFUSED
        yield "ecdsa_public_key", curve.scalar(wrong), REFUSED
    yield "ecdh_exchange", curve.scalar(1), "O", REFUSED


def public_keys(curve: WholeCurve) -> Rows:
    """Yield public keys that NIST has validated, for the driver of the curve."""
    for row in records(VECTORS / "ECDSA/FIPS_186-3/PKV.rsp", "Qx"):
        x, y = int(row["Qx"], 16), int(row["Qy"], 16)
        if row[""] == NAMES[curve.curve.name] and not max(x, y) >> 8 * curve.field_bytes:
            point, right = curve.point((x, y)), row["Result"].startswith("P")
            yield "from_affine", point, point if right else REFUSED
            if right:
                yield "validate", point, point


def secp256k1(curve: WholeCurve) -> Rows:
    """Yield keys and signatures of NIST's kind, and rows of BIP 340."""
    for number, row in enumerate(records(VECTORS / "ECDSA/SECP256K1/SigGen.txt", "Msg")):
        secret, x, y, r, s = (int(row[key], 16) for key in ("d", "Qx", "Qy", "R", "S"))
        owner, message, name = curve.point((x, y)), row["Msg"], HASHES[row[""].partition(",")[2]]
        signature, flipped = pair(curve, r, s), pair(curve, r, s ^ 1 << 248)
        yield "ecdsa_verify", owner, message, signature.hex(), name, "1"
        yield "ecdsa_verify", owner, message, flipped.hex(), name, "0"
        if number % 3 == 0:
            yield "ecdsa_public_key", curve.scalar(secret), owner
            for wrong in (signature[1:], bytes(64), pair(curve, r, curve.order)):
                yield "ecdsa_verify", owner, message, wrong.hex(), name, "0"
    yield "ecdsa_verify", "O", message, signature.hex(), name, "0"
    for wrong in (0, curve.order):
        yield "ecdsa_sign", curve.scalar(wrong), "-", "sha256", REFUSED
    for row in records(OWN / "bip340.txt", "COUNT"):
        message = row["MESSAGE"] or "-"
        if row["SECRET"]:
            yield "bip340_public_key", row["SECRET"], row["PUBLIC"]
            yield "bip340_sign", row["SECRET"], message, row["RANDOM"], row["SIGNATURE"]
        yield "bip340_verify", row["PUBLIC"], message, row["SIGNATURE"], str(int(row["RESULT"] == "P"))


def brainpool(curve: WholeCurve) -> Rows:
    """Yield the exchange of RFC 7027, and keys that are refused."""
    (row,) = (
        row for row in records(VECTORS / "ECDH/brainpool.txt", "COUNT") if row["curve"] == curve.curve.name
    )
    number = {key: int(value, 16) for key, value in row.items() if key not in ("", "COUNT", "curve")}
    a, b = ((number[f"x_q{name}"], number[f"y_q{name}"]) for name in "AB")
    common = curve.element(number["x_Z"])
    for secret, own, other in ((number["dA"], a, b), (number["dB"], b, a)):
        yield "ecdsa_public_key", curve.scalar(secret), curve.point(own)
        yield "ecdh_exchange", curve.scalar(secret), curve.point(other), common
    yield "ecdh_exchange", curve.scalar(1), "O", REFUSED
    yield "ecdh_exchange", curve.scalar(0), curve.point(a), REFUSED


def hashed(curve: WholeCurve) -> Rows:
    """Yield messages that are hashed to a curve, and the bytes that they are expanded to (RFC 9380)."""
    own = hashing(curve.curve)
    for row in records(OWN / "rfc9380.txt", "COUNT") if own else ():
        title, tag, message = row[""], row["DST"], row["MSG"] or "-"
        if title in (f"{own.suite}_RO_", f"{own.suite}_NU_"):
            for number in "01":
                if f"U{number}" in row:
                    yield "map_to_curve", row[f"U{number}"], row[f"Q{number}"]
            name = "hash_to_curve" if "U1" in row else "encode_to_curve"
            yield name, message, tag, own.hash, row["P"]
        elif own.montgomery and title in (f"{own.montgomery}_RO_", f"{own.montgomery}_NU_"):
            for number in "01":
                if f"U{number}" in row:
                    yield "map_to_montgomery", row[f"U{number}"], row[f"Q{number}"]
            name = "hash_to_montgomery" if "U1" in row else "encode_to_montgomery"
            yield name, message, tag, own.hash, row["P"]
        elif title.startswith(f"expand_message_{own.expander} "):
            name, _, hash_name = title.partition(" ")
            if own.expander == "xof" and len(tag) > 2 * 255 and hash_name != own.hash:
                # The tag is hashed to as many bytes as the security of another suite asks.
                continue
            yield name, message, tag, hash_name, row["LENGTH"], row["BYTES"]


def and_hashed(rows: Callable[[WholeCurve], Rows]) -> Callable[[WholeCurve], Rows]:
    """Return a curve's rows and those of hashing to it."""
    return lambda curve: chain(rows(curve), hashed(curve))


PUBLISHED: dict[str, Callable[[WholeCurve], Rows]] = {
    "edwards25519": and_hashed(edwards25519),
    "Ed448": and_hashed(edwards448),
    "BLS12-381": hashed,
    "Curve25519": lambda curve: exchange(curve, "X25519"),
    "Curve448": lambda curve: exchange(curve, "X448"),
    **dict.fromkeys(NIST, and_hashed(nist)),
    "secp256k1": and_hashed(secp256k1),
    "brainpoolP256r1": brainpool,
}
"""The rows of each curve."""

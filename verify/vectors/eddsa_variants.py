"""Requests to EdDSA of a curve in C: expanded keys, contexts and digests, with answers by RFC 8032."""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.planning.protocols import signature_scheme
from efdgen.verify.vectors.signature_cases import digest, domain_of, eddsa_key, eddsa_signed
from efdgen.verify.vectors.whole_curve import REFUSED

if TYPE_CHECKING:
    from random import Random

    from efdgen.verify.vectors.whole_calls import Rows
    from efdgen.verify.vectors.whole_curve import WholeCurve

_CONTEXTS = (b"", b"a context", bytes(range(255)))
_TOO_LONG = (bytes(256), bytes(255 + 256), bytes(1 << 16))
_PREHASH_BYTES = 64


def variants(curve: WholeCurve, rng: Random) -> Rows:
    """Yield signatures by expanded keys, with contexts and of digests, and what each has to refuse."""
    scheme = signature_scheme(curve.curve)
    assert scheme is not None
    size = curve.encoded_bytes
    secret = rng.randbytes(size)
    owner = eddsa_key(curve, scheme, secret)[1]
    pure = "eddsa" if scheme.context else "eddsa_ctx"
    signatures = {}
    for message in (b"", b"abc", bytes(range(256))):
        for context in _CONTEXTS:
            hashed = digest(scheme, _PREHASH_BYTES, message)
            for name, prehash, text in ((pure, 0, message), ("eddsa_ph", 1, hashed)):
                signature = eddsa_signed(curve, scheme, secret, text, domain_of(scheme, prehash, context))
                signatures[name] = signature
                given = message.hex() or "-", context.hex() or "-"
                yield f"{name}_sign_expanded", secret.hex(), *given, signature.hex()
                yield f"{name}_verify", owner.hex(), given[0], signature.hex(), given[1], "1"
        if not scheme.context:
            signature = eddsa_signed(curve, scheme, secret, message, b"")
            yield "eddsa_sign_expanded", secret.hex(), message.hex() or "-", signature.hex()
            yield "eddsa_ctx_verify", owner.hex(), message.hex() or "-", signature.hex(), "-", "0"
    for name, signature in signatures.items():
        other = signatures[pure if name == "eddsa_ph" else "eddsa_ph"]
        yield f"{name}_verify", owner.hex(), given[0], other.hex(), given[1], "0"
        yield f"{name}_verify", owner.hex(), given[0], signature.hex(), given[1][:-2], "0"
        yield f"{name}_verify", owner.hex(), given[0][:-2], signature.hex(), given[1], "0"
        text = hashed if name == "eddsa_ph" else message
        for context in _TOO_LONG:
            # A signature that is right where the length of the context is written modulo 256.
            wrong = eddsa_signed(
                curve, scheme, secret, text, domain_of(scheme, int(name == "eddsa_ph"), context)
            )
            yield f"{name}_sign_expanded", secret.hex(), given[0], context.hex(), REFUSED
            yield f"{name}_verify", owner.hex(), given[0], wrong.hex(), context.hex(), "0"

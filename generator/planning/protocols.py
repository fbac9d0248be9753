"""The protocols of a curve, and the constants of protocols that name their curve."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from efdgen.generator.curves.hashing import hashing
from efdgen.generator.errors import EfdgenError

if TYPE_CHECKING:
    from efdgen.generator.curves.curve import Curve


@dataclass(frozen=True)
class Scheme:
    """A scheme for one curve: its name and its section of the standard, and the highest bit of its scalars.

    Signatures with a ``context`` hash by SHAKE256, and ``label`` first; others hash by SHA-512, and the label
    first in the variants of RFC 8032 with a context or a digest.
    """

    name: str
    section: str
    top: int
    context: bool = False
    label: str = ""


# A message in a coordinate leaves a byte above it and two below; a scalar of ECDSA has two bytes at least.
_ELGAMAL_BITS, _ECDSA_BITS = 24, 8

_SIGNATURES = {
    "edwards25519": Scheme("Ed25519", "5.1", 254, label="SigEd25519 no Ed25519 collisions"),
    "edwards448": Scheme("Ed448", "5.2", 447, context=True, label="SigEd448"),
}
_EXCHANGES = {"Curve25519": Scheme("X25519", "5", 254), "Curve448": Scheme("X448", "5", 447)}


def signature_scheme(curve: Curve) -> Scheme | None:
    """Return the signatures of RFC 8032 on a curve, None where it defines none."""
    return _SIGNATURES.get(curve.name)


def exchange_scheme(curve: Curve) -> Scheme | None:
    """Return the exchange of keys of RFC 7748 on a curve, None where it defines none."""
    return _EXCHANGES.get(curve.name)


def protocols(curve: Curve) -> list[str]:
    """Return the protocols on a curve: eddsa, exchange, ecdh, ecdsa, elgamal, hash_to_curve, bip340."""
    if curve.model == "g1p/montgom":
        return ["exchange"] if exchange_scheme(curve) else []
    large = curve.order is not None and curve.order.bit_length() > _ECDSA_BITS
    if curve.field.is_binary:
        return ["ecdh", "ecdsa"] if large else []
    elgamal = ["elgamal"] if curve.prime.bit_length() > _ELGAMAL_BITS else []
    hashes = ["hash_to_curve"] if hashing(curve) else []
    if curve.model != "g1p/shortw":
        return [*(["eddsa"] if signature_scheme(curve) else []), *elgamal, *hashes]
    signs = curve.cofactor == 1 and large
    taproot = ["bip340"] if curve.name == "secp256k1" else []
    return [*(["ecdh", "ecdsa"] if signs else []), *elgamal, *hashes, *taproot]


def require_protocols(curve: Curve) -> None:
    """Raise :class:`EfdgenError` for a curve without protocols."""
    if protocols(curve):
        return
    if curve.model == "g1p/montgom":
        raise EfdgenError(f"--set protocols is for {' and '.join(_EXCHANGES)} of its model; use --set curve")
    raise EfdgenError(
        f"--set protocols needs a field of more than {_ELGAMAL_BITS} bits, or cofactor 1 and an order of more"
        f" than {_ECDSA_BITS}; use --set curve"
    )


def recovers_keys(curve: Curve) -> bool:
    """Return whether keys are recovered from signatures by ECDSA.

    Over GF(2^m) four x-coordinates and more may be r modulo n.
    """
    return not curve.field.is_binary


def c_protocols(curve: Curve) -> list[str]:
    """Return the protocols of a curve in C: ``ecdsa_der`` besides."""
    names = protocols(curve)
    return [*names, *(["ecdsa_der"] if "ecdsa" in names else [])]

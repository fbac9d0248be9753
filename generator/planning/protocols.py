"""The protocols of a curve, and the constants of protocols that name their curve."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

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
    """Return which protocols there are on a curve: eddsa, exchange, ecdh, ecdsa, elgamal."""
    if curve.model == "g1p/montgom":
        return ["exchange"] if exchange_scheme(curve) else []
    if curve.model != "g1p/shortw":
        return [*(["eddsa"] if signature_scheme(curve) else []), "elgamal"]
    return ["ecdh", "ecdsa", "elgamal"] if curve.cofactor == 1 else ["elgamal"]


def c_protocols(curve: Curve) -> list[str]:
    """Return the protocols of a curve in C: ``ecdsa_der`` and ``bip340`` besides."""
    names = protocols(curve)
    der = ["ecdsa_der"] if "ecdsa" in names else []
    return [*names, *der, *(["bip340"] if curve.name == "secp256k1" else [])]

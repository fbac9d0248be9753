"""Protocols in Rust: modules of a curve's crate, thin examples over its functions."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from efdgen.generator.planning.protocols import exchange_scheme, protocols, signature_scheme

if TYPE_CHECKING:
    from collections.abc import Mapping

    from efdgen.generator.planning.ladder import LadderPlan
    from efdgen.generator.planning.plan import CurvePlan


TITLES = {
    "ecdh": "ECDH",
    "ecdsa": "ECDSA",
    "eddsa": "EdDSA",
    "elgamal": "ElGamal",
    "exchange": "key exchange",
}
"""Protocols by the names of their modules, as manifests name them."""


@dataclass(frozen=True)
class Protocols:
    """Additions to a crate: modules, the packages that some of them need, names of their templates.

    ``modules`` say of each whether it hashes, ``tried_with`` which packages its driver needs besides.
    """

    modules: dict[str, bool] = field(default_factory=dict)
    packages: tuple[str, ...] = ()
    tried_with: tuple[str, ...] = ()
    values: Mapping[str, Any] = field(default_factory=dict)


def protocol_modules(plan: CurvePlan | LadderPlan) -> Protocols:
    """Return the protocols of a curve."""
    names = protocols(plan.curve)
    signature = signature_scheme(plan.curve)
    scheme = signature or exchange_scheme(plan.curve)
    hashes = {"ecdsa": "hmac", "eddsa": "sha3" if signature and signature.context else "sha2"}
    top = scheme and {"byte": scheme.top // 8, "bit": 1 << scheme.top % 8, "mask": (1 << scheme.top % 8) - 1}
    return Protocols(
        modules={name: name in hashes for name in names},
        packages=tuple(hashes[name] for name in names if name in hashes),
        tried_with=("sha2",) if "ecdsa" in names else (),
        values={
            "scheme": scheme,
            "top": top,
            "encoded": plan.curve.prime.bit_length() // 8 + 1,
            "coordinate": "x" if plan.curve.model == "g1p/shortw" else "y",
        },
    )

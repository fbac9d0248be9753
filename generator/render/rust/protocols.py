"""Protocols in Rust: modules of a curve's crate, thin examples over its functions."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from efdgen.generator.curves.hashing import hashing
from efdgen.generator.planning.hashing_routines import DOCS, hashing_elements, hashing_values
from efdgen.generator.planning.plan import CurvePlan
from efdgen.generator.planning.protocols import (
    exchange_scheme,
    protocols,
    recovers_keys,
    signature_scheme,
)
from efdgen.generator.text.rust import WIDTH

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from efdgen.generator.curves.hashing import Hashing
    from efdgen.generator.planning.ladder import LadderPlan


TITLES = {
    "ecdh": "ECDH",
    "ecdsa": "ECDSA",
    "eddsa": "EdDSA",
    "elgamal": "ElGamal",
    "exchange": "key exchange",
    "hash_to_curve": "hashing to the curve",
    "bip340": "BIP-340",
}
"""Protocols by the names of their modules, as manifests name them."""

INNER = {"hash_to_curve": "maps", "bip340": "taproot"}
"""Modules of a larger crate, by the protocols whose routines they have."""

_SIGNATURES = ("bip340", "ecdsa", "eddsa")


@dataclass(frozen=True)
class Protocols:
    """Additions to a crate: modules, the packages that some of them need, names of their templates.

    ``modules`` say of each whether it hashes, ``keys`` are modules with the traits of ``signature``, and
    ``tried_with`` which packages the driver and examples need besides.
    ``secret`` is true where modules overwrite secrets.
    """

    modules: dict[str, bool] = field(default_factory=dict)
    keys: tuple[str, ...] = ()
    packages: tuple[str, ...] = ()
    tried_with: tuple[str, ...] = ()
    values: Mapping[str, Any] = field(default_factory=dict)
    secret: bool = True


def protocol_modules(plan: CurvePlan | LadderPlan) -> Protocols:
    """Return the protocols of a curve."""
    names = protocols(plan.curve)
    signature = signature_scheme(plan.curve)
    scheme = signature or exchange_scheme(plan.curve)
    hashes = {
        "ecdsa": "hmac",
        "eddsa": "sha3" if signature and signature.context else "sha2",
        "hash_to_curve": "digest",
        "bip340": "sha2",
    }
    own = hashing(plan.curve)
    tried = ["sha2"] if "ecdsa" in names else []
    if own:
        tried.append("sha3" if own.expander == "xof" else "sha2")
    top = scheme and {"byte": scheme.top // 8, "bit": 1 << scheme.top % 8, "mask": (1 << scheme.top % 8) - 1}
    return Protocols(
        modules={name: name in hashes for name in names},
        keys=tuple(f"{name}_keys" for name in names if name in _SIGNATURES),
        packages=tuple(hashes[name] for name in names if name in hashes),
        tried_with=tuple(sorted(set(tried) - {hashes[name] for name in names if name in hashes})),
        values={
            "scheme": scheme,
            "top": top,
            "encoded": plan.curve.field.order.bit_length() // 8 + 1,
            "coordinate": "x" if plan.curve.model.endswith("/shortw") else "y",
            "big": plan.curve.model.endswith("/shortw"),
            "recovers": recovers_keys(plan.curve),
            **(_hashing_values(own, plan) if own and isinstance(plan, CurvePlan) else {}),
        },
    )


def inner_modules(plan: CurvePlan) -> Protocols:
    """Return the parts of protocols that a larger crate builds its own on: maps to the curve, and BIP-340."""
    modules = {INNER[name]: False for name in protocols(plan.curve) if name in INNER}
    return Protocols(modules=modules, values=protocol_modules(plan).values, secret=False)


def _hashing_values(own: Hashing, plan: CurvePlan) -> dict[str, Any]:
    """Return what the module of hashing to a curve prints of the suite."""
    clearing = hashing_values(plan)["CLEARING_BYTES"]
    assert isinstance(clearing, tuple)
    rows = (
        [clearing[at : at + 16] for at in range(0, len(clearing), 16)]
        if own.cofactor != plan.cofactor
        else []
    )
    return {
        "hashing": own,
        "hash_type": own.hash.capitalize(),
        "clearing": [" ".join(f"{byte:#04x}," for byte in row) for row in rows],
        "strength": own.strength_bytes,
        "targets": _targets(own),
        "tables": [
            {"doc": DOCS[name], "text": _table(name, [f"{name}_{at}" for at in range(len(value))])}
            for name, value in hashing_elements(plan).items()
            if isinstance(value, tuple)
        ],
    }


def _targets(own: Hashing) -> list[dict[str, str]]:
    """Return the curves that messages are hashed to: types of points, and the suffix of routines."""
    point = {"name": "curve", "suffix": "", "type": "Point", "what": "the point of the subgroup"}
    pair = {
        "name": "montgomery",
        "suffix": "_to_montgomery",
        "type": "(FieldElement, FieldElement)",
        "what": "the coordinates of the point of the Montgomery curve",
    }
    return [point, pair] if own.montgomery else [point]


def _table(name: str, items: Sequence[str]) -> str:
    """Return the definition of an array of elements that have names, on one line if it fits."""
    head = f"const {name}: [FieldElement; {len(items)}] = ["
    line = f"{head}{', '.join(items)}];"
    return line if len(line) <= WIDTH else "\n".join([head, *(f"    {item}," for item in items), "];"])

"""A curve's crate with RustCrypto's traits, which can replace RustCrypto's crate of that curve.

The curve's own modules are its module ``native``; the templates of ``templates/rust/rustcrypto`` implement
the traits on them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from efdgen.generator.curves.hashing import hashing
from efdgen.generator.interfaces import project_facts, published, require_fit
from efdgen.generator.lanes.instructions import MACHINES
from efdgen.generator.programs.kernel import Bundle
from efdgen.generator.render.rust.crate import NATIVE, Root, filled
from efdgen.generator.render.rust.curve import render_curve
from efdgen.generator.render.rust.ff import field_constants, field_facts
from efdgen.generator.render.rust.versions import OF_INTERFACES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from efdgen.generator.curves.hashing import Hashing
    from efdgen.generator.interfaces import Interface, Naming
    from efdgen.generator.options import Machine
    from efdgen.generator.planning.plan import CurvePlan
    from efdgen.generator.render.rust.bundle import Options

_MODULES = ("affine", "curve", "ecdh", "ecdsa", "field", "hashing", "lib", "projective", "scalar", "schnorr")
_FILES = ("README.md", "Cargo.toml", "build.rs", *(f"src/{name}.rs" for name in _MODULES))

_WORD = 64
# crypto-bigint encodes integers of 4 and 6 words, but not of 5.
_WITHOUT_ENCODING = (5,)


@dataclass(frozen=True)
class Peer:
    """A crate that replaces one of RustCrypto's, or has the same traits for another curve.

    ``generation`` is the version of ``elliptic-curve``. ``oid`` is empty where the curve has none, ``hash``
    where ECDSA has no hash by default, ``jwk``, the name in JSON, where it has none. ``libraries`` are
    requirements for the crates that define the traits. Integers have ``uint_bits``, elements
    ``element_bytes``. A crate built on ``primeorder`` has some methods that others lack, and the reverse.
    Features of the published crate are ``refused`` if they are not supported, ``idle`` if they need nothing.
    ``hashing`` is how bytes are hashed to the curve, None where they are not, ``oprf`` the suite of RFC 9497.
    """

    generation: str
    name: str
    version: str
    type: str
    title: str
    libraries: Mapping[str, str]
    uint_bits: int
    element_bytes: int
    order_hex: str
    oid: str = ""
    hash: str = ""
    jwk: str = ""
    compress_points: bool = False
    normalize_s: bool = False
    primeorder: bool = True
    ecdh_by_default: bool = False
    oprf: str = ""
    schnorr: bool = False
    hashing: Hashing | None = None
    refused: tuple[str, ...] = ()
    idle: tuple[str, ...] = ()
    replaces: bool = False

    @property
    def own_keys(self) -> bool:
        """Return whether ``ecdsa``'s keys do not fit: they need a hash with an element's size."""
        return self.generation == "0.13" and bool(self.hash) and int(self.hash[3:]) != 8 * self.element_bytes

    @property
    def keyword(self) -> str:
        """The name of the curve as a keyword of a registry."""
        return re.sub(r"[^a-z0-9]+", "-", self.title.lower())


def render_rustcrypto(
    plan: CurvePlan, options: Options, interface: Interface, naming: Naming, lanes: Machine | None
) -> dict[str, str]:
    """Return the files of a crate with RustCrypto's traits.

    Raises :class:`EfdgenError` for a curve that is no Weierstrass curve of prime order, and what
    :func:`render_curve` raises.
    """
    own = own_files(plan, interface, naming, (*_FILES, *["src/batch.rs"] * bool(lanes)), lanes)
    native = Root(
        path="crate::native",
        folder=NATIVE,
        elements=(*field_constants(plan.curve.prime),),
        scalars=(*field_constants(plan.order),),
    )
    return render_curve(plan, options, protocols=True, root=native, lanes=lanes) | own


def own_files(
    plan: CurvePlan,
    interface: Interface,
    naming: Naming,
    paths: Sequence[str] = _FILES,
    lanes: Machine | None = None,
) -> dict[str, str]:
    """Return the files of a crate beside the curve's modules; raise what :func:`peer_of` raises."""
    peer = peer_of(plan, interface, naming)
    bits = plan.curve.prime.bit_length()
    values: dict[str, Any] = {
        "peer": peer,
        "lanes": lanes,
        "machine": MACHINES[lanes] if lanes else None,
        "rust_version": OF_INTERFACES[interface.project, interface.generation],
        "field": {"bytes": peer.element_bytes},
        "abscissa": plan.representation.ratios["x"],
        "elements": field_facts(plan.curve.prime),
        "scalars": field_facts(plan.order),
        "top_mask": (1 << (bits - 1) % 8 + 1) - 1,
    }
    wanted = [path for path in paths if _has(peer, path)]
    head = Bundle(plan.prefix, plan.curve.field, (), plan.command)
    files = filled("rustcrypto", wanted, head, values)
    return {path: _renamed(text, peer.generation) for path, text in files.items()}


def _has(peer: Peer, path: str) -> bool:
    """Return whether a crate has a file: hashing to the curve, and BIP-340, are not in all."""
    return {"src/hashing.rs": peer.hashing is not None, "src/schnorr.rs": peer.schnorr}.get(path, True)


def _renamed(text: str, generation: str) -> str:
    """Return a text with the names of another generation in place of those of 0.14."""
    names = project_facts("rustcrypto")["renamed"].get(generation, {})
    return re.sub(r"\w+", lambda word: names.get(word[0], word[0]), text)


def peer_of(plan: CurvePlan, interface: Interface, naming: Naming) -> Peer:
    """Return the crate of a curve; raise :class:`EfdgenError` for a curve that these traits do not fit."""
    curve, order = plan.curve, plan.order
    require_fit(curve, interface)
    size = (curve.prime.bit_length() + 7) // 8
    crate = published(curve, interface, naming, plan.prefix)
    defaults = {
        "type": "".join(part.capitalize() for part in re.split(r"[^A-Za-z0-9]+", curve.name)),
        "title": curve.name,
    }
    words = -(-8 * size // _WORD)
    uint_bits = (words + (words in _WITHOUT_ENCODING)) * _WORD
    facts = defaults | dict(crate.facts)
    features = facts.pop("features", {}).get(interface.generation, {})
    return Peer(
        **facts,
        hashing=hashing(curve),
        refused=tuple(features.get("refused", ())),
        idle=tuple(features.get("idle", ())),
        name=crate.name,
        version=crate.version,
        replaces=crate.replaces,
        generation=interface.generation,
        element_bytes=size,
        libraries=project_facts(interface.project)["generations"][interface.generation],
        uint_bits=uint_bits,
        order_hex=f"{order:0{uint_bits // 4}x}",
    )

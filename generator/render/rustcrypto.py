"""A curve's crate with RustCrypto's traits, which can replace RustCrypto's crate of that curve.

The curve's own modules are its module ``native``; the templates of ``templates/rust/rustcrypto`` implement
the traits on them.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from efdgen.generator.curves.load import load_curve
from efdgen.generator.errors import EfdgenError
from efdgen.generator.kernels.kernel import Bundle
from efdgen.generator.render.contract import LICENSE, header_lines
from efdgen.generator.render.rust_crate import NATIVE, Root
from efdgen.generator.render.rust_curve import render_curve
from efdgen.generator.render.rust_field import Constant
from efdgen.generator.render.rust_kernels import fill
from efdgen.generator.render.rust_text import comment

if TYPE_CHECKING:
    from collections.abc import Mapping

    from efdgen.generator.curves.curve import Curve
    from efdgen.generator.planning.plan import CurvePlan
    from efdgen.generator.render.rust import Options

CRATES = Path(__file__).resolve().parents[2] / "efd" / "crates" / "rustcrypto.toml"

APIS = {"rustcrypto": "0.14", "rustcrypto-0.13": "0.13"}
"""The generation of RustCrypto's traits, by the name of an interface."""

_FILES = ("README.md", "Cargo.toml", *(f"src/{name}.rs" for name in ("affine", "curve", "ecdh", "ecdsa")))
_FILES += tuple(f"src/{name}.rs" for name in ("field", "lib", "projective", "scalar"))

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,63}")
_VERSION = re.compile(r"(0|[1-9]\d{0,8})(\.(0|[1-9]\d{0,8})){2}(-[0-9A-Za-z]+(\.[0-9A-Za-z]+)*)?", re.ASCII)

_WORD = 64
_FACTORS = 1 << 16


@dataclass(frozen=True)
class Peer:
    """A crate that replaces one of RustCrypto's, or has the same traits for another curve.

    ``generation`` is the version of ``elliptic-curve``. ``oid`` is empty where the curve has none, ``hash``
    where ECDSA has no hash by default, ``jwk``, the name in JSON, where it has none. ``libraries`` are
    requirements for the crates that define the traits. Integers have ``uint_bits``, elements
    ``element_bytes``. A crate built on ``primeorder`` has some methods that others lack, and the reverse.
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
    replaces: bool = False

    @property
    def own_keys(self) -> bool:
        """Return whether ``ecdsa``'s keys do not fit: they need a hash with an element's size."""
        return self.generation == "0.13" and bool(self.hash) and int(self.hash[3:]) != 8 * self.element_bytes

    @property
    def keyword(self) -> str:
        """The name of the curve as a keyword of a registry."""
        return re.sub(r"[^a-z0-9]+", "-", self.title.lower())


@dataclass(frozen=True)
class Naming:
    """The name and the version of a crate, None for the name or version of the crate that it replaces."""

    name: str | None = None
    version: str | None = None

    def require(self) -> None:
        """Raise :class:`EfdgenError` for what cargo refuses."""
        if self.name and not _NAME.fullmatch(self.name):
            raise EfdgenError(
                f"--crate-name is letters, digits, - and _, a letter first, not {self.name[:40]!r}"
            )
        if self.version and not _VERSION.fullmatch(self.version):
            raise EfdgenError(f"--crate-version is like 1.2.3 or 1.2.3-rc.1, not {self.version[:40]!r}")


def render_rustcrypto(plan: CurvePlan, options: Options, api: str, naming: Naming) -> dict[str, str]:
    """Return the files of a crate with RustCrypto's traits.

    Raises :class:`EfdgenError` for a curve that is no Weierstrass curve of prime order, and what
    :func:`render_curve` raises.
    """
    peer = peer_of(plan, APIS[api], naming)
    bits = plan.curve.prime.bit_length()
    native = Root(
        path="crate::native",
        folder=NATIVE,
        elements=(*field_constants(plan.curve.prime),),
        scalars=(*field_constants(plan.order),),
    )
    files = render_curve(plan, options, root=native)
    values: dict[str, Any] = {
        "peer": peer,
        "field": {"bytes": peer.element_bytes},
        "abscissa": plan.representation.ratios["x"],
        "elements": _field(plan.curve.prime),
        "scalars": _field(plan.order),
        "top_mask": (1 << (bits - 1) % 8 + 1) - 1,
        "license": LICENSE,
    }
    lines = header_lines(Bundle(plan.prefix, plan.curve.prime, (plan.kernels,), plan.command))
    values["header"] = values["short_header"] = comment(lines[:4], "//")
    for path in _FILES:
        own = values | ({"header": comment(lines[:4], "#")} if path.endswith(".toml") else {})
        files[path] = _renamed(fill(f"rustcrypto/{Path(path).name}.j2", own), peer.generation)
    return files


def _renamed(text: str, generation: str) -> str:
    """Return a text with the names of another generation in place of those of 0.14."""
    names = _crates()["renamed"].get(generation, {})
    return re.sub(r"\w+", lambda word: names.get(word[0], word[0]), text)


def peer_of(plan: CurvePlan, generation: str, naming: Naming) -> Peer:
    """Return the crate of a curve; raise :class:`EfdgenError` for a curve that these traits do not fit."""
    curve, order = plan.curve, plan.order
    if curve.model != "g1p/shortw" or curve.cofactor != 1:
        raise EfdgenError(
            f"--api rustcrypto needs a Weierstrass curve of prime order, not {curve.name}; omit --api"
        )
    size = (curve.prime.bit_length() + 7) // 8
    if (order.bit_length() + 7) // 8 != size:
        raise EfdgenError(f"RustCrypto's traits have one size for elements and scalars; {curve.name} has two")
    table = _crates()
    facts = dict(table["crates"].get(curve.name, {})) if _is_built_in(curve) else {}
    versions = facts.pop("versions", {})
    replaces = generation in versions and naming.name in (None, facts["name"])
    facts["name"] = naming.name or facts.get("name") or plan.prefix
    facts.setdefault("type", "".join(part.capitalize() for part in re.split(r"[^A-Za-z0-9]+", curve.name)))
    facts.setdefault("title", curve.name)
    uint_bits = -(-8 * size // _WORD) * _WORD
    return Peer(
        **facts,
        generation=generation,
        element_bytes=size,
        version=naming.version or versions.get(generation, "0.1.0"),
        libraries=table["generations"][generation],
        uint_bits=uint_bits,
        order_hex=f"{order:0{uint_bits // 4}x}",
        replaces=replaces,
    )


def field_constants(modulus: int) -> list[Constant]:
    """Return the elements that the traits of ``ff`` name; the least generator gives the roots of unity."""
    generator, adicity = least_generator(modulus), _adicity(modulus)
    root = pow(generator, modulus - 1 >> adicity, modulus)
    delta = pow(generator, 1 << adicity, modulus)
    numbers = {
        "TWO_INV": ("1/2.", pow(2, -1, modulus)),
        "UNITS_GENERATOR": ("The least generator of the multiplicative group.", generator),
        "UNITS_ROOT": (f"An element of the order 2^{adicity}.", root),
        "UNITS_ROOT_INV": ("1 / `UNITS_ROOT`.", pow(root, -1, modulus)),
        "UNITS_DELTA": (f"`UNITS_GENERATOR` to the power 2^{adicity}.", delta),
    }
    return [Constant(name, doc, value) for name, (doc, value) in numbers.items()]


def _field(modulus: int) -> dict[str, Any]:
    """Return the facts of a prime field that are no elements of it."""
    bits = modulus.bit_length()
    return {"hex": f"{modulus:0{-(-bits // 8) * 2}x}", "bits": bits, "adicity": _adicity(modulus)}


def _adicity(modulus: int) -> int:
    """Return the exponent of 2 in modulus - 1."""
    return (modulus - 1 & 1 - modulus).bit_length() - 1


def least_generator(modulus: int) -> int:
    """Return the least number that is no r-th power for any prime r below 2^16 that divides modulus - 1."""
    factors, rest = [], modulus - 1
    for factor in range(2, _FACTORS):
        if rest % factor == 0:
            factors.append(factor)
            while rest % factor == 0:
                rest //= factor
    exponents = [(modulus - 1) // factor for factor in factors]
    return next(g for g in range(2, modulus) if all(pow(g, e, modulus) != 1 for e in exponents))


def _is_built_in(curve: Curve) -> bool:
    """Return whether a curve is the built-in one of its name."""
    try:
        return load_curve(curve.name) == curve
    except EfdgenError:
        return False


@cache
def _crates() -> dict[str, Any]:
    with CRATES.open("rb") as file:
        return tomllib.load(file)

"""Interfaces of other projects' crates that emitted crates can have, and names of such crates."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from efdgen.generator.errors import EfdgenError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from efdgen.generator.curves.curve import Curve

_CRATES = Path(__file__).resolve().parents[1] / "efd" / "crates"

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,63}")
_VERSION = re.compile(r"(0|[1-9]\d{0,8})(\.(0|[1-9]\d{0,8})){2}(-[0-9A-Za-z]+(\.[0-9A-Za-z]+)*)?", re.ASCII)


@dataclass(frozen=True)
class Interface:
    """The project whose crates have an interface, and the generation of them."""

    project: Literal["rustcrypto", "dalek"]
    generation: str


INTERFACES = {
    "rustcrypto": Interface("rustcrypto", "0.14"),
    "rustcrypto-0.13": Interface("rustcrypto", "0.13"),
    "dalek": Interface("dalek", "3"),
    "dalek-2": Interface("dalek", "2"),
}
"""The values of ``--api``."""


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


@dataclass(frozen=True)
class Published:
    """A published crate of a curve, by the name, the version and the facts of the crate that replaces it.

    ``replaces`` is false for a crate with another name, and where no such crate is published.
    """

    name: str
    version: str
    replaces: bool
    facts: Mapping[str, Any]


def require_fit(curve: Curve, interface: Interface) -> None:
    """Raise :class:`EfdgenError` for a curve that an interface does not fit."""
    facts = project_facts(interface.project)
    if interface.project == "dalek":
        known = facts["crates"]
        if curve.name not in known or not _is_built_in(curve):
            names = {name: [facts["name"], *facts.get("others", {})] for name, facts in known.items()}
            fits = " or ".join(f"{name} ({', '.join(crates)})" for name, crates in names.items())
            raise EfdgenError(f"--api dalek is for {fits}, not {curve.name}; omit --api")
        return
    if curve.model != "g1p/shortw" or curve.cofactor != 1:
        raise EfdgenError(
            f"--api rustcrypto needs a Weierstrass curve of prime order, not {curve.name}; omit --api"
        )
    size = (curve.prime.bit_length() + 7) // 8
    if size != ((curve.order or 0).bit_length() + 7) // 8:
        raise EfdgenError(f"RustCrypto's traits have one size for elements and scalars; {curve.name} has two")
    sizes = facts["element_bytes"].get(interface.generation, [size])
    if size not in sizes:
        known = f"{', '.join(map(str, sizes[:-1]))} or {sizes[-1]}"
        raise EfdgenError(
            f"the traits of generation {interface.generation} are for elements of {known} bytes, not {size};"
            " choose --api rustcrypto"
        )


def require_batches(curve: Curve, interface: Interface) -> None:
    """Raise :class:`EfdgenError` for a curve whose signatures a crate does not verify in lanes."""
    bits = (curve.order or 0).bit_length()
    if interface.project == "rustcrypto" and bits % 8:
        raise EfdgenError(
            f"with --api, lanes need an order of whole bytes; that of {curve.name} has {bits} bits;"
            " leave --machine out"
        )


def require_name(curve: Curve, interface: Interface, naming: Naming) -> None:
    """Raise :class:`EfdgenError` for the name of a published crate that another curve is for."""
    for other, facts in project_facts(interface.project)["crates"].items():
        if naming.name in facts.get("others", {}) and other != curve.name:
            raise EfdgenError(f"--crate-name {naming.name} is for --curve {other}, not {curve.name}")


def published(curve: Curve, interface: Interface, naming: Naming, default: str) -> Published:
    """Return the crate of a curve, one of those that its name chooses if there are several.

    Its name is ``default`` where no such crate is published.
    """
    known = project_facts(interface.project)["crates"].get(curve.name, {}) if _is_built_in(curve) else {}
    if naming.name in known.get("others", {}):
        known = {"name": naming.name, **known["others"][naming.name]}
    facts = {key: value for key, value in known.items() if key not in ("name", "others", "versions")}
    name, versions = known.get("name", default), known.get("versions", {})
    return Published(
        name=naming.name or name,
        version=naming.version or versions.get(interface.generation, "0.1.0"),
        replaces=interface.generation in versions and naming.name in (None, name),
        facts=facts,
    )


@cache
def project_facts(project: str) -> dict[str, Any]:
    """Return the names, versions and choices of a project's crates."""
    with (_CRATES / f"{project}.toml").open("rb") as file:
        return tomllib.load(file)


def _is_built_in(curve: Curve) -> bool:
    """Return whether a curve is the built-in one of its name."""
    from efdgen.generator.curves.load import load_curve

    try:
        return load_curve(curve.name) == curve
    except EfdgenError:
        return False

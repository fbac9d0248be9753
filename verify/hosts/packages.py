"""Host projects from a package registry, fetched once and kept in a directory of the caller."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from efdgen.generator import processes
from efdgen.generator.errors import EfdgenError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

LIBSECP256K1 = {"secp256k1-sys": "=0.14.1"}
SQISIGN = {"sqisign-verify": "=0.3.0"}
C_HOSTS = {"boring-sys": "=5.4.0", "micro-ecc-sys": "=0.3.2"}
RUST_HOSTS = {
    "ark-ff": '{ version = "=0.6.0", default-features = false }',
    "ff": '{ version = "=0.13.1", default-features = false }',
    "fiat-crypto": '{ version = "=0.3.0", default-features = false }',
    "k256": '{ version = "=0.13.4", default-features = false, features = ["expose-field"] }',
    "subtle": '{ version = "=2.6.1", default-features = false }',
    "p256": '{ version = "=0.13.2", default-features = false, features = ["expose-field"] }',
}

_MANIFEST = """\
[package]
name = "hosts"
version = "0.0.0"
edition = "2021"

[dependencies]
{dependencies}

[workspace]
"""
_SYMBOLS = re.compile(rb"rustsecp256k1_v[0-9]+_[0-9]+(?:_[0-9]+)?_")


def crate_sources(crates: Mapping[str, str], directory: Path) -> Path:
    """Return a folder that holds the sources of crates, by name, and of what they depend on.

    Raises :class:`EfdgenError` where cargo cannot fetch them.
    """
    vendor, manifest = directory / "vendor", manifest_text(crates)
    if vendor.is_dir() and (directory / "Cargo.toml").read_text(encoding="utf-8") == manifest:
        return vendor
    (directory / "src").mkdir(parents=True, exist_ok=True)
    (directory / "src" / "lib.rs").write_text("", encoding="utf-8")
    (directory / "Cargo.toml").write_text(manifest, encoding="utf-8")
    run_tool(["cargo", "vendor", "--quiet", "vendor"], directory)
    return vendor


def manifest_text(crates: Mapping[str, str]) -> str:
    """Return a manifest that depends on crates; a requirement may be a version or an inline table."""
    lines = [
        f"{name} = {wanted}" if wanted.startswith("{") else f'{name} = "{wanted}"'
        for name, wanted in sorted(crates.items())
    ]
    return _MANIFEST.format(dependencies="\n".join(lines))


def libsecp256k1_sources(directory: Path) -> Path:
    """Return libsecp256k1's own sources, with its tests, as the crate ``secp256k1-sys`` carries them.

    The crate renames every symbol, so that several versions can be linked; here they have their names again.
    """
    target = directory / "libsecp256k1"
    if not target.is_dir():
        source = crate_sources(LIBSECP256K1, directory / "crates") / "secp256k1-sys" / "depend" / "secp256k1"
        staged = directory / "libsecp256k1.new"
        for path in sorted(path for path in source.rglob("*") if path.is_file()):
            copy = staged / path.relative_to(source)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(_SYMBOLS.sub(b"secp256k1_", path.read_bytes()))
        staged.rename(target)
    return target


def run_tool(command: Sequence[str], directory: Path, text: str = "") -> str:
    """Run a tool and return what it says; raise :class:`EfdgenError` with its first lines where it fails."""
    done = processes.run(command, directory, text=text)
    if done.returncode != 0:
        said = "\n".join((done.stderr or done.stdout).strip().splitlines()[:12])
        raise EfdgenError(f"{command[0]} failed with status {done.returncode}: {said}")
    return done.stdout

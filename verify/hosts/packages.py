"""Sources of crates from a package registry, fetched once and kept in a directory of the caller."""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator import processes
from efdgen.generator.errors import EfdgenError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

_MANIFEST = """\
[package]
name = "hosts"
version = "0.0.0"
edition = "2021"

[dependencies]
{dependencies}

[workspace]
"""


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


def run_tool(command: Sequence[str], directory: Path, text: str = "") -> str:
    """Run a tool and return what it says; raise :class:`EfdgenError` with its first lines where it fails."""
    done = processes.run(command, directory, text=text)
    if done.returncode != 0:
        said = "\n".join((done.stderr or done.stdout).strip().splitlines()[:12])
        raise EfdgenError(f"{command[0]} failed with status {done.returncode}: {said}")
    return done.stdout

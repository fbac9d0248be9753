"""The published sources of crates, as cargo brings them, and emitted crates beside them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable


@dataclass(frozen=True)
class Done:
    """The end of a command: whether it succeeded, and what it printed."""

    succeeded: bool
    output: str


def run(folder: Path, *words: str, **environment: str) -> Done:
    """Run a command in a folder, for at most twenty minutes."""
    done = subprocess.run(
        words,
        cwd=folder,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=1200,
        env=os.environ | environment,
        check=False,
    )
    return Done(done.returncode == 0, done.stdout)


def write_program(folder: Path, needs: Iterable[str], *more: str, main: str = "fn main() {}\n") -> None:
    """Write a program with lines of dependencies and further lines of its manifest."""
    lines = ["[package]", 'name = "program"', 'version = "0.0.0"', 'edition = "2021"', "", "[dependencies]"]
    (folder / "src").mkdir(parents=True, exist_ok=True)
    (folder / "Cargo.toml").write_text("\n".join([*lines, *needs, "", "[workspace]", *more, ""]))
    (folder / "src" / "main.rs").write_text(main)


def packages(folder: Path, wanted: Iterable[tuple[str, str]]) -> dict[tuple[str, str], dict[str, Any]]:
    """Return the metadata of crates whose sources cargo fetches, by names and versions."""
    named = [f'package = "{name}", version = "={version}"' for name, version in wanted]
    write_program(folder, [f"peer{at} = {{ {text} }}" for at, text in enumerate(named)])
    done = run(folder, "cargo", "metadata", "--format-version", "1", "--quiet")
    if not done.succeeded:
        sys.exit(f"cargo does not find {'; '.join(named)}:\n{done.output}")
    found: list[dict[str, Any]] = json.loads(done.output[done.output.index("{") :])["packages"]
    return {(package["name"], package["version"]): package for package in found}


def published(folder: Path, name: str, version: str) -> Path:
    """Return the folder of a crate's published sources, as cargo keeps them."""
    return Path(packages(folder, [(name, version)])[name, version]["manifest_path"]).parent


def call(crate: Path, beneath: Path) -> Path:
    """Have an emitted crate call the emitted crate of points in a folder, without a patch; return it.

    So a program can have the published crates beside emitted ones.
    """
    manifest, key = crate / "Cargo.toml", "curve25519-dalek = {"
    text = manifest.read_text()
    if key not in text:
        raise ValueError(f"{crate} calls no crate of points")
    manifest.write_text(text.replace(key, f'{key} path = "{beneath}",'))
    return crate


def emit(folder: Path, curve: str, api: str, name: str | None = None, machine: str | None = None) -> Path:
    """Emit the crate of a curve into a folder, the one with a name if it has several, and return it.

    With a ``machine``, it has lanes.
    """
    words = ["compile", "--lang", "rust", "--curve", curve, "--set", "protocols", "--api", api]
    words += ["--crate-name", name] if name else []
    words += ["--machine", machine] if machine else []
    done = run(Path.cwd(), sys.executable, "-m", "efdgen", *words, "--out", str(folder))
    if not done.succeeded:
        sys.exit(f"efdgen does not emit {curve}:\n{done.output}")
    return folder

"""The published sources of crates, as cargo brings them, and emitted crates beside them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any


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


def published(folder: Path, name: str, version: str) -> Path:
    """Return the folder of a crate's published sources, as cargo keeps them."""
    (folder / "src").mkdir(parents=True, exist_ok=True)
    (folder / "src" / "lib.rs").write_text("")
    lines = ["[package]", 'name = "sources"', 'version = "0.0.0"', 'edition = "2021"', "", "[dependencies]"]
    (folder / "Cargo.toml").write_text("\n".join([*lines, f'{name} = "={version}"', "", "[workspace]", ""]))
    done = run(folder, "cargo", "metadata", "--format-version", "1", "--quiet")
    if not done.succeeded:
        sys.exit(f"cargo does not find {name} {version}:\n{done.output}")
    packages: list[dict[str, Any]] = json.loads(done.output[done.output.index("{") :])["packages"]
    return next(
        Path(p["manifest_path"]).parent for p in packages if (p["name"], p["version"]) == (name, version)
    )


def emit(folder: Path, curve: str, api: str) -> Path:
    """Emit the crate of a curve into a folder, and return it."""
    words = [
        "compile",
        "--lang",
        "rust",
        "--curve",
        curve,
        "--set",
        "protocols",
        "--api",
        api,
        "--out",
        str(folder),
    ]
    done = run(Path.cwd(), sys.executable, "-m", "efdgen", *words)
    if not done.succeeded:
        sys.exit(f"efdgen does not emit {curve}:\n{done.output}")
    return folder

"""Published programs with a crate replaced by an emitted one, and their own tests."""

from __future__ import annotations

import shutil
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

from ecosystem.suites import outcome

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ecosystem.suites import Outcome

PROGRAMS = tomllib.loads(Path(__file__).with_name("programs.toml").read_text())


def patched(folder: Path, source: Path, emitted: Mapping[str, Path]) -> None:
    """Copy a program's published sources, and replace crates by two lines of its manifest for each."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(source, folder, ignore=shutil.ignore_patterns("Cargo.lock"))
    lines = ["", "[patch.crates-io]", *(f'{name} = {{ path = "{path}" }}' for name, path in emitted.items())]
    with (folder / "Cargo.toml").open("a") as manifest:
        manifest.write("\n".join([*lines, "", "[workspace]", ""]))


def tested(folder: Path, target: Path, name: str) -> Outcome:
    """Run the tests of a patched program with the features that use the replaced crates."""
    features = PROGRAMS[name]["features"]
    return outcome(folder, target, *(["--features", ",".join(features)] if features else []))

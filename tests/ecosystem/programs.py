"""Published programs with a crate replaced by an emitted one, and their own tests."""

from __future__ import annotations

import shutil
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

from ecosystem.sources import run
from ecosystem.suites import SUITES, Outcome, crate_of, outcome

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

PROGRAMS = tomllib.loads(Path(__file__).with_name("programs.toml").read_text())


def patched(folder: Path, source: Path, emitted: Mapping[str, Path]) -> None:
    """Copy a program's published sources, and replace crates by two lines of its manifest for each."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(source, folder, ignore=shutil.ignore_patterns("Cargo.lock"))
    lines = ["", "[patch.crates-io]", *(f'{name} = {{ path = "{path}" }}' for name, path in emitted.items())]
    with (folder / "Cargo.toml").open("a") as manifest:
        manifest.write("\n".join([*lines, "", "[workspace]", ""]))


def tested(folder: Path, target: Path, name: str) -> Outcome:
    """Run the tests of a patched program with the features that use the replaced crates.

    The outcome is a failure without tests if cargo uses another crate than the emitted one.
    """
    facts = PROGRAMS[name]
    words = ["--features", ",".join(facts["features"])] if facts["features"] else []
    wrong = "\n".join(unused(folder, facts["replaces"], words))
    if wrong:
        return Outcome(0, 0, succeeded=False, output=wrong)
    skipped = [word for test in facts.get("skip", ()) for word in ("--skip", test)]
    return outcome(folder, target, *words, *(["--", *skipped] if skipped else []))


def unused(folder: Path, suites: Sequence[str], words: Sequence[str]) -> list[str]:
    """Return what ``cargo tree`` prints of crates that should be emitted ones, and are not.

    A lock file that names another version switches a patch off in silence.
    """
    found = []
    for suite in suites:
        crate = f"{crate_of(suite)}@{SUITES[suite]['version']}"
        done = run(folder, "cargo", "tree", "--quiet", *words, "--invert", crate)
        if not done.succeeded or f"{crate.replace('@', ' v')} (/" not in done.output:
            found.append(f"{crate} is not replaced:\n{done.output}")
    return found

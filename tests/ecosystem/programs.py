"""Published programs with a crate replaced by an emitted one, and their own tests."""

from __future__ import annotations

import shutil
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

from ecosystem.sources import run
from ecosystem.suites import SUITES, Outcome, crate_of, edited, outcome, with_arithmetic

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

PROGRAMS = tomllib.loads(Path(__file__).with_name("programs.toml").read_text())


def patched(folder: Path, name: str, source: Path, emitted: Mapping[str, Path]) -> None:
    """Copy a program's published sources with their edits, and patch crates by lines of its manifest."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(source, folder, ignore=shutil.ignore_patterns("Cargo.lock"))
    for path, edits in PROGRAMS[name].get("files", {}).items():
        (folder / path).write_text(edited((folder / path).read_text(), edits))
    patches = [f'{crate} = {{ path = "{path}" }}' for crate, path in emitted.items()]
    with (folder / "Cargo.toml").open("a") as manifest:
        manifest.write("\n".join(["", "[patch.crates-io]", *patches, "", "[workspace]", ""]))


def tested(folder: Path, target: Path, name: str) -> Outcome:
    """Run the tests of a patched program with the features that use the replaced crates.

    The outcome is a failure without tests if cargo uses another crate than the emitted one.
    """
    facts, words = PROGRAMS[name], words_of(name)
    wrong = "\n".join(unused(folder, with_arithmetic(facts["replaces"]), words))
    if wrong:
        return Outcome(0, 0, succeeded=False, output=wrong)
    skipped = [word for test in facts.get("skip", ()) for word in ("--skip", test)]
    return outcome(folder, target, *words, *(["--", *skipped] if skipped else []))


def words_of(name: str) -> list[str]:
    """Return the words of cargo for the features with which a program uses the replaced crates."""
    facts = PROGRAMS[name]
    words = ["--features", ",".join(facts["features"])] if facts["features"] else []
    return words if facts.get("defaults", True) else ["--no-default-features", *words]


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

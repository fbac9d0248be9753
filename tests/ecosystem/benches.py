"""A published crate's own benchmarks, on the published crate and on the emitted one that takes its place."""

from __future__ import annotations

import json
import shutil
import sys
from typing import TYPE_CHECKING

from ecosystem.sources import run
from ecosystem.suites import SUITES, manifest

if TYPE_CHECKING:
    from pathlib import Path

FOLDED = 2.0
"""Time in ns below which the compiler has computed a benchmark's operation while it compiled."""

_SHORT = ("--noplot", "--warm-up-time", "0.3", "--measurement-time", "0.7", "--sample-size", "31")


def ratios(
    folder: Path, name: str, source: Path, emitted: Path, target: Path
) -> dict[str, tuple[float, float]]:
    """Return the time of each benchmark in ns, medians: of the published crate and of the emitted one."""
    version = {"version": f"={SUITES[name]['version']}", "default-features": False}
    before = _medians(folder / "published", name, source, version, target)
    after = _medians(folder / "emitted", name, source, {"path": str(emitted)}, target)
    return {each: (before[each], after[each]) for each in before if each in after}


def _medians(
    folder: Path, name: str, source: Path, place: dict[str, object], target: Path
) -> dict[str, float]:
    """Return the median of each benchmark in ns, with the crate that is at a place."""
    shutil.rmtree(folder / "benches", ignore_errors=True)
    (folder / "src").mkdir(parents=True, exist_ok=True)
    shutil.copytree(source / "benches", folder / "benches")
    (folder / "src" / "lib.rs").write_text("#![no_std]\npub use measured::*;\n")
    targets = ["[lib]", "bench = false"]
    targets += [
        f'\n[[bench]]\nname = "{path.stem}"\nharness = false' for path in (folder / "benches").glob("*.rs")
    ]
    (folder / "Cargo.toml").write_text(
        "\n".join([manifest(source, "measured", place, SUITES[name]), *targets])
    )
    home = folder / "criterion"
    shutil.rmtree(home, ignore_errors=True)
    paths = {"CARGO_TARGET_DIR": str(target), "CRITERION_HOME": str(home)}
    words = ("cargo", "bench", "--quiet", "--benches", "--", *_SHORT)
    done = run(folder, *words, **paths, RUSTFLAGS="--cap-lints allow")
    if not done.succeeded:
        sys.exit(f"the benchmarks of {name} fail:\n{done.output}")
    found = {}
    for path in sorted(home.glob("**/new/benchmark.json")):
        estimates = json.loads(path.with_name("estimates.json").read_text())
        found[json.loads(path.read_text())["full_id"]] = float(estimates["median"]["point_estimate"])
    return found

"""Published benchmarks, with the published crates and with the emitted ones that take their place.

Both builds are run one after the other in several rounds, so that changes of the machine's speed meet both.
"""

from __future__ import annotations

import json
import shutil
import sys
from collections import defaultdict
from statistics import median
from typing import TYPE_CHECKING

from ecosystem.programs import PROGRAMS, patched, unused, words_of
from ecosystem.sources import run
from ecosystem.suites import SUITES, crate_of, manifest

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

FOLDED = 2.0
"""Time in ns below which the compiler has computed a benchmark's operation while it compiled."""

_ROUNDS = 3
_SHORT = (
    *("--noplot", "--warm-up-time", "0.2", "--measurement-time", "0.3"),
    *("--sample-size", "11", "--nresamples", "1001"),
)


def ratios(
    folder: Path, name: str, source: Path, emitted: Mapping[str, Path], target: Path
) -> dict[str, tuple[float, float]]:
    """Return the time of each benchmark in ns, medians: of the published crates and of the emitted ones."""
    if name in SUITES:
        places = [{"version": f"={SUITES[name]['version']}", "default-features": False}]
        places += [{"path": str(emitted[name])}]
        words = ["--benches"]
        for version, place in zip(("published", "emitted"), places, strict=True):
            _prepare(folder / version, name, source, place)
    else:
        words = [*words_of(name), *(word for each in PROGRAMS[name]["benches"] for word in ("--bench", each))]
        crates = {crate_of(suite): path for suite, path in emitted.items()}
        patched(folder / "published", name, source, {})
        patched(folder / "emitted", name, source, crates)
        if wrong := unused(folder / "emitted", list(emitted), words_of(name)):
            sys.exit("\n".join(wrong))
    return _compare(folder, target, words, (SUITES | PROGRAMS)[name].get("timed", ""))


def _prepare(folder: Path, name: str, source: Path, place: Mapping[str, object]) -> None:
    """Write a crate with the benchmarks of a suite, for the crate that is at a place."""
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "src").mkdir(parents=True)
    shutil.copytree(source / "benches", folder / "benches")
    for path in (folder / "benches").glob("*.rs"):
        # criterion reads a filter and times only if it is told to.
        own = path.read_text().replace("Criterion::default();", "Criterion::default().configure_from_args();")
        path.write_text(own)
    (folder / "src" / "lib.rs").write_text("#![no_std]\npub use measured::*;\n")
    targets = ["[lib]", "bench = false"]
    targets += [
        f'\n[[bench]]\nname = "{path.stem}"\nharness = false' for path in (folder / "benches").glob("*.rs")
    ]
    text = "\n".join([manifest(source, "measured", place, SUITES[name]), *targets])
    (folder / "Cargo.toml").write_text(text)


def _compare(folder: Path, target: Path, words: Sequence[str], timed: str) -> dict[str, tuple[float, float]]:
    """Return the medians over rounds in which both versions run; ``timed`` is criterion's filter."""
    versions = [folder / "published", folder / "emitted"]
    programs = [_built(version, target, words) for version in versions]
    found: list[dict[str, list[float]]] = [defaultdict(list), defaultdict(list)]
    for _ in range(_ROUNDS):
        for version, paths, times in zip(versions, programs, found, strict=True):
            for each, time in _medians(version, paths, timed).items():
                times[each].append(time)
    before, after = found
    return {each: (median(before[each]), median(after[each])) for each in before if each in after}


def _built(folder: Path, target: Path, words: Sequence[str]) -> list[str]:
    """Build benchmarks, and return the paths of their programs."""
    command = ("cargo", "bench", "--quiet", "--no-run", "--message-format", "json", *words)
    done = run(folder, *command, CARGO_TARGET_DIR=str(target), RUSTFLAGS="--cap-lints allow")
    if not done.succeeded:
        sys.exit(f"the benchmarks in {folder} fail:\n{done.output}")
    messages = [json.loads(line) for line in done.output.splitlines() if line.startswith("{")]
    return [
        message["executable"]
        for message in messages
        if message["reason"] == "compiler-artifact" and message["target"]["kind"] == ["bench"]
    ]


def _medians(folder: Path, programs: Sequence[str], timed: str) -> dict[str, float]:
    """Run benchmarks, and return the median time of each in ns."""
    home = folder / "criterion"
    shutil.rmtree(home, ignore_errors=True)
    for program in programs:
        words = ("--bench", *_SHORT, *([timed] if timed else []))
        done = run(folder, program, *words, CRITERION_HOME=str(home))
        if not done.succeeded:
            sys.exit(f"{program} fails:\n{done.output}")
    found = {}
    for path in sorted(home.glob("**/new/benchmark.json")):
        estimates = json.loads(path.with_name("estimates.json").read_text())
        found[json.loads(path.read_text())["full_id"]] = float(estimates["median"]["point_estimate"])
    return found

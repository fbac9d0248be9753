"""`make rust-ecosystem`: run the tests and benchmarks of published crates and programs on emitted crates.

Prints a table of tests, and one of benchmarks: the published crate's time beside the emitted crate's.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from ecosystem.benches import FOLDED, ratios
from ecosystem.programs import PROGRAMS, patched, tested
from ecosystem.sources import emit, published
from ecosystem.suites import SUITES, crate_of, outcome, prepare

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ecosystem.suites import Outcome


def main() -> None:
    """Run the suites and the programs that are asked for; the status is 1 where a test fails."""
    parser = argparse.ArgumentParser(prog="ecosystem", description=__doc__)
    every = [*SUITES, *PROGRAMS]
    parser.add_argument("names", nargs="*", help=f"some of {', '.join(every)}; the default is all of them")
    parser.add_argument("--no-benches", action="store_true", help="run tests only")
    parser.add_argument("--folder", type=Path, default=Path("build/rust-ecosystem"), help="scratch folder")
    chosen = parser.parse_args()
    unknown = [name for name in chosen.names if name not in every]
    if unknown:
        parser.error(f"there is no {', '.join(unknown)}; choose some of {', '.join(every)}")
    failed, names, folder = False, chosen.names or every, chosen.folder.resolve()
    print(f"{'crate or program':24}{'replaced':14}{'passed':>8}{'failed':>8}")
    for name, replaced, found in _outcomes(names, folder):
        failed |= not found.succeeded
        print(f"{name:24}{replaced:14}{found.passed:>8}{found.failed:>8}", flush=True)
        if not found.succeeded:
            print("\n".join(found.output.splitlines()[-40:]), file=sys.stderr)
    if not chosen.no_benches:
        _print_benches([name for name in names if SUITES.get(name, {}).get("benches")], folder)
    sys.exit(failed)


def _print_benches(names: list[str], folder: Path) -> None:
    """Print the times of the benchmarks of published crates, before and after, in microseconds."""
    for name in names:
        print(f"\n{f'benchmark of {name}':68}{'published':>12}{'emitted':>12}{'ratio':>8}")
        source = published(folder / "sources" / name, name, SUITES[name]["version"])
        times = ratios(folder / "benches" / name, name, source, folder / "crates" / name)
        for each, (before, after) in times.items():
            ratio = f"{before / after:>8.2f}" if after > FOLDED else f"{'folded':>8}"
            print(f"{each:68}{before / 1000:>12.3f}{after / 1000:>12.3f}{ratio}", flush=True)


def _outcomes(names: list[str], folder: Path) -> Iterator[tuple[str, str, Outcome]]:
    """Yield each name with its version, the crates that are replaced, and the end of its tests."""
    suites = {name: PROGRAMS[name]["replaces"] if name in PROGRAMS else [name] for name in names}
    emitted = {}
    for suite in sorted({suite for needed in suites.values() for suite in needed}):
        facts = SUITES[suite]
        emitted[suite] = emit(folder / "crates" / suite, facts["curve"], facts.get("api", "rustcrypto"))
    for name in names:
        facts = (SUITES | PROGRAMS)[name]
        crate = facts.get("crate", name)
        source = published(folder / "sources" / name, crate, facts["version"])
        if name in SUITES:
            place = folder / "suites" / name
            prepare(place, name, source, emitted[name])
            found = outcome(place, folder / "target")
        else:
            place = folder / "programs" / name
            patched(place, source, {crate_of(suite): emitted[suite] for suite in suites[name]})
            found = tested(place, folder / "target", name)
        replaced = sorted({crate_of(suite) for suite in suites[name]})
        yield f"{crate} {facts['version']}", ", ".join(replaced), found


if __name__ == "__main__":
    main()

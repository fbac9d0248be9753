"""`make rust-ecosystem`: run the tests and benchmarks of published crates and programs on emitted crates.

Prints a table of tests, and one of benchmarks: the times of the published crate and of the emitted one.
A suite that passed runs again only where the emitted crate or the suite has changed.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import asdict
from functools import partial
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING

from ecosystem.benches import FOLDED, ratios
from ecosystem.programs import PROGRAMS, patched, tested
from ecosystem.results import digest_of, recalled
from ecosystem.sources import emit, published
from ecosystem.suites import SUITES, Outcome, crate_of, outcome, prepare
from efdgen.verify.store import answer_key

if TYPE_CHECKING:
    from collections.abc import Iterator


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
    names, folder = chosen.names or every, chosen.folder.resolve()
    failed = _print_tests(names, folder)
    if not chosen.no_benches:
        _print_benches([name for name in names if SUITES.get(name, {}).get("benches")], folder)
    sys.exit(failed)


def _print_tests(names: list[str], folder: Path) -> bool:
    """Print each suite on stderr as it ends, and the table at the end; return whether a test failed."""
    lines, failed = [f"{'crate or program':24}{'replaced':22}{'passed':>8}{'failed':>8}"], False
    for name, replaced, found in _outcomes(names, folder):
        lines.append(f"{name:24}{replaced:22}{found.passed:>8}{found.failed:>8}")
        print(lines[-1], file=sys.stderr, flush=True)
        if not found.succeeded:
            failed = True
            print("\n".join(found.output.splitlines()[-40:]), file=sys.stderr, flush=True)
    print("\n".join(lines), flush=True)
    return failed


def _print_benches(names: list[str], folder: Path) -> None:
    """Print the times of the benchmarks of published crates, before and after, in microseconds."""
    for name in names:
        print(f"\n{f'benchmark of {name}':68}{'published':>12}{'emitted':>12}{'ratio':>8}")
        source = published(folder / "sources" / name, name, SUITES[name]["version"])
        times = ratios(folder / "benches" / name, name, source, folder / "crates" / name, folder / "target")
        for each, (before, after) in times.items():
            ratio = f"{before / after:>8.2f}" if after > FOLDED else f"{'folded':>8}"
            print(f"{each:68}{before / 1000:>12.3f}{after / 1000:>12.3f}{ratio}", flush=True)


def _outcomes(names: list[str], folder: Path) -> Iterator[tuple[str, str, Outcome]]:
    """Yield each name with its version, the crates that are replaced, and the end of its tests."""
    own = answer_key()
    for name in names:
        facts = (SUITES | PROGRAMS)[name]
        crate, replaced = facts.get("crate", name), facts.get("replaces", [name])
        emitted = {suite: _emitted(folder / "crates" / suite, suite, own) for suite in replaced}

        key = [facts, {suite: digest_of(place) for suite, place in emitted.items()}]
        make = partial(_run, name, emitted, folder)
        found = Outcome(**recalled(folder / "results" / f"{name}.json", key, make, itemgetter("succeeded")))
        yield f"{crate} {facts['version']}", ", ".join(sorted({crate_of(suite) for suite in replaced})), found


def _emitted(place: Path, suite: str, own: str) -> Path:
    """Return the emitted crate of a suite; emit it where efdgen, of that digest, has changed."""
    curve, api = SUITES[suite]["curve"], SUITES[suite].get("api", "rustcrypto")
    made = place.with_name(f"{suite}.json")
    if not place.exists():
        made.unlink(missing_ok=True)
    recalled(made, [curve, api, own], lambda: str(emit(place, curve, api, crate_of(suite))))
    return place


def _run(name: str, emitted: dict[str, Path], folder: Path) -> dict[str, object]:
    """Run the tests of a suite or a program on emitted crates; return the fields of the outcome."""
    facts = (SUITES | PROGRAMS)[name]
    source = published(folder / "sources" / name, facts.get("crate", name), facts["version"])
    if name in SUITES:
        place = folder / "suites" / name
        prepare(place, name, source, emitted[name])
        return asdict(outcome(place, folder / "target"))
    place = folder / "programs" / name
    patched(place, source, {crate_of(suite): path for suite, path in emitted.items()})
    return asdict(tested(place, folder / "target", name))


if __name__ == "__main__":
    main()

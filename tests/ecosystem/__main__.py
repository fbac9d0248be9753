"""`make rust-ecosystem`: run the tests of published crates and programs on emitted crates; print a table."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

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
    parser.add_argument("--folder", type=Path, default=Path("build/rust-ecosystem"), help="scratch folder")
    chosen = parser.parse_args()
    unknown = [name for name in chosen.names if name not in every]
    if unknown:
        parser.error(f"there is no {', '.join(unknown)}; choose some of {', '.join(every)}")
    failed = False
    print(f"{'crate or program':24}{'replaced':14}{'passed':>8}{'failed':>8}")
    for name, replaced, found in _outcomes(chosen.names or every, chosen.folder.resolve()):
        failed |= not found.succeeded
        print(f"{name:24}{replaced:14}{found.passed:>8}{found.failed:>8}", flush=True)
        if not found.succeeded:
            print("\n".join(found.output.splitlines()[-40:]), file=sys.stderr)
    sys.exit(failed)


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

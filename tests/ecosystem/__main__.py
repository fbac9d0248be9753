"""`make rust-ecosystem`: run the tests and benchmarks of published crates and programs on emitted crates.

Prints a table of tests, and one of benchmarks: the times of the published crate and of the emitted one.
A suite that passed runs again only where the emitted crate or the suite has changed.
With other words, or on another machine, only the tests of published crates run.
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
from ecosystem.machines import HERE, WASM_32, WORDS_32
from ecosystem.programs import PROGRAMS, patched, tested
from ecosystem.results import digest_of, recalled
from ecosystem.rows import PROJECTS, ROWS, chosen, replaced
from ecosystem.sources import emit, published
from ecosystem.suites import SUITES, Outcome, crate_of, outcome, prepare
from efdgen.verify.store import answer_key

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ecosystem.machines import Machine


def main() -> None:
    """Run the suites and the programs that are asked for; the status is 1 where a test fails."""
    parser = argparse.ArgumentParser(prog="ecosystem", description=__doc__)
    parser.add_argument(
        "names", nargs="*", help=f"some of {', '.join([*PROJECTS, *ROWS])}; the default is all"
    )
    parser.add_argument("--no-benches", action="store_true", help="run tests only")
    elsewhere = parser.add_mutually_exclusive_group()
    elsewhere.add_argument("--words", choices=["32"], help="run only suites, with words of that many bits")
    elsewhere.add_argument("--machine", choices=["wasm32"], help="run only suites, in WebAssembly by Node.js")
    parser.add_argument("--folder", type=Path, default=Path("build/rust-ecosystem"), help="scratch folder")
    asked = parser.parse_args()
    machine = {None: HERE, "32": WORDS_32, "wasm32": WASM_32}[asked.words or asked.machine]
    try:
        names = chosen(asked.names)
    except ValueError as error:
        parser.error(str(error))
    if machine is not HERE:
        if programs := [name for name in asked.names if name in PROGRAMS]:
            parser.error(f"--words and --machine are for suites; remove the program {programs[0]}")
        names = [name for name in names if name in SUITES]
    folder = asked.folder.resolve()
    failed = _print_tests(names, folder, machine)
    if machine is HERE and not asked.no_benches:
        _print_benches([name for name in names if ROWS[name].get("benches")], folder)
    sys.exit(failed)


def _print_tests(names: list[str], folder: Path, machine: Machine) -> bool:
    """Print each suite on stderr as it ends, and the table at the end; return whether a test failed."""
    lines, failed = [f"{'crate or program':32}{'replaced':38}{'passed':>8}{'failed':>8}"], False
    for name, crates, found in _outcomes(names, folder, machine):
        lines.append(f"{name:32}{crates:38}{found.passed:>8}{found.failed:>8}")
        print(lines[-1], file=sys.stderr, flush=True)
        if not found.succeeded:
            failed = True
            print("\n".join(found.output.splitlines()[-40:]), file=sys.stderr, flush=True)
    print("\n".join(lines), flush=True)
    return failed


def _print_benches(names: list[str], folder: Path) -> None:
    """Print the times of published benchmarks, before and after, in microseconds."""
    own = answer_key()
    for name in names:
        print(f"\n{f'benchmark of {name}':68}{'published':>12}{'emitted':>12}{'ratio':>8}")
        emitted = {suite: _emitted(folder / "crates" / suite, suite, own) for suite in replaced(name)}
        times = ratios(folder / "benches" / name, name, _source(name, folder), emitted, folder / "target")
        for each, (before, after) in times.items():
            ratio = f"{before / after:>8.2f}" if after > FOLDED else f"{'folded':>8}"
            print(f"{each:68}{before / 1000:>12.3f}{after / 1000:>12.3f}{ratio}", flush=True)


def _source(name: str, folder: Path) -> Path:
    """Return the folder of the published sources of a row."""
    return published(folder / "sources" / name, ROWS[name].get("crate", name), ROWS[name]["version"])


def _outcomes(names: list[str], folder: Path, machine: Machine) -> Iterator[tuple[str, str, Outcome]]:
    """Yield each name with its version, the crates that are replaced, and the end of its tests."""
    own = answer_key()
    for name in names:
        emitted = {suite: _emitted(folder / "crates" / suite, suite, own) for suite in replaced(name)}
        facts = {key: value for key, value in ROWS[name].items() if key not in ("benches", "timed")}
        key = [facts, {suite: digest_of(place) for suite, place in emitted.items()}, *machine.key()]
        make = partial(_run, name, emitted, folder, machine)
        place = folder / "results" / machine.name / f"{name}.json"
        found = Outcome(**recalled(place, key, make, itemgetter("succeeded")))
        crates = ", ".join(sorted({crate_of(suite) for suite in emitted}))
        yield f"{ROWS[name].get('crate', name)} {ROWS[name]['version']}", crates, found


def _emitted(place: Path, suite: str, own: str) -> Path:
    """Return the emitted crate of a suite; emit it where efdgen, of that digest, has changed."""
    curve, api = SUITES[suite]["curve"], SUITES[suite].get("api", "rustcrypto")
    made = place.with_name(f"{suite}.json")
    if not place.exists():
        made.unlink(missing_ok=True)
    recalled(made, [curve, api, own], lambda: str(emit(place, curve, api, crate_of(suite))))
    return place


def _run(name: str, emitted: dict[str, Path], folder: Path, machine: Machine) -> dict[str, object]:
    """Run the tests of a suite or a program on emitted crates; return the fields of the outcome."""
    source = _source(name, folder)
    if name in SUITES:
        place = folder / "suites" / machine.name / name
        beneath = {crate_of(suite): path for suite, path in emitted.items() if suite != name}
        prepare(place, name, source, emitted[name], machine, beneath)
        return asdict(outcome(place, folder / "target", machine=machine))
    place = folder / "programs" / name
    patched(place, name, source, {crate_of(suite): path for suite, path in emitted.items()})
    return asdict(tested(place, folder / "target", name))


if __name__ == "__main__":
    main()

"""Times what efdgen generates beside its peers, in one process, and prints core cycles and ratios.

    python bench/run.py [--primes LIST] [--rows LIST] [--compilers LIST] [--native] [--rounds 51]
                        [--json FILE] [--markdown FILE]

    --primes P-384,5*2^248-1        what to build and to time, primes and curves; all without
    --rows mul,sqr,secp256k1/add    parts of the names of rows, which are PRIME OR CURVE/OPERATION
    --compilers gcc,clang,rustc     compilers of ours and of peers; all that are installed without
    --native                        everything, peers too, is compiled for the processor at hand
    --markdown docs/performance.md  put the tables of what was measured into a page, in place of its own

Figures are medians over rounds in which all implementations take turns. A ratio above 1 says that efdgen is
faster: the best peer without assembler, the best peer of all, and the target that ``targets.toml`` has, each
divided by the fastest of efdgen's compilers. Ratios to peers are medians of the ratios of each round.
"""

from __future__ import annotations

import argparse
import sys

import outputs
from libraries import ANY, NATIVE, build, build_harness, versions
from measure import MODES, Row, measure
from page import update
from rich.console import Console
from subjects import BINARY, BINARY_FIELDS, CURVES, FIELDS, X_ONLY
from tables import subject_table, target_table
from targets import targets


def main() -> None:
    """Build, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--primes", metavar="LIST", help="primes and curves, with commas between them")
    parser.add_argument("--rows", metavar="LIST", default="", help="parts of the names of rows, with commas")
    parser.add_argument("--compilers", metavar="LIST", help="gcc, clang, rustc, with commas; all without")
    outputs.add_options(parser, rounds=51)
    options = parser.parse_args()
    outputs.check(options)
    subjects, processor = _subjects(options.primes), NATIVE if options.native else ANY
    status = Console(stderr=True)
    with status.status("building") as line:
        say = line.update if status.is_terminal else lambda text: print(text, file=sys.stderr)
        wanted = options.compilers.split(",") if options.compilers else ()
        libraries, harness = build(subjects, processor, say, wanted), build_harness()
        rows = measure(harness, libraries, options.rounds, options.rows.split(","), say)
    rows = {name: rows[name] for name in sorted(rows) if name.partition("/")[0] in subjects}
    console = Console(width=None if sys.stdout.isatty() else 220)
    console.print(", ".join(f"{name}: {text}" for name, text in versions().items()))
    console.print(processor.flags)
    for subject in sorted({name.partition("/")[0] for name in rows}):
        part = {name: row for name, row in rows.items() if name.partition("/")[0] == subject}
        console.print(subject_table(subject, part))
    console.print(target_table(rows, targets()))
    outputs.write(options, _figures(rows), lambda page: update(page, rows, targets()))


def _subjects(given: str | None) -> list[str]:
    """Return the names of primes and curves that are given, or all."""
    known = [subject.name for subject in (*FIELDS, *CURVES, X_ONLY, *BINARY_FIELDS, *BINARY)]
    if given is None:
        return known
    wanted = given.split(",")
    for name in wanted:
        if name not in known:
            raise SystemExit(f"--primes: there is no {name}; choose from {', '.join(dict.fromkeys(known))}")
    return wanted


def _figures(rows: dict[str, Row]) -> dict[str, object]:
    return {
        name: {
            "cycles": {
                f"{who} ({mode})": row.cycles(who, mode)
                for who in row.names
                for mode in MODES
                if row.cycles(who, mode) is not None
            },
            "best asm-free peer / efdgen": {mode: row.ratio(mode, portable=True) for mode in MODES},
            "best peer / efdgen": {mode: row.ratio(mode, portable=False) for mode in MODES},
        }
        for name, row in rows.items()
    }


if __name__ == "__main__":
    main()

"""Whole operations of emitted Rust and of its peers in one process: signatures, key exchange, decoding.

Emits the crates, builds the benchmark and prints a table in Markdown: medians in microseconds over
interleaved rounds, and the ratio of each peer to the fastest emitted crate. Builds are portable unless
``--native`` is given; peers with assembler or vector code choose it when they run. curve25519-dalek chooses
among those that it was built with: by default all, so that it takes AVX-512 IFMA where the processor has it.
The pages of memory that hold the program change single figures by up to a factor of two: each of several runs
is of a new copy, and each subject has the figure of its best run.

Usage: python bench/operations.py [--native] [--dalek avx512|simd|serial] [--runs 5] [--rounds 31]
                                  [--json FILE] [--markdown FILE] [--plot DIRECTORY]
"""

from __future__ import annotations

import argparse
import os
import platform
import shutil
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import outputs
from page import cells, put
from picture import NAME, picture

from efdgen.generator import processes
from efdgen.generator.measuring.drawing import draw, require_drawings, require_matplotlib
from efdgen.generator.measuring.machine import processor, version_of
from efdgen.generator.output import apply

ROOT = Path(__file__).resolve().parents[1]
BUILD = ROOT / "build" / "operations"
CRATES = {
    "own_p256": ("P-256", "--prefix", "own_p256"),
    "own_k256": ("secp256k1", "--prefix", "own_k256"),
    "own_25519": ("edwards25519", "--prefix", "own_25519"),
    "own_bls12_381": ("BLS12-381", "--prefix", "own_bls12_381"),
    "p256": ("P-256", "--api", "rustcrypto"),
    "k256": ("secp256k1", "--api", "rustcrypto"),
    "p256-0.13": ("P-256", "--api", "rustcrypto-0.13"),
    "k256-0.13": ("secp256k1", "--api", "rustcrypto-0.13"),
    "curve25519-dalek": ("edwards25519", "--api", "dalek", "--crate-name", "curve25519-dalek"),
    "ed25519-dalek": ("edwards25519", "--api", "dalek"),
    "x25519-dalek": ("Curve25519", "--api", "dalek"),
}
OURS = "efdgen"
SECTION = "Whole operations"
HEAD = ("| operation | efdgen | others, with their ratios to efdgen |", "|---|---:|---|")
BACK_ENDS = ("avx512", "simd", "serial")
"""Back ends of curve25519-dalek on x86-64, by its own names; the first includes the others."""

MEDIAN, DECILE = 0, 1
"""Columns of times in the lines of the program."""

Figures = dict[str, dict[str, float]]
"""Microseconds by operation and subject."""


def main() -> None:
    """Emit, build, run, print and write."""
    parser = options("Time whole operations of emitted Rust and of its peers.")
    parser.add_argument("--plot", type=Path, metavar="DIRECTORY", help="draw a picture as SVG")
    asked = parser.parse_args()
    outputs.check(asked)
    if asked.plot:
        require_matplotlib()
        require_drawings(asked.plot, [NAME])
    figures = best(read(run) for run in measured(program(asked), asked))
    lines = table(figures)
    print("\n".join([*HEAD, *lines.values()]))
    where = f"{processor()}; {version_of('Rust')}"
    print(f"\n{where}")
    outputs.write(asked, {"where": where, "microseconds": figures}, lambda page: updated(page, lines))
    if asked.plot:
        apply(draw(asked.plot, [picture(figures, where)]))


def options(about: str) -> argparse.ArgumentParser:
    """Return a parser of the options that benchmarks of operations share."""
    parser = argparse.ArgumentParser(description=about)
    outputs.add_options(parser, rounds=31)
    parser.add_argument("--runs", type=int, default=5, help="take the best of this number of runs")
    parser.add_argument("--dalek", choices=BACK_ENDS, help="build curve25519-dalek with this back end")
    return parser


def program(asked: argparse.Namespace) -> Path:
    """Emit the crates, and return the program that times them beside their peers."""
    return emitted_and_built("operations", CRATES, flags(asked.native, asked.dalek, platform.machine()))


def emitted_and_built(name: str, crates: Mapping[str, Sequence[str]], flags: str, *words: str) -> Path:
    """Emit crates, each of a curve with options, and return a program of this folder by its name.

    ``flags`` are arguments of rustc, ``words`` of cargo.
    """
    for crate, (curve, *given) in crates.items():
        emit = ["compile", "--lang", "rust", "--set", "protocols", "--curve", curve, *given]
        run([sys.executable, "-m", "efdgen", *emit, "--out", str(BUILD / crate)], ROOT)
        _call(BUILD / crate / "Cargo.toml")
    # rscrypto asks for a compiler that is not released, and builds with this one.
    build = ["cargo", "build", "--release", "--quiet", "--ignore-rust-version", *words]
    run([*build, "--target-dir", str(BUILD / "target")], ROOT / "bench" / name, {"RUSTFLAGS": flags})
    return BUILD / "target" / "release" / name


def _call(manifest: Path) -> None:
    """Have a crate call the emitted curve25519-dalek by its path: the program has the published one, too."""
    key = "curve25519-dalek = {"
    manifest.write_text(manifest.read_text().replace(key, f'{key} path = "../curve25519-dalek",'))


def measured(program: Path, asked: argparse.Namespace, *names: str) -> Iterator[list[str]]:
    """Yield the lines of each run, of a copy in pages of its own; with names, of these operations alone."""
    with TemporaryDirectory(dir=BUILD) as folder:
        for number in range(asked.runs):
            copy = shutil.copy(program, Path(folder) / f"run{number}")
            yield run([str(copy), str(asked.rounds), *names], ROOT).splitlines()


def flags(native: bool, dalek: str | None, machine: str) -> str:
    """Return the arguments of rustc; other machines than x86-64 have no back end to ask for."""
    back_end = dalek or (BACK_ENDS[0] if machine in ("x86_64", "AMD64") else None)
    chosen = [f'--cfg curve25519_dalek_backend="{back_end}"'] if back_end else []
    return " ".join([*(["-C target-cpu=native"] if native else []), *chosen])


def read(lines: Iterable[str], column: int = MEDIAN) -> Figures:
    """Return the figures in a column of lines ``operation|subject|median|lower decile``."""
    figures: Figures = {}
    for line in lines:
        operation, subject, *times = line.split("|")
        figures.setdefault(operation, {})[subject] = float(times[column])
    return figures


def best(runs: Iterable[Figures]) -> Figures:
    """Return the least time of each subject over all runs."""
    found: Figures = {}
    for figures in runs:
        for operation, times in figures.items():
            row = found.setdefault(operation, {})
            row |= {subject: min(time, row.get(subject, time)) for subject, time in times.items()}
    return found


def table(figures: Mapping[str, Mapping[str, float]]) -> dict[str, str]:
    """Return the lines of the table by operation: ours, then others with ratios to our fastest."""
    return {operation: _line(operation, times) for operation, times in figures.items()}


def _line(operation: str, times: Mapping[str, float]) -> str:
    own = {subject: time for subject, time in times.items() if subject.startswith(OURS)}
    best = min(own.values())
    ours = "; ".join(f"{time:.2f} ({subject.removeprefix(f'{OURS}, ')})" for subject, time in own.items())
    others = "; ".join(f"{s} {t:.2f} ({t / best:.2f})" for s, t in times.items() if s not in own)
    return cells([operation, ours, others])


def updated(page: str, lines: Mapping[str, str]) -> str:
    """Return a page with the lines of a table in its section, in place of all old ones."""
    return put(page, (SECTION, ""), lines, list(lines), HEAD)


def run(words: list[str], folder: Path, environment: dict[str, str] | None = None) -> str:
    """Run a command and return its standard output; exit with its errors if it fails."""
    done = processes.run(words, folder, os.environ | (environment or {}))
    if done.returncode:
        sys.exit(f"{' '.join(words[:4])} failed:\n{done.stderr}")
    return done.stdout


if __name__ == "__main__":
    main()

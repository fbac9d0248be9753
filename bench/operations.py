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
from collections.abc import Iterable, Iterator, Mapping
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
    "p256": ("P-256", "--api", "rustcrypto"),
    "k256": ("secp256k1", "--api", "rustcrypto"),
    "p256-0.13": ("P-256", "--api", "rustcrypto-0.13"),
    "k256-0.13": ("secp256k1", "--api", "rustcrypto-0.13"),
    "ed25519-dalek": ("edwards25519", "--api", "dalek"),
    "x25519-dalek": ("Curve25519", "--api", "dalek"),
}
OURS = "efdgen"
SECTION = "Whole operations"
HEAD = ("| operation | efdgen | others, with their ratios to efdgen |", "|---|---:|---|")
BACK_ENDS = ("avx512", "simd", "serial")
"""Back ends of curve25519-dalek on x86-64, by its own names; the first includes the others."""

Figures = dict[str, dict[str, float]]
"""Microseconds by operation and subject."""


def main() -> None:
    """Emit, build, run, print and write."""
    parser = argparse.ArgumentParser(description="Time whole operations of emitted Rust and of its peers.")
    outputs.add_options(parser, rounds=31)
    parser.add_argument("--runs", type=int, default=5, help="take the best of this number of runs")
    parser.add_argument("--dalek", choices=BACK_ENDS, help="build curve25519-dalek with this back end")
    parser.add_argument("--plot", type=Path, metavar="DIRECTORY", help="draw a picture as SVG")
    options = parser.parse_args()
    outputs.check(options)
    if options.plot:
        require_matplotlib()
        require_drawings(options.plot, [NAME])
    for name, (curve, *given) in CRATES.items():
        words = ["compile", "--lang", "rust", "--set", "protocols", "--curve", curve, *given]
        _run([sys.executable, "-m", "efdgen", *words, "--out", str(BUILD / name)], ROOT)
    figures = best(_measured(_built(flags(options.native, options.dalek, platform.machine())), options))
    lines = table(figures)
    print("\n".join([*HEAD, *lines.values()]))
    where = f"{processor()}; {version_of('Rust')}"
    print(f"\n{where}")
    outputs.write(options, {"where": where, "microseconds": figures}, lambda page: updated(page, lines))
    if options.plot:
        apply(draw(options.plot, [picture(figures, where)]))


def _built(flags: str) -> Path:
    """Return the program, compiled with arguments of rustc."""
    # rscrypto asks for a compiler that is not released, and builds with this one.
    words = ["cargo", "build", "--release", "--quiet", "--ignore-rust-version"]
    folder = ROOT / "bench" / "operations"
    _run([*words, "--target-dir", str(BUILD / "target")], folder, {"RUSTFLAGS": flags})
    return BUILD / "target" / "release" / "operations"


def _measured(program: Path, options: argparse.Namespace) -> Iterator[Figures]:
    """Yield the figures of each run, of a copy in pages of its own."""
    with TemporaryDirectory(dir=BUILD) as folder:
        for number in range(options.runs):
            copy = shutil.copy(program, Path(folder) / f"run{number}")
            yield read(_run([str(copy), str(options.rounds)], ROOT).splitlines())


def flags(native: bool, dalek: str | None, machine: str) -> str:
    """Return the arguments of rustc; other machines than x86-64 have no back end to ask for."""
    back_end = dalek or (BACK_ENDS[0] if machine in ("x86_64", "AMD64") else None)
    chosen = [f'--cfg curve25519_dalek_backend="{back_end}"'] if back_end else []
    return " ".join([*(["-C target-cpu=native"] if native else []), *chosen])


def read(lines: Iterable[str]) -> Figures:
    """Return the figures of lines of the form ``operation|subject|microseconds``."""
    figures: Figures = {}
    for line in lines:
        operation, subject, time = line.split("|")
        figures.setdefault(operation, {})[subject] = float(time)
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


def _run(words: list[str], folder: Path, environment: dict[str, str] | None = None) -> str:
    """Run a command and return its standard output; exit with its errors if it fails."""
    done = processes.run(words, folder, os.environ | (environment or {}))
    if done.returncode:
        sys.exit(f"{' '.join(words[:4])} failed:\n{done.stderr}")
    return done.stdout


if __name__ == "__main__":
    main()

"""Whole operations of emitted Rust and of its peers in one process: signatures, key exchange, decoding.

Emits the crates, builds the benchmark and prints a table in Markdown: medians in microseconds over
interleaved rounds, and the ratio of each peer to the fastest emitted crate. Builds are portable unless
``--native`` is given; peers with assembler or vector code choose it when they run. ``--serial`` builds
dalek's crates without their vector code.

Usage: python bench/operations.py [--native] [--serial]
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
from pathlib import Path

from efdgen.generator import processes

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
FLAGS = {"native": "-C target-cpu=native", "serial": '--cfg curve25519_dalek_backend="serial"'}
"""What rustc is given for each option."""


def main() -> None:
    """Emit, build, run and print."""
    parser = argparse.ArgumentParser(description="Time whole operations of emitted Rust and of its peers.")
    for name, flag in FLAGS.items():
        parser.add_argument(f"--{name}", dest="flags", action="append_const", const=flag, default=[])
    flags = " ".join(parser.parse_args().flags)
    for name, (curve, *options) in CRATES.items():
        words = ["compile", "--lang", "rust", "--set", "protocols", "--curve", curve, *options]
        _run([sys.executable, "-m", "efdgen", *words, "--out", str(BUILD / name)], ROOT)
    words = ["cargo", "run", "--release", "--quiet", "--target-dir", str(BUILD / "target")]
    printed = _run(words, ROOT / "bench" / "operations", {"RUSTFLAGS": flags})
    print("\n".join(table([line.split("|") for line in printed.splitlines()])))
    print(f"\n{platform.processor() or platform.machine()}; {_run(['rustc', '--version'], ROOT).strip()}")


def table(rows: list[list[str]]) -> list[str]:
    """Return the lines of the table of operations, subjects and times."""
    lines = ["| operation | efdgen | others, with their ratios to efdgen |", "|---|---:|---|"]
    for operation in dict.fromkeys(row[0] for row in rows):
        times = {subject: float(time) for name, subject, time in rows if name == operation}
        own = {subject: time for subject, time in times.items() if subject.startswith(OURS)}
        best = min(own.values())
        ours = "; ".join(f"{time:.2f} ({subject.removeprefix(f'{OURS}, ')})" for subject, time in own.items())
        others = "; ".join(f"{s} {t:.2f} ({t / best:.2f})" for s, t in times.items() if s not in own)
        lines.append(f"| {operation} | {ours} | {others} |")
    return lines


def _run(words: list[str], folder: Path, environment: dict[str, str] | None = None) -> str:
    """Run a command and return its standard output; exit with its errors if it fails."""
    done = processes.run(words, folder, os.environ | (environment or {}))
    if done.returncode:
        sys.exit(f"{' '.join(words[:4])} failed:\n{done.stderr}")
    return done.stdout


if __name__ == "__main__":
    main()

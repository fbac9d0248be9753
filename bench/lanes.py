"""Batches of signatures in lanes of emitted Rust, and the same by peers, in one process.

Emits crates for AVX-512 IFMA, builds the program of ``bench/lanes`` and prints a table in Markdown, in the
form of ``operations.py``: microseconds for each element of a batch of 64. Peers verify one signature after
the other, but crypto_mb eight at once; it takes part where ``--crypto-mb`` names a folder with its library.

Usage: python bench/lanes.py [--crypto-mb DIRECTORY] [--native] [--runs 5] [--rounds 31]
                             [--json FILE] [--markdown FILE]
"""

from __future__ import annotations

import argparse
import platform
from collections.abc import Mapping
from pathlib import Path

import outputs
from operations import (
    DECILE,
    HEAD,
    best,
    emitted_and_built,
    flags,
    measured,
    options,
    read,
    table,
)
from page import put

from efdgen.generator.measuring.machine import processor, version_of

SECTION = "Eight at a time"
CRATES = {
    name: (curve, "--prefix", name, "--machine", "x86-64-avx512ifma")
    for name, curve in {
        "lanes_p256": "P-256",
        "lanes_p384": "P-384",
        "lanes_k256": "secp256k1",
        "lanes_25519": "edwards25519",
        "lanes_x25519": "Curve25519",
    }.items()
}


def main() -> None:
    """Emit, build, run, print and write."""
    parser = options("Time signatures in lanes by emitted Rust, and by its peers.")
    parser.add_argument(
        "--crypto-mb", type=Path, metavar="DIRECTORY", help="time libcrypto_mb.so of this folder"
    )
    asked = parser.parse_args()
    outputs.check(asked)
    figures = best(read(run, DECILE) for run in measured(program(asked), asked))
    rows = table(figures)
    print("\n".join([*HEAD, *rows.values()]))
    where = f"{processor()}; {version_of('Rust')}"
    print(f"\n{where}")
    outputs.write(asked, {"where": where, "microseconds": figures}, lambda page: updated(page, rows))


def program(asked: argparse.Namespace) -> Path:
    """Emit the crates, and return the program that times them beside their peers."""
    found, words = flags(asked.native, asked.dalek, platform.machine()), []
    if asked.crypto_mb:
        folder = asked.crypto_mb.resolve()
        found += f" -L native={folder} -C link-arg=-Wl,-rpath,{folder}"
        words = ["--features", "crypto-mb"]
    return emitted_and_built("lanes", CRATES, found, *words)


def updated(page: str, rows: Mapping[str, str]) -> str:
    """Return a page with the lines of the table in its section, in place of all old ones."""
    return put(page, (SECTION, ""), rows, [*rows], HEAD)


if __name__ == "__main__":
    main()

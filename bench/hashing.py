"""Hashing to curves and BIP-340 of emitted Rust and of its peers, beside multiplication and ECDSA.

Builds the program of ``operations.py``, and prints a table in Markdown of some of its operations, in the same
form. noble-curves, in JavaScript, runs in processes of its own between those of Rust. Figures are the lower
deciles over rounds of each subject's best run, since other programs on the machine change them less than
medians; the last line says how far ratios of medians are from these.

Usage: python bench/hashing.py [--native] [--runs 5] [--rounds 31] [--json FILE] [--markdown FILE]
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path

import outputs
from operations import (
    BUILD,
    DECILE,
    HEAD,
    MEDIAN,
    OURS,
    ROOT,
    Figures,
    best,
    measured,
    options,
    program,
    read,
    run,
    table,
)
from page import put

from efdgen.generator.measuring.machine import processor, version_of

SECTION = "Hashing to curves and BIP-340"
ROWS = (
    "P-256: hash to the curve",
    "ECDH P-256",
    "secp256k1: hash to the curve",
    "ECDH secp256k1",
    "edwards25519: hash to the curve",
    "BLS12-381 G1: hash to the curve",
    "SHA-256: expand a message to 96 bytes",
    "BIP-340: verify",
    "ECDSA secp256k1: verify",
    "BIP-340: decode a key, verify",
    "ECDSA secp256k1: decode a key, verify",
    "BIP-340: sign",
    "ECDSA secp256k1: sign",
)
NOBLE = ROOT / "bench" / "operations" / "noble"


def main() -> None:
    """Emit, build, run, print and write."""
    asked = options("Time hashing to curves and BIP-340 by emitted Rust and by its peers.").parse_args()
    outputs.check(asked)
    rust, javascript = program(asked), _noble()
    lines = [each + _run_noble(javascript, asked.rounds) for each in measured(rust, asked, *ROWS)]
    medians, deciles = (best(read(each, column) for each in lines) for column in (MEDIAN, DECILE))
    rows = chosen(deciles)
    print("\n".join([*HEAD, *rows.values()]))
    where = f"{processor()}; {version_of('Rust')}; Node.js {run(['node', '--version'], ROOT).strip()}"
    print(f"\n{where}\nRatios of medians differ from these by at most {spread(deciles, medians):.0%}.")
    facts = {"where": where, "microseconds": deciles, "medians": medians}
    outputs.write(asked, facts, lambda page: updated(page, rows))


def _noble() -> Path:
    """Install noble-curves beside a copy of the program that times it, and return this copy."""
    folder = BUILD / "noble"
    shutil.copytree(NOBLE, folder, dirs_exist_ok=True)
    run(["npm", "ci", "--silent"], folder)
    return folder / "noble.js"


def _run_noble(javascript: Path, rounds: int) -> list[str]:
    return run(["node", str(javascript), str(rounds)], ROOT).splitlines()


def chosen(figures: Figures) -> dict[str, str]:
    """Return the lines of the table by operation, in the order of ``ROWS``."""
    return table({name: figures[name] for name in ROWS})


def ratios(figures: Figures) -> Mapping[tuple[str, str], float]:
    """Return the time of each peer divided by that of the fastest emitted crate."""
    return {
        (operation, subject): time / min(time for own, time in times.items() if own.startswith(OURS))
        for operation, times in figures.items()
        for subject, time in times.items()
        if not subject.startswith(OURS)
    }


def spread(figures: Figures, others: Figures) -> float:
    """Return the greatest relative difference of a ratio of other figures."""
    expected = ratios(figures)
    return max(abs(ratio / expected[key] - 1) for key, ratio in ratios(others).items())


def updated(page: str, rows: Mapping[str, str]) -> str:
    """Return a page with the lines of the table in its section, in place of all old ones."""
    return put(page, (SECTION, ""), rows, ROWS, HEAD)


if __name__ == "__main__":
    main()

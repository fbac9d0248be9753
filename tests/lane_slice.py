"""Comparison of verdicts in lanes with single verification, on random signatures, most of them modified.

Usage: python tests/lane_slice.py CURVE [--machine x86-64-avx512ifma] [--count 1000000] [--seed N]
"""

from __future__ import annotations

import argparse
import random
import shutil
import subprocess
from pathlib import Path

from lane_crates import planned, written
from lane_machines import WIDE

from efdgen.generator.files import render_plan
from efdgen.generator.lanes.instructions import MACHINES

BUILD = Path(__file__).resolve().parents[1] / "build" / "lanes"


def main() -> None:
    """Build the program of a curve, and run it."""
    parser = argparse.ArgumentParser(description="Compare verdicts in lanes with those of one signature.")
    parser.add_argument("curve", help="edwards25519, or a Weierstrass curve")
    parser.add_argument("--machine", default=WIDE, choices=[*MACHINES], help="with which lanes")
    parser.add_argument("--count", type=int, default=1_000_000, help="how many signatures are drawn")
    parser.add_argument("--seed", type=int, default=random.randrange(1, 1 << 62), help="what repeats a draw")
    asked = parser.parse_args()
    program = "tampered_eddsa" if asked.curve == "edwards25519" else "tampered_ecdsa"
    folder = BUILD / asked.machine / asked.curve
    shutil.rmtree(folder / "src", ignore_errors=True)
    request, plan = planned(asked.curve, "protocols", asked.machine)
    written(folder, render_plan(plan, request), program, asked.machine)
    build = ["cargo", "run", "--quiet", "--release", "--example", program, "--features", "protocols,alloc"]
    done = subprocess.run(
        [*build, "--", f"{asked.seed}", f"{asked.count}"],
        cwd=folder,
        text=True,
        stdout=subprocess.PIPE,
        check=True,
    )
    tried, valid = done.stdout.split()
    subject = f"{asked.curve}, {asked.machine}, seed {asked.seed}"
    print(f"{subject}: {tried} verdicts are equal, {valid} of them valid")


if __name__ == "__main__":
    main()

"""`make second-reader`: read kernels by the second reader, and print a line for each header and crate."""

from __future__ import annotations

import argparse
import sys
from random import Random, SystemRandom

from efdgen.generator.curves.load import built_in_curves
from second import reports
from second.limbs import INPUTS, TURNS
from second.printing import printed

CURVES = ("secp256k1", "edwards25519", "P-256", "Curve25519", "sect233k1")
MOST = 8  # differences of a header


def main() -> None:
    """Read the curves of the command line, or as many as are drawn; exit with 1 if something differs."""
    parser = argparse.ArgumentParser(prog="second", description=__doc__.partition(": ")[2])
    parser.add_argument("curves", nargs="*", default=CURVES)
    parser.add_argument("--lang", action="append", choices=("c", "rust"), help="read one language")
    parser.add_argument("--draw", type=int, help="draw this many of all built-in curves")
    parser.add_argument(
        "--seed", type=int, default=SystemRandom().randrange(2**32), help="draw the same again"
    )
    given = parser.parse_args()
    rng, curves = Random(given.seed), [*given.curves]
    if given.draw:
        curves = rng.sample([curve.name for curve in built_in_curves()], given.draw)
    print(f"seed {given.seed}: {', '.join(curves)}; functions are compared on {TURNS} to {INPUTS} inputs")
    differs = False
    for curve in curves:
        for language in given.lang or ("c", "rust"):
            for report in reports(*printed(language, curve), given.seed, MOST):
                print(report, *report.differences, sep="\n    ", flush=True)
                differs |= bool(report.differences)
    sys.exit(differs)


if __name__ == "__main__":
    main()

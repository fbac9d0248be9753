"""Hosts and a formula for them: what several tests share."""

from pathlib import Path

from efdgen.generator.curves.load import load_curve

HOSTS = Path(__file__).parents[1] / "efd" / "hosts"
PROVER = Path(__file__).parent / "hosts" / "prover.toml"
SECP256K1 = load_curve("secp256k1")
DOUBLING = "g1p/shortw/jacobian-0/doubling/dbl-2021-d"

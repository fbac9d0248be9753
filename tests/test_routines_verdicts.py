"""Verdicts on signatures: proved to be the published equation; each edit is refused."""

from functools import cache

import pytest
from edits import once, table
from mutants.sources import Routines
from test_routines_multiples import plan_of

from efdgen.generator.errors import EfdgenError
from efdgen.generator.planning.plan import CurvePlan
from efdgen.generator.planning.protocol_routines import protocol_module, with_routines
from efdgen.verify.routines.verdicts import prove_verdicts

EDITS = table("verdicts")


@cache
def plan(name: str) -> CurvePlan:
    return plan_of(name, None)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "protocols"),
    [
        ("P-256", ("ecdsa", "hash_to_curve")),
        ("secp160k1", ("ecdsa",)),
        ("secp256k1", ("ecdsa", "bip340", "hash_to_curve")),
        ("edwards25519", ("eddsa", "hash_to_curve")),
        ("Jubjub", ("hash_to_curve",)),
    ],
)
def test_every_verdict_has_a_proof(name, protocols):
    own = plan(name)
    assert with_routines(own) == protocols
    signatures = [each for each in protocols if each != "hash_to_curve"]
    assert all(f"{each}_accepts_var" in protocol_module(own, each).routines for each in signatures)
    claims = prove_verdicts(own)
    assert {*claims} >= {f"{each}_{function}" for each in signatures for function in ("sign", "verify")}
    assert ("hash_to_curve_hash_elements" in claims) == ("hash_to_curve" in protocols)
    assert all(claim.startswith("Proved") for claim in claims.values())


@pytest.mark.slow
@pytest.mark.drawn(4)
@pytest.mark.parametrize("at", range(len(EDITS)), ids=lambda at: f"{EDITS[at][0]}-{EDITS[at][1]}-{at}")
def test_an_edit_of_a_verdict_is_refused(at):
    name, file, right, wrong = EDITS[at]
    own, source = plan(name), Routines(file)
    with source.replaced(once(right, wrong)(source.text)), pytest.raises(EfdgenError):
        prove_verdicts(own)

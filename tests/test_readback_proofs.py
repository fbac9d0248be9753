"""Printers' claims are proved side by side, and the first claim that fails stops them."""

import os
import signal
from dataclasses import replace

import pytest
from kept_proofs import kept

from efdgen.generator.errors import EfdgenError
from efdgen.generator.fields.field import Field
from efdgen.generator.fields.operations import operations
from efdgen.generator.mathematics.prime import PrimeField
from efdgen.verify.readback import proofs
from efdgen.verify.readback.proofs import FieldProofs
from efdgen.verify.verdicts import UndecidedError


@pytest.fixture
def claims(monkeypatch, tmp_path):
    """Three operations of a field, by their names, none of which has a proof that is kept."""
    monkeypatch.setenv("EFDGEN_CACHE", str(tmp_path))
    (representation,) = Field(PrimeField(2**61 - 1), words=(64,)).representations
    return {found.name: found for found in operations(representation, {"add", "sub", "neg"})}


def false(claim):
    """Return the claim that an operation is one modulo p + 2."""
    return replace(
        claim, contract=replace(claim.contract, modulus=PrimeField(claim.contract.modulus.prime + 2))
    )


def printer(claims):
    """Return what prints a line for each claim, with its proof."""
    return lambda answers: [f"{claim.name}: {answers.statement(claim)}" for claim in claims]


def test_each_claim_has_its_own_proof_which_is_kept(claims, tmp_path):
    lines = FieldProofs().proved(printer(claims.values()))
    assert [line.split(":")[0] for line in lines] == list(claims)
    assert all("no carry is lost" in line for line in lines)
    assert len(kept(tmp_path)) == 3


def test_what_is_expected_is_of_the_text_with_proofs(claims):
    for _ in range(2):
        answers = FieldProofs()
        answers.proved(printer(claims.values()))
        assert answers.expected == list(claims.values())


def test_the_first_claim_that_is_not_proved_stops_the_printer(claims, tmp_path):
    order = [claims["add"], false(claims["sub"]), false(claims["neg"])]
    for _ in range(2):
        with pytest.raises(EfdgenError, match="no proof for the field's sub"):
            FieldProofs().proved(printer(order))
    assert len(kept(tmp_path)) == 1


def test_a_prover_that_dies_is_an_error_of_its_claim(claims, monkeypatch):
    monkeypatch.setattr(proofs, "new_proof", lambda _: os.kill(os.getpid(), signal.SIGKILL))
    with pytest.raises(EfdgenError, match="no proof for the field's add; the prover crashed: SIGKILL"):
        FieldProofs().proved(printer([claims["add"]]))


def test_an_undecided_claim_keeps_its_verdict(claims, monkeypatch):
    def prove(claim):
        raise UndecidedError("is it?", "5 terms")

    monkeypatch.setattr(proofs, "new_proof", prove)
    with pytest.raises(UndecidedError, match="undecided after 5 terms: is it\\?"):
        FieldProofs().proved(printer([claims["add"]]))

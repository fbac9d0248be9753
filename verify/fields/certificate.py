"""Certificates of a field's operations and loop steps, cached by content."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, assert_never

from efdgen.generator.errors import EfdgenError
from efdgen.generator.fields.claims import Claims
from efdgen.generator.fields.division_steps import DivisionSteps
from efdgen.generator.fields.emitted import EmittedFunction, EmittedPolynomials, EmittedWords
from efdgen.generator.fields.loops import EmittedLoop
from efdgen.generator.fields.operations import FieldOperation
from efdgen.generator.fields.root_steps import RootSteps
from efdgen.verify import store
from efdgen.verify.fields.carryless import prove_carryless
from efdgen.verify.fields.division import prove_loop
from efdgen.verify.fields.helpers import prove_helpers
from efdgen.verify.fields.printed import prove_function
from efdgen.verify.fields.roots import prove_root_steps
from efdgen.verify.limbs.prove import prove_contract
from efdgen.verify.verdicts import Refuted, UndecidedError

if TYPE_CHECKING:
    from efdgen.generator.fields.claims import Claim

_PROVERS: dict[type[Claim], str] = {
    FieldOperation: "efdgen.verify.limbs.prove",
    EmittedLoop: "efdgen.verify.fields.division",
    EmittedFunction: "efdgen.verify.fields.printed",
    EmittedWords: "efdgen.verify.fields.helpers",
    EmittedPolynomials: "efdgen.verify.fields.carryless",
    RootSteps: "efdgen.verify.fields.roots",
}
# The statement of a proof is cached with it, so its wording is part of the key.
_OWN_TEXT = Path(__file__).read_text(encoding="utf-8")


def require_field_proof(claim: Claim) -> str:
    """Return the proved statement about a claim, as a phrase.

    Raises :class:`EfdgenError` if the claim is refuted or not proved.
    """
    name = key_of(claim)
    text = kept_proof(name)
    if text is None:
        text = new_proof(claim)
        store.store(name, text)
    return text


class FieldCertificates(Claims):
    """Proofs of the claims of a printer, each when it is asked for."""

    def statement(self, claim: Claim) -> str:
        """Return the proved statement about a claim; raise as :func:`require_field_proof`."""
        return require_field_proof(claim)


def key_of(claim: Claim) -> str:
    """Return the key under which the proof of a claim is cached."""
    return store.key(_PROVERS[type(claim)], _OWN_TEXT, repr(claim))


def kept_proof(name: str) -> str | None:
    """Return the cached statement of a key, or None."""
    kept = store.load(name)
    return kept if isinstance(kept, str) else None


def new_proof(claim: Claim) -> str:
    """Return the proved statement about a claim without caching it; raise as :func:`require_field_proof`."""
    try:
        return _prove(claim)
    except Refuted as refuted:
        raise EfdgenError(f"no proof for the field's {name_of(claim)}; {refuted}") from None
    except UndecidedError as undecided:
        raise undecided.within(f"the field's {name_of(claim)}") from None


def prove_operation(operation: FieldOperation) -> str:
    """Return the proved statement about an operation without caching it, for one of many candidates.

    Raises :class:`EfdgenError` if the operation is refuted or not proved.
    """
    try:
        return _prove(operation)
    except Refuted as refuted:
        raise EfdgenError(f"{operation.doc} is not proved: {refuted}") from None


def _prove(claim: Claim) -> str:
    match claim:
        case FieldOperation():
            certificate = prove_contract(claim.program, claim.contract)
            if claim.contract.modulus and claim.contract.modulus.is_binary:
                return "value and bounds are correct, for all inputs (linear and bilinear forms over GF(2))"
            by = "polynomial identities" + (", Z3" if certificate.questions else "")
            return f"no carry is lost, value and bounds are correct, for all inputs within bounds ({by})"
        case EmittedLoop(steps=DivisionSteps() as steps):
            prove_loop(claim)
            by = "(support functions, Z3, polynomials)"
            if steps.lookahead:
                return (
                    "for every a the loop performs divsteps, enough of them, its count of signs gives the"
                    f" Jacobi symbol of a, and no sum overflows {by}"
                )
            return (
                "for every a the loop performs divsteps, enough of them, numbers stay between -2p and p, and"
                f" no product or sum overflows {by}"
            )
        case EmittedLoop():
            prove_loop(claim)
            return (
                "for every a the loop halves and subtracts until g = 0, or calls the inversion in constant"
                " time after its last batch, numbers stay between -2p and p, and no product or sum overflows"
                " (Z3, polynomials)"
            )
        case EmittedFunction():
            return prove_function(claim)
        case EmittedPolynomials():
            prove_carryless(claim)
            return (
                "sums, products and squares over GF(2) are correct for all operands, with every kind of"
                " compiler, if intrinsics do what their documentation says (coefficients)"
            )
        case EmittedWords():
            prove_helpers(claim)
            return (
                "functions on one or two words are correct for all operands, with every kind of compiler,"
                " if intrinsics do what their documentation says (Z3, polynomials)"
            )
        case RootSteps():
            prove_root_steps(claim)
            return "if a has a root, the power and the iterations lead to one (integers, Z3)"
        case _:
            assert_never(claim)


def name_of(claim: Claim) -> str:
    """Return the subject of a claim, for messages."""
    match claim:
        case FieldOperation():
            return claim.name
        case EmittedLoop():
            return "divsteps" if isinstance(claim.steps, DivisionSteps) else "binary GCD"
        case EmittedFunction() | EmittedWords():
            return claim.name
        case RootSteps():
            return "square roots"
        case _:
            assert_never(claim)

"""Certificates of a field's operations and loop steps, cached by content."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, assert_never

from efdgen.generator.errors import EfdgenError
from efdgen.generator.fields.division_steps import DivisionSteps
from efdgen.generator.fields.emitted import EmittedFunction, EmittedWords
from efdgen.generator.fields.loops import EmittedLoop
from efdgen.generator.fields.operations import FieldOperation
from efdgen.generator.fields.printed import Printed
from efdgen.generator.fields.root_steps import RootSteps
from efdgen.verify import store
from efdgen.verify.fields.division import prove_loop
from efdgen.verify.fields.helpers import prove_helpers
from efdgen.verify.fields.printed import prove_function
from efdgen.verify.fields.roots import prove_root_steps
from efdgen.verify.limbs.prove import prove_contract
from efdgen.verify.verdicts import Refuted, UndecidedError

if TYPE_CHECKING:
    from efdgen.generator.fields.bundle import Claim

_PROVERS: dict[type[Claim], str] = {
    FieldOperation: "efdgen.verify.limbs.prove",
    EmittedLoop: "efdgen.verify.fields.division",
    EmittedFunction: "efdgen.verify.fields.printed",
    EmittedWords: "efdgen.verify.fields.helpers",
    RootSteps: "efdgen.verify.fields.roots",
}
# What is said of a proof is kept with it.
_OWN_TEXT = Path(__file__).read_text(encoding="utf-8")


def require_field_proof(claim: Claim | Printed) -> str:
    """Return in words what is proved: of an operation, for all inputs within its contract; or of steps.

    Of a program that is announced nothing is proved. Raises :class:`EfdgenError` where a claim is refuted,
    or not proved.
    """
    if isinstance(claim, Printed):
        return ""
    name = key_of(claim)
    text = kept_proof(name)
    if text is None:
        text = new_proof(claim)
        store.store(name, text)
    return text


def key_of(claim: Claim) -> str:
    """Return the key under which the proof of a claim is kept."""
    return store.key(_PROVERS[type(claim)], _OWN_TEXT, repr(claim))


def kept_proof(name: str) -> str | None:
    """Return in words what was proved of the claim of a key, None where nothing is kept."""
    kept = store.load(name)
    return kept if isinstance(kept, str) else None


def new_proof(claim: Claim) -> str:
    """Return in words what is proved of a claim, without keeping it; raise as :func:`require_field_proof`."""
    try:
        return _prove(claim)
    except Refuted as refuted:
        raise EfdgenError(f"no proof for the field's {name_of(claim)}; {refuted}") from None
    except UndecidedError as undecided:
        raise undecided.within(f"the field's {name_of(claim)}") from None


def prove_operation(operation: FieldOperation) -> str:
    """Return in words what is proved of an operation, which is not kept: for one of many candidates.

    Raises :class:`EfdgenError` where it is refuted, or not proved.
    """
    try:
        return _prove(operation)
    except Refuted as refuted:
        raise EfdgenError(f"{operation.doc} is not proved: {refuted}") from None


def _prove(claim: Claim) -> str:
    match claim:
        case FieldOperation():
            certificate = prove_contract(claim.program, claim.contract)
            by = "polynomial identities" + (" and Z3" if certificate.questions else "")
            return f"no carry lost, value and bound right, for all inputs within bounds (by {by})"
        case EmittedLoop(steps=DivisionSteps() as steps):
            prove_loop(claim)
            by = "(by support functions, Z3 and polynomials)"
            if steps.lookahead:
                return (
                    "for every a it does division steps, enough of them, what they tell is Jacobi's symbol of"
                    f" a, and no sum overflows {by}"
                )
            return (
                "for every a it does division steps, enough of them, numbers stay between -2p and p, and no"
                f" product or sum overflows {by}"
            )
        case EmittedLoop():
            prove_loop(claim)
            return (
                "for every a it halves and subtracts until there is nothing left, numbers stay between -2p"
                " and p, and no product or sum overflows (by Z3 and polynomials)"
            )
        case EmittedFunction():
            return prove_function(claim)
        case EmittedWords():
            prove_helpers(claim)
            return (
                "what is done with one word or two is right for all of them, with every kind of compiler,"
                " given what intrinsics do (by Z3 and polynomials)"
            )
        case RootSteps():
            prove_root_steps(claim)
            return "wherever there is a root, the power and the turns lead to one (by integers and Z3)"
        case _:
            assert_never(claim)


def name_of(claim: Claim) -> str:
    """Return what a claim is about, in a word."""
    match claim:
        case FieldOperation():
            return claim.name
        case EmittedLoop():
            return "division steps" if isinstance(claim.steps, DivisionSteps) else "halvings"
        case EmittedFunction() | EmittedWords():
            return claim.name
        case RootSteps():
            return "square roots"
        case _:
            assert_never(claim)

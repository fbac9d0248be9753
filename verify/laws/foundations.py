"""Proof of the models and maps that a formula rests on and that are not built in.

A formula is proved against the laws of its models and of its map. The built-in ones are proved by ``efdgen
verify --models``. Any other model is proved here to have the group law of its Weierstrass form, which is
closed and associative; a map, to be a homomorphism that its inverse undoes. A kind needs no proof, because
its laws are group expressions, and no system, because its meaning is a definition.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.errors import EfdgenError
from efdgen.generator.formulas.formula import Map, Model
from efdgen.generator.formulas.foundations import own_foundations
from efdgen.verify import store
from efdgen.verify.laws.map import prove_map
from efdgen.verify.laws.model import prove_model
from efdgen.verify.laws.trial import try_map, try_model
from efdgen.verify.verdicts import judge

if TYPE_CHECKING:
    from efdgen.generator.formulas.formula import Formula


def prove_foundations(formula: Formula) -> tuple[int, ...]:
    """Prove what a formula rests on and is not built in; return the primes that these proofs exclude.

    Raises :class:`EfdgenError` with the name of a model or map that is not proved.
    """
    primes: set[int] = set()
    for each in own_foundations(formula):
        match each:
            case Model():
                primes.update(_proved(each, "model", "efdgen.verify.laws.model"))
            case Map(undo=Map()):
                primes.update(_proved(each, "map", "efdgen.verify.laws.map"))
    return tuple(sorted(primes))


def _proved(each: Model | Map, kind: str, prover: str) -> tuple[int, ...]:
    """Prove a model or a map, or look the proof up; return the primes that it excludes."""
    name = store.key(prover, repr(each))
    known = store.load(name)
    if known is None:
        found: list[int] = []

        def prove() -> None:
            if isinstance(each, Model):
                try_model(each)
                found.extend(prove_model(each))
            else:
                try_map(each)
                found.extend(prove_map(each))

        verdict, reason = judge(prove)
        if verdict != "proved":
            said = "not proved" if verdict == "error" else verdict
            raise EfdgenError(f"the {kind} {each.id}, which is not built in, is {said}: {reason}")
        known = found
        store.store(name, known)
    return tuple(map(int, known))

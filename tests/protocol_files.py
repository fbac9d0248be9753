"""The protocols of curves in C, printed once for several tests."""

from functools import cache

from protocol_vectors import NIST
from whole_curves import DATABASE

from efdgen.generator.compile import Request
from efdgen.verify.vectors.protocol_cases import protocol_questions
from efdgen.verify.vectors.whole_subjects import WholeSubject, whole_subject

_SYSTEMS = {"edwards25519": "extended-1", "secp256k1": "jacobian-0", "secp160r1": "jacobian-3"}
_SYSTEMS |= dict.fromkeys(NIST, "jacobian-3")


@cache
def whole_of(curve: str) -> WholeSubject:
    """Return a curve and its protocols with the prefix ``whole``; ``driver.c`` is the curve's driver."""
    system = _SYSTEMS.get(curve, "jacobian-3" if curve.endswith(".toml") else None)
    names = {"prefix": "whole", "set": "protocols", "table": "small", "lowering": "calls"}
    return whole_subject(DATABASE, Request("c", curve, system, **names), ["c"])


@cache
def protocols_of(curve: str) -> WholeSubject:
    """Return the protocols of a curve with the prefix ``whole``; ``driver.c`` is their driver."""
    whole = whole_of(curve)
    files = whole.files["c"] | {"driver.c": whole.files["c"]["driver_protocols.c"]}
    return WholeSubject(whole.title, whole.curve, {"c": files}, protocol_questions)

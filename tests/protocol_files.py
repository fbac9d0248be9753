"""The protocols of curves, printed once for several tests."""

from functools import cache

from protocol_vectors import NIST
from whole_curves import DATABASE

from efdgen.generator.compile import Request
from efdgen.generator.options import Language
from efdgen.verify.vectors.protocol_cases import protocol_questions
from efdgen.verify.vectors.whole_subjects import WholeSubject, whole_subject

_SYSTEMS = {"edwards25519": "extended-1", "secp256k1": "jacobian-0", "secp160r1": "jacobian-3"}
_SYSTEMS |= dict.fromkeys(NIST, "jacobian-3")


def request_of(curve: str, language: Language, layout: str | None = None) -> Request:
    """Return the request of a curve and its protocols, of the prefix ``whole``, in Rust the curve's name."""
    system = _SYSTEMS.get(curve, "jacobian-3" if curve.endswith(".toml") else None)
    prefix = crate_name(curve) if language == "rust" else "whole"
    names = {"prefix": prefix, "set": "protocols", "table": "small", "lowering": "calls"}
    return Request(language, curve, system, **names, layout=layout)


@cache
def whole_of(curve: str, language: Language = "c") -> WholeSubject:
    """Return a curve and its protocols."""
    return whole_subject(DATABASE, request_of(curve, language), [language])


@cache
def protocols_of(curve: str, language: Language = "c") -> WholeSubject:
    """Return the protocols of a curve, with the test program for them."""
    whole = whole_of(curve, language)
    files = whole.files[language]
    (driver,) = (name for name in files if "driver_protocols" in name)
    own = {language: files | {driver.replace("_protocols", ""): files[driver]}}
    return WholeSubject(whole.title, whole.curve, own, protocol_questions)


def crate_name(curve: str) -> str:
    """Return a name for the crate of a curve."""
    return "".join(filter(str.isalnum, curve)).lower()

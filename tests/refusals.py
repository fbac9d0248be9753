"""Requests, refused or not, with provers that accept everything, and with provers that must not be asked."""

from __future__ import annotations

from collections import defaultdict
from contextlib import contextmanager
from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING, Any

from host_provers import Bounds

from efdgen.api import files
from efdgen.api.requests import request_of
from efdgen.generator.curves.exceptional import Exceptions
from efdgen.generator.errors import EfdgenError
from efdgen.generator.fields.claims import Claims
from efdgen.generator.options import Options

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pytest

    from efdgen.generator.planning.plan import CurvePlan

# A value of every option of `efdgen compile` beside its default, and some that cannot be.
CURVES = (
    "secp256k1",
    "P-256",
    "secp160r1",
    "edwards25519",
    "Curve25519",
    "M-221",
    "Bandersnatch",
    "sect163k1",
)
LANGUAGES = (None, "c", "rust", "python")
SETS = ("kernels", "curve", "protocols")
OPTIONS: dict[str, tuple[Any, ...]] = {
    "api": (None, "rustcrypto", "rustcrypto-0.13", "dalek", "dalek-2"),
    "layout": (None, "header", "split", "crate", "module", "package"),
    "second": (None, "nonsense", "1,2", "0,1"),
    "coords": (None, "affine", "xz", "nosuch"),
    "backend": (None, "c"),
    "odd_multiples": (None, "co-z"),
    "table": ("medium", "small"),
    "to": (None, "Curve25519"),
    "target": (None, "gcc", "rust"),
    "representation": (None, "unsaturated"),
    "lowering": ("whole", "calls"),
    "optimize": ("speed", "size"),
    "formulas": ((), ("dbl-2009-l",), ("nosuch",)),
    "prefix": (None, "mine", "class", "a b", "scalar", "sc", "fe", "point", "add"),
    "crate_name": (None, "mine", "1x"),
    "field_api": (None, "libsecp256k1"),
}


class ProofAskedError(Exception):
    """A prover was asked for a proof."""


def requests() -> list[dict[str, Any]]:
    """Return the options of requests: each pair of options beside a curve, a language and a set."""
    found = []
    for curve, language, chosen in product(CURVES, LANGUAGES, SETS):
        base = {"curve": curve, "lang": language, "set": chosen}
        single = [{name: value} for name, values in OPTIONS.items() for value in values[1:]]
        found += [base | one | other for one in [{}, *single] for other in [{}, *single]]
    return found


def outcome(options: dict[str, Any]) -> str:
    """Return the refusal of a request; empty for one that is met."""
    asked = Options(**options)
    try:
        files.files_of(request_of(asked, asked.changed))
    except EfdgenError as error:
        return str(error)
    return ""


class Accepting(Bounds):
    """Bounds, and the acceptance of everything else."""

    def exceptions(self, *_: object) -> Exceptions:
        return Exceptions((), (), "always", True)

    def reasons(self, plan: CurvePlan, *_: object) -> CurvePlan:
        return replace(plan, reasons=defaultdict(lambda: "none"), claims=defaultdict(lambda: "none"))


@contextmanager
def provers(monkeypatch: pytest.MonkeyPatch, *, asked: bool) -> Iterator[None]:
    """Replace all provers by some that accept everything, or by some that fail where they are ``asked``."""

    def fail(*_: object, **__: object) -> Any:
        raise ProofAskedError

    class Asked(Bounds):
        proof = exceptions = reasons = fail

    def same(made: Any) -> Any:
        return made

    with monkeypatch.context() as patch:
        patch.setattr(files, "CurveProver", Asked if asked else Accepting)
        patch.setattr(files.FieldProofs, "proved", lambda _, make: (fail if asked else same)(make(Claims())))
        patch.setattr(files.FieldProofs, "require_read", fail if asked else lambda *_: None)
        yield

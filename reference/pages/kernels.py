"""Kernels for pages: printed and proved by the compiler for any curve, without heads of files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from efdgen.api.files import files_of
from efdgen.generator.compile import Request
from efdgen.generator.curves.any import ANY
from efdgen.generator.curves.load import built_in_curves
from efdgen.generator.errors import EfdgenError
from efdgen.generator.formulas.database import Database
from efdgen.generator.hosts.compile import HostRequest
from efdgen.generator.kernels.candidate import fitting

if TYPE_CHECKING:
    from collections.abc import Iterator

    from efdgen.generator.formulas.formula import Formula

_FIRST = ("secp256k1", "P-256", "edwards25519", "Curve25519", "sect233k1")
"""Curves that are taken before others, if a formula applies to them."""

_BEGINNINGS = {"c": ("/** A point", "/** "), "rust": ("/// A point", "/// "), "python": ("class ", "def ")}


def kernels(formula_id: str) -> dict[str, Any]:
    """Return a formula's kernels in C, Rust and Python, their commands, and a note.

    C and Rust are for any curve, and call the field of another project; Python is for a named curve.
    """
    formula = Database().formula(formula_id)
    curve = _curve_of(formula)
    texts, commands = dict[str, str](), []
    for language, request in _requests(formula, curve):
        try:
            files = files_of(request)[1]
        except EfdgenError:
            continue
        text = next(text for name, text in files.items() if not name.startswith(("driver", "test_")))
        texts[language] = _body(text, language)
        commands.append(str(request.command))
    if not texts:
        return {}
    note = (
        "As the compiler prints and proves them: C over macros such as FE_MUL and Rust over ff::Field, for "
        "any curve, whose parameters are arguments."
    )
    if "python" in texts:
        note += f" Python is for {curve}, over integers: products by parameters that are 0 or small are gone."
    return {"texts": texts, "note": note, "commands": commands}


def _requests(formula: Formula, curve: str) -> Iterator[tuple[str, Request | HostRequest]]:
    yield "c", HostRequest(field_api="macros", curve=ANY, formulas=(formula.id,))
    if not formula.system.model.binary:
        yield "rust", HostRequest(field_api="ff", curve=ANY, formulas=(formula.id,))
    if curve:
        yield "python", Request("python", curve, formulas=(formula.id,))


def _curve_of(formula: Formula) -> str:
    """Return the name of a curve to which a formula applies; empty if there is none."""
    curves = [each for each in built_in_curves() if each.model == formula.system.model.id]
    curves.sort(key=lambda each: (each.name not in _FIRST, each.bits))
    return next((each.name for each in curves if fitting([formula], each)), "")


def _body(text: str, language: str) -> str:
    """Return the types and functions of a file, without its licence, guards and rules of a project."""
    starts = (text.find(f"\n{each}") for each in _BEGINNINGS[language])
    body = text[next(start for start in starts if start >= 0) + 1 :]
    return body.partition("\n#undef")[0].partition("\n#endif")[0].rstrip() + "\n"

"""Kernels that are printed for the second reader, and what their printer announces; nothing is proved."""

from __future__ import annotations

from collected import Collected

from efdgen.generator.compile import Request, make_bundle
from efdgen.generator.files import render
from efdgen.generator.formulas.database import Database
from efdgen.generator.kernels.prover import Prover

_DATABASE = Database()


def printed(language: str, curve: str, layout: str | None = None) -> tuple[dict[str, str], list[object]]:
    """Return the kernels of a curve, and what was announced while they were printed."""
    claims = Collected()
    request = Request(language, curve, layout=layout)
    return render(make_bundle(_DATABASE, request, Prover()), request, claims), claims.every

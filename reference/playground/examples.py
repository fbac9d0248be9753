"""Examples of the playground: formulas of the database, some with one edit, and the formula of the README."""

from __future__ import annotations

from typing import NamedTuple

from efdgen.generator.errors import EfdgenError
from efdgen.generator.formulas.database import built_in


class Example(NamedTuple):
    """A title, the place of a formula, and its text."""

    title: str
    place: str
    text: str


_README = """\
compute A = X1^2
compute B = Y1^2
compute C = B^2
compute D = 2*((X1 + B)^2 - A - C)
compute E = 3*A
compute X3 = E^2 + 2*D
compute Y3 = E*(D - X3) - 8*C
compute Z3 = 2*Y1*Z1
"""
_ERRATUM = "g1p/jintersect/standard/doubling/dbl-2001-ls"

_FROM_DATABASE = (
    ("Co-Z addition with update, by Meloni", "g1p/shortw/jacobian/zaddu/zaddu-2007-m", ()),
    ("López–Dahab doubling over GF(2^m)", "g12o/shortw/lopezdahab/doubling/dbl-2005-l", ()),
    ("Extended twisted Edwards addition", "g1p/twisted/extended/addition/add-2008-hwcd", ()),
    # efd/SOURCES.md lists the defect of the file dbl-2001-ls.op3, as published.
    ("Published erratum: a sign in the program of dbl-2001-ls", _ERRATUM, ("-r1 + l3", "-(r1 + l3)")),
)


def examples() -> list[Example]:
    """Return the examples, the formula of the README first."""
    place = "g1p/shortw/jacobian-0/doubling"
    mended = _edited(_README, "+ 2*D", "- 2*D")
    found = [
        Example("Doubling with a wrong sign, from the README", place, _README),
        Example("The same doubling, mended", place, mended),
    ]
    for title, name, edit in _FROM_DATABASE:
        text = built_in().text(name)
        found.append(Example(title, name.rpartition("/")[0], _edited(text, *edit) if edit else text))
    return found


def _edited(text: str, old: str, new: str) -> str:
    if text.count(old) != 1:
        raise EfdgenError(f"an example has {old!r} {text.count(old)} times; mend its edit")
    return text.replace(old, new)

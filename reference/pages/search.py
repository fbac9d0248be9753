"""The data of the search page: a line for each formula, not an index of words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from efdgen.reference import costs
from efdgen.reference.pages import words

if TYPE_CHECKING:
    from efdgen.reference.pages.shelf import Shelf


def search_data(shelf: Shelf) -> dict[str, Any]:
    """Return formulas, with numbers of systems, operations and works in lists beside them."""
    systems, kinds, sources = list(shelf.systems), list(shelf.kinds), list(shelf.sources)
    return {
        "formulas": [
            [
                each["name"],
                systems.index(each["system_id"]),
                kinds.index(each["kind"]),
                each["emitted"]["text"],
                float(costs.weight(each)),
                _flags(each),
                [sources.index(key) for key in each["citations"] if key in sources],
                ",".join(text.replace(" == ", "=") for text in each["assumptions"]),
            ]
            for each in shelf.formulas.values()
        ],
        "systems": [
            [each["id"], each["title"], shelf.models[each["model"]]["title"]]
            for each in shelf.systems.values()
        ],
        "kinds": [[each["id"], each["title"]] for each in shelf.kinds.values()],
        "sources": [
            [each["key"], each["year"] or "", words.plain(" ".join(each["authors"]))]
            for each in shelf.sources.values()
        ],
    }


def _flags(formula: dict[str, Any]) -> str:
    flags = [formula["verdict"]] if formula["verdict"] != "proved" else []
    flags += ["complete"] if formula["complete"] not in (None, "no") else []
    return " ".join([*flags, *(["unified"] if formula["unified"] else [])])

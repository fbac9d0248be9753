"""The page of the playground, with the parts that its worker loads."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from efdgen.reference.pages import words
from efdgen.reference.pages.page import FOLDER
from efdgen.reference.pages.shelf import in_order

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from efdgen.reference.pages.page import Pages
    from efdgen.reference.playground.examples import Example

ADDRESS = "play/index.html"


@dataclass(frozen=True)
class Playground:
    """The files that the worker loads by name, with the wheel of FLINT; examples; works in the parts."""

    files: Mapping[str, bytes]
    wheel: str
    examples: Sequence[Example]
    works: Sequence[Mapping[str, str]]


def add_playground(pages: Pages, playground: Playground) -> None:
    """Add the page, its scripts and its parts; it offers systems and kinds of the built-in database only."""
    shelf = pages.shelf
    systems = [each for each in shelf.systems.values() if each["built_in"]]
    kinds = [shelf.kinds[name] for name in in_order(shelf.kinds) if shelf.kinds[name]["built_in"]]
    models = [each for each in shelf.models.values() if any(s["model"] == each["id"] for s in systems)]
    pages.page(
        "play.html.j2",
        ADDRESS,
        "Playground",
        about="Prove or refute a formula for points on elliptic curves in the browser",
        crumbs=[("Reference", "index.html")],
        command="efdgen check - --as PLACE",
        classes=[
            (title, [each for each in models if each["binary"] == binary])
            for binary, title in words.CLASSES.items()
        ],
        systems=systems,
        kinds=kinds,
        works=playground.works,
        size=f"{sum(map(len, playground.files.values())) / 1e6:.0f} MB",
    )
    pages.write("play/data.js", f"window.efdPlay = {_data(pages, playground, systems)};\n")
    for path in sorted((FOLDER / "play").iterdir()):
        pages.write(f"play/{path.name}", path.read_bytes())
    for name, content in playground.files.items():
        pages.write(f"play/parts/{name}", content)


def is_playable(pages: Pages, formula: Mapping[str, Any]) -> bool:
    """Return whether the playground is there and offers the system and the operation of a formula."""
    system, kind = pages.shelf.systems[formula["system_id"]], pages.shelf.kinds[formula["kind"]]
    return bool(ADDRESS in pages.known and system["built_in"] and kind["built_in"])


def _data(pages: Pages, playground: Playground, systems: Sequence[Mapping[str, Any]]) -> str:
    """Return the data of the script: models and operations of systems, examples, the name of the wheel."""
    found = {
        "wheel": playground.wheel,
        "systems": {
            each["id"]: {
                "model": each["model"],
                "kinds": in_order({formula["kind"] for formula in pages.shelf.of_system.get(each["id"], ())}),
            }
            for each in systems
        },
        "examples": [each._asdict() for each in playground.examples],
    }
    return json.dumps(found, ensure_ascii=False, separators=(",", ":"))

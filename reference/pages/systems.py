"""The first page, and the pages of models and of coordinate systems."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Literal

from efdgen.reference import costs
from efdgen.reference.measured import times_of
from efdgen.reference.pages import words
from efdgen.reference.pages.mathml import LAWS
from efdgen.reference.pages.plots import Dot, cheapest_plot, memory_plot

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from efdgen.reference.measured import Timing
    from efdgen.reference.pages.page import Pages

_COLUMNS: Mapping[str, tuple[str, tuple[str, ...] | Literal["mixed"]]] = {
    "Doubling": ("doubling", ()),
    "Addition": ("addition", ()),
    "Mixed addition": ("addition", "mixed"),
    "Tripling": ("tripling", ()),
    "Ladder step": ("ladder", ()),
}
_NAMES = {"weierx": "u", "weiery": "v"}
"""Coordinates of the Weierstrass curve of a model, v² + … = u³ + …"""

_EXAMPLE = "g1p/shortw/jacobian/addition/add-2007-bl"


def add_index(pages: Pages) -> None:
    """Add the first page."""
    shelf = pages.shelf
    shown = []
    for binary, title in words.CLASSES.items():
        models = [each for each in shelf.models.values() if each["binary"] == binary]
        if models:
            shown.append((title, [(m, _front(pages, m), shelf.systems_of(m["id"])) for m in models]))
    formulas = shelf.formulas.values()
    counts = {
        "formulas": len(formulas),
        "proved": sum(each["verdict"] == "proved" for each in formulas),
        "checked by Rocq": sum(bool(each["checked_by"]) for each in formulas),
        "coordinate systems": len(shelf.systems),
        "operations": len(shelf.kinds),
        "curves": len(shelf.curves),
    }
    pages.page(
        "index.html.j2",
        "index.html",
        "Explicit formulas",
        about="Explicit formulas for elliptic curves: costs, exceptional inputs, proofs and code",
        counts={name: f"{count:,}" for name, count in counts.items()},
        shown=shown,
        example=_EXAMPLE if _EXAMPLE in shelf.formulas else next(iter(shelf.formulas), None),
        command="efdgen list",
    )


def _front(pages: Pages, model: Mapping[str, Any]) -> list[Any]:
    """Return the cheapest doubling and addition of a model that assume nothing, with both coordinates."""
    shelf = pages.shelf
    found = []
    for kind in ("doubling", "addition"):
        rivals = [
            each
            for system in shelf.systems_of(model["id"])
            if not system["assumptions"] and not system["x_only"]
            for each in costs.rivals(shelf.of_system[system["id"]]).get((kind, ()), ())
            if not each["emitted"]["I"] and _only_names(each, system, model)
        ]
        found.append(min(rivals, key=costs.order, default=None))
    return found


def _only_names(formula: Mapping[str, Any], system: Mapping[str, Any], model: Mapping[str, Any]) -> bool:
    """Return whether each assumption of a formula defines a parameter of its own, such as 4*a24 == a + 2."""
    own = {*formula["parameters"]} - {*model["parameters"], *system["parameters"]}
    return all(own & {*re.findall(r"[A-Za-z]\w*", text)} for text in formula["own_assumptions"])


def add_models(pages: Pages) -> None:
    """Add a page for each model."""
    shelf = pages.shelf
    for model in shelf.models.values():
        title = words.plain(model["title"])
        systems = []
        for system in shelf.systems_of(model["id"]):
            rivals = shelf.rivals[system["id"]]
            cells = [_cheapest(rivals, *column) for column in _COLUMNS.values()]
            systems.append((system, cells, len(shelf.of_system[system["id"]])))
        pages.page(
            "model.html.j2",
            f"{model['id']}.html",
            title,
            m=model,
            model_id=model["id"],
            crumbs=[("Reference", "index.html")],
            command=f"efdgen cost tables {model['id']}",
            preset=costs.USUAL[model["binary"]],
            columns=list(_COLUMNS),
            systems=systems,
            plots=_plots(pages, model),
            laws=[
                (
                    name.replace("_", " "),
                    [f"{_NAMES.get(left, left)} == {right}" for left, right in model[name].items()],
                )
                for name in LAWS
                if model[name]
            ],
            maps=[each for each in shelf.document["maps"] if each["id"].startswith(f"{model['id']}/")],
            curves=[each["name"] for each in shelf.curves.values() if each["model"] == model["id"]],
        )
        if model["text"] is not None:
            pages.write(f"{model['id']}/coordinates", model["text"])
        field, _, name = model["id"].partition("/")
        _add_moved(pages, f"{field}/auto-{name}.html", title, f"{name}.html", ())


def _cheapest(
    rivals: Mapping[tuple[str, tuple[str, ...]], list[Any]],
    kind: str,
    assumed: tuple[str, ...] | Literal["mixed"],
) -> Any:  # noqa: ANN401 - a formula of the document
    """Return the cheapest formula of an operation; a mixed addition takes one point with Z = 1."""
    found = [
        group[0]
        for (other, assumptions), group in rivals.items()
        if other == kind and (assumptions == assumed if assumed != "mixed" else is_mixed(assumptions))
    ]
    return min(found, key=costs.order, default=None)


def is_mixed(assumptions: Iterable[str]) -> bool:
    """Return whether assumptions on inputs are that the second point is affine: Z2 = 1, or ZZ2 = ZZZ2 = 1."""
    texts = list(assumptions)
    return bool(texts) and all(text.startswith("Z") and text.endswith("2 == 1") for text in texts)


def _plots(pages: Pages, model: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """Return plots of the cheapest doublings and additions of a model's systems, by the ratio S/M."""
    shelf = pages.shelf
    found = []
    for kind, title in (("doubling", "Doublings"), ("addition", "Additions")):
        lines = {
            system["id"].rpartition("/")[2]: group
            for system in shelf.systems_of(model["id"])
            if not system["x_only"] and (group := shelf.rivals[system["id"]].get((kind, ())))
        }
        if len(lines) > 1:
            plot, words_of_crossings = cheapest_plot(f"{title} by S/M", lines)
            about = f"{title}: the least weight in each system by the ratio S/M, without x-only systems."
            found.append((f"{about} {words_of_crossings}", plot))
    return found


def _memory_plots(pages: Pages, system: str) -> list[tuple[str, Any]]:
    """Return plots of doublings and additions of a system, by the field elements that kernels store."""
    found = []
    for kind, title in (("doubling", "Doublings"), ("addition", "Additions")):
        group = pages.shelf.rivals[system].get((kind, ()), [])
        dots = [Dot(each["temporaries"], costs.weight(each), each["name"]) for each in group]
        if len({dot.memory for dot in dots}) > 1:
            about = f"{title}: the weight of each formula by the field elements that its kernel stores."
            found.append((about, memory_plot(about, "field elements beside the arguments", dots)))
    return found


def add_systems(pages: Pages, archives: Mapping[str, bytes], measured: Sequence[Timing]) -> None:
    """Add a page for each system, with its files and times, and its page at the address of the old site."""
    shelf = pages.shelf
    for system in shelf.systems.values():
        name, model = system["id"], shelf.models[system["model"]]
        own = shelf.of_system[name]
        files = [(f"{name}.tex", "LaTeX")]
        if system["text"] is not None:
            pages.write(f"{name}/variables", system["text"])
            files.append((f"{name}/variables", "variables"))
        if archive := archives.get(name):
            pages.write(f"{name}-rocq.zip", archive)
            files.append((f"{name}-rocq.zip", f"certificates for Rocq ({len(archive) / 1e6:.1f} MB)"))
        pages.page(
            "system.html.j2",
            f"{name}.html",
            system["title"],
            s=system,
            m=model,
            model_id=model["id"],
            system_id=name,
            crumbs=[("Reference", "index.html"), (words.plain(model["title"]), f"{model['id']}.html")],
            command=f"efdgen cost tables {name}",
            count=len(own),
            unproved=sum(each["verdict"] != "proved" for each in own),
            best=shelf.best(name),
            plots=_memory_plots(pages, name),
            groups=shelf.kinds_of(name),
            measured=times_of(each for each in measured if each.subject.system == name),
            unreadable=[each for each in shelf.unreadable if each["id"].startswith(f"{name}/")],
            files=files,
        )
        field, middle, last = name.split("/")
        kinds = sorted({each["kind"] for each in own}, key=lambda kind: (-len(kind), kind))
        _add_moved(
            pages, f"{field}/auto-{middle}-{last}.html", system["title"], f"{middle}/{last}.html", kinds
        )


def _add_moved(pages: Pages, path: str, title: str, target: str, kinds: Iterable[str]) -> None:
    """Add a page at an address of the old site, which leads to a page, and to formulas by its fragments."""
    template = pages.environment.get_template("moved.html.j2")
    folder = path.rpartition("/")[0]
    values = {
        "title": title,
        "target": pages.href(f"{folder}/{target}", folder),
        "folder": pages.href(f"{folder}/{target.removesuffix('.html')}", folder),
        "script": pages.href("static/moved.js", folder),
        "kinds": kinds,
    }
    pages.write(path, template.render(values))

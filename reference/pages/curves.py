"""Pages of curves: numbers, methods of multiplication, times, and their list."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from efdgen.reference.measured import times_of
from efdgen.reference.pages import words
from efdgen.reference.pages.lists import add_list
from efdgen.reference.pages.passages import passage
from efdgen.reference.pages.plots import Dot, memory_plot

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from efdgen.reference.measured import Timing
    from efdgen.reference.pages.page import Pages


def add_curves(
    pages: Pages,
    plans: Mapping[str, Sequence[Mapping[str, Any]]],
    hosts: Mapping[str, Sequence[str]],
    measured: Sequence[Timing],
) -> None:
    """Add a page for each curve, with methods of multiplication, hosts and times by curve, and their list."""
    shelf = pages.shelf
    cells: list[tuple[Any, ...]] = []
    for curve in shelf.curves.values():
        name, model = curve["name"], shelf.models.get(curve["model"])
        binary = curve["polynomial"] is not None
        commands = [f"efdgen compile --lang {lang} --curve {name}" for lang in ("c", "rust", "python")]
        if not binary:
            commands += [f"efdgen plan --curve {name}", f"efdgen show {name}"]
        pages.page(
            "curve.html.j2",
            f"curves/{name}.html",
            name,
            c=curve,
            m=model,
            model_id=curve["model"],
            crumbs=[("Reference", "index.html"), ("Curves", "curves/index.html")],
            command=f"efdgen curves show {name}",
            **_methods(plans.get(name, ())),
            systems=[each for each in shelf.systems_of(curve["model"]) if not each["assumptions"]],
            commands="\n".join(commands),
            hosts=hosts.get(name, ()),
            measured=times_of(each for each in measured if each.subject.curve == name),
        )
        title = words.plain(model["title"]) if model else curve["model"]
        about = [*curve["aliases"], f"{curve['bits']}-bit curve", title, curve["source"]]
        pages.passages.append(passage(f"curves/{name}.html", "Curves", about, title=name))
        place = (f"{curve['model']}.html", title) if model else title
        cells.append(((f"curves/{name}.html", name), str(curve["bits"]), place, ", ".join(curve["aliases"])))
    add_list(
        pages,
        "curves/index.html",
        "Curves",
        f"{len(cells)} named curves.",
        (("Curve", False), ("Bits", True), ("Model", False), ("Also called", False)),
        cells,
    )


def _methods(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the part of a page about multiplication: the best methods, and those of k·P by their tables."""
    best: dict[tuple[str, str], Mapping[str, Any]] = {}
    for each in rows:
        key = each["operation"], each["system"]
        if each["chosen"] or key not in best:
            best[key] = {**each, "steps": [*dict.fromkeys(step["id"] for step in each["steps"])]}
    taken = next((each["system"] for each in rows if each["chosen"]), "")
    dots = [
        Dot(each["bytes"], Fraction(each["weight"]), each["method"])
        for each in rows
        if (each["operation"], each["system"]) == ("variable-base", taken)
    ]
    about = "k·P for secret k: the weight of each method by the bytes of its table."
    plots = [(about, memory_plot(about, "bytes of the table", dots))] if len(dots) > 1 else []
    return {"plan": [*best.values()], "plots": plots}

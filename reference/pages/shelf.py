"""The document by ids, and formulas by system, operation and work, as pages look them up."""

from __future__ import annotations

from collections import defaultdict
from functools import cached_property
from typing import TYPE_CHECKING, Any

from efdgen.reference import costs

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

KINDS = (
    *("doubling", "addition", "addition-hinted", "subtraction", "tripling", "diffadd", "ladder", "doubleadd"),
    *("negation", "scaling", "conversion", "recovery"),
)
"""Operations in the order of pages; others follow, sorted."""


class Shelf:
    """The document of :func:`efdgen.reference.document.collect`, indexed."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        self.document = document
        self.models = _by(document["models"])
        self.systems = _by(document["systems"])
        self.kinds = _by(document["kinds"])
        self.formulas = _by(document["formulas"])
        self.sources = _by(document["sources"], "key")
        self.curves = _by(document["curves"], "name")
        self.unreadable: Sequence[Any] = document["unreadable"]
        self.serving = {system["id"]: found for system, found in costs.serving(document)}

    @cached_property
    def of_system(self) -> Mapping[str, list[Any]]:
        """The formulas of each system."""
        return _grouped(self.formulas.values(), "system_id")

    @cached_property
    def of_kind(self) -> Mapping[str, list[Any]]:
        """The formulas of each operation."""
        return _grouped(self.formulas.values(), "kind")

    @cached_property
    def of_source(self) -> Mapping[str, list[Any]]:
        """The formulas that cite each work."""
        found: dict[str, list[Any]] = defaultdict(list)
        for each in self.formulas.values():
            for key in each["citations"]:
                found[key].append(each)
        return found

    @cached_property
    def rivals(self) -> Mapping[str, Mapping[tuple[str, tuple[str, ...]], list[Any]]]:
        """The rivals that serve each system, by operation and assumptions on inputs, cheapest first."""
        return {system: costs.rivals(found) for system, found in self.serving.items()}

    def kinds_of(self, system: str) -> list[tuple[Any, list[Any]]]:
        """Return a system's operations in the order of pages, each with its formulas, cheapest first."""
        found = _grouped(self.of_system.get(system, ()), "kind")
        return [(self.kinds[kind], sorted(found[kind], key=costs.order)) for kind in in_order(found)]

    def systems_of(self, model: str) -> list[Any]:
        """Return the systems of a model."""
        return [each for each in self.systems.values() if each["model"] == model]

    def best(self, system: str) -> list[tuple[Any, Sequence[str], list[Any]]]:
        """Return a system's operations by assumptions on inputs, with the cheapest formula by each ratio."""
        found: list[tuple[Any, Sequence[str], list[Any]]] = []
        groups = self.rivals[system]
        for kind in in_order({kind for kind, _ in groups}):
            for assumed in sorted((a for k, a in groups if k == kind), key=lambda a: (len(a), a)):
                group = groups[kind, assumed]
                winners = [min(group, key=lambda f: costs.order(f, p)) for p in group[0]["weights"]]
                found.append((self.kinds[kind], assumed, winners))
        return found


def in_order(kinds: Iterable[str]) -> list[str]:
    """Return ids of operations in the order of pages."""
    return sorted(kinds, key=lambda kind: (KINDS.index(kind) if kind in KINDS else len(KINDS), kind))


def _by(values: Iterable[Any], member: str = "id") -> dict[str, Any]:
    return {each[member]: each for each in values}


def _grouped(values: Iterable[Any], member: str) -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = defaultdict(list)
    for each in values:
        found[each[member]].append(each)
    return found

"""Formulas of an operation beside each other: those with equal values, and each beside its cheapest rival."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

from efdgen.generator.formulas.database import Database
from efdgen.generator.reports.difference import Difference
from efdgen.reference import costs
from efdgen.verify.peers import same_values_of_all

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from efdgen.generator.formulas.formula import Formula

Pair = tuple[str, str]


def groups_of(document: Mapping[str, Any]) -> dict[str, list[list[str]]]:
    """Return, by system, ids of its formulas with the same operation, inputs and assumptions."""
    found: dict[str, dict[object, list[str]]] = defaultdict(lambda: defaultdict(list))
    for each in document["formulas"]:
        shared = each["kind"], tuple(each["other_systems"]), tuple(each["own_assumptions"])
        found[each["system_id"]][shared].append(each["id"])
    return {
        system: [group for group in groups.values() if len(group) > 1] for system, groups in found.items()
    }


def pairs_of(document: Mapping[str, Any]) -> dict[str, list[Pair]]:
    """Return, by system, each of its proved formulas with the cheapest one of equal assumptions."""
    found: dict[str, list[Pair]] = {}
    for system, formulas in costs.serving(document):
        found[system["id"]] = [
            (each["id"], best["id"])
            for best, *others in costs.rivals(formulas).values()
            for each in others
            if each["system_id"] == system["id"]
        ]
    return found


def equal_values(groups: Iterable[Sequence[str]]) -> dict[str, list[str]]:
    """Return, for formulas of each group, the others whose values are proved to be equal.

    Equality is transitive, so that a formula is held against one of each class.
    """
    database, found = Database(), dict[str, list[str]]()
    for group in groups:
        left = [database.formula(name) for name in group]
        while left:
            first, *others = left
            (same,) = same_values_of_all([(first, others)]) if others else ([],)
            equal = [each.id for each, is_same in zip(others, same, strict=True) if is_same]
            left = [each for each in others if each.id not in equal]
            names = [first.id, *equal]
            found |= {name: [other for other in names if other != name] for name in names if equal}
    return found


def comparisons(pairs: Sequence[Pair]) -> list[dict[str, object]]:
    """Return the difference of each pair, as ``efdgen diff --json`` prints it."""
    database = Database()
    formulas: list[tuple[Formula, Formula]] = [(database.formula(a), database.formula(b)) for a, b in pairs]
    same = same_values_of_all([(a, [b]) for a, b in formulas])
    return [Difference(a, b, is_same).fields() for (a, b), (is_same,) in zip(formulas, same, strict=True)]

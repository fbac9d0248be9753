"""A formula among its peers of the same kind and system: by weight, and those with the same values.

Values are the same where every output is the same rational function of the inputs, which is proved on the
generic instance of the formula: not only the point is the same, but each of its coordinates.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from efdgen.generator.errors import EfdgenError, MissingSageError
from efdgen.generator.formulas.cost import count
from efdgen.generator.passes.pipeline import emitted
from efdgen.generator.programs.lower import lower
from efdgen.generator.reports.difference import saving
from efdgen.generator.reports.weights import parse_weights
from efdgen.verify.children import ask

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from efdgen.generator.formulas.cost import Cost
    from efdgen.generator.formulas.database import Database
    from efdgen.generator.formulas.formula import Formula
    from efdgen.verify.laws.generic import GenericInstance


@dataclass(frozen=True)
class Peer:
    """A formula, its cost as emitted, and whether its values are the ``same`` as of the one asked about.

    The last is None where it is not decided, as of formulas of other parameters.
    """

    id: str
    cost: Cost
    weight: Fraction
    same: bool | None


def peers(database: Database, formula: Formula) -> tuple[Peer, ...]:
    """Return a formula and all others of its kind that serve its system, the lightest first."""
    place = formula.id.rpartition("/")[0].rsplit("/", 1)
    named: dict[str, str] = {}  # a system repeats formulas of the systems that it includes
    for name in database.formulas_for(place[0]):
        system, kind, own = name.rsplit("/", 2)
        rival = kind == formula.kind.id and name != formula.id and (own not in named or system == place[0])
        if rival and database.is_eligible(name):
            named[own] = name
    others = [database.formula(name) for name in named.values()]
    same: tuple[bool | None, ...]
    try:
        same = (True, *ask(_same_values, formula, others))
    except MissingSageError:
        same = (True, *[None] * len(others))
    weights = parse_weights("", binary=formula.system.model.binary)
    costs = [count(emitted(each)) for each in (formula, *others)]
    rows = [
        Peer(each.id, cost, weights.price(cost), equal)
        for each, cost, equal in zip((formula, *others), costs, same, strict=True)
    ]
    return tuple(sorted(rows, key=lambda peer: (peer.weight, peer.cost.additions, peer.id)))


def same_values(formula: Formula, other: Formula) -> bool | None:
    """Return whether two formulas have the same values; None where neither can be held against the other."""
    ((found,),) = same_values_of_all([(formula, [other])])
    return found


def same_values_of_all(questions: Sequence[tuple[Formula, Sequence[Formula]]]) -> list[list[bool | None]]:
    """Return for each formula whether it has the values of each of others, as :func:`same_values` does."""
    return ask(_same_values_of_all, questions) if questions else []


def _same_values_of_all(questions: Sequence[tuple[Formula, Sequence[Formula]]]) -> list[list[bool | None]]:
    found = []
    for formula, others in questions:
        equal = _same_values(formula, others)
        either = zip(others, equal, strict=True)
        found.append([_same_values(o, [formula])[0] if same is None else same for o, same in either])
    return found


def _same_values(formula: Formula, others: Sequence[Formula]) -> list[bool | None]:
    """Return whether each of other formulas has the values of a formula, in every case of its assumptions."""
    from efdgen.verify.laws.generic import generic_cases

    try:
        instances = generic_cases(formula).instances
    except EfdgenError:  # the formula's own examination reports it
        return [None] * len(others)
    found: list[bool | None] = []
    for other in others:
        unknown = {*other.all_parameters} - {*formula.all_parameters}
        if unknown or _signature(other) != _signature(formula):
            found.append(None)
            continue
        try:
            found.append(all(_equal(instance, formula, other) for instance in instances))
        except (EfdgenError, ZeroDivisionError, KeyError):
            found.append(None)
    return found


def _signature(formula: Formula) -> tuple[object, ...]:
    """Return what formulas must have in common for their values to be held against each other."""
    system = formula.system
    return formula.kind.id, system.model.id, system.variables, system.meanings, formula.output_names


def _equal(instance: GenericInstance, formula: Formula, other: Formula) -> bool:
    ours, theirs = (instance.run(lower(each)) for each in (formula, other))
    return all(instance.field.equal(ours[name], theirs[name]) for name in formula.output_names)


def ranking_fields(rivals: Sequence[Peer]) -> list[dict[str, object]]:
    """Return peers as JSON has them."""
    return [
        {"id": each.id, "cost": each.cost.fields(), "weight": float(each.weight), "same_values": each.same}
        for each in rivals
    ]


def ranking_text(formula_id: str, rivals: Sequence[Peer]) -> str:
    """Return a line for each peer, and what a formula saves against those that have its values."""
    own = next(each for each in rivals if each.id == formula_id)
    width = max(len(each.id) for each in rivals)
    lines = ["", f"peers, of which it is number {rivals.index(own) + 1} of {len(rivals)} by weight"]
    for number, each in enumerate(rivals, start=1):
        mark = "*" if each is own else " "
        said = f"   same values; here {saving(own.cost, each.cost)}" if each.same and each is not own else ""
        lines.append(f"{mark}{number:>3}  {each.id:{width}}  {float(each.weight):6.2f}  {each.cost}{said}")
    return "\n".join(lines)

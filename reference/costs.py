"""Costs and weights of the document: their terms, and formulas that are rivals."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

USUAL = {False: "large-S0.8", True: "binary-S0.2"}
"""The preset of weights by which formulas are ranked, in odd characteristic and in characteristic 2."""


def terms(cost: Mapping[str, Any]) -> Iterator[tuple[str, int]]:
    """Yield the unit, such as ``M``, ``^3``, ``*a`` or ``*2``, and the number of each term of a cost."""
    for unit in ("I", "M", "S"):
        if cost[unit]:
            yield unit, cost[unit]
    for exponent, number in cost["pow"].items():
        yield f"^{exponent}", number
    for name, number in cost["mul_param"].items():
        yield f"*{name}", number
    if cost["add"]:
        yield "add", cost["add"]
    for constant, number in cost["mul_const"].items():
        yield f"*{constant}", number


def per_point(cost: Mapping[str, Any]) -> str:
    """Return the number of points, n, of a cost that is of one point of n; empty for every other cost."""
    length, bracket, _ = cost["text"].partition("(")
    return length if bracket else ""


def weight(formula: Mapping[str, Any], preset: str = "") -> Fraction:
    """Return the weight of a formula's emitted cost by a preset, the usual one if none is named."""
    weights = formula["weights"]
    return Fraction(weights[preset or next(name for name in USUAL.values() if name in weights)])


def order(formula: Mapping[str, Any], preset: str = "") -> tuple[Any, ...]:
    """Return the place of a formula among rivals: proved ones first, then by weight and all operations."""
    operations = sum(number for _, number in terms(formula["emitted"]))
    return (formula["verdict"] != "proved", weight(formula, preset), operations, formula["id"])


def serving(document: Mapping[str, Any]) -> Iterator[tuple[Mapping[str, Any], list[Any]]]:
    """Yield each system with the formulas that serve it: its own, and those of systems that it includes.

    The database repeats formulas in systems that they serve; of equal names a system's own one is taken.
    """
    own: dict[str, list[Any]] = {}
    for each in document["formulas"]:
        own.setdefault(each["system_id"], []).append(each)
    for system in document["systems"]:
        named: dict[tuple[str, str], Any] = {}
        for place in (system["id"], *system["included"]):
            for each in own.get(place, ()):
                named.setdefault((each["kind"], each["name"]), each)
        yield system, [*named.values()]


def rivals(formulas: Iterable[Mapping[str, Any]]) -> dict[tuple[str, tuple[str, ...]], list[Any]]:
    """Return proved formulas by operation and by assumptions on inputs, the cheapest first.

    Formulas between systems are left out: such a formula leaves work to the conversions around it, so its
    cost says nothing about an addition within one system.
    """
    found: dict[tuple[str, tuple[str, ...]], list[Any]] = {}
    for each in formulas:
        if each["verdict"] == "proved" and not each["other_systems"]:
            found.setdefault((each["kind"], tuple(each["input_assumptions"])), []).append(each)
    return {key: sorted(group, key=order) for key, group in found.items()}

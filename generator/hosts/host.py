"""A host: a project's field arithmetic as a text file describes it. ``efd/hosts/FORMAT.md`` is the format."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from efdgen.generator.hosts.element import HostElement
    from efdgen.generator.hosts.rules import Condition, Quantity
    from efdgen.generator.hosts.style import Style

Language = Literal["c", "rust"]

EQUAL = "equal"
"""The operation that a check of a formula is: a comparison, which writes no element."""

# The operations that a host can offer, with their operands. k is an integer written in the code.
OPERANDS: dict[str, tuple[str, ...]] = {
    "add": ("a", "b"),
    "sub": ("a", "b"),
    "add_sub": ("a", "b"),
    "neg": ("a",),
    "double": ("a",),
    "mul_int": ("a",),
    "half": ("a",),
    "mul": ("a", "b"),
    "sqr": ("a",),
    "inv": ("a",),
    "set_int": (),
    "copy": ("a",),
    EQUAL: ("a", "b"),
}
# The results of an operation that has not one: the sum, and the difference a - b; none of a comparison.
RESULTS: dict[str, tuple[str, ...]] = {"add_sub": ("r", "s"), EQUAL: ()}
COMMUTATIVE = frozenset({"add", "mul"})


@dataclass(frozen=True)
class HostOperation:
    """One call of the host: how it is written, when it may be made, and what it gives.

    ``code`` holds ``{r}``, ``{a}``, ``{b}``, the factor ``{k}`` and bounds such as ``{bound_a}``. Without
    ``{a}`` it works in place: its first operand is its result. ``gives`` has a bound for each of the results,
    which are always in different places. An operation without results leaves its operand: it is a guard,
    after which the bound is certain, or a comparison, whose code is an expression, and whose factor is the
    number of the check.
    ``distinct`` are pairs of results and operands that may not be the same object. If ``takes`` is
    not 0, operands are of the type for that bound, and smaller ones are coerced. ``cost`` is relative to the
    other operations of the host, ``note`` what a count of operations calls it.

    The bounds of an ``untrusted`` result are claimed: it may be any congruent value that the words hold. An
    untrusted comparison may say of such values that they differ, and never that they are equal if they are
    not. The code of a trusted one stops the program unless the operands that it ``guards`` keep their bounds.
    """

    name: str
    code: str
    operands: tuple[str, ...]
    results: tuple[str, ...]
    needs: tuple[Condition, ...]
    gives: tuple[Quantity, ...]
    takes: int
    distinct: tuple[tuple[str, str], ...]
    cost: int
    note: str
    untrusted: bool
    guards: tuple[str, ...]

    @property
    def in_place(self) -> bool:
        """Return whether the first operand is overwritten with the result."""
        return "a" in self.operands and not any(place in self.code for place in ("{a}", "{a_value}"))

    def may_share(self, one: str, other: str) -> bool:
        """Return whether a result or operand may be the same object as another operand."""
        return (one, other) not in self.distinct and (other, one) not in self.distinct

    @property
    def relies_on(self) -> tuple[str, ...]:
        """The operands whose bounds must be certain: those in rules and code, except what the code guards.

        A bound that is given on as it is, as a copy's is, is not relied on.
        """
        read = {name for name in self.operands if f"{{bound_{name}}}" in self.code}
        read |= set[str]().union(*(condition.names for condition in self.needs))
        read |= set[str]().union(*(given.names for given in self.gives if not given.is_name))
        return () if self.untrusted else tuple(n for n in self.operands if n in read - {*self.guards})

    def rests_on(self, result: int) -> tuple[str, ...] | None:
        """Return the operands whose certainty a result has, none if it is certain, None if it is not."""
        return None if self.untrusted else tuple(self.gives[result].names & {*self.operands} - {*self.guards})


@dataclass(frozen=True)
class HostPoint:
    """A structure of the host that points are kept in.

    ``whole`` is the type of the longest structure that it is the first part of, or its own; structures with
    the same can be one object. ``members`` are its names of the variables that it has; ``systems`` the
    coordinate systems that it is for, by the last part of their ids, or none for all. ``bounds`` are the
    largest that a coordinate has when a function is called and when it returns, by variable. ``entry`` and
    ``exit`` are lines of code at the beginning and the end of a function, with ``{argument}``. With ``kind``
    it is for the type of points of that name alone, whatever its members.
    """

    type: str
    whole: str
    systems: tuple[str, ...]
    members: Mapping[str, str]
    bounds: Mapping[str, int]
    entry: tuple[str, ...]
    exit: tuple[str, ...]
    kind: str = ""


@dataclass(frozen=True)
class Host:
    """A host's field: its language, its rules, its structures, its style.

    ``weights`` decide which formulas are cheapest in it. ``largest`` is the greatest bound of any value;
    ``input`` is what coordinates are taken with where neither a structure nor the user says otherwise, or
    None where the solver shall choose. ``slots`` is whether values live in named variables that are used
    again, as opposed to one binding for each value. ``element`` is what whole curves need besides. ``tested``
    names the code, with its version, on which functions were run.
    """

    name: str
    title: str
    source: str
    language: Language
    weights: str
    prefix: str
    header: str
    footer: str
    slots: bool
    largest: int
    input: int | None
    operations: Mapping[str, HostOperation]
    restores: tuple[HostOperation, ...]
    points: tuple[HostPoint, ...]
    style: Style
    element: HostElement | None = None
    tested: str = ""

    def operation(self, name: str) -> HostOperation:
        """Return an operation, or one that restores a bound, by its name."""
        for restore in self.restores:
            if restore.name == name:
                return restore
        return self.operations[name]

    @property
    def claims(self) -> bool:
        """Return whether an operation is untrusted, so that inputs are claimed as well."""
        return any(operation.untrusted for operation in (*self.operations.values(), *self.restores))

"""A host: a project's field arithmetic as a text file describes it. ``efd/hosts/FORMAT.md`` is the format."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from efdgen.generator.hosts.rules import Condition, Quantity
    from efdgen.generator.hosts.style import Style

Language = Literal["c", "rust"]

# What a host can offer: the operands that each operation has. k is an integer written in the code.
OPERANDS: dict[str, tuple[str, ...]] = {
    "add": ("a", "b"),
    "sub": ("a", "b"),
    "neg": ("a",),
    "double": ("a",),
    "mul_int": ("a",),
    "half": ("a",),
    "mul": ("a", "b"),
    "sqr": ("a",),
    "inv": ("a",),
    "set_int": (),
    "copy": ("a",),
}
COMMUTATIVE = frozenset({"add", "mul"})


@dataclass(frozen=True)
class HostOperation:
    """One call of the host: how it is written, when it may be made, and what it gives.

    ``code`` holds ``{r}``, ``{a}``, ``{b}``, the factor ``{k}`` and bounds such as ``{bound_a}``. Without
    ``{a}`` it works in place: its first operand is its result. ``distinct`` are pairs of r, a and b that may
    not be the same object. Where ``takes`` is not 0, operands are of the type for that bound, and what has
    less is coerced. ``cost`` is relative to the other operations of the host, ``note`` what a count of
    operations calls it.
    """

    name: str
    code: str
    operands: tuple[str, ...]
    needs: tuple[Condition, ...]
    gives: Quantity
    takes: int
    distinct: tuple[tuple[str, str], ...]
    cost: int
    note: str

    @property
    def in_place(self) -> bool:
        """Return whether the first operand is overwritten with the result."""
        return "a" in self.operands and not any(place in self.code for place in ("{a}", "{a_value}"))

    def may_overwrite(self, operand: str) -> bool:
        """Return whether the result may be the same object as an operand."""
        return ("r", operand) not in self.distinct and (operand, "r") not in self.distinct

    @property
    def takes_equal(self) -> bool:
        """Return whether both operands may be the same object."""
        return ("a", "b") not in self.distinct and ("b", "a") not in self.distinct


@dataclass(frozen=True)
class HostPoint:
    """A structure of the host that points are kept in.

    ``members`` are its names of the variables that it has; ``systems`` the coordinate systems that it is for,
    by the last part of their ids, or none for all. ``bounds`` are the largest that a coordinate has when a
    function is called and when it returns, by variable. ``entry`` and ``exit`` are lines of code at the
    beginning and the end of a function, with ``{argument}``.
    """

    type: str
    systems: tuple[str, ...]
    members: Mapping[str, str]
    bounds: Mapping[str, int]
    entry: tuple[str, ...]
    exit: tuple[str, ...]


@dataclass(frozen=True)
class Host:
    """A host's field: its language, its rules, its structures, its style.

    ``weights`` decide which formulas are cheapest in it. ``largest`` is the greatest bound of any value;
    ``input`` is what coordinates are taken with where neither a structure nor the user says otherwise, or
    None where the solver shall choose. ``slots`` is whether values live in named variables that are used
    again, as opposed to one binding for each value.
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

    def operation(self, name: str) -> HostOperation:
        """Return an operation, or one that restores a bound, by its name."""
        for restore in self.restores:
            if restore.name == name:
                return restore
        return self.operations[name]

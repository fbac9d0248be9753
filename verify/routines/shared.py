"""Proof of sums of many multiples in constant time: of one point as it is followed, of many by linearity.

In the loops over points, sums change by what depends on a point's own scalar and entries alone; elsewhere
they are doubled or subtracted from one another. So the result is the sum of the results for each point alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.errors import EfdgenError
from efdgen.generator.routines import tree, uses
from efdgen.generator.routines.integers import RoutineError
from efdgen.verify.symbols.blocks import without_comments

if TYPE_CHECKING:
    from collections.abc import Iterable

    from efdgen.generator.routines.module import Module
    from efdgen.generator.routines.tree import Expression, Routine, Statement
    from efdgen.verify.routines.multiples import Follower

ROUTINE = "multi_multiply"
_WAYS = "shared_sum", "separate_sum"
_ADDING = frozenset({"add", "add_entry"})
_IDENTITY = tree.Name("IDENTITY")


def prove_shared(own: Follower) -> None:
    """Prove the sum, by both ways that there may be; raise :class:`EfdgenError` where one is wrong."""
    try:
        for name in _ways(own.module):
            own.follow(name)
            _Linear(own.module.routines[name]).require()
    except RoutineError as error:
        raise EfdgenError(f"{ROUTINE} is not proved: {error}") from None


def _ways(module: Module) -> list[str]:
    """Return the routines whose results are returned, for the same scalars and points."""
    routine = module.routines[ROUTINE]
    found = []
    for statement in tree.statements(routine.body):
        match statement:
            case tree.Return((tree.Call(name, (tree.Name("k"), tree.Name("p"))),)) if name in _WAYS:
                found.append(name)
            case tree.If(tree.Binary("<", tree.Name("count"), tree.Number())) | tree.Comment():
                pass
            case _:
                raise RoutineError("it does more than return one of its sums")
    return found


class _Linear:
    """A routine whose sums begin as the identity."""

    def __init__(self, routine: Routine) -> None:
        self._routine = routine
        declared = (s for s in routine.body if isinstance(s, tree.Declare) and s.value == _IDENTITY)
        self._sums = {name for statement in declared for name in statement.names}
        self._rooms = {s.name for s in routine.body if isinstance(s, tree.Room)}
        self._arrays = self._rooms | {parameter.name for parameter in routine.parameters}
        self._lengths = {tree.Name(length) for length in uses.lengths(routine)}

    def require(self) -> None:
        """Raise :class:`RoutineError` for a statement that is not linear in its sums."""
        self._outside(self._routine.body)

    def _outside(self, block: Iterable[Statement]) -> None:
        """Look at statements that are no iteration over points."""
        for statement in without_comments(tuple(block)):
            match statement:
                case tree.Room() | tree.Declare(value=tree.Name("IDENTITY")):
                    pass
                case tree.For(name, start, stop) if stop in self._lengths:
                    if (start, statement.down) != (tree.Number(0), False):
                        raise RoutineError("points are left out")
                    for inner in without_comments(statement.body):
                        self._inside(inner, name)
                case tree.For() if not self._mentions(statement.start, statement.stop):
                    self._outside(statement.body)
                case tree.If(condition, then, ()) if not self._mentions(condition):
                    self._outside(then)
                case tree.Assign(tree.Name(name), "", tree.Call("double", (tree.Name(given),))) if (
                    name == given and name in self._sums
                ):
                    pass
                case tree.Return((tree.Name(name),)) if name in self._sums:
                    pass
                case tree.Return((tree.Call("subtract", (tree.Name(one), tree.Name(other))),)) if {
                    one,
                    other,
                } <= self._sums:
                    pass
                case _:
                    raise RoutineError("a statement that is not linear")

    def _inside(self, statement: Statement, at: str) -> None:
        """Look at a statement of an iteration over points."""
        if any(self._is_other(part, at) for e in tree.expressions(statement) for part in tree.walk(e)):
            raise RoutineError("another point's scalar or entries")
        match statement:
            case tree.Declare(_, _, value) if value is not None and not self._mentions(value):
                pass
            case tree.Assign(tree.Name(name), "", tree.Call("add", (tree.Name(given), term))) if (
                name == given and name in self._sums and not self._mentions(term)
            ):
                pass
            case tree.Do(tree.Call(called, (tree.Name(name), term))) if (
                called in _ADDING and name in self._sums and not self._mentions(term)
            ):
                pass
            case tree.Assign(tree.Index(tree.Name(name), tree.Name(index)), "", value) if (
                name in self._rooms and index == at and not self._mentions(value)
            ):
                pass
            case _:
                raise RoutineError("a statement that is not linear")

    def _is_other(self, part: Expression, at: str) -> bool:
        """Return whether a part is an item of another point."""
        match part:
            case tree.Index(tree.Name(name), index) if name in self._arrays:
                return index != tree.Name(at)
        return False

    def _mentions(self, *expressions: Expression) -> bool:
        """Return whether expressions read a sum."""
        return any(self._sums & {*uses.names(expression)} for expression in expressions)

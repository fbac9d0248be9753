"""Arrays of any length in proofs: what a routine does with the items of one number, whichever that is.

The body of a loop over all numbers accesses items of its own number alone. If it changes other variables,
either these are conjunctions of conditions for all numbers, or a proof is an induction over the loop.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from efdgen.generator.routines import tree, uses
from efdgen.generator.routines.integers import RoutineError
from efdgen.verify.symbols.blocks import Blocks, without_comments
from efdgen.verify.symbols.integers import Symbol

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import TypeAlias

    from efdgen.generator.routines.integers import Integers
    from efdgen.generator.routines.module import Module
    from efdgen.generator.routines.tree import Routine, Statement

    Contracts: TypeAlias = Mapping[str, Callable[..., list[Any]]]

ANY = Symbol("i")
"""The number."""


class Items(list[Any]):
    """The items of an array that belong to the number: item j is at the number times their count, plus j."""

    def __getitem__(self, at: Any) -> Any:  # noqa: ANN401 - as of every list
        return super().__getitem__(self._offset(at))

    def __setitem__(self, at: Any, value: Any) -> None:  # noqa: ANN401 - as of every list
        super().__setitem__(at if isinstance(at, slice) else self._offset(at), value)

    def _offset(self, at: object) -> int:
        if not isinstance(at, Symbol) or (at.name, at.factor) != (ANY.name, len(self)):
            raise RoutineError("an item that is not the iteration's")
        return at.offset


def loop_over(routine: Routine, statement: Statement, *, down: bool = False) -> tree.For:
    """Return a loop over all numbers; raise :class:`RoutineError` for any other statement."""
    lengths = [tree.Name(length) for length in uses.lengths(routine)]
    match statement:
        case tree.For(_, tree.Number(0), stop, found) if stop in lengths and found == down:
            return statement
    raise RoutineError("it is no loop over all items")


class Each:
    """A routine on arrays, in the order of its statements for one number."""

    def __init__(self, module: Module, routine: Routine) -> None:
        self._module, self._routine = module, routine
        self._end: tuple[str, ...] = ()
        self._loops: set[str] = set()
        self._arrays = {parameter.name: 1 for parameter in self._routine.parameters}
        self._block = tuple(self._straight())

    def _straight(self) -> Iterator[Statement]:
        """Yield the statements, with the bodies of loops over all numbers in the places of these."""
        for statement in without_comments(self._routine.body):
            match statement:
                case tree.For():
                    loop = loop_over(self._routine, statement)
                    self._require_own_changes(loop)
                    self._loops.add(loop.name)
                    yield from loop.body
                case tree.Room(name, kind):
                    self._arrays[name] = self._count(kind.lengths[0])
                case tree.Return((tree.Name(name),)):
                    self._end = (name,)
                case tree.Declare() | tree.Do():
                    yield statement
                case _:
                    raise RoutineError("a statement that is no loop over all items")

    def _count(self, length: tree.Expression) -> int:
        """Return how many items of an array of a length belong to one number."""
        match length:
            case tree.Binary("*", tree.Number(count), tree.Name(name)) if name in uses.lengths(self._routine):
                return count
            case tree.Name(name) if name in uses.lengths(self._routine):
                return 1
        raise RoutineError("a length that is no multiple of the number of items")

    def _require_own_changes(self, loop: tree.For) -> None:
        """Refuse a loop that changes more than its items, its own variables, and conjunctions."""
        inner = {name for s in tree.statements(loop.body) for name in getattr(s, "names", ())}
        declared = {n for s in self._routine.body if isinstance(s, tree.Declare) for n in s.names}
        outer = declared - inner
        # What a call gives first in an iteration was not read in it before.
        first = loop.body[0]
        fresh = {tree.root(t) for t in first.targets} if isinstance(first, tree.Receive) else set[str]()
        for statement in tree.statements(loop.body):
            match statement:
                case tree.Assign(tree.Name(name), "&", value) if name in outer and name not in uses.names(
                    value
                ):
                    pass
                case tree.Assign(target) if tree.root(target) in outer:
                    raise RoutineError(f"{tree.root(target)} is changed from item to item")
                case tree.Receive(targets) if {*map(tree.root, targets)} & outer - fresh:
                    raise RoutineError("a variable is changed from item to item")

    def run(
        self,
        items: Mapping[str, Items],
        contracts: Contracts,
        constants: Mapping[str, Any] | None = None,
        meaning: Integers | None = None,
    ) -> tuple[dict[str, list[Any]], list[Any]]:
        """Return what the items of arrays become, given those of some, and what is returned for these."""
        arrays = {name: items.get(name, Items([None] * count)) for name, count in self._arrays.items()}
        values = {**arrays, **dict.fromkeys(self._loops, ANY)}
        run = Blocks(self._module, self._routine).run
        found = run(self._block, values, contracts, constants, self._end, meaning)
        return {name: [*found[name]] for name in arrays}, [found[name] for name in self._end]

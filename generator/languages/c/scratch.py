"""Sizes of rooms: for each routine that has some, one that returns how many bytes of memory it takes."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from efdgen.generator.errors import EfdgenError
from efdgen.generator.routines import tree, uses
from efdgen.generator.routines.rooms import length_of, with_rooms
from efdgen.generator.routines.types import INT, Array, Condition

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from efdgen.generator.routines.module import Module
    from efdgen.generator.routines.tree import Block, Expression, Routine, Statement

_ALIGNED = 16
"""The size of a room is a multiple of this: the next one begins aligned as the memory does."""


def with_scratch(module: Module) -> Module:
    """Return a module with the sizes of the rooms of its routines, each before what has the rooms.

    A routine and one in variable time that returns the same take memory of one size, the greater one.
    """
    some, sizes = with_rooms(module.routines), dict[str, "Routine"]()
    found: dict[str, Routine] = {}
    for name, routine in module.routines.items():
        if name in some:
            base = name.removesuffix("_var")
            pair = base, f"{base}_var"
            own = f"{name}_size" if {*pair} <= some else f"{base}_scratch"
            sizes[name] = _Sizes(own, routine, module.routines, sizes).routine()
            found[own] = sizes[name]
            if {*pair} <= sizes.keys():
                greater = _greater(f"{base}_scratch", *pair, sizes)
                found[greater.name] = greater
        found[name] = routine
    return replace(module, routines=found)


def _greater(name: str, one: str, other: str, sizes: Mapping[str, Routine]) -> Routine:
    """Return the routine of the greater size of two routines."""
    lengths = sizes[one].parameters
    given = tuple(tree.Name(length.name, type=INT) for length in lengths)
    first, second = (tree.Call(sizes[own].name, given, type=INT) for own in (one, other))
    more = tree.Binary(">", first, second, type=Condition(secret=False))
    return replace(
        sizes[one],
        name=name,
        doc=f"Return the bytes of memory that {one} and {other} take, which is aligned as malloc aligns.",
        body=(tree.If(more, (tree.Return((first,)),)), tree.Return((second,))),
        exported=True,
    )


class _Sizes:
    def __init__(
        self, name: str, routine: Routine, routines: Mapping[str, Routine], sizes: Mapping[str, Routine]
    ) -> None:
        self._name, self._routine, self._routines, self._sizes = name, routine, routines, sizes

    def routine(self) -> Routine:
        """Return the routine of the size."""
        body = self._block(self._routine.body, tree.Number(0, type=INT))
        body = (*self._before(body), *body)
        read = {name for s in tree.statements(body) for e in tree.expressions(s) for name in uses.names(e)}
        kind = tree.TypeName("int")
        return tree.Routine(
            self._name,
            tuple(tree.Parameter(n, kind, type=INT) for n in uses.lengths(self._routine) if n in read),
            (tree.Result(kind, type=INT),),
            f"Return the bytes of memory that {self._routine.name} takes, which is aligned as malloc aligns.",
            body,
            exported=self._routine.exported and self._name.endswith("_scratch"),
        )

    def _before(self, size: Block) -> Iterator[Statement]:
        """Yield the statements that compute the numbers which a size depends on."""
        wanted = {name for s in tree.statements(size) for e in tree.expressions(s) for name in uses.names(e)}
        if wanted <= uses.lengths(self._routine).keys():
            return
        for statement in self._routine.body:
            if isinstance(statement, tree.Room):
                return
            yield statement

    def _block(self, block: Block, size: Expression) -> Block:
        """Return statements that return the size of the rooms of a block, after others of a size."""
        for at, statement in enumerate(block):
            if isinstance(statement, tree.If) and any(map(self._has_rooms, tree.statements((statement,)))):
                rest = (*statement.otherwise, *block[at + 1 :])
                taken = replace(statement, then=self._block(statement.then, size), otherwise=())
                return taken, *self._block(rest, size)
            if isinstance(statement, tree.Room):
                size = _sum(size, _room(statement))
            elif tree.blocks(statement) and any(map(self._has_rooms, tree.statements((statement,)))):
                raise EfdgenError(f"{self._routine.name}: a loop has rooms")
            else:
                for call in self._calls(statement):
                    size = _sum(size, self._called(call))
        return (tree.Return((size,)),)

    def _has_rooms(self, statement: Statement) -> bool:
        return isinstance(statement, tree.Room) or bool(self._calls(statement))

    def _calls(self, statement: Statement) -> list[tree.Call]:
        """Return the calls in a statement of routines with rooms."""
        every = [part for e in tree.expressions(statement) for part in tree.walk(e)]
        return [part for part in every if isinstance(part, tree.Call) and part.function in self._sizes]

    def _called(self, call: tree.Call) -> Expression:
        called, size = self._routines[call.function], self._sizes[call.function]
        arguments = dict(zip((p.name for p in called.parameters), call.arguments, strict=True))
        given = {length: arguments[names[0]] for length, names in uses.lengths(called).items()}
        lengths = tuple(_length(given[parameter.name].type) for parameter in size.parameters)
        return tree.Call(size.name, lengths, type=INT)


def _length(kind: object) -> Expression:
    assert isinstance(kind, Array)
    return length_of(kind)


def _sum(one: Expression, other: Expression) -> Expression:
    return other if one == tree.Number(0) else tree.Binary("+", one, other, type=INT)


def _room(room: tree.Room) -> Expression:
    """Return the size of a room: a multiple of what is aligned."""
    assert room.type is not None
    item = tree.Size(replace(room.kind, lengths=room.kind.lengths[1:]), room.type.item, type=INT)
    size = tree.Binary("*", room.kind.lengths[0], item, type=INT)
    above = tree.Binary("+", size, tree.Number(_ALIGNED - 1, type=INT), type=INT)
    parts = tree.Binary("/", above, tree.Number(_ALIGNED, type=INT), type=INT)
    return tree.Binary("*", parts, tree.Number(_ALIGNED, type=INT), type=INT)

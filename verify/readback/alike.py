"""Are the iterations of a function's loops the same? Their counter must have no other use.

A counter of turns, or a number of points, begins and ends a loop and goes up or down by 1; beside that it is
compared with 0 and 1. So what a loop does may differ in its first two turns, or its last two, from others.
"""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING

from efdgen.verify.words.tree import (
    Assign,
    Binary,
    Call,
    Declare,
    ForEach,
    Literal,
    Method,
    Name,
    While,
)
from efdgen.verify.words.values import COMPARED, NotFollowedError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from efdgen.verify.words.tree import Function


def require_alike(function: Function) -> None:
    """Raise :class:`NotFollowedError` where something depends on how many turns or points there are."""
    if any(_depends(function.body, counters_of(function))):
        raise NotFollowedError("what it does depends on how many turns or points there are")


def counters_of(function: Function) -> frozenset[str]:
    """Return the variables that count points or turns: sizes in C, in Rust indices of what is enumerated."""
    found = {"n"}
    for node in _nodes(function.body):
        match node:
            case Declare(str(name), "size_t") | ForEach((str(name), _)):
                found.add(name)
    return frozenset(found)


def _depends(node: object, counters: frozenset[str]) -> Iterator[bool]:
    """Yield whether a name is a counter, but where it counts turns or is compared with 0 or 1."""
    below = _parts(node)
    match node:
        case Name(name):
            yield name in counters
        case Method(_, "len", _):
            yield True
        case Call("assert_eq!") | Declare(_, "size_t", Literal(0) | Name("n")):
            below = iter(())
        case Binary(sign, Name(), Literal(0 | 1)) if sign in COMPARED:
            below = iter(())
        case While(
            Binary("<", Name(), Name("n")) | Binary(">", Name(), Literal(0)),
            body,
            (Assign(Name(), "+" | "-", Literal(1)), *steps),
        ):
            below = iter((body, *steps))
    for part in below:
        yield from _depends(part, counters)


def _nodes(node: object) -> Iterator[object]:
    """Yield a node of a tree, and all below it."""
    yield node
    for part in _parts(node):
        yield from _nodes(part)


def _parts(node: object) -> Iterator[object]:
    """Yield what a node of a tree is made of."""
    if isinstance(node, tuple):
        yield from node
    elif is_dataclass(node):
        yield from (getattr(node, one.name) for one in fields(node))

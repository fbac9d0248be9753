"""The fewest names for a set of rows, exactly."""

from __future__ import annotations

from functools import reduce
from itertools import combinations
from operator import or_
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from efdgen.verify.exceptions.trials import Rows

T = TypeVar("T")


def fewest(names: Mapping[T, Rows], wanted: Rows) -> tuple[tuple[T, ...], Rows]:
    """Return the fewest names that together cover wanted rows and no others, and the rows that none covers.

    The first of several names for the same rows is taken, and a name for more rows before one for fewer.
    """
    useful = {name: rows for name, rows in names.items() if rows and not rows & ~wanted}
    firsts = {rows: name for name, rows in reversed(useful.items())}
    largest = [rows for rows in firsts if not any(rows != other and not rows & ~other for other in firsts)]
    goal = _union(largest)
    choices = (c for size in range(len(largest) + 1) for c in combinations(largest, size))
    kept = {firsts[rows] for rows in next(c for c in choices if _union(c) == goal)}
    return tuple(name for name in useful if name in kept), wanted & ~goal


def joined(parts: Iterable[tuple[Rows, int]]) -> Rows:
    """Return sets of rows, each with the number of rows that it is of, as one set."""
    total, shift = 0, 0
    for rows, size in parts:
        total |= rows << shift
        shift += size
    return total


def _union(covers: Iterable[Rows]) -> Rows:
    return reduce(or_, covers, 0)

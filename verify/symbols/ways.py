"""Every way through a routine: decisions of bits, counted up from the last one."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from efdgen.generator.routines.integers import RoutineError
from efdgen.verify.symbols.facts import DeadError, Facts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Found = TypeVar("Found")
_MOST = 1 << 10


def ways(follow: Callable[[Facts], Found]) -> Iterator[tuple[Facts, Found]]:
    """Yield the facts of each way that some scalar takes, and what is found on it."""
    decisions: list[int] = []
    for _ in range(_MOST):
        facts = Facts(decisions)
        try:
            found = follow(facts)
        except DeadError:
            pass
        else:
            yield facts, found
        while decisions and decisions[-1]:
            decisions.pop()
        if not decisions:
            return
        decisions[-1] = 1
    raise RoutineError(f"more than {_MOST} ways")

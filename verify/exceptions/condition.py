"""Conditions on curves, in terms of their features: d is not a square."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    Literal = tuple[str, bool]


@dataclass(frozen=True)
class Condition:
    """Features that a curve must have, or must not; all of them, or any if ``any_of``.

    No features at all mean always, and with ``any_of`` never.
    """

    literals: tuple[Literal, ...]
    any_of: bool = False

    def holds(self, features: Mapping[str, bool]) -> bool:
        """Return whether it holds on a curve; false where a feature is not known."""
        known = (features.get(name) is wanted for name, wanted in self.literals)
        return any(known) if self.any_of else all(known)

    def __str__(self) -> str:
        match self.literals:
            case ():
                return "no" if self.any_of else "always"
            case (("the order is odd", wanted),):
                return f"on curves of {'odd' if wanted else 'even'} order"
        word = "unless" if self.any_of else "when"
        said = [(name, wanted is not self.any_of) for name, wanted in self.literals]
        match [(*name.partition(" is "), wanted) for name, wanted in said]:
            case [(first, _, what, True), (second, _, other, False)] if what == other:
                return f"{word} {first} is {what} and {second} is not"
            case [(first, _, what, True), (second, _, other, True)] if what == other and what.startswith(
                "a "
            ):
                return f"{word} {first} and {second} are {what.removeprefix('a ')}s"
        return f"{word} {' and '.join(n if wanted else n.replace(' is ', ' is not ') for n, wanted in said)}"


ALWAYS = Condition(())
NEVER = Condition((), any_of=True)


def simplest(curves: Iterable[tuple[Mapping[str, bool], bool]]) -> Condition | None:
    """Return the simplest condition that holds on those curves, given by features, for which it is asked to.

    None where nothing of at most two features does.
    """
    asked = list(curves)
    names = list(asked[0][0])
    return next(
        (c for c in _conditions(names) if all(c.holds(known) is wanted for known, wanted in asked)), None
    )


def _conditions(names: Sequence[str]) -> Iterator[Condition]:
    """Yield the constant conditions, then those on one feature, then those on two."""
    yield from (ALWAYS, NEVER)
    literals = [(name, wanted) for name in names for wanted in (True, False)]
    yield from (Condition((literal,)) for literal in literals)
    yield from (Condition(pair) for pair in combinations(literals, 2))
    yield from (Condition(pair, any_of=True) for pair in combinations(literals, 2))

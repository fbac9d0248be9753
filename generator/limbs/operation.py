"""The form of a row in the table of operations on words."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, ClassVar

from efdgen.generator.limbs import units

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from efdgen.generator.limbs.integers import Integers, T
    from efdgen.generator.limbs.units import Unit


@dataclass(frozen=True, slots=True)
class Operation(ABC):
    """An operation: its members in ``reads`` are values, the others numbers.

    ``counted`` is what a tally calls it, ``unit`` where a core runs it. ``text``, ``c`` and ``rust`` are
    formats with the names of members, ``rest``, which is w - amount, and in C a ``prefix``. ``lanes`` is the
    name that instruction sets of lanes have for it.
    """

    reads: ClassVar[tuple[str, ...]] = ()
    result_count: ClassVar[int] = 1
    counted: ClassVar[str] = "other operation"
    unit: ClassVar[Unit] = units.PLAIN
    text: ClassVar[str] = ""
    c: ClassVar[str] = ""
    rust: ClassVar[str] = ""
    lanes: ClassVar[str] = ""

    @abstractmethod
    def meaning(self, n: Integers[T], of: Callable[[int], T]) -> tuple[T, ...]:
        """Return the results as integers of a kind; ``of`` returns those that are read."""

    @property
    def operands(self) -> tuple[int, ...]:
        """The values that are read, from left to right, a carry last."""
        return tuple([getattr(self, name) for name in self.reads])

    @property
    def factors(self) -> tuple[int, ...]:
        """The values that are multiplied as integers, except by shifts."""
        return ()

    @property
    def bits(self) -> tuple[int, ...]:
        """The values that have to be 0 or 1."""
        return ()

    def on(self, values: tuple[int, ...]) -> Operation:
        """Return the same operation on other values."""
        return replace(self, **dict(zip(self.reads, values, strict=True)))

    def tally(self) -> dict[str, int]:
        """Return how many products, sums and others it counts as."""
        return {self.counted: 1} if self.counted else {}

    def runs_on(self, known: Collection[int]) -> Unit:
        """Return the unit that runs it, where some values are constants."""
        return self.unit

    def written(self, form: str, name: Callable[[int], str], word: int = 0, prefix: str = "") -> str:
        """Return a text of the operation in a form, by the names of values."""
        members = {member.name: getattr(self, member.name) for member in fields(self)}
        rest = word - members.get("amount", 0)
        members |= {member: name(members[member]) for member in self.reads}
        return form.format(**members, prefix=prefix, rest=rest)

    def listed(self, name: Callable[[int], str]) -> str:
        """Return the text of the operation in a listing."""
        return self.written(self.text, name)

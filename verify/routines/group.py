"""Functions on points by their contracts: points as forms, with the inputs of every addition and doubling."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from efdgen.generator.routines.integers import RoutineError
from efdgen.verify.routines.leaves import CONTRACTS
from efdgen.verify.routines.points import Point, Steps, read_steps
from efdgen.verify.symbols.bits import Word, bits_of, form_of_word
from efdgen.verify.symbols.forms import combined

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from efdgen.verify.symbols.bits import Bitwise
    from efdgen.verify.symbols.facts import Facts


@dataclass(frozen=True)
class Step:
    """A call of a function that adds, or that doubles (without ``q``), with its inputs."""

    function: str
    p: Point
    q: Point | None = None

    @property
    def complete(self) -> bool:
        """Return whether it is right for every input, on every curve."""
        return not CONTRACTS[self.function].avoids


class Group:
    """The functions on points as forms, on one way; every addition and doubling is noted in ``steps``.

    ``neutral`` is whether P is the identity, ``small`` whether its order divides the cofactor; both are None
    if no routine asked. ``tables`` keeps the steps of tables over all ways; ``counts`` are the entries of
    tables of odd multiples, by the ways to multiply that have them.
    """

    def __init__(
        self,
        facts: Facts,
        words: Bitwise,
        tables: dict[tuple[int, ...], tuple[Any, Steps]],
        counts: Mapping[str, int],
    ) -> None:
        self._facts, self._words, self._tables, self._counts = facts, words, tables, counts
        self.steps: list[Step] = []
        self.neutral: bool | None = None
        self.small: bool | None = None

    @property
    def table(self) -> dict[str, Callable[..., list[Any]]]:
        """The result of each function, by its name; each has a contract in :data:`CONTRACTS`."""
        found: dict[str, Callable[..., list[Any]]] = {
            "is_identity": self._is_identity,
            "has_small_order": self._has_small_order,
            "select": self._select,
            "subtract": lambda p, q: [p.plus(q, -1)],
            "negate": lambda p: [p.times(-1)],
            "proper_identity_var": lambda p: [p],
            "make_entry": lambda p: [p],
            "double": lambda p: [self._doubled("double", p, 1)],
            "double_times": lambda p, times: [self._doubled("double_times", p, times)],
            "multiply_small": self._multiply_small,
            "from_isomorphic": self._from_isomorphic,
            "double_chain": lambda _, p, times: [self._doubled("double_chain", p, times), None],
            "chain_add_entry": lambda _, p, q: [self._added("chain_add_entry", p, q)],
        }
        for way, count in self._counts.items():
            found |= {
                f"{way}_entries": lambda p, n=count: [_odd(p, n)],
                f"{way}_entries_var": lambda p, n=count: [_odd(p, n)],
                f"{way}_entries_of_one_z": lambda _, p, n=count: ["z", [q.on("z") for q in _odd(p, n)]],
                f"{way}_images": lambda table: [[entry.turned() for entry in table]],
            }
        for label in ("entry", "fixed_entry", "summand"):
            found |= {
                f"read_{label}": self._read,
                f"lift_{label}": lambda q: [q],
                f"negate_{label}": lambda q: [q.times(-1)],
            }
        for name in ("add", "add_entry", "add_entry_var", "add_fixed_entry", "add_fixed_entry_var"):
            found[name] = self._adding(name)
        return found

    def _select(self, p: Point, q: Point, flag: int | Word) -> list[Point]:
        chosen = self._words.decided(flag)
        if chosen not in (0, 1):
            raise RoutineError(f"a choice that is {chosen}")
        return [p if chosen else q]

    def _adding(self, name: str) -> Callable[[Point, Point], list[Any]]:
        return lambda p, q: [self._added(name, p, q)]

    def read_and_add(self, p: Point, table: Sequence[Point], window: int | Word, bits: int) -> Point:
        """Return the sum with an entry that is read by its index, by an addition that is right for all."""
        (entry,) = self._read(table, window, bits)
        return self._added("add_fixed_entry_var", p, entry)

    def _added(self, name: str, p: Point, q: Point) -> Point:
        self.steps.append(Step(name, p, q))
        return p.plus(q)

    def _doubled(self, name: str, p: Point, times: int) -> Point:
        # 2^j*m is a multiple of an odd order only if m is.
        self.steps.append(Step(name, p))
        return p.times(1 << times)

    def _is_identity(self, p: Point) -> list[int]:
        self._require_argument(p)
        self.neutral = bool(self._facts.choose("P the identity"))
        return [int(self.neutral)]

    def _has_small_order(self, p: Point) -> list[int]:
        self._require_argument(p)
        self.small = bool(self._facts.choose("P of small order"))
        return [int(self.small)]

    @staticmethod
    def _require_argument(p: Point) -> None:
        if p.forms != {"P": {None: 1}}:
            raise RoutineError("a question about a point other than P")

    def _multiply_small(self, p: Point, k: int | Word) -> list[Point]:
        return [p.by(form_of_word(self._words.known(k)))] if self.small else [Point({"?": {None: 1}})]

    @staticmethod
    def _from_isomorphic(p: Point, z: str) -> list[Point]:
        if z != "z" or p.curve != "z":
            raise RoutineError("a point is taken back from a curve on which it is not")
        return [p.on("")]

    def _read(self, table: Sequence[Point], window: int | Word, bits: int) -> list[Point]:
        key = bits, *map(id, table)
        if key not in self._tables:
            self._tables[key] = table, read_steps(table, bits)
        known = self._words.known(window)
        used = bits_of(known, 32)
        if any(used[bits:]):
            raise RoutineError("a window outside of its table")
        read = self._tables[key][1]
        total = read.zero
        for bit, step in zip(used, read.steps, strict=False):
            total = total.plus(step.by(combined((1, self._facts.bit_form(bit)))))
        return [total]


def _odd(p: Point, count: int) -> list[Point]:
    return [p.times(2 * i + 1) for i in range(count)]

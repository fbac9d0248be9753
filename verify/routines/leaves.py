"""Contracts of the leaves of multiplications: what each computes in the group, and what it must not meet."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from efdgen.generator.routines.integers import RoutineError
from efdgen.verify.routines.bits import Word, bits_of, form_of_word
from efdgen.verify.routines.forms import combined
from efdgen.verify.routines.points import Point, Steps, read_steps

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from efdgen.verify.routines.bits import Bitwise
    from efdgen.verify.routines.facts import Facts

Avoids: TypeAlias = Literal["", "exceptions", "small order"]


@dataclass(frozen=True)
class Leaf:
    """The contract of a leaf: its ``meaning``, and what its inputs must not be.

    ``exceptions``: unless the addition law that is used is complete, neither of two points is the identity,
    nor one the other or its negative. ``small order``: in systems that cannot represent points with x*y = 0,
    the point's order does not divide the cofactor.
    """

    meaning: str
    avoids: Avoids = ""


LEAVES: Mapping[str, Leaf] = {
    "fe_mul": Leaf("a*b"),
    "fe_sqr": Leaf("a^2"),
    "fe_add": Leaf("a + b"),
    "fe_sub": Leaf("a - b"),
    "fe_neg": Leaf("-a"),
    "fe_is_zero": Leaf("whether a is 0"),
    "fe_equal": Leaf("whether a = b"),
    "fe_select": Leaf("a if flag, else b"),
    "fe_join": Leaf("the words of r, and those of a where all is not 0; one of both is 0 everywhere"),
    "add_kernel": Leaf("p + q", "exceptions"),
    "double_kernel": Leaf("2*p", "small order"),
    "negate_kernel": Leaf("-p", "small order"),
    "from_affine_kernel": Leaf("p"),
    "to_affine_kernel": Leaf("p, and zeros where it has no affine coordinates"),
    "slopes_kernel": Leaf("p and q over one Z, the slope of the line through them, and the tangent's at p"),
    "chain_double_kernel": Leaf("2*p, for doublings alone", "small order"),
    "chain_last_kernel": Leaf("2*p", "small order"),
    "add_entry_kernel": Leaf("p + q", "exceptions"),
    "add_fixed_entry_kernel": Leaf("p + q", "exceptions"),
    "slope_add_kernel": Leaf("p + q, given both over one Z and their slope", "exceptions"),
    "is_identity": Leaf("whether p is the identity"),
    "has_small_order": Leaf("whether the cofactor times p is the identity"),
    "select": Leaf("p if flag, else q"),
    "add": Leaf("p + q"),
    "subtract": Leaf("p - q"),
    "negate": Leaf("-p"),
    "double": Leaf("2*p"),
    "double_times": Leaf("2^times * p", "small order"),
    "multiply_small": Leaf("k*p if the cofactor times p is the identity"),
    "odd_entries": Leaf("p, 3*p, 5*p, ..., (2*n - 1)*p"),
    "odd_entries_of_one_z": Leaf("p, 3*p, 5*p, ..., (2*n - 1)*p on the curve that is isomorphic by z"),
    "images": Leaf("λ times each entry"),
    "read_entry": Leaf(
        "entry window mod 2^(bits - 1) if the top bit of window is 1, else minus entry ~window"
    ),
    "lift_entry": Leaf("q"),
    "add_entry": Leaf("p + q", "exceptions"),
    "from_isomorphic": Leaf("p on the curve itself, given it on the one that is isomorphic by z"),
    "chain_add": Leaf("p + q, for doublings alone", "exceptions"),
    "double_chain": Leaf("2^times * p", "small order"),
    "add_fixed_entry": Leaf("p + q", "exceptions"),
    "lift_fixed_entry": Leaf("q"),
    "read_fixed_entry": Leaf("as read_entry"),
    "negate_fixed_entry": Leaf("-q"),
    "add_fixed_entry_var": Leaf("p + q"),
    "chain_add_fixed": Leaf("p + q, for doublings alone", "exceptions"),
    "negate_entry": Leaf("-q"),
    "add_entry_var": Leaf("p + q"),
    "odd_entries_var": Leaf("p, 3*p, 5*p, ..., (2*n - 1)*p"),
    "double_times_var": Leaf("2^times * p"),
}


@dataclass(frozen=True)
class Step:
    """A call of a leaf that adds, or that doubles (without ``q``), with its inputs."""

    leaf: str
    p: Point
    q: Point | None = None

    @property
    def complete(self) -> bool:
        """Return whether it is right for every input, on every curve."""
        return not LEAVES[self.leaf].avoids


class Group:
    """The leaves on points as forms, on one way; every addition and doubling is noted in ``steps``.

    ``neutral`` is whether P is the identity, ``small`` whether its order divides the cofactor; both are None
    if no routine asked. ``tables`` keeps the steps of tables over all ways.
    """

    def __init__(
        self, facts: Facts, words: Bitwise, tables: dict[tuple[int, ...], tuple[Any, Steps]]
    ) -> None:
        self._facts, self._words, self._tables = facts, words, tables
        self.steps: list[Step] = []
        self.neutral: bool | None = None
        self.small: bool | None = None

    @property
    def table(self) -> dict[str, Callable[..., list[Any]]]:
        """The leaves by their names; each has a contract in :data:`LEAVES`."""
        found: dict[str, Callable[..., list[Any]]] = {
            "is_identity": self._is_identity,
            "has_small_order": self._has_small_order,
            "select": self._select,
            "subtract": lambda p, q: [p.plus(q, -1)],
            "negate": lambda p: [p.times(-1)],
            "double": lambda p: [self._doubled("double", p, 1)],
            "double_times": lambda p, times: [self._doubled("double_times", p, times)],
            "multiply_small": self._multiply_small,
            "odd_entries": lambda p, n: [_odd(p, n)],
            "odd_entries_of_one_z": lambda _, p, n: ["z", [entry.on("z") for entry in _odd(p, n)]],
            "images": lambda table: [[entry.turned() for entry in table]],
            "from_isomorphic": self._from_isomorphic,
            "double_chain": lambda _, p, times: [self._doubled("double_chain", p, times), None],
            "odd_entries_var": lambda p, n: [_odd(p, n)],
            "double_times_var": lambda p, times: [p.times(1 << times)],
            "chain_add": lambda _, p, q: [self._added("chain_add", p, q)],
            "chain_add_fixed": lambda _, p, q: [self._added("chain_add_fixed", p, q)],
        }
        for kind in ("", "_fixed"):
            found |= {
                f"read{kind}_entry": self._read,
                f"lift{kind}_entry": lambda q: [q],
                f"negate{kind}_entry": lambda q: [q.times(-1)],
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

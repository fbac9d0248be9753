"""Proof of Montgomery's ladder on points of one Z: k·P for every k and P, without an exceptional step.

A scalar t is lengthened to N, which is t modulo the order n, of a known number of bits. Before a bit, for the
number m of the bits above it, the two points are m*P and (m + 1)*P, swapped if the last bit is 1. A bit b
makes 2*m + b of m: one iteration is run for each b and each last bit.

A step is exceptional where m, m + 1 or 2*m + 1 is 0 modulo n. All such m with as many bits as a prefix of N
has are tried, with all N that begin with one: their t are scalars that are selected in the end.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any

from efdgen.generator.errors import EfdgenError
from efdgen.generator.routines import tree
from efdgen.generator.routines.integers import RoutineError
from efdgen.verify.routines.points import Point, multiple
from efdgen.verify.symbols.blocks import Blocks, without_comments
from efdgen.verify.symbols.integers import Symbol

if TYPE_CHECKING:
    from collections.abc import Iterator

    from efdgen.generator.planning.plan import CurvePlan
    from efdgen.generator.routines.module import Module
    from efdgen.verify.symbols.items import Contracts

ROUTINE = "coz_multiply"
REASON = (
    "Out of reach: before a bit the points are m·P and (m + 1)·P, and m, m + 1 and 2·m + 1 are 0 modulo the "
    "order for k = 0, 1, n - 2 and n - 1 alone, which are selected."
)
_BASES = "P", "G"
_M = Point({"P": {"m": 1}})
"""The multiple for the bits that were seen."""
_MOST_PREFIXES = 1 << 4


def prove_coz(plan: CurvePlan, module: Module) -> None:
    """Prove the ladder; raise :class:`EfdgenError` where it is wrong."""
    try:
        _Ladder(plan, module).prove()
    except RoutineError as error:
        raise EfdgenError(f"{ROUTINE} is not proved: {error}") from None
    except (LookupError, StopIteration, ValueError):
        raise EfdgenError(f"{ROUTINE} is not proved: it is made of other parts") from None


class _Ladder:
    def __init__(self, plan: CurvePlan, module: Module) -> None:
        assert plan.coz is not None
        self._bits, self._order = plan.coz.bits, plan.order
        if plan.cofactor != 1:
            raise RoutineError("there are points of another order")
        self._blocks = Blocks(module, module.routines[ROUTINE])
        statements = without_comments(self._blocks.routine.body)
        at = next(i for i, s in enumerate(statements) if isinstance(s, tree.For))
        self._start, self._loop, self._end = statements[:at], statements[at], statements[at + 1 :]
        members = module.members["coz_next"]
        self._members = tuple(members)
        words = module.constants["ORDER"].value
        assert isinstance(words, tuple)
        assert isinstance(words[-1], tuple)
        self._n = words[-1]

    def prove(self) -> None:
        """Prove the start, a bit after any others, the end, and that no other step is exceptional."""
        loop = self._loop
        whole = tree.Number(0), tree.Number(self._bits), True
        if not isinstance(loop, tree.For) or (loop.start, loop.stop, loop.down) != whole:
            raise RoutineError("it is no loop over all bits but the highest")
        for neutral in (0, 1):
            self._prove_start(neutral)
        for swapped, bit in product((0, 1), repeat=2):
            self._prove_bit(loop, swapped, bit)
        served = [*self._served()]
        for exceptional in self._exceptional():
            if exceptional not in served:
                raise RoutineError(f"a step is exceptional for k = {exceptional}")

    def _pair(self, p: Point) -> dict[str, object]:
        """Return the coordinates that a point has beside Z."""
        return {member: _Part(member, p) for member in self._members}

    def _state(self, m: Point, base: str, swapped: int) -> dict[str, Any]:
        """Return the variables for a multiple and the next one."""
        both = m, m.plus(multiple(base))
        return {
            "sum": self._pair(both[swapped]) | {"Z": "Z"},
            "next": self._pair(both[1 - swapped]),
            "square": {"value": _square(*both)},
            "swapped": swapped,
        }

    def _contracts(self) -> dict[str, Any]:
        def step(p: dict[str, Any], q: dict[str, Any], c: dict[str, Any]) -> list[Any]:
            one, other = p["X"].of, q["X"].of
            if (p, q) != (self._pair(one) | {"Z": "Z"}, self._pair(other)):
                raise RoutineError("a step on parts of points")
            if c["value"] != _square(one, other):
                raise RoutineError("a step by another square")
            made = one.times(2), one.plus(other)
            return [self._pair(made[0]) | {"Z": "Z"}, self._pair(made[1]), {"value": _square(*made)}]

        def start(p: object) -> list[Any]:
            base = next((base for base in _BASES if p == _affine(multiple(base))), "")
            if not base:
                raise RoutineError("a start on parts of a point")
            return [self._pair(multiple(base, 2)) | {"Z": "Z"}, self._pair(multiple(base))]

        return {
            "fe_cswap": lambda a, b, flag: [b, a] if flag else [a, b],
            "fe_sub": _difference,
            "fe_sqr": lambda a: [a],
            "coz_start_kernel": start,
            "coz_step_kernel": step,
            "scalar_reduced": lambda k: [f"{k} reduced"],
            "scalar_lengthened": lambda t, n, bits: [self._lengthened(t, n, bits)],
            "select": lambda p, q, flag: [p if flag else q],
            "reduced": lambda p: [_affine(p)],
            "negate": lambda p: [p.times(-1)],
            "double": lambda p: [p.times(2)],
        }

    def _lengthened(self, t: object, n: object, bits: int) -> str:
        if (t, n, bits) != ("k reduced", self._n, self._bits):
            raise RoutineError("another scalar is lengthened")
        return "N"

    def _constants(self) -> dict[str, Any]:
        return {"GENERATOR": multiple("G"), "IDENTITY": Point()}

    def _prove_start(self, neutral: int) -> None:
        """Prove that the ladder begins with P and 2*P, of G in the place of the identity."""
        base = "G" if neutral else "P"
        contracts = {**self._contracts(), "is_identity": lambda _: [neutral]}
        state = self._state(multiple(base), base, 1)
        names = (*state, "longer", "t", "neutral", "base")
        given = {"k": "k", "p": multiple("P")}
        found = self._blocks.run(self._start, given, contracts, self._constants(), names)
        wanted = {**state, "longer": "N", "t": "k reduced", "neutral": neutral, "base": multiple(base)}
        if any(found[name] != value for name, value in wanted.items()):
            raise RoutineError("it does not begin with P and 2*P")

    def _prove_bit(self, loop: tree.For, swapped: int, bit: int) -> None:
        """Prove a bit after another one, and the end after it."""
        i = Symbol("i")

        def bits(t: object, at: object, count: int) -> list[int]:
            if (t, at, count) != ("N", i, 1):
                raise RoutineError("another bit is read")
            return [bit]

        contracts = {**self._contracts(), "scalar_bits": bits}
        state = {**self._state(_M, "P", swapped), "longer": "N", loop.name: i}
        found = self._blocks.run(loop.body, state, contracts)
        after = self._state(_M.times(2).plus(multiple("P"), bit), "P", bit)
        if any(found[name] != value for name, value in after.items()):
            raise RoutineError(f"the bit {bit} after a bit {swapped} makes other multiples")

    def _served(self) -> Iterator[int]:
        """Yield the scalars whose multiples are selected; prove the end for these and for all others."""
        last = self._pair(_M) | {"Z": "Z"}
        selected = {0: 0, 1: 1, self._order - 2: -2, self._order - 1: -1}
        for swapped, neutral, number in product((0, 1), (0, 1), (None, *selected)):
            wanted: object = last if number is None else multiple("P", selected[number])
            if self._ended(number, swapped, neutral) != (Point() if neutral else wanted):
                raise RoutineError("it returns another multiple")
        yield from selected

    def _ended(self, number: int | None, swapped: int, neutral: int) -> object:
        """Return what the end returns for one scalar, or for any that is not selected."""

        def differs(a: object, b: object, offset: int) -> list[int]:
            if (a == "t") == (b == "t"):
                raise RoutineError("a comparison without the scalar")
            one, other = (self._value(scalar, number) for scalar in (a, b))
            return [0] if one is None or other is None else [int(one == other + offset)]

        *statements, end = self._end
        if end != tree.Return((tree.Name("r"),)):
            raise RoutineError("it returns something else")
        contracts: Contracts = {**self._contracts(), "scalar_differs_by": differs}
        state = {**self._state(_M, "P", swapped), "t": "t", "neutral": neutral, "base": multiple("P")}
        return self._blocks.run(statements, state, contracts, self._constants(), ["r"])["r"]

    def _value(self, scalar: object, number: int | None) -> int | None:
        """Return the number that words are: of t, of n, or 0."""
        if scalar == "t":
            return number
        return self._order if scalar == self._n else 0 if scalar == [0] * len(self._n) else -1

    def _exceptional(self) -> Iterator[int]:
        """Yield the scalars for which a step may be exceptional."""
        n, bits = self._order, self._bits
        for below in range(1, bits + 1):
            low, high = 1 << bits - below, 2 << bits - below
            residues = 0, n - 1, (n - 1) // 2
            found = [m for r in residues for m in range(low + (r - low) % n, high, n)]
            if len(found) << below > _MOST_PREFIXES:
                raise RoutineError(f"a step is exceptional before the last {below} bits")
            for m in found:
                yield from ((m << below | rest) % n for rest in range(1 << below))


@dataclass(frozen=True)
class _Part:
    """A coordinate of a point."""

    name: str
    of: Point


def _affine(p: Point) -> dict[str, object]:
    return {"X": _Part("x", p), "Y": _Part("y", p)}


def _square(one: Point, other: Point) -> object:
    """Return the square of the difference of the X of two points."""
    return frozenset((repr(one), repr(other)))


def _difference(one: _Part, other: _Part) -> list[object]:
    """Return a difference, which is squared and nothing else, by its square."""
    if {one.name, other.name} != {"X"}:
        raise RoutineError("a difference of other coordinates")
    return [_square(one.of, other.of)]

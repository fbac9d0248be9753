"""Proof of binary GCD as printed: any iteration, for all words.

Words hold F and G, of which f and g are ±F and ±G in their low bits, and rows (u, v) and (q, r), each row in
one word as u + 2^(w/2)·v. After n divisions by 2, modulo 2^count,

    u·F + v·G ≡ f·2^n        q·F + r·G ≡ g·2^n

A turn with z zeros of g turns (f, g) to (f, g/2^z), both odd then, (u, v) to 2^z·(u, v), and n to n + z; and
after that (f, g) to (f, g - f) or (g, f - g), and rows alike. All of this is linear, so that both stay true;
after count divisions they imply that the matrix makes multiples of 2^count of F and G. Z3 proves of the text:

- z is the number of zeros, or of the divisions left, and from the second turn on it is not 0;
- a turn does this, one way or the other, and f stays odd;
- what starts the loop, and is written after it, and that no shift is too long;
- that what finds leading bits, which may be any bits, does nothing that is undefined.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from efdgen.verify import store
from efdgen.verify.solver import follows
from efdgen.verify.verdicts import Refuted
from efdgen.verify.words.bits import Bits
from efdgen.verify.words.machine import Machine
from efdgen.verify.words.places import Variable
from efdgen.verify.words.values import Integer, Kind, NotFollowedError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from efdgen.generator.fields.halvings import Halvings
    from efdgen.verify.words.machine import Turns
    from efdgen.verify.words.tree import Routines
    from efdgen.verify.words.values import Raw

Term = Any  # Z3's terms carry no types

_WORDS = "f", "g", "upper", "lower"
_GUIDES = "halving_lead", "halving_advance"


def prove_halvings(text: Routines, halvings: Halvings) -> None:
    """Prove a language's binary GCD, and the function that guides it; raises :class:`Refuted`."""
    steps = halvings.arrangement
    piece = _Piece(text.part("halving_piece"), steps.word, halvings.piece)
    guides = [_Guide(text.part(name), steps.word, name, steps.limbs) for name in _GUIDES]
    _require(rows_are_bounded(), "rows have absolute sums of at most 2^count", text)
    for part in (piece, *guides):
        name = store.key(__name__, repr(part.key))
        if store.load(name) is None:
            try:
                part.prove()
            except NotFollowedError as error:
                raise Refuted(f"fails: halvings are followed, in {text.language}: {error}") from None
            store.store(name, "proved")


@lru_cache
def rows_are_bounded() -> bool:
    """Show by induction that |u| + |v| ≤ 2^n ≥ |q| + |r| after n divisions by 2; ``power`` is 2^n.

    After a subtraction |q| + |r| may be twice that, until the next division.
    """
    z3 = import_module("z3")
    u, v, q, r, power = z3.Ints("u v q r power")

    def size(a: Term, b: Term) -> Term:
        return z3.If(a < 0, -a, a) + z3.If(b < 0, -b, b)

    upper, lower = size(u, v) <= power, size(q, r) <= power
    halved = z3.And(size(2 * u, 2 * v) <= 2 * power, size(q, r) <= 2 * power)
    twice = z3.And(*(size(a, b) <= 2 * power for a, b in ((q - u, r - v), (u - q, v - r))))
    question = "rows have absolute sums of at most 2^count"
    return follows(question, halved, upper, size(q, r) <= 2 * power) and follows(
        question, twice, upper, lower
    )


class _Paths(Bits):
    """Bit-vectors, and branches on them: each way is followed that the premises leave open."""

    def __init__(self) -> None:
        super().__init__()
        self.premises: list[Term] = []
        self.left: list[list[bool]] = []
        self._taken: list[bool] = []
        self._at = 0

    def begin(self, taken: list[bool], premises: list[Term]) -> None:
        """Begin a path with the choices of another one, and continue otherwise."""
        self._taken, self._at = list(taken), 0
        self.premises = list(premises)
        self.obligations.clear()

    def compare(self, operator: str, a: Raw, b: Raw, kind: Kind) -> bool:
        """Choose whether words are equal; the other choice is left for another way."""
        if operator != "==":
            raise NotFollowedError(f"it is asked for {operator}, of {kind}")
        if self._at == len(self._taken):
            self.left.append([*self._taken, False])
            self._taken.append(True)
        holds = self._taken[self._at]
        self._at += 1
        self.premises.append(a == b if holds else a != b)
        return holds

    def amount(self, a: Raw) -> Raw:
        """Return by how much is shifted, whatever that is."""
        return a


class _Counted(ABC):
    """A function on words that counts zeros, with the questions about it; its proof is kept by ``key``."""

    key: tuple[object, ...] = ()

    def __init__(self, text: Routines, word: int, loops: Mapping[str, Callable[[Turns], None]]) -> None:
        self.text, self.word, self.bits = text, word, _Paths()
        routines = {"trailing_zeros": self._trailing, "leading_zeros": self._leading}
        self.machine = Machine(text, word, self.bits, routines, loops)
        self._count = 0

    @abstractmethod
    def prove(self) -> None:
        """Raise :class:`Refuted` where the text does not do what it should."""

    def given(self, name: str) -> Integer:
        """Return any word."""
        return Integer(self.machine.word, self.bits.z3.BitVec(name, self.word))

    def widened(self, term: Term) -> Term:
        """Return a counter that is not negative as a word."""
        return self.bits.z3.ZeroExt(self.word - 32, term) if self.word > 32 else term

    @property
    def counter(self) -> Kind:
        """The counter of bits."""
        return Kind(32, signed=self.text.language == "c")

    def _trailing(self, value: Integer) -> Integer:
        zeros, amount = self._zeros(value)
        self.bits.premises.append(value.raw & (1 << amount) - 1 == 0)
        self.bits.premises.append(self.bits.z3.LShR(value.raw, amount) & 1 == 1)
        return zeros

    def _leading(self, value: Integer) -> Integer:
        zeros, amount = self._zeros(value)
        self.bits.premises.append(self.bits.z3.LShR(value.raw, self.word - 1 - amount) == 1)
        return zeros

    def _zeros(self, value: Integer) -> tuple[Integer, Term]:
        """Return a new number of zeros, and it as a word; zeros are never counted of 0."""
        self.require("something is not 0 of which zeros are counted", value.raw != 0)
        self._count += 1
        zeros = self.bits.z3.BitVec(f"zeros_{self._count}", 32)
        self.bits.premises.append(self.bits.z3.ULT(zeros, self.word))
        return Integer(self.counter, zeros), self.widened(zeros)

    def require(self, text: str, *claims: Term) -> None:
        """Raise :class:`Refuted` for what does not follow from the premises."""
        for claim in claims:
            _require(self.bits.implied(text, claim, *self.bits.premises), text, self.text)


class _Piece(_Counted):
    """The loop of a piece with ``halvings`` divisions by 2."""

    def __init__(self, text: Routines, word: int, halvings: int) -> None:
        super().__init__(text, word, {"halving_piece": self._follow})
        self.halvings, self.key = halvings, (text, word, halvings)

    def prove(self) -> None:
        """Raise :class:`Refuted` where the text does not do what it should."""
        f, g, *x = (self.given(name) for name in ("F", "G", "x0", "x1"))
        self.bits.begin([], [f.raw & 1 == 1])
        if self.text.language == "c":
            t: list[Any] = [None] * 4
            self.machine.call("halving_piece", t, f, g, x)
        else:
            t = self.machine.call("halving_piece", [f, g], x)
        self.bits.premises = self._ends
        self.require(
            "the matrix is read from its rows", *(a.raw == b for a, b in zip(t, self._last, strict=True))
        )

    def _follow(self, turns: Turns) -> None:
        z3 = self.bits.z3
        places = {name: Variable(turns.scope.holder(name), name) for name in (*_WORDS, "left", "zeros")}
        self._require_start({name: self._raw(name, place) for name, place in places.items()})
        self.require("no shift is too long", *self.bits.obligations)
        before = {name: z3.BitVec(f"{name}_i", self.word) for name in _WORDS}
        before |= {name: z3.BitVec(f"{name}_i", 32) for name in ("left", "zeros")}
        small = [z3.ULE(1, before["left"]), z3.ULE(before["left"], self.halvings)]
        self.bits.left = [[]]
        while self.bits.left:
            self.bits.begin(self.bits.left.pop(), [before["f"] & 1 == 1, *small, *self._counted(before)])
            for name, place in places.items():
                kind = self.machine.word if name in _WORDS else self.counter
                place.write(Integer(kind, before[name]))
            more = turns.turn()
            self._require_turn(before, {name: self._raw(name, place) for name, place in places.items()}, more)
        self._end(places)

    def _raw(self, name: str, place: Variable) -> Term:
        kind = self.machine.word if name in _WORDS else self.counter
        return self.machine.integer(kind, place.read()).raw

    def _counted(self, terms: Mapping[str, Term]) -> list[Term]:
        """Say that zeros are the zeros of g, or at most the divisions left."""
        z3, zeros, left = self.bits.z3, terms["zeros"], terms["left"]
        amount = self.widened(zeros)
        one = z3.LShR(terms["g"], amount) & 1 == 1
        return [z3.ULE(zeros, left), terms["g"] & (1 << amount) - 1 == 0, z3.Or(zeros == left, one)]

    def _require_start(self, terms: Mapping[str, Term]) -> None:
        z3, low = self.bits.z3, (1 << self.halvings) - 1
        (f, g), signs = (z3.BitVec(name, self.word) for name in "FG"), []
        for name in ("x0", "x1"):
            signs.append(z3.If(z3.BitVec(name, self.word) < 0, z3.BitVecVal(-1, self.word), 1))
        self.require(
            "low bits are those of f and g, with a sign",
            terms["f"] & low == signs[0] * f & low,
            terms["g"] & low == signs[1] * g & low,
        )
        rows = terms["upper"] == signs[0], terms["lower"] == signs[1] << self.word // 2
        self.require("the matrix starts from signs", *rows)
        self.require(f"there are {self.halvings} halvings", terms["left"] == self.halvings)
        self.require("zeros are counted", terms["f"] & 1 == 1, *self._counted(terms))

    def _require_turn(self, before: dict[str, Term], after: dict[str, Term], more: bool) -> None:
        z3 = self.bits.z3
        f, g, upper, lower = (
            before["f"],
            self._shifted(">>", "g", before),
            self._shifted("<<", "upper", before),
            before["lower"],
        )
        halved = after["left"] == before["left"] - before["zeros"]
        self.require("zeros are shifted out, and counted", halved, (after["left"] == 0) != more)
        if more:
            ways = [(f, g - f, upper, lower - upper), (g, f - g, lower, upper - lower)]
            done = [z3.And(*(after[n] == w for n, w in zip(_WORDS, way, strict=True))) for way in ways]
            # It holds whatever is shifted.
            free = [(g, z3.BitVec("shifted g", self.word)), (upper, z3.BitVec("shifted row", self.word))]
            self.require("a turn subtracts, and exchanges or not", z3.substitute(z3.Or(*done), *free))
            self.require("f stays odd", after["f"] & 1 == 1)
            self.require("zeros are counted", *self._counted(after), after["zeros"] != 0)
        else:
            self.require("rows are kept at the end", after["upper"] == upper, after["lower"] == lower)
        self.require("no shift is too long", *self.bits.obligations)

    def _shifted(self, operator: str, name: str, terms: Mapping[str, Term]) -> Term:
        """Return a word shifted by the zeros, in the term that the text makes of it."""
        by = Integer(self.counter, terms["zeros"])
        return self.machine.binary(operator, Integer(self.machine.word, terms[name]), by).raw

    def _end(self, places: Mapping[str, Variable]) -> None:
        """Write rows of any matrix that there may be after the loop, and keep its entries."""
        z3, limit = self.bits.z3, 1 << self.halvings
        self._last = [z3.BitVec(name, self.word) for name in "uvqr"]
        self._ends = [z3.And(entry >= -limit, entry <= limit) for entry in self._last]
        for name, (first, second) in zip(("upper", "lower"), (self._last[:2], self._last[2:]), strict=True):
            row = first + (second << self.word // 2)
            places[name].write(Integer(self.machine.word, row))


class _Guide(_Counted):
    """A function that finds leading bits, for all limbs: no shift is too long, and nothing overflows."""

    def __init__(self, text: Routines, word: int, name: str, limbs: int) -> None:
        super().__init__(text, word, {})
        self.name, self.limbs, self.key = name, limbs, (text, word, name, limbs)

    def prove(self) -> None:
        """Raise :class:`Refuted` where the text may have undefined behaviour."""
        f, g, t = ([self._limb(f"{name}{at}") for at in range(count)] for name, count in self._numbers())
        x: list[Any] = [self.given(f"x{at}") for at in range(2)]
        writes = self.text.language == "c"
        if self.name == "halving_advance":
            self.machine.call(self.name, x, t)
        else:
            self.machine.call(self.name, *([x] if writes else []), f, g)
        self.require("no shift is too long", *self.bits.obligations)

    def _numbers(self) -> tuple[tuple[str, int], ...]:
        return ("f", self.limbs), ("g", self.limbs), ("t", 4)

    def _limb(self, name: str) -> Integer:
        return Integer(self.machine.signed, self.bits.z3.BitVec(name, self.word))


def _require(holds: bool, text: str, routines: Routines) -> None:
    if not holds:
        raise Refuted(f"fails: {text}, in {routines.language}")

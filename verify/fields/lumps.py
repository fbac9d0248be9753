"""Division steps that are done many at once, proved as they are printed: any turn, for all words.

A turn begins with z = the zeros of g, or as many as there are steps left: so many steps halve g, and u and
v are doubled instead. Where steps are left, f and g, then both odd, are exchanged if δ > 0, and the next n
steps add f where g is odd, as long as δ ≤ 0: together they add w·f, with 0 ≤ w < 2^n and g + w·f ≡ 0 modulo
2^n; one w does. Their halvings are those of the next turn. What is proved of the text, with Z3:

- z zeros are shifted out, no more than steps are left, and counted in ζ and in what is left;
- f and g, and with them (u, v) and (q, r), are exchanged where ζ is negative, and never else;
- there are a w and an n ≥ 1 as above, n no more than δ and the steps left allow;
- and what starts the loop, and is written behind it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from efdgen.verify import cache
from efdgen.verify.laws.law import Refuted
from efdgen.verify.words.bits import Bits
from efdgen.verify.words.machine import Machine
from efdgen.verify.words.places import Variable
from efdgen.verify.words.values import Integer, Kind, NotFollowedError, exactly

if TYPE_CHECKING:
    from collections.abc import Mapping

    from efdgen.verify.words.machine import Turns
    from efdgen.verify.words.tree import Routines
    from efdgen.verify.words.values import Raw

Term = Any  # Z3's terms carry no types

_WORDS = "f", "g", "u", "v", "q", "r", "zeta"
_NAME = "division_steps_var"


def prove_lumps(text: Routines, word: int, steps: int, lump: int) -> None:
    """Prove a loop of lumps of at most ``lump`` steps, of ``steps`` in all; raises :class:`Refuted`."""
    part = text.part(_NAME)
    name = f"lumps-{cache.name_of(repr((part, word, steps, lump)))}"
    if cache.load(name) is None:
        try:
            _Loop(part, word, steps, lump).prove()
        except NotFollowedError as error:
            raise Refuted(f"it does not hold that lumps are followed, in {text.language}: {error}") from None
        cache.store(name, "proved")


class _Paths(Bits):
    """Bit-vectors, and branches on them: each way is followed that the premises leave open."""

    def __init__(self) -> None:
        super().__init__()
        self.premises: list[Term] = []
        self.factors: list[Term] = []
        self.left: list[list[bool]] = []
        self._taken: list[bool] = []
        self._at = 0

    def begin(self, taken: list[bool], premises: list[Term]) -> None:
        """Begin a way by what was chosen on another, and then otherwise."""
        self._taken, self._at = list(taken), 0
        self.premises = list(premises)
        self.obligations.clear()

    def compare(self, operator: str, a: Raw, b: Raw, kind: Kind) -> bool:
        """Choose whether a comparison holds; the other choice is left for another way."""
        z3 = self.z3
        unsigned = {"<": z3.ULT, ">": z3.UGT, "<=": z3.ULE, ">=": z3.UGE}
        signed = {"<": a < b, ">": a > b, "<=": a <= b, ">=": a >= b}
        term = {"==": a == b, "!=": a != b}.get(operator)
        if term is None:
            term = signed[operator] if kind.signed else unsigned[operator](a, b)
        if self._at == len(self._taken):
            self.left.append([*self._taken, False])
            self._taken.append(True)
        holds = self._taken[self._at]
        self._at += 1
        self.premises.append(term if holds else z3.Not(term))
        return holds

    def amount(self, a: Raw) -> Raw:
        """Return by how much is shifted, whatever that is."""
        return a

    def binary(self, operator: str, a: Raw, b: Raw, kind: Kind, wraps: bool) -> Raw:
        """Keep the second factor of a product besides."""
        if operator == "*":
            self.factors.append(b)
        return super().binary(operator, a, b, kind, wraps)


@dataclass
class _Loop:
    """The loop in a language's text."""

    text: Routines
    word: int
    steps: int
    lump: int
    bits: _Paths = field(default_factory=_Paths)

    def prove(self) -> None:
        """Raise :class:`Refuted` where the text does not do what it should."""
        routines = {"trailing_zeros": self._trailing_zeros}
        self._machine = Machine(self.text, self.word, self.bits, routines, {_NAME: self._follow})
        given = {name: self._word(name) for name in ("zeta", "f", "g")}
        if self.text.language == "c":
            t: list[Any] = [None] * 4
            zeta = self._machine.call(_NAME, t, *given.values())
        else:
            zeta, t = self._machine.call(_NAME, given["zeta"], [given["f"], given["g"]])
        wanted = [self._last[name] for name in ("u", "v", "q", "r", "zeta")]
        for found, term in zip((*t, zeta), wanted, strict=True):
            self._require(found.raw == term, "the matrix is written")

    def _word(self, name: str) -> Integer:
        return Integer(self._machine.word, self.bits.z3.BitVec(name, self.word))

    @property
    def _counter(self) -> Kind:
        return Kind(32, signed=self.text.language == "c")

    def _trailing_zeros(self, value: Integer) -> Integer:
        """Return how many there are: 1 stands above them, as it is never asked of 0."""
        z3, zeros = self.bits.z3, self.bits.z3.BitVec("zeros", 32)
        amount = self._widened(zeros)
        self._require(value.raw != 0, "something is not 0 of which zeros are counted", *self.bits.premises)
        self.bits.premises.append(z3.ULT(zeros, self.word))
        self.bits.premises.append(z3.LShR(value.raw, amount) & 1 == 1)
        self.bits.premises.append(value.raw & (1 << amount) - 1 == 0)
        return Integer(self._counter, zeros)

    def _widened(self, term: Term) -> Term:
        """Return a counter that is not negative as a word."""
        z3 = self.bits.z3
        return z3.ZeroExt(self.word - 32, term) if self.word > 32 else term

    def _follow(self, turns: Turns) -> None:
        z3 = self.bits.z3
        places = {name: Variable(turns.scope.holder(name), name) for name in (*_WORDS, "left")}
        self._require_start(places)
        before = {name: z3.BitVec(f"{name}_i", self.word) for name in _WORDS}
        left, small = z3.BitVec("left_i", 32), 1 << self.word // 2
        premises = [z3.ULE(1, left), z3.ULE(left, self.steps), before["f"] & 1 == 1]
        premises += [before["zeta"] < small, before["zeta"] > -small]
        self.bits.left.append([])
        while self.bits.left:
            self.bits.begin(self.bits.left.pop(), premises)
            for name in _WORDS:
                places[name].write(Integer(self._machine.word, before[name]))
            places["left"].write(Integer(self._counter, left))
            more = turns.turn()
            after = {name: place.read().raw for name, place in places.items()}
            self._require_turn(before | {"left": left}, after, more)
        self._last = {name: z3.BitVec(f"{name}_n", self.word) for name in _WORDS}
        for name in _WORDS:
            places[name].write(Integer(self._machine.word, self._last[name]))

    def _require_start(self, places: Mapping[str, Variable]) -> None:
        given = {name: self.bits.z3.BitVec(name, self.word) for name in ("f", "g", "zeta")}
        start = {**given, "u": 1, "v": 0, "q": 0, "r": 1}
        for name, term in start.items():
            value = self._machine.integer(self._machine.word, places[name].read())
            self._require(value.raw == term, "the matrix starts from 1")
        if places["left"].read() != self.steps:
            raise Refuted(f"it does not hold that there are {self.steps} steps")

    def _require_turn(self, before: dict[str, Term], after: dict[str, Term], more: bool) -> None:
        z3, zeros = self.bits.z3, self.bits.z3.BitVec("zeros", 32)
        z = self._widened(zeros)
        self._require_all(
            "zeros are shifted out, as many as steps are left at most",
            z3.ULE(zeros, before["left"]),
            before["g"] & (1 << z) - 1 == 0,
            after["left"] == before["left"] - zeros,
            (after["left"] == 0) != more,
        )
        f, g, q, r = before["f"], z3.LShR(before["g"], z), before["q"], before["r"]
        u, v, zeta = before["u"] << z, before["v"] << z, before["zeta"] - z
        if more:
            # Every way decides it, and so products are of the same terms as those of the text.
            if self.bits.implied(zeta < 0, *self.bits.premises):
                (f, g), (u, q), (v, r), zeta = (g, -f), (q, -u), (r, -v), -zeta - 1
            g, q, r = self._require_lump(after, f, g, (u, v, q, r), zeta)
        wanted = {"f": f, "g": g, "u": u, "v": v, "q": q, "r": r, "zeta": zeta}
        for name, term in wanted.items():
            self._require_all("a turn does steps", after[name] == term)
        self._require_all("nothing overflows", *self.bits.obligations)

    def _require_lump(
        self, after: dict[str, Term], f: Term, g: Term, rows: tuple[Term, ...], zeta: Term
    ) -> tuple[Term, Term, Term]:
        """Require that what was added is a multiple as said above, and return what it makes of g, q and r."""
        z3, w = self.bits.z3, self.bits.factors[-1]
        u, v, q, r = rows
        left = self._widened(after["left"])
        most = z3.If(z3.ULT(left, self.lump), left, z3.BitVecVal(self.lump, self.word))
        n = z3.If(z3.ULT(zeta, most), zeta + 1, most)
        low = (1 << n) - 1
        self._require_all("f stays odd", f & 1 == 1, zeta >= 0)
        # Whatever is multiplied: it is masked.
        products = [part for part in w.children() if part.decl().kind() == z3.Z3_OP_BMUL]
        free = [(part, z3.BitVec(f"product {at}", self.word)) for at, part in enumerate(products)]
        self._require_all("a lump is of steps that add f", n >= 1, z3.ULE(z3.substitute(w, *free), low))
        self._require_all("a lump makes zeros of g", self._low_byte((g + f * w) & low) == 0)
        return g + f * w, q + u * w, r + v * w

    def _low_byte(self, term: Term) -> Term:
        """Return the low byte of a term: sums and products need no more than those of what is in them."""
        z3 = self.bits.z3
        operators = {
            z3.Z3_OP_BADD: "+",
            z3.Z3_OP_BSUB: "-",
            z3.Z3_OP_BMUL: "*",
            z3.Z3_OP_BAND: "&",
        }
        sign = operators.get(term.decl().kind())
        if sign is None:
            return z3.Extract(7, 0, term)
        first, *others = map(self._low_byte, term.children())
        for other in others:
            first = exactly(sign, first, other)
        return first

    def _require_all(self, text: str, *claims: Term) -> None:
        for claim in claims:
            self._require(claim, text, *self.bits.premises)

    def _require(self, claim: Term, text: str, *premises: Term) -> None:
        if not self.bits.implied(claim, *premises):
            raise Refuted(f"it does not hold that {text}, in {self.text.language}")

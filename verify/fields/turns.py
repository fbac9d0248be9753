"""Proof of the innermost divstep loops as printed: their iterations, and the words around them.

Words hold rows as :mod:`efdgen.verify.fields.rows` says. Statements on the text, for all words:

- before the loop, the words hold (f, 1, 0) and (g, 0, 1) of low bits of f and g;
- a turn is a step, given that a sum of the two words fits one (Z3, bit-vectors), and all turns are alike;
- there are n turns;
- after it, the rows are read (Z3, bit-vectors).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from efdgen.verify import store
from efdgen.verify.fields.rows import words_have_room
from efdgen.verify.fields.symbols import exchanged, halved
from efdgen.verify.verdicts import Refuted
from efdgen.verify.words.bits import Bits
from efdgen.verify.words.machine import Machine
from efdgen.verify.words.places import Variable
from efdgen.verify.words.values import Integer

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from efdgen.verify.fields.rows import Rows
    from efdgen.verify.words.machine import Turns
    from efdgen.verify.words.places import Scope
    from efdgen.verify.words.tree import Routines

Term = Any  # Z3's terms carry no types


def prove_piece(text: Routines, word: int, rows: Rows) -> None:
    """Prove a piece as a language has it, which is kept; raises :class:`Refuted`."""
    part = text.part("symbol_piece" if rows.ahead else "division_piece")
    name = store.key(__name__, repr((part, word, rows)))
    if store.load(name) is None:
        if not words_have_room(rows, word):
            raise Refuted("fails: rows fit their words")
        _Piece(part, word, rows).prove()
        store.store(name, "proved")


@dataclass
class _State:
    """The variables of a loop, and where a language keeps them."""

    places: Mapping[str, Variable]
    machine: Machine

    def read(self) -> dict[str, Term]:
        return {name: self._raw(place.read()) for name, place in self.places.items()}

    def write(self, terms: Mapping[str, Term]) -> None:
        for name, term in terms.items():
            self.places[name].write(Integer(self.machine.word, term))

    def _raw(self, value: Integer | int) -> Term:
        return self.machine.integer(self.machine.word, value).raw


@dataclass
class _Piece:
    """A piece in the text of a language, for words of a size: what is asked of Z3 on the way through it."""

    text: Routines
    word: int
    rows: Rows
    bits: Bits = field(default_factory=Bits)

    @property
    def symbol(self) -> bool:
        """Return whether it reads Jacobi's symbol off its steps."""
        return self.rows.ahead > 0

    def prove(self) -> None:
        """Raise :class:`Refuted` where the text does not do what it should."""
        name = "symbol_piece" if self.symbol else "division_piece"
        machine = Machine(self.text, self.word, self.bits, loops={name: self._follow})
        machine_word = machine.word
        self._machine = machine
        given = {name: self.bits.z3.BitVec(name, self.word) for name in ("f", "g", "zeta", "bits", "changes")}
        self._given = given
        words = {name: Integer(machine_word, term) for name, term in given.items()}
        found = self._called(name, words)
        u, v, q, r, zeta = self._ends
        sign = self.rows.sign
        wanted = {"zeta": zeta, **dict(zip("0123", (sign * u, sign * v, sign * q, sign * r), strict=True))}
        for part, term in wanted.items():
            self._require(found[part] == term, "rows are read from their words", *self._bounds)
        if self.symbol:
            told = self.bits.z3.Extract(1, 1, found["bits"] ^ self._told) == 0
            self._require(told, "the symbol is told by bits and by f modulo 8")
            self._require(found["changes"] == self._counted, "changes of sign are counted")

    def _called(self, name: str, words: Mapping[str, Integer]) -> dict[str, Term]:
        """Call the piece as its language does, and return what it gives."""
        f, g, zeta, count = words["f"], words["g"], words["zeta"], self.rows.count
        if self.text.language == "c":
            t: list[Any] = [None] * 4
            more = {part: words[part] for part in ("bits", "changes")}
            places = [Variable(more, part) for part in more] if self.symbol else []
            found = self._machine.call(name, t, *places, zeta, f, g, count)
            state = {"zeta": found, **more}
        elif self.symbol:
            state = {part: words[part] for part in ("zeta", "bits", "changes")}
            t = self._machine.call(name, state, [f, g], count)
        else:
            found, t = self._machine.call(name, zeta, [f, g], count)
            state = {"zeta": found}
        entries = {str(index): entry for index, entry in enumerate(t)}
        return {part: value.raw for part, value in (entries | state).items()}

    def _follow(self, turns: Turns) -> None:
        """Follow the loop: the words before it, a turn for all words, how many there are, and words after."""
        state = _State(dict(self._places(turns.scope)), self._machine)
        self._require_start(state.read())
        before = {name: self.bits.z3.BitVec(f"{name}_i", self.word) for name in state.places}
        before |= self._derived(before)
        number, first = 0, None
        while True:
            self.bits.obligations.clear()
            state.write(before)
            if not turns.turn():
                break
            number, after = number + 1, state.read()
            if first is None:
                first = after
                self._require_turn(before, after)
            elif any(not after[name].eq(first[name]) for name in after):
                raise Refuted("fails: all turns are alike")
        if number != self.rows.count:
            raise Refuted(f"fails: there are {self.rows.count} turns, but {number}")
        state.write(self._last())
        self.bits.obligations.clear()

    def _places(self, scope: Scope) -> Iterator[tuple[str, Variable]]:
        for name in ("f", "g", "negative", "addend", *(("twos",) if self.symbol else ())):
            yield name, Variable(scope.holder(name), name)
        rust = self.text.language == "rust"
        names = {"zeta": "zeta"} | (
            {"bits": "bits", "changes": "changes" if rust else "turns"} if self.symbol else {}
        )
        for name, spelt in names.items():
            holder = scope.read("symbol") if rust and self.symbol else scope.holder(spelt)
            yield name, Variable(holder, spelt)

    def _derived(self, terms: Mapping[str, Term]) -> dict[str, Term]:
        """Return what is kept beside f, g and zeta for the next turn."""
        negative = terms["zeta"] >> self.word - 1
        return {"negative": negative, "addend": terms["f"] ^ negative}

    def _require_start(self, terms: dict[str, Term]) -> None:
        rows, given = self.rows, self._given
        low = [given[name] & (1 << rows.count + rows.ahead) - 1 for name in "fg"]
        self._require(terms["f"] == rows.word(low[0], 1, 0, 0), "f is packed")
        self._require(terms["g"] == rows.word(low[1], 0, 1, 0), "g is packed")
        self._require(terms["zeta"] == given["zeta"], "zeta is kept")
        for name, term in self._derived(terms).items():
            self._require(terms[name] == term, f"{name} is that of f and zeta")
        if self.symbol:
            rust = self.text.language == "rust"
            start = {"bits": given["bits"] * rust, "changes": given["changes"] * rust, "twos": 0}
            for name, term in start.items():
                self._require(terms[name] == term, "nothing is counted before the loop")

    def _require_turn(self, before: dict[str, Term], after: dict[str, Term]) -> None:
        """Compare a turn with the definition, over words that are extended so that nothing wraps."""
        z3, word = self.bits.z3, self.word
        f, g, zeta = (z3.SignExt(2, before[name]) for name in ("f", "g", "zeta"))
        is_odd = z3.Extract(0, 0, g) == 1
        swaps = z3.And(is_odd, zeta < 0)
        doubled = z3.If(swaps, g - f, z3.If(is_odd, g + f, g))
        # zeta = -(δ + 1/2): δ > 0 where it is negative, and 1 - δ is -zeta - 2.
        steps = {
            "f": z3.If(swaps, g, f),
            "g": doubled >> 1,
            "zeta": z3.If(swaps, -zeta - 2, zeta - 1),
        }
        limit, small = 1 << word - 1, 1 << word // 2
        room = [z3.And(a + b + 1 < limit, a + b - 1 >= -limit) for a in (f, -f) for b in (g, -g)]
        premises = [z3.Extract(0, 0, f) == 1, *room, zeta < small, zeta > -small]
        if self.symbol:
            premises.append(z3.ULT(before["changes"], small))
        for name, term in steps.items():
            self._require(
                z3.SignExt(2, after[name]) == term, "a turn of the loop is a division step", *premises
            )
        for name, term in self._derived(after).items():
            self._require(after[name] == term, f"{name} is that of f and zeta")
        for obligation in self.bits.obligations:
            self._require(obligation, "nothing overflows", *premises)
        if self.symbol:
            self._require_symbol(before, after, swaps, premises)

    def _require_symbol(
        self, before: dict[str, Term], after: dict[str, Term], swaps: Term, premises: list[Term]
    ) -> None:
        """Compare what is read off with what :mod:`efdgen.verify.fields.symbols` shows to be the symbol."""
        z3 = self.bits.z3
        turned = z3.And(swaps, *exchanged(before["f"], before["g"]))
        flips = z3.Extract(1, 1, before["bits"] ^ after["bits"]) == z3.If(turned, z3.BitVecVal(1, 1), 0)
        self._require(flips, "a turn tells whether the symbol changes", *premises)
        self._require(after["twos"] == before["twos"] ^ after["f"], "a turn tells f modulo 8", *premises)
        differ = (before["f"] < 0) != (after["f"] < 0)
        counted = after["changes"] == before["changes"] + z3.If(differ, z3.BitVecVal(1, self.word), 0)
        self._require(counted, "a turn counts changes of sign", *premises)

    def _last(self) -> dict[str, Term]:
        """Return words of any rows that there may be after the loop, and keep what they denote."""
        z3, rows, word = self.bits.z3, self.rows, self.word
        low = [z3.BitVec(f"low_{name}", word) for name in "fg"]
        u, v, q, r = (z3.BitVec(name, word) for name in "uvqr")
        half, limit = 1 << rows.count + rows.ahead, 1 << rows.count
        self._bounds = [z3.And(part >= -half, part < half) for part in low]
        self._bounds += [z3.And(entry > -limit, entry <= limit) for entry in (u, v, q, r)]
        last = {"f": rows.word(low[0], u, v, rows.count), "g": rows.word(low[1], q, r, rows.count)}
        last["zeta"] = z3.BitVec("zeta_n", word)
        self._ends = (u, v, q, r, last["zeta"])
        last |= self._derived(last)
        if self.symbol:
            bits, twos, turns = (z3.BitVec(name, word) for name in ("bits_n", "twos_n", "turns_n"))
            rust, given = self.text.language == "rust", self._given
            last |= {"bits": bits, "twos": twos, "changes": turns}
            self._told = bits ^ halved(twos) ^ (0 if rust else given["bits"])
            self._counted = turns + (0 if rust else given["changes"])
        return last

    def _require(self, claim: Term, text: str, *premises: Term) -> None:
        if not self.bits.implied(text, claim, *premises):
            raise Refuted(f"fails: {text}, in {self.text.language}, words of {self.word} bits")

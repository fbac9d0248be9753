"""The loops around the innermost ones, followed as printed: their steps follow each other.

Each function that is proved by itself is taken as what it does. The steps are counted from the first on; what
they make of (p, a) and of (0, start) is f and g, d and e of each step, all with one sign. A function that is
called returns new symbols, and it is kept what these are:

- a limb of one of these numbers, or the low bits of f or g that are still valid;
- an entry of the matrix of the steps from one on and before another, and its sign; or ζ of a step.

So a function accepts what belongs together and nothing else: low words of f and g of one step and the ζ of
that step, matrices that follow each other, a matrix of steps that begin where the numbers are, times the
power of 2 that makes it one of limb_bits steps. The end is accepted if d of the last step is adjusted by the
sign of f of that step. No branch on data is accepted, except for whether g is 0 where that may be asked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from efdgen.generator.fields.halvings import Halvings
from efdgen.verify.fields.calls import routines_in_c, routines_in_rust
from efdgen.verify.fields.symbols import ROUNDED
from efdgen.verify.verdicts import Refuted
from efdgen.verify.words.machine import Machine
from efdgen.verify.words.sums import Polynomial, Sums
from efdgen.verify.words.values import DependsOnDataError, Integer, NotFollowedError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from efdgen.generator.fields.loops import EmittedLoop
    from efdgen.verify.words.tree import Routines

Value = Any


class Limb(NamedTuple):
    """A limb of f, g, d or e after a fixed number of steps steps."""

    letter: str
    step: int
    sign: int
    at: int


class Low(NamedTuple):
    """So many low bits of f or g."""

    letter: str
    step: int
    sign: int
    bits: int


class Entry(NamedTuple):
    """An entry of the matrix of the steps from ``start`` to ``stop``."""

    start: int
    stop: int
    sign: int
    at: int


class Zeta(NamedTuple):
    """The ζ of a step."""

    step: int


class Lead(NamedTuple):
    """Leading bits, which may be any."""


_Meaning = TypeVar("_Meaning", Limb, Low, Entry, Zeta)


class Trace:
    """A loop of divsteps in a language's text, and what its words are.

    ``ending`` is the number of iterations after which g counts as 0; None where the loop must not ask.
    """

    def __init__(self, loop: EmittedLoop, text: Routines, ending: int | None = None) -> None:
        self.steps, self.text = loop.arrangement, text
        self._loop, self._in_c = loop, text.language == "c"
        self.sums = _Asked(self)
        calls = routines_in_c(self) if self._in_c else routines_in_rust(self)
        self.machine = Machine(text, self.steps.word, self.sums, calls)
        self.signed, self.word = self.machine.signed, self.machine.word
        self.counts: set[int] = set()
        self.products: set[tuple[int, int]] = set()
        self.last = -1
        self._ending = ending
        self._is: dict[Polynomial, NamedTuple] = {}
        self._numbers: dict[tuple[str, int], list[Polynomial]] = {}
        self._new = 0
        # For Jacobi's symbol: the word that tells it except for signs, and the number of changes of f's sign.
        self._symbol = self._changes = Polynomial.constant(0)

    # The questions about the loop

    def follow(self) -> Trace:
        """Follow the function; raises :class:`Refuted` for what it must not do."""
        try:
            self._follow()
        except NotFollowedError as error:
            raise Refuted(
                f"it does not hold of {self.text.language} that steps follow each other: {error}"
            ) from None
        return self

    def _follow(self) -> None:
        name = self._loop.routine
        if "square" not in name:
            self.machine.follow(name, *([None] if self._in_c else []), "a")
            self._require(self.last >= 0, "something is returned")
            return
        found = self.machine.follow(name, "a")
        turns = self._changes + Polynomial.constant(ROUNDED)
        mixed = self.sums.binary("^", self._symbol, turns, self.word, wraps=True)
        bit = self.sums.remainder(self.sums.floor(mixed, 1), 1)
        wanted = Polynomial.constant(1) - self.sums.times(bit, self._nonzero)
        self._require(found.raw == wanted, "what is returned is told by the symbol and by changes of sign")
        self.last = max(step for letter, step in self._numbers if letter == "g")

    def ends(self, value: Polynomial) -> int | None:
        """Answer whether a limb of the newest g is 0, or all are; None where something else is asked."""
        last = max(step for letter, step in self._numbers if letter == "g")
        limbs = self._numbers["g", last]
        words = {self.sums.wrapped(limb, self.word) for limb in limbs}
        known = value in limbs or self.sums.mixed.get(value, frozenset({value})) == words
        if self._ending is None or not known:
            return None
        batches = len([step for letter, step in self._numbers if letter == "g"]) - 1
        return int(batches < self._ending)

    # Facts about words

    def _require(self, holds: bool, text: str) -> None:
        if not holds:
            raise NotFollowedError(f"it is refused that {text}")

    def _meaning(self, value: Polynomial, kind: type[_Meaning], text: str) -> _Meaning:
        found = self._is.get(value)
        if not isinstance(found, kind):
            raise NotFollowedError(f"it is refused that {text}: it is {found}")
        return found

    def _symbol_of(self, meaning: NamedTuple, low: int, high: int) -> Polynomial:
        self._new += 1
        found = self.sums.symbol(f"word {self._new}", low, high)
        self._is[found] = meaning
        return found

    def _number(self, letter: str, step: int, sign: int) -> list[Integer]:
        """Return new limbs of a number."""
        p, bits, last = self.steps.modulus, self.steps.limb_bits, self.steps.limbs - 1
        low, high = (-p, p) if letter in "fg" else (1 - 2 * p, p - 1)
        limbs = [self._symbol_of(Limb(letter, step, sign, at), 0, (1 << bits) - 1) for at in range(last)]
        top = Limb(letter, step, sign, last)
        # A limb that is a sign and nothing else is followed as one of two bits, like those of other sizes.
        limbs.append(self._symbol_of(top, min(low >> bits * last, -2), max(high >> bits * last, 1)))
        self._numbers[letter, step] = limbs
        self._is[self.sums.wrapped(limbs[0], self.word)] = self._is[limbs[0]]
        return [Integer(self.signed, limb) for limb in limbs]

    def _known_number(self, letter: str, limbs: Sequence[Value]) -> Limb:
        """Return which of f, g, d or e limbs are: initial ones are recognised by their value."""
        raws = [self.machine.integer(self.signed, limb).raw for limb in limbs]
        total = sum(raw.parts()[1] << self.steps.limb_bits * at for at, raw in enumerate(raws))
        if not any(raw.parts()[0].terms for raw in raws):
            start = {"f": self.steps.modulus, "d": 0, "e": self.steps.start}
            self._require(start.get(letter) == total, f"{letter} starts from {total}")
            self._numbers[letter, 0] = raws
            return Limb(letter, 0, 1, 0)
        return self._known_limbs(letter, raws)

    def _known_limbs(self, letter: str, raws: Sequence[Polynomial]) -> Limb:
        """Return the step of limbs, or of words, if they are one number."""
        first = self._meaning(raws[0], Limb, f"this is {letter}")
        wanted = [first._replace(letter=letter, at=at) for at in range(len(raws))]
        self._require([self._is.get(raw) for raw in raws] == wanted, f"these are {letter}, all of it")
        return first

    def _known_matrix(
        self, entries: Sequence[Value], positions: Sequence[int], step: int
    ) -> tuple[Entry, int]:
        """Return of which matrix entries are, the first of them, and the factor that they all have."""
        raws = [self.machine.integer(self.signed, entry).raw for entry in entries]
        identity = [int(at in (0, 3)) for at in positions]
        factor = max(raw.parts()[1] for raw in raws)
        if raws == [Polynomial.constant(factor * one) for one in identity]:
            return Entry(step, step, 1, positions[0]), factor
        self._require(all(len(raw.terms) == 1 for raw in raws), "these are entries")
        factor = raws[0].terms[0][1]
        self._require(all(raw.is_divisible(factor) for raw in raws), "entries have one factor")
        entries = [raw.divided(factor) for raw in raws]
        first = self._meaning(entries[0], Entry, "this is an entry")
        wanted = [first._replace(at=at) for at in positions]
        self._require([self._is.get(entry) for entry in entries] == wanted, "entries are of one matrix")
        return first, factor

    def _matrix(self, start: int, stop: int, sign: int) -> list[Integer]:
        most = 1 << stop - start
        entries = [self._symbol_of(Entry(start, stop, sign, at), -most, most) for at in range(4)]
        return [Integer(self.signed, entry) for entry in entries]

    def _known_low(self, f: Value, g: Value) -> Low:
        """Return of which step low words of f and g are, as valid as the less valid one."""
        low, other = self._low("f", f.raw), self._low("g", g.raw)
        self._require((low.step, low.sign) == (other.step, other.sign), "f and g are of one step")
        return low._replace(bits=min(low.bits, other.bits))

    def _low(self, letter: str, value: Polynomial) -> Low:
        """Return what low bits of f or g a word has."""
        if letter == "f" and not value.parts()[0].terms and self._is_prime(value.parts()[1]):
            return Low("f", 0, 1, self.steps.limb_bits)
        meaning = self._is.get(value)
        if isinstance(meaning, Limb) and meaning.at == 0:
            meaning = Low(meaning.letter, meaning.step, meaning.sign, self.steps.limb_bits)
        if not isinstance(meaning, Low) or meaning.letter != letter:
            raise NotFollowedError(f"it is refused that {meaning} is low bits of {letter}")
        return meaning

    def _is_prime(self, word: int) -> bool:
        """Return whether a word has the low bits of p."""
        return (word - self.steps.modulus) % (1 << self.steps.limb_bits) == 0

    def _sign(self, value: Polynomial) -> Polynomial:
        return self.sums.floor(value, self.steps.word - 1) * -1

    # Effects of functions

    def piece(
        self, zeta: Value, f: Value, g: Value, count: int, ahead: int, sign: int = -1
    ) -> tuple[Integer, list[Integer]]:
        """Take the steps of a piece."""
        low = self._known_low(f, g)
        known = self._is.get(zeta.raw) if zeta.raw.parts()[0].terms else Zeta(0)
        if not zeta.raw.parts()[0].terms:
            self._require(zeta.raw == Polynomial.constant(self.word.most), "ζ starts from -1")
        self._require(known == Zeta(low.step), f"{known} is that of f and g of step {low.step}")
        self._require(low.bits >= count + ahead, f"{low.bits} bits are enough for {count} steps")
        self.counts.add(count)
        after = self._symbol_of(Zeta(low.step + count), 0, self.word.most)
        return Integer(self.word, after), self._matrix(low.step, low.step + count, sign)

    def halvings(self, f: Value, g: Value, lead: Sequence[Value]) -> list[Integer]:
        """Take the steps of a piece of binary GCD, whatever guides them."""
        low, count = self._known_low(f, g), Halvings(self.steps).piece
        self._require(low.bits >= count and len(lead) == 2, f"{low.bits} bits are enough for {count} steps")
        return self._matrix(low.step, low.step + count, 1)

    def lead(self, f: Sequence[Value], g: Sequence[Value]) -> list[Integer]:
        """Return leading bits, of which nothing is to be known."""
        self._require(len(f) == len(g) == self.steps.limbs, "leading bits are those of numbers")
        return self._any_lead()

    def lead_behind(self, x: Sequence[Value], t: Sequence[Value]) -> list[Integer]:
        """Return leading bits after a matrix, of which nothing is to be known either."""
        self._require(len(x) == 2 and len(t) == 4, "leading bits come behind a matrix")
        return self._any_lead()

    def _any_lead(self) -> list[Integer]:
        return [Integer(self.word, self._symbol_of(Lead(), 0, self.word.most)) for _ in range(2)]

    def inverted(self, value: str) -> None:
        """End with the inverse that another function returns."""
        self._require(value == "a", "what is inverted is the operand")
        self.last = 0

    def advance(self, f: Value, g: Value, t: Sequence[Value], count: int) -> tuple[Integer, Integer]:
        """Bring low words after the steps of a matrix."""
        low = self._known_low(f, g)
        matrix, factor = self._known_matrix(t, range(4), low.step)
        self._require(factor == 1 and matrix.start == low.step, "the matrix is that of the next steps")
        self._require(matrix.stop - matrix.start == count, f"it is that of {count} steps")
        after = Low("f", matrix.stop, low.sign * matrix.sign, low.bits - count)
        f_after, g_after = (self._symbol_of(after._replace(letter=one), 0, self.word.most) for one in "fg")
        return Integer(self.word, f_after), Integer(self.word, g_after)

    def compose(self, s: Sequence[Value], t: Sequence[Value]) -> list[Integer]:
        """Multiply matrices, the later one first."""
        later, factor = self._known_matrix(s, range(4), 0)
        first, other = self._known_matrix(t, range(4), later.start)
        self._require(factor == other == 1 and first.stop == later.start, "matrices follow each other")
        self._require(later.stop - first.start <= self.steps.limb_bits, "a product has room")
        self.products.add((first.stop - first.start, later.stop - later.start))
        product = self._matrix(first.start, later.stop, first.sign * later.sign)
        signs = [self._sign(self.machine.integer(self.signed, m[1]).raw) for m in (t, product, s)]
        self._changes += self._parity(signs)
        return product

    def _parity(self, bits: Sequence[Polynomial]) -> Polynomial:
        found = Polynomial.constant(0)
        for bit in bits:
            found = found + bit - self.sums.times(found, bit) * 2
        return found

    def applied(self, letters: str, x: Value, y: Value, u: Value, v: Value) -> list[Integer]:
        """Return the upper or the lower number of two times a row."""
        upper, lower = (self._known_number(one, limbs) for one, limbs in zip(letters, (x, y), strict=True))
        self._require((upper.step, upper.sign) == (lower.step, lower.sign), f"{letters} are of one step")
        for positions in ((0, 1), (2, 3)):
            try:
                row, factor = self._known_matrix((u, v), positions, upper.step)
                break
            except NotFollowedError:
                if positions == (2, 3):
                    raise
        self._require(row.start == upper.step, f"the matrix begins at step {upper.step}, not {row.start}")
        whole = factor << row.stop - row.start
        self._require(whole == 1 << self.steps.limb_bits, "a row is that of limb_bits steps")
        letter, sign = letters[row.at // 2], upper.sign * row.sign
        found = self._number(letter, row.stop, sign)
        if letter == "f":
            self._turned(x, found, row)
        return found

    def _turned(self, before: Sequence[Value], after: Sequence[Integer], row: Entry) -> None:
        """Count the changes of f's sign that do not follow from matrices."""
        raws = [self.machine.integer(self.signed, limbs[-1]).raw for limbs in (before, after)]
        matrices = [m for m, known in self._is.items() if known == row._replace(at=1)]
        self._changes += self._parity([*map(self._sign, raws), *map(self._sign, matrices)])

    def adjust(self, a: Sequence[Value], sign: Value) -> list[Integer]:
        """Reduce d, in the first of two times by the sign of f."""
        first = self._is.get(a[0].raw)
        raw = self.machine.integer(self.signed, sign).raw
        if isinstance(first, Limb) and first.letter == "d":
            first = self._known_number("d", a)
            f = self._numbers.get(("f", first.step))
            self._require(
                f is not None and raw == self._sign(f[-1]) * -1, "d gets the sign of f of that step"
            )
            return self._number("half-reduced", first.step, 1)
        first = self._known_number("half-reduced", a)
        self._require(not raw.terms, "no sign is changed twice")
        return self._number("reduced", first.step, 1)

    def from_signed(self, a: Sequence[Value]) -> list[Integer]:
        """Return the words of a reduced number."""
        found = self._known_number("reduced", a)
        count = -(-self.steps.modulus.bit_length() // self.steps.word)
        meanings = [Limb("inverse", found.step, 1, at) for at in range(count)]
        return [Integer(self.word, self._symbol_of(meaning, 0, self.word.most)) for meaning in meanings]

    def returned(self, words: Sequence[Integer]) -> None:
        """End with the words of an inverse."""
        self.last = self._known_limbs("inverse", [word.raw for word in words]).step

    def canonical(self, value: str) -> list[Integer]:
        """Return the words of the operand."""
        self._require(value == "a", "steps are those of the operand")
        count = -(-self.steps.modulus.bit_length() // self.steps.word)
        return [
            Integer(self.word, self._symbol_of(Limb("operand", 0, 1, at), 0, self.word.most))
            for at in range(count)
        ]

    def to_signed(self, words: Sequence[Integer]) -> list[Integer]:
        """Return the limbs of the operand, which g starts from."""
        self._is_operand(words)
        return self._number("g", 0, 1)

    def _is_operand(self, words: Sequence[Integer]) -> None:
        self._known_limbs("operand", [word.raw for word in words])

    def is_nonzero(self, words: Sequence[Integer]) -> Integer:
        """Return whether the operand is not 0."""
        self._is_operand(words)
        self._nonzero = self.sums.symbol("a is not 0", 0, 1)
        return Integer(self.word, self._nonzero)

    def told(self, symbol: Value, changes: Value, count: int) -> tuple[Integer, Integer]:
        """Return the words of a symbol and of changes of sign after a piece, counted as in its word."""
        self._require(symbol.raw == self._symbol, "the symbol is that of the steps before")
        self._new += 1
        self._symbol = self.sums.symbol(f"symbol {self._new}", 0, self.word.most)
        turns = self.sums.symbol(f"turns {self._new}", 0, count)
        self._changes += turns
        counted = self.sums.binary("+", changes.raw, turns, self.word, wraps=False)
        return Integer(self.word, self._symbol), Integer(self.word, counted)


class _Asked(Sums):
    """Polynomials, of which it may be asked whether g is 0."""

    def __init__(self, trace: Trace) -> None:
        super().__init__()
        self._trace = trace

    def plain(self, a: Polynomial) -> int:
        """Return an integer that all data agree on, or what the trace answers."""
        try:
            return super().plain(a)
        except DependsOnDataError:
            found = self._trace.ends(a)
            if found is None:
                raise
            return found

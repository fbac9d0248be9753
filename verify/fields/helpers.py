"""Proof of functions on one or two words as printed, in C for every kind of compiler, or in Rust.

There are several texts of them: with 128-bit integers or without, with intrinsics or what a compiler has
built in. The result of each text for all operands is compared with sums and products of integers:

- carries, borrows, shifts and masks as bit-vectors (Z3);
- products as polynomials, of which a word that is lost must be a multiple of 2^(2w), or 0.

Signed sums of products, which are structures of two words if there are no 128-bit integers, are so proved
to be these integers modulo 2^(2w): what is proved of loops with the one holds with the other. Given is what
intrinsics do (:mod:`efdgen.verify.fields.intrinsics`).
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from efdgen.verify.fields.functions import failures
from efdgen.verify.fields.intrinsics import Intrinsics
from efdgen.verify.verdicts import Refuted
from efdgen.verify.words.bits import Bits
from efdgen.verify.words.c import read_c
from efdgen.verify.words.machine import Machine
from efdgen.verify.words.places import Variable
from efdgen.verify.words.reader import NotReadError
from efdgen.verify.words.rust import read_rust
from efdgen.verify.words.sums import Polynomial, Sums
from efdgen.verify.words.values import Integer, Kind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from efdgen.generator.fields.emitted import EmittedWords
    from efdgen.verify.words.tree import Routines

Value = Any
Term = Any  # Z3's terms carry no types

_WIDE, _INTEL, _GNU, _CLANG = "__SIZEOF_INT128__", "__x86_64__", "__GNUC__", "__clang__"
# Macros of compilers: those with 128-bit integers, with intrinsics or without, and one that has neither.
COMPILERS: dict[int, dict[str, tuple[str, ...]]] = {
    64: {
        "intrinsics and 128-bit integers": (_WIDE, _INTEL, _GNU, _CLANG),
        "gcc": (_WIDE, _INTEL, _GNU),
        "128-bit integers": (_WIDE,),
        "128-bit integers, and chains of carries built in": (_WIDE, _GNU, _CLANG),
        "intrinsics alone": ("_MSC_VER", "_M_X64"),
    },
    32: {
        "64-bit integers": (),
        "64-bit integers, and gcc": (_GNU,),
        "64-bit integers, and UMAAL": (_GNU, "__thumb2__", "__ARM_FEATURE_DSP"),
    },
}
# Bits that a limb of a signed number leaves in a word.
_LEFT = 2


def prove_helpers(emitted: EmittedWords) -> None:
    """Prove the functions on words of a size; raises :class:`Refuted`."""
    if emitted.language == "c":
        for compiler, defined in COMPILERS[emitted.word].items():
            structures = emitted.word > 32 and _WIDE not in defined
            with _understood():
                text = read_c(emitted.text, emitted.word, (*defined,))
            _prove(text, emitted.word, compiler, structures=structures)
        return
    for target in ("x86_64", "aarch64"):
        with _understood():
            text = read_rust(emitted.text, {"target_arch": target, "efdgen_carry": ""})
        _prove(text, emitted.word, f"Rust for {target}", structures=False)


@contextmanager
def _understood() -> Iterator[None]:
    try:
        yield
    except NotReadError as error:
        raise Refuted(f"what is printed is not understood: {error}") from None


def _prove(text: Routines, word: int, compiler: str, *, structures: bool) -> None:
    """Prove the functions in one text."""
    for name in text.functions:
        how = HELPERS.get(name)
        if how is None:
            raise Refuted(f"fails: the contract of {name} is known")
        with failures(text.language):
            holds = how(_Words(text, word, structures=structures))
        if not holds:
            raise Refuted(f"fails: {name} is right, with {compiler}")


class _Words:
    """Functions on words in one text, called on bit-vectors or on polynomials."""

    def __init__(self, text: Routines, word: int, *, structures: bool) -> None:
        self.word, self._text, self._structures = word, text, structures
        self.bits, self.sums = Bits(), Sums()
        self.z3 = self.bits.z3
        self._followed = ""

    def _machine(self, domain: Bits | Sums) -> Machine:
        made = dict.fromkeys(("sum", "wide"), self._empty) if self._structures else {}
        return Machine(
            self._text,
            self.word,
            domain,
            Intrinsics(self._text.language, self.word, domain).routines(),
            structures=made,
        )

    @staticmethod
    def _empty() -> dict[str, Value]:
        return {"low": None, "high": None}

    # Bit-vectors

    def term(self, name: str, kind: str = "word") -> Integer:
        """Return any word, or anything of another type."""
        found = Machine(self._text, self.word, self.bits).kinds[kind]
        return Integer(found, self.z3.BitVec(name, found.bits))

    def on_bits(self, name: str, *arguments: Value) -> Value:
        """Call a function on bit-vectors."""
        self._followed = name
        return self._machine(self.bits).follow(name, *arguments)

    def double(self, name: str, *, signed: bool = False) -> tuple[Value, Term]:
        """Return two words, as the text has them, and what they are as one bit-vector."""
        if self._structures:
            low, high = self.term(f"{name} low"), self.term(f"{name} high")
            return {"low": low, "high": high}, self.z3.Concat(high.raw, low.raw)
        found = self.term(name, "sum" if signed else "wide")
        return found, found.raw

    def joined(self, value: Value) -> Term:
        """Return two words, as the text has them, as one bit-vector."""
        return self.z3.Concat(value["high"].raw, value["low"].raw) if isinstance(value, dict) else value.raw

    def extended(self, term: Term, more: int = 2) -> Term:
        """Return a word as a bit-vector that has a given number of bits more than two words."""
        return self.z3.ZeroExt(2 * self.word + more - term.size(), term)

    def holds(self, *claims: Term, premises: tuple[Term, ...] = ()) -> bool:
        """Return whether claims hold, and nothing overflows that must not."""
        question = f"{self._followed} is right for all words"
        claims = (*claims, *self.bits.obligations)
        return all(self.bits.implied(question, claim, *premises) for claim in claims)

    # Polynomials

    def symbol(self, name: str, *, signed: bool = False) -> Integer:
        """Return any word."""
        kind = Kind(self.word, signed)
        return Integer(kind, self.sums.symbol(name, kind.least, kind.most))

    def on_sums(self, name: str, *arguments: Value) -> Value:
        """Call a function on polynomials."""
        return self._machine(self.sums).follow(name, *arguments)

    def double_symbol(self, name: str, *, signed: bool) -> tuple[Value, Polynomial]:
        """Return two words as the text has them, and the integer that they are, or are congruent to."""
        if self._structures:
            low, high = self.symbol(f"{name} low"), self.symbol(f"{name} high")
            return {"low": low, "high": high}, low.raw + high.raw * (1 << self.word)
        kind = Kind(2 * self.word, signed)
        # Signed sums are of numbers that fit them, a bit smaller: overflows are excluded where they are used.
        least, most = (kind.least >> 1, kind.most >> 1) if signed else (kind.least, kind.most)
        found = self.sums.symbol(name, least, most)
        return Integer(kind, found), found

    def number(self, value: Value) -> Polynomial:
        """Return the integer that two words are, as the text has them."""
        if isinstance(value, dict):
            found: Polynomial = value["low"].raw + value["high"].raw * (1 << self.word)
            return found
        whole: Polynomial = value.raw
        return whole

    def congruent(self, one: Polynomial, other: Polynomial) -> bool:
        """Return whether integers are equal modulo 2^(2w)."""
        return (one - other).is_divisible(1 << 2 * self.word)


def _place() -> Variable:
    """Return a place for a word."""
    return Variable({"word": None}, "word")


def _adds(w: _Words) -> bool:
    carry, a, b, r = w.term("carry", "carry"), w.term("a"), w.term("b"), _place()
    out = w.on_bits("word_addc", carry, a, b, r)
    found = w.extended(r.read().raw) + (w.extended(out.raw) << w.word)
    total = w.extended(a.raw) + w.extended(b.raw) + w.extended(carry.raw)
    return w.holds(found == total, premises=(w.z3.ULE(carry.raw, 1),))


def _subtracts(w: _Words) -> bool:
    borrow, a, b, r = w.term("borrow", "carry"), w.term("a"), w.term("b"), _place()
    out = w.on_bits("word_subb", borrow, a, b, r)
    found = w.extended(r.read().raw) - (w.extended(out.raw) << w.word)
    total = w.extended(a.raw) - w.extended(b.raw) - w.extended(borrow.raw)
    return w.holds(found == total, w.z3.ULE(out.raw, 1), premises=(w.z3.ULE(borrow.raw, 1),))


def _multiplies(w: _Words) -> bool:
    a, b, high = w.symbol("a"), w.symbol("b"), _place()
    low = w.on_sums("word_mul", a, b, high)
    return bool(low.raw + high.read().raw * (1 << w.word) == w.sums.times(a.raw, b.raw))


def _adds_in_rust(w: _Words) -> bool:
    carry, a, b = w.term("carry", "carry"), w.term("a"), w.term("b")
    low, high = w.on_bits("add_carry", carry, a, b)
    found = w.extended(low.raw) + (w.extended(high.raw) << w.word)
    total = w.extended(a.raw) + w.extended(b.raw) + w.extended(carry.raw)
    return w.holds(found == total, premises=(w.z3.ULE(carry.raw, 1),))


def _subtracts_in_rust(w: _Words) -> bool:
    borrow, a, b = w.term("borrow", "carry"), w.term("a"), w.term("b")
    low, high = w.on_bits("sub_borrow", borrow, a, b)
    found = w.extended(low.raw) - (w.extended(high.raw) << w.word)
    total = w.extended(a.raw) - w.extended(b.raw) - w.extended(borrow.raw)
    return w.holds(found == total, w.z3.ULE(high.raw, 1), premises=(w.z3.ULE(borrow.raw, 1),))


def _multiplies_in_rust(w: _Words) -> bool:
    a, b = w.symbol("a"), w.symbol("b")
    # A word that is constant in the text is a number.
    low, high = (
        word.raw if isinstance(word, Integer) else Polynomial.constant(word)
        for word in w.on_sums("mul_wide", a, b)
    )
    return bool(low + high * (1 << w.word) == w.sums.times(a.raw, b.raw))


def _multiplies_halves(w: _Words) -> bool:
    a, b = w.symbol("a"), w.symbol("b")
    return w.congruent(w.number(w.on_sums("word_product", a, b)), w.sums.times(a.raw, b.raw))


def _shifts(w: _Words) -> bool:
    high, low = w.term("high"), w.term("low")
    double, size = w.z3.Concat(high.raw, low.raw), w.word
    return all(
        w.holds(w.on_bits("word_shld", high, low, by).raw == w.z3.Extract(2 * size - 1, size, double << by))
        for by in range(1, size)
    )


def _doubles(w: _Words) -> bool:
    bit, high, low, r = w.term("bit", "carry"), w.term("high"), w.term("low"), _place()
    out = w.on_bits("word_twice", bit, high, low, r)
    found = w.extended(r.read().raw) + (w.extended(out.raw) << w.word)
    lost = w.z3.LShR(low.raw, w.word - 1)
    return w.holds(
        found == (w.extended(high.raw) << 1) + w.extended(lost),
        premises=(w.extended(bit.raw) == w.extended(lost),),
    )


def _masks(name: str) -> Callable[[_Words], bool]:
    def holds(w: _Words) -> bool:
        bit = w.term("bit")
        return w.holds(w.on_bits(name, bit).raw == -bit.raw)

    return holds


def _wide_of(w: _Words) -> bool:
    low, high = w.term("low"), w.term("high")
    return w.holds(w.joined(w.on_bits("wide_of", low, high)) == w.z3.Concat(high.raw, low.raw))


def _wide_part(name: str, at: int) -> Callable[[_Words], bool]:
    def holds(w: _Words) -> bool:
        x, double = w.double("x")
        wanted = w.z3.Extract(w.word * (at + 1) - 1, w.word * at, double)
        return w.holds(w.on_bits(name, x).raw == wanted)

    return holds


def _wide_shift(w: _Words) -> bool:
    x, double = w.double("x")
    return all(
        w.holds(w.on_bits("wide_shift", x, by).raw == w.z3.Extract(w.word + by - 1, by, double))
        for by in range(1, w.word)
    )


def _wide_sum(name: str, sign: int) -> Callable[[_Words], bool]:
    def holds(w: _Words) -> bool:
        (x, first), (y, second) = w.double("x"), w.double("y")
        return w.holds(w.joined(w.on_bits(name, x, y)) == first + sign * second)

    return holds


def _wide_add_word(w: _Words) -> bool:
    (x, first), a = w.double("x"), w.term("a")
    return w.holds(w.joined(w.on_bits("wide_add_word", x, a)) == first + w.extended(a.raw, 0))


def _wide_mul(w: _Words) -> bool:
    a, b = w.symbol("a"), w.symbol("b")
    return w.congruent(w.number(w.on_sums("wide_mul", a, b)), w.sums.times(a.raw, b.raw))


def _wide_mac(w: _Words) -> bool:
    (x, first), a, b = w.double_symbol("x", signed=False), w.symbol("a"), w.symbol("b")
    return w.congruent(w.number(w.on_sums("wide_mac", x, a, b)), first + w.sums.times(a.raw, b.raw))


def _wide_mul_add2(w: _Words) -> bool:
    a, b, c, d = map(w.symbol, "abcd")
    return w.congruent(
        w.number(w.on_sums("wide_mul_add2", a, b, c, d)), w.sums.times(a.raw, b.raw) + c.raw + d.raw
    )


def _sum_of(w: _Words) -> bool:
    a, b = w.symbol("a", signed=True), w.symbol("b", signed=True)
    return w.congruent(w.number(w.on_sums("sum_of", a, b)), w.sums.times(a.raw, b.raw))


def _sum_add(w: _Words) -> bool:
    (x, first), a, b = (
        w.double_symbol("x", signed=True),
        w.symbol("a", signed=True),
        w.symbol("b", signed=True),
    )
    return w.congruent(w.number(w.on_sums("sum_add", x, a, b)), first + w.sums.times(a.raw, b.raw))


def _sum_low(w: _Words) -> bool:
    x, double = w.double("x", signed=True)
    return w.holds(w.on_bits("sum_low", x).raw == w.z3.Extract(w.word - 1, 0, double))


def _sum_shift(w: _Words) -> bool:
    x, double = w.double("x", signed=True)
    return w.holds(w.joined(w.on_bits("sum_shift", x)) == double >> w.word - _LEFT)


HELPERS: dict[str, Callable[[_Words], bool]] = {
    "word_addc": _adds,
    "word_subb": _subtracts,
    "word_mul": _multiplies,
    "word_product": _multiplies_halves,
    "word_shld": _shifts,
    "word_twice": _doubles,
    "word_mask": _masks("word_mask"),
    "mask": _masks("mask"),
    "add_carry": _adds_in_rust,
    "sub_borrow": _subtracts_in_rust,
    "mul_wide": _multiplies_in_rust,
    "wide_of": _wide_of,
    "wide_low": _wide_part("wide_low", 0),
    "wide_high": _wide_part("wide_high", 1),
    "wide_shift": _wide_shift,
    "wide_add": _wide_sum("wide_add", 1),
    "wide_sub": _wide_sum("wide_sub", -1),
    "wide_add_word": _wide_add_word,
    "wide_mul": _wide_mul,
    "wide_mac": _wide_mac,
    "wide_mul_add2": _wide_mul_add2,
    "sum_of": _sum_of,
    "sum_add": _sum_add,
    "sum_low": _sum_low,
    "sum_shift": _sum_shift,
}

"""Proof of operations on signed limbs as printed: as polynomials, or as bit-vectors.

Statements on the functions around the innermost loops, for all numbers within bounds:

- that a product of matrices, and low words after a piece, are what they should be;
- that a row times (f, g) is divided by 2^limb_bits, and so is one times (d, e) and a multiple of p,
  which is m - k, where m is u for a negative d plus v for a negative e, and 0 ≤ k < 2^limb_bits;
- that p is added to what is negative, and its sign is changed or not;
- that limbs are made of words, and words of limbs;
- and that no sum or product overflows a type which must not.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from efdgen.verify.verdicts import Refuted
from efdgen.verify.words.bits import Bits
from efdgen.verify.words.machine import Machine
from efdgen.verify.words.places import Variable
from efdgen.verify.words.sums import Polynomial, Sums
from efdgen.verify.words.values import Integer, NotFollowedError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from efdgen.generator.fields.division_steps import DivisionSteps
    from efdgen.verify.words.tree import Routines

Value = Any
Term = Any  # Z3 and its terms carry no types


def prove_limbs(text: Routines, steps: DivisionSteps, products: Collection[tuple[int, int]]) -> None:
    """Prove what those of a language's functions do that a text has; raises :class:`Refuted`.

    Rows that numbers are multiplied by have absolute sums of at most 2^limb_bits; ``products`` are of how
    many steps matrices are that are multiplied, the second those of a piece.
    """
    whole = 1 << steps.limb_bits
    try:
        for name, prove in _ON_NUMBERS.items():
            if name in text.functions:
                prove(_Numbers(text, steps, whole))
        for before, count in sorted(products):
            _advanced(_Numbers(text, steps, 1 << count), count)
            _composed(_Numbers(text, steps, 1 << count), before)
    except NotFollowedError as error:
        raise Refuted(f"fails: nothing overflows, in {text.language}: {error}") from None


@dataclass
class _Numbers:
    """A language's functions, followed in polynomials, and the numbers that they are called with."""

    text: Routines
    steps: DivisionSteps
    entries: int
    sums: Sums = field(default_factory=Sums)

    def __post_init__(self) -> None:
        self.machine = Machine(self.text, self.steps.word, self.sums)
        self.in_c = self.text.language == "c"
        for name, value in (("SIGNED_BITS", self.steps.limb_bits), ("SIGNED_LIMBS", self.steps.limbs)):
            self.require(self.machine.constant(name) == value, f"{name} is {value}")

    def signed(self, value: Polynomial) -> Integer:
        """Return a signed word."""
        return Integer(self.machine.signed, value)

    def entry(self, name: str, most: int | None = None) -> Integer:
        """Return an entry of a matrix."""
        most = self.entries if most is None else most
        return self.signed(self.sums.symbol(name, -most, most))

    def number(self, name: str, low: int, high: int) -> list[Integer]:
        """Return the limbs of a number between two others."""
        bits, last = self.steps.limb_bits, self.steps.limbs - 1
        limbs = [self.sums.symbol(f"{name}{at}", 0, (1 << bits) - 1) for at in range(last)]
        limbs.append(self.sums.symbol(f"{name}{last}", low >> bits * last, high >> bits * last))
        return [self.signed(limb) for limb in limbs]

    def value(self, limbs: Sequence[Integer]) -> Polynomial:
        """Return the number that limbs are."""
        total = Polynomial.constant(0)
        for at, limb in enumerate(limbs):
            total += self.machine.integer(self.machine.signed, limb).raw * (1 << self.steps.limb_bits * at)
        return total

    def is_in_limbs(self, limbs: Sequence[Integer]) -> bool:
        """Return whether all limbs but the last are in [0, 2^limb_bits)."""
        most = (1 << self.steps.limb_bits) - 1
        ends = [self.sums.interval(limb.raw) for limb in limbs[:-1]]
        return all(low >= 0 and high <= most for low, high in ends)

    def applied(self, name: str, *arguments: Value) -> list[Integer]:
        """Call a function that returns a number, in C through its first argument."""
        if not self.in_c:
            found: list[Integer] = self.machine.call(name, *arguments)
            return found
        limbs: list[Any] = [None] * self.steps.limbs
        self.machine.call(name, limbs, *arguments)
        return limbs

    def require(self, holds: bool, text: str) -> None:
        """Raise :class:`Refuted` where something does not hold."""
        if not holds:
            raise Refuted(f"fails: {text}, in {self.text.language}, {self.steps.word}-bit words")


def _quotient(n: _Numbers) -> None:
    p, u, v = n.steps.modulus, n.entry("u"), n.entry("v")
    f, g = n.number("f", -p, p), n.number("g", -p, p)
    found = n.applied("division_quotient", f, g, u, v)
    total = n.sums.times(u.raw, n.value(f)) + n.sums.times(v.raw, n.value(g))
    lowest = n.sums.times(u.raw, f[0].raw) + n.sums.times(v.raw, g[0].raw)
    # The bits that are shifted out are 0 if the row is that of steps on f and g.
    exact = total - n.sums.remainder(lowest, n.steps.limb_bits)
    n.require(n.is_in_limbs(found), "limbs are in their bounds")
    n.require(n.value(found) * (1 << n.steps.limb_bits) == exact, "f and g are divided by 2^limb_bits")


def _row(n: _Numbers) -> None:
    p, u, v, size = n.steps.modulus, n.entry("u"), n.entry("v"), 1 << n.steps.limb_bits
    d, e = n.number("d", 1 - 2 * p, p - 1), n.number("e", 1 - 2 * p, p - 1)
    signs = [n.sums.floor(number[-1].raw, n.steps.word - 1) * -1 for number in (d, e)]
    raised = n.sums.times(u.raw, signs[0]) + n.sums.times(v.raw, signs[1])
    n.sums.know(raised, -n.entries, n.entries)  # the absolute sum of a row is bounded, not its entries alone
    found = n.applied("division_row", d, e, u, v)
    added = n.value(found) * size - n.sums.times(u.raw, n.value(d)) - n.sums.times(v.raw, n.value(e))
    n.require(n.is_in_limbs(found), "limbs are in their bounds")
    n.require(
        added.is_divisible(p), "a multiple of p is added to d and e, and they are divided by 2^limb_bits"
    )
    low, high = n.sums.interval(raised - added.divided(p))
    n.require(low >= 0 and high < size, "the multiple of p keeps d and e between -2p and p")


def _adjusted(n: _Numbers) -> None:
    p = n.steps.modulus
    a, bit = n.number("a", 1 - 2 * p, p - 1), n.sums.symbol("sign", 0, 1)
    negative = n.sums.floor(a[-1].raw, n.steps.word - 1) * -1
    raised = n.value(a) + negative * p
    wanted = raised - n.sums.times(raised, bit) * 2
    limbs = list(a)
    n.machine.call("signed_adjust", limbs, n.signed(bit * -1))
    n.require(n.is_in_limbs(limbs), "limbs are in their bounds")
    n.require(n.value(limbs) == wanted, "p is added to what is negative, and signs are changed")


def _advanced(n: _Numbers, count: int) -> None:
    word, t = n.machine.word, [n.entry(name) for name in "uvqr"]
    f, g = (Integer(word, n.sums.symbol(name, 0, word.most)) for name in "fg")
    if n.in_c:
        holder = {"f": f, "g": g}
        n.machine.call("division_advance", Variable(holder, "f"), Variable(holder, "g"), t, count)
        found = [holder["f"], holder["g"]]
    else:
        found = n.machine.call("division_advance", [f, g], t, count)
    for value, (u, v) in zip(found, (t[:2], t[2:]), strict=True):
        total = n.sums.times(u.raw, f.raw) + n.sums.times(v.raw, g.raw)
        difference = value.raw - n.sums.floor(total, count)
        n.require(difference.is_divisible(1 << word.bits - count), "low words are brought behind a piece")


def _composed(n: _Numbers, before: int) -> None:
    t, s = [n.entry(name, 1 << before) for name in "abcd"], [n.entry(name) for name in "uvqr"]
    (a, b, c, d), (u, v, q, r) = ([entry.raw for entry in matrix] for matrix in (t, s))
    if n.in_c:
        found = list(t)
        n.machine.call("division_compose", found, s)
    else:
        found = n.machine.call("division_compose", s, t)
    wanted = [(u, a, v, c), (u, b, v, d), (q, a, r, c), (q, b, r, d)]
    for entry, (w, x, y, z) in zip(found, wanted, strict=True):
        n.require(entry.raw == n.sums.times(w, x) + n.sums.times(y, z), "matrices are multiplied")


def _to_signed(n: _Numbers) -> None:
    text, steps, bits = n.text, n.steps, Bits()
    machine, z3 = Machine(text, steps.word, bits), bits.z3
    count, size = -(-steps.modulus.bit_length() // steps.word), steps.limb_bits * steps.limbs
    words = [Integer(machine.word, z3.BitVec(f"t{at}", steps.word)) for at in range(count)]
    if text.language == "c":
        limbs: list[Any] = [None] * steps.limbs
        machine.call("to_signed", limbs, words)
    else:
        limbs = machine.call("to_signed", words)
    more = max(0, size - count * steps.word)
    number = z3.ZeroExt(more, _joined(z3, [word.raw for word in words]))
    found = _joined(z3, [z3.Extract(steps.limb_bits - 1, 0, limb.raw) for limb in limbs])
    held = [limb.raw == limb.raw & (1 << steps.limb_bits) - 1 for limb in limbs]
    below = z3.ULT(number, steps.modulus)
    question = "limbs are made of words"
    n.require(
        bits.implied(question, z3.And(z3.Extract(size - 1, 0, number) == found, *held), below), question
    )


def _from_signed(n: _Numbers) -> None:
    text, steps, bits = n.text, n.steps, Bits()
    machine, z3 = Machine(text, steps.word, bits), bits.z3
    count = -(-steps.modulus.bit_length() // steps.word)
    limbs = [Integer(machine.signed, z3.BitVec(f"a{at}", steps.word)) for at in range(steps.limbs)]
    if text.language == "c":
        words: list[Any] = [None] * count
        machine.call("from_signed", words, limbs)
    else:
        words = machine.call("from_signed", limbs)
    number = _joined(z3, [z3.Extract(steps.limb_bits - 1, 0, limb.raw) for limb in limbs])
    found = z3.ZeroExt(steps.word * count, _joined(z3, [word.raw for word in words]))
    size = max(found.size(), number.size())
    number, found = (z3.ZeroExt(size - value.size(), value) for value in (number, found))
    held = [limb.raw == limb.raw & (1 << steps.limb_bits) - 1 for limb in limbs]
    question = "words are made of limbs"
    n.require(bits.implied(question, number == found, z3.ULT(number, steps.modulus), *held), question)


def _joined(z3: Term, parts: Sequence[Term]) -> Term:
    return z3.Concat(*reversed(parts)) if len(parts) > 1 else parts[0]


_ON_NUMBERS: dict[str, Callable[[_Numbers], None]] = {
    "division_quotient": _quotient,
    "division_row": _row,
    "signed_adjust": _adjusted,
    "to_signed": _to_signed,
    "from_signed": _from_signed,
}

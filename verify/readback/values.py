"""Values of words as a graph: equal values of two programs get one number, under any name.

A value is a number that denotes an operation on earlier values, and the same operation on the same values
is the same value. Beyond that only these rules are applied, each an identity of integers:

- sums, products and bitwise operations commute; adding 0 or combining with 0 or all ones changes nothing;
- what is made of constants alone is a constant;
- ``-(1 - b)`` and ``b - 1`` are ``~(-b)``, modulo 2^w;
- what shifts two halves of a double word together is one operation, the funnel, unless one is a constant;
- double words are linear combinations of words and products modulo 2^(2w), or sums of polynomials over GF(2).
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

from efdgen.generator.limbs.integers import Integers
from efdgen.verify.words.values import exactly

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

Node = tuple[Any, ...]  # the name of an operation, then its operands
# A linear combination: the coefficient of each word or product, by its number; 0 is the value 1.
Terms = tuple[tuple[int, int], ...]

_ONE = 0
_WHOLE = 2  # in the place of the lower half or the upper one of a product


class Values(Integers[int]):
    """Values of words of w bits. Values are numbered in order: operands before results.

    As integers by which operations have a meaning, they have sums, shifts and choices of words of their own.
    """

    def __init__(self, word: int) -> None:
        super().__init__(word)
        self._ones = (1 << word) - 1
        self._nodes: list[Node] = []
        self._numbers: dict[Node, int] = {}
        self.make("unit")
        self.zero = self.constant(0)
        self.one = self.constant(1)
        self.ones = self.constant(self._ones)

    def make(self, *node: Any) -> int:  # noqa: ANN401 - names, numbers and terms
        """Return the value that an operation makes, which no rule is applied to."""
        found = self._numbers.get(node)
        if found is None:
            found = self._numbers[node] = len(self._nodes)
            self._nodes.append(node)
        return found

    def node(self, value: int) -> Node:
        """Return the operation that makes a value."""
        return self._nodes[value]

    # Words

    def constant(self, value: int) -> int:
        """Return a constant word."""
        return self.make("constant", value)

    def known(self, value: int) -> int | None:
        """Return the number that a word is, if it is a constant."""
        node = self._nodes[value]
        return node[1] if node[0] == "constant" else None

    def _known(self, *values: int) -> list[int] | None:
        """Return the numbers that words are, if all are constants."""
        found = [self._nodes[value] for value in values]
        return [node[1] for node in found] if all(node[0] == "constant" for node in found) else None

    def add(self, a: int, b: int, carry: int) -> int:
        """Return the low word of a + b + carry."""
        if known := self._known(a, b, carry):
            return self.constant(sum(known) & self._ones)
        a, b = (a, b) if a <= b else (b, a)
        if carry == self.zero and self.zero in (a, b):
            return b if a == self.zero else a
        return self.make("add", a, b, carry)

    def carry(self, a: int, b: int, carry: int) -> int:
        """Return the carry of a + b + carry."""
        if known := self._known(a, b, carry):
            return self.constant(sum(known) >> self.word)
        return self.make("carry", *sorted((a, b)), carry)

    def sub(self, a: int, b: int, borrow: int) -> int:
        """Return the low word of a - b - borrow."""
        if known := self._known(a, b, borrow):
            return self.constant(known[0] - known[1] - known[2] & self._ones)
        if borrow == self.zero:
            if b == self.zero:
                return a
            if a == self.zero:
                return self.negated(b)
            if b == self.one:
                return self.inverted(self.negated(a))
        return self.make("sub", a, b, borrow)

    def borrow(self, a: int, b: int, borrow: int) -> int:
        """Return the borrow of a - b - borrow."""
        if known := self._known(a, b, borrow):
            return self.constant(int(known[0] < known[1] + known[2]))
        return self.make("borrow", a, b, borrow)

    def negated(self, a: int) -> int:
        """Return -a modulo 2^w: all ones for a bit of 1, and 0 for 0."""
        node = self._nodes[a]
        if known := self._known(a):
            return self.constant(-known[0] & self._ones)
        if node[0] == "sub" and node[1] == self.one and node[3] == self.zero:
            return self.inverted(self.negated(node[2]))
        return self.make("negated", a)

    def inverted(self, a: int) -> int:
        """Return the word with every bit inverted."""
        node = self._nodes[a]
        if known := self._known(a):
            return self.constant(self._ones - known[0])
        return node[1] if node[0] == "inverted" else self.make("inverted", a)

    def bitwise(self, operator: str, a: int, b: int) -> int:
        """Return ``&``, ``|`` or ``^`` of two words."""
        if known := self._known(a, b):
            return self.constant(exactly(operator, known[0], known[1]))
        a, b = (a, b) if a <= b else (b, a)
        for one, other in ((a, b), (b, a)):
            if one == self.zero:
                return self.zero if operator == "&" else other
            if one == self.ones and operator != "|":
                return other if operator == "&" else self.inverted(other)
        if operator == "|" and (joined := self._joined(a, b) or self._joined(b, a)):
            return joined
        return self.make(operator, a, b)

    def _joined(self, a: int, b: int) -> int | None:
        """Return ``high << k | low >> w - k`` as the funnel that it is."""
        left, right = self._nodes[a], self._nodes[b]
        if left[0] == "<<" and right[0] == ">>" and left[2] + right[2] == self.word:
            return self.funnel(left[1], right[1], left[2])
        return None

    def shifted(self, operator: str, a: int, amount: int) -> int:
        """Return a word shifted by a constant, bits lost."""
        if known := self._known(a):
            return self.constant(exactly(operator, known[0], amount) & self._ones)
        return self.make(operator, a, amount)

    def funnel(self, high: int, low: int, amount: int) -> int:
        """Return the high word of high:low shifted to the left; one of a constant half is two shifts."""
        if self.known(high) is None and self.known(low) is None:
            return self.make("funnel", high, low, amount)
        return self.bitwise(
            "|", self.shifted("<<", high, amount), self.shifted(">>", low, self.word - amount)
        )

    def select(self, bit: int, one: int, zero: int) -> int:
        """Return one of two words by a bit, as masks make it."""
        mask = self.negated(bit)
        return self.bitwise("|", self.bitwise("&", one, mask), self.bitwise("&", zero, self.inverted(mask)))

    def fused(self, added: int, left: int, right: int, bits: int, half: int) -> int:
        """Return a word and half of a product of what two words have below 2^bits."""
        factors = sorted((self._below(left, bits), self._below(right, bits)))
        return self.make("fused", added, *factors, bits, half)

    def short(self, left: int, right: int, bits: int) -> int:
        """Return the product of what two words have below 2^bits, which fits a word."""
        return self.fused(self.zero, left, right, bits, _WHOLE)

    def _below(self, a: int, bits: int) -> int:
        """Return a word without a mask of its lowest bits, which changes nothing below 2^bits."""
        operands: list[int] = [*self._nodes[a][1:]] if self._nodes[a][0] == "&" else []
        masks = [self.known(operand) == (1 << bits) - 1 for operand in operands]
        return operands[masks.index(True) - 1] if True in masks else a

    # Double words

    def double(self, terms: Iterable[tuple[int, int]]) -> int:
        """Return a linear combination of words and products modulo 2^(2w)."""
        total: dict[int, int] = defaultdict(int)
        for value, coefficient in terms:
            known = self.known(value)
            total[_ONE if known is not None else value] += coefficient * (1 if known is None else known)
        size = 1 << 2 * self.word
        return self.make("double", *sorted((v, c % size) for v, c in total.items() if c % size))

    def terms(self, double: int) -> Terms:
        """Return the terms of a double word."""
        return self._nodes[double][1:]

    def widened(self, a: int) -> int:
        """Return a word as a double word."""
        return self.double([(a, 1)])

    def combined(self, parts: Iterable[tuple[int, int]]) -> int:
        """Return a sum of double words, each times a coefficient."""
        return self.double((v, c * times) for part, times in parts for v, c in self.terms(part))

    def product(self, a: int, b: int) -> int:
        """Return the product of two words as a double word."""
        return self.double([(self.make("product", *sorted((a, b))), 1)])

    def pair(self, low: int, high: int) -> int:
        """Return the double word of two words; halves of one double word are that one."""
        if self._nodes[low][0] == "low" and self._nodes[high] == ("high", self._nodes[low][1]):
            whole: int = self._nodes[low][1]
            return whole
        return self.double([(low, 1), (high, 1 << self.word)])

    def low(self, double: int) -> int:
        """Return the low word of a double word."""
        found = self._halves(double)
        return found[0] if found else self.make("low", double)

    def high(self, double: int) -> int:
        """Return the high word of a double word."""
        found = self._halves(double)
        return found[1] if found else self.make("high", double)

    # Polynomials over GF(2) in two words

    def carryless(self, a: int, b: int) -> int:
        """Return the product of two words as polynomials."""
        return self.make("carryless", *sorted((a, b)))

    def exclusive(self, *parts: int) -> int:
        """Return the sum of polynomials."""
        found: set[int] = set()
        for part in parts:
            name, *inner = self._nodes[part]
            found ^= set(inner) if name == "exclusive" else {part}
        return found.pop() if len(found) == 1 else self.make("exclusive", *sorted(found))

    def polynomial(self, low: int, high: int) -> int:
        """Return the polynomial of which two words are the halves."""
        name, whole = self._nodes[low]
        if name != "poly_low" or self._nodes[high] != ("poly_high", whole):
            raise ValueError("two words are no halves of one polynomial")
        found: int = whole
        return found

    def poly_low(self, polynomial: int) -> int:
        """Return the word of the lower coefficients."""
        return self.make("poly_low", polynomial)

    def poly_high(self, polynomial: int) -> int:
        """Return the word of the upper coefficients."""
        return self.make("poly_high", polynomial)

    def _halves(self, double: int) -> tuple[int, int] | None:
        """Return the words of a double word that is made of two words, of one, or of none."""
        halves: dict[int, int] = {}
        for value, coefficient in self.terms(double):
            kind = self._nodes[value][0]
            if value == _ONE and not halves.keys() and len(self.terms(double)) == 1:
                return self.constant(coefficient & self._ones), self.constant(coefficient >> self.word)
            if kind in ("unit", "product", "column") or coefficient not in (1, 1 << self.word):
                return None
            halves[coefficient] = value
        if len(halves) != len(self.terms(double)):
            return None
        return halves.get(1, self.zero), halves.get(1 << self.word, self.zero)

    # Meaning of operations

    def sum(self, *parts: tuple[int, int]) -> int:
        """Return a double word: a sum of words and double words."""
        return self.combined((self._as_double(value), factor) for value, factor in parts)

    def _as_double(self, value: int) -> int:
        return value if self._nodes[value][0] == "double" else self.widened(value)

    def halves(self, total: int) -> tuple[int, int]:
        """Return both words of a double word."""
        return self.low(total), self.high(total)

    def fitting(self, exact: int, words: int = 1) -> int:
        """Return a double word, or its low word."""
        return self.low(exact) if words == 1 else exact

    def chained(self, sign: int, left: int, right: int, bit: int | None) -> tuple[int, int]:
        """Return a sum or a difference, and its carry or borrow."""
        given = left, right, self.zero if bit is None else bit
        if sign == 1:
            return self.add(*given), self.carry(*given)
        return self.sub(*given), self.borrow(*given)

    def shifted_left(self, value: int, amount: int) -> int:
        """Return a word shifted to the left."""
        return self.shifted("<<", value, amount)

    def shifted_right(self, value: int, amount: int) -> int:
        """Return a word shifted to the right."""
        return self.shifted(">>", value, amount)

    def column(self, products: list[tuple[int, int]], added: list[tuple[int, int]]) -> tuple[int, int]:
        """Return both words of a sum of carry-less products."""
        parts = [self.carryless(left, right) for left, right in products]
        whole = self.exclusive(*parts, *(self.polynomial(low, high) for low, high in added))
        return self.poly_low(whole), self.poly_high(whole)

    # Functions

    def needed(self, results: Iterable[int]) -> list[int]:
        """Return the values that some values are made of, and themselves, operands first."""
        found: set[int] = set()
        left = list(results)
        while left:
            value = left.pop()
            if value not in found:
                found.add(value)
                left += self._operands(self._nodes[value])
        return sorted(found)

    @staticmethod
    def _operands(node: Node) -> Sequence[int]:
        match node:
            case ("double", *terms):
                return [value for value, _ in terms]
            case (("unit" | "constant" | "input" | "column"), *_):
                return ()
            case (("<<" | ">>"), value, _):
                return (value,)
            case ("funnel", high, low, _):
                return (high, low)
            case ("fused", added, left, right, *_):
                return (added, left, right)
            case (_, *operands):
                return operands
            case _:
                raise AssertionError(node)

    def substituted(self, needed: Iterable[int], inputs: Mapping[int, int]) -> dict[int, int]:
        """Return what values become where inputs are other values; by the same rules."""
        found = {_ONE: _ONE, **inputs}
        for value in needed:
            if value not in found:
                found[value] = self._again(self._nodes[value], value, found)
        return found

    def _again(self, node: Node, value: int, found: Mapping[int, int]) -> int:
        match node:
            case ("double", *terms):
                return self._combined_again(terms, found)
            case (("constant" | "input" | "column"), *_):
                return value
            case (("<<" | ">>") as operator, a, amount):
                return self.shifted(operator, found[a], amount)
            case ("funnel", high, low, amount):
                return self.funnel(found[high], found[low], amount)
            case ("fused", added, left, right, bits, half):
                return self.fused(found[added], found[left], found[right], bits, half)
            case (("&" | "|" | "^") as operator, a, b):
                return self.bitwise(operator, found[a], found[b])
            case ("product", a, b):
                return self.make("product", *sorted((found[a], found[b])))
            case (name, *operands):
                made: int = getattr(self, name)(*(found[operand] for operand in operands))
                return made
            case _:
                raise AssertionError(node)

    def _combined_again(self, terms: Iterable[tuple[int, int]], found: Mapping[int, int]) -> int:
        """Return a combination of what its terms have become; a column has become a double word."""
        columns: list[tuple[int, int]] = []
        rest: list[tuple[int, int]] = []
        for value, coefficient in terms:
            is_column = self._nodes[value][0] == "column" and found[value] != value
            (columns if is_column else rest).append((found[value], coefficient))
        return self.combined([*columns, (self.double(rest), 1)]) if columns else self.double(rest)

    def text(self, value: int, depth: int = 3) -> str:
        """Write a value for an error message, down to some depth."""
        match self._nodes[value]:
            case ("constant", number):
                return hex(number)
            case (("input" | "column"), name, index):
                return f"{name}[{index}]"
            case _ if not depth:
                return "…"
            case ("double", *terms):
                return " + ".join(f"{c:#x}*{self.text(v, depth - 1)}" for v, c in terms) or "0"
            case ("unit",):
                return "1"
            case (("<<" | ">>") as operator, a, amount):
                return f"{self.text(a, depth - 1)} {operator} {amount}"
            case ("funnel", high, low, amount):
                return f"funnel({self.text(high, depth - 1)}, {self.text(low, depth - 1)}, {amount})"
            case ("fused", added, left, right, _, half):
                texts = (self.text(operand, depth - 1) for operand in (added, left, right))
                return f"{('low', 'high', 'whole')[half]}({', '.join(texts)})"
            case (name, *operands):
                return f"{name}({', '.join(self.text(operand, depth - 1) for operand in operands)})"
            case _:
                raise AssertionError

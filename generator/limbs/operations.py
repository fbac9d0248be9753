"""The operations of a limb program on words of w bits: a table with one class for each.

A class has what an operation reads, its results as integers, its costs, and its text: in listings, in C and
in Rust. Interpreter, intervals, tallies, printers and provers read the class, and have no list of operations.

The meaning is a definition: blocks are proved by it, and printed text must equal it. The readers of C and
Rust have a second opinion, from the languages alone (:mod:`efdgen.verify.readback.primitives`,
:mod:`efdgen.verify.words`), and so has the second reader of the tests; a spelling with another meaning is
refused.

Some operations have two results, the low word first: a product or a sum of products and its high word, a
sum or a difference and its carry or borrow, which is a bit. No other operation loses anything, but those that
say so.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain, islice
from typing import TYPE_CHECKING, ClassVar, TypeAlias

from efdgen.generator.limbs import units
from efdgen.generator.limbs.operation import Operation

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator

    from efdgen.generator.limbs.integers import Integers, T
    from efdgen.generator.limbs.units import Unit

DoubleWord: TypeAlias = tuple[int, int]  # the low word and the high one


@dataclass(frozen=True, slots=True)
class Word(Operation):
    """Word number ``index`` of the input that is called ``number``."""

    number: str
    index: int

    counted = ""
    text = "{number}[{index}]"

    def meaning(self, n: Integers[T], of: Callable[[int], T]) -> tuple[T, ...]:
        return (n.input(self.number, self.index),)


@dataclass(frozen=True, slots=True)
class Constant(Operation):
    """A number in [0, 2^w)."""

    value: int

    counted = ""
    text = "{value:#x}"

    def meaning(self, n: Integers[T], of: Callable[[int], T]) -> tuple[T, ...]:
        return (n.constant(self.value),)


@dataclass(frozen=True, slots=True)
class _OfTwo(Operation):
    left: int
    right: int

    reads = ("left", "right")


@dataclass(frozen=True, slots=True)
class _Product(_OfTwo):
    counted, unit = "product", units.SHORT_PRODUCT
    c, rust = "{left} * {right}", "{left}.wrapping_mul({right})"

    @property
    def factors(self) -> tuple[int, ...]:
        return self.left, self.right


@dataclass(frozen=True, slots=True)
class MulWide(_Product):
    """``left · right = low + 2^w·high``."""

    result_count, unit = 2, units.PRODUCT
    text = "{left} * {right}"

    def meaning(self, n: Integers[T], of: Callable[[int], T]) -> tuple[T, ...]:
        return n.halves(n.product(of(self.left), of(self.right)))


@dataclass(frozen=True, slots=True)
class MulLow(_Product):
    """``left · right mod 2^w``: the high word is lost, as in Montgomery's quotients."""

    text = "low({left} * {right})"

    def meaning(self, n: Integers[T], of: Callable[[int], T]) -> tuple[T, ...]:
        return (n.low(n.product(of(self.left), of(self.right))),)


@dataclass(frozen=True, slots=True)
class Mul(_Product):
    """``left · right``, which fits a word."""

    text, lanes = "exact({left} * {right})", "mullo"

    def meaning(self, n: Integers[T], of: Callable[[int], T]) -> tuple[T, ...]:
        return (n.fitting(n.product(of(self.left), of(self.right))),)


@dataclass(frozen=True, slots=True)
class _Column(Operation):
    products: tuple[tuple[int, int], ...]
    added: tuple[DoubleWord, ...] = ()

    reads: ClassVar[tuple[str, ...]] = ("products", "added")
    result_count = 2

    @property
    def members(self) -> tuple[tuple[tuple[int, int], ...], ...]:
        """The members, each of pairs of values."""
        return tuple([getattr(self, name) for name in self.reads])

    @property
    def operands(self) -> tuple[int, ...]:
        return tuple(chain.from_iterable(chain.from_iterable(self.members)))

    def on(self, values: tuple[int, ...]) -> Operation:
        if len(values) != len(self.operands):
            raise ValueError(f"{self} does not take {values}")
        pairs = zip(values[::2], values[1::2], strict=True)
        return type(self)(*[tuple(islice(pairs, len(member))) for member in self.members])


@dataclass(frozen=True, slots=True)
class Dot(_Column):
    """``Σ left·right + Σ added - Σ subtracted = low + 2^w·high``, which fits two words, and is not negative.

    This is a column of products, with carries into it. The summands and subtrahends are double words.
    Before anything is subtracted, it fits two words, too.
    """

    subtracted: tuple[DoubleWord, ...] = ()

    reads = ("products", "added", "subtracted")

    @property
    def factors(self) -> tuple[int, ...]:
        return tuple(chain.from_iterable(self.products))

    def meaning(self, n: Integers[T], of: Callable[[int], T]) -> tuple[T, ...]:
        def pairs(words: Iterable[DoubleWord], sign: int) -> Iterator[tuple[T, int]]:
            return ((n.pair(of(low), of(high)), sign) for low, high in words)

        products = ((n.product(of(left), of(right)), 1) for left, right in self.products)
        total = n.fitting(n.sum(*products, *pairs(self.added, 1)), 2)
        if self.subtracted:
            total = n.fitting(n.sum((total, 1), *pairs(self.subtracted, -1)), 2)
        return n.halves(total)

    def tally(self) -> dict[str, int]:
        return {"product": len(self.products), "sum": 2 * (sum(map(len, self.members)) - 1)}

    def listed(self, name: Callable[[int], str]) -> str:
        parts = [f"+ {name(left)} * {name(right)}" for left, right in self.products]
        for sign, pairs in (("+", self.added), ("-", self.subtracted)):
            parts += [f"{sign} ({name(high)}:{name(low)})" for low, high in pairs]
        return " ".join(parts).removeprefix("+ ")


@dataclass(frozen=True, slots=True)
class CarrylessDot(_Column):
    """``Σ left·right + Σ added = low + x^w·high`` in GF(2)[x], where bit i of a word is a coefficient of x^i.

    This is a column of carry-less products; what is added are both results of one such sum.
    """

    unit = units.CARRYLESS

    def meaning(self, n: Integers[T], of: Callable[[int], T]) -> tuple[T, ...]:
        products, added = ([(of(one), of(other)) for one, other in member] for member in self.members)
        return n.column(products, added)

    def tally(self) -> dict[str, int]:
        return {"carry-less product": len(self.products)}

    def listed(self, name: Callable[[int], str]) -> str:
        parts = [f"{name(left)} ⊗ {name(right)}" for left, right in self.products]
        return " ⊕ ".join([*parts, *(f"({name(high)}:{name(low)})" for low, high in self.added)])


@dataclass(frozen=True, slots=True)
class _Fused(Operation):
    added: int
    left: int
    right: int
    size: int = 52

    half: ClassVar[int]
    reads, counted, unit = ("added", "left", "right"), "fused product", units.SHORT_PRODUCT

    @property
    def factors(self) -> tuple[int, ...]:
        return self.left, self.right

    def meaning(self, n: Integers[T], of: Callable[[int], T]) -> tuple[T, ...]:
        return (n.fused(of(self.added), of(self.left), of(self.right), self.size, self.half),)


@dataclass(frozen=True, slots=True)
class FusedLow(_Fused):
    """``added + (left · right mod 2^size)``, which fits a word; both factors are below 2^size.

    The instruction ignores what is above: a factor that may be larger is refused.
    """

    half, lanes = 0, "madd52lo"
    text = "{added} + low({left} * {right}, {size})"


@dataclass(frozen=True, slots=True)
class FusedHigh(_Fused):
    """``added + ⌊left · right / 2^size⌋``, likewise."""

    half, lanes = 1, "madd52hi"
    text = "{added} + high({left} * {right}, {size})"


@dataclass(frozen=True, slots=True)
class Chained(_OfTwo):
    """A step of a chain: a word, and a carry or a borrow, which the next step may read as its ``bit``.

    ``c`` and ``rust`` are without a bit. With one, the function ``in_c`` or ``in_rust`` has both results.
    """

    bit: int | None = None

    sign: ClassVar[int]
    in_c: ClassVar[str]
    in_rust: ClassVar[str]
    result_count, counted = 2, "sum"

    @property
    def operands(self) -> tuple[int, ...]:
        return (self.left, self.right) if self.bit is None else (self.left, self.right, self.bit)

    @property
    def bits(self) -> tuple[int, ...]:
        return () if self.bit is None else (self.bit,)

    def on(self, values: tuple[int, ...]) -> Operation:
        return type(self)(*values)

    def runs_on(self, known: Collection[int]) -> Unit:
        return units.PLAIN if self.bit is None else units.CHAINED

    def meaning(self, n: Integers[T], of: Callable[[int], T]) -> tuple[T, ...]:
        bit = None if self.bit is None else of(self.bit)
        return n.chained(self.sign, of(self.left), of(self.right), bit)

    def listed(self, name: Callable[[int], str]) -> str:
        sign, carry = ("+", "carry") if self.sign == 1 else ("-", "borrow")
        values = [name(self.left), name(self.right), *(f"{carry} {name(bit)}" for bit in self.bits)]
        return f" {sign} ".join(values)


@dataclass(frozen=True, slots=True)
class Add(Chained):
    """``left + right + bit = sum + 2^w·carry``; what nothing reads on the right must be 0.

    The carry of a word that is added to itself need not be: it is the word's highest bit.
    """

    sign, lanes = 1, "add"
    c, rust = "{left} + {right}", "{left}.wrapping_add({right})"
    in_c, in_rust = "word_addc", "add_carry"


@dataclass(frozen=True, slots=True)
class Sub(Chained):
    """``left - right - bit = difference - 2^w·borrow``; likewise."""

    sign, lanes = -1, "sub"
    c, rust = "{left} - {right}", "{left}.wrapping_sub({right})"
    in_c, in_rust = "word_subb", "sub_borrow"


@dataclass(frozen=True, slots=True)
class _Bitwise(_OfTwo):
    operator: ClassVar[str]

    def meaning(self, n: Integers[T], of: Callable[[int], T]) -> tuple[T, ...]:
        return (n.bitwise(self.operator, of(self.left), of(self.right)),)


@dataclass(frozen=True, slots=True)
class And(_Bitwise):
    """Bits that are 1 in both."""

    operator, lanes = "&", "and"
    text = c = rust = "{left} & {right}"


@dataclass(frozen=True, slots=True)
class Or(_Bitwise):
    """Bits that are 1 in at least one."""

    operator, lanes = "|", "or"
    text = c = rust = "{left} | {right}"


@dataclass(frozen=True, slots=True)
class Xor(_Bitwise):
    """Bits that are 1 in exactly one."""

    operator, lanes = "^", "xor"
    text = c = rust = "{left} ^ {right}"


@dataclass(frozen=True, slots=True)
class _Shift(Operation):
    value: int
    amount: int

    reads, unit = ("value",), units.CHAINED


@dataclass(frozen=True, slots=True)
class ShiftLeft(_Shift):
    """``value · 2^amount``, which fits a word."""

    text, lanes = "exact({value} << {amount})", "slli"
    c = rust = "{value} << {amount}"

    def meaning(self, n: Integers[T], of: Callable[[int], T]) -> tuple[T, ...]:
        return (n.shifted_left(of(self.value), self.amount),)


@dataclass(frozen=True, slots=True)
class ShiftRight(_Shift):
    """``⌊value / 2^amount⌋``: the low bits are lost."""

    text = c = rust = "{value} >> {amount}"
    lanes = "srli"

    def meaning(self, n: Integers[T], of: Callable[[int], T]) -> tuple[T, ...]:
        return (n.shifted_right(of(self.value), self.amount),)


@dataclass(frozen=True, slots=True)
class Funnel(Operation):
    """The high word of ``(high·2^w + low) · 2^amount``: the top bits of ``high`` are lost.

    This is ``shld``: shifting a number to the left takes one for each word, and the bits that one loses
    are those that the next one brings in. Read as ``shrd``, it shifts to the right by w - amount.
    """

    high: int
    low: int
    amount: int

    reads = ("high", "low")
    text = "high({high}:{low} << {amount})"
    c, rust = "{prefix}word_shld({high}, {low}, {amount})", "({high} << {amount}) | ({low} >> {rest})"

    def runs_on(self, known: Collection[int]) -> Unit:
        return units.CHAINED if self.high in known or self.low in known else units.TWO_WORDS

    def meaning(self, n: Integers[T], of: Callable[[int], T]) -> tuple[T, ...]:
        return (n.funnel(of(self.high), of(self.low), self.amount),)


@dataclass(frozen=True, slots=True)
class Select(Operation):
    """``one`` where ``bit`` is 1, ``zero`` where it is 0, without a branch."""

    bit: int
    one: int
    zero: int

    reads, unit = ("bit", "one", "zero"), units.MASKED
    text = "{bit} ? {one} : {zero}"

    @property
    def bits(self) -> tuple[int, ...]:
        return (self.bit,)

    def meaning(self, n: Integers[T], of: Callable[[int], T]) -> tuple[T, ...]:
        return (n.select(of(self.bit), of(self.one), of(self.zero)),)


def is_doubling(operation: Operation) -> bool:
    """Return whether a word is added to itself; the carry that comes out is the word's highest bit."""
    return isinstance(operation, Add) and operation.left == operation.right

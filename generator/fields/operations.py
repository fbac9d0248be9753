"""The operations of a field on words: a limb program for each, and its contract.

Products, sums and differences are lowered from programs over the field. The others are written here, because
they are about numbers and not about classes: choosing, halving, and bringing a number into [0, p).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from efdgen.generator.limbs.builder import LimbBuilder
from efdgen.generator.limbs.contract import Contract, Port, field_contract
from efdgen.generator.limbs.field_operations import field_operations
from efdgen.generator.limbs.linear import combine, plan_sum
from efdgen.generator.limbs.looped import LoopedMontgomery
from efdgen.generator.limbs.lower import lower_to_limbs
from efdgen.generator.limbs.multiply import MOST_KEPT
from efdgen.generator.limbs.order import with_operands_exchanged
from efdgen.generator.limbs.plan import FieldPlan
from efdgen.generator.limbs.program import Claim, Number, Term, full_words
from efdgen.generator.limbs.shape import MontgomeryFriendly, number_text
from efdgen.generator.mathematics.prime import PrimeField
from efdgen.generator.programs.builder import ProgramBuilder
from efdgen.generator.programs.program import Add, Constant, Input, Mul, MulConstant, Sub

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from efdgen.generator.fields.field import Representation
    from efdgen.generator.limbs.plan import AnyPlan
    from efdgen.generator.limbs.program import LimbProgram
    from efdgen.generator.programs.program import Operation, Program


@dataclass(frozen=True)
class FieldOperation:
    """A limb program and its contract; ``doc`` says in a sentence what it makes of its inputs.

    A *test* returns a bit: the word above all others of the only output, which is its input plus a constant.
    """

    name: str
    doc: str
    program: LimbProgram
    contract: Contract
    test: bool = False


_DOCS = {
    "add": "r = a + b",
    "sub": "r = a - b",
    "neg": "r = -a",
    "mul": "r = a·b",
    "sqr": "r = a²",
    "sum_of_products": "r = a·b + c·d, reduced once",
    "difference_of_products": "r = a·b - c·d, reduced once",
}


def operations(representation: Representation, names: Collection[str]) -> Iterator[FieldOperation]:
    """Yield the operations of a field in a representation that are called by some names."""
    plan, writer = representation.plan, _Writer(representation)
    for name, program in field_operations().items():
        if name in names:
            limbs = lower_to_limbs(_turned(program, plan) if name == "mul" else program, plan)
            yield FieldOperation(name, _DOCS[name], limbs, field_contract(program, plan))
    for name, write in writer.others().items():
        if name in names:
            yield write()


def _turned(product: Program, plan: AnyPlan) -> Program:
    """Turn a product by itself where compilers move fewer words about if rows run over the left operand."""
    friendly = isinstance(plan, FieldPlan) and isinstance(plan.shape, MontgomeryFriendly)
    looped = isinstance(plan.reduction, LoopedMontgomery)
    if friendly and plan.reduction.limbs <= MOST_KEPT and not looped:
        return with_operands_exchanged(product, len(product.instructions) - 1)
    return product


class _Writer:
    """Writes the operations that are not lowered; each begins with a builder of its own."""

    def __init__(self, representation: Representation) -> None:
        self._plan = representation.plan
        self._ground = representation.plan.ground
        self._order = self._ground.order
        self._reduction = representation.plan.reduction
        self._words = representation.words
        self._small = representation.small
        kept, positions = representation.plan.reduction, full_words(representation.word, self._words)
        self._element = Port(kept.positions, kept.tight, kept.radix, kept.limits)
        self._number = Port(positions, (1 << representation.word * self._words) - 1)
        self._reduced = Port(positions, self._order - 1)
        self._bit = Port((0,), 1)

    def others(self) -> dict[str, Callable[[], FieldOperation]]:
        """Return how to write each operation."""
        numbers = self.canonical, self.from_canonical, self.to_number, self.from_number
        choices = self.select, self.cswap, self.is_nonzero
        shared = (*numbers, *choices)
        of_numbers = self.sum_of_numbers, self.difference_of_numbers, self.product_of_numbers
        in_integers = (self.half, self.mul_small, *shared, self.reaches_prime, *of_numbers)
        on_polynomials = (*shared, self.reaches_degree)
        chosen = on_polynomials if self._ground.is_binary else in_integers
        return {write.__name__: write for write in chosen}

    def half(self) -> FieldOperation:
        """Shift to the right, and add (p + 1)/2 where a is odd."""
        builder, (a,) = self._begin(a=self._element)
        loose = self._reduction.half(builder, a, "r")
        r = self._reduction.tighten(builder, loose, "r", self._element.maximum)
        meaning = _meaning("a", lambda a: MulConstant(Fraction(1, 2), a))
        contract = self._contract(meaning, {"a": self._element}, self._element)
        return FieldOperation("half", "r = a/2", builder.build([("r", r)]), contract)

    def mul_small(self) -> FieldOperation:
        """Multiply an element by a word."""
        small = Port((0,), self._small)
        builder, (a, k) = self._begin(a=self._element, k=small)
        r = self._reduction.multiple(builder, a, k, "r")
        text = f"r = a·k for k at most {self._small}"
        contract = self._contract(_meaning("ak", Mul), {"a": self._element, "k": small}, self._element)
        return FieldOperation("mul_small", text, builder.build([("r", r)]), contract)

    def canonical(self) -> FieldOperation:
        """Find the least number of a class."""
        builder, (a,) = self._begin(a=self._element)
        r = self._reduce(builder, self._reduction.in_words(builder, a))
        text = "r = the words of a, reduced to [0, p)"
        reduced = Port(self._reduced.positions, self._reduced.maximum, self._element.radix)
        contract = self._contract(_meaning("a", None), {"a": self._element}, reduced)
        return FieldOperation("canonical", text, builder.build([("r", r)]), contract)

    def to_number(self) -> FieldOperation:
        """Divide by the radix, and find the least number."""
        builder, (a,) = self._begin(a=self._element)
        if isinstance(self._reduction, LoopedMontgomery):
            number = self._reduction.to_words(builder, a, "t")
        else:
            number = a if self._element.radix == 1 else self._reduction.reduce(builder, a, "t")
        r = self._reduce(builder, self._reduction.in_words(builder, number))
        text = "r = a as an integer in [0, p)"
        contract = self._contract(_meaning("a", None), {"a": self._element}, self._reduced)
        return FieldOperation("to_number", text, builder.build([("r", r)]), contract)

    def from_number(self) -> FieldOperation:
        """Multiply by the radix modulo p."""
        builder, (t,) = self._begin(t=self._number)
        r = self._reduction.of_words(builder, t, "r")
        text = "r = the element t modulo p, for an integer t"
        contract = self._contract(_meaning("t", None), {"t": self._number}, self._element)
        return FieldOperation("from_number", text, builder.build([("r", r)]), contract)

    def from_canonical(self) -> FieldOperation:
        """Take words for what an element is stored as."""
        reduced = Port(self._reduced.positions, self._reduced.maximum, self._element.radix)
        builder, (t,) = self._begin(t=reduced)
        r = self._reduction.kept(builder, t, "r")
        contract = self._contract(_meaning("t", None), {"t": reduced}, self._element)
        text = "r = the element that is stored as t, a number in [0, p)"
        return FieldOperation("from_canonical", text, builder.build([("r", r)]), contract)

    def sum_of_numbers(self) -> FieldOperation:
        """Add numbers, and find the least number of the class."""
        return self._on_numbers("sum_of_numbers", "t + u", _meaning("tu", Add), self._combined(1))

    def difference_of_numbers(self) -> FieldOperation:
        """Subtract numbers, and find the least number of the class."""
        return self._on_numbers("difference_of_numbers", "t - u", _meaning("tu", Sub), self._combined(-1))

    def product_of_numbers(self) -> FieldOperation:
        """Multiply a number by another that is an element, which divides by the radix."""

        def product(builder: LimbBuilder, t: int, u: int) -> int:
            element = self._reduction.of_words(builder, t, "element")
            wide = self._reduction.product(builder, element, u, "wide")
            return self._reduction.reduce(builder, wide, "low")

        return self._on_numbers("product_of_numbers", "t·u", _meaning("tu", Mul), product)

    def _combined(self, sign: int) -> Callable[[LimbBuilder, int, int], int]:
        """Return how to add or subtract a number; the quotient of the result by p has to fit a word."""

        def combined(builder: LimbBuilder, t: int, u: int) -> int:
            if 4 * self._number.maximum >> self._plan.word >= self._order:
                t, u = (self._reduction.tighten(builder, n, "low", 2 * self._order) for n in (t, u))
            total = plan_sum(builder, [(t, 1), (u, sign)], self._order)
            return combine(builder, total, PrimeField(self._order), "whole")

        return combined

    def _on_numbers(
        self, name: str, text: str, meaning: Program, make: Callable[[LimbBuilder, int, int], int]
    ) -> FieldOperation:
        """Bring what is made of any two numbers into [0, p)."""
        ports = {"t": self._number, "u": self._number}
        builder, (t, u) = self._begin(**ports)
        r = self._reduce(builder, make(builder, t, u))
        doc = f"r = {text} in [0, p), for integers t and u"
        return FieldOperation(
            name, doc, builder.build([("r", r)]), self._contract(meaning, ports, self._reduced)
        )

    def select(self) -> FieldOperation:
        """Choose one of two elements."""
        ports = {"a": self._element, "b": self._element, "flag": self._bit}
        builder, (a, b, flag) = self._begin(**ports)
        r = _choice(builder, "r", flag, a, b)
        text = "r = a if flag is 1, b if it is 0"
        contract = Contract(_chosen("r"), ports, {"r": self._element})
        return FieldOperation("select", text, builder.build([("r", r)]), contract)

    def cswap(self) -> FieldOperation:
        """Put two elements in one of both orders."""
        ports = {"a": self._element, "b": self._element, "flag": self._bit}
        builder, (a, b, flag) = self._begin(**ports)
        outputs = [("r", _choice(builder, "r", flag, b, a)), ("s", _choice(builder, "s", flag, a, b))]
        contract = Contract(_chosen("sr"), ports, {name: self._element for name, _ in outputs})
        text = "r, s = b, a if flag is 1, and a, b if it is 0"
        return FieldOperation("cswap", text, builder.build(outputs), contract)

    def is_nonzero(self) -> FieldOperation:
        """Tell a number from 0."""
        return self._reaches("is_nonzero", "Returns whether the number t is at least 1", 1)

    def reaches_prime(self) -> FieldOperation:
        """Tell a number that is not canonical."""
        return self._reaches("reaches_prime", "Returns whether the number t is at least p", self._order)

    def reaches_degree(self) -> FieldOperation:
        """Tell a polynomial that is not canonical."""
        text = f"Returns whether the degree of t, a polynomial, is {self._order.bit_length() - 1} or more"
        return self._reaches("reaches_degree", text, self._order)

    def _reaches(self, name: str, doc: str, least: int) -> FieldOperation:
        """Tell whether a number is at least ``least``: whether t + 2^(wn) - least carries out of n words."""
        builder, (t,) = self._begin(t=self._number)
        rest = (1 << builder.word * self._words) - least
        if isinstance(self._reduction, LoopedMontgomery):
            row, carry = self._reduction.without(builder, t, least)
        else:
            row, carry = builder.add_rows(builder.numbers[t].words, builder.words_of(rest, self._words))
        if carry is None:
            # All bits of the words are coefficients, and no number is as large.
            carry = builder.constant(0)
        maximum = self._number.maximum + rest
        claim = Claim(1, (Term(1, (t,)), Term(rest, ())))
        bound = "p" if least == self._ground.characteristic else number_text(least)
        added = f"2^{builder.word * self._words} - {bound}"
        s = builder.define(f"s = t + {added}", [*row, carry], maximum, claim)
        port = Port(full_words(builder.word, self._words + 1), maximum)
        contract = Contract(_increased(rest), {"t": self._number}, {"s": port})
        return FieldOperation(name, doc, builder.build([("s", s)]), contract, test=True)

    def _reduce(self, builder: LimbBuilder, number: int) -> int:
        """Bring a number into [0, p): subtract 2^j·p where the number is at least that, j falling."""
        prime = self._order
        if builder.numbers[number].maximum >= 4 * prime:
            number = self._reduction.tighten(builder, number, "low", 2 * prime)
        while (maximum := builder.numbers[number].maximum) >= prime:
            multiple = prime << (maximum // prime).bit_length() - 1
            words = builder.numbers[number].words
            complement = (1 << builder.word * len(words)) - multiple
            _, carry = builder.add_rows(words, builder.words_of(complement, len(words)))
            if carry is None:
                raise AssertionError("the number is smaller than it can be")
            taken = builder.masked(carry, builder.words_of(multiple, len(words)))
            left = max(multiple - 1, maximum - multiple)
            row = builder.sub_rows_within(words, taken, (1 << builder.word * len(words)) - 1)
            claim = Claim(1, (Term(1, (number,)),), self._ground)
            times = "p" if multiple == prime else f"{multiple // prime}·p"
            name = "r" if left < prime else "u"
            a = builder.numbers[number].name
            text = f"{name} = {a} - {times} if {a} >= {times}, else {a}"
            number = builder.define(text, row[: max(self._words, builder.count_words(left))], left, claim)
        return number

    def _begin(self, **ports: Port) -> tuple[LimbBuilder, list[int]]:
        builder = LimbBuilder(self._plan.word)
        return builder, [
            builder.take_in(Number(name, (), port.positions, port.maximum, 0, port.limits))
            for name, port in ports.items()
        ]

    def _contract(self, meaning: Program, inputs: dict[str, Port], output: Port) -> Contract:
        return Contract(meaning, inputs, {"r": output}, self._ground)


def _choice(builder: LimbBuilder, name: str, flag: int, one: int, zero: int) -> int:
    """Return the number ``one`` where the flag is 1, ``zero`` where it is 0."""
    (bit,) = builder.numbers[flag].words
    left, right = builder.numbers[one], builder.numbers[zero]
    row = [builder.select(bit, a, b) for a, b in zip(left.words, right.words, strict=True)]
    terms = Term(1, (zero,)), Term(1, (flag, one)), Term(-1, (flag, zero))
    text = f"{name} = flag ? {left.name} : {right.name}"
    claim = Claim(1, terms)
    if left.limits:
        return builder.define_limited(text, row, left.positions, claim)
    return builder.define(text, row, max(left.maximum, right.maximum), claim)


def _meaning(inputs: str, operation: Callable[..., Operation] | None) -> Program:
    """Return a program of one operation from its inputs to r; of none, from the only input itself."""
    builder = ProgramBuilder()
    values = [builder.emit(Input(name), name) for name in inputs]
    return builder.build([("r", values[0] if operation is None else builder.emit(operation(*values), "r"))])


def _chosen(names: str) -> Program:
    """Return the program of b + flag·(a - b), and of a + flag·(b - a) where two names are given."""
    builder = ProgramBuilder()
    a, b, flag = (builder.emit(Input(name), name) for name in ("a", "b", "flag"))
    outputs = []
    for name, one, zero in zip(names, (a, b), (b, a), strict=False):
        difference = builder.emit(Mul(flag, builder.emit(Sub(one, zero))))
        outputs.append((name, builder.emit(Add(zero, difference), name)))
    return builder.build(outputs)


def _increased(by: int) -> Program:
    """Return the program s = t + by."""
    builder = ProgramBuilder()
    t, known = builder.emit(Input("t"), "t"), builder.emit(Constant(Fraction(by)))
    return builder.build([("s", builder.emit(Add(t, known), "s"))])

"""Limb programs as Rust: one module without ``unsafe``, over 64-bit or 32-bit words."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, assert_never

from efdgen.generator.limbs.operations import (
    Add,
    And,
    CarrylessDot,
    Constant,
    Dot,
    Funnel,
    Mul,
    MulLow,
    MulWide,
    Or,
    Select,
    ShiftLeft,
    ShiftRight,
    Sub,
    Word,
    Xor,
)
from efdgen.generator.limbs.spelling import Spelling, block_text, printed, stored_size
from efdgen.generator.mathematics.binary import ground_text
from efdgen.generator.text.environment import environment
from efdgen.generator.text.rust import hexadecimal

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from efdgen.generator.limbs.operations import DoubleWord, Operation
    from efdgen.generator.limbs.outline import Outlined
    from efdgen.generator.limbs.plan import AnyPlan
    from efdgen.generator.limbs.program import Number
    from efdgen.generator.limbs.spelling import LimbFunction

HELPERS = (
    *("add_carry", "sub_borrow", "mul_wide", "wide_mul", "wide_mac", "mask"),
    *("poly_low", "poly_high", "poly_add", "poly_mul", "poly_square"),
)


def helpers_in(text: str) -> list[str]:
    """Return the functions on one word or two that a text calls."""
    return [name for name in HELPERS if re.search(rf"\b{name}\(", text)]


def render_module(plan: AnyPlan, functions: Sequence[LimbFunction]) -> str:
    """Return the text of a module with one inlined function for each limb program, outputs first."""
    template = environment("rust").get_template("limbs.rs.j2")
    printed = [
        {
            "doc": function.doc,
            "signature": signature(function, plan.word),
            "lines": list(body(function, plan.word)),
        }
        for function in functions
    ]
    text = "".join(line for function in printed for line in function["lines"])
    return template.render(
        word=plan.word,
        modulus=ground_text(plan.ground),
        carryless=not isinstance(plan.ground, int),
        reason=plan.reason,
        functions=printed,
        helpers=helpers_in(text),
    )


def signature(function: LimbFunction, word: int) -> str:
    """Return the signature of a function on arrays of words, outputs first."""
    outputs = [f"{name.lower()}: &mut {_array(number, word)}" for name, number in function.outputs]
    inputs = [f"{n.name.lower()}: &{_array(n, word)}" for n in function.inputs]
    kind = "" if function.returned is None else f" -> u{word}"
    return f"pub fn {function.name}({', '.join((*outputs, *inputs))}){kind}"


def body(function: LimbFunction, word: int) -> Iterator[str]:
    """Yield the statements of a function."""
    program = function.program
    writer = _Writer(function, word)
    for number in function.inputs:
        if not writer.spelling.read & set(number.words):
            yield f"let _ = {number.name.lower()};"
    for block, instructions in printed(function):
        if block is not None:
            yield f"// {block_text(program, block)}"
        for instruction in instructions:
            yield from writer.write(instruction.operation, instruction.results)
    for name, number in function.outputs:
        for index, value in enumerate(writer.stored(number)):
            yield f"{name.lower()}[{index}] = {value};"
    if function.returned is not None:
        yield writer.spelling.word(function.returned)


def calls(outlined: Outlined, word: int) -> Iterator[str]:
    """Yield the statements of a function as calls of its blocks' functions, what each makes beside it."""
    numbers, names = outlined.function.program.numbers, outlined.names
    inputs = set(outlined.function.program.inputs)
    for call in outlined.calls:
        result = names[call.makes].lower()
        reads = (names[i] if i in inputs else f"&{names[i].lower()}" for i in call.reads)
        yield f"// {call.text}"
        yield f"let mut {result} = {_array(numbers[call.makes], word, '0_')};"
        yield f"{call.function}({', '.join((f'&mut {result}', *reads))});"
    for name, number in outlined.outputs:
        yield f"*{name} = {'*' if number in inputs else ''}{names[number].lower()};"


def _array(number: Number, word: int, item: str = "") -> str:
    columns, count = stored_size(number, word)
    return f"[{item}u{2 * word if columns else word}; {count}]"


class _Writer:
    def __init__(self, function: LimbFunction, word: int) -> None:
        self.spelling = Spelling(
            function, lambda known: f"{hexadecimal(known)}_u{word}", lambda name: f"u{word}::from({name})"
        )
        self._bits = word
        self._inputs = function.inputs
        self._masks: set[str] = set()

    def write(self, operation: Operation, results: tuple[int, ...]) -> Iterator[str]:
        """Yield the statements of an operation."""
        word, name = self.spelling.word, self.spelling.name
        both = ", ".join(name(value) if value in self.spelling.read else "_" for value in results)
        match operation:
            case Word(number, index) if self._is_of_columns(number):
                yield from self._column(number, index, results[0])
            case Dot():
                yield from self._dot(operation, results)
            case CarrylessDot():
                yield from self._carryless_dot(operation, results)
            case MulWide(left, right):
                yield f"let ({both}) = mul_wide({word(left)}, {word(right)});"
            case Add(left, right, None) if results[1] not in self.spelling.read:
                yield f"let {name(results[0])} = {word(left)}.wrapping_add({word(right)});"
            case Sub(left, right, None) if results[1] not in self.spelling.read:
                yield f"let {name(results[0])} = {word(left)}.wrapping_sub({word(right)});"
            case Add(left, right, carry):
                yield f"let ({both}) = add_carry({self._bit(carry)}, {word(left)}, {word(right)});"
            case Sub(left, right, borrow):
                yield f"let ({both}) = sub_borrow({self._bit(borrow)}, {word(left)}, {word(right)});"
            case Select(bit, one, zero):
                unless = self.spelling.known(one) == 0
                mask = f"{'nm'[not unless]}_{bit}"
                if mask not in self._masks:
                    self._masks.add(mask)
                    yield f"let {mask} = {self._mask(bit, unless=unless)};"
                if (chosen := self.spelling.chosen(mask, one, zero, "!")) == mask:
                    self.spelling.called[results[0]] = mask
                else:
                    yield f"let {name(results[0])} = {chosen};"
            case _:
                yield f"let {name(results[0])} = {self._expression(operation)};"

    def stored(self, number: Number) -> Iterator[str]:
        """Yield expressions for the words of a number, or for its double words."""
        if not number.is_of_columns(self._bits):
            yield from map(self.spelling.word, number.words)
        else:
            for pair in zip(number.words[::2], number.words[1::2], strict=True):
                yield self._double_word(pair)

    def _is_of_columns(self, name: str) -> bool:
        return any(n.name == name and n.is_of_columns(self._bits) for n in self._inputs)

    def _column(self, number: str, index: int, value: int) -> Iterator[str]:
        """Yield how half of a column that comes in is named; the low half comes first, and names both."""
        at, half = divmod(index, 2)
        if half == 0:
            yield f"let s_{value} = {number.lower()}[{at}];"
        yield from self._half(value, value - half, half)

    def _half(self, value: int, low: int, half: int) -> Iterator[str]:
        if value in self.spelling.as_words:
            part = f"(s_{low} >> {self._bits})" if half else f"s_{low}"
            yield f"let {self.spelling.name(value)} = {part} as u{self._bits};"

    def _dot(self, operation: Dot, results: tuple[int, ...]) -> Iterator[str]:
        """Yield a sum of products, which fits in the end; nothing is checked, which would be a branch."""
        total, word = f"s_{results[0]}", self.spelling.word
        products = [f"{word(left)}, {word(right)}" for left, right in operation.products]
        added = [*map(self._double_word, operation.added)]
        terms = [f"wide_mul({products[0]})" if products else added.pop(0)]
        terms += [f"wide_mac({total}, {product})" for product in products[1:]]
        terms += [f"{total}.wrapping_add({term})" for term in added]
        terms += [f"{total}.wrapping_sub({self._double_word(pair)})" for pair in operation.subtracted]
        yield f"let {'mut ' * (len(terms) > 1)}{total} = {terms[0]};"
        yield from (f"{total} = {term};" for term in terms[1:])
        for half, value in enumerate(results):
            yield from self._half(value, results[0], half)

    def _carryless_dot(self, operation: CarrylessDot, results: tuple[int, ...]) -> Iterator[str]:
        """Yield a sum of carry-less products."""
        yield f"let s_{results[0]} = {self.spelling.carryless(operation, 'poly', 'square')};"
        for half, value in enumerate(results):
            if value in self.spelling.as_words:
                yield f"let {self.spelling.name(value)} = poly_{('low', 'high')[half]}(s_{results[0]});"

    def _double_word(self, pair: DoubleWord) -> str:
        wide, (low, high) = f"u{2 * self._bits}::from", map(self.spelling.word, pair)
        known = [self.spelling.known(value) for value in pair]
        if known[0] is not None and known[1] is not None:
            return f"{hexadecimal(known[0] + (known[1] << self._bits))}_u{2 * self._bits}"
        if self.spelling.known(pair[1]) == 0:
            return f"{wide}({low})"
        return self.spelling.double_word(pair) or f"({wide}({high}) << {self._bits} | {wide}({low}))"

    def _mask(self, bit: int, *, unless: bool) -> str:
        """Return all ones for a bit, or for none. One that comes in is hidden, and each of 32 bits.

        Others are carries or have 64 bits: no compiler makes a branch of them, and hiding takes time.
        """
        value = self.spelling.word(bit)
        if self.spelling.is_input(bit) or self._bits == 32:
            return f"mask({f'1_u{self._bits}.wrapping_sub({value})' if unless else value})"
        return f"{value}.wrapping_sub(1)" if unless else f"0_u{self._bits}.wrapping_sub({value})"

    def _bit(self, carry: int | None) -> str:
        return "0" if carry is None else self.spelling.bit(carry)

    def _expression(self, operation: Operation) -> str:
        word, bits = self.spelling.word, self._bits
        match operation:
            case Word(number, index):
                return f"{number.lower()}[{index}]"
            case MulLow(left, right) | Mul(left, right):
                return f"{word(left)}.wrapping_mul({word(right)})"
            case And(left, right):
                return f"{word(left)} & {word(right)}"
            case Or(left, right):
                return f"{word(left)} | {word(right)}"
            case Xor(left, right):
                return f"{word(left)} ^ {word(right)}"
            case ShiftLeft(value, amount):
                return f"{word(value)} << {amount}"
            case ShiftRight(value, amount):
                return f"{word(value)} >> {amount}"
            case Funnel(high, low, amount) if self.spelling.known(low) == 0:
                return f"{word(high)} << {amount}"
            case Funnel(high, low, amount) if self.spelling.known(high) == 0:
                return f"{word(low)} >> {bits - amount}"
            case Funnel(high, low, amount) if found := self.spelling.column((low, high)):
                return f"({found} >> {bits - amount}) as u{bits}"
            case Funnel(high, low, amount):
                return f"({word(high)} << {amount}) | ({word(low)} >> {bits - amount})"
            case Constant() | MulWide() | Dot() | CarrylessDot() | Add() | Sub() | Select():
                raise AssertionError(operation)
            case _:
                assert_never(operation)

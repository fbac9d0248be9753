"""Limb programs as C99: one header, over 64-bit words with carry intrinsics, or over 32-bit words."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from efdgen.generator.limbs.operations import (
    Add,
    And,
    Constant,
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
from efdgen.generator.limbs.spelling import Spelling, block_text, by_blocks, is_unused
from efdgen.generator.render.environment import environment

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from efdgen.generator.limbs.operations import Operation
    from efdgen.generator.limbs.outline import Outlined
    from efdgen.generator.limbs.plan import FieldPlan
    from efdgen.generator.limbs.spelling import LimbFunction


# A comment stands beside a call where both are shorter than this.
_BESIDE = 96


def render_header(plan: FieldPlan, functions: Sequence[LimbFunction], prefix: str) -> str:
    """Return the text of a header with one ``static inline`` function for each limb program.

    A function takes pointers to words, outputs first; it reads everything before it stores anything.
    """
    template = environment("c").get_template("limbs.h.j2")
    return template.render(
        prefix=prefix,
        PREFIX=prefix.upper(),
        word=plan.word,
        prime=f"{plan.prime:#x}",
        reason=plan.reason,
        functions=[
            {
                "doc": function.doc,
                "signature": signature(function, prefix, plan.word),
                "lines": list(body(function, prefix, plan.word)),
            }
            for function in functions
        ],
    )


def signature(function: LimbFunction, prefix: str, word: int) -> str:
    """Return the signature of a function on arrays of words, outputs first."""
    outputs = [f"uint{word}_t {name.lower()}[{len(number.words)}]" for name, number in function.outputs]
    inputs = [f"const uint{word}_t {n.name.lower()}[{len(n.words)}]" for n in function.inputs]
    kind = "void" if function.returned is None else f"uint{word}_t"
    return f"static inline {kind} {prefix}_{function.name}({', '.join((*outputs, *inputs))})"


def body(function: LimbFunction, prefix: str, word: int) -> Iterator[str]:
    """Yield the statements of a function."""
    program = function.program
    writer = _Writer(function, prefix, word)
    for number in function.inputs:
        if not writer.spelling.read & set(number.words):
            yield f"(void){number.name.lower()};"
    for block, instructions in by_blocks(program):
        if block is not None:
            yield f"/* {block_text(program, block)} */"
        for instruction in instructions:
            if not is_unused(instruction.operation, instruction.results, writer.spelling.read):
                yield from writer.write(instruction.operation, instruction.results)
    for name, number in function.outputs:
        for index, value in enumerate(number.words):
            yield f"{name.lower()}[{index}] = {writer.spelling.word(value)};"
    if function.returned is not None:
        yield f"return {writer.spelling.word(function.returned)};"


def calls(outlined: Outlined, prefix: str, word: int) -> Iterator[str]:
    """Yield the statements of a function as calls of its blocks' functions, what each makes beside it."""
    numbers = outlined.function.program.numbers
    names = outlined.names
    local = [f"{name}[{len(numbers[index].words)}]" for index, name in outlined.local.items()]
    yield f"uint{word}_t {', '.join(local)};"
    for call in outlined.calls:
        arguments = ", ".join(names[index] for index in (call.makes, *call.reads))
        statement, text = f"{prefix}_{call.function}({arguments});", f"/* {call.text} */"
        if len(statement) + len(text) < _BESIDE:
            yield f"{statement} {text}"
        else:
            yield from (text, statement)
    # An output may be the same object as an input, so inputs that are put out are read before any is written.
    for number in outlined.passed:
        words = range(len(numbers[number].words))
        copies = (f"{names[number]}_{at} = {names[number]}[{at}]" for at in words)
        yield f"const uint{word}_t {', '.join(copies)};"
    for name, number in outlined.outputs:
        words = range(len(numbers[number].words))
        place = f"{names[number]}_{{}}" if number in outlined.passed else f"{names[number]}[{{}}]"
        yield " ".join(f"{name}[{at}] = {place.format(at)};" for at in words)


class _Writer:
    def __init__(self, function: LimbFunction, prefix: str, word: int) -> None:
        self.spelling = Spelling(
            function, lambda known: f"UINT{word}_C({known:#x})", lambda name: f"(uint{word}_t){name}"
        )
        self._prefix = prefix
        self._bits = word
        self._type = f"uint{word}_t"
        self._masks: set[int] = set()

    def write(self, operation: Operation, results: tuple[int, ...]) -> Iterator[str]:
        """Yield the statements of an operation."""
        word, name = self.spelling.word, self.spelling.name
        match operation:
            case MulWide(left, right):
                low, high = (name(value) for value in results)
                call = f"{self._prefix}_word_mul({word(left)}, {word(right)}, &{high})"
                if results[0] in self.spelling.read:
                    yield f"{self._type} {high}, {low} = {call};"
                else:
                    yield f"{self._type} {high}; (void){call};"
            case Add(left, right, carry):
                yield from self._chained("addc", results, left, right, carry)
            case Sub(left, right, borrow):
                yield from self._chained("subb", results, left, right, borrow)
            case Select(bit, one, zero):
                if bit not in self._masks:
                    self._masks.add(bit)
                    yield f"const {self._type} m_{bit} = {self._prefix}_word_mask({word(bit)});"
                all_ones = self.spelling.known(one) == (1 << self._bits) - 1
                chosen = f"m_{bit}" if all_ones else f"{word(one)} & m_{bit}"
                if self.spelling.known(zero) != 0:
                    chosen = f"({chosen}) | ({word(zero)} & ~m_{bit})"
                yield f"const {self._type} {name(results[0])} = {chosen};"
            case _:
                yield f"const {self._type} {name(results[0])} = {self._expression(operation)};"

    def _chained(
        self, function: str, results: tuple[int, ...], left: int, right: int, incoming: int | None
    ) -> Iterator[str]:
        word, carry = self.spelling.word, results[1]
        total_name, carry_name = (self.spelling.name(value) for value in results)
        if carry not in self.spelling.read and incoming is None:
            sign = "+" if function == "addc" else "-"
            yield f"const {self._type} {total_name} = {word(left)} {sign} {word(right)};"
            return
        bit = "0" if incoming is None else self.spelling.bit(incoming)
        call = f"{self._prefix}_word_{function}({bit}, {word(left)}, {word(right)}, &{total_name})"
        if carry in self.spelling.read:
            yield f"{self._type} {total_name}; const {self._prefix}_carry {carry_name} = {call};"
        else:
            yield f"{self._type} {total_name}; (void){call};"

    def _expression(self, operation: Operation) -> str:
        word, bits = self.spelling.word, self._bits
        match operation:
            case Word(number, index):
                return f"{number.lower()}[{index}]"
            case MulLow(left, right) | Mul(left, right):
                return f"{word(left)} * {word(right)}"
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
            case Funnel(high, low, amount):
                return f"{self._prefix}_word_shld({word(high)}, {word(low)}, {amount})"
            case Constant() | MulWide() | Add() | Sub() | Select():
                raise AssertionError(operation)
            case _:
                assert_never(operation)

"""Limb programs as Rust: one module without ``unsafe``, over 64-bit or 32-bit words."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, ClassVar

from efdgen.generator.limbs.spelling import Spelling, block_text, printed, stored_size
from efdgen.generator.limbs.writer import Writer
from efdgen.generator.text.environment import environment
from efdgen.generator.text.rust import hexadecimal

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from efdgen.generator.limbs.operations import Chained, DoubleWord, MulWide
    from efdgen.generator.limbs.outline import Outlined
    from efdgen.generator.limbs.plan import AnyPlan
    from efdgen.generator.limbs.program import Number
    from efdgen.generator.limbs.spelling import LimbFunction

HELPERS = (
    *("add_carry", "sub_borrow", "mul_wide", "wide_mul", "wide_mac", "wide_mul_add2", "mask"),
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
        modulus=plan.ground.modulus_text,
        carryless=plan.ground.is_binary,
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
            yield from writer.instruction(instruction.operation, instruction.results)
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


class _Writer(Writer):
    LANGUAGE, INVERT = "rust", "!"
    FORMS: ClassVar = {
        **dict.fromkeys(("word", "load", "wide", "poly", "whole"), "let {0} = {1};"),
        "sum": "let mut {0} = {1};",
        "wide_low": "{0} as u{bits}",
        "wide_high": "({0} >> {bits}) as u{bits}",
        "wide_shift": "({0} >> {1}) as u{bits}",
        "wide_add": "{0}.wrapping_add({1})",
        "wide_sub": "{0}.wrapping_sub({1})",
    }

    def __init__(self, function: LimbFunction, word: int) -> None:
        spelling = Spelling(
            function, lambda known: f"{hexadecimal(known)}_u{word}", lambda name: f"u{word}::from({name})"
        )
        super().__init__(function, spelling)

    def _both(self, results: tuple[int, ...], function: str, *arguments: str) -> str:
        """Return a call of a function with two results."""
        names = (self.spelling.name(value) if value in self.spelling.read else "_" for value in results)
        return f"let ({', '.join(names)}) = {self.form(function, *arguments)};"

    def product(self, operation: MulWide, results: tuple[int, ...]) -> Iterator[str]:
        word = self.spelling.word
        yield self._both(results, "mul_wide", word(operation.left), word(operation.right))

    def chained(self, operation: Chained, results: tuple[int, ...]) -> Iterator[str]:
        bit = "0" if operation.bit is None else self.spelling.name(operation.bit)
        words = map(self.spelling.word, (operation.left, operation.right))
        yield self._both(results, operation.in_rust, bit, *words)

    def double_word(self, pair: DoubleWord) -> str:
        wide, (low, high) = f"u{2 * self._bits}::from", map(self.spelling.word, pair)
        known = [self.spelling.known(value) for value in pair]
        if known[0] is not None and known[1] is not None:
            return f"{hexadecimal(known[0] + (known[1] << self._bits))}_u{2 * self._bits}"
        if self.spelling.known(pair[1]) == 0:
            return f"{wide}({low})"
        return self.spelling.double_word(pair) or f"({wide}({high}) << {self._bits} | {wide}({low}))"

    def mask(self, bit: int, *, unless: bool) -> str:
        """Return a mask: a bit that comes in is hidden, and each of 32 bits.

        Others are carries or have 64 bits: no compiler makes a branch of them, and hiding takes time.
        """
        value = self.spelling.word(bit)
        if self.spelling.is_input(bit) or self._bits == 32:
            return f"mask({f'1_u{self._bits}.wrapping_sub({value})' if unless else value})"
        return f"{value}.wrapping_sub(1)" if unless else f"0_u{self._bits}.wrapping_sub({value})"

"""Limb programs as C99: one header, over 64-bit words with carry intrinsics, or over 32-bit words."""

from __future__ import annotations

from collections import Counter
from itertools import chain, groupby, takewhile
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
    operands,
)
from efdgen.generator.limbs.program import Instruction
from efdgen.generator.limbs.spelling import Spelling, block_text, stored_size
from efdgen.generator.limbs.steps import Run, Steps
from efdgen.generator.mathematics.binary import ground_text
from efdgen.generator.text.environment import environment

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from efdgen.generator.limbs.operations import DoubleWord, Operation
    from efdgen.generator.limbs.outline import Outlined
    from efdgen.generator.limbs.plan import AnyPlan
    from efdgen.generator.limbs.program import Block, Number
    from efdgen.generator.limbs.spelling import LimbFunction


# A comment is beside a call where both are shorter than this.
_BESIDE = 96


def render_header(plan: AnyPlan, functions: Sequence[LimbFunction], prefix: str) -> str:
    """Return the text of a header with one ``static inline`` function for each limb program.

    A function takes pointers to words, outputs first; it reads everything before it stores anything.
    """
    template = environment("c").get_template("limbs.h.j2")
    return template.render(
        prefix=prefix,
        PREFIX=prefix.upper(),
        word=plan.word,
        modulus=ground_text(plan.ground),
        carryless=not isinstance(plan.ground, int),
        reason=plan.reason,
        columns=plan.has_columns,
        has_flags=plan.has_flags,
        functions=[
            {
                "doc": function.doc,
                "signature": signature(function, prefix, plan.word),
                "lines": list(body(function, prefix, plan.word, Steps())),
            }
            for function in functions
        ],
    )


def signature(function: LimbFunction, prefix: str, word: int) -> str:
    """Return the signature of a function on arrays of words, outputs first."""
    outputs = [_declared(name, number, prefix, word) for name, number in function.outputs]
    inputs = [
        f"uint{word}_t {n.name}"
        if n.name in function.scalars
        else f"const {_declared(n.name, n, prefix, word)}"
        for n in function.inputs
    ]
    kind = "void" if function.returned is None else f"uint{word}_t"
    return f"static inline {kind} {prefix}_{function.name}({', '.join((*outputs, *inputs))})"


def body(
    function: LimbFunction, prefix: str, word: int, steps: Steps, *, inlined: bool = False
) -> Iterator[str]:
    """Yield the statements of a function, the words that functions write to before them.

    Repeated pieces are calls of ``steps``. If the function is always inlined, the functions that it calls
    write to its outputs; else a compiler could not tell these from its inputs.
    """
    writer, parts = _Writer(function, prefix, word), steps.parts(function)
    if inlined:
        writer.write_to_outputs(function, [item for _, items in parts for item in items])
    statements = list(_computed(function, writer, parts))
    if writer.written:
        yield f"uint{word}_t {', '.join(writer.written)};"
    for number in function.inputs:
        if not writer.spelling.read & set(number.words):
            yield f"(void){number.name.lower()};"
    yield from statements
    for name, number in function.outputs:
        for index, value in enumerate(writer.stored(number)):
            if value != (place := f"{name.lower()}[{index}]"):
                yield f"{place} = {value};"
    if function.returned is not None:
        yield f"return {writer.spelling.word(function.returned)};"


def _computed(
    function: LimbFunction, writer: _Writer, parts: Iterable[tuple[Block | None, Sequence[Instruction | Run]]]
) -> Iterator[str]:
    """Yield the statements of a function's instructions; words of one number in a row are one declaration."""
    for block, items in parts:
        if block is not None:
            yield f"/* {block_text(function.program, block)} */"
        for number, together in groupby(items, writer.loaded):
            lines = [line for item in together for line in writer.write(item)]
            yield from [f"const {writer.type} {', '.join(lines)};"] if number else lines


def calls(outlined: Outlined, prefix: str, word: int) -> Iterator[str]:
    """Yield the statements of a function as calls of its blocks' functions, what each makes beside it.

    These are ``PREFIX_limbs_…``. The last values are stored in the outputs.
    """
    numbers, stored = outlined.function.program.numbers, outlined.stored
    names = outlined.names | stored
    for columns, kind in ((False, f"uint{word}_t"), (True, f"{prefix}_wide")):
        local = ((index, name) for index, name in outlined.local.items() if index not in stored)
        sizes = {name: stored_size(numbers[index], word) for index, name in local}
        arrays = [f"{name}[{count}]" for name, (double, count) in sizes.items() if double == columns]
        if arrays:
            yield f"{kind} {', '.join(arrays)};"
    for call in outlined.calls:
        arguments = ", ".join(names[index] for index in (call.makes, *call.reads))
        statement, text = f"{prefix}_limbs_{call.function}({arguments});", f"/* {call.text} */"
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
        if stored.get(number) == name:
            continue
        words = range(len(numbers[number].words))
        place = f"{names[number]}_{{}}" if number in outlined.passed else f"{names[number]}[{{}}]"
        yield " ".join(f"{name}[{at}] = {place.format(at)};" for at in words)


def _declared(name: str, number: Number, prefix: str, word: int) -> str:
    columns, count = stored_size(number, word)
    return f"{f'{prefix}_wide' if columns else f'uint{word}_t'} {name.lower()}[{count}]"


def _shifted_by_one(function: LimbFunction, spelling: Spelling) -> frozenset[int]:
    """Return the words whose highest bit a shift by 1 brings into the next word."""
    return frozenset(
        operation.low
        for operation, results in ((i.operation, i.results) for i in function.program.instructions)
        if isinstance(operation, Funnel) and operation.amount == 1
        if spelling.known(operation.high) is None and not spelling.read.isdisjoint(results)
        if spelling.double_word((operation.low, operation.high)) is None
    )


class _Writer:
    def __init__(self, function: LimbFunction, prefix: str, word: int) -> None:
        self.spelling = Spelling(
            function, lambda known: f"UINT{word}_C({known:#x})", lambda name: f"(uint{word}_t){name}"
        )
        self._prefix = prefix
        self._bits = word
        self.type = f"uint{word}_t"
        self.written: list[str] = []
        self._inputs = function.inputs
        self._masks: set[str] = set()
        self._shifted = _shifted_by_one(function, self.spelling)
        self._bits_out: dict[int, str] = {}

    def write_to_outputs(self, function: LimbFunction, items: Sequence[Instruction | Run]) -> None:
        """Have sums that nothing else reads written to outputs, after all steps that read inputs."""
        words = [word for _, number in function.outputs for word in number.words]
        read = Counter(chain(words, *(operands(i.operation) for i in function.program.instructions)))
        late = takewhile(lambda item: not isinstance(item, Run) or not item.reads_inputs, reversed(items))
        instructions = (item for item in late if isinstance(item, Instruction))
        sums = {i.results[0] for i in instructions if isinstance(i.operation, Add | Sub)}
        for name, number in function.outputs:
            self.spelling.called.update(
                (word, f"{name.lower()}[{index}]")
                for index, word in enumerate(number.words)
                if word in sums and read[word] == 1 and not number.is_of_columns(self._bits)
            )

    def write(self, item: Instruction | Run) -> Iterator[str]:
        """Yield the statements of an instruction, or of steps that are taken."""
        if isinstance(item, Run):
            yield from self._run(item)
        else:
            yield from self._instruction(item.operation, item.results)

    def _run(self, run: Run) -> Iterator[str]:
        """Yield calls of a step; each writes its results to an array of its own."""
        size, names = len(run.calls[0].results), [f"w_{call.results[0]}" for call in run.calls]
        yield f"{self.type} {', '.join(f'{name}[{size}]' for name in names)};"
        before = [run.first.lower()] if isinstance(run.first, str) else []
        if isinstance(run.first, tuple):
            words = ("0" if value is None else self.spelling.word(value) for value in run.first)
            before = [f"v_{run.calls[0].results[0]}"]
            yield f"const {self.type} {before[0]}[{size}] = {{{', '.join(words)}}};"
        for name, call in zip(names, run.calls, strict=True):
            given = (a.lower() if isinstance(a, str) else self.spelling.word(a) for a in call.arguments)
            yield f"{self._prefix}_limbs_{run.step.name}({', '.join((name, *before, *given))});"
            self.spelling.called.update({value: f"{name}[{at}]" for at, value in enumerate(call.results)})
            before = [name] if before else []

    def _instruction(self, operation: Operation, results: tuple[int, ...]) -> Iterator[str]:
        """Yield the statements of an operation."""
        word, name = self.spelling.word, self.spelling.name
        match operation:
            case Word(number, index) if self._is_of_columns(number):
                yield from self._column(number, index, results[0])
            case Word(number, index):
                yield f"{name(results[0])} = {number.lower()}[{index}]"
            case Dot():
                yield from self._dot(operation, results)
            case CarrylessDot():
                yield from self._carryless_dot(operation, results)
            case MulWide(left, right):
                low, high = (name(value) for value in results)
                call = f"{self._prefix}_word_mul({word(left)}, {word(right)}, &{high})"
                if results[0] in self.spelling.read:
                    yield f"{self.type} {high}, {low} = {call};"
                else:
                    self.written.append(high)
                    yield f"(void){call};"
            case Add(left, right, carry):
                yield from self._chained("addc", results, left, right, carry)
            case Sub(left, right, borrow):
                yield from self._chained("subb", results, left, right, borrow)
            case Funnel(high, low, 1) if self._is_in_doubled_row(high, low):
                yield self._twice(high, low, results[0])
            case Select(bit, one, zero):
                unless = self.spelling.known(one) == 0
                mask = f"{'nm'[not unless]}_{bit}"
                if mask not in self._masks:
                    self._masks.add(mask)
                    tested = f"1 - {word(bit)}" if unless else word(bit)
                    yield f"const {self.type} {mask} = {self._prefix}_word_mask({tested});"
                if (chosen := self.spelling.chosen(mask, one, zero, "~")) == mask:
                    self.spelling.called[results[0]] = mask
                else:
                    yield f"const {self.type} {name(results[0])} = {chosen};"
            case _:
                yield f"const {self.type} {name(results[0])} = {self._expression(operation)};"

    def loaded(self, item: Instruction | Run) -> str:
        """Return the name of the number from which an instruction reads a word, or an empty string."""
        match item:
            case Instruction(Word(number, _)) if not self._is_of_columns(number):
                return number
        return ""

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
            yield f"const {self._prefix}_wide s_{value} = {number.lower()}[{at}];"
        yield from self._half(value, value - half, half)

    def _half(self, value: int, low: int, half: int) -> Iterator[str]:
        if value in self.spelling.as_words:
            part = ("low", "high")[half]
            yield f"const {self.type} {self.spelling.name(value)} = {self._prefix}_wide_{part}(s_{low});"

    def _dot(self, operation: Dot, results: tuple[int, ...]) -> Iterator[str]:
        word, wide, total = self.spelling.word, f"{self._prefix}_wide", f"s_{results[0]}"
        terms = [("mac", f"{word(left)}, {word(right)}") for left, right in operation.products]
        first = f"{wide}_mul({terms[0][1]})" if terms else self._double_word(operation.added[0])
        for pair in operation.added if terms else operation.added[1:]:
            single = self.spelling.known(pair[1]) == 0
            terms.append(("add_word", word(pair[0])) if single else ("add", self._double_word(pair)))
        terms += [("sub", self._double_word(pair)) for pair in operation.subtracted]
        yield f"{wide} {total} = {first};"
        for function, arguments in terms[1:] if operation.products else terms:
            yield f"{total} = {wide}_{function}({total}, {arguments});"
        for half, value in enumerate(results):
            yield from self._half(value, results[0], half)

    def _carryless_dot(self, operation: CarrylessDot, results: tuple[int, ...]) -> Iterator[str]:
        """Yield a sum of carry-less products."""
        kind, total = f"{self._prefix}_poly", f"s_{results[0]}"
        yield f"const {kind} {total} = {self.spelling.carryless(operation, kind, 'sqr')};"
        for half, value in enumerate(results):
            if value in self.spelling.as_words:
                part = ("low", "high")[half]
                yield f"const {self.type} {self.spelling.name(value)} = {kind}_{part}({total});"

    def _double_word(self, pair: DoubleWord) -> str:
        low, high = map(self.spelling.word, pair)
        return self.spelling.double_word(pair) or f"{self._prefix}_wide_of({low}, {high})"

    def _chained(
        self, function: str, results: tuple[int, ...], left: int, right: int, incoming: int | None
    ) -> Iterator[str]:
        word, carry = self.spelling.word, results[1]
        total_name, carry_name = (self.spelling.name(value) for value in results)
        if carry not in self.spelling.read and incoming is None:
            sign = "+" if function == "addc" else "-"
            declared = "" if results[0] in self.spelling.called else f"const {self.type} "
            yield f"{declared}{total_name} = {word(left)} {sign} {word(right)};"
            return
        bit = "0" if incoming is None else self.spelling.bit(incoming)
        call = f"{self._prefix}_word_{function}({bit}, {word(left)}, {word(right)}, &{total_name})"
        self._declare(results[0])
        made = f"const {self._prefix}_carry {carry_name} = " if carry in self.spelling.read else "(void)"
        yield f"{made}{call};"

    def _declare(self, value: int) -> None:
        """Declare the word of a value that a function writes, unless it is an output's."""
        if value not in self.spelling.called:
            self.written.append(self.spelling.name(value))

    def _is_in_doubled_row(self, high: int, low: int) -> bool:
        return low in self._bits_out or (self.spelling.known(low) == 0 and high in self._shifted)

    def _twice(self, high: int, low: int, result: int) -> str:
        """Return how a word of a doubled row is made: the bit that a word loses goes into the next one."""
        word, name = self.spelling.word, self.spelling.name(result)
        bit = self._bits_out.get(low, "0")
        call = f"{self._prefix}_word_twice({bit}, {word(high)}, {word(low)}, &{name})"
        self._declare(result)
        if high not in self._shifted:
            return f"(void){call};"
        self._bits_out[high] = f"d_{result}"
        return f"const {self._prefix}_carry d_{result} = {call};"

    def _expression(self, operation: Operation) -> str:
        word, bits = self.spelling.word, self._bits
        match operation:
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
            case Funnel(high, low, amount) if found := self.spelling.column((low, high)):
                return f"{self._prefix}_wide_shift({found}, {bits - amount})"
            case Funnel(high, low, amount):
                return f"{self._prefix}_word_shld({word(high)}, {word(low)}, {amount})"
            case Word() | Constant() | MulWide() | Dot() | CarrylessDot() | Add() | Sub() | Select():
                raise AssertionError(operation)
            case _:
                assert_never(operation)

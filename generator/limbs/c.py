"""Limb programs as C99: one header, over 64-bit words with carry intrinsics, or over 32-bit words."""

from __future__ import annotations

from collections import Counter
from itertools import chain, groupby, takewhile
from typing import TYPE_CHECKING, ClassVar

from efdgen.generator.limbs.operations import Chained, Funnel, Word
from efdgen.generator.limbs.program import Instruction
from efdgen.generator.limbs.spelling import Spelling, block_text, stored_size
from efdgen.generator.limbs.steps import Run, Steps
from efdgen.generator.limbs.writer import Writer
from efdgen.generator.text.environment import environment

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from efdgen.generator.limbs.operation import Operation
    from efdgen.generator.limbs.operations import DoubleWord, MulWide
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
        modulus=plan.ground.modulus_text,
        carryless=plan.ground.is_binary,
        reason=plan.reason,
        columns=plan.has_columns,
        target=plan.target,
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
        for number, together in groupby(items, writer.number_loaded):
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


class _Writer(Writer):
    LANGUAGE, INVERT = "c", "~"
    FORMS: ClassVar = {
        "word": "const uint{bits}_t {0} = {1};",
        "load": "{0} = {1}",  # words of one number are declared together
        "store": "{0} = {1};",
        "wide": "const {prefix}wide {0} = {1};",
        "poly": "const {prefix}poly {0} = {1};",
        **dict.fromkeys(("whole", "sum"), "{prefix}wide {0} = {1};"),
        "poly_square": "{prefix}poly_sqr({0})",
    }

    def __init__(self, function: LimbFunction, prefix: str, word: int) -> None:
        spelling = Spelling(
            function, lambda known: f"UINT{word}_C({known:#x})", lambda name: f"(uint{word}_t){name}"
        )
        super().__init__(function, spelling, f"{prefix}_")
        self.type = f"uint{word}_t"
        self.written: list[str] = []
        self._shifted = _shifted_by_one(function, spelling)
        self._bits_out: dict[int, str] = {}

    def write_to_outputs(self, function: LimbFunction, items: Sequence[Instruction | Run]) -> None:
        """Have sums that nothing else reads written to outputs, after all steps that read inputs."""
        words = [word for _, number in function.outputs for word in number.words]
        read = Counter(chain(words, *(i.operation.operands for i in function.program.instructions)))
        late = takewhile(lambda item: not isinstance(item, Run) or not item.reads_inputs, reversed(items))
        instructions = (item for item in late if isinstance(item, Instruction))
        sums = {i.results[0] for i in instructions if isinstance(i.operation, Chained)}
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
            yield from self.instruction(item.operation, item.results)

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
            yield f"{self._prefix}limbs_{run.step.name}({', '.join((name, *before, *given))});"
            self.spelling.called.update({value: f"{name}[{at}]" for at, value in enumerate(call.results)})
            before = [name] if before else []

    def instruction(self, operation: Operation, results: tuple[int, ...]) -> Iterator[str]:
        """Yield the statements of an operation; a row that is doubled has a function for its words."""
        match operation:
            case Funnel(high, low, 1) if self._is_in_doubled_row(high, low):
                yield self._twice(high, low, results[0])
            case _:
                yield from super().instruction(operation, results)

    def product(self, operation: MulWide, results: tuple[int, ...]) -> Iterator[str]:
        low, high = map(self.spelling.name, results)
        words = map(self.spelling.word, operation.operands)
        call = self.form("word_mul", *words, f"&{high}")
        if results[0] in self.spelling.read:
            yield f"{self.type} {high}, {low} = {call};"
        else:
            self.written.append(high)
            yield f"(void){call};"

    def chained(self, operation: Chained, results: tuple[int, ...]) -> Iterator[str]:
        total, carry = map(self.spelling.name, results)
        bit = "0" if operation.bit is None else self.spelling.name(operation.bit)
        words = map(self.spelling.word, (operation.left, operation.right))
        call = self.form(operation.in_c, bit, *words, f"&{total}")
        self._declare(results[0])
        made = f"const {self._prefix}carry {carry} = " if results[1] in self.spelling.read else "(void)"
        yield f"{made}{call};"

    def added(self, total: str, pair: DoubleWord) -> str:
        if self.spelling.known(pair[1]) == 0:
            return self.form("wide_add_word", total, self.spelling.word(pair[0]))
        return super().added(total, pair)

    def mask(self, bit: int, *, unless: bool) -> str:
        value = self.spelling.word(bit)
        return self.form("word_mask", f"1 - {value}" if unless else value)

    def double_word(self, pair: DoubleWord) -> str:
        return self.spelling.double_word(pair) or self.form("wide_of", *map(self.spelling.word, pair))

    def number_loaded(self, item: Instruction | Run) -> str:
        """Return the name of the number from which an instruction reads a word, or an empty string."""
        match item:
            case Instruction(Word(number, _)) if not self.is_of_columns(number):
                return number
        return ""

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
        call = f"{self._prefix}word_twice({bit}, {word(high)}, {word(low)}, &{name})"
        self._declare(result)
        if high not in self._shifted:
            return f"(void){call};"
        self._bits_out[high] = f"d_{result}"
        return f"const {self._prefix}carry d_{result} = {call};"

"""Limb functions in C that are calls of loops, which serve every prime of a length."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from efdgen.generator.fields.pieces import Names, c_definitions
from efdgen.generator.limbs.looped import LoopedMontgomery
from efdgen.generator.limbs.operations import Word
from efdgen.generator.limbs.program import Instruction, Number, analyse, full_words
from efdgen.generator.limbs.spelling import LimbFunction
from efdgen.generator.limbs.steps import Part
from efdgen.generator.text.c import Function, comment
from efdgen.generator.text.environment import environment

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from efdgen.generator.fields.field import Representation


class _Loop(NamedTuple):
    """The arguments of a loop: its result of n words and ``more``, numbers of n words, and single words.

    A ``test`` returns a word.
    """

    numbers: tuple[str, ...]
    words: tuple[str, ...] = ()
    result: str = "r"
    more: int = 0
    test: bool = False


_LOOPS = {
    "choice": _Loop(("a", "b"), ("mask",)),
    "reaches": _Loop(("t", "m"), test=True),
    "difference": _Loop(("a", "b", "p"), ("top",)),
    "total": _Loop(("a", "b", "p")),
    "row": _Loop(("a",), ("factor",), "t", 1),
    "montgomery": _Loop(("a", "b", "p"), ("inverse",)),
}
_MODULUS, _SQUARE = "modulus", "square"  # arrays of constant words

_CALLS = {
    "add": "total(r, a, b, {modulus});",
    "sub": "difference(r, a, b, {modulus}, 0);",
    "neg": "difference(r, t, a, {modulus}, 0);",
    "mul": "montgomery(r, a, b, {modulus}, {inverse});",
    "sqr": "montgomery(r, a, a, {modulus}, {inverse});",
    "select": "choice(r, a, b, {prefix}_word_mask(flag[0]));",
    "is_nonzero": "reaches(t, one);",
    "reaches_prime": "reaches(t, {modulus});",
    "from_number": "montgomery(r, t, {square}, {modulus}, {inverse});",
    "to_number": "montgomery(r, a, t, {modulus}, {inverse});",
}
# Known operands, whose higher words are 0.
_LOCAL = {"neg": ("t", 0), "to_number": ("t", 1), "is_nonzero": ("one", 1)}


class Array(NamedTuple):
    """Constant words: the comment of an array, its declaration, and its words in C."""

    doc: str
    name: str
    words: tuple[str, ...]


def known_array(doc: str, name: str, value: int, word: int, count: int) -> Array:
    """Return a known number as an array of some words."""
    words = (value >> word * at & (1 << word) - 1 for at in range(count))
    literals = tuple(f"UINT{word}_C(0x{each:0{word // 4}X})" for each in words)
    return Array(doc, f"static const uint{word}_t {name}[{count}]", literals)


class Loops:
    """The loops of a representation, and the limb functions that call them; none of other representations."""

    def __init__(self, built: Representation, names: Names) -> None:
        self._reduction = built.plan.reduction
        self._names, self._word = names, built.word
        self.exist = isinstance(self._reduction, LoopedMontgomery)

    def have(self, function: LimbFunction) -> bool:
        """Return whether a limb function is a call of a loop."""
        return self.exist and function.name in _CALLS

    def body(self, function: LimbFunction) -> Iterator[str]:
        """Yield the statements of a limb function that is a call."""
        reduction = self._looped
        if function.name in _LOCAL:
            name, lowest = _LOCAL[function.name]
            yield f"const uint{self._word}_t {name}[{reduction.limbs}] = {{{lowest}}};"
        call = _CALLS[function.name].format(
            prefix=self._names.prefix,
            modulus=self._name(_MODULUS),
            square=self._name(_SQUARE),
            inverse=f"UINT{self._word}_C({reduction.inverse:#x})",
        )
        yield f"{'return ' * function.test}{self._name(call)}"

    def arrays(self, functions: Iterable[LimbFunction]) -> Iterator[Array]:
        """Yield the constant arrays that some limb functions name."""
        called = " ".join(_CALLS[function.name] for function in functions if self.have(function))
        if not called:
            return
        reduction = self._looped
        for name, doc, value in (
            (_MODULUS, "/* p. */", reduction.prime),
            (_SQUARE, "/* R^2 modulo p. */", reduction.radix**2 % reduction.prime),
        ):
            if f"{{{name}}}" not in called:
                continue
            yield known_array(doc, self._name(name), value, self._word, reduction.limbs)

    @property
    def steps(self) -> tuple[LimbFunction, ...]:
        """The loops as steps, which a reader follows where they are called."""
        return tuple(self._step(name) for name in _LOOPS) if self.exist else ()

    @property
    def functions(self) -> Iterator[Function]:
        """The loops as they are printed."""
        if not self.exist:
            return
        template = environment("c").get_template(f"loops{self._word}.h.j2")
        text = template.render(**self._names.template, count=self._looped.limbs)
        for definition in c_definitions(text).values():
            head, _, rest = definition.text.partition(" {\n")
            body = rest.rpartition("}")[0]
            yield Function(comment(definition.doc), head, body)

    @property
    def _looped(self) -> LoopedMontgomery:
        assert isinstance(self._reduction, LoopedMontgomery)
        return self._reduction

    def _name(self, name: str) -> str:
        return f"{self._names.prefix}_limbs_{name}"

    def _step(self, name: str) -> LimbFunction:
        """Return the arguments of a loop as those of a function; what it makes is told by its text alone."""
        loop, count = _LOOPS[name], self._looped.limbs
        sizes = dict.fromkeys(loop.numbers, count) | dict.fromkeys(loop.words, 1)
        numbers: list[Number] = []
        made: list[Instruction] = []
        for argument, size in (*sizes.items(), (loop.result, count + loop.more)):
            own = tuple(range(len(made), len(made) + size))
            positions = full_words(self._word, size)
            numbers.append(Number(argument, own, positions, (1 << self._word * size) - 1))
            made += (Instruction(Word(argument, at), (value,)) for at, value in enumerate(own))
        intervals = analyse(self._word, tuple(made), tuple(numbers))
        inputs, outputs = tuple(range(len(sizes))), ((loop.result, len(sizes)),)
        program = Part(self._word, tuple(made), intervals, tuple(numbers), (), inputs, outputs)
        return LimbFunction(name, program, (), test=loop.test, scalars=frozenset(loop.words))

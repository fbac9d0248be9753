"""The field of a C bundle: its types, its limb functions in each word size, and their callers."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from efdgen.generator.fields.bundle import (
    field_functions,
    limb_function,
    limb_functions,
    proof_lines,
    timed,
)
from efdgen.generator.fields.emitted import emitted_polynomials, emitted_words
from efdgen.generator.fields.printed import LimbText
from efdgen.generator.fields.whole import WORD
from efdgen.generator.limbs.c import body, calls, signature
from efdgen.generator.limbs.columns import in_two_chains
from efdgen.generator.limbs.multiply import MOST_KEPT
from efdgen.generator.limbs.outline import is_of_products, is_outlined, outline
from efdgen.generator.limbs.steps import Steps
from efdgen.generator.limbs.unsaturated import UnsaturatedReduction
from efdgen.generator.render.c.conversions import Conversions
from efdgen.generator.render.c.loops import Loops
from efdgen.generator.text.c import WIDTH, Function, comment, in_ascii, number, statements
from efdgen.generator.text.wrap import wrap

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from efdgen.generator.fields.claims import Claims
    from efdgen.generator.fields.field import Field, Representation
    from efdgen.generator.fields.operations import FieldOperation
    from efdgen.generator.fields.pieces import Names
    from efdgen.generator.limbs.spelling import LimbFunction
    from efdgen.generator.options import Target

# Limb functions that loops have inside, so that words stay in registers from one turn to the next.
_REPEATED = ("sqr",)

# Targets for which the text has pragmas and attributes for gcc alone.
_FOR_GCC = ("gcc", "rv32im")


@dataclass(frozen=True)
class Constant:
    """A field element that is known: its name, its comment, and the number in [0, p) or [0, 2^m) that it is.

    ``calls`` is whether it is read by calls alone, which are where formulas are not lowered whole.
    """

    name: str
    doc: str
    value: int
    calls: bool = False


@dataclass(frozen=True)
class _Initialised:
    name: str
    doc: str
    value: str


@dataclass(frozen=True)
class _Build:
    """The parts that are specific to one word size; ``looped`` is whether functions on words are loops."""

    word: int
    limbs: int
    words: int
    columns: bool
    target: Target
    carryless: bool
    by_mul: bool
    looped: bool
    proved: str
    constants: list[_Initialised]
    arrays: list[_Initialised]
    functions: list[Function]


class CField:
    """Prints the functions of a field that are ``wanted``; ``claims`` answers for them."""

    def __init__(self, field: Field, names: Names, claims: Claims, wanted: Collection[str]) -> None:
        self.names = names
        self._field = field
        self._claims = claims
        self._wanted = frozenset(wanted)
        self._functions = field_functions(field, names, wanted, "c")

    def values(
        self, constants: Sequence[Constant], whole: Sequence[FieldOperation] = ()
    ) -> dict[str, object]:
        """Return what the templates print of the field, with some constants, and with formulas as a whole."""
        has_one = any(function.name == "set_one" for function in self._functions)
        one = [Constant(f"{self.names.prefix}_constant_one", "/* 1. */", 1)] if has_one else []
        return {
            "field": self._field,
            **self._modulus(),
            "element": comment(self._element()),
            "timed": timed(self._functions),
            "builds": [
                self._build(
                    found, [*one, *self._read(constants, found, whole)], whole if found.word == WORD else ()
                )
                for found in self._field.representations
            ],
            "gcc": self._for_gcc,
            "whole": bool(whole),
            "small": self._field.small if any(f.name == "mul_small" for f in self._functions) else None,
        }

    @property
    def _for_gcc(self) -> bool:
        return self._field.target in _FOR_GCC and not self._field.is_binary

    def _modulus(self) -> dict[str, object]:
        """Return what a header says of the field."""
        field = self._field
        about = (
            f"in {field.ground}, of polynomials over GF(2) modulo" if field.is_binary else "modulo the prime"
        )
        text = field.modulus_text if field.is_binary else f"p = {number(field.prime)}"
        return {"arithmetic": about, "prime": wrap(text, WIDTH - 7, subsequent_indent="      ")}

    @staticmethod
    def _read(
        constants: Sequence[Constant], found: Representation, whole: Sequence[FieldOperation]
    ) -> list[Constant]:
        """Return the constants that one size of words has a use for."""
        return [c for c in constants if not (c.calls and whole and found.word == WORD)]

    def functions(self) -> Iterator[Function]:
        """Yield the functions on elements."""
        for function in filter(lambda function: function.c, self._functions):
            first, _, rest = function.c.partition("\n")
            lines = (*function.doc, *map(in_ascii, proof_lines(function, self._claims)))
            body, closing, end = rest.rpartition("}")
            yield Function(comment(lines), first.removesuffix(" {"), body, f"{closing}{end.rstrip()}")

    def entries(self) -> Iterator[tuple[str, str]]:
        """Yield what a request calls each function that is wanted, and its name."""
        for function in self._functions:
            if function.name in self._wanted:
                yield f"field.{function.name}", f"{self.names.template['fe']}_{function.name}"

    def _element(self) -> Iterator[str]:
        """Yield the lines that say what an element is."""
        if self._field.is_binary:
            yield f"An element of {self._field.ground}, the word of the constant coefficient first."
        else:
            yield "An element x of GF(p), the least significant word first. A number may have several"
            yield "representations: compare and encode elements by functions."
        for representation in self._field.representations:
            yield ""
            yield f"With {representation.word}-bit words: {representation.plan.reason}."
            yield f"Stored as {representation.description}."

    def _build(
        self, representation: Representation, constants: Sequence[Constant], whole: Sequence[FieldOperation]
    ) -> _Build:
        limbs = [
            *limb_functions(representation, self._functions, self.names, self._claims, "c"),
            *(limb_function(operation, representation, self._claims) for operation in whole),
        ]
        made = Loops(representation, self.names), Conversions(representation, self.names)
        arrays = [array for kind in made for array in kind.arrays(limbs)]
        return _Build(
            representation.word,
            representation.limbs,
            representation.words,
            representation.plan.has_columns,
            representation.plan.target,
            self._field.is_binary,
            _wants_mul(representation),
            made[0].exist,
            self._proved(representation),
            [_Initialised(c.name, c.doc, _words(representation, c.value)) for c in constants],
            [_Initialised(a.name, a.doc, _in_braces(a.words)) for a in arrays],
            self._limb_functions(limbs, representation, {operation.name for operation in whole}, constants),
        )

    def _proved(self, built: Representation) -> str:
        """Return a comment that says what is proved of functions on one word or two; none without a proof."""
        word, names, is_binary = built.word, self.names, self._field.is_binary
        texts = [emitted_words(word, names, "c", target=built.plan.target, carryless=is_binary)]
        texts += [emitted_polynomials(word, names, "c")] if is_binary else []
        told = [f"Proved: {in_ascii(found)}." for text in texts if (found := self._claims.statement(text))]
        return comment(told) if told else ""

    def _limb_functions(
        self,
        functions: Sequence[LimbFunction],
        built: Representation,
        whole: Collection[str],
        constants: Sequence[Constant],
    ) -> list[Function]:
        """Print functions; those of several blocks as calls, after the functions of their blocks."""
        prefix, word = self.names.prefix, built.word
        loops, products = Loops(built, self.names), Conversions(built, self.names)
        own = {f.name: [*kind.body(f)] for kind in (loops, products) for f in functions if kind.have(f)}
        rest = [f for f in functions if f.name not in own]
        blocks, outlined = outline([f for f in rest if is_outlined(f)])
        called = {found.function.name: found for found in outlined}
        seam = [f"{prefix}_SEAM;".upper()] if whole and self._for_gcc else []
        steps = Steps([*blocks, *(f for f in rest if f.name not in called)])
        printed = [
            self._function(
                block,
                word,
                [*body(block, prefix, word, steps, inlined=True), *(seam if is_of_products(block) else ())],
                self._linkage(block),
            )
            for block in blocks
        ]
        for function in functions:
            found = called.get(function.name)
            text = calls(found, prefix, word) if found else body(function, prefix, word, steps)
            lines = own.get(function.name) or [*text]
            linkage = "static inline"
            if loops.have(function):
                linkage = f"{prefix}_STEP".upper()
            elif function.name in _REPEATED and (built.limbs <= MOST_KEPT or self._field.target == "clang"):
                linkage = f"{prefix}_ALWAYS_INLINE".upper()
            elif function.name in whole and self._for_gcc:
                linkage = f"{prefix}_WHOLE".upper()
            printed.append(self._function(function, word, lines, linkage))
        elements = {constant.name: built.element(constant.value) for constant in constants}
        every = *blocks, *functions
        followed = *loops.steps, *steps.functions
        self._claims.announce(LimbText("c", prefix, self._field.ground, word, every, elements, followed))
        before = (
            self._function(f, word, body(f, prefix, word, steps, inlined=True), self._step_linkage(f, word))
            for f in steps.functions
        )
        return [*loops.functions, *before, *printed]

    def _step_linkage(self, step: LimbFunction, word: int) -> str:
        """Return the linkage of a step: of short words its copies take room, and its calls little time."""
        if self._field.is_binary or word == WORD:
            return self._linkage(step)
        return f"{self.names.prefix}_STEP".upper()

    def _linkage(self, block: LimbFunction) -> str:
        """Return the linkage of a block: it is inlined, except products of integers with holes."""
        is_long = self._field.is_binary and block.name.partition("_")[0] == "product"
        return f"{self.names.prefix}_{'PRODUCT' if is_long else 'ALWAYS_INLINE'}".upper()

    def _function(
        self, function: LimbFunction, word: int, lines: Iterable[str], linkage: str = "static inline"
    ) -> Function:
        head = signature(replace(function, name=f"limbs_{function.name}"), self.names.prefix, word)
        broken = statements(map(in_ascii, lines))
        return Function(
            comment(map(in_ascii, function.doc)),
            head.replace("static inline", linkage, 1),
            "".join(f"    {line}\n" for line in broken),
        )


def _wants_mul(representation: Representation) -> bool:
    """Return whether gcc is faster with mul than with mulx, as measured: columns carried in one chain."""
    limbs = representation.plan.reduction
    return isinstance(limbs, UnsaturatedReduction) and not in_two_chains(limbs, limbs.products(squared=False))


def _words(representation: Representation, value: int) -> str:
    """Return the initialiser of an element."""
    bits = representation.word
    words = [f"UINT{bits}_C(0x{word:0{bits // 4}X})" for word in representation.element(value)]
    return f"{{{_in_braces(words)}}}"


def _in_braces(words: Iterable[str]) -> str:
    """Return the initialiser of an array of words."""
    text = " ".join(f"{word}," for word in words)
    lines = wrap(text, WIDTH, initial_indent="    ", subsequent_indent="    ")
    return "\n".join(("{", *lines, "}"))

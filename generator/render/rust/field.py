"""The field of a Rust bundle: its methods, and a module of limb functions for each size of words."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from efdgen.generator.fields.bundle import (
    field_functions,
    limb_function,
    limb_functions,
    offered_functions,
    proof_lines,
    timed,
)
from efdgen.generator.fields.emitted import PAIRS, EmittedFunction, emitted_polynomials, emitted_words
from efdgen.generator.fields.printed import LimbText
from efdgen.generator.fields.whole import WORD
from efdgen.generator.limbs.outline import is_outlined, outline
from efdgen.generator.limbs.rust import body, calls, helpers_in, signature
from efdgen.generator.text import rust as rust_text
from efdgen.generator.text.rust import comment, hexadecimal, indented

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from efdgen.generator.fields.claims import Claims
    from efdgen.generator.fields.field import Field, Representation
    from efdgen.generator.fields.operations import FieldOperation
    from efdgen.generator.fields.pieces import FieldFunction, Names
    from efdgen.generator.fields.printed import BatchText, KernelText
    from efdgen.generator.limbs.outline import Outlined
    from efdgen.generator.limbs.spelling import LimbFunction

# The condition on which a build has 64-bit words; build scripts know other targets that multiply such.
WIDE = 'all(any(target_pointer_width = "64", word64), not(feature = "word32"))'
NARROW = 'any(not(any(target_pointer_width = "64", word64)), feature = "word32")'


@dataclass(frozen=True)
class Constant:
    """A field element that is known: its name, a sentence about it, and the number that it is.

    Fused formulas read it as words, as an element, as both or not at all. ``feature`` is the one that all of
    its readers are in.
    """

    name: str
    doc: str
    value: int
    as_words: bool = True
    as_element: bool = True
    feature: str = ""


@dataclass(frozen=True)
class _Initialised:
    doc: str
    definition: str


# Functions that are called, with short words: formulas that had them inside would be long.
_CALLED = ("mul", "sqr")


@dataclass(frozen=True)
class _Build:
    """The parts that are specific to one word size; ``indent`` is the indentation of its module."""

    word: int
    limbs: int
    words: int
    about: list[str]
    constants: list[_Initialised]
    helpers: list[str]
    functions: list[str]


@dataclass(frozen=True)
class _Choice:
    """A size of words, and the condition on which a build has it."""

    word: int
    condition: str


class RustField:
    """Prints the functions of a field that are ``wanted``; ``claims`` answers for them."""

    def __init__(self, field: Field, names: Names, claims: Claims, wanted: Collection[str]) -> None:
        self._names = names
        self.field = field
        self._claims = claims
        self._functions = field_functions(field, names, wanted, "rust")

    def announce(self, kernels: Iterable[KernelText | BatchText]) -> None:
        """Announce the kernels over the field."""
        for kernel in kernels:
            self._claims.announce(kernel)

    def values(self, *, whole: bool = False) -> dict[str, Any]:
        """Return what the templates print of the field; ``whole`` is whether formulas read its words."""
        texts = [self._text(function) for function in self._functions if function.rust]
        chosen = [function for function in self._functions if function.rust]
        pairs = list(zip(chosen, texts, strict=True))
        return {
            "builds": self._choices(),
            "field": self.field,
            "whole": WIDE if whole else "",
            "has": {function.name for function in self._functions},
            "used": "".join(texts),
            "element": comment(self._element(), "///"),
            "timed": timed(self._functions),
            "methods": [indented(text) for function, text in pairs if function.is_method],
            "items": [text for function, text in pairs if not function.is_method],
        }

    def _choices(self) -> list[_Choice]:
        """Return the sizes of words, and what has to be true for each if there are several."""
        words = [found.word for found in self.field.representations]
        conditions = [WIDE, NARROW] if len(words) > 1 else [""]
        return [_Choice(word, condition) for word, condition in zip(words, conditions, strict=True)]

    def builds(
        self, constants: Sequence[Constant], whole: Sequence[FieldOperation] = (), indent: int = 0
    ) -> list[_Build]:
        """Return the modules of limb functions, with formulas as a whole, ``indent`` columns to the right."""
        one = Constant("CONSTANT_ONE", "1.", 1)
        return [
            self._build(found, [one, *constants], whole if found.word == WORD else (), indent)
            for found in self.field.representations
        ]

    def _build(
        self,
        representation: Representation,
        constants: Sequence[Constant],
        whole: Sequence[FieldOperation],
        indent: int,
    ) -> _Build:
        limbs = [
            *limb_functions(representation, self._functions, self._names, self._claims, "rust"),
            *(limb_function(operation, representation, self._claims) for operation in whole),
        ]
        blocks, outlined = outline([function for function in limbs if is_outlined(function)])
        functions = _limb_functions(limbs, blocks, outlined, representation.word, indent)
        read = [c for c in constants if c.as_words or c.as_element or not whole]
        elements = {constant.name: representation.element(constant.value) for constant in read}
        printed = self._names.prefix, self.field.ground, representation.word
        self._claims.announce(LimbText("rust", *printed, (*blocks, *limbs), elements))
        calls = "".join((*functions, *(f"{function.rust}" for function in self._functions)))
        about = [f"{representation.plan.reason}.", f"Stored as {representation.description}."]
        texts = [emitted_words(representation.word, self._names, "rust")]
        if self.field.is_binary:
            texts.append(emitted_polynomials(representation.word, self._names, "rust"))
        about += [f"Proved: {told}." for text in texts if (told := self._claims.statement(text))]
        width = rust_text.WIDTH - indent
        return _Build(
            representation.word,
            representation.limbs,
            representation.words,
            comment(about, "//!", width).replace("//! ", "").splitlines(),
            [_Initialised(c.doc, _constant(representation, c, indent)) for c in read],
            helpers_in(calls),
            functions,
        )

    def _element(self) -> Iterator[str]:
        if self.field.is_binary:
            yield f"An element of {self.field.ground}, by {self.field.modulus_text}."
            yield ""
            yield "Every operation takes constant time."
            return
        yield f"An element of GF(p), p of {self.field.bits} bits."
        yield ""
        yield (
            "A number may have several representations: compare and encode elements by methods. "
            "Every operation takes constant time."
        )

    def _text(self, function: FieldFunction) -> str:
        doc = [*(function.rust_doc or function.doc)]
        for line in proof_lines(function, self._claims):
            doc += ["", line]
        width = rust_text.WIDTH - (4 if function.is_method else 0)
        rust = self._with_proofs(function.rust) if function.name == PAIRS else function.rust
        return f"{comment(doc, '///', width)}\n{rust.rstrip()}"

    def _with_proofs(self, text: str) -> str:
        """Return the text of elements of GF(p²) with what is proved of methods below their comments."""
        for function in offered_functions(self.field, self._names, "rust").values():
            if not function.name.startswith("fe2_"):
                continue
            told = [part for line in proof_lines(function, self._claims) for part in ("", line)]
            proved = indented(comment(told, "///", rust_text.WIDTH - 4))
            for claim in function.claims if told else ():
                if isinstance(claim, EmittedFunction):
                    head = re.compile(rf"(?:    #\[[^\n]*\n)*    pub fn {claim.routine}\(")
                    found = head.search(text)
                    text = f"{text[: found.start()]}{proved}\n{text[found.start() :]}" if found else text
        return text


def _limb_functions(
    functions: Sequence[LimbFunction],
    blocks: Sequence[LimbFunction],
    outlined: Sequence[Outlined],
    word: int,
    indent: int,
) -> list[str]:
    """Print functions; those of several blocks as calls, after the functions of their blocks."""
    called = {found.function.name: found for found in outlined}
    printed = [_limb_function(block, word, body(block, word), indent, public=False) for block in blocks]
    for function in functions:
        found = called.get(function.name)
        lines = calls(found, word) if found else body(function, word)
        printed.append(_limb_function(function, word, lines, indent))
    return printed


def _limb_function(
    function: LimbFunction, word: int, lines: Iterable[str], indent: int, *, public: bool = True
) -> str:
    doc = [text for line in function.doc for text in (line, "")][:-1]
    head = signature(function, word).removeprefix("" if public else "pub ")
    return "\n".join(
        [
            comment(doc, "///", rust_text.WIDTH - indent),
            "#[inline(never)]" if word < WORD and function.name in _CALLED else "#[inline(always)]",
            f"{rust_text.signature(head, indent)} {{",
            *(indented(part) for line in lines for part in rust_text.statement(line, indent + 4)),
            "}",
        ]
    )


def _constant(representation: Representation, constant: Constant, indent: int) -> str:
    items = [hexadecimal(word, representation.word // 4) for word in representation.element(constant.value)]
    head = f"pub const {constant.name}: [u{representation.word}; {representation.limbs}] ="
    return rust_text.array(head, items, indent)

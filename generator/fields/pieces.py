"""Pieces of an emitted field: functions, each with its text in C and Rust, and their writers.

A *piece* is a function ``make(field: Field, names: Names) -> Iterable[FieldFunction]``: it returns one
function or several that belong together, inversion and its steps, say. ``PIECES`` of
:mod:`efdgen.generator.fields.bundle` is the list of them; what a function calls is found in its C text, and
put before it. :func:`definitions` reads a template into functions.

Every piece can build on these, in C (``fe`` is ``{prefix}_fe``, ``word`` is ``{prefix}_word``) and in Rust
(``Words`` is ``[Word; limbs::WORDS]``); results come first in C, and may be operands::

    fe_add sub mul(r, a, b)   fe_sqr neg half(r, a)   fe_mul_small(r, a, word k)     element in, element out
    fe_set_zero(r)  fe_set_one(r)  fe_select(r, a, b, flag)  fe_cswap(a, b, flag)    flags are int, 0 or 1
    int fe_is_zero(a)  int fe_equal(a, b)
    fe_to_words(word t[WORDS], a)          the number in [0, p) that a is
    fe_from_words(r, const word t[WORDS])  from any number below 2^(w·WORDS)
    fe_canonical(word t[WORDS], a)         the stored number of a, a·radix, reduced to [0, p)
    fe_from_canonical(r, const word t[WORDS])  and back
    word_mask(word bit)                    all ones or 0, behind a value barrier
    PREFIX_WORD_BITS  PREFIX_LIMBS  PREFIX_WORDS  PREFIX_FE_BITS  PREFIX_FE_BYTES

    a.add(&b) sub mul   a.square() neg half   a.mul_small(k)   FieldElement::{ZERO, ONE, BITS, BYTES}
    a.is_zero() -> Choice   ct_eq   FieldElement::select(&a, &b, choice)   cswap(&mut a, &mut b, choice)
    a.to_words() -> Words   FieldElement::from_words(&Words)   a.canonical() -> Words
    FieldElement::from_canonical(&Words)
    limbs::mask(Word) -> Word   choice(Word) -> Choice   WORD_BITS   LIMBS

An element is *tight*: any number of LIMBS words within ``field.representation(name).tight``, not the least of
its class. Compare and encode through the functions above, never through the words themselves.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable

    from efdgen.generator.fields.division_steps import DivisionSteps
    from efdgen.generator.fields.emitted import EmittedFunction
    from efdgen.generator.fields.halvings import Halvings
    from efdgen.generator.fields.loops import EmittedLoop
    from efdgen.generator.fields.root_steps import RootSteps

    Steps: TypeAlias = DivisionSteps | Halvings | RootSteps

_C = re.compile(r"^/\*(.*?)\*/\n(\S.*?^\};?)$", re.M | re.S)
_RUST = re.compile(r"^((?:///[^\n]*\n)+)(\S[^\n]*(?:=\n[^\n]*)?;|\S.*?^(?!\)\]$)[})\]]+;?)$", re.M | re.S)

Language: TypeAlias = Literal["c", "rust"]
"""A language in which a field is printed over words."""

Gives: TypeAlias = Literal["element", "flag", "element if flag", "element and flag"] | None


@dataclass(frozen=True)
class FieldFunction:
    """One function of an emitted field; or a constant or a type, where it is not public.

    ``name`` is what is after ``PREFIX_fe_`` (or after ``PREFIX_``, where it is not public), and by it
    others require the function. ``doc`` is its comment without marks, a line for each paragraph; ``rust_doc``
    the same for Rust, where that needs other words; ``steps`` are what its loops do, for each representation
    where that differs, and what is proved of them is printed below.

    ``c`` is the whole definition, without comment. A public function begins with its signature, without
    linkage and on one line, ``void PREFIX_fe_inv(PREFIX_fe *r, const PREFIX_fe *a) {``; anything else
    begins with ``static``. ``rust`` likewise begins with its attributes; a public one is a method of
    ``FieldElement``, written without indentation, and so is a private one that takes or gives ``Self``;
    anything else is an item beside it.

    ``takes`` are the elements that a public function takes, a letter each, and ``gives`` what it returns, for
    the test driver: an element, a flag (``int``, ``Choice``), or both: an element if the
    flag is 1 (``int`` and ``r``, ``CtOption``), or always (``int`` and ``r``, a tuple);
    None where a driver cannot call it like this. ``representation`` is the name of the only one that the text
    is for; None where it serves all. ``c`` or ``rust`` may be empty, where a language does without.
    """

    name: str
    doc: tuple[str, ...]
    c: str
    rust: str
    rust_name: str
    requires: tuple[str, ...] = ()
    steps: tuple[Steps, ...] = ()
    public: bool = True
    takes: str = ""
    gives: Gives = None
    representation: str | None = None
    rust_doc: tuple[str, ...] = ()
    claims: tuple[EmittedLoop | RootSteps | EmittedFunction, ...] = ()

    @property
    def is_method(self) -> bool:
        """Return whether the Rust text belongs into the implementation of ``FieldElement``."""
        return "self" in self.rust.partition("{")[0].lower()


@dataclass(frozen=True)
class Names:
    """The names that a bundle's prefix gives, as the templates print them."""

    prefix: str

    @property
    def template(self) -> dict[str, str]:
        """Values for templates: ``prefix``, ``PREFIX``, ``fe`` and ``word``."""
        return {
            "prefix": self.prefix,
            "PREFIX": self.prefix.upper(),
            "fe": f"{self.prefix}_fe",
            "word": f"{self.prefix}_word",
        }


@dataclass(frozen=True)
class Definition:
    """A definition as a template has it: its comment, a paragraph in one line, and its text."""

    doc: tuple[str, ...]
    text: str


def paragraphs(lines: Iterable[str]) -> tuple[str, ...]:
    """Return the paragraphs of a comment as one line each, with an empty one between two."""
    found = [""]
    for line in lines:
        if line:
            found[-1] = f"{found[-1]} {line}".lstrip()
        elif found[-1]:
            found += ["", ""]
    return tuple(found if found[-1] else found[:-2])


def c_definitions(text: str) -> dict[str, Definition]:
    """Return the definitions of a C template, each a comment and what ends in a brace, by their names."""
    found = {}
    for comment, definition in _C.findall(text):
        doc = paragraphs(line.removeprefix(" *").strip() for line in comment.strip().splitlines())
        name = re.search(r"(\w+)[(\[]| (\w+) =", definition)
        if name is None:
            raise ValueError(f"no name in {definition}")
        found[name[1] or name[2]] = Definition(doc, f"{definition}\n")
    return found


def rust_definitions(text: str) -> dict[str, Definition]:
    """Return the definitions of a Rust template, each with a comment, by their names."""
    found = {}
    for comment, definition in _RUST.findall(text):
        doc = paragraphs(line.removeprefix("///").strip() for line in comment.splitlines())
        name = re.search(r"\b(?:fn|const(?! fn)|static|struct|type) (\w+)", definition)
        if name is None:
            raise ValueError(f"no name in {definition}")
        found[name[1]] = Definition(doc, f"{definition}\n")
    return found

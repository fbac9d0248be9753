"""Functions on field elements as printed in a language: the claims to prove about their text."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from textwrap import dedent
from typing import TYPE_CHECKING

from efdgen.generator.fields.loops import EmittedLoop, in_c
from efdgen.generator.fields.quadratic import RUST_NAMES
from efdgen.generator.limbs.rust import HELPERS
from efdgen.generator.text.environment import environment

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from efdgen.generator.fields.field import Field
    from efdgen.generator.fields.pieces import FieldFunction, Language, Names
    from efdgen.generator.fields.root_steps import RootSteps
    from efdgen.generator.mathematics.ground import Ground
    from efdgen.generator.options import Target

# The type of elements of GF(p²) in Rust, which has all their functions.
PAIRS = "FieldElement2"
# Functions that are not public and that proofs of loops take as what they are called.
_TAKEN = frozenset({"from_canonical"})
_QUADRATIC_NAMES = {**RUST_NAMES, "sqr_n": "square_n", "inv_batch": "invert_batch"}


@dataclass(frozen=True)
class Build:
    """Elements in one word size: ``limbs`` words at ``positions``, times ``radix``.

    A number in [0, p), or a polynomial of degree below m, has ``words`` words.
    """

    word: int
    limbs: int
    words: int
    radix: int
    positions: tuple[int, ...]


@dataclass(frozen=True)
class EmittedFunction:
    """A public function on elements, and all that it calls that is not public.

    ``name`` is its name in C without prefix, ``fe_mul`` or ``fe2_mul``, and ``routine`` the one in its
    language. In C the prefix of ``text`` is ``fp``. ``constants`` are elements of other text, by their names,
    beside 0 and 1.
    """

    name: str
    routine: str
    language: Language
    text: str
    ground: Ground
    nonresidue: int | None
    builds: tuple[Build, ...]
    constants: tuple[tuple[str, int], ...] = ()

    @property
    def quadratic(self) -> bool:
        """Return whether it is a function on elements of GF(p²)."""
        return self.name.startswith("fe2_")


@dataclass(frozen=True)
class EmittedWords:
    """A language's text for functions on one word or two, of ``word`` bits each, for all compilers."""

    word: int
    language: Language
    text: str

    @property
    def name(self) -> str:
        """The kind of text, in a word."""
        return f"{self.word}-bit words"


@dataclass(frozen=True)
class EmittedPolynomials(EmittedWords):
    """A language's text for polynomials over GF(2) in one word or two."""

    @property
    def name(self) -> str:
        """The kind of text, in a word."""
        return f"polynomials in {self.word}-bit words"


def emitted_polynomials(word: int, names: Names, language: Language) -> EmittedPolynomials:
    """Return the functions on polynomials over GF(2) that a field GF(2^m) has in words of a size."""
    if language == "rust":
        text = environment("rust").get_template("carryless.rs.j2").render(word=word, helpers=HELPERS)
    else:
        text = in_c(environment("c").get_template(f"carryless{word}.h.j2").render(names.template), names)
    return EmittedPolynomials(word, language, text)


def emitted_words(
    word: int, names: Names, language: Language, *, target: Target = "portable", carryless: bool = False
) -> EmittedWords:
    """Return the functions on words of a size that a field may have, for a compiler or a machine.

    Fewer functions serve products that are carry-less.
    """
    if language == "rust":
        values = {"word": word, "helpers": HELPERS}
        return EmittedWords(word, language, environment("rust").get_template("words.rs.j2").render(values))
    templates = ["mask.h.j2", f"words{word}.h.j2"]
    templates += [] if carryless else [f"columns{word}.h.j2", f"signed{word}.h.j2"]
    values = {**names.template, "target": target, "carryless": carryless}
    texts = [environment("c").get_template(name).render(values) for name in templates]
    size = f"#define {names.prefix.upper()}_WORD_BITS {word}"
    return EmittedWords(word, language, in_c("\n".join((size, *texts)), names))


def with_texts(
    offered: Mapping[str, FieldFunction], field: Field, names: Names, language: Language
) -> dict[str, FieldFunction]:
    """Return functions with the text of each public one among its claims.

    Functions that the proofs of loops take as given are treated likewise. Functions with loops of divsteps
    have these claims already.
    """

    def claims(function: FieldFunction) -> tuple[EmittedLoop | RootSteps | EmittedFunction, ...]:
        told = function.public or function.name in _TAKEN
        if not told or any(isinstance(claim, EmittedLoop) for claim in function.claims):
            return function.claims
        text = _text_of(function, offered, names, language)
        return (*function.claims, *([emitted(function, text, field, language)] if text else []))

    return {name: replace(function, claims=claims(function)) for name, function in offered.items()}


def emitted(function: FieldFunction, text: str, field: Field, language: Language) -> EmittedFunction:
    """Return a function as it is printed, in a text with what it calls that is not public."""
    name = function.name if _is_quadratic(function) else f"fe_{function.name}"
    return EmittedFunction(
        name,
        name if language == "c" else _rust_name(function),
        language,
        text,
        field.ground,
        field.nonresidue,
        tuple(
            Build(found.word, found.limbs, found.words, found.radix, found.plan.reduction.positions)
            for found in field.representations
        ),
    )


def _text_of(
    function: FieldFunction, offered: Mapping[str, FieldFunction], names: Names, language: Language
) -> str:
    """Return what is printed of a function and of what it calls that is not public; empty if nothing is."""
    parts = tuple(_parts(function, offered, names, set()))
    if language == "c":
        mask = environment("c").get_template("mask.h.j2").render(names.template)
        return in_c("\n".join((mask, *(part.c for part in parts))), names) if function.c else ""
    rust = "\n".join(part.rust for part in parts if not _is_quadratic(part))
    rust = f"{rust}\n{_methods(offered)}" if _is_quadratic(function) else rust
    return rust if re.search(rf"\bfn {_rust_name(function)}\(", rust) else ""


def _parts(
    function: FieldFunction, offered: Mapping[str, FieldFunction], names: Names, taken: set[str]
) -> Iterator[FieldFunction]:
    """Yield a function after what it mentions that is not public."""
    taken.add(function.name)
    mentioned = re.findall(rf"\b{names.prefix}_(?:fe_)?(\w+)", function.c)
    mentioned += re.findall(r"\b\w+\b", function.rust)
    for name in mentioned:
        for known in dict.fromkeys((name, name.lower())):
            if known in offered and known not in taken and not offered[known].public and known != PAIRS:
                yield from _parts(offered[known], offered, names, taken)
    yield function


def _methods(offered: Mapping[str, FieldFunction]) -> str:
    """Return the methods of elements of GF(p²)."""
    _, _, methods = offered[PAIRS].rust.partition(f"impl {PAIRS} {{\n")
    return dedent(methods.partition("\n}\n")[0])


def _is_quadratic(function: FieldFunction) -> bool:
    return function.name.startswith("fe2_")


def _rust_name(function: FieldFunction) -> str:
    """Return the name of a method of elements of GF(p), or of GF(p²)."""
    name = function.name.removeprefix("fe2_")
    return _QUADRATIC_NAMES.get(name, name) if _is_quadratic(function) else function.rust_name

"""Functions on field elements as they are printed: what is to be proved of their text, in both languages."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from textwrap import dedent
from typing import TYPE_CHECKING

from efdgen.generator.fields.loops import EmittedLoop, in_c
from efdgen.generator.fields.quadratic import RUST_NAMES
from efdgen.generator.render.environment import environment

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from efdgen.generator.fields.field import Field
    from efdgen.generator.fields.pieces import FieldFunction, Names
    from efdgen.generator.fields.root_steps import RootSteps

# The type of elements of GF(p²) in Rust, which has all their functions.
PAIRS = "FieldElement2"
_QUADRATIC_NAMES = {**RUST_NAMES, "sqr_n": "square_n", "inv_batch": "invert_batch"}


@dataclass(frozen=True)
class Build:
    """What elements are with words of a size: ``limbs`` words at ``positions``, times ``radix``.

    A number in [0, p) has ``words`` words.
    """

    word: int
    limbs: int
    words: int
    radix: int
    positions: tuple[int, ...]


@dataclass(frozen=True)
class EmittedFunction:
    """A public function on elements, and all that it calls that is not public.

    ``name`` is what stands behind the prefix in C, ``fe_mul`` or ``fe2_mul``. ``c`` and ``rust`` are the
    texts, in C with ``fp`` for a prefix; one is empty where a language does without.
    """

    name: str
    rust_name: str
    c: str
    rust: str
    prime: int
    nonresidue: int | None
    builds: tuple[Build, ...]

    @property
    def quadratic(self) -> bool:
        """Whether it is a function on elements of GF(p²)."""
        return self.name.startswith("fe2_")


@dataclass(frozen=True)
class EmittedWords:
    """What C and Rust make of one word or two, of ``word`` bits each: texts for all compilers."""

    word: int
    c: str
    rust: str

    @property
    def name(self) -> str:
        """What it is, in a word."""
        return f"{self.word}-bit words"


def emitted_words(word: int, names: Names) -> EmittedWords:
    """Return the functions on words of a size that a field may have."""
    templates = ("mask.h.j2", f"words{word}.h.j2", f"columns{word}.h.j2", f"signed{word}.h.j2")
    texts = [environment("c").get_template(name).render(names.template) for name in templates]
    size = f"#define {names.prefix.upper()}_WORD_BITS {word}"
    values = {"word": word, "helpers": ("add_carry", "sub_borrow", "mul_wide", "mask")}
    rust = environment("rust").get_template("words.rs.j2").render(values)
    return EmittedWords(word, in_c("\n".join((size, *texts)), names), rust)


def with_texts(offered: Mapping[str, FieldFunction], field: Field, names: Names) -> dict[str, FieldFunction]:
    """Return functions with what is printed of each public one added to what is to be proved of it.

    Those with loops of division steps have been given these already, with all that is printed of them.
    """

    def claims(function: FieldFunction) -> tuple[EmittedLoop | RootSteps | EmittedFunction, ...]:
        if not function.public or any(isinstance(claim, EmittedLoop) for claim in function.claims):
            return function.claims
        return (*function.claims, emitted(function, offered, field, names))

    return {name: replace(function, claims=claims(function)) for name, function in offered.items()}


def emitted(
    function: FieldFunction, offered: Mapping[str, FieldFunction], field: Field, names: Names
) -> EmittedFunction:
    """Return a function as it is printed, with what it calls that is not public."""
    parts = tuple(_parts(function, offered, names, set()))
    mask = environment("c").get_template("mask.h.j2").render(names.template)
    c = in_c("\n".join((mask, *(part.c for part in parts))), names) if function.c else ""
    quadratic = function.name.startswith("fe2_")
    rust = "\n".join(part.rust for part in parts if not part.name.startswith("fe2_"))
    rust = f"{rust}\n{_methods(offered)}" if quadratic else rust
    rust_name = _quadratic_name(function) if quadratic else function.rust_name
    return EmittedFunction(
        function.name if quadratic else f"fe_{function.name}",
        rust_name if re.search(rf"\bfn {rust_name}\(", rust) else "",
        c,
        rust,
        field.prime,
        field.nonresidue,
        tuple(
            Build(found.word, found.limbs, found.words, found.radix, found.plan.reduction.positions)
            for found in field.representations
        ),
    )


def _parts(
    function: FieldFunction, offered: Mapping[str, FieldFunction], names: Names, taken: set[str]
) -> Iterator[FieldFunction]:
    """Yield a function behind what it mentions that is not public."""
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


def _quadratic_name(function: FieldFunction) -> str:
    """Return the name of a method of elements of GF(p²)."""
    name = function.name.removeprefix("fe2_")
    return _QUADRATIC_NAMES.get(name, name)

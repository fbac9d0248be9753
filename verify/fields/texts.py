"""A field's printed loops, parsed, with their dependencies on the surrounding field."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from efdgen.verify.verdicts import Refuted
from efdgen.verify.words.c import read_c
from efdgen.verify.words.reader import NotReadError
from efdgen.verify.words.rust import read_rust
from efdgen.verify.words.tree import Constant, Literal, Routines

if TYPE_CHECKING:
    from efdgen.generator.fields.loops import EmittedLoop


@lru_cache(maxsize=64)
def routines(loop: EmittedLoop) -> Routines:
    """Return the routines of a loop, for words of the size that it is for.

    Raises :class:`Refuted` where something is printed that is not understood.
    """
    word, modulus = loop.arrangement.word, loop.arrangement.modulus
    bits = modulus.bit_length()
    given = {
        "WORD_BITS": word,
        "WORDS": -(-bits // word),
        "FE_BITS": bits,
        "FieldElement::BITS": bits,
        "FieldElement::BYTES": (bits + 7) // 8,
    }
    try:
        read = read_c(loop.text, word) if loop.language == "c" else read_rust(loop.text)
    except NotReadError as error:
        raise Refuted(f"what is printed is not understood: {error}") from None
    known = {name: Constant(name, None, Literal(value)) for name, value in given.items()}
    return Routines(loop.language, read.functions, {**known, **read.constants})

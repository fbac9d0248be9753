"""The functions of a field, and the proof of each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.fields.bundle import field_functions, limb_functions, proof_lines
from efdgen.generator.fields.emitted import emitted_polynomials, emitted_words
from efdgen.generator.fields.pieces import Names
from efdgen.generator.render.field.bundle import wanted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from efdgen.generator.fields.claims import Claims
    from efdgen.generator.fields.pieces import Language
    from efdgen.generator.fields.request import FieldRequest

_PROVED = "Proved: "


def proofs(request: FieldRequest, claims: Claims) -> Iterator[dict[str, object]]:
    """Yield of each function its ``name`` in C, the bits of a ``word`` where they matter, what is ``proved``.

    These are the functions on elements that a request asks for and those that they call, and for each size of
    words the functions on words; those on one or two are under one name.
    """
    field, prefix, names = request.field(), request.prefix, Names(request.prefix)
    language: Language = "rust" if request.lang == "rust" else "c"
    functions = field_functions(field, names, wanted(field, names, request.operations, language), language)
    for function in functions:
        if function.public and function.claims:
            lines = [line.removeprefix(_PROVED) for line in proof_lines(function, claims)]
            pair = function.name.startswith("fe2_")
            name = f"{prefix}_{function.name}" if pair else f"{names.template['fe']}_{function.name}"
            yield {"name": name, "word": None, "proved": lines}
    for representation in field.representations:
        target = representation.plan.target
        words = emitted_words(representation.word, names, language, target=target, carryless=field.is_binary)
        proved = [f"{claims.statement(words)}."]
        yield {"name": f"{prefix}_word_*", "word": words.word, "proved": proved}
        if field.is_binary:
            proved = [f"{claims.statement(emitted_polynomials(representation.word, names, language))}."]
            yield {"name": f"{prefix}_poly_*", "word": words.word, "proved": proved}
        for found in limb_functions(representation, functions, names, claims, language):
            lines = [line.removeprefix(_PROVED) for line in found.doc if line.startswith(_PROVED)]
            yield {"name": f"{prefix}_limbs_{found.name}", "word": representation.word, "proved": lines}

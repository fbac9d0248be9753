"""Divstep loops as printed in a language: the claims to prove about their text."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from efdgen.generator.fields.core import PRIVATE
from efdgen.generator.fields.division_steps import DivisionSteps
from efdgen.generator.fields.root_steps import RootSteps
from efdgen.generator.text.environment import environment

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Mapping

    from efdgen.generator.fields.halvings import Halvings
    from efdgen.generator.fields.pieces import FieldFunction, Language, Names, Steps

PREFIX = "fp"
# Text for every size of words comes first.
_HEADS = ("mask.h.j2", "signed{word}.h.j2")


@dataclass(frozen=True)
class EmittedLoop:
    """A public function whose loops do divsteps, and all that it calls of its own.

    ``function`` is its name in C without prefix, and ``routine`` the one in its language. ``text`` leaves out
    the field's operations; in C the prefix is ``fp``.
    """

    steps: DivisionSteps | Halvings
    function: str
    routine: str
    language: Language
    text: str

    @property
    def arrangement(self) -> DivisionSteps:
        """The steps one by one."""
        return self.steps if isinstance(self.steps, DivisionSteps) else self.steps.arrangement


def with_claims(
    offered: Mapping[str, FieldFunction], names: Names, language: Language
) -> dict[str, FieldFunction]:
    """Return functions with what is to be proved of their steps, and of the text that does them."""

    def claim(steps: Steps, function: FieldFunction) -> EmittedLoop | RootSteps:
        return steps if isinstance(steps, RootSteps) else _loop(steps, function, offered, names, language)

    return {
        name: replace(function, claims=tuple(claim(steps, function) for steps in function.steps))
        for name, function in offered.items()
    }


def _loop(
    steps: DivisionSteps | Halvings,
    function: FieldFunction,
    offered: Mapping[str, FieldFunction],
    names: Names,
    language: Language,
) -> EmittedLoop:
    parts = tuple(_parts(function, offered, set()))
    name = f"fe_{function.name}"
    if language == "rust":
        text = "\n".join(part.rust for part in parts)
        return EmittedLoop(steps, name, function.rust_name, language, text)
    word = steps.word if isinstance(steps, DivisionSteps) else steps.arrangement.word
    templates = [environment("c").get_template(name.format(word=word)) for name in _HEADS]
    c = [template.render(names.template) for template in templates] + [part.c for part in parts]
    return EmittedLoop(steps, name, name, language, in_c("\n".join(c), names))


def in_c(text: str, names: Names, renamed: Container[str] | None = None) -> str:
    """Return a text in C with ``fp`` for a prefix.

    ``renamed`` are the names with the prefix, if others begin with it too: ``r_wide`` for the prefix ``r``.
    """
    # Macros are known by what follows: a prefix in capitals is theirs and the functions' alike.
    for prefix, wanted, letter in (
        (names.prefix.upper(), PREFIX.upper(), "[A-Z]"),
        (names.prefix, PREFIX, "[a-z]"),
    ):

        def name(found: re.Match[str], wanted: str = wanted) -> str:
            return f"{wanted}_{found[1]}" if renamed is None or found[0] in renamed else found[0]

        text = re.sub(rf"\b{prefix}_((?!(?:t|C|MAX)\b){letter}\w*)", name, text)  # int64_t is C's
    return text


def _parts(
    function: FieldFunction, offered: Mapping[str, FieldFunction], taken: set[str]
) -> Iterator[FieldFunction]:
    """Yield what a function is made of, each after what it calls."""
    taken.add(function.name)
    for name in function.requires:
        if name in offered and name not in {*taken, *PRIVATE} and not offered[name].public:
            yield from _parts(offered[name], offered, taken)
    yield function

"""From a pair of templates, C and Rust, to the functions of a piece, with requirements read off the text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from efdgen.generator.fields.pieces import Definition, FieldFunction, Gives, c_definitions, rust_definitions
from efdgen.generator.text.environment import environment

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from efdgen.generator.fields.pieces import Names, Steps

_NOTHING = Definition((), "")


class Entry(NamedTuple):
    """A definition's name in C after the prefix, and in Rust; either may be empty.

    One that is public is ``PREFIX_fe_…`` in C, and is called by a driver as ``takes`` and ``gives`` say; what
    it gives rests on the steps of its piece.
    """

    c: str
    rust: str
    public: bool = False
    takes: str = ""
    gives: Gives = None


def functions(
    template: str,
    entries: Sequence[Entry],
    names: Names,
    c_values: Mapping[str, object],
    rust_values: Mapping[str, object],
    steps: tuple[Steps, ...] = (),
) -> Iterator[FieldFunction]:
    """Yield what ``template``.h.j2 and ``template``.rs.j2 define, in the order of the entries.

    ``steps`` are what public functions do, and what is to be proved of them.
    """
    text = environment("c").get_template(f"{template}.h.j2").render(names.template, **c_values)
    c = c_definitions(text)
    rust = rust_definitions(environment("rust").get_template(f"{template}.rs.j2").render(**rust_values))
    for entry in entries:
        long_name = f"{names.template['fe'] if entry.public else names.prefix}_{entry.c}"
        in_c = c[long_name] if entry.c else _NOTHING
        in_rust = rust[entry.rust] if entry.rust else _NOTHING
        yield FieldFunction(
            name=entry.c or entry.rust,
            doc=in_c.doc or in_rust.doc,
            c=in_c.text,
            rust=in_rust.text,
            rust_name=entry.rust,
            requires=tuple(_required(in_c.text, in_rust.text, names)),
            public=entry.public,
            takes=entry.takes,
            gives=entry.gives,
            rust_doc=in_rust.doc,
            steps=steps if entry.gives else (),
        )


def _required(c: str, rust: str, names: Names) -> Iterator[str]:
    """Yield what texts mention and some piece may have: in Rust, items and words of several parts."""
    for name in dict.fromkeys(re.findall(rf"\b{names.prefix}_([a-z]\w*)", c)):
        yield name.removeprefix("fe_")
    for name in dict.fromkeys(re.findall(r"\b(?:[A-Z]\w*|\w+_\w+)\b", rust)):
        yield name
        yield name.lower()

"""Final C sources: the output of templates, with long lines broken."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from efdgen.generator.text.c import WIDTH, broken, comment
from efdgen.generator.text.environment import environment
from efdgen.generator.text.wrap import wrap

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_SENTENCE = re.compile(r" *\* [a-z\d]")

# Preferred places to break a line, best first.
_LOOSE, _OPERATORS = ("&& ", "|| ", "? ", ": "), ("+ ", "- ", "| ", "& ", "<< ", ">> ")


def source(template: str, values: Mapping[str, Any]) -> str:
    """Print a template of C, with no line that is too long."""
    return fitted(environment("c").get_template(template).render(values))


def sources(values: Mapping[str, Any], header: str = "header.h.j2") -> dict[str, str]:
    """Print ``PREFIX.h``, a header for each further size of words, and ``PREFIX.c`` in the split layout."""
    prefix = values["prefix"]
    files = {f"{prefix}.h": source(header, values)}
    for build in values["builds"][1:]:
        files[f"{prefix}_{build.word}.h"] = source("build.h.j2", {**values, "build": build})
    if values["split"]:
        files[f"{prefix}.c"] = source("source.c.j2", values)
    return files


def fitted(text: str) -> str:
    """Break what is too long for a line in a source text: signatures, statements and lines of comments."""
    lines: list[str] = []
    inside = overflows = False
    for given in text.split("\n"):
        # The rest of a comment's line joins the next line if a sentence goes on there.
        goes_on = inside and overflows and _SENTENCE.match(given)
        line = f"{lines.pop()} {given.lstrip(' *')}" if goes_on else given
        comment_begins = line.lstrip().startswith("/*")
        overflows = (inside or comment_begins) and len(line) > WIDTH
        if len(line) <= WIDTH or line.startswith("#"):
            lines.append(line)
        elif inside or comment_begins:
            lines += _fitted_comment(line)
        elif line[0] != " " and "(" in line:
            end = " {" if line.endswith(" {") else ""
            lines += f"{broken(line.removesuffix(end))}{end}".split("\n")
        else:
            lines += _fitted_code(line)
        inside = (inside or comment_begins) and "*/" not in line
    return "\n".join(lines)


def _fitted_comment(line: str) -> list[str]:
    """Break a line of a comment at spaces; what follows is under its text."""
    margin = " " * (len(line) - len(line.lstrip()))
    if "*/" in line:
        inner = line.strip().removeprefix("/*").removesuffix("*/").strip()
        return [f"{margin}{part}" for part in comment([inner], WIDTH - len(margin)).split("\n")]
    # A star and a long word: a line with the star alone would end the command of a header.
    if len(line.split()) == 2:
        return [line]
    star = " * " if line.lstrip().startswith("/*") else "* "
    return wrap(line, WIDTH, subsequent_indent=margin + star)


def _fitted_code(line: str) -> list[str]:
    """Break a statement where fewest brackets are open: after commas, before operators, or after =."""
    if len(line) <= WIDTH:
        return [line]
    margin = len(line) - len(line.lstrip())
    places = [
        (at < WIDTH // 3, depth + (not loose), -at)
        for at, depth in _spaces(line)
        if at <= WIDTH
        and (
            (loose := line[at - 1] in ",;" or line[at + 1 :].startswith(_LOOSE))
            or line[at - 1] == "="
            or line[at + 1 :].startswith(_OPERATORS)
        )
    ]
    if not places:
        return [line]
    at = -min(places)[-1]
    rest = f"{' ' * (margin + (8 if line.endswith('{') else 4))}{line[at + 1 :]}"
    return [line[:at], *_fitted_code(rest)] if len(rest) < len(line) else [line]


def _spaces(line: str) -> Iterator[tuple[int, int]]:
    """Yield the places of spaces outside strings, after the margin, and in how many brackets they are."""
    depth, quoted = 0, False
    for at, character in enumerate(line):
        if character == '"' and line[at - 1] != "\\":
            quoted = not quoted
        if not quoted:
            depth += (character in "([{") - (character in ")]}")
            if character == " " and line[:at].strip():
                yield at, depth

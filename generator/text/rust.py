"""Pieces of Rust text, broken as rustfmt breaks them: comments, arrays, signatures, numbers."""

from __future__ import annotations

import re
from itertools import accumulate
from typing import TYPE_CHECKING

from efdgen.generator.text.wrap import wrap, wrapped

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

WIDTH = 100

# rustfmt breaks arguments and elements of an array that together are longer than this, and puts elements
# that are as short as that side by side.
_SHORT = 60
_SHORT_ELEMENT = 10


def comment(lines: Iterable[str], mark: str, width: int = WIDTH) -> str:
    """Return a comment of lines, each broken where it is wider than that."""
    broken = [part for line in lines for part in wrapped(line, width - len(mark) - 1)]
    return "\n".join(f"{mark} {line}".rstrip() for line in broken)


def fitted(text: str) -> str:
    """Break the lines of comments that are too long in a source text; code is as rustfmt has it."""
    lines = []
    for line in text.split("\n"):
        if len(line) > WIDTH and (found := re.match(r"( *//[/!]?) ", line)):
            mark = f"{found[1]} "
            lines += wrap(line, WIDTH, subsequent_indent=mark)
        else:
            lines.append(line)
    return "\n".join(lines)


def hexadecimal(value: int, digits: int = 0) -> str:
    """Write a number in hexadecimal, in groups of four digits, with leading zeros up to ``digits``."""
    text = f"{value:0{digits}x}"
    first = len(text) % 4
    groups = [text[:first], *(text[at : at + 4] for at in range(first, len(text), 4))]
    return "0x" + "_".join(group for group in groups if group)


def array(head: str, items: Sequence[str], indent: int = 0) -> str:
    """Return ``head [item, item, …];``, which is ``indent`` columns to the right."""
    line = f"[{', '.join(items)}]"
    if len(line) <= _SHORT:
        whole = f"{head} {line};"
        return whole if indent + len(whole) <= WIDTH else f"{head}\n    {line};"
    if all(len(item) <= _SHORT_ELEMENT for item in items):
        room = WIDTH - indent - 5
        rows = wrap(f"{', '.join(items)},", room)
    else:
        rows = [f"{item}," for item in items]
    return "\n".join([f"{head} [", *(f"    {row}" for row in rows), "];"])


def call(head: str, function: str, argument: str) -> str:
    """Return ``head function(argument);``."""
    for text in (f"{head} {function}({argument});", f"{head}\n    {function}({argument});"):
        if len(argument) <= _SHORT and max(map(len, text.splitlines())) <= WIDTH:
            return text
    return f"{head} {function}(\n    {argument},\n);"


def filled(text: str, indent: int) -> list[str]:
    """Break a text that rustfmt shall skip at its spaces, so that lines are filled."""
    margin = " " * indent
    return wrap(text, WIDTH, initial_indent=margin, subsequent_indent=f"{margin}    ")


def binding(head: str, value: str, indent: int) -> list[str]:
    """Return ``head value;``, the value on a line of its own where both are too long for one."""
    line = f"{head} {value};"
    return [line] if indent + len(line) <= WIDTH else [head, f"    {value};"]


def statement(text: str, indent: int) -> list[str]:
    """Break a call that is alone where it is too long for a line, or its arguments are."""
    head, parenthesis, rest = text.partition("(")
    arguments = rest.removesuffix(");")
    if not re.fullmatch(r"[\w:]+", head) or not parenthesis or not _is_closed(arguments):
        return [text]
    if len(arguments) <= _SHORT and indent + len(text) <= WIDTH:
        return [text]
    return [f"{head}(", *(f"    {argument}," for argument in arguments.split(", ")), ");"]


def _is_closed(arguments: str) -> bool:
    """Return whether no parenthesis of a call's arguments closes the call itself."""
    depths = accumulate({"(": 1, ")": -1}.get(character, 0) for character in arguments)
    return min(depths, default=0) >= 0


def signature(text: str, indent: int = 0) -> str:
    """Break the signature of a function, without its brace, where it is too long for a line."""
    if indent + len(text) + len(" {") <= WIDTH:
        return text
    opening = text.index("(", text.index("fn "))
    head, rest = text[:opening], text[opening + 1 :]
    arguments, arrow, result = rest.partition(") -> ")
    lines = [f"    {argument}," for argument in arguments.removesuffix(")").split(", ")]
    return "\n".join([f"{head}(", *lines, f"{arrow}{result}" or ")"])


def indented(text: str, by: int = 4) -> str:
    """Shift every line that is not empty to the right."""
    return "\n".join(f"{'':{by}}{line}" if line else "" for line in text.split("\n"))


def broken(line: str, indent: int) -> list[str]:
    """Break a line of a function where it is too long, as rustfmt does."""
    text = line.lstrip()
    margin = line[: len(line) - len(text)]
    return [f"{margin}{part}" for part in statement(text, indent + len(margin))]

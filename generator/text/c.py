"""Pieces of C text: comments, functions, numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from efdgen.generator.text.wrap import wrap, wrapped

if TYPE_CHECKING:
    from collections.abc import Iterable

WIDTH = 100
_ASCII = {"·": "*", "±": "+-", "λ": "lambda", "β": "beta", "²": "^2", "³": "^3", "Σ": "the sum of "}


@dataclass(frozen=True)
class Function:
    """A function's comment, its signature without linkage, and the lines of its body.

    It may be a constant as well, with ``};`` for the end.
    """

    doc: str
    signature: str
    body: str
    end: str = "}"

    @property
    def name(self) -> str:
        """The function's name."""
        return self.signature.partition("(")[0].split(" ")[-1]

    @property
    def internal(self) -> bool:
        """Return whether the function is none of the interface."""
        return self.signature.startswith("static ") or self.signature.partition(" ")[0].endswith("_INLINE")

    def linked(self, linkage: str) -> str:
        """Return the signature with a linkage, unless it has one already."""
        return broken(self.signature if self.internal else linkage + self.signature)


def number(value: int) -> str:
    """Write a number, a long one in hexadecimal in groups of 16 digits."""
    if value < 1 << 32:
        return str(value)
    digits = f"{value:X}"
    first = len(digits) % 16
    groups = [digits[:first], *(digits[at : at + 16] for at in range(first, len(digits), 16))]
    return "0x" + " ".join(group for group in groups if group)


def comment(lines: Iterable[str], width: int = WIDTH) -> str:
    """Return a block comment of lines, each broken where it is too long."""
    broken = [part for line in lines for part in wrapped(harmless(line), width - len(" * "))]
    if len(broken) == 1 and len(broken[0]) <= width - len("/*  */"):
        return f"/* {broken[0]} */"
    return "\n".join([f"/* {broken[0]}", *(f" * {line}".rstrip() for line in broken[1:]), " */"])


def in_ascii(text: str) -> str:
    """Return a text with ASCII for the mathematical signs in it."""
    for sign, ascii_sign in _ASCII.items():
        text = text.replace(sign, ascii_sign)
    return text


def harmless(text: str) -> str:
    """Respell what would begin or end a comment, so that a shell still reads a quoted glob as it was."""
    return text.replace("*/", "*''/").replace("/*", "/''*")


def broken(signature: str) -> str:
    """Break a signature that is too long for a line after a comma; a constant has none."""
    if len(signature) + len(" {") <= WIDTH or "(" not in signature:
        return signature
    head, _, arguments = signature.partition("(")
    if len(arguments) + len("     {") > WIDTH:
        arguments = arguments.replace(", ", ",\n    ")
    return f"{head}(\n    {arguments}"


def statements(lines: Iterable[str]) -> list[str]:
    """Put each statement on a line of its own, and break it where it is too long for a function's body.

    A declaration of several words is broken after a comma.
    """
    split: list[str] = []
    for line in lines:
        parts = [line] if "/*" in line else line.replace("; ", ";\n").splitlines()
        for part in parts:
            kept = part if "(" in part else part.replace(" = ", "\xa0=\xa0")
            split += (found.replace("\xa0", " ") for found in wrap(kept, WIDTH - 4, subsequent_indent="    "))
    return split

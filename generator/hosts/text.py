"""Pieces of text in a host's language: comments, signatures, and numbers in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.text.wrap import wrapped

if TYPE_CHECKING:
    from collections.abc import Iterable

    from efdgen.generator.hosts.host import Host

WIDTH = 100


def words_text(value: int, prime: int, language: str = "c") -> dict[str, str]:
    """Return a number modulo a prime as constants may have it, by what is in braces there."""
    bits = prime.bit_length()
    limbs, suffix = -(-bits // 64), "UL" if language == "c" else ""
    montgomery = (value << 64 * limbs) % prime
    return {
        "words32": ", ".join(f"0x{word:08x}{suffix}" for word in _words(value, 32, 2 * limbs)[::-1]),
        "words64": ", ".join(f"0x{word:016x}" for word in _words(value, 64, limbs)),
        "montgomery64": ", ".join(f"0x{word:016x}" for word in _words(montgomery, 64, limbs)),
        "hex": f"{value:0{-(-bits // 8) * 2}x}",
    }


def _words(value: int, bits: int, count: int) -> list[int]:
    """Split a non-negative integer into words, least significant first."""
    return [value >> bits * index & (1 << bits) - 1 for index in range(count)]


def comment(host: Host, lines: Iterable[str], mark: str = "") -> str:
    """Return a comment of lines in the host's language, each broken where it is too long."""
    lines = lines if host.language == "rust" else map(harmless, lines)
    parts = [part for line in lines for part in wrapped(line, WIDTH - len(" * "))]
    if host.language == "rust":
        return "\n".join(f"{mark or '///'} {part}".rstrip() for part in parts)
    return "\n".join([f"/** {parts[0]}", *(f" *  {part}".rstrip() for part in parts[1:]), " */"])


def harmless(text: str) -> str:
    """Return a text that neither ends a comment of C nor begins another; a shell reads it as before."""
    return text.replace("*/", "*''/").replace("/*", "/''*")


def broken(signature: str, host: Host) -> str:
    """Break a signature that is too long after commas, as the formatter of the language does."""
    before, _, last = signature.rpartition("\n")
    if len(last) + len(" {") <= WIDTH:
        return signature
    head, _, rest = last.partition("(")
    arguments, closing, results = rest.rpartition(")") if host.language == "c" else rest.partition(") -> ")
    if host.language == "c" and len(arguments) + 7 <= WIDTH:
        text = f"{head}(\n    {arguments}{closing}{results}"
    elif host.language == "c":
        text = f"{head}(\n    " + arguments.replace(", ", ",\n    ") + closing + results
    else:
        text = f"{head}(\n    " + arguments.replace(", ", ",\n    ") + f",\n{closing}{results}"
    return f"{before}\n{text}" if before else text

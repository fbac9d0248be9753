"""Listings of images, as objdump prints them."""

from __future__ import annotations

import re
from collections.abc import Iterator

_LINE = re.compile(r"^ *([0-9a-f]+):\t([a-z0-9]+)[^\t\n]*\t?(.*)$", re.M)
_MOVED = re.compile(r"sp\b|.*\[sp.*(\]!|\],)")


def instructions(listing: str) -> Iterator[tuple[int, str, str]]:
    """Yield the address, the name without suffixes and the operands of each instruction."""
    for address, name, operands in _LINE.findall(listing):
        yield int(address, 16), name, operands


def moves_stack(listing: str) -> set[int]:
    """Return the addresses of instructions that change the stack pointer."""
    return {
        address
        for address, name, operands in instructions(listing)
        if name in ("push", "pop", "vpush", "vpop") or _MOVED.match(operands)
    }

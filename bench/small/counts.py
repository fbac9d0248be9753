"""Counts of a function's run."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Count:
    """Instructions that a function took, the bytes of stack that it wrote at most, and estimated cycles."""

    instructions: int
    stack: int
    cycles: int | None = None

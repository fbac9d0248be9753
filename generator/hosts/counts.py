"""Counts of the host's operations that a function calls."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from efdgen.generator.hosts.function import HostFunction


def operation_counts(function: HostFunction) -> str:
    """Return how often the host's operations are called: ``8 mul, 3 sqr, 10 add/negate``."""
    counted: Counter[str] = Counter()
    cheap: dict[str, None] = {}
    for line in function.placed.lines:
        operation = line.operation
        if operation.name in ("mul", "sqr", "inv"):
            counted[operation.name] += 1
        elif operation.name != "copy":
            counted["others"] += 1
            cheap[operation.note or operation.name] = None
    parts = [f"{counted[name]} {name}" for name in ("inv", "mul", "sqr") if counted[name]]
    if cheap:
        parts.append(f"{counted['others']} {'/'.join(sorted(cheap))}")
    return ", ".join(parts)

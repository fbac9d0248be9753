"""The result of a function with checks: whether all of its comparisons find their operands equal.

In C it is a variable that begins as 1, in Rust a new binding for each comparison.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection

    from efdgen.generator.hosts.host import Host


def verdict_name(taken: Collection[str]) -> str:
    """Return the name of the result, which no parameter has."""
    name = "accepted"
    while name in taken:
        name += "_"
    return name


def beginning(host: Host, name: str) -> list[str]:
    """Return the lines before all comparisons."""
    return [f"{host.style.verdict} {name} = 1;"] if host.language == "c" else []


def compared(host: Host, name: str, comparison: str, *, first: bool) -> str:
    """Return the line of a comparison, given its expression."""
    if host.language == "c":
        return f"{name} &= {comparison};"
    return f"let {name} = {'' if first else f'{name} & '}{comparison};"


def ending(host: Host, name: str) -> list[str]:
    """Return the lines after all comparisons; in Rust the result is a part of what is returned."""
    return [f"return {name};"] if host.language == "c" else []

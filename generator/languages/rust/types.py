"""Types of numbers in Rust, and of numbers in lanes."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from efdgen.generator.languages.bindings import Bindings

TYPES = {"int": "usize", "choice": "Choice", "byte": "u8", "word": "Word"}
LANE_TYPES = {**TYPES, "byte": "U8", "u32": "U32", "u64": "U64"}


def types_of(bindings: Bindings) -> Mapping[str, str]:
    """Return the names of the types of numbers, where they differ."""
    return LANE_TYPES if bindings.lanes else TYPES

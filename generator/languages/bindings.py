"""Names of routines in a language: types, functions and constants."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True)
class Bindings:
    """Names by the names in routines, where they differ.

    ``methods`` are functions that in Rust are methods of their first argument, ``in_place`` leaves that write
    their results there to their first arguments, as in C. ``blanks`` are what structures hold in Rust before
    they are written, and ``members`` the names of members.
    """

    functions: Mapping[str, str] = field(default_factory=dict)
    types: Mapping[str, str] = field(default_factory=dict)
    constants: Mapping[str, str] = field(default_factory=dict)
    methods: frozenset[str] = frozenset()
    in_place: frozenset[str] = frozenset()
    blanks: Mapping[str, str] = field(default_factory=dict)
    members: Mapping[str, str] = field(default_factory=dict)

"""An elliptic curve over GF(p)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True)
class Curve:
    """A curve over GF(p): a model's shape, its parameters, and what is known of its points.

    ``model`` is an id such as ``g1p/shortw``. Parameters and generator are in [0, p), by the model's own
    names of parameters and coordinates; ``order`` is the prime order of the generator, and
    order · cofactor is the number of points. What is None has not been claimed.
    """

    name: str
    aliases: tuple[str, ...]
    source: str
    model: str
    prime: int
    parameters: Mapping[str, int]
    generator: Mapping[str, int] | None
    order: int | None
    cofactor: int | None

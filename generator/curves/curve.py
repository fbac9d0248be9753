"""An elliptic curve over a finite field."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from efdgen.generator.mathematics.ground import Ground


@dataclass(frozen=True)
class Curve:
    """A curve over a finite field: a model, its parameters, a generator, and the number of points.

    ``model`` is an id such as ``g1p/shortw``. Parameters and generator are elements of the field, by the
    model's own names of parameters and coordinates; ``order`` is the prime order of the generator, and
    order · cofactor is the number of points. None is for a number that is not claimed. ``any`` is whether it
    stands for every curve of its model: then nothing that is said may depend on its parameters.
    """

    name: str
    aliases: tuple[str, ...]
    source: str
    model: str
    field: Ground
    parameters: Mapping[str, int]
    generator: Mapping[str, int] | None
    order: int | None
    cofactor: int | None
    any: bool = False

    @property
    def prime(self) -> int:
        """The prime p, of a curve over GF(p)."""
        assert not self.field.is_binary
        return self.field.prime

    @property
    def bits(self) -> int:
        """The length of an element in bits."""
        return self.field.bits

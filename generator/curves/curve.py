"""An elliptic curve over a finite field."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from efdgen.generator.mathematics.binary import BinaryField, order_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from efdgen.generator.mathematics.binary import Ground


@dataclass(frozen=True)
class Curve:
    """A curve over GF(p) or GF(2^m): a model's shape, its parameters, and what is known of its points.

    ``model`` is an id such as ``g1p/shortw``. For GF(2^m) ``prime`` is 2, and ``polynomial`` is irreducible,
    with bit i for x^i. Parameters and generator are elements, in [0, p) or in [0, 2^m), by the model's own
    names of parameters and coordinates; ``order`` is the prime order of the generator, and
    order · cofactor is the number of points. None is for a number that is not claimed.
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
    polynomial: int | None = None

    @property
    def field(self) -> Ground:
        """The field of the coordinates."""
        return self.prime if self.polynomial is None else BinaryField(self.polynomial)

    @property
    def bits(self) -> int:
        """The length of an element in bits."""
        return (order_of(self.field) - 1).bit_length()

"""Coordinate systems as quotients of variables: affine coordinates, or values that tell points apart."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping

Coordinates: TypeAlias = tuple[int, ...]
"""Values in [0, p) of the members of a type, in its order."""


@dataclass(frozen=True)
class Ratio:
    """An affine coordinate: factor·numerator/denominator^power in variables; no denominator is 1."""

    numerator: str
    denominator: str | None
    power: int
    factor: int = 1


@dataclass(frozen=True)
class Representation:
    """A coordinate system as generated code sees it.

    ``ratios`` are the affine coordinates x and y or, where they are not ``affine``, two quotients that tell
    points apart. ``denominators`` are the variables that must not be 0 in an affine point; where all of them
    are 0 a point is the identity if ``infinite``. ``extra`` are the variables beside numerators and
    denominators, such as T. ``generator`` and ``identity`` are in the point's members.
    """

    system: str
    ratios: Mapping[str, Ratio]
    denominators: tuple[str, ...]
    extra: tuple[str, ...]
    infinite: bool
    generator: Coordinates
    identity: Coordinates
    affine: bool = True

    @property
    def at_infinity(self) -> bool:
        """Return whether points whose denominators are 0 are the identity."""
        return self.infinite and self.affine

    @property
    def shared_numerator(self) -> str:
        """The numerator of both coordinates; nothing where they have two."""
        numerators = {ratio.numerator for ratio in self.ratios.values()}
        return numerators.pop() if len(numerators) == 1 else ""

    @property
    def powers(self) -> list[int]:
        """The power of the denominator of each coordinate."""
        return [ratio.power for ratio in self.ratios.values()]

    @property
    def factors(self) -> set[int]:
        """The factors of coordinates."""
        return {ratio.factor for ratio in self.ratios.values()}

    @property
    def batch(self) -> bool:
        """Return whether powers of one inverse, times one factor, make affine coordinates of X and Y."""
        numerators = [ratio.numerator for ratio in self.ratios.values()]
        one = len(self.denominators) == 1 and numerators == ["X", "Y"]
        plain = self.powers == [1, 1] and len(self.factors) == 1
        return one and (plain or (self.powers, self.factors) == ([2, 3], {1}))

    @property
    def batch_factor(self) -> int:
        """The factor that a batch multiplies by, 1 if there is none."""
        return min(self.factors) if self.batch else 1

"""A tiny curve for the trials of a formula."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from efdgen.verify.exceptions.tiny_curve import TinyCurve


class Specimen(NamedTuple):
    """A tiny curve, and values of all parameters of a formula on it.

    For a formula with a map there are the curve that it leads to and the image of every point.
    """

    curve: TinyCurve
    parameters: Mapping[str, int]
    target: TinyCurve
    images: Sequence[int] | None = None

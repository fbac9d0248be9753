"""The decision whether a difference is significant: a rival must win by more than the noise of a copy."""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, log
from statistics import median, quantiles
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True)
class Verdict:
    """Result of a rival against the current choice: medians of both, and their ratio, above 1 if faster.

    ``noise`` is the distance of that ratio from 1 for a copy of the current choice, in the outer quartiles.
    """

    before: float
    after: float
    ratio: float
    noise: float
    wins: bool


def compare(standing: Sequence[float], copy: Sequence[float], rival: Sequence[float]) -> Verdict:
    """Compare times of the same rounds, at least two; the current choice was timed twice, also as a copy.

    The rival wins where its median ratio is above the noise, and where it was faster in three rounds of four.
    """
    ratios = _ratios(standing, rival)
    own = _quartiles(_ratios(standing, copy))
    noise = max(abs(quartile - 1) for quartile in own)
    ratio = median(ratios)
    wins = ratio - 1 > noise and _quartiles(ratios)[0] > 1
    return Verdict(median(standing), median(rival), ratio, noise, wins)


def together(times: Sequence[Sequence[float]]) -> list[float]:
    """Return, round by round, the geometric mean of the times of several operations."""
    return [exp(sum(map(log, each)) / len(times)) for each in zip(*times, strict=True)]


def _ratios(above: Sequence[float], below: Sequence[float]) -> list[float]:
    return [one / other for one, other in zip(above, below, strict=True)]


def _quartiles(values: Sequence[float]) -> list[float]:
    return quantiles(values, n=4, method="inclusive")

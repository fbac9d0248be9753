"""Requests to the functions of a whole curve: all of a tiny one, edges and published multiples of others.

Affine laws answer, and integers of Python: :mod:`efdgen.verify.vectors.whole_expected`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from efdgen.verify.vectors.coset_cases import cosets
from efdgen.verify.vectors.even_points import even_points
from efdgen.verify.vectors.published import published_multiples
from efdgen.verify.vectors.whole_calls import calls_at_edges, every_call
from efdgen.verify.vectors.whole_draws import draws
from efdgen.verify.vectors.whole_edges import edges_of_digits
from efdgen.verify.vectors.whole_encodings import ENCODINGS, decodings
from efdgen.verify.vectors.whole_half import tested_sums
from efdgen.verify.vectors.whole_rare import RARE
from efdgen.verify.vectors.whole_sums import subgroups_of_many, sums

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from random import Random

    from efdgen.verify.vectors.whole_calls import Rows
    from efdgen.verify.vectors.whole_curve import WholeCurve


class Question(NamedTuple):
    """A call: the function, its arguments as a driver reads them, its answer, and how it was chosen."""

    function: str
    arguments: tuple[str, ...]
    answer: str
    origin: str

    @property
    def request(self) -> str:
        """The line that a driver is sent."""
        return " ".join((self.function, *self.arguments))


def questions(curve: WholeCurve, rng: Random) -> Iterator[Question]:
    """Yield what the drivers of a curve are asked."""
    if curve.is_tiny:
        yield from _of("exhaustive", all_rows(curve, rng))
    else:
        yield from _of("published", _published(curve))
        yield from _of("edge", all_rows(curve, rng))


def all_rows(curve: WholeCurve, rng: Random) -> Rows:
    """Yield functions with their arguments and answers, of a tiny curve or at the edges of a large one."""
    for rows in row_functions(curve.is_tiny, curve.is_ladder):
        yield from (row for row in rows(curve, rng) if row[0] in curve.functions)


def row_functions(tiny: bool, ladder: bool) -> tuple[Callable[[WholeCurve, Random], Rows], ...]:
    """Return what yields requests to a tiny or a large curve, with points or with a ladder alone."""
    calls = (every_call,) if tiny else (calls_at_edges, edges_of_digits, *RARE)
    of_points = () if ladder else (sums, subgroups_of_many, tested_sums, *ENCODINGS, even_points, cosets)
    return (*calls, draws, decodings, *of_points)


def _of(origin: str, rows: Rows) -> Iterator[Question]:
    for function, *arguments, answer in rows:
        yield Question(function, tuple(arguments), answer, origin)


def _published(curve: WholeCurve) -> Rows:
    for k, point in published_multiples(curve.curve).items():
        scalar, answer = curve.scalar(k), curve.point(point)
        yield "multiply_generator", scalar, answer
        yield "multiply", scalar, curve.point(curve.generator), answer

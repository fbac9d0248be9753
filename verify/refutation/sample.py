"""Trials of a formula on small fields, reported where no proof can be attempted."""

from __future__ import annotations

from itertools import chain, islice
from typing import TYPE_CHECKING, NamedTuple

from efdgen.verify.refutation.binary import binary_cases
from efdgen.verify.refutation.counterexample import expected_points, failure, failures, trials

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from efdgen.generator.formulas.formula import Formula

_PRIMES = (11, 13, 17, 19, 23)
_FIELDS = 3
_MOST = 200
"""Largest number of choices of points over one field."""


class Sample(NamedTuple):
    """The numbers of points on which a formula was right, and of those on which it was not; the fields."""

    right: int
    wrong: int
    fields: tuple[str, ...]

    def text(self, *, lawful: bool) -> str:
        """Describe it; points with a wrong result are exceptional if the formula is ``lawful``, proved so."""
        if not self.fields:
            return "not tried, since no small curve has points for it"
        said = f"not refuted on {self.right} points over {', '.join(self.fields)}"
        exceptional = "are" if lawful else "may be"
        return f"{said}, and wrong on {self.wrong} that {exceptional} exceptional" if self.wrong else said


def sample(formula: Formula, excluded: Sequence[int]) -> Sample:
    """Run a formula on points of small curves, without special points and without ``excluded`` primes."""
    if formula.system.model.binary:
        tried = [*islice(_over_binary_fields(formula), _FIELDS * _MOST)]
    else:
        primes = [prime for prime in _PRIMES if prime not in excluded][:_FIELDS]
        tried = [*chain.from_iterable(islice(_over(formula, prime), _MOST) for prime in primes)]
    fields = tuple(dict.fromkeys(field for field, _ in tried))
    wrong = sum(wrong for _, wrong in tried)
    return Sample(len(tried) - wrong, wrong, fields)


def _over_binary_fields(formula: Formula) -> Iterator[tuple[str, bool]]:
    """Yield for choices of points over tiny binary fields the field and whether the result is wrong."""
    for case in binary_cases(formula):
        yield f"GF({case.field.order})", failure(case) is not None


def _over(formula: Formula, prime: int) -> Iterator[tuple[str, bool]]:
    """Yield for choices of general points over GF(p) the field and whether the result is wrong."""
    for trial in trials(formula, prime):
        for points in trial.points():
            if expected_points(trial, points) is not None:
                yield f"GF({prime})", any(failures(trial, points))

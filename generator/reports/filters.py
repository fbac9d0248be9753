"""Filters on lists of formulas: by kind, cost, assumption, year and author of the source."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

from efdgen.generator.errors import EfdgenError, suggestion
from efdgen.generator.formulas.cost import cost_of
from efdgen.generator.language.printer import print_equation
from efdgen.generator.passes.pipeline import emitted
from efdgen.generator.progress import each
from efdgen.generator.reports.references import cited_keys, read_references
from efdgen.generator.reports.weights import parse_weights

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from efdgen.generator.formulas.database import Database
    from efdgen.generator.formulas.formula import Formula
    from efdgen.generator.reports.references import Reference

_YEARS = re.compile(r"(?P<first>[0-9]{4})?(?P<dash>-)?(?P<last>[0-9]{4})?")
_NAME = re.compile(r"[A-Za-z]\w*")
_ASSUMED = re.compile(r"\s*[A-Za-z]\w*\s*|[^=]*[^=\s]\s*==?\s*[^=\s][^=]*")
NOTHING = "nothing"


@dataclass(frozen=True)
class Filters:
    """Conditions on a formula; an empty or None member is no condition.

    One of ``kinds``, every one of ``assuming``, as :func:`assumes` has them; a weight of ``max_cost``
    multiplications at most, as it is emitted; and one work that is cited, of ``years`` such as ``2007``,
    ``2005-2010``, ``2005-`` or ``-1999``, with an author whose name has ``author`` in it.
    """

    kinds: tuple[str, ...] = ()
    assuming: tuple[str, ...] = ()
    max_cost: Fraction | None = None
    weights: str = ""
    years: str = ""
    author: str = ""

    def select(self, database: Database, ids: Sequence[str]) -> tuple[str, ...]:
        """Return those ids, in order, whose formulas are as is asked.

        Raises :class:`EfdgenError` for a kind that no formula is of, for no year, and for no assumption.
        """
        known = dict.fromkeys(map(_kind, database.ids))
        for kind in self.kinds:
            if kind not in known:
                hint = suggestion(kind, known) or f"; there are {', '.join([*known][:6])} and more"
                raise EfdgenError(f"--kind: no formula is of a kind {kind!r}{hint}")
        for text in self.assuming:
            if not _ASSUMED.fullmatch(text):
                raise EfdgenError(f"--assuming: {text[:60]!r} is neither an equation such as a=-3 nor a name")
        _ = self._span
        parse_weights(self.weights)
        found = tuple(name for name in ids if not self.kinds or _kind(name) in self.kinds)
        if self == Filters(self.kinds, weights=self.weights):
            return found
        read = each(database.readable(found), len(found), "reading", str)
        return tuple(name for name in read if self._passes(database.formula(name)))

    def _passes(self, formula: Formula) -> bool:
        return (
            all(assumes(formula, text) for text in self.assuming)
            and (not (self.years or self.author) or any(map(self._wanted, self._works(formula))))
            and (self.max_cost is None or self._weight(formula) <= self.max_cost)
        )

    def _weight(self, formula: Formula) -> Fraction:
        weights = parse_weights(self.weights, binary=formula.system.model.binary)
        return weights.price(cost_of(formula, emitted(formula)))

    def _works(self, formula: Formula) -> Iterator[Reference]:
        yield from (self._references[key] for key in cited_keys(formula.source) if key in self._references)

    def _wanted(self, work: Reference) -> bool:
        first, last = self._span
        year = int(work.fields["year"]) if work.fields.get("year", "").isdecimal() else None
        in_years = not self.years or (year is not None and first <= year <= last)
        return in_years and folded(self.author) in folded(work.fields.get("author", ""))

    @cached_property
    def _span(self) -> tuple[int, int]:
        match = _YEARS.fullmatch(self.years)
        first, dash, last = match.group("first", "dash", "last") if match else (None, None, None)
        if self.years and (not (first or last) or (last and not dash)):
            raise EfdgenError(f"--year: {self.years[:60]!r} is neither a year nor two, such as 2005-2010")
        span = int(first or 0), int(last or (9999 if dash else first or 9999))
        if span[0] > span[1]:
            raise EfdgenError(f"--year: {self.years} ends before it starts")
        return span

    @cached_property
    def _references(self) -> Mapping[str, Reference]:
        return {each.key: each for each in read_references()}


def assumes(formula: Formula, text: str) -> bool:
    """Return whether a formula assumes ``a == -3``, or ``a=-3``, anything on ``a``, or ``nothing``."""
    found = [print_equation(equation) for equation in formula.all_assumptions]
    if text == NOTHING:
        return not found
    return any(_plain(text) in (_plain(each), *_NAME.findall(each)) for each in found)


def _plain(text: str) -> str:
    return re.sub(r"\s", "", text).replace("==", "=")


def _kind(formula_id: str) -> str:
    return formula_id.split("/")[-2]


def folded(text: str) -> str:
    """Return a text without accents and braces, in small letters."""
    letters = unicodedata.normalize("NFKD", text.replace("{", "").replace("}", ""))
    return "".join(each for each in letters if not unicodedata.combining(each)).casefold()

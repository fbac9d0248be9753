"""Contracts of non-adjacent forms, and of sums over places, for multiplications that are followed.

Digits are proved to add up to their number by :mod:`digits`, and sums to add what digits ask for by
:mod:`sums`; here a form is the integer that it adds up to.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from efdgen.generator.routines.integers import RoutineError
from efdgen.generator.scalars.digits import wnaf_entries
from efdgen.verify.routines.points import Point

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from efdgen.generator.routines.module import Module
    from efdgen.verify.symbols.bits import Word
    from efdgen.verify.symbols.facts import Facts
    from efdgen.verify.symbols.forms import Form

ENDING = "_sum_var"


@dataclass(frozen=True)
class Digits:
    """The non-adjacent form of an integer: its width, and the integer's form in symbols."""

    form: Form
    width: int


class Forms:
    """The contracts on one way; ``tables`` are the fixed tables by their names."""

    def __init__(self, facts: Facts, module: Module, tables: Mapping[str, Any]) -> None:
        self._facts, self._module, self._tables = facts, module, tables

    @property
    def table(self) -> dict[str, Callable[..., list[Any]]]:
        """The result of each function, by its name."""
        sums = {name: self._sum(name) for name in self._module.routines if name.endswith(ENDING)}
        return {"wnaf_var": self._digits, "signed_wnaf_var": self._signed_digits, **sums}

    def _digits(self, t: Sequence[int | Word], width: int) -> list[Digits]:
        return self._form(t, width, least=0)

    def _signed_digits(self, t: Sequence[int | Word], width: int) -> list[Digits]:
        return self._form(t, width, least=1 - self._most)

    @property
    def _most(self) -> int:
        """The numbers that have all of their digits are less."""
        return 1 << self._number("DIGITS") - 1

    def _number(self, name: str) -> int:
        found = self._module.constants[name].value
        assert isinstance(found, int)
        return found

    def _form(self, t: Sequence[int | Word], width: int, least: int) -> list[Digits]:
        number = self._facts.number(t)
        low, high = self._facts.range(number.form)
        if not least <= low <= high < self._most:
            raise RoutineError("a number has more digits than a form has places, or another sign")
        return [Digits(number.form, width)]

    def _sum(self, name: str) -> Callable[..., list[Point]]:
        parameters = [parameter.name for parameter in self._module.routines[name].parameters]

        def summed(*values: Any) -> list[Point]:  # noqa: ANN401 - forms, a number, tables
            given = dict(zip(parameters, values, strict=True))
            if given["places"] != self._number("DIGITS"):
                raise RoutineError("digits are left out")
            total = Point()
            for form, table in zip(given["digits"], given["tables"], strict=True):
                total = total.plus(multiple_of(form, table))
            rows = self._tables[f"{name.removesuffix(ENDING).upper()}_TABLE"] if "fixed" in given else []
            for at, form in enumerate(given.get("fixed", [])):
                found = multiple_of(form, rows[min(at, len(rows) - 1)])
                total = total.plus((found if at < len(rows) else found.turned()).on(given.get("z", "")))
            return [total]

        return summed


def multiple_of(form: Digits | list[int], table: Sequence[Point]) -> Point:
    """Return the multiple of a table's first entry by a number in digits, or in zeros."""
    if not isinstance(form, Digits):
        if any(digit != 0 for digit in form):
            raise RoutineError("digits of no number that is known")
        return Point()
    if len(table) < wnaf_entries(form.width):
        raise RoutineError("a table has fewer entries than digits ask for")
    base = table[0]
    if any(entry != base.times(2 * at + 1) for at, entry in enumerate(table)):
        raise RoutineError("a table has other entries than odd multiples")
    return base.by(form.form).on(base.curve)

"""Tunings as TOML: one small readable text, the same for built-in and user tunings."""

from __future__ import annotations

import hashlib
import json
import tomllib
from dataclasses import replace
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, TypeVar, get_args

from efdgen.generator.errors import EfdgenError, suggestion
from efdgen.generator.limbs.plan import RepresentationKind, Target
from efdgen.generator.reading import read_bytes, read_text
from efdgen.generator.tuning.order import Order, OrderError
from efdgen.generator.tuning.tuning import FieldChoice, FormulaChoice, Language, OrderChoice, Tuning

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

T = TypeVar("T")

HEAD = """\
# Written by efdgen tune: what was fastest of what was proved and measured. A ratio says how many times
# faster than what it took the place of. Used by --tuning of efdgen compile and efdgen field.
"""

_DIGITS = 3  # of a ratio


@cache
def built_in(language: Language) -> Tuning:
    """Return the tuning that efdgen comes with for a language."""
    name = f"{language}.toml"
    return parse_tuning(files(__package__).joinpath(name).read_text(encoding="utf-8"), name)


def read_tuning(path: Path, language: str) -> Tuning:
    """Read a tuning for a language from a file, based on the one that is built in.

    Raises :class:`EfdgenError` for a file that cannot be read, is no tuning, or is for another language.
    """
    if language not in get_args(Language):
        raise EfdgenError("--tuning needs --lang c or rust")
    found = parse_tuning(read_text(path), path.name)
    if found.language != language:
        raise EfdgenError(f"{path.name} was measured in {found.language}; tune again with --lang {language}")
    return replace(found, base=built_in(found.language))


def require_replaceable(path: Path) -> None:
    """Raise :class:`EfdgenError` where a file is in the way that efdgen tune did not write."""
    if path.exists() and not read_bytes(path, regular=True).startswith(HEAD.partition(":")[0].encode()):
        raise EfdgenError(f"{path} was not written by efdgen tune; move it away or choose another --out")


def parse_tuning(text: str, name: str) -> Tuning:
    """Return the tuning that a text is; raise :class:`EfdgenError` for one that is none, by ``name``."""
    try:
        table = _Table(tomllib.loads(text), name)
        tuning = Tuning(
            language=table.one_of("language", get_args(Language)),
            measured=tuple(table.texts("measured")),
            fields=tuple(_field(each) for each in table.tables("field")),
            formulas=tuple(_formula(each) for each in table.tables("formula")),
            orders=tuple(_order(each) for each in table.tables("order")),
            name=name,
            digest=hashlib.sha256(text.encode()).hexdigest(),
        )
        table.require_empty()
    except tomllib.TOMLDecodeError as error:
        raise EfdgenError(f"{name} is not TOML: {error}; efdgen tune writes tunings") from None
    return tuning


def tuning_text(tuning: Tuning) -> str:
    """Write a tuning as TOML: entries in order, the same text for the same decisions."""
    lines = [HEAD, f"language = {json.dumps(tuning.language)}", "measured = ["]
    lines += [*(f"    {json.dumps(each)}," for each in tuning.measured), "]"]
    for field in sorted(tuning.fields, key=lambda c: (c.prime, c.word)):
        lines += ["", "[[field]]", *_lines(field, prime=f"{field.prime:#x}")]
    for formula in sorted(tuning.formulas, key=lambda c: (c.curve, c.operation)):
        lines += ["", "[[formula]]", *_lines(formula)]
    for choice in sorted(tuning.orders, key=lambda c: (c.formula, c.curve, c.program, c.target)):
        target = None if choice.target == "portable" else choice.target
        lines += ["", "[[order]]", *_lines(choice, order=None, target=target)]
        lines += [f"{name} = {list(numbers)}" for name, numbers in vars(choice.order).items()]
    return "\n".join([*lines, ""])


def added(kept: Tuning, found: Tuning) -> Tuning:
    """Return a tuning with the decisions of another added, in place of those about the same."""
    fields = {(c.prime, c.word): c for c in (*kept.fields, *found.fields)}
    formulas = {(c.curve, c.operation): c for c in (*kept.formulas, *found.formulas)}
    orders = {(c.program, c.target): c for c in (*kept.orders, *found.orders)}
    return replace(
        found,
        measured=tuple(dict.fromkeys((*kept.measured, *found.measured))),
        fields=tuple(fields.values()),
        formulas=tuple(formulas.values()),
        orders=tuple(orders.values()),
    )


def _lines(choice: FieldChoice | FormulaChoice | OrderChoice, **others: object) -> Iterator[str]:
    for name, value in (vars(choice) | others).items():
        if isinstance(value, float):
            yield from [f"{name} = {round(value, _DIGITS)}"] if value != 1 else []
        elif value is not None:
            yield f"{name} = {json.dumps(value) if isinstance(value, str) else value}"


def _field(table: _Table) -> FieldChoice:
    prime = table.text("prime")
    try:
        number = int(prime, 16)
    except ValueError:
        raise table.error(f"prime is a hexadecimal number, not {prime!r}") from None
    word, kind = table.number("word"), table.one_of("representation", get_args(RepresentationKind))
    target = table.one_of("target", get_args(Target))
    return table.last(FieldChoice(number, word, kind, target, table.ratio()))


def _formula(table: _Table) -> FormulaChoice:
    curve, operation, formula = (table.text(name) for name in ("curve", "operation", "formula"))
    return table.last(FormulaChoice(curve, operation, formula, table.ratio()))


def _order(table: _Table) -> OrderChoice:
    curve, formula, program = (table.text(name) for name in ("curve", "formula", "program"))
    try:
        order = Order(table.numbers("instructions"), table.numbers("exchanged"))
    except OrderError as error:
        raise table.error(f"{error} of {formula}") from None
    target = table.one_of("target", get_args(Target), default="portable")
    return table.last(OrderChoice(curve, formula, program, order, table.ratio(), target))


class _Table:
    """A table of a tuning, whose entries are taken out one by one."""

    def __init__(self, values: dict[str, Any], name: str) -> None:
        self._values, self._name = dict(values), name

    def error(self, reason: str) -> EfdgenError:
        return EfdgenError(f"{self._name}: {reason}; write it again with efdgen tune")

    def text(self, name: str) -> str:
        return self._taken(name, str, "a text")

    def number(self, name: str) -> int:
        return self._taken(name, int, "a whole number")

    def ratio(self) -> float:
        found = self._values.pop("ratio", 1.0)
        if not isinstance(found, float | int) or isinstance(found, bool) or not found > 0:
            raise self.error("ratio is not a positive number")
        return float(found)

    def one_of(self, name: str, choices: tuple[str, ...], default: str | None = None) -> Any:  # noqa: ANN401 - a literal of these
        found = self.text(name) if default is None or name in self._values else default
        if found not in choices:
            raise self.error(f"{name} is {' or '.join(choices)}, not {found!r}")
        return found

    def texts(self, name: str) -> list[str]:
        found = self._taken(name, list, "a list of texts")
        if not all(isinstance(each, str) for each in found):
            raise self.error(f"{name} is not a list of texts")
        return found

    def numbers(self, name: str) -> tuple[int, ...]:
        found = self._taken(name, list, "a list of numbers")
        if not all(type(each) is int for each in found):
            raise self.error(f"{name} is not a list of whole numbers")
        return tuple(found)

    def tables(self, name: str) -> Iterator[_Table]:
        found = self._values.pop(name, [])
        if not isinstance(found, list) or not all(isinstance(each, dict) for each in found):
            raise self.error(f"{name} is not a list of tables")
        for at, each in enumerate(found, 1):
            yield _Table(each, f"{self._name}, {name} {at}")

    def require_empty(self) -> None:
        for name in self._values:
            known = ("language", "measured", "field", "formula", "order")
            raise self.error(f"unknown key {name!r} in a tuning{suggestion(name, known)}")

    def last(self, made: T) -> T:
        self.require_empty()
        return made

    def _taken(self, name: str, kind: type[T], text: str) -> T:
        found = self._values.pop(name, None)
        if not isinstance(found, kind) or isinstance(found, bool):
            raise self.error(f"{name} is missing" if found is None else f"{name} is not {text}")
        return found

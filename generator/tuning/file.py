"""Tunings as TOML: one small readable text, the same for built-in and user tunings."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, get_args

from efdgen.generator.errors import EfdgenError
from efdgen.generator.options import RepresentationKind, Target
from efdgen.generator.reading import read_bytes, read_text
from efdgen.generator.toml_reader import Table, is_integer, list_of
from efdgen.generator.tuning.order import Order, OrderError
from efdgen.generator.tuning.tuning import FieldChoice, FormulaChoice, Language, OrderChoice, Tuning

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

HEAD = """\
# Written by efdgen tune: what was fastest of what was proved and measured. A ratio says how many times
# faster than what it took the place of. Used by --tuning of efdgen compile and efdgen field.
"""

_DIGITS = 3  # digits of a ratio


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
    table = Table.parse(text, name, "; write it again with efdgen tune")
    table.require_known(("language", "measured", "field", "formula", "order"))
    return Tuning(
        language=table.choice("language", get_args(Language)),
        measured=table.words("measured"),
        fields=tuple(map(_field, table.rows("field", "field"))),
        formulas=tuple(map(_formula, table.rows("formula", "formula"))),
        orders=tuple(map(_order, table.rows("order", "order"))),
        name=name,
        digest=hashlib.sha256(text.encode()).hexdigest(),
    )


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


def _field(table: Table) -> FieldChoice:
    table.require_known(("prime", "word", "representation", "target", "ratio"))
    prime = table.word("prime")
    try:
        number = int(prime, 16)
    except ValueError:
        raise table.error(f"prime is a hexadecimal number, not {prime!r}", "prime") from None
    kind = table.choice("representation", get_args(RepresentationKind))
    target = table.choice("target", get_args(Target))
    return FieldChoice(number, table.integer("word", 1), kind, target, _ratio(table))


def _formula(table: Table) -> FormulaChoice:
    table.require_known(("curve", "operation", "formula", "ratio"))
    return FormulaChoice(table.word("curve"), table.word("operation"), table.word("formula"), _ratio(table))


def _order(table: Table) -> OrderChoice:
    table.require_known(("curve", "formula", "program", "instructions", "exchanged", "ratio", "target"))
    curve, formula, program = map(table.word, ("curve", "formula", "program"))
    try:
        order = Order(_numbers(table, "instructions"), _numbers(table, "exchanged"))
    except OrderError as error:
        raise table.error(f"{error} of {formula}", "instructions") from None
    target = table.choice("target", get_args(Target), "portable")
    return OrderChoice(curve, formula, program, order, _ratio(table), target)


def _numbers(table: Table, key: str) -> tuple[int, ...]:
    return (*table.value(key, "a list of integers", list_of(is_integer)),)


def _ratio(table: Table) -> float:
    return float(table.value("ratio", "a positive number", _is_ratio, 1.0))


def _is_ratio(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value > 0

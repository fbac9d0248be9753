"""Tables of TOML and JSON files: values are read by key and kind, and every error has its place."""

from __future__ import annotations

import json
import re
import tomllib
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Any, Self, TypeVar

from efdgen.generator.errors import EfdgenError, Position, TextError, suggestion
from efdgen.generator.mathematics.number import read_number
from efdgen.generator.reading import read_text

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence
    from fractions import Fraction
    from pathlib import Path

Text = TypeVar("Text", bound=str)

_TOML_PLACE = re.compile(r" \(at line (\d+), column (\d+)\)$")
# A key, its table's header or a list's; and the header of one of a list of tables.
_KEY = r"(?m)(?:^|[{{\[,.])[ \t]*[\"']?(?P<key>{})[\"']?[ \t]*[\].=:]"
_ROW = r"(?m)^[ \t]*\[\[(?:[^\]\n]*\.)?[ \t]*[\"']?(?P<key>{})[\"']?[ \t]*\]\]"


@dataclass(frozen=True, eq=False)
class Table:
    """A table of a file, and the path of keys to it; a number is the position in a list of tables.

    Every method raises :class:`TextError` for a value that is missing or of another kind. Messages begin with
    ``title`` and end with ``advice``.
    """

    values: Mapping[str, Any]
    text: str
    path: str
    advice: str = ""
    title: str = ""
    keys: tuple[str | int, ...] = ()

    @classmethod
    def read(cls, path: Path) -> Self:
        """Read a file; raise :class:`EfdgenError` where that is not possible."""
        return cls.parse(read_text(path), str(path))

    @classmethod
    def parse(cls, text: str, path: str, advice: str = "") -> Self:
        """Parse the text of a file, JSON if its name ends so; raise :class:`EfdgenError` for other text."""
        try:
            values = json.loads(text) if path.endswith(".json") else tomllib.loads(text)
        except json.JSONDecodeError as error:
            place = Position(error.lineno, error.colno)
            raise TextError(f"not JSON: {error.msg}", text, place, path) from None
        except tomllib.TOMLDecodeError as error:
            lines, match = text.splitlines() or [""], _TOML_PLACE.search(str(error))
            line, column = map(int, match.groups()) if match else (len(lines), len(lines[-1]) + 1)
            reason = f"not TOML: {_TOML_PLACE.sub('', str(error))}{advice}"
            raise TextError(reason, text, Position(line, column), path) from None
        except (ValueError, RecursionError):
            raise EfdgenError(f"{path}: a number too long or tables too deep to be read") from None
        if not isinstance(values, dict):
            raise EfdgenError(f"{path}: expected an object of names and values")
        return cls(values, text, path, advice)

    def error(self, reason: str, *keys: str) -> TextError:
        """Return an error at the place of the table, or of a key in it."""
        title = f"{self.title}: " if self.title else ""
        place = _position(self.text, (*self.keys, *keys))
        return TextError(f"{title}{reason}{self.advice}", self.text, place, self.path)

    def __contains__(self, key: str) -> bool:
        """Return whether the table has a key."""
        return key in self.values

    def require_known(self, known: Collection[str]) -> None:
        """Raise for a key that is not among the known ones."""
        for key in self.values:
            if key not in known:
                near = suggestion(key, known) or f"; known: {', '.join(known)}"
                raise self.error(f"unknown key {key!r}{near}", key)

    def value(self, key: str, kind: str, fits: Callable[[Any], bool], default: Any = None) -> Any:  # noqa: ANN401 - anything
        """Return a value that fits, else raise by its kind; the default, if not None, for a missing key."""
        value = self.values.get(key, default)
        if value is None:
            raise self.error(f"{key} is missing; it must be {kind}")
        if not fits(value):
            found = f", not {value!r}" if isinstance(value, str) else ""
            raise self.error(f"{key} must be {kind}{found}", key)
        return value

    def word(self, key: str, default: str | None = None) -> str:
        """Return a text."""
        found: str = self.value(key, "a text", is_text, default)
        return found

    def words(self, key: str, default: list[str] | None = None) -> tuple[str, ...]:
        """Return a list of texts."""
        return (*self.value(key, "a list of texts", list_of(is_text), default),)

    def choice(self, key: str, choices: tuple[Text, ...], default: Text | None = None) -> Text:
        """Return one of some texts."""
        found: Text = self.value(key, " or ".join(choices), choices.__contains__, default)
        return found

    def flag(self, key: str, *, default: bool | None = None) -> bool:
        """Return true or false."""
        return self.value(key, "true or false", lambda value: isinstance(value, bool), default) is True

    def integer(self, key: str, least: int, default: int | None = None) -> int:
        """Return an integer that is at least 0 or 1."""
        kind = "a positive integer" if least else "a non-negative integer"
        found: int = self.value(key, kind, lambda value: is_integer(value) and value >= least, default)
        return found

    def number(self, key: str) -> Fraction:
        """Return a rational number, written as an integer or as a text such as ``2^255 - 19``."""
        kind = "an integer, or a string such as '2^255 - 19'"
        value = self.value(key, kind, lambda value: is_integer(value) or is_text(value))
        try:
            return read_number(str(value))
        except ValueError as error:
            raise self.error(f"cannot read the number {key}: {error}", key) from None

    def positive(self, key: str) -> int:
        """Return a number that is a positive integer."""
        value = self.number(key)
        if value.denominator != 1 or value <= 0:
            raise self.error(f"{key} must be a positive integer", key)
        return value.numerator

    def table(self, key: str, title: str = "") -> Self:
        """Return a table of the table; an empty one if there is none."""
        values = self.value(key, "a table of names and values", is_table, {})
        return replace(self, values=values, title=title or self.title, keys=(*self.keys, key))

    def tables(self, key: str) -> dict[str, Self]:
        """Return the tables of a table, with their names as titles."""
        table = self.table(key)
        return {name: table.table(name, name) for name in table.values}

    def rows(self, key: str, title: str) -> tuple[Self, ...]:
        """Return a list of tables, numbered in their titles."""
        rows = self.value(key, f"tables, each under [[{key}]]", list_of(is_table), [])
        return tuple(
            replace(self, values=values, title=f"{title} {at + 1}", keys=(*self.keys, key, at))
            for at, values in enumerate(rows)
        )


def is_text(value: object) -> bool:
    """Return whether a value is a text."""
    return isinstance(value, str)


def is_integer(value: object) -> bool:
    """Return whether a value is an integer; true and false are none."""
    return type(value) is int


def is_table(value: object) -> bool:
    """Return whether a value is a table."""
    return isinstance(value, dict)


def list_of(fits: Callable[[Any], bool]) -> Callable[[Any], bool]:
    """Return whether a value is a list of values that fit, as a function."""
    return lambda value: isinstance(value, list) and all(map(fits, value))


def table_of(fits: Callable[[Any], bool]) -> Callable[[Any], bool]:
    """Return whether a value is a table of values that fit, as a function."""
    return lambda value: isinstance(value, dict) and all(map(fits, value.values()))


def _position(text: str, keys: Sequence[str | int]) -> Position:
    """Return the place of a key in a text: the first one that fits the path; the first line for none."""
    start, place = 0, 0
    for at, key in enumerate(keys):
        if isinstance(key, int):
            rows = re.compile(_ROW.format(re.escape(str(keys[at - 1]))))
            match = next(islice(rows.finditer(text, text.rfind("\n", 0, place) + 1), key, None), None)
        else:
            match = re.compile(_KEY.format(re.escape(key))).search(text, start)
        if match:
            place, start = match.span("key")
    before = text[:place]
    return Position(before.count("\n") + 1, place - (before.rfind("\n") + 1) + 1)

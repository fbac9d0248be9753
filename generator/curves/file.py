"""A curve file as a table: TOML or JSON, every value read by its key, every error at its place."""

from __future__ import annotations

import json
import re
import tomllib
from math import gcd
from typing import TYPE_CHECKING

from efdgen.generator.errors import EfdgenError, Position, TextError, suggestion
from efdgen.generator.mathematics.binary import read_polynomial
from efdgen.generator.mathematics.number import read_number
from efdgen.generator.reading import read_text

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from fractions import Fraction
    from pathlib import Path

    from efdgen.generator.mathematics.binary import BinaryField, Ground

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_TOML_PLACE = re.compile(r" \(at line (\d+), column (\d+)\)$")


class CurveFile:
    """The text of a curve file, parsed; a method for each kind of value, with the key that it is under.

    Every method raises :class:`TextError` for a value that is missing or of another kind.
    """

    def __init__(self, text: str, path: str) -> None:
        self.text, self.path = text, path
        self.table = self._parse()

    @classmethod
    def read(cls, path: Path) -> CurveFile:
        """Read a file; raise :class:`EfdgenError` where that is not possible."""
        return cls(read_text(path), str(path))

    def error(self, reason: str, *keys: str) -> TextError:
        """Return an error at the place of a key, given as a path: ``"parameters", "a"``."""
        return TextError(reason, self.text, self._position(keys), self.path)

    def require_known(self, known: Collection[str], *keys: str) -> None:
        """Raise for a key of the whole file, or of a table in it, that is not among the known ones."""
        for key in self._subtable(keys):
            if key not in known:
                raise self.error(f"unknown key {key!r}{suggestion(key, known)}", *keys, key)

    def has(self, key: str) -> bool:
        """Return whether the file has a key at the top level."""
        return key in self.table

    def name(self, key: str) -> str:
        """Return a name of letters, digits, ``.``, ``_`` and ``-``."""
        return self._as_name(self._value(key), key)

    def names(self, key: str) -> tuple[str, ...]:
        """Return a list of names; an empty one where the key is missing."""
        values = self.table.get(key, [])
        if not isinstance(values, list):
            raise self.error(f"{key} must be a list of names", key)
        return tuple(self._as_name(value, key) for value in values)

    def line(self, key: str) -> str:
        """Return a line of text; empty where the key is missing."""
        value = self.table.get(key, "")
        if not isinstance(value, str) or not value.isprintable():
            raise self.error(f"{key} must be one line of text", key)
        return value

    def integer(self, key: str) -> int:
        """Return a positive integer."""
        value = self._number(key)
        if value.denominator != 1 or value <= 0:
            raise self.error(f"{key} must be a positive integer", key)
        return value.numerator

    def polynomial(self, key: str) -> int:
        """Return a polynomial over GF(2), given as a sum such as ``x^233 + x^74 + 1``."""
        try:
            return read_polynomial(self.line(key))
        except ValueError as error:
            raise self.error(f"cannot read the polynomial: {error}", key) from None

    def elements(self, key: str, names: Collection[str], field: Ground) -> dict[str, int]:
        """Return elements of a field by name.

        One of GF(p) is given as an integer in (-p, p), or as a quotient; one of GF(2^m) as an integer in
        [0, 2^m), with bit i for x^i, or as a polynomial in x.
        """
        self.require_known(names, key)
        missing = [name for name in names if name not in self._subtable((key,))]
        if missing:
            raise self.error(f"{key} must have {' and '.join(missing)}", key)
        if isinstance(field, int):
            return {name: self._residue(key, name, field) for name in names}
        return {name: self._binary(key, name, field) for name in names}

    def _binary(self, key: str, name: str, field: BinaryField) -> int:
        given = self._value(key, name)
        if isinstance(given, str) and "x" in given and not given.lower().startswith("0x"):
            try:
                value = read_polynomial(given)
            except ValueError as error:
                raise self.error(f"cannot read {name}: {error}", key, name) from None
        else:
            number = self._number(key, name)
            if number.denominator != 1 or number < 0:
                raise self.error(f"{name} must be an integer in [0, 2^m), or a polynomial in x", key, name)
            value = number.numerator
        if value >= field.order:
            raise self.error(f"{name} has {value.bit_length()} bits; {field} has {field.degree}", key, name)
        return value

    def _residue(self, key: str, name: str, prime: int) -> int:
        value = self._number(key, name)
        if value.denominator == 1 and abs(value) >= prime:
            raise self.error(f"{name} is out of range; it must be less than p", key, name)
        if gcd(value.denominator, prime) != 1:
            raise self.error(f"the denominator of {name} is not invertible modulo p", key, name)
        return value.numerator * pow(value.denominator, -1, prime) % prime

    def _number(self, *keys: str) -> Fraction:
        value = self._value(*keys)
        # A bool is an int to Python, not to the reader of a curve file.
        if isinstance(value, bool) or not isinstance(value, (int, str)):
            raise self.error(f"{keys[-1]} must be an integer, or a string such as '2^255 - 19'", *keys)
        try:
            return read_number(str(value))
        except ValueError as error:
            raise self.error(f"cannot read the number {keys[-1]}: {error}", *keys) from None

    def _value(self, *keys: str) -> object:
        *tables, last = keys
        table = self._subtable(tables)
        if last not in table:
            raise self.error(f"{last} is missing", *tables)
        return table[last]

    def _subtable(self, keys: Collection[str]) -> Mapping[str, object]:
        table: object = self.table
        for key in keys:
            table = table.get(key, {}) if isinstance(table, dict) else {}
            if not isinstance(table, dict):
                raise self.error(f"{key} must be a table of names and numbers", key)
        return table if isinstance(table, dict) else {}

    def _as_name(self, value: object, key: str) -> str:
        if not isinstance(value, str) or not _NAME.fullmatch(value):
            raise self.error(f"{key}: a name is made of letters, digits, '.', '_' and '-'", key)
        return value

    def _position(self, keys: Collection[str]) -> Position:
        """Return where a key is in the text; the first line where it is nowhere."""
        start, place = 0, 0
        for key in keys:
            pattern = rf"(?m)(?:^|[{{\[,.])[ \t]*[\"']?(?P<key>{re.escape(key)})[\"']?[ \t]*[\].=:]"
            match = re.compile(pattern).search(self.text, start)
            if match:
                place, start = match.start("key"), match.end("key")
        before = self.text[:place]
        return Position(before.count("\n") + 1, place - (before.rfind("\n") + 1) + 1)

    def _parse(self) -> dict[str, object]:
        try:
            if self.path.endswith(".json"):
                table: object = json.loads(self.text)
            else:
                table = tomllib.loads(self.text)
        except json.JSONDecodeError as error:
            place = Position(error.lineno, error.colno)
            raise TextError(f"not JSON: {error.msg}", self.text, place, self.path) from None
        except tomllib.TOMLDecodeError as error:
            raise self._toml_error(str(error)) from None
        except (ValueError, RecursionError):
            raise EfdgenError(f"{self.path}: a number too long or tables too deep to be read") from None
        if not isinstance(table, dict):
            raise EfdgenError(f"{self.path}: expected an object with the keys name, model, prime, parameters")
        return table

    def _toml_error(self, message: str) -> TextError:
        match = _TOML_PLACE.search(message)
        lines = self.text.splitlines() or [""]
        place = Position(int(match[1]), int(match[2])) if match else Position(len(lines), len(lines[-1]) + 1)
        return TextError(f"not TOML: {_TOML_PLACE.sub('', message)}", self.text, place, self.path)

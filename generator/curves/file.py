"""A curve file: a table of TOML or JSON, with names, numbers and elements of the curve's field."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from math import gcd
from typing import TYPE_CHECKING

from efdgen.generator.mathematics.binary import read_polynomial
from efdgen.generator.toml_reader import Table, is_integer, is_text, list_of

if TYPE_CHECKING:
    from collections.abc import Collection

    from efdgen.generator.formulas.layers import Layers
    from efdgen.generator.mathematics.binary import BinaryField
    from efdgen.generator.mathematics.ground import Ground

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


class CurveFile(Table):
    """A curve file, with a method for each kind of value."""

    def name(self, key: str) -> str:
        """Return a name of letters, digits, ``.``, ``_`` and ``-``."""
        found: str = self.value(key, "a name of letters, digits, '.', '_' and '-'", _is_name)
        return found

    def names(self, key: str) -> tuple[str, ...]:
        """Return a list of names; an empty one where the key is missing."""
        kind = "a list of names of letters, digits, '.', '_' and '-'"
        return (*self.value(key, kind, list_of(_is_name), []),)

    def line(self, key: str) -> str:
        """Return a line of text; empty where the key is missing."""
        found: str = self.value(key, "one line of text", _is_line, "")
        return found

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
        table = self.table(key)
        table.require_known(names)
        missing = [name for name in names if name not in table]
        if missing:
            raise self.error(f"{key} must have {' and '.join(missing)}", key)
        if field.is_binary:
            return {name: table._binary(name, field) for name in names}
        return {name: table.residue(name, field.prime) for name in names}

    def _binary(self, name: str, field: BinaryField) -> int:
        given = self.values[name]
        if is_text(given) and "x" in given and not given.lower().startswith("0x"):
            value = self.polynomial(name)
        else:
            number = self.number(name)
            if number.denominator != 1 or number < 0:
                raise self.error(f"{name} must be an integer in [0, 2^m), or a polynomial in x", name)
            value = number.numerator
        if value >= field.order:
            raise self.error(f"{name} has {value.bit_length()} bits; {field} has {field.degree}", name)
        return value

    def residue(self, name: str, prime: int) -> int:
        """Return an element of GF(p)."""
        value = self.number(name)
        if value.denominator == 1 and abs(value) >= prime:
            raise self.error(f"{name} is out of range; it must be less than p", name)
        if gcd(value.denominator, prime) != 1:
            raise self.error(f"the denominator of {name} is not invertible modulo p", name)
        return value.numerator * pow(value.denominator, -1, prime) % prime

    def residues(self, key: str, prime: int) -> tuple[int, ...]:
        """Return a list of elements of GF(p)."""
        values = self.value(key, "a list of integers, or strings of them", list_of(_is_number))
        rows = replace(self, values={f"{key} {at}": value for at, value in enumerate(values)})
        return tuple(rows.residue(name, prime) for name in rows.values)


def _is_number(value: object) -> bool:
    return is_integer(value) or is_text(value)


def _is_line(value: object) -> bool:
    return isinstance(value, str) and value.isprintable()


def _is_name(value: object) -> bool:
    return isinstance(value, str) and _NAME.fullmatch(value) is not None


@cache
def by_curve(shelf: Layers, folder: str, keys: tuple[str, ...]) -> dict[str, CurveFile]:
    """Return the files of a folder, each about a curve that it names, by the curve's name."""
    files = [CurveFile.read(path) for path in shelf.glob(f"{folder}/*.toml").values()]
    for file in files:
        file.require_known(keys)
    return {file.name("curve"): file for file in files}

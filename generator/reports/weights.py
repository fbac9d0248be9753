"""Weights of costs: the price of each operation in multiplications, and the usual weightings by name.

The weightings are those of the database's own tables of best operation counts.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

from efdgen.generator.errors import EfdgenError, suggestion

if TYPE_CHECKING:
    from collections.abc import Mapping

    from efdgen.generator.formulas.cost import Cost
    from efdgen.generator.formulas.database import Database

PRESETS: Mapping[str, str] = {
    "large-S1": "M=1,S=1,I=100,param=0,add=0,const=0",
    "large-S0.8": "M=1,S=0.8,I=100,param=0,add=0,const=0",
    "large-S0.67": "M=1,S=0.67,I=100,param=0,add=0,const=0",
    "binary-S0": "M=1,S=0,I=10,param=0,add=0,const=0",
    "binary-S0.2": "M=1,S=0.2,I=10,param=0,add=0,const=0",
}

_UNITS = ("M", "S", "I", "add", "param", "const")
_NUMBER = re.compile(r"[0-9]+(?:\.[0-9]+)?|[0-9]+/0*[1-9][0-9]*")
_INTEGER = re.compile(r"[0-9]+(?:/[0-9]+)?")
_NAME = re.compile(r"[0-9]*[A-Za-z][A-Za-z0-9_]*")


@dataclass(frozen=True)
class Weights:
    """The price of one operation of each unit; ``param``, ``const`` and powers apply to those not named."""

    units: Mapping[str, Fraction]

    def price(self, cost: Cost) -> Fraction:
        """Return what a cost is worth in multiplications."""
        terms = cost.terms
        if terms not in self._prices:
            self._prices[terms] = sum((count * self.unit(unit) for count, unit in terms), Fraction(0))
        return self._prices[terms]

    @cached_property
    def _prices(self) -> dict[tuple[tuple[int, str], ...], Fraction]:
        """Cache of computed prices: a plan requests few distinct ones, thousands of times."""
        return {}

    def unit(self, unit: str) -> Fraction:
        """Return the weight of a unit of a cost, such as ``I``, ``^3``, ``*a``, ``*2``.

        A power that has no weight of its own is taken by squaring and multiplying: x³ is S + M.
        """
        if unit in self.units:
            return self.units[unit]
        if unit.startswith("^"):
            exponent = int(unit[1:])
            squarings = exponent.bit_length() - 1
            return squarings * self.units["S"] + (exponent.bit_count() - 1) * self.units["M"]
        return self.units["const" if _INTEGER.fullmatch(unit[1:]) else "param"]

    @property
    def parameters(self) -> tuple[str, ...]:
        """The parameters that have a weight of their own."""
        names = (unit[1:] for unit in self.units if unit.startswith("*"))
        return tuple(name for name in names if not _INTEGER.fullmatch(name))


def require_parameters(weights: Weights, *databases: Database) -> None:
    """Raise :class:`EfdgenError` for a weight of what is a parameter in no database."""
    if weights.parameters:
        known = sorted(frozenset().union(*(database.parameters for database in databases)))
        for name in sorted({*weights.parameters}.difference(known)):
            raise EfdgenError(f"--weights: no formula has a parameter {name}{suggestion(name, known)}")


def parse_weights(text: str = "", *, binary: bool = False) -> Weights:
    """Read ``S=0.8,I=100,a=0`` or a preset's name, or both; what is not mentioned is as in the default.

    The default is ``large-S0.8``, for binary fields ``binary-S0.2``. Later items win.
    Raises :class:`EfdgenError` for what is neither.
    """
    units: dict[str, Fraction] = {}
    items = [item.strip() for item in text.split(",") if item.strip()]
    for item in ["binary-S0.2" if binary else "large-S0.8", *items]:
        units |= _parse(PRESETS[item]) if item in PRESETS else _parse(item)
    return Weights(units)


def _parse(text: str) -> dict[str, Fraction]:
    units = {}
    for item in text.split(","):
        key, equals, value = (part.strip() for part in item.partition("="))
        if not equals:
            hint = suggestion(item, PRESETS) or f"; presets are {', '.join(PRESETS)}"
            raise EfdgenError(f"--weights: {item!r} is neither a preset nor OPERATION=NUMBER{hint}")
        if not _NUMBER.fullmatch(value):
            raise EfdgenError(f"--weights: {value!r} is not a number of multiplications, such as 0.8")
        units[_unit(key)] = Fraction(value)
    return units


def _unit(key: str) -> str:
    """Return the unit of a cost that a key means: ``a`` and ``*a`` are a parameter, ``2`` a constant."""
    if key in _UNITS or re.fullmatch(r"\^[0-9]+", key):
        return key
    if key in {"*param", "*const"}:
        return key.removeprefix("*")
    if not key.startswith("*") and key.lower() in {unit.lower() for unit in _UNITS}:
        unit = next(unit for unit in _UNITS if unit.lower() == key.lower())
        raise EfdgenError(f"--weights: write {unit} for the operation, *{key} for a parameter")
    name = key.removeprefix("*")
    if not _INTEGER.fullmatch(name) and not _NAME.fullmatch(name):
        raise EfdgenError(f"--weights: unknown operation {key!r}; known: {' '.join(_UNITS)} ^3 *a *2")
    return f"*{name}"

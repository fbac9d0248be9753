"""JSON in the form that every command writes."""

from __future__ import annotations

import json
from decimal import Decimal
from fractions import Fraction


def json_text(value: object) -> str:
    """Return a document: two spaces an indent, ASCII alone, which any terminal and any reader takes."""
    return json.dumps(value, indent=2) + "\n"


def exact(number: Fraction) -> str:
    """Write a rational number exactly: ``8``, ``8.2``, or ``1/3`` where no short decimal says it."""
    decimal = format(Decimal(number.numerator) / Decimal(number.denominator), "f")
    return decimal if Fraction(decimal) == number else str(number)

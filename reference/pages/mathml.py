"""Equations as MathML, which browsers set without a library and without the network."""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING, Any

from efdgen.generator.errors import EfdgenError
from efdgen.generator.language.parser import parse_equation
from efdgen.generator.language.syntax import Binary, Group, Name, Negative, Number

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from efdgen.generator.language.syntax import Expression

LAWS = ("addition", "doubling", "negation", "neutral", "to_weierstrass")
"""The affine laws of a model that pages show."""

_WORDS = ("hint", "check")
_INDEXED = re.compile(r"([A-Za-z]+)(\d+)")
_GREEK = {
    "alpha": "α",
    "beta": "β",
    "gamma": "γ",
    "delta": "δ",
    "lambda": "λ",
    "mu": "μ",
    "theta": "θ",
    "zeta": "ζ",
    "omega": "ω",
    "sigma": "σ",
    "rho": "ρ",
    "epsilon": "ε",
}


def mathematics(document: Mapping[str, Any]) -> dict[str, str]:
    """Return every equation, step and law of a document as HTML, by its text."""
    return {text: html(text) for text in dict.fromkeys(_texts(document))}


def html(text: str) -> str:
    """Return an equation, a step or a law as MathML, a text that is none of these as code."""
    word, _, rest = text.partition(" ")
    if word == "guard":
        return f"<math>{name(rest)}<mo>≠</mo><mn>0</mn></math>"
    equation = rest if word in _WORDS else text
    of_image = "image of " in equation
    equation = equation.replace("image of ", "")
    try:
        found = parse_equation(equation if "==" in equation else equation.replace("=", "==", 1))
    except EfdgenError:
        return f"<code>{escape(text)}</code>"
    right = expression(found.right)
    if of_image:
        right = f"<mi>φ</mi><mo>(</mo>{right}<mo>)</mo>"
    return f'<math displaystyle="true"><mrow>{expression(found.left)}<mo>=</mo>{right}</mrow></math>'


def _texts(document: Mapping[str, Any]) -> Iterator[str]:
    for each in document["formulas"]:
        for name in ("equations", "laws", "curve", "meanings", "assumptions"):
            yield from each[name]
    for each in document["systems"]:
        yield from (*each["meanings"], *each["assumptions"])
    for each in document["models"]:
        yield from each["equations"]
        for law in LAWS:
            yield from (f"{coordinate} == {value}" for coordinate, value in each[law].items())
    for each in document["kinds"]:
        yield from each["laws"]


def expression(found: Expression) -> str:
    """Write an expression, in the author's grouping; products without a sign where that is unambiguous."""
    match found:
        case Number(value):
            return f"<mn>{value}</mn>"
        case Name(text):
            return name(text)
        case Group(inner):
            return f"<mrow><mo>(</mo>{expression(inner)}<mo>)</mo></mrow>"
        case Negative(inner):
            return f"<mrow><mo>−</mo>{expression(inner)}</mrow>"
        case Binary("^", left, right):
            return f"<msup>{expression(left)}{expression(right)}</msup>"
        case Binary("/", left, right):
            return f"<mfrac>{expression(_bare(left))}{expression(_bare(right))}</mfrac>"
        case Binary("*", left, right):
            sign = "<mo>·</mo>" if _needs_dot(left, right) else "<mo>&#8290;</mo>"
            return f"<mrow>{expression(left)}{sign}{expression(right)}</mrow>"
        case Binary(operator, left, right):
            sign = {"-": "−"}.get(operator, operator)
            return f"<mrow>{expression(left)}<mo>{sign}</mo>{expression(right)}</mrow>"
    raise TypeError(found)


def name(text: str) -> str:
    """Write a name: X1 with an index, ZZ3 too, and names of several letters upright."""
    match = _INDEXED.fullmatch(text)
    if match:
        return f"<msub>{_identifier(match[1])}<mn>{match[2]}</mn></msub>"
    return _identifier(text)


def _identifier(text: str) -> str:
    text = _GREEK.get(text, text)
    return f'<mi mathvariant="normal">{escape(text)}</mi>' if len(text) > 1 else f"<mi>{escape(text)}</mi>"


def _bare(found: Expression) -> Expression:
    return found.inner if isinstance(found, Group) else found


def _needs_dot(left: Expression, right: Expression) -> bool:
    """Return whether a product without a sign would read as one name or one number."""
    last, first = left, right
    while isinstance(last, Binary):
        last = last.left if last.operator == "^" else last.right
    while isinstance(first, Binary):
        first = first.left
    if isinstance(first, Number):
        return True
    several = [isinstance(each, Name) and len(_INDEXED.sub(r"\1", each.text)) > 1 for each in (last, first)]
    return any(several) and not isinstance(last, Number)

"""Labels of exceptional inputs, conditions and numbers, as a page words them."""

from __future__ import annotations

import re
from fractions import Fraction

RATIOS = {
    "large-S1": "S = 1 M",
    "large-S0.8": "S = 0.8 M",
    "large-S0.67": "S = 0.67 M",
    "binary-S0": "S = 0",
    "binary-S0.2": "S = 0.2 M",
}
"""The ratio of each preset of weights."""

CLASSES = {False: "Large characteristic", True: "Characteristic 2"}

_WHOLE = {
    "P=Q": "P = Q: equal points",
    "P=-Q": "P = −Q: opposite points, with the identity as sum",
    "d=0": "the curve has d = 0",
}
_FORMS = (
    (r"(.+) (?:at infinity|infinite)", "{} is at infinity"),
    (r"(.+)=O", "{} is the identity"),
    (r"(.+) of order (\d+)", "{} has order {}"),
    (r"([a-z])\((.+?)\)=0", "the {}-coordinate of {} is 0"),
    (r"([xyz])=0", "a point has {} = 0"),
)


def exception(label: str) -> str:
    """Return a label such as ``P-Q at infinity`` as a clause."""
    if label in _WHOLE:
        return _WHOLE[label]
    for pattern, text in _FORMS:
        if match := re.fullmatch(pattern, label):
            return text.format(*(_minus(each) for each in match.groups()))
    return _minus(label.replace("=", " = "))


def completeness(condition: str | None) -> str:
    """Return a condition of completeness as a sentence."""
    if condition is None:
        return "Exceptional inputs are not derived."
    if condition == "always":
        return "Complete: right for every input, on every curve."
    if condition == "no":
        return "Not complete: no condition on the curve that was derived removes these exceptions."
    return f"Complete {condition}: there it is right for every input."


def plain(text: str | None) -> str:
    """Return a text of a bibliography without its braces and commands."""
    return re.sub(r"[{}]|\\(?=[#&%_])", "", text or "").replace("--", "–")


def number(exact: str | Fraction) -> str:
    """Return an exact number with two decimals at most."""
    return f"{float(Fraction(exact)):,.2f}".rstrip("0").rstrip(".")


def capital(text: str) -> str:
    """Return a text with a capital first letter."""
    return text[:1].upper() + text[1:]


def short_field(text: str) -> str:
    """Return the name of a field without the middle digits of a large prime."""
    return re.sub(r"(\d{6})\d{6,}(\d{4})", r"\1…\2", text)


def _minus(text: str) -> str:
    return text.replace("-", "−")

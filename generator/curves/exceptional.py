"""The exceptional inputs of a formula on a curve, and their statement in comments."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from efdgen.generator.language.syntax import Name

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from efdgen.generator.formulas.formula import Kind


@dataclass(frozen=True)
class Exceptions:
    """Conclusions about a formula: ``inputs`` on which it is wrong, in names such as P=Q.

    ``unrepresentable`` are inputs that it cannot be given. ``complete`` says in words on which curves nothing
    is exceptional, ``complete_here`` whether the curve in question is one of them, and ``somewhere`` whether
    there are such curves where it is any curve.
    """

    inputs: tuple[str, ...]
    unrepresentable: tuple[str, ...]
    complete: str
    complete_here: bool
    somewhere: bool = False


_MOST = 120
"""The most characters of conditions that are printed in full."""


def shortened(conditions: Sequence[str], command: str = "--json") -> tuple[str, ...]:
    """Return conditions as they are printed in a line: long ones as their number, and what lists them."""
    printed: list[str] = []
    for condition in conditions:
        if sum(map(len, printed)) + len(condition) <= _MOST:
            printed.append(condition)
    left = len(conditions) - len(printed)
    if not left:
        return tuple(printed)
    count = "one condition" if left == 1 else f"{left} conditions"
    return *printed, f"{count} in coordinates (see {command})"


def in_words(exceptions: Exceptions, kind: Kind, *, tested: bool = False) -> str:
    """Say in a sentence for which arguments of a formula's function, p1, p2 and so on, it is undefined.

    A function that is ``tested`` says of some inputs that it fails.
    """
    inputs = _listed(exceptions.inputs, kind)
    if not inputs:
        text = "Right for every input"
    elif exceptions.complete_here:
        text = f"Right for every input: the formula is complete {exceptions.complete}"
    else:
        text = f"Undefined for {inputs}; {'checked only as far as Returns says' if tested else 'not checked'}"
        text += f"; complete {exceptions.complete}" if exceptions.somewhere else ""
    neutral = {f"{letter}=O" for letter in _letters(kind).values()}
    missing = [name for name in exceptions.unrepresentable if name not in neutral]
    if neutral <= set(exceptions.unrepresentable):
        text += "; the identity has no representative"
    else:
        missing = list(exceptions.unrepresentable)
    if missing:
        text += f"; {_listed(missing, kind)} has no representative"
    return f"{text}."


def _listed(names: Iterable[str], kind: Kind) -> str:
    *others, last = [_said(name, kind) for name in shortened((*names,), "efdgen show --json")] or [""]
    return " and ".join(filter(None, (", ".join(others), last)))


def _said(name: str, kind: Kind) -> str:
    """Say a name of the arguments: P-Q of order 2 becomes p1 - p2 of order 2, P=O becomes p1 = identity."""
    spaced = re.sub(r"(?<=[PQRS])([+-])(?=[PQRS])", r" \1 ", name).replace("=", " = ")
    spaced = re.sub(r"\bO\b", "identity", spaced)
    letters = {letter: f"p{number}" for number, letter in _letters(kind).items()}
    return re.sub(r"(?<![A-Za-z])[PQRS](?![A-Za-z0-9])", lambda match: letters[match.group()], spaced)


def _letters(kind: Kind) -> dict[int, str]:
    """Return the letters of the points that may be any: those that the kind does not give by others."""
    given = {e.left.text for e in kind.given if isinstance(e.left, Name)}
    return dict(zip((n for n in kind.inputs if f"P{n}" not in given), "PQRS", strict=False))

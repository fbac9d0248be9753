"""Equations over a finite field, solved one unknown at a time.

An equation in which one unknown is left is a polynomial, and its roots are tried; where every equation
has more of them, one unknown is given a value by the caller's choice.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from efdgen.generator.language.syntax import Binary, Group, Name, Negative, names_in
from efdgen.generator.mathematics.polynomial import RationalFunctions
from efdgen.generator.programs.compiled import compiled
from efdgen.generator.programs.interpreter import evaluate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from efdgen.generator.language.syntax import Equation, Expression
    from efdgen.generator.mathematics.ground import Ground


def holds(equation: Equation, names: Mapping[str, int], field: Ground) -> bool:
    """Return whether both sides are defined and equal; raise KeyError for a name that is not given."""
    arguments, function = _sides(equation, field)
    try:
        left, right = function(*[names[argument] for argument in arguments])
    except ZeroDivisionError:
        return False
    return left == right


@lru_cache(maxsize=4096)
def _sides(equation: Equation, field: Ground) -> tuple[tuple[str, ...], Callable[..., tuple[int, ...]]]:
    arguments = (*sorted(_missing(equation, {})),)
    return arguments, compiled((equation.left, equation.right), field, {}, arguments)


def roots(equation: Equation, unknown: str, names: Mapping[str, int], field: Ground) -> list[int] | None:
    """Return the values of an unknown for which an equation holds, ascending; None where all will do.

    A denominator may still vanish for some of all; :func:`holds` tells.
    """
    functions = RationalFunctions(field)
    sides = [*names_in(equation.left), *names_in(equation.right)]
    values = {name.text: functions.element(names[name.text]) for name in sides if name.text != unknown}
    values[unknown] = functions.unknown
    try:
        left, right = evaluate(equation.left, functions, values), evaluate(equation.right, functions, values)
    except ZeroDivisionError:
        return []
    found = functions.zeros(functions.sub(left, right))
    if found is None:
        return None
    return [value for value in found if holds(equation, {**names, unknown: value}, field)]


def solutions(
    equations: Sequence[Equation],
    known: Mapping[str, int],
    unknowns: Sequence[str],
    field: Ground,
    choices: Callable[[str], Iterable[int]],
) -> Iterator[dict[str, int]]:
    """Yield values of all names for which every equation holds, in a fixed order for fixed choices.

    ``choices`` names the values to try for an unknown that no equation determines. With all of the field as
    choices every solution is found, with none only a determined one.
    """
    left = [name for name in unknowns if name not in known]
    missing = [_missing(equation, known) for equation in equations]
    settled = [equation for equation, names in zip(equations, missing, strict=True) if not names]
    if not all(holds(equation, known, field) for equation in settled):
        return
    if not left:
        yield dict(known)
        return
    candidates: Iterable[int] | None = None
    for equation, names in zip(equations, missing, strict=True):
        if len(names) == 1:
            name = next(iter(names))
            candidates = roots(equation, name, known, field)
            if candidates is not None:
                break
    if candidates is None:
        name = _freest(equations, left)
        candidates = choices(name)
    remaining = [equation for equation, names in zip(equations, missing, strict=True) if names]
    for value in candidates:
        yield from solutions(remaining, {**known, name: value}, unknowns, field, choices)


def _missing(equation: Equation, known: Mapping[str, int]) -> set[str]:
    return {name.text for side in (equation.left, equation.right) for name in names_in(side)} - known.keys()


def _freest(equations: Sequence[Equation], unknowns: Sequence[str]) -> str:
    """Return the unknown that most equations mention; of these, one that divides: Z rather than X."""
    divisors = {name for e in equations for side in (e.left, e.right) for name in _divisors(side)}

    def weight(name: str) -> tuple[int, bool]:
        return sum(name in _missing(equation, {}) for equation in equations), name in divisors

    return max(unknowns, key=weight)


def _divisors(expression: Expression) -> Iterator[str]:
    match expression:
        case Binary("/", left, right):
            yield from _divisors(left)
            yield from (name.text for name in names_in(right))
        case Binary(_, left, right):
            yield from _divisors(left)
            yield from _divisors(right)
        case Group(inner) | Negative(inner):
            yield from _divisors(inner)
        case Name() | _:
            return

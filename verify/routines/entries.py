"""Proof that look-ups read what their digits stand for, by running them on symbols for each digit.

The members of a table's entries are symbols, and so are those of the negative of an entry. A digit of some
bits stands for the entry of its lower bits if the top one is set, and else for the negative of that of their
complement.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from efdgen.generator.errors import EfdgenError
from efdgen.generator.planning.curve_routines import entry_labels
from efdgen.generator.routines.integers import RoutineError
from efdgen.generator.routines.interpreter import Interpreter

if TYPE_CHECKING:
    from collections.abc import Callable

    from efdgen.generator.planning.plan import CurvePlan
    from efdgen.generator.routines.module import Module

_ZERO = "zero"


def prove_look_ups(plan: CurvePlan, module: Module) -> None:
    """Prove the contracts of look-ups; raise :class:`EfdgenError` where one fails."""
    widths = {"entry": {plan.variable.digits.width}}
    fixed = list(entry_labels(plan))[-1]
    widths.setdefault(fixed, set()).add(plan.generator.comb.teeth)
    for label, kind in entry_labels(plan).items():
        for bits in sorted(widths.get(label, set())) if f"read_{label}" in module.routines else ():
            _prove(module, label, kind.members, bits)


def _prove(module: Module, label: str, members: tuple[str, ...], bits: int) -> None:
    table = [{m: (at, m) for m in members} for at in range(1 << (bits - 1))]
    leaves: dict[str, Callable[..., list[Any]]] = {
        f"negate_{label}": lambda q: [{m: ("-", q[m]) for m in members}],
        "fe_join": _joined,
        "fe_select": lambda a, b, flag: [a if flag else b],
    }
    run = Interpreter(module, leaves, {"ZERO": _ZERO})
    for digit in range(1 << bits):
        at = digit % len(table)
        plus = digit >= len(table)
        wanted = table[at] if plus else {m: ("-", table[-1 - at][m]) for m in members}
        try:
            (found,) = run.call(f"read_{label}", table, digit, bits)
        except RoutineError as error:
            raise EfdgenError(f"read_{label} is not proved: {error}") from None
        if found != wanted:
            raise EfdgenError(f"read_{label} is not proved: it reads another entry for the digit {digit}")


def _joined(r: object, a: object, every: Any) -> list[object]:  # noqa: ANN401 - a word
    """Return the words of r, and those of a under a mask: known where a is left out, or r is 0."""
    if every == 0:
        return [r]
    if r != _ZERO:
        raise RoutineError("two entries are read")
    return [a]

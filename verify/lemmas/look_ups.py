"""Statements on look-ups of entries: they are run for each digit, on tables whose members are symbols."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from efdgen.generator.errors import EfdgenError
from efdgen.generator.planning.curve_routines import entry_labels
from efdgen.generator.planning.prepared_routines import WIDTH, WIDTHS, has_tables
from efdgen.generator.planning.sum_routines import SUMMAND
from efdgen.generator.routines.integers import RoutineError
from efdgen.generator.routines.interpreter import Interpreter

if TYPE_CHECKING:
    from collections.abc import Callable

    from efdgen.verify.lemmas.prover import Prover

_ZERO = "zero"


def window_entry(prover: Prover, name: str) -> None:
    """Prove that a function returns what a window means, for each width that multiplications have.

    A window with its top bit means the entry of its other bits, any other the negative of the entry of their
    complement.
    """
    label = name.removeprefix("read_")
    for bits in _widths(prover, label):
        table = _table(prover, label, 1 << (bits - 1))
        for window in range(1 << bits):
            entry = table[window % len(table)] if window >> (bits - 1) else _negative(table[-1 - window])
            _require(prover, name, entry, table, window, bits)


def _widths(prover: Prover, label: str) -> list[int]:
    plan, labels = prover.plan, entry_labels(prover.plan)
    read = [
        ("entry", plan.variable.digits.width),
        ("fixed_entry" if "fixed_entry" in labels else "entry", plan.generator.comb.teeth),
        (SUMMAND if SUMMAND in labels else "entry", plan.multi.shared.width),
        ("fixed_entry" if "fixed_entry" in labels else "entry", WIDTH),
    ]
    return sorted({width for own, width in read if own == label})


def odd_entry(prover: Prover, name: str) -> None:
    """Prove that a function returns the multiple by an odd digit from a table of odd multiples."""
    label, plan = name.removeprefix("digit_").removesuffix("_var"), prover.plan
    widths = [plan.single.width, plan.double.width, plan.double.fixed_width, plan.multi.straus_width]
    widths += [plan.half.width, plan.half.fixed_width] if plan.half else []
    widths += WIDTHS if has_tables(plan) else ()
    table = _table(prover, label, 1 << (max(widths) - 2))
    for place, entry in enumerate(table):
        _require(prover, name, entry, 2 * place + 1, table)
        _require(prover, name, _negative(entry), -2 * place - 1, table)


def _table(prover: Prover, label: str, count: int) -> list[dict[str, Any]]:
    members = prover.shapes[label].members
    return [{member: (place, member) for member in members} for place in range(count)]


def _negative(entry: dict[str, Any]) -> dict[str, Any]:
    return {member: ("-", value) for member, value in entry.items()}


def _require(prover: Prover, name: str, wanted: dict[str, Any], *arguments: Any) -> None:  # noqa: ANN401 - a table
    leaves: dict[str, Callable[..., list[Any]]] = {
        f"negate_{label}": lambda q: [_negative(q)] for label in entry_labels(prover.plan)
    }
    leaves |= {
        "negate": lambda q: [_negative(q)],
        "fe_join": _joined,
        "fe_select": lambda a, b, flag: [a if flag else b],
    }
    (found,) = Interpreter(prover.module, leaves, {"ZERO": _ZERO}).call(name, *arguments)
    if found != wanted:
        given = next(argument for argument in arguments if isinstance(argument, int))
        raise EfdgenError(f"{name} is not proved: it returns another entry for the digit {given}")


def _joined(r: object, a: object, every: Any) -> list[object]:  # noqa: ANN401 - a word
    """Return the words of r, and those of a under a mask: known where a is left out, or r is 0."""
    if every == 0:
        return [r]
    if r != _ZERO:
        raise RoutineError("two entries are read")
    return [a]

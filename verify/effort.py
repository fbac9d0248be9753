"""The budgets of the provers, all in one place.

A budget is a number of steps, of terms or of elements, never a time: on every machine, busy or not, the same
questions are decided. ``--effort N`` multiplies each budget by N.
"""

from __future__ import annotations

_MOST = 2**32 - 1  # Z3 keeps its limit in 32 bits, and takes 0 for no limit.

_effort = 1


def set_effort(effort: int) -> None:
    """Multiply all budgets by a number of 1 or more, in this process and those that it starts later."""
    global _effort  # noqa: PLW0603 - one number for the whole run, like the command line that gives it
    _effort = effort


def scaled(budget: int) -> int:
    """Return a budget at the effort that was asked for."""
    return min(budget * _effort, _MOST)

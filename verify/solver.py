"""Queries to Z3: the only module that runs a solver.

Z3 answers ``sat``, ``unsat`` or ``unknown``. The last is no answer: it is an interrupt, which Z3 catches for
itself, or a budget that ran out. Budgets are in Z3's resource units, about a million of which take a second.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from efdgen.verify.effort import scaled
from efdgen.verify.memory import keep_memory
from efdgen.verify.verdicts import UndecidedError

Term = Any  # Z3's terms and solvers carry no types

RESOURCES = 50_000_000
"""Resource units for one question."""

# Why an answer is unknown before the budget is spent: the second from tactics and optimisers.
_INTERRUPTED = "interrupted", "canceled"


def context() -> Term:
    """Return a context of its own: what was asked before has no influence on how much a question takes."""
    keep_memory()
    return import_module("z3").Context()


def satisfiable(solver: Term, question: str, *assumptions: Term, resources: int = RESOURCES) -> bool:
    """Return whether what a solver holds can be satisfied, under further assumptions.

    ``solver`` is a solver or an optimiser. Raises :class:`UndecidedError` about the question where
    ``resources`` run out, and KeyboardInterrupt.
    """
    z3 = import_module("z3")
    budget, before = scaled(resources), _spent(solver)
    solver.set("rlimit", budget)
    answer = solver.check(*assumptions)
    if answer != z3.unknown:
        return bool(answer == z3.sat)
    reason, spent = solver.reason_unknown(), _spent(solver) - before
    if spent >= budget:
        raise UndecidedError(question, f"{budget} resource units of Z3")
    if any(word in reason for word in _INTERRUPTED):
        raise KeyboardInterrupt
    raise UndecidedError(question, f"{spent} resource units of Z3, which gave up ({reason})")


def _spent(solver: Term) -> int:
    """Return the resource units that the context of a solver has spent so far."""
    return int(dict(iter(solver.statistics())).get("rlimit count", 0))


def follows(question: str, claim: Term, *premises: Term) -> bool:
    """Return whether a claim follows from premises; raises as :func:`satisfiable` does."""
    z3 = import_module("z3")
    solver = z3.Solver()
    solver.add(*premises, z3.Not(claim))
    return not satisfiable(solver, question)

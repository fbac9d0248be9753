"""The pure-Python package ``ecdsa`` on the same curve, for comparison; it need not be installed."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from time import perf_counter_ns
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from efdgen.generator.planning.plan import CurvePlan

_BATCH = 2_000_000  # nanoseconds


def peer_times(plan: CurvePlan, rounds: int) -> dict[str, float]:
    """Return the nanoseconds of each operation, the least of some rounds; nothing without the package."""
    if find_spec("ecdsa") is None:
        return {}
    curves = import_module("ecdsa.curves").curves
    known = next((curve for curve in curves if curve.order == plan.order), None)
    if known is None:
        return {}
    operations = _operations(known)
    counts = {name: max(1, int(_BATCH / _least(run))) for name, run in operations.items()}
    taken: dict[str, list[float]] = {name: [] for name in operations}
    for _ in range(rounds):
        for name, run in operations.items():
            taken[name].append(_nanoseconds(run, counts[name]))
    return {name: min(figures) for name, figures in taken.items()}


def _operations(curve: Any) -> dict[str, Callable[[], object]]:  # noqa: ANN401 - the package has no types
    k = (1 << curve.order.bit_length() - 2) // 5 | 1
    generator = curve.generator
    p = generator * k
    q = p.double()
    secret = import_module("ecdsa").SigningKey.generate(curve=curve)
    public = secret.verifying_key
    signature = secret.sign_deterministic(b"message")
    return {
        "doubling": p.double,
        "addition": lambda: p + q,
        "variable base": lambda: q * k,
        "fixed base": lambda: generator * k,
        "signing": lambda: secret.sign_deterministic(b"message"),
        "verification": lambda: public.verify(signature, b"message"),
    }


def _least(operation: Callable[[], object]) -> float:
    """Return how long a call takes at least, for the first one may fill tables."""
    return min(_nanoseconds(operation, 1) for _ in range(3))


def _nanoseconds(operation: Callable[[], object], count: int) -> float:
    start = perf_counter_ns()
    for _ in range(count):
        operation()
    return (perf_counter_ns() - start) / count

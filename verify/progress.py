"""A bar that says how far proofs are, on a terminal and nowhere else."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterator

Step = TypeVar("Step")


def with_progress_bar(steps: Iterator[Step], total: int) -> Iterator[Step]:
    """Yield every step; on a terminal, with a bar on standard error that is gone when all are done."""
    if not sys.stderr.isatty():
        return steps
    from rich.console import Console
    from rich.progress import track

    # No refreshing by itself: that is a thread, which must not be forked.
    console = Console(stderr=True)
    return iter(track(steps, "proving", total, auto_refresh=False, console=console, transient=True))

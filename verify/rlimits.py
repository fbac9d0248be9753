"""Limits of processor time and memory on a prover, the last resort where Singular has no budget of its own.

The system ends a process at its limits. The claim is then undecided: no clock proves or refutes one. No claim
of the database takes more than some seconds.
"""

from __future__ import annotations

import os
import resource
import signal
from math import ceil
from pathlib import Path

from efdgen.verify.effort import scaled

_SECONDS, _GIBIBYTES = 40, 4
_OUT_OF_MEMORY = 14  # the status with which Singular ends
_SIZE = Path("/proc/self/statm")


def limit_memory() -> None:
    """Limit the memory that this process takes from now on; at the limit Singular ends it."""
    pages = int(_SIZE.read_text(encoding="ascii").split()[0]) if _SIZE.exists() else 0
    most = pages * resource.getpagesize() + (scaled(_GIBIBYTES) << 30)
    resource.setrlimit(resource.RLIMIT_AS, (most, resource.getrlimit(resource.RLIMIT_AS)[1]))
    # The verdict replaces Singular's last output.
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    os.dup2(1, 2)


def limit_processor_time() -> None:
    """Have the system end this process after a further budget of processor time."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    most = ceil(used.ru_utime + used.ru_stime) + scaled(_SECONDS)
    resource.setrlimit(resource.RLIMIT_CPU, (most, resource.getrlimit(resource.RLIMIT_CPU)[1]))


def exhausted(status: int) -> str | None:
    """Return the budget that ended a process with an exit status, or None; a negative status is a signal."""
    match status:
        case status if status == -signal.SIGXCPU:
            return f"{scaled(_SECONDS)} seconds of processor time"
        case status if status == _OUT_OF_MEMORY:
            return f"{scaled(_GIBIBYTES)} GiB of memory"
    return None

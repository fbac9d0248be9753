"""Memory that provers return, kept for their next query: the system would clear it again."""

from __future__ import annotations

import ctypes
from functools import cache

# Options of glibc's malloc, in bytes: what stays at the end of the heap, and blocks that are no part of it.
_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3
_STAYS, _APART = 256 << 20, 32 << 20


@cache
def keep_memory() -> None:
    """Have the C library keep what is freed, for this process and those that it forks; glibc alone can."""
    try:
        set_option = ctypes.CDLL(None).mallopt
    except (AttributeError, OSError, TypeError):  # another C library, or another system
        return
    set_option(_TRIM_THRESHOLD, _STAYS)
    set_option(_MMAP_THRESHOLD, _APART)

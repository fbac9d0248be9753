"""Proofs that are shipped with efdgen: verdicts on its own database, in a file that the wheel's build makes.

The first line is the versions that the proofs were made with. Every further line is a verdict: the hash of
its claim and of its prover's files, a seal as of cached proofs, and the value as JSON. Lines are sorted.
"""

from __future__ import annotations

import mmap
from contextlib import suppress
from functools import cache
from pathlib import Path

FILE = Path(__file__).with_name("shipped-proofs")  # without a suffix: provers do not depend on it


@cache
def _content() -> mmap.mmap | None:
    """Return the content of the file; None where it is missing, as in a checkout."""
    with suppress(OSError, ValueError), FILE.open("rb") as file:
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    return None


def line(content: str) -> bytes | None:
    """Return seal and value of a verdict, in two lines as in a file of the cache; None if there is none."""
    known, wanted = _content(), content.encode()
    if known is None:
        return None
    low, high = known.find(b"\n") + 1, len(known)  # where lines begin, of which one may be it
    while low < high:
        start = known.rfind(b"\n", low, (low + high) // 2) + 1 or low
        end = known.find(b"\n", start)
        name, _, rest = known[start : end if end >= 0 else len(known)].partition(b" ")
        if name == wanted:
            return rest.replace(b" ", b"\n", 1)
        low, high = (start + len(name) + len(rest) + 2, high) if name < wanted else (low, start)
    return None

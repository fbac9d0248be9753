"""The processes of a session, as the system lists them: what is left of a command and of what it started."""

import time
from pathlib import Path


def members(session: int) -> list[str]:
    """Return the names of the processes of a session, without those that only wait to be reaped."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            name, _, rest = path.read_text().rpartition(") ")
        except OSError:  # it is gone
            continue
        state, _, _, its_session, *_ = rest.split()
        if int(its_session) == session and state not in "ZX":
            found.append(name.partition("(")[2])
    return found


def left_after(session: int, seconds: float) -> list[str]:
    """Return the processes of a session that are left after some seconds, or sooner if there is none."""
    end = time.monotonic() + seconds
    while (found := members(session)) and time.monotonic() < end:
        time.sleep(0.02)
    return found

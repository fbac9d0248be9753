"""Processes that end with this one: compilers, test programs, provers.

They join one process group, led by a shell that waits for the end of a pipe from this process and then kills
the group. So they end when this process does, killed or not, and the processes that they start end with them.
"""

from __future__ import annotations

import atexit
import os
import signal
import subprocess
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from tempfile import TemporaryFile
from threading import Lock
from typing import TYPE_CHECKING, Any

from efdgen.generator.errors import EfdgenError
from efdgen.generator.progress import tick

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

_LEADER = ("/bin/sh", "-c", "read -r _; kill -KILL 0")
_PATIENCE = 0.1  # seconds between two looks at the progress

_lock = Lock()
_leader: subprocess.Popen[bytes] | None = None
_stopping = False


class StoppedError(EfdgenError):
    """No command can be started, because others were stopped."""


def group() -> int:
    """Return the id of the process group that ends with this process; start its leader if there is none.

    Raises :class:`StoppedError` while :func:`threads` stops.
    """
    with _lock:
        return _group()


def _group() -> int:
    global _leader  # noqa: PLW0603 - one group for the whole process
    if _stopping:
        raise StoppedError("stopped")
    if _leader is None or _leader.poll() is not None:
        _leader = subprocess.Popen(_LEADER, stdin=subprocess.PIPE, process_group=0)
    return _leader.pid


def end() -> None:
    """Kill all processes of the group; the next process starts another group."""
    global _leader
    with _lock:
        leader, _leader = _leader, None
    if leader is not None:
        with suppress(ProcessLookupError):
            os.killpg(leader.pid, signal.SIGKILL)
        leader.communicate()


def start(command: Sequence[str | os.PathLike[str]], **options: Any) -> subprocess.Popen[str]:  # noqa: ANN401 - those of Popen
    """Start a command in the group; ``options`` are those of :class:`subprocess.Popen`."""
    with _lock:  # a process that joins a group while it is killed would not end with it
        return subprocess.Popen(command, text=True, process_group=_group(), **options)


def run(
    command: Sequence[str | os.PathLike[str]],
    folder: Path | None = None,
    environment: Mapping[str, str] | None = None,
    text: str = "",
) -> subprocess.CompletedProcess[str]:
    """Run a command in the group with a text on its standard input; return its status and its output.

    Progress is reported until it ends.
    """
    # A file, because Popen.communicate sends no more of its input after a timeout.
    with TemporaryFile("w+", encoding="utf-8") as given:
        given.write(text)
        given.seek(0)
        pipes = {"stdin": given, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        with start(command, cwd=folder, env=environment, **pipes) as process:
            try:
                while True:
                    try:
                        out, err = process.communicate(timeout=_PATIENCE)
                        return subprocess.CompletedProcess(command, process.returncode, out, err)
                    except subprocess.TimeoutExpired:
                        tick()
            except BaseException:
                process.kill()
                raise


@contextmanager
def threads() -> Iterator[ThreadPoolExecutor]:
    """Provide a thread per processor for running commands; an exception stops all commands at once."""
    global _stopping  # noqa: PLW0603 - as above
    try:
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            try:
                yield pool
            except BaseException:
                with _lock:
                    _stopping = True
                pool.shutdown(wait=False, cancel_futures=True)
                end()
                raise
    finally:
        _stopping = False


def _forget() -> None:
    """Leave the group to the process that this one is a copy of: its leader must not wait for the copy."""
    global _leader, _lock
    if _leader is not None and _leader.stdin is not None:
        _leader.stdin.close()
    _leader, _lock = None, Lock()


atexit.register(end)
os.register_at_fork(after_in_child=_forget)

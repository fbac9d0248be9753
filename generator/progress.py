"""Progress of long work, on standard error: a bar on a terminal, elsewhere an occasional line.

Nothing is said in the first seconds, where notes are not said, and where ``EFDGEN_PROGRESS`` is ``never``.
There is no thread behind it, which could not be forked: what works, or waits for others, calls :func:`tick`.
"""

from __future__ import annotations

import logging
import os
import sys
from concurrent.futures import wait
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import current_thread, main_thread
from time import monotonic
from typing import TYPE_CHECKING, TypeVar

import click

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from concurrent.futures import Future

    from rich.progress import Progress

Step = TypeVar("Step")
Result = TypeVar("Result")

FIRST = 2.0
_LONGEST = 30.0
_PATIENCE = 0.1
_log = logging.getLogger(__name__)


@dataclass
class Work:
    """Work under a title, of a number of steps if that is known; ``name`` is what it is at."""

    title: str
    total: int | None = None
    done: int = 0
    name: str = ""
    began: float = field(default_factory=lambda: monotonic())  # noqa: PLW0108 - a test has a clock of its own

    def at(self, name: str) -> None:
        """Say what is done next."""
        self.name = name
        tick()

    def advance(self) -> None:
        """Say that a step is done."""
        self.done += 1
        tick()

    @property
    def measure(self) -> str:
        """The progress, and the estimated remaining time."""
        spent = monotonic() - self.began
        if self.total and self.done:
            left = spent / self.done * (self.total - self.done)
            return f"{self.done} of {self.total}, about {left:.0f} s left"
        of = f"0 of {self.total}, " if self.total else ""
        return f"{of}{spent:.0f} s so far"

    def __str__(self) -> str:
        return f"{self.title}: {self.measure}" + (f"; {self.name}" if self.name else "")


class _Lines:
    """Prints a line after two seconds, and then after waits that grow."""

    def __init__(self) -> None:
        self._wait, self._due = FIRST, monotonic() + FIRST

    def draw(self, work: Work) -> None:
        if monotonic() >= self._due:
            self._due = monotonic() + self._wait
            self._wait = min(2 * self._wait, _LONGEST)
            self.say(f"efdgen: {work}")

    def say(self, text: str) -> None:
        _print(text)

    def end(self) -> None:
        pass


class _Bar:
    """Draws a bar, which is gone when all is done."""

    def __init__(self) -> None:
        self._due = monotonic() + FIRST / 4
        self._bar: Progress | None = None

    def draw(self, work: Work) -> None:
        if monotonic() < self._due:
            return
        self._due = monotonic() + 0.1
        bar = self._bar or self._begin()
        bar.update(bar.task_ids[0], description=str(work), total=work.total, completed=work.done)
        bar.refresh()

    def _begin(self) -> Progress:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn

        self._bar = Progress(
            *(BarColumn(bar_width=24), TextColumn("{task.description}", markup=False)),
            console=Console(stderr=True),
            auto_refresh=False,
            transient=True,
            redirect_stdout=False,
            redirect_stderr=False,
        )
        self._bar.add_task("", total=None)
        self._bar.start()
        return self._bar

    def say(self, text: str) -> None:
        if self._bar is None:
            _print(text)
        else:
            self._bar.console.print(text, markup=False, highlight=False, soft_wrap=True)

    def end(self) -> None:
        if self._bar is not None:
            self._bar.stop()
            self._bar = None


_stack: list[Work] = []
_display: _Lines | _Bar | None = None
_process = 0


@contextmanager
def work(title: str, total: int | None = None) -> Iterator[Work]:
    """Say how far work is as long as this lasts; work within it is said in its place."""
    global _display, _process  # noqa: PLW0603 - there is one standard error
    begun = Work(title, total)
    if not _stack:
        _display, _process = _chosen(), os.getpid()
    _stack.append(begun)
    try:
        yield begun
    finally:
        _stack.remove(begun)
        if not _stack and _display is not None:
            _display.end()
            _display = None


def each(
    steps: Iterable[Step], total: int, title: str, name: Callable[[Step], str] | None = None
) -> Iterator[Step]:
    """Yield every step of work, and say how far it is; a step is done when the next one is asked for."""
    with work(title, total) as begun:
        for step in steps:
            begun.at(name(step) if name else begun.name)
            yield step
            begun.done += 1


def at(name: str) -> None:
    """Say what is done next, within whatever work is going on."""
    if _stack:
        _stack[-1].at(name)


def tick() -> None:
    """Report the progress if it is time to; forked processes and other threads report nothing."""
    if _stack and _display is not None and os.getpid() == _process and current_thread() is main_thread():
        _display.draw(_stack[-1])


def result(future: Future[Result]) -> Result:
    """Return what becomes of a future, and say how far it is until then."""
    while not wait([future], _PATIENCE).done:
        tick()
    return future.result()


@contextmanager
def aside() -> Iterator[None]:
    """Take the bar away while something else is printed on the terminal."""
    if isinstance(_display, _Bar):
        _display.end()
    yield


def say(text: str) -> None:
    """Print a line on standard error, above the bar if there is one."""
    (_display or _Lines()).say(text)


def _chosen() -> _Lines | _Bar | None:
    if not _log.isEnabledFor(logging.INFO) or os.environ.get("EFDGEN_PROGRESS") == "never":
        return None
    if sys.stderr is None:  # it is closed
        return None
    return _Bar() if sys.stderr.isatty() else _Lines()


def _print(text: str) -> None:
    if sys.stderr is not None:
        click.echo(text, err=True)  # without colours if there is no terminal

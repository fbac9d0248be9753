"""Proofs in child processes: a crash of Singular ends only the current proof.

A child is forked, so that it has what is imported already. It answers one question after another, and keeps
what it made for them; one that died or was stopped is replaced for the next question.
"""

from __future__ import annotations

import atexit
import os
import signal
from collections import deque
from contextlib import suppress
from multiprocessing import current_process, get_context
from multiprocessing.connection import wait
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

from efdgen.generator import processes
from efdgen.generator.errors import EfdgenError
from efdgen.generator.progress import tick
from efdgen.verify.rlimits import exhausted, limit_memory, limit_processor_time
from efdgen.verify.verdicts import UndecidedError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from multiprocessing.connection import Connection

Question = TypeVar("Question")
Answer = TypeVar("Answer")

_FORK = get_context("fork")
_PATIENCE = 0.5  # seconds between two looks at the progress, and at whether children were stopped
_INTERRUPTED = 128 + signal.SIGINT


def _is_child() -> bool:
    """Return whether this process is a child, which must not have children."""
    return current_process().daemon


class ExhaustedError(UndecidedError):
    """A child was ended at a limit of processor time or memory."""

    def __init__(self, budget: str) -> None:
        super().__init__("a proof with Singular", budget)

    def __reduce__(self) -> tuple[type[ExhaustedError], tuple[str]]:
        return ExhaustedError, (self.budget,)


class CrashedError(EfdgenError):
    """A child died in the middle of a proof; the message gives the cause."""

    def __init__(self, cause: str) -> None:
        super().__init__(f"the prover crashed: {cause}")


class Child(Generic[Question, Answer]):
    """A process that applies one function to one argument after another.

    One that is ``limited`` has a limit of memory, and one of processor time for each argument.
    """

    def __init__(self, function: Callable[[Question], Answer], *, limited: bool = False) -> None:
        self.pipe, theirs = _FORK.Pipe()
        self._group = processes.group()
        arguments = function, theirs, self.pipe, self._group, limited
        self._process = _FORK.Process(target=_serve, args=arguments, daemon=True)
        # An interrupt while the child starts is for the parent alone.
        held = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            self._process.start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, held)
        theirs.close()

    def ask(self, question: Question) -> None:
        """Send an argument; :meth:`answer` has to be called before the next one is sent."""
        with suppress(BrokenPipeError):  # the process is dead; the answer reports it
            self.pipe.send(question)

    def answer(self) -> tuple[Answer | None, Exception | None]:
        """Return the value of the function, or the exception that it raised.

        Raises :class:`CrashedError` if the process died or was stopped, :class:`ExhaustedError` at a
        limit, and KeyboardInterrupt if it was interrupted; afterwards only :meth:`end` may be called.
        """
        try:
            while not self.pipe.poll(_PATIENCE):
                if self.is_stopped:
                    raise CrashedError("it was stopped by a signal")
                tick()
            answer: tuple[Answer | None, Exception | None] = self.pipe.recv()
        except (EOFError, ConnectionResetError):
            self._process.join()
            code = self._process.exitcode or 0
            if code in {_INTERRUPTED, -signal.SIGINT}:
                raise KeyboardInterrupt from None
            if budget := exhausted(code):
                raise ExhaustedError(budget) from None
            cause = signal.Signals(-code).name if code < 0 else f"exit status {code}"
            raise CrashedError(cause) from None
        return answer

    @property
    def is_stopped(self) -> bool:
        """Return whether a signal stopped the process, which then answers nothing."""
        looks = os.WSTOPPED | os.WNOHANG | os.WNOWAIT
        try:
            return os.waitid(os.P_PID, self._process.pid or 0, looks) is not None
        except ChildProcessError:
            return False

    @property
    def is_current(self) -> bool:
        """Return whether the process is in the group of this one, not in an earlier one that was killed."""
        return self._group == processes.group()

    def end(self) -> None:
        """Kill the process, whatever it is at."""
        self._process.kill()
        self._process.join()
        self.pipe.close()


def _serve(
    function: Callable[[Question], Answer], pipe: Connection, parents: Connection, group: int, limited: bool
) -> None:
    """Answer questions until the parent is gone; an interrupt is for the parent, which ends its children."""
    os.setpgid(0, group)  # so that it also ends with the parent in the middle of a question
    parents.close()  # the pipe ends with the parent
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    os.environ["CYSIGNALS_CRASH_QUIET"] = "1"  # cysignals prints pages about a crash otherwise
    try:
        with suppress(EOFError, BrokenPipeError):
            if limited:
                limit_memory()
            while True:
                _answer(function, pipe, limited=limited)
    except KeyboardInterrupt:  # Sage, where it is imported, takes interrupts again
        os._exit(_INTERRUPTED)


def _answer(function: Callable[[Question], Answer], pipe: Connection, *, limited: bool) -> None:
    """Answer the next question; raise EOFError or BrokenPipeError where the parent is gone."""
    question = pipe.recv()
    if limited:
        limit_processor_time()
    try:
        answer: tuple[Answer | None, Exception | None] = function(question), None
    except Exception as error:
        answer = None, error
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        pipe.send((None, CrashedError(str(error))))
        os._exit(1)
    pipe.send(answer)


def ask_all(
    function: Callable[[Question], Answer],
    groups: Sequence[Sequence[Question]],
    children: int,
    begin: Callable[[Question], object] = lambda _: None,
    *,
    limited: bool = False,
) -> Iterator[tuple[Question, Answer | Exception]]:
    """Yield every question with what a function makes of it, or with what it raised, in no certain order.

    The questions of a group are asked of one child, one after another, as long as it lives; ``begin`` is
    called with each before; ``limited`` is as for :class:`Child`. In a child the function is called there.
    """
    if _is_child():
        for group in groups:
            for question in group:
                try:
                    yield question, function(question)
                except Exception as error:
                    yield question, error
        return
    waiting = deque(map(deque, groups))
    asked: dict[Child[Question, Answer], tuple[Question, deque[Question]]] = {}

    def ask_next(child: Child[Question, Answer] | None, group: deque[Question]) -> None:
        group = group or (waiting.popleft() if waiting else group)
        if group:
            child = child or Child(function, limited=limited)
            question = group.popleft()
            asked[child] = question, group
            begin(question)
            child.ask(question)
        elif child:
            child.end()

    try:
        for _ in range(min(children, len(waiting))):
            ask_next(None, deque())
        while asked:
            tick()
            ready = wait([child.pipe for child in asked], _PATIENCE)
            for child in [child for child in asked if child.pipe in ready or child.is_stopped]:
                question, group = asked[child]
                alive: Child[Question, Answer] | None = child
                try:
                    value, failure = child.answer()
                except (CrashedError, ExhaustedError) as death:
                    child.end()
                    value, failure, alive = None, death, None
                del asked[child]
                ask_next(alive, group)
                yield question, cast("Answer", value) if failure is None else failure
    finally:
        for child in asked:
            child.end()


_child: Child[tuple[Callable[..., Any], tuple[Any, ...]], Any] | None = None


def ask(function: Callable[..., Answer], *arguments: object) -> Answer:
    """Return what a function of a module makes of arguments, asked of a child that all such calls share.

    Raises what the function raises, :class:`CrashedError` and :class:`ExhaustedError`. In a child the
    function is called there.
    """
    if _is_child():
        return function(*arguments)
    global _child  # noqa: PLW0603 - what it has loaded is for the next call
    if _child is not None and not _child.is_current:
        _forget()
    if _child is None:
        _child = Child(_call, limited=True)
        atexit.register(_forget)
    try:
        _child.ask((function, arguments))
        value, error = _child.answer()
    except BaseException:  # or the next call would read the answer to this one
        _forget()
        raise
    if error is not None:
        raise error
    return cast("Answer", value)


def _call(question: tuple[Callable[..., Any], tuple[Any, ...]]) -> Any:  # noqa: ANN401 - whatever it returns
    function, arguments = question
    return function(*arguments)


def _forget() -> None:
    """End the child that calls share; the next call starts another."""
    global _child  # noqa: PLW0603 - as above
    if _child is not None:
        _child.end()
        _child = None


def _abandon() -> None:
    """Leave the child to the process that started it, of which this one is a copy."""
    global _child  # noqa: PLW0603 - as above
    _child = None


os.register_at_fork(after_in_child=_abandon)

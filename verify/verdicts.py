"""The four verdicts on a claim, and the exceptions for two of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from efdgen.generator.errors import EfdgenError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

Verdict = Literal["proved", "refuted", "undecided", "error"]
"""A claim is false where it is ``refuted``; ``undecided`` says that a budget ran out, ``error`` nothing."""

SEVERITY: tuple[Verdict, ...] = ("proved", "refuted", "undecided", "error")
"""The verdicts, the best first; of several verdicts the last of these is that on the whole."""


_OF_INPUTS: dict[Verdict, str] = {"undecided": "undecided", "error": "not derived", "refuted": "not derived"}


def in_halves(verdict: Verdict, law: Verdict | None, fields: str = "") -> str:
    """Return a verdict in words; where only the law is proved, for ``fields``, those on both halves."""
    if verdict == "proved" or law != "proved":
        return verdict
    where = f" for {fields}" if fields else ""
    return f"law proved{where}; exceptional inputs {_OF_INPUTS[verdict]}"


def with_reason(words: str, reason: str) -> str:
    """Return a verdict in words with its reason, if there is one, which may repeat the last of the words."""
    if words.endswith("undecided") and reason.startswith("undecided"):
        return f"{words.removesuffix('undecided')}{reason}"
    return f"{words}: {reason}" if reason else words


class Refuted(Exception):
    """The claim is false; the message says where. ``coordinates`` are the outputs that it is about."""

    def __init__(self, reason: str, coordinates: Iterable[str] = ()) -> None:
        super().__init__(reason)
        self.coordinates = tuple(coordinates)


class UndecidedError(EfdgenError):
    """A budget ran out before a question was decided; the message names both, and how to raise budgets."""

    def __init__(self, question: str, budget: str) -> None:
        super().__init__(question, budget)
        self.question, self.budget = question, budget

    def within(self, subject: str) -> UndecidedError:
        """Return the same of a question that is part of a proof about something."""
        return UndecidedError(f"{subject}: {self.question}", self.budget)

    def __str__(self) -> str:
        return f"undecided after {self.budget}: {self.question}; --effort raises the budget"


def verdict_of(error: Exception) -> Verdict:
    """Return the verdict on a claim whose proof an exception ended."""
    return "undecided" if isinstance(error, UndecidedError) else "error"


def judge(prove: Callable[[], None]) -> tuple[Verdict, str]:
    """Return the verdict of a proof, and why it is not proved."""
    try:
        prove()
    except Refuted as refuted:
        return "refuted", str(refuted)
    except UndecidedError as undecided:
        return "undecided", str(undecided)
    except EfdgenError as error:
        return "error", str(error)
    except (MemoryError, OverflowError):
        return "error", "too large to be proved"
    except RuntimeError as error:  # Singular raises it, through Sage
        return "error", f"the prover failed: {error}"
    return "proved", ""

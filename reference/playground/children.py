"""Proofs in this process, packed in place of ``verify/children.py`` for a browser, which has no others."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from efdgen.generator.errors import EfdgenError
from efdgen.verify.verdicts import UndecidedError

if TYPE_CHECKING:
    from collections.abc import Callable

Answer = TypeVar("Answer")


class ExhaustedError(UndecidedError):
    """A limit of processor time or memory, which a browser does not set."""


class CrashedError(EfdgenError):
    """The death of another process; a browser starts no other."""


def ask(function: Callable[..., Answer], *arguments: object) -> Answer:
    """Return what a function makes of arguments."""
    return function(*arguments)

"""Texts that code is printed from: templates and routines, and another text in the place of one."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Protocol
from unittest.mock import patch

from jinja2 import ChoiceLoader, DictLoader, Environment

from efdgen.generator.fields.bundle import offered_functions
from efdgen.generator.routines import parser
from efdgen.generator.routines.parser import library_text
from efdgen.generator.text.environment import TEMPLATES, environment

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager

    from efdgen.generator.options import Language


class Source(Protocol):
    """A text by its place in the repository, in a language whose edits are known."""

    @property
    def place(self) -> str: ...

    @property
    def language(self) -> str: ...

    @property
    def text(self) -> str: ...

    def replaced(self, text: str) -> AbstractContextManager[None]:
        """Have another text in its place."""


@dataclass(frozen=True)
class Template:
    """A template by its path in the folder of its language."""

    language: Language
    name: str

    @property
    def place(self) -> str:
        return f"templates/{self.language}/{self.name}"

    @cached_property
    def text(self) -> str:
        return (TEMPLATES / self.language / self.name).read_text(encoding="utf-8")

    @contextmanager
    def replaced(self, text: str) -> Iterator[None]:
        found = environment(self.language)
        before = found.loader
        assert before is not None
        found.loader = ChoiceLoader([DictLoader({self.name: text}), before])
        _forget(found)
        try:
            yield
        finally:
            found.loader = before
            _forget(found)


@dataclass(frozen=True)
class Routines:
    """A file of routines by its name."""

    name: str
    language = "routines"

    @property
    def place(self) -> str:
        return f"generator/routines/library/{self.name}.routine"

    @cached_property
    def text(self) -> str:
        return library_text(self.name)

    @contextmanager
    def replaced(self, text: str) -> Iterator[None]:
        original = parser.library_text

        def read(name: str) -> str:
            return text if name == self.name else original(name)

        with patch.object(parser, "library_text", read):
            yield


def _forget(found: Environment) -> None:
    assert found.cache is not None
    found.cache.clear()
    offered_functions.cache_clear()

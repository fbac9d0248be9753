"""Reading C and Rust: what both languages have in common. Whatever is not understood is an error."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, TypeVar

from efdgen.verify.words.tree import Binary, Conditional, Literal

if TYPE_CHECKING:
    from collections.abc import Callable

    from efdgen.verify.words.tree import Expression

_Item = TypeVar("_Item")

_SPACE = re.compile(r"(?:\s|//[^\n]*|/\*.*?\*/)*", re.S)
_TOKEN = re.compile(
    r"0x[0-9A-Fa-f_]+|\d[\d_]*|[A-Za-z_]\w*|<<=|>>=|\.\.|::|->|=>|\+\+|--|&&|\|\|"
    r"|<<|>>|[-+*/%&|^=!<>]=|[-+*/%&|^=!<>~?:;,.(){}\[\]#']|\"[^\"]*\""
)
ASSIGNMENTS = ("=", "+=", "-=", "*=", "&=", "|=", "^=", "<<=", ">>=")


def _passed(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at


class NotReadError(ValueError):
    """Text that is no routine on words, as far as they are understood."""


class Reader(ABC):
    """Tokens, and expressions of operators by their precedence, the loosest first."""

    precedence: tuple[tuple[str, ...], ...]

    def __init__(self, text: str) -> None:
        self._tokens, self._at, at = [], 0, _passed(text, 0)
        while at < len(text):
            found = _TOKEN.match(text, at)
            if found is None:
                raise NotReadError(f"no token: {text[at : at + 20]!r}")
            self._tokens.append(found[0])
            at = _passed(text, found.end())
        self._tokens.append("")

    def peek(self, ahead: int = 0) -> str:
        """Return a token that is to come, or the empty one at the end."""
        return self._tokens[min(self._at + ahead, len(self._tokens) - 1)]

    def take(self) -> str:
        """Return the next token and go on."""
        self._at += 1
        return self._tokens[self._at - 1]

    def takes(self, *tokens: str) -> bool:
        """Go past these tokens if they are next, and say whether."""
        found = tuple(self.peek(index) for index in range(len(tokens))) == tokens
        self._at += len(tokens) * found
        return found

    def expect(self, token: str) -> None:
        """Go past a token that must be next."""
        if not self.takes(token):
            raise NotReadError(f"{token!r} is missing before {' '.join(self._tokens[self._at :][:8])!r}")

    def name(self) -> str:
        """Take a name."""
        if not re.fullmatch(r"[A-Za-z_]\w*", self.peek()):
            raise NotReadError(f"{self.peek()!r} is no name")
        return self.take()

    def number(self) -> Literal:
        """Take an integer, whose type may be written behind it."""
        text = self.take().replace("_", "")
        found = re.fullmatch(r"(0x[0-9A-Fa-f]+|\d+)", text)
        if not found:
            raise NotReadError(f"{text!r} is no number")
        return Literal(int(text, 0))

    def until(self, end: str, item: Callable[[], _Item]) -> tuple[_Item, ...]:
        """Take items with commas between them, up to a token, which is passed."""
        items: list[_Item] = []
        while not self.takes(end):
            items.append(item())
            if not self.takes(",") and self.peek() != end:
                raise NotReadError(f"{end!r} is missing before {self.peek()!r}")
        return tuple(items)

    def expression(self) -> Expression:
        """Take an expression."""
        found = self.binary(0)
        if self.takes("?"):
            one = self.expression()
            self.expect(":")
            return Conditional(found, one, self.expression())
        return found

    def binary(self, level: int) -> Expression:
        """Take operands of a precedence and the operators between them."""
        if level == len(self.precedence):
            return self.prefixed()
        left = self.binary(level + 1)
        while self.peek() in self.precedence[level]:
            operator = self.take()
            left = Binary(operator, left, self.binary(level + 1))
        return left

    @abstractmethod
    def prefixed(self) -> Expression:
        """Take an operand with what stands before it."""

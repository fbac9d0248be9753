"""The common part of the readers of C and Rust. Anything that they do not understand is an error."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, TypeVar

from efdgen.verify.words.tree import Binary, Conditional, Literal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from efdgen.verify.words.tree import Expression

_Item = TypeVar("_Item")

_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.S)
_SPACE = re.compile(r"(?:\s|//[^\n]*|/\*.*?\*/)*", re.S)
# A token and the space after it.
_TOKEN = re.compile(
    r"(0x[0-9A-Fa-f_]+|\d[\d_]*|[A-Za-z_]\w*|<<=|>>=|\.\.|::|->|=>|\+\+|--|&&|\|\|"
    r"|<<|>>|[-+*/%&|^=!<>]=|[-+*/%&|^=!<>~?:;,.(){}\[\]#']|\"[^\"]*\")" + _SPACE.pattern,
    re.S,
)
ASSIGNMENTS = ("=", "+=", "-=", "*=", "&=", "|=", "^=", "<<=", ">>=")


def _passed(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at


def definitions(lines: Iterable[str]) -> Iterator[str]:
    """Yield the definitions of a text: lines up to one that ends in a brace or a semicolon, braces closed.

    Comments must have been taken out, and none may have been inside of a string.
    """
    taken: list[str] = []
    depth = 0
    for line in lines:
        taken.append(line)
        depth += line.count("{") - line.count("}")
        if not depth and line.rstrip()[-1:] in ("}", ";"):
            yield "\n".join(taken)
            taken = []
    if any(line.strip() for line in taken):
        yield "\n".join(taken)


def without_comments(text: str) -> str:
    """Return a text without comments, as many lines as before."""
    return _COMMENT.sub(lambda found: "\n" * found[0].count("\n") or " ", text)


class NotReadError(ValueError):
    """Text that is no routine on words, as far as they are understood."""


class Reader(ABC):
    """Tokens, and expressions of operators by their precedence, the loosest first."""

    precedence: tuple[tuple[str, ...], ...]

    def __init__(self, text: str) -> None:
        tokens, at = [], _passed(text, 0)
        while at < len(text):
            found = _TOKEN.match(text, at)
            if found is None:
                raise NotReadError(f"no token: {text[at : at + 20]!r}")
            tokens.append(found[1])
            at = found.end()
        self._tokens, self._at = (*tokens, ""), 0
        self._levels = {sign: level for level, signs in enumerate(self.precedence) for sign in signs}

    def peek(self, ahead: int = 0) -> str:
        """Return a token that is to come, or the empty one at the end."""
        at = self._at + ahead
        return self._tokens[at] if at < len(self._tokens) else ""

    def since(self, start: int) -> str:
        """Return the tokens that were taken from a place on, with a space between two."""
        return " ".join(self._tokens[start : self._at])

    @property
    def at(self) -> int:
        """The number of tokens that were taken."""
        return self._at

    def take(self) -> str:
        """Return the next token and go on."""
        if self._at >= len(self._tokens):
            raise NotReadError("the text ends too early")
        self._at += 1
        return self._tokens[self._at - 1]

    def takes(self, *tokens: str) -> bool:
        """Go past these tokens if they are next, and say whether."""
        if self._tokens[self._at : self._at + len(tokens)] != tokens:
            return False
        self._at += len(tokens)
        return True

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
        """Take an integer, whose type may be written after it."""
        text = self.take().replace("_", "")
        found = re.fullmatch(r"(0x[0-9A-Fa-f]+|0|[1-9]\d*)", text)
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
        """Take operands and the operators between them, of a precedence or a tighter one."""
        left = self.prefixed()
        while (found := self._levels.get(self.peek(), -1)) >= level:
            left = Binary(self.take(), left, self.binary(found + 1))
        return left

    @abstractmethod
    def prefixed(self) -> Expression:
        """Take an operand with what is before it."""

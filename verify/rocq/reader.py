"""Statements read back from the text of a certificate, by a parser that knows nothing of the printer."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from efdgen.generator.errors import EfdgenError
from efdgen.generator.language.syntax import Binary, Equation, Name, Negative, Number

if TYPE_CHECKING:
    from efdgen.generator.language.syntax import Expression

_TOKEN = re.compile(r"\s*(?:(?P<number>\d+)|(?P<name>[A-Za-z_][\w']*)|(?P<sign>/\\|->|\S))")
_RING = "ring_theory zero one add mul sub opp ( @ eq Elt ) ->"
_BINARY = "1 + 1 = 0 ->"


@dataclass(frozen=True)
class ReadStatement:
    """The content of a statement: its names, hypotheses and claims, each in order."""

    binary: bool
    names: tuple[str, ...]
    equations: tuple[Equation, ...]
    claims: tuple[Equation, ...]


def read_statement(text: str, name: str) -> ReadStatement:
    """Read the statement of a theorem in a certificate; raise :class:`EfdgenError` for another syntax."""
    found = re.search(
        rf"^Definition {re.escape(name)}_statement : Prop :=\n(.*?)\.\s*^End Statement\.", text, re.M | re.S
    )
    if found is None:
        raise EfdgenError(f"the certificate does not state {name}")
    return _Reader(re.sub(r"\(\*.*?\*\)", " ", found[1], flags=re.S)).statement()


class _Reader:
    """A parser by recursive descent: sums, products, powers, atoms."""

    def __init__(self, text: str) -> None:
        self._tokens = [match.group().strip() for match in _TOKEN.finditer(text)]
        self._at = 0

    def statement(self) -> ReadStatement:
        self._words(_RING)
        binary = self._try(_BINARY)
        names: list[str] = []
        supposed: list[Equation] = []
        while True:
            if self._next() == "forall":
                names += self._binder()
                continue
            equation = self._equation()
            if self._next() != "->":
                break
            self._take("->")
            supposed.append(equation)
        claims = [equation]
        while self._next() == "/\\":
            self._take("/\\")
            claims.append(self._equation())
        if self._next():
            raise EfdgenError(f"the certificate's statement ends with {self._next()!r}")
        return ReadStatement(binary, tuple(names), tuple(supposed), tuple(claims))

    def _binder(self) -> list[str]:
        self._take("forall")
        names = []
        while self._next() != ":":
            names.append(self._pop())
        self._words(": Elt ,")
        return names

    def _equation(self) -> Equation:
        left = self._sum()
        self._take("=")
        return Equation(left, self._sum())

    def _sum(self) -> Expression:
        found = self._product()
        while self._next() in {"+", "-"}:
            sign = self._pop()
            found = Binary("+" if sign == "+" else "-", found, self._product())
        return found

    def _product(self) -> Expression:
        found = self._power()
        while self._next() == "*":
            self._take("*")
            found = Binary("*", found, self._power())
        return found

    def _power(self) -> Expression:
        base = self._atom()
        if self._next() == "^":
            self._take("^")
            return Binary("^", base, Number(int(self._pop())))
        return base

    def _atom(self) -> Expression:
        match token := self._pop():
            case "(":
                found = self._sum()
                self._take(")")
                return found
            case "-":
                return Negative(self._atom())
            case "#":
                return Number(int(self._pop()))
            case "0" | "1":
                return Number(int(token))
        if not re.fullmatch(r"[A-Za-z_][\w']*", token):
            raise EfdgenError(f"the certificate's statement holds {token!r}, which is no expression")
        return Name(token)

    def _next(self) -> str:
        return self._tokens[self._at] if self._at < len(self._tokens) else ""

    def _pop(self) -> str:
        self._at += 1
        return self._tokens[self._at - 1] if self._at <= len(self._tokens) else ""

    def _take(self, token: str) -> None:
        if (found := self._pop()) != token:
            raise EfdgenError(f"the certificate's statement has {found!r} in the place of {token!r}")

    def _words(self, text: str) -> None:
        for token in text.split():
            self._take(token)

    def _try(self, text: str) -> bool:
        words = text.split()
        if self._tokens[self._at : self._at + len(words)] != words:
            return False
        self._at += len(words)
        return True

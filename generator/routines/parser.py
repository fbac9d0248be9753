"""Parser of routines, with a position in every node and in every error."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache, reduce
from importlib.resources import files
from typing import TYPE_CHECKING, Any, ClassVar

from lark import Lark, Token, Transformer
from lark.exceptions import UnexpectedInput
from lark.indenter import Indenter

from efdgen.generator.errors import Position, TextError
from efdgen.generator.routines import tree
from efdgen.generator.routines.names import HIDE, MASK

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence


_HEAD = re.compile(r"(export )?(public )?routine |leaf ")
_QUOTES = '"""'
LIBRARY = files(__package__) / "library"


@dataclass(frozen=True)
class Text:
    """The routines of one text, the names that it gives to types, and the types of constants."""

    routines: dict[str, tree.Routine]
    aliases: dict[str, tree.TypeName]
    constants: dict[str, tree.TypeName]
    structures: frozenset[str] = frozenset()

    def beside(self, other: Text) -> Text:
        """Return the routines of two texts, of which the other may call this one's."""
        return Text(
            self.routines | other.routines,
            self.aliases | other.aliases,
            self.constants | other.constants,
            self.structures | other.structures,
        )


@dataclass(frozen=True)
class _Named:
    what: str
    name: str
    kind: tree.TypeName


class _Lines(Indenter):
    NL_type = "_NL"
    OPEN_PAREN_types: ClassVar = ["LPAR", "LSQB"]
    CLOSE_PAREN_types: ClassVar = ["RPAR", "RSQB"]
    INDENT_type = "_INDENT"
    DEDENT_type = "_DEDENT"
    tab_len = 8


class _Builder(Transformer[Token, Text]):
    """Builds the syntax tree while lark parses; names of methods are names of grammar rules."""

    def number(self, items: list[Token]) -> tree.Number:
        return tree.Number(int(items[0], 0), at=_at(items[0]))

    def name(self, items: list[Token]) -> tree.Name:
        return tree.Name(str(items[0]), at=_at(items[0]))

    def index(self, items: list[tree.Expression]) -> tree.Index:
        return tree.Index(items[0], items[1], at=items[0].at)

    def slice(self, items: list[tree.Expression]) -> tree.Slice:
        return tree.Slice(items[0], items[1], items[2], at=items[0].at)

    def member(self, items: list[Any]) -> tree.Member:
        return tree.Member(items[0], str(items[1]), at=items[0].at)

    def staged_member(self, items: list[Any]) -> tree.Member:
        base, *names = items
        path = ".".join(str(name) for name in names if name)
        return tree.Member(base, f"{{{path}}}", at=base.at)

    def unary(self, items: list[Any]) -> tree.Unary:
        return tree.Unary(str(items[0]), items[1], at=_at(items[0]))

    def binary(self, items: list[Any]) -> tree.Binary:
        left, operator, right = items
        return tree.Binary(str(operator), left, right, at=left.at)

    def call(self, items: list[Any]) -> tree.Expression:
        arguments = tuple(item for item in items[1:] if item is not None)
        if items[0] == MASK and len(arguments) == 1:
            return tree.Mask(arguments[0], at=_at(items[0]))
        return tree.Call(str(items[0]), arguments, at=_at(items[0]))

    def type(self, items: list[Any]) -> tree.TypeName:
        return tree.TypeName(str(items[0]), tuple(items[1:]), at=_at(items[0]))

    def length(self, items: list[Any]) -> tree.Expression:
        return items[0] if items[0] is not None else tree.Name("")

    def parameter(self, items: list[Any]) -> tree.Parameter:
        mode, name, kind, condition = items
        return tree.Parameter(str(name), kind, "inout" if mode else "", condition)

    def result(self, items: list[Any]) -> tree.Result:
        kind, option, name = items
        return tree.Result(kind, str(name or ""), option is not None)

    def alias(self, items: list[Any]) -> _Named:
        return _Named("type", str(items[0]), items[1])

    def structure(self, items: list[Any]) -> _Named:
        return _Named("structure", str(items[0]), tree.TypeName(str(items[0])))

    def constant(self, items: list[Any]) -> _Named:
        return _Named("constant", str(items[0]), items[1])

    def comment(self, items: list[Token]) -> tree.Comment:
        return tree.Comment(str(items[0]).removeprefix("#").strip(), at=_at(items[0]))

    def declare(self, items: list[Any]) -> tree.Declare:
        keyword, *names, kind, value = items
        return tree.Declare(tuple(map(str, names)), kind, value, str(keyword) == "let", at=_at(keyword))

    def room(self, items: list[Any]) -> tree.Room:
        _, name, kind = items
        return tree.Room(str(name), kind, at=_at(name))

    def assign(self, items: list[Any]) -> tree.Statement:
        *targets, sign, value = items
        if len(targets) > 1:
            return tree.Receive(tuple(targets), value, at=targets[0].at)
        return tree.Assign(targets[0], str(sign)[:-1], value, at=targets[0].at)

    def do(self, items: list[tree.Expression]) -> tree.Statement:
        match items[0]:
            case tree.Call(function, (place,)) if function == HIDE:
                return tree.Hide(place, at=items[0].at)
        return tree.Do(items[0], at=items[0].at)

    def return_(self, items: list[tree.Expression]) -> tree.Return:
        return tree.Return(tuple(items), at=items[0].at)

    def for_(self, items: list[Any]) -> tree.For:
        name, *down, start, stop, body = items
        return tree.For(str(name), start, stop, bool(down), body, at=_at(name))

    def for_items(self, items: list[Any]) -> tree.For:
        name, item, of, body = items
        start = tree.Number(0, at=of.at)
        return tree.For(str(name), start, start, False, body, str(item), of, at=_at(name))

    def while_(self, items: list[Any]) -> tree.While:
        return tree.While(items[0], items[1], at=items[0].at)

    def if_(self, items: list[Any]) -> tree.If:
        return self._branches(items, static=False)

    def static_if(self, items: list[Any]) -> tree.If:
        return self._branches(items, static=True)

    def static_for(self, items: list[Any]) -> tree.Each:
        *names, group, name, body = items
        return tree.Each(tuple(map(str, names)), f"{group}.{name}", body, at=_at(names[0]))

    def _branches(self, items: list[Any], *, static: bool) -> tree.If:
        """Return conditions and their blocks one within the other, and the last block in all of them."""
        *pairs, last = items
        otherwise: tree.Block = last or ()
        for condition, block in zip(pairs[-2::-2], pairs[-1::-2], strict=True):
            otherwise = (tree.If(condition, block, otherwise, static=static, at=condition.at),)
        found = otherwise[0]
        assert isinstance(found, tree.If)
        return found

    def block(self, items: list[tree.Statement]) -> tree.Block:
        return tuple(items)

    def routine(self, items: list[Any]) -> tree.Routine:
        exported, public, name, *rest = items
        parts = [item for item in rest if item is not None]
        doc = next((item for item in parts if isinstance(item, Token) and item.type == "DOC"), None)
        return tree.Routine(
            str(name),
            tuple(item for item in parts if isinstance(item, tree.Parameter)),
            tuple(_results(item for item in parts if isinstance(item, tree.Result))),
            _plain(doc) if doc else "",
            tuple(item for item in parts if isinstance(item, tree.Statement)),
            exported=exported is not None,
            public=public is not None,
            at=_at(name),
        )

    def leaf(self, items: list[Any]) -> tree.Routine:
        return replace(self.routine([None, None, *items]), leaf=True)

    def start(self, items: list[Any]) -> Text:
        routines = [item for item in items if isinstance(item, tree.Routine)]
        named = [item for item in items if isinstance(item, _Named)]
        return Text(
            {routine.name: routine for routine in routines},
            {item.name: item.kind for item in named if item.what == "type"},
            {item.name: item.kind for item in named if item.what == "constant"},
            frozenset(item.name for item in named if item.what == "structure"),
        )


@cache
def _grammar() -> Lark:
    return Lark(
        (files(__package__) / "routines.lark").read_text(encoding="utf-8"),
        parser="lalr",
        postlex=_Lines(),
        maybe_placeholders=True,
        propagate_positions=False,
    )


def parse(text: str, path: str = "<text>") -> Text:
    """Parse routines; raise :class:`TextError` with line and column."""
    try:
        found = _Builder().transform(_grammar().parse(text if text.endswith("\n") else f"{text}\n"))
    except UnexpectedInput as error:
        at = Position(max(error.line, 1), max(error.column, 1))
        raise TextError("this is no routine", text, at, path) from None
    _require_single_names(found, text, path)
    return found


def library(name: str, *kinds: tuple[str, str]) -> Text:
    """Return the built-in routines of a file, ``library/NAME.routine``.

    With ``kinds``, they are of other kinds than the first of each pair, and so are their names.
    """
    return _parsed(library_text(name), f"{name}.routine", kinds)


@cache
def library_text(name: str) -> str:
    """Return the text of a file of built-in routines."""
    return (LIBRARY / f"{name}.routine").read_text(encoding="utf-8")


@cache
def _parsed(text: str, path: str, kinds: tuple[tuple[str, str], ...]) -> Text:
    return parse(reduce(of_kind, kinds, text), path)


def library_names() -> list[str]:
    """Return the names of the files of built-in routines."""
    return sorted(file.name.removesuffix(".routine") for file in LIBRARY.iterdir())


def of_kind(text: str, kind: tuple[str, str]) -> str:
    """Return routines of another kind than the first of a pair; comments stay as they are."""
    code = text.split(_QUOTES)
    for old, new in (kind, (kind[0].upper(), kind[1].upper())):
        code[::2] = [re.sub(rf"(?<![A-Za-z]){old}(?![A-Za-z])", new, part) for part in code[::2]]
    return _QUOTES.join(code)


def _require_single_names(found: Text, text: str, path: str) -> None:
    """Refuse a second routine of one name."""
    lines: Sequence[str] = [line for line in text.splitlines() if _HEAD.match(line)]
    if len(lines) != len(found.routines):
        raise TextError("two routines have one name", text, Position(1, 1), path)


def _results(written: Iterable[tree.Result]) -> Iterator[tree.Result]:
    """Yield results, and after an optional one its choice."""
    for result in written:
        yield result
        if result.optional:
            yield tree.Result(tree.TypeName("choice", at=result.kind.at))


def _plain(doc: Token) -> str:
    """Return the text of a documentation string, its lines without their indentation."""
    lines = [line.strip() for line in str(doc).strip('"').strip().split("\n")]
    return "\n".join(lines)


def _at(token: Token) -> Position:
    return Position(token.line or 1, token.column or 1)

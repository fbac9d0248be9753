"""The syntax tree of routines. Comparisons ignore positions and types of nodes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from efdgen.generator.errors import Position
from efdgen.generator.routines.types import Array, Type

NOWHERE = Position(0, 0)


@dataclass(frozen=True)
class Expression:
    """An expression node; the checker fills in its type."""

    type: Type | None = field(default=None, compare=False, kw_only=True)
    at: Position = field(default=NOWHERE, compare=False, kw_only=True)


@dataclass(frozen=True)
class Number(Expression):
    """An integer, of the type of what it meets."""

    value: int


@dataclass(frozen=True)
class Name(Expression):
    """A parameter, a variable or a constant."""

    name: str


@dataclass(frozen=True)
class Index(Expression):
    """An item of an array."""

    base: Expression
    index: Expression


@dataclass(frozen=True)
class Slice(Expression):
    """Some items of an array, from the constant ``start`` on and before the constant ``stop``."""

    base: Expression
    start: Expression
    stop: Expression


@dataclass(frozen=True)
class Member(Expression):
    """A member of a structure; of a plan, before routines are staged.

    Until then, the name of one that the plan decides is in braces: ``p.{point.denominator}``, or a variable
    of a static loop.
    """

    base: Expression
    name: str


Part: TypeAlias = Index | Slice | Member


@dataclass(frozen=True)
class Unary(Expression):
    """``-``, ``~`` or ``not``."""

    operator: str
    operand: Expression


@dataclass(frozen=True)
class Binary(Expression):
    """An operator between two values of one type; ``+%``, ``-%`` and ``*%`` wrap, other sums must not."""

    operator: str
    left: Expression
    right: Expression


@dataclass(frozen=True)
class Convert(Expression):
    """A value as another type's, modulo its 2^bits."""

    kind: str
    operand: Expression


@dataclass(frozen=True)
class Condition(Expression):
    """A choice as a condition, which a branch may be taken on; the checker makes these."""

    operand: Expression


@dataclass(frozen=True)
class Mask(Expression):
    """A word of copies of a bit: ``mask(bit)``."""

    operand: Expression


@dataclass(frozen=True)
class Size(Expression):
    """The number of bytes of a type in C, whose memory routines of sizes are about."""

    kind: TypeName
    of: Type


@dataclass(frozen=True)
class Call(Expression):
    """A call of a routine; of a conversion, before the checker."""

    function: str
    arguments: tuple[Expression, ...]


@dataclass(frozen=True)
class TypeName:
    """A type as it is written: a name, and a length for each dimension."""

    name: str
    lengths: tuple[Expression, ...] = ()
    at: Position = field(default=NOWHERE, compare=False, kw_only=True)


@dataclass(frozen=True)
class Statement:
    """A line of a routine, or several."""

    at: Position = field(default=NOWHERE, compare=False, kw_only=True)


@dataclass(frozen=True)
class Comment(Statement):
    """A line for readers of the source, which stays in its place."""

    text: str


@dataclass(frozen=True)
class Declare(Statement):
    """New variables for the values of an expression; ``_`` for one that is not wanted.

    ``constant`` ones are not assigned again; without a value, an array is written before it is read.
    Variables that the same block has declared already, with the same type, are declared ``again``: a static
    loop leaves them.
    """

    names: tuple[str, ...]
    kind: TypeName | None
    value: Expression | None
    constant: bool
    types: tuple[Type, ...] = field(default=(), compare=False, kw_only=True)
    again: bool = field(default=False, compare=False, kw_only=True)


@dataclass(frozen=True)
class Room(Statement):
    """A new array whose length is no constant, written before it is read."""

    name: str
    kind: TypeName
    type: Array | None = field(default=None, compare=False, kw_only=True)


@dataclass(frozen=True)
class Assign(Statement):
    """A new value of a place, by an operator of it and another value if there is one."""

    target: Expression
    operator: str
    value: Expression


@dataclass(frozen=True)
class Receive(Statement):
    """New values of several places, which a call returns."""

    targets: tuple[Expression, ...]
    call: Expression


@dataclass(frozen=True)
class Do(Statement):
    """A call for what it changes."""

    call: Expression


@dataclass(frozen=True)
class Hide(Statement):
    """A hint to compilers that they shall know nothing of a variable's value: ``opaque(place)``."""

    place: Expression


@dataclass(frozen=True)
class Erase(Statement):
    """The end of variables that depend on secrets, in languages that erase them."""

    names: tuple[str, ...]


@dataclass(frozen=True)
class Return(Statement):
    """The values that a routine returns, and its end; then variables are ``erased`` in some languages."""

    values: tuple[Expression, ...]
    erased: tuple[str, ...] = ()


@dataclass(frozen=True)
class For(Statement):
    """A loop over public integers from ``start`` on and below ``stop``, downwards where ``down``.

    If it is over the items of an array ``of``, the text calls each ``item``; after the checker
    the body has items of that array instead, and ``stop`` is its length.
    """

    name: str
    start: Expression
    stop: Expression
    down: bool
    body: tuple[Statement, ...]
    item: str = ""
    of: Expression | None = None


@dataclass(frozen=True)
class Each(Statement):
    """Statements for each item of a plan's list ``of``, such as the names of a structure's members.

    ``names`` are what the statements call an item, or its parts. Staging leaves none of these.
    """

    names: tuple[str, ...]
    of: str
    body: tuple[Statement, ...]


@dataclass(frozen=True)
class While(Statement):
    """A loop as long as a condition holds."""

    condition: Expression
    body: tuple[Statement, ...]


@dataclass(frozen=True)
class If(Statement):
    """Statements under a condition; ``static`` ones are decided by the plan."""

    condition: Expression
    then: tuple[Statement, ...]
    otherwise: tuple[Statement, ...] = ()
    static: bool = False


Block: TypeAlias = tuple[Statement, ...]


@dataclass(frozen=True)
class Parameter:
    """A parameter of a routine; an ``inout`` one is changed, in the caller too.

    Before routines are staged, one may have a condition under which it is there.
    """

    name: str
    kind: TypeName
    mode: Literal["", "inout"] = ""
    condition: Expression | None = None
    type: Type | None = field(default=None, compare=False)


@dataclass(frozen=True)
class Result:
    """The result of a routine, and its name if a language needs a place for it.

    An ``optional`` one is there if the next result, a choice, is 1: that is the last.
    """

    kind: TypeName
    name: str = ""
    optional: bool = False
    type: Type | None = field(default=None, compare=False)


@dataclass(frozen=True)
class Routine:
    """A typed function; a ``leaf`` has no body here, but is a kernel or a function of a template.

    What a ``public`` one is given is public, also where its type is secret elsewhere.
    """

    name: str
    parameters: tuple[Parameter, ...]
    results: tuple[Result, ...]
    doc: str
    body: Block
    leaf: bool = False
    exported: bool = False
    public: bool = False
    at: Position = field(default=NOWHERE, compare=False)

    @property
    def variable(self) -> bool:
        """Return whether its time may depend on what it is given; its name says so unless that is public."""
        return self.public or self.name.endswith("_var")


def operands(expression: Expression) -> tuple[Expression, ...]:
    """Return the expressions that one is made of."""
    match expression:
        case Index(one, other) | Binary(_, one, other):
            return (one, other)
        case Slice(base, start, stop):
            return (base, start, stop)
        case Member(one) | Unary(_, one) | Convert(_, one) | Condition(one) | Mask(one):
            return (one,)
        case Call(_, arguments):
            return arguments
        case _:
            return ()


def walk(expression: Expression) -> Iterator[Expression]:
    """Yield an expression and all that it is made of."""
    yield expression
    for operand in operands(expression):
        yield from walk(operand)


def expressions(statement: Statement) -> tuple[Expression, ...]:
    """Return the expressions of a statement without its blocks."""
    match statement:
        case Declare(_, _, value):
            return () if value is None else (value,)
        case Room(_, kind):
            return kind.lengths[:1]
        case Assign(target, _, value):
            return (target, value)
        case Receive(targets, call):
            return (*targets, call)
        case Do(inner) | Hide(inner):
            return (inner,)
        case Return(values):
            return values
        case For(_, start, stop):
            return (start, stop)
        case While(condition) | If(condition):
            return (condition,)
        case _:
            return ()


def blocks(statement: Statement) -> tuple[Block, ...]:
    """Return the blocks of a statement."""
    match statement:
        case For() | While() | Each():
            return (statement.body,)
        case If(_, then, otherwise):
            return (then, otherwise)
        case _:
            return ()


def statements(block: Block) -> Iterator[Statement]:
    """Yield the statements of a block and of the blocks in it."""
    for statement in block:
        yield statement
        for inner in blocks(statement):
            yield from statements(inner)


def calls(routine: Routine) -> Iterator[Call]:
    """Yield the calls of a routine."""
    for statement in statements(routine.body):
        for expression in expressions(statement):
            yield from (part for part in walk(expression) if isinstance(part, Call))


def called(routine: Routine) -> set[str]:
    """Return the names of what a routine calls."""
    return {call.function for call in calls(routine)}


def root(place: Expression) -> str:
    """Return the name of the variable that a place is a part of."""
    while isinstance(place, Part):
        place = place.base
    return place.name if isinstance(place, Name) else ""

"""The syntax tree of routines on words, read from C or from Rust."""

from __future__ import annotations

import re
import typing
from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True)
class Literal:
    """An integer; its type is that of what it meets, where none is written after it."""

    value: int
    kind: str | None = None


@dataclass(frozen=True)
class Name:
    """A variable or a constant."""

    name: str


@dataclass(frozen=True)
class Index:
    """An element of an array."""

    base: Expression
    index: Expression


@dataclass(frozen=True)
class Member:
    """A member of a structure by name, or of a tuple by number."""

    base: Expression
    name: str


@dataclass(frozen=True)
class Unary:
    """``-``, ``!`` or ``~``, ``*`` and ``&``; C's ``!`` is ``not``."""

    operator: str
    operand: Expression


@dataclass(frozen=True)
class Binary:
    """An operator between two values, ``&&`` and ``||`` among them."""

    operator: str
    left: Expression
    right: Expression


@dataclass(frozen=True)
class Conditional:
    """One of two values, by a condition."""

    condition: Expression
    one: Expression
    other: Expression


@dataclass(frozen=True)
class Cast:
    """A value brought into the type of a name."""

    kind: str
    operand: Expression


@dataclass(frozen=True)
class Call:
    """A call of a function by its name, whose path is left out except for its last two parts."""

    function: str
    arguments: tuple[Expression, ...]


@dataclass(frozen=True)
class Method:
    """A call of a method."""

    receiver: Expression
    name: str
    arguments: tuple[Expression, ...]


@dataclass(frozen=True)
class Sequence:
    """An array or a tuple, element by element."""

    items: tuple[Expression, ...]


@dataclass(frozen=True)
class Repeated:
    """An array of one value many times."""

    item: Expression
    count: Expression


@dataclass(frozen=True)
class Range:
    """Integers from one on and below another, or without an end."""

    start: Expression
    stop: Expression | None


@dataclass(frozen=True)
class Structure:
    """A structure, member by member."""

    members: tuple[tuple[str, Expression], ...]


@dataclass(frozen=True)
class Closure:
    """A function without a name."""

    parameters: tuple[Pattern, ...]
    body: Expression


@dataclass(frozen=True)
class Block:
    """Statements, and what they come to."""

    statements: tuple[Statement, ...]
    value: Expression | None = None


Pattern: TypeAlias = "str | tuple[Pattern, ...]"
Expression: TypeAlias = (
    Literal | Name | Index | Member | Unary | Binary | Conditional | Cast | Call | Method | Sequence
    | Repeated | Range | Structure | Closure | Block
)  # fmt: skip


@dataclass(frozen=True)
class Declare:
    """New variables, of a type where one is named; ``sizes`` are those of a C array without values."""

    pattern: Pattern
    kind: str | None
    value: Expression | None
    sizes: tuple[Expression, ...] = ()


@dataclass(frozen=True)
class Assign:
    """A new value for places; ``operator`` is the text before ``=``, if any."""

    target: Expression
    operator: str
    value: Expression


@dataclass(frozen=True)
class ForEach:
    """A loop over the elements of something."""

    pattern: Pattern
    items: Expression
    body: Block


@dataclass(frozen=True)
class While:
    """A loop as long as something holds, with what is done after each turn, a ``break`` apart."""

    condition: Expression | None
    body: Block
    step: tuple[Statement, ...] = ()


@dataclass(frozen=True)
class If:
    """Statements under a condition."""

    condition: Expression
    then: Block
    otherwise: Block | None = None


@dataclass(frozen=True)
class Break:
    """The end of a loop."""


@dataclass(frozen=True)
class Return:
    """The end of a function."""

    value: Expression | None


@dataclass(frozen=True)
class Evaluate:
    """An expression for what it does."""

    expression: Expression


Statement: TypeAlias = Declare | Assign | ForEach | While | If | Break | Return | Evaluate | Block


@dataclass(frozen=True)
class Function:
    """A function: parameters with the names of their types, and what it does.

    ``declared`` are the tokens of each parameter as they are in the text, with a space between two, and
    ``returned`` those of Rust's type of the result.
    """

    name: str
    parameters: tuple[tuple[Pattern, str | None], ...]
    result: str | None
    body: Block
    declared: tuple[str, ...] = ()
    returned: str = ""


@dataclass(frozen=True)
class Constant:
    """A constant, or a table, and the type of its elements."""

    name: str
    kind: str | None
    value: Expression


@dataclass(frozen=True)
class Routines:
    """Functions and constants of one text, and which language it is in."""

    language: typing.Literal["c", "rust"]
    functions: dict[str, Function]
    constants: dict[str, Constant]

    def part(self, function: str) -> Routines:
        """Return a function and all that it mentions."""
        names, left = set(), [function]
        while left:
            name = left.pop()
            found = self.functions.get(name) or self.constants.get(name)
            if found is not None and name not in names:
                names.add(name)
                left += re.findall(r"(?:name|function)='([\w:]+)'", repr(found))
        functions = {name: found for name, found in self.functions.items() if name in names}
        constants = {name: found for name, found in self.constants.items() if name in names}
        return Routines(self.language, functions, constants)

"""Numbers in lanes in C, in the form in which they are compared with those of routines.

Functions on such numbers have the names of a type and of an operator; nothing else of C is about them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.routines.types import CHOICE, ELEMENT, INT, Choice, Integer, Structure, renamed
from efdgen.verify.routines import form
from efdgen.verify.words.reader import NotReadError
from efdgen.verify.words.tree import Call, Cast, Literal

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from efdgen.generator.routines.tree import Routine
    from efdgen.generator.routines.types import Type
    from efdgen.verify.routines.c_names import Names
    from efdgen.verify.routines.form import Term, Typed
    from efdgen.verify.words.tree import Expression

_OPERATORS = {"add": "+", "sub": "-", "mul": "*", "and": "&", "or": "|", "xor": "^"}
_SHIFTS = {"shl": "<<", "shr": ">>"}
_SHARED = "_shared"


def shared(routine: Routine, known: Mapping[str, str]) -> set[str]:
    """Return the names of parameters that are tables which all lanes share."""
    return {p.name for p in routine.parameters if p.kind.lengths and p.kind.name in known}


def split(function: str, kinds: Mapping[str, Type]) -> tuple[Type, str] | None:
    """Return the type of a function on numbers in lanes and its operator; None for every other one."""
    name, _, end = function.partition("_")
    kind = kinds.get(name)
    return (kind, end) if isinstance(kind, Integer | Choice) else None


def in_lanes(
    expression: Expression, kinds: Mapping[str, Type], read: Callable[[Expression], Typed]
) -> Typed | None:
    """Return what an expression is that only lanes have; None for every other one.

    Raises :class:`NotReadError` for what lanes do not have.
    """
    if isinstance(expression, Cast) and expression.kind != "size_t":
        raise NotReadError(f"lanes have no such expression: {expression}")
    found = split(expression.function, kinds) if isinstance(expression, Call) else None
    if found is None:
        return None
    assert isinstance(expression, Call)
    kind, end = found
    match end, expression.arguments:
        case "all", (Literal(value),):
            return form.number(value, kind)
        case "all", (operand,):
            return form.convert(kind, _of(INT, read(operand)))
        case "mask", (bit,) if isinstance(kind, Integer):
            return form.mask(_of(kind, read(bit)))
        case "not", (choice,) if kind == CHOICE:
            return form.complement(_of(kind, read(choice)))
        case operator, (left, right) if operator in _OPERATORS:
            one, other = _of(kind, read(left)), _of(kind, read(right))
            return form.binary(_OPERATORS[operator], one, other)
        case shift, (operand, count) if shift in _SHIFTS and isinstance(kind, Integer):
            return form.binary(_SHIFTS[shift], _of(kind, read(operand)), read(count))
        case conversion, (operand,) if conversion.startswith("of_") and conversion[3:] in kinds:
            return form.convert(kind, _of(kinds[conversion[3:]], read(operand)))
        case _:
            raise NotReadError(f"lanes have no such expression: {expression}")


def _of(kind: Type, value: Typed) -> Typed:
    """Return a value of a type; raises :class:`NotReadError` for any other."""
    if value.kind != kind:
        raise NotReadError(f"{value.term} has another type than a function is about")
    return value


def plain(function: str) -> str:
    """Return the name of a function without what says that lanes share an element."""
    return function.removesuffix(_SHARED)


def called(function: str, given: Sequence[Typed], known: set[str], names: Names) -> str:
    """Return what a function is called where an element of a table that lanes share has no other name.

    Raises :class:`NotReadError` where that is the name of a function for other elements.
    """
    if not names.lanes:
        return function
    shared = [value for value in given if isinstance(value.kind, Structure) and _root(value.term) in known]
    if any(value.kind != renamed(ELEMENT, names.types) for value in shared):
        raise NotReadError(f"{function} is given a structure that all lanes share")
    if bool(shared) != function.endswith(_SHARED):
        raise NotReadError(f"{function} is about other elements")
    return plain(function)


def _root(term: Term) -> str | None:
    """Return the variable that a place is in."""
    while term[0] in ("member", "item", "part"):
        term = term[1]
    return term[1] if term[0] == "name" else None

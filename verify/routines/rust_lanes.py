"""Numbers in lanes in Rust, in the form in which they are compared with those of routines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.routines.types import CHOICE, INT, Choice
from efdgen.verify.routines import form
from efdgen.verify.words.reader import NotReadError
from efdgen.verify.words.tree import Call, Cast, Literal, Method, Name

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from efdgen.generator.routines.types import Type
    from efdgen.verify.routines.form import Typed
    from efdgen.verify.words.tree import Expression


def in_lanes(
    expression: Expression, kinds: Mapping[str, Type], read: Callable[[Expression], Typed]
) -> Typed | None:
    """Return what an expression is that only lanes have; None for every other one.

    Raises :class:`NotReadError` for what lanes do not have.
    """
    match expression:
        case Name(name) if name.endswith("::ZERO") and name[:-6] in kinds:
            return form.number(0, kinds[name[:-6]])
        case Call(name, (Literal(value),)) if name.endswith("::all") and name[:-5] in kinds:
            return form.number(value, kinds[name[:-5]])
        case Call(name, (operand,)) if name.endswith("::all") and name[:-5] in kinds:
            return _shared(read(operand), kinds[name[:-5]])
        case Call(name, (operand,)) if name.endswith("::low") and name[:-5] in kinds:
            return form.convert(kinds[name[:-5]], read(operand))
        case Call("Choice::of", (operand,)):
            return form.convert(CHOICE, read(operand))
        case Method(receiver, "number", ()) if isinstance((found := read(receiver)).kind, Choice):
            return form.convert(kinds["U32"], found)
        case Method(receiver, "mask", ()):
            return form.mask(read(receiver))
        case Cast() | Call("bool::from"):
            raise NotReadError(f"lanes have no such expression: {expression}")
        case _:
            return None


def _shared(number: Typed, kind: Type) -> Typed:
    """Return a public number in all lanes; a loop over items may count words."""
    if number.kind == kind:
        return number
    if number.kind != INT:
        raise NotReadError(f"{number.term} differs from lane to lane")
    return form.convert(kind, number)

"""Calls of kernels on elements, in C and in Rust, and the machine that follows them.

An element is a structure whose words are an array of one thing, the element.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from efdgen.verify.words.machine import Machine
from efdgen.verify.words.places import Element as ArrayElement
from efdgen.verify.words.places import Variable
from efdgen.verify.words.tree import Name
from efdgen.verify.words.values import NotFollowedError

if TYPE_CHECKING:
    from collections.abc import Callable

    from efdgen.generator.fields.pieces import Language
    from efdgen.verify.readback.elements import Element, Elements
    from efdgen.verify.words.places import Scope
    from efdgen.verify.words.tree import Expression

Value = Any

# Functions on elements: their names in C after fe_, and in Rust, and what each does.
_OPERATIONS = {"add": "add", "sub": "sub", "neg": "neg", "half": "half"}
_OPERATIONS |= {"mul": "mul", "sqr": "square", "inv": "invert"}


class Follower(Machine):
    """Follows functions on elements; a constant of the text may be pointed to."""

    def _place(self, target: Expression, scope: Scope) -> Variable | ArrayElement:
        if isinstance(target, Name) and target.name not in scope:
            return Variable({target.name: self.constant(target.name)}, target.name)
        return super()._place(target, scope)


def operations(
    language: Language, elements: Elements, is_zero: Callable[[Element], Value]
) -> dict[str, Callable[..., Value]]:
    """Return the functions on elements, by their names in a language; ``is_zero`` makes a flag."""
    if language == "c":
        made = {f"fe_{name}": stored(getattr(elements, name)) for name in _OPERATIONS}
        return {**made, "fe_is_zero": lambda a: is_zero(element_of(a.read()))}
    made = {name: _returned(getattr(elements, of)) for of, name in _OPERATIONS.items()}
    return {**made, "is_zero": lambda a: is_zero(element_of(a))}


def kept(element: Element | None) -> dict[str, list[Element | None]]:
    """Return an element as a structure; None denotes one that was not stored."""
    return {"limb": [element]}


def known(element: Element | None) -> Element:
    """Return an element that was stored."""
    if element is None:
        raise NotFollowedError("an element is read that was not stored")
    return element


def element_of(value: Value) -> Element:
    """Return the element that a structure holds."""
    return known(value["limb"][0])


def stored(operation: Callable[..., Element]) -> Callable[..., None]:
    """Return a function of C on elements: the result goes to a place."""
    return lambda r, *given: r.write(kept(operation(*(element_of(place.read()) for place in given))))


def _returned(operation: Callable[..., Element]) -> Callable[..., Value]:
    """Return a function of Rust on elements."""
    return lambda *given: kept(operation(*map(element_of, given)))

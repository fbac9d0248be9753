"""The form for comparing a routine and its printed text: terms of computed values, with their widths.

In this form a sum that wraps is a sum, a number has its operand's width, every conversion is explicit, the
lengths are numbers, loops over the items of arrays are written out as loops, and loop variables have numbers.
A term is a tuple whose first item says what it is; nothing else is known of either language here.
"""

from __future__ import annotations

from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from efdgen.generator.routines.staging import folded
from efdgen.generator.routines.types import (
    CHOICE,
    ELEMENT,
    INT,
    Array,
    Choice,
    Condition,
    Integer,
    Public,
    Structure,
    described,
    renamed,
)
from efdgen.verify.words.reader import NotReadError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from efdgen.generator.routines.module import Module
    from efdgen.generator.routines.types import Type

Term: TypeAlias = tuple[Any, ...]
COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")


@dataclass(frozen=True)
class Typed:
    """A term and its type; a number alone has no type."""

    term: Term
    kind: Type | None

    @property
    def integer(self) -> Integer:
        """The machine integer that it is; raises :class:`NotReadError` for anything else."""
        if not isinstance(self.kind, Integer):
            raise NotReadError(f"{self.term} is no word")
        return self.kind


class Scope:
    """The meaning of names: constants of a module, variables and their types, and open loops.

    No variable hides another one: a new one of a name that denotes something is refused, but in the block of
    a variable of its type, where it is a new value of that. ``types`` are the names of structures in the
    language.
    """

    def __init__(self, module: Module, types: Mapping[str, str]) -> None:
        self._module, self._types = module, types
        self._members = {types.get(kind, kind): names for kind, names in module.members.items()}
        self._fields = {
            (types.get(own, own), name): renamed(kind, types) for (own, name), kind in module.fields.items()
        }
        self.types: dict[str, Type] = {}
        self._visible: set[str] = set()
        self._own: set[str] = set()
        self._loops: list[str] = []

    @contextmanager
    def block(self) -> Iterator[None]:
        """Forget at its end what a block declares."""
        outer, own = set(self._visible), self._own
        self._own = set()
        yield
        self._visible, self._own = outer, own

    @property
    def depth(self) -> int:
        """The number of open loops."""
        return len(self._loops)

    def declare(self, name: str, kind: Type) -> None:
        """Give a new variable its type, the same as all others of its name."""
        kind = renamed(kind, self._types)
        if (self._stands(name) and name not in self._own) or self.types.get(name, kind) != kind:
            raise NotReadError(f"{name} stands for two things")
        self.types[name] = kind
        self._visible.add(name)
        self._own.add(name)

    def erased(self, name: str) -> Term:
        """Return the erasure of a variable, which is not read any more."""
        if name not in self._visible:
            raise NotReadError(f"{name} is erased, and no variable")
        self._visible.discard(name)
        return ("erase", name)

    def enter(self, name: str) -> None:
        """Open a loop over integers."""
        if self._stands(name):
            raise NotReadError(f"{name} stands for two things")
        self._loops.append(name)

    def member(self, base: Typed, name: str) -> Typed:
        """Return a member of a structure, which is an element."""
        known = (members for kind, members in self._members.items() if Structure(kind) == base.kind)
        if not any(name in members for members in known):
            raise NotReadError(f"{base.term} has no member {name}")
        assert isinstance(base.kind, Structure)
        kind = self._fields.get((base.kind.name, name)) or renamed(ELEMENT, self._types)
        return Typed(("member", base.term, name), kind)

    def _stands(self, name: str) -> bool:
        return name in self._visible or name in self._loops or name in self._module.constants

    def leave(self) -> None:
        """Close the innermost loop."""
        self._loops.pop()

    def name(self, name: str) -> Typed:
        """Return what a name denotes."""
        if name in self._loops:
            return Typed(("loop", self._loops.index(name)), INT)
        constant = self._module.constants.get(name)
        if constant is not None and isinstance(constant.value, int):
            return Typed(("number", constant.value), constant.type)
        if constant is not None:
            return Typed(("constant", name), renamed(constant.type, self._types))
        if name not in self._visible:
            raise NotReadError(f"{name} is not declared")
        return Typed(("name", name), self.types[name])


def number(value: int, kind: Type | None = None) -> Typed:
    """Return a number."""
    return Typed(("number", value), kind)


def index(base: Typed, at: Typed) -> Typed:
    """Return an item of an array."""
    if not isinstance(base.kind, Array) or at.kind not in (INT, None):
        raise NotReadError(f"{base.term} has no item {at.term}")
    return Typed(_item(base.term, at.term), base.kind.item)


def part(base: Typed, start: Typed, length: int) -> Typed:
    """Return items of an array from a constant one on; the array where these are all."""
    if not isinstance(base.kind, Array) or start.term[0] != "number" or start.kind not in (INT, None):
        raise NotReadError(f"{base.term} has no items from {start.term} on")
    if start.term[1] == 0 and base.kind.length == length:
        return base
    return Typed(("part", base.term, start.term[1], length), Array(base.kind.item, length))


def room(item: Type, length: Typed) -> Array:
    """Return the type of an array whose length is a variable, or a number times one."""
    match length.term:
        case ("name", name):
            return Array(item, name)
        case ("*", "int", ("number", factor), ("name", name)):
            return Array(item, f"{factor} * {name}")
    raise NotReadError(f"a length: {length.term}")


def size(kind: Type) -> Typed:
    """Return the bytes of a type."""
    return Typed(("size", described(kind)), INT)


def length_term(kind: Array) -> Term:
    """Return the length of an array."""
    if isinstance(kind.length, int):
        return ("number", kind.length)
    factor, _, name = kind.length.rpartition(" * ")
    return ("*", "int", ("number", int(factor)), ("name", name)) if factor else ("name", name)


def _item(array: Term, at: Term) -> Term:
    """Return an item of an array, or of a part of one."""
    if array[0] != "part":
        return ("item", array, at)
    _, base, start, _ = array
    return ("item", base, binary("+", number(start), Typed(at, INT)).term if start else at)


def convert(kind: Type, operand: Typed) -> Typed:
    """Return a value as one of another type."""
    if operand.kind is None:
        return number(operand.term[1], kind)
    if isinstance(operand.kind, Array | Structure | Condition):
        raise NotReadError(f"{operand.term} is converted")
    return Typed(("convert", named(kind), operand.term), kind)


def word(value: Typed) -> Typed:
    """Return a value that is an unsigned machine integer; raises :class:`NotReadError` for any other."""
    if value.integer.signed:
        raise NotReadError(f"{value.term} is signed")
    return value


def condition(value: Typed) -> Typed:
    """Return whether a choice is 1, or a condition as it is."""
    if isinstance(value.kind, Condition):
        return value
    if value.kind not in (CHOICE, None):
        raise NotReadError(f"{value.term} is no condition")
    return Typed(("condition", value.term), Condition(secret=True))


def complement(choice: Typed) -> Typed:
    """Return 1 for a choice of 0, and 0 for one of 1."""
    return binary("^", number(1), choice)


def mask(bit: Typed) -> Typed:
    """Return a word of a bit, which no compiler knows."""
    return Typed(("mask", bit.integer.name, bit.term), bit.kind)


def unary(operator: str, operand: Typed) -> Typed:
    """Return an operator on one value."""
    return Typed((operator, named(operand.kind), operand.term), operand.kind)


def binary(operator: str, left: Typed, right: Typed) -> Typed:
    """Return an operator on two values of one type, or a number and another value."""
    plain = operator.removesuffix("%") if len(operator) == 2 else operator
    if operator in ("<<", ">>"):
        if right.kind not in (INT, None):
            raise NotReadError(f"a shift by {right.term}")
        kind = left.kind
    elif isinstance(left.kind, Condition) and isinstance(right.kind, Condition):
        kind = Condition(left.kind.secret or right.kind.secret)
    elif left.kind is not None and right.kind is not None and left.kind != right.kind:
        raise NotReadError(f"{operator} between {left.term} and {right.term}")
    else:
        kind = left.kind or right.kind
    if kind in (INT, None) and left.term[0] == right.term[0] == "number":
        return number(folded(plain, left.term[1], right.term[1]), kind)
    term = (plain, named(kind), left.term, right.term)
    return Typed(term, Condition(kind != INT) if operator in COMPARISONS else kind)


def same(wanted: Type | None, value: Typed) -> Term:
    """Return a term whose value has a type, or is a number."""
    if value.kind not in (wanted, None):
        raise NotReadError(f"{value.term} has another type than what it is given to")
    return value.term


def filled(kind: Type, target: Term, value: Term, depth: int) -> Term:
    """Return the assignment of a number, or of the items of an array, to the items of an array."""
    if not isinstance(kind, Array):
        return ("store", (target,), value)
    at = ("loop", depth)
    item = value if value[0] == "number" else _item(value, at)
    inner = filled(kind.item, ("item", target, at), item, depth + 1)
    return ("for", ("number", 0), ("number", kind.length), False, (inner,))


def settled(types: Mapping[str, Type], body: tuple[Term, ...]) -> tuple[dict[str, Type], tuple[Term, ...]]:
    """Return a form without names for values that are returned at once, and the types of the other names.

    One of several results has no name either where that is never read.
    """
    found = _without_names(body)
    found = tuple(_with_read_names(term, Counter(_names(found))) for term in found)
    return {name: kind for name, kind in types.items() if _mentions(found, name)}, found


def _without_names(body: tuple[Term, ...]) -> tuple[Term, ...]:
    terms: list[Term] = []
    for term in body:
        match terms[-1] if terms else (), term:
            case ("store", (("name", _),) as made, value), ("return", returned) if made == returned:
                terms[-1] = ("return", (value,))
            case _, ("if", condition, then, otherwise):
                terms.append(("if", condition, _without_names(then), _without_names(otherwise)))
            case _:
                terms.append(term)
    return tuple(terms)


def _with_read_names(term: Any, uses: Counter[str]) -> Any:  # noqa: ANN401 - a part of a term
    """Return a term without the names of those of several results that are used nowhere else."""
    match term:
        case ("store", (_, _, *_) as targets, value):
            return ("store", tuple(None if _is_unread(target, uses) else target for target in targets), value)
        case tuple():
            return tuple(_with_read_names(part, uses) for part in term)
        case _:
            return term


def _is_unread(target: Term | None, uses: Counter[str]) -> bool:
    return target is not None and target[0] == "name" and uses[target[1]] == 1


def _names(term: object) -> Iterator[str]:
    """Yield the name in each place of a term that has one."""
    match term:
        case ("name", str(name)):
            yield name
        case tuple():
            for part in term:
                yield from _names(part)


def _mentions(term: object, name: str) -> bool:
    return isinstance(term, tuple) and (term == ("name", name) or any(_mentions(part, name) for part in term))


def named(kind: Type | None) -> str:
    """Return a word for a type."""
    if isinstance(kind, Integer):
        return kind.name
    if kind is None or isinstance(kind, Public):
        return "int"
    if isinstance(kind, Choice):
        return "choice"
    if isinstance(kind, Structure):
        return kind.name
    return "array" if isinstance(kind, Array) else "condition"

"""Names and signatures of functions in C, to be compared with those of their routines."""

from __future__ import annotations

import re
from math import prod
from typing import TYPE_CHECKING

from efdgen.generator.languages.c.expressions import counts
from efdgen.generator.languages.c.printer import TYPES
from efdgen.generator.languages.places import declared, given_variables, in_place
from efdgen.generator.routines.rooms import SCRATCH, with_rooms
from efdgen.generator.routines.types import (
    INT,
    SCALARS,
    Array,
    Structure,
    has_rows_of_bytes,
    is_aggregate,
    renamed,
)
from efdgen.verify.words.reader import NotReadError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from efdgen.generator.languages.bindings import Bindings
    from efdgen.generator.routines.module import Module
    from efdgen.generator.routines.tree import Parameter, Routine
    from efdgen.generator.routines.types import Type
    from efdgen.verify.words.tree import Function

KINDS = {spelled: SCALARS[name] for name, spelled in TYPES.items()}


class Names:
    """The names of types and functions in a text, without its prefix."""

    def __init__(self, module: Module, prefix: str, bindings: Bindings) -> None:
        self.module, self._prefix, self._bindings = module, prefix, bindings
        self.variables = given_variables(module)
        self.with_rooms = with_rooms(module.routines)
        structures = {kind: self._own(name) for kind, name in bindings.types.items()}
        self.types = structures
        own_kinds = {own: SCALARS.get(kind, Structure(own)) for kind, own in structures.items()}
        self.lanes, self.known = bindings.lanes, bindings.known
        # In lanes C's own types are for public numbers alone.
        self._own_kinds, plain = own_kinds, {"size_t": INT} if bindings.lanes else KINDS
        self.kinds: dict[str, Type] = plain | own_kinds
        self._routines: dict[str, list[str]] = {}
        for name in module.routines:
            self._routines.setdefault(self.function(name), []).append(name)
        self.constants = {
            self._own(own).removeprefix(f"{prefix.upper()}_"): name
            for name, own in bindings.constants.items()
        }

    def function(self, name: str) -> str:
        """Return the name of a routine's function."""
        return self._own(self._bindings.functions.get(name, name))

    def routine(self, name: str, among: Collection[str]) -> str | None:
        """Return a routine that a function is, or None; it may be several leaves, as a kernel is."""
        return next((found for found in self._routines.get(name, ()) if found in among), None)

    def printed(self, name: str) -> Routine:
        """Return the routine that a function is printed for."""
        own = [found for found in self._routines.get(name, ()) if not self.module.routines[found].leaf]
        return self.module.routines[own[0]]

    def kind(self, kind: Type | None) -> Type:
        """Return a type of a routine, as the text has it."""
        assert kind is not None
        return renamed(kind, self.types)

    def type(self, kind: Type | None) -> str:
        """Return the name of a type."""
        own = self.kind(kind)
        return next(spelled for spelled, found in self.kinds.items() if found == own)

    def given(self, parameter: Parameter) -> str:
        """Return the type of a parameter's items, as it is in a text whose prefix is ``fp``."""
        known = self.known.get(parameter.kind.name) if parameter.kind.lengths else None
        return f"fp_{self._own(known)}" if known else self.spelled(parameter.type)

    def spelled(self, kind: Type | None) -> str:
        """Return the name of the type of items, as it is in a text whose prefix is ``fp``."""
        while isinstance(kind, Array):
            kind = kind.item
        name = self.type(kind)
        return f"fp_{name}" if name in self._own_kinds else name

    @property
    def structures(self) -> tuple[str, ...]:
        """The names of structures, as they are in a text whose prefix is ``fp``."""
        own = {name for name, kind in self.kinds.items() if isinstance(kind, Structure)}
        own |= {*self._own_kinds, *map(self._own, self.known.values())} if self.lanes else set()
        return tuple(f"fp_{name}" for name in sorted(own))

    def _own(self, name: str) -> str:
        return name.removeprefix(f"{self._prefix}_")


def places_of(names: Names, function: Function) -> dict[int, str]:
    """Return the names of a routine's results that a function writes where its caller says.

    Raises :class:`NotReadError` where the function's parameters are not the routine's.
    """
    routine = names.printed(function.name)
    aggregates = [at for at, result in enumerate(routine.results) if is_aggregate(result.type)]
    given = [name for name, _ in function.parameters]
    places = {at: str(name) for at, name in zip(aggregates, given, strict=False)}
    printed = [_with_numbers(names.module, text) for text in function.declared]
    if printed != list(_declarations(names, routine, places)):
        raise NotReadError("other parameters")
    numbers = [names.type(result.type) for result in routine.results if not is_aggregate(result.type)]
    if [function.result] != (numbers or ["void"]):
        raise NotReadError("another type of result")
    own, variables = declared(routine), in_place(routine)
    late = [name for at, name in places.items() if name in own and variables.get(at) != name]
    if late:
        raise NotReadError(f"an argument is read after {late[0]} was written, which may be there")
    return places


def _declarations(names: Names, routine: Routine, places: dict[int, str]) -> Iterator[str]:
    """Yield the parameters that a routine has in C, token by token."""
    for at, name in places.items():
        kind = routine.results[at].type
        yield _declared(kind, names.spelled(kind), name)
    for parameter in routine.parameters:
        given = parameter.mode or (routine.name, parameter.name) in names.variables
        constant = "const " if is_aggregate(parameter.type) and not given else ""
        yield constant + _declared(parameter.type, names.given(parameter), parameter.name)
        if (length := counts(routine).get(parameter.name)) is not None:
            yield f"size_t {length}"
    if routine.name in names.with_rooms:
        yield f"void * {SCRATCH}"


def _declared(kind: Type | None, spelled: str, name: str) -> str:
    if has_rows_of_bytes(kind):
        return f"uint8_t * {name}"
    sizes, item = "", kind
    while isinstance(item, Array):
        sizes += f" [ {'' if isinstance(item.length, str) else f'{item.length} '}]"
        item = item.item
    place = "* " if isinstance(item, Structure) and not sizes else ""
    return f"{spelled} {place}{name}{sizes}"


def _with_numbers(module: Module, text: str) -> str:
    """Return a declaration with the values of the constants that its lengths name."""

    def value(found: re.Match[str]) -> str:
        constant = module.constants.get(found[1])
        return str(constant.value) if constant and isinstance(constant.value, int) else found[0]

    def total(found: re.Match[str]) -> str:
        products = (map(int, product.split(" * ")) for product in found[1].split(" + "))
        return f"[ {sum(map(prod, products))} ]"

    return re.sub(r"\[ (\d+(?: [+*] \d+)*) \]", total, re.sub(r"\bFP_(\w+)", value, text))

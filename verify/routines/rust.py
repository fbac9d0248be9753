"""The form of functions in Rust, to be compared with the form of their routines.

Rust's compiler checks borrows, mutability and the types of variables.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from efdgen.generator.routines import tree, uses
from efdgen.generator.routines.names import BEFORE
from efdgen.generator.routines.types import INT, SCALARS, Array, Integer, Structure, renamed
from efdgen.verify.routines import form
from efdgen.verify.routines.form import Typed
from efdgen.verify.routines.rust_values import Values
from efdgen.verify.words.reader import NotReadError
from efdgen.verify.words.tree import (
    Assign,
    Block,
    Call,
    Conditional,
    Declare,
    Evaluate,
    ForEach,
    Index,
    Literal,
    Method,
    Name,
    Range,
    Repeated,
    Return,
    Sequence,
    Unary,
    While,
)
from efdgen.verify.words.tree import Structure as Literals

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from efdgen.generator.languages.bindings import Bindings
    from efdgen.generator.routines.module import Module
    from efdgen.generator.routines.types import Type
    from efdgen.verify.routines.form import Term
    from efdgen.verify.words.tree import Expression, Function, Statement

# Never an item of a routine: what Rust wants in an array of structures before it is written.
_BLANK = ("blank",)


def form_of(
    module: Module, name: str, function: Function, bindings: Bindings
) -> tuple[dict[str, Type], tuple[Term, ...]]:
    """Return the types of a function's variables, and the form of its body."""
    reader = _Function(module, name, function, bindings)
    return reader.scope.types, reader.body


class _Function(Values):
    def __init__(self, module: Module, name: str, function: Function, bindings: Bindings) -> None:
        super().__init__(module, name, bindings)
        structures = (own for name, own in bindings.types.items() if name not in module.aliases)
        self._kinds = self._numbers | {own: Structure(own) for own in structures}
        blanks = {text: Structure(name) for name, text in bindings.blanks.items()}
        self._blanks = {text: renamed(kind, bindings.types) for text, kind in blanks.items()}
        given = [p.name for p in self._routine.parameters]
        self._changed = {p.name for p in self._routine.parameters if p.mode}
        spelled = ["self", *given[1:]] if name in bindings.methods else given
        if [pattern for pattern, _ in function.parameters] != spelled:
            raise NotReadError("other parameters")
        for parameter in self._routine.parameters:
            assert parameter.type is not None
            self.scope.declare(parameter.name, parameter.type)
        for length, names in uses.lengths(self._routine).items():
            self.scope.declare(length, INT)
            self._slices |= dict.fromkeys(names, length)
        if name in bindings.methods:
            self._views["self"] = self.scope.name(given[0])
        body = self._without_assertions(function.body)
        self.body = tuple(self._block(body, returns=bool(self._routine.results)))

    def _without_assertions(self, body: Block) -> Block:
        """Return a body without what the interface asserts: slices of one length have it."""
        lengths = uses.lengths(self._routine).values() if self._routine.exported else ()
        wanted = [(first, other) for first, *others in lengths for other in others]
        for pair, statement in zip(wanted, (*body.statements, *wanted), strict=False):
            match statement:
                case Evaluate(
                    Call("assert_eq!", (Method(Name(one), "len", ()), Method(Name(two), "len", ()), *_))
                ) if (one, two) == pair:
                    pass
                case _:
                    raise NotReadError(f"the lengths of {' and '.join(pair)} are not compared")
        return replace(body, statements=body.statements[len(wanted) :])

    def _block(self, block: Block, *, returns: bool = False) -> Iterator[Term]:
        with self.scope.block():
            for at, statement in enumerate(block.statements):
                if self._is_kept(statement, block.statements[at + 1 :]):
                    continue
                yield from self._statement(statement)
                for name in [name for name in self._views if name.startswith(BEFORE)]:
                    del self._views[name]
            if returns and block.value is not None:
                yield from self._returned(block.value)
            elif block.value is not None:
                yield from self._statement(Evaluate(block.value))

    def _is_kept(self, statement: Statement, following: Iterable[Statement]) -> bool:
        """Return whether a statement keeps what the next call reads of a place that it writes to."""
        match statement:
            case Declare(str(name), None, value) if name.startswith(BEFORE) and value is not None:
                kept = self._value(value)
                if kept not in map(self._value, self._places(following)):
                    raise NotReadError(f"{value} is kept, and not written by the next call")
                self._views[name] = kept
                return True
            case _:
                return False

    def _places(self, following: Iterable[Statement]) -> tuple[Expression, ...]:
        """Return the places that the next call writes to; statements before it keep values of these."""
        for statement in following:
            match statement:
                case Declare(str(name), None) if name.startswith(BEFORE):
                    pass
                case Evaluate(Call(own, arguments)) if self._functions.get(own) in self._bindings.in_place:
                    return arguments[: len(self._module.routines[self._functions[own]].results)]
                case _:
                    break
        return ()

    def _returned(self, value: Expression) -> Iterator[Term]:
        kinds = [result.type and renamed(result.type, self._types) for result in self._routine.results]
        optional = any(result.optional for result in self._routine.results)
        match value:
            case Literals(members) if kinds[0] is not None:
                name = self._routine.results[0].name
                self.scope.declare(name, kinds[0])
                yield from self._stored(self.scope.name(name), members)
                parts: tuple[Expression, ...] = (Name(name),)
            case Method(Call("CtOption::new", parts), "into", ()) if optional and self._routine.public:
                pass
            case Call("CtOption::new", parts) if optional and not self._routine.public:
                pass
            case Sequence(parts) if not optional:
                pass
            case _:
                parts = (value,)
        if len(parts) != len(kinds):
            raise NotReadError(f"{len(parts)} results")
        yield ("return", tuple(map(form.same, kinds, map(self._value, parts))))

    def _stored(self, place: Typed, members: tuple[tuple[str, Expression], ...]) -> Iterator[Term]:
        """Yield the stores of all members of a structure, in order."""
        names = tuple(self._member(place.kind, own) for own, _ in members)
        if self._structures.get(place.kind) != names:
            raise NotReadError(f"{place.term} is given other members")
        for name, (_, value) in zip(names, members, strict=True):
            member = self.scope.member(place, name)
            yield ("store", (member.term,), form.same(member.kind, self._value(value)))

    def _statement(self, statement: Statement) -> Iterator[Term]:
        match statement:
            case Return(value) if value is not None:
                yield from self._returned(value)
            case Declare(str(name), None, Call("vec!", (Repeated(item, length),))):
                yield self._room(name, item, self._value(length))
            case Declare(pattern, kind, value) if value is not None:
                yield from self._declaration(pattern, kind, value)
            case Assign(Name() as target, "", Call("black_box", (value,))) if target == value:
                # A hint without meaning.
                pass
            case Evaluate(Call("erase", (Unary("&mut", Name(name)),))) if self._is_room(name):
                yield self.scope.erased(name)
            case Assign(Sequence(targets), "", Call() as call):
                yield ("store", tuple(self._value(target).term for target in targets), self._value(call).term)
            case Evaluate(Method(target, "fill", (value,))):
                yield self._filled(self._value(target), self._value(value))
            case Evaluate(Method(target, "copy_from_slice", (Unary("&", value),))):
                yield from self._given(self._value(target), value)
            case Assign(target, operator, value):
                place = self._value(target)
                if operator:
                    found = form.binary(operator, place, self._value(value))
                    yield ("store", (place.term,), form.same(place.kind, found))
                else:
                    yield from self._given(place, value)
            case Evaluate(Call(function, arguments)) if (
                self._functions.get(function) in self._bindings.in_place
            ):
                yield self._in_place(function, arguments)
            case Evaluate(Call() | Method() as call):
                yield ("store", (), self._value(call).term)
            case Evaluate(Conditional(condition, Block() as then, Block() as otherwise)):
                test = self._value(condition).term
                yield ("if", test, tuple(self._block(then)), tuple(self._block(otherwise)))
            case ForEach(
                (str(name), str(item)), Method(Method(of, "iter" | "iter_mut", ()), "enumerate", ()), body
            ):
                yield self._items(name, item, of, body)
            case ForEach((str(name), str(item)), Method(Range(Literal(0), None), "zip", (of,)), body):
                yield self._items(name, item, of, body, SCALARS["u32"])
            case ForEach(str(name), Method(of, "iter_mut", ()) | (Name() | Index() | Unary("&") as of), body):
                yield self._items(f"{name} in turn", name, of, body)
            case ForEach(str(name), items, body):
                yield self._for(name, items, body)
            case While(condition, body, ()) if condition is not None:
                yield ("while", self._value(condition).term, tuple(self._block(body)))
            case _:
                raise NotReadError(f"a statement: {statement}")

    def _filled(self, array: Typed, value: Typed) -> Term:
        """Return the assignment of a value to all items of an array."""
        if not isinstance(array.kind, Array) or value.kind != array.kind.item:
            raise NotReadError(f"{array.term} is filled with {value.term}")
        at = ("loop", self.scope.depth)
        inner = ("store", (form.index(array, Typed(at, INT)).term,), value.term)
        return ("for", ("number", 0), form.length_term(array.kind), False, (inner,))

    def _room(self, name: str, item: Expression, length: Typed) -> Term:
        """Return a new array of a length that is no constant; what Rust wants in it is not read."""
        kind = next((s.type.item for s in self._rooms() if s.name == name and s.type), None)
        value = self._repeated(item, kind)[1] if isinstance(item, Repeated) else _BLANK
        blank = isinstance(item, Name) and self._blanks.get(item.name) == (
            kind and renamed(kind, self._types)
        )
        if kind is None or value not in (("number", 0), _BLANK) or not (isinstance(item, Repeated) or blank):
            raise NotReadError(f"{name} is filled with {item}")
        self.scope.declare(name, form.room(kind, length))
        return ("room", name, length.term)

    def _is_room(self, name: str) -> bool:
        return name in {room.name for room in self._rooms()}

    def _rooms(self) -> list[tree.Room]:
        return [s for s in tree.statements(self._routine.body) if isinstance(s, tree.Room)]

    def _in_place(self, own: str, arguments: tuple[Expression, ...]) -> Term:
        """Return the call of a leaf that writes its results to its first arguments."""
        name = self._functions[own]
        results = self._module.routines[name].results
        places, given = arguments[: len(results)], arguments[len(results) :]
        targets = []
        for place, result in zip(places, results, strict=True):
            borrowed = isinstance(place, Unary) and place.operator == "&mut"
            given_there = isinstance(place, Name) and place.name in self._changed
            if not (borrowed or given_there) or result.type is None:
                raise NotReadError(f"{own} writes to {place}")
            found = self._value(place)
            targets.append(form.same(renamed(result.type, self._types), found))
        return ("store", tuple(targets), self._called(name, own, given).term)

    def _declaration(self, pattern: object, written: str | None, value: Expression) -> Iterator[Term]:
        function = self._function(value)
        if function is not None:
            called = self._module.routines[function]
            names = pattern if isinstance(pattern, tuple) else (pattern,)
            if len(names) != len(called.results):
                raise NotReadError(f"{pattern} is given what {function} returns")
            for name, result in zip(names, called.results, strict=True):
                assert result.type is not None
                if name != "_":
                    self.scope.declare(str(name), result.type)
            targets = tuple(None if name == "_" else ("name", name) for name in names)
            yield ("store", targets, self._value(value).term)
            return
        if not isinstance(pattern, str):
            raise NotReadError(f"a pattern: {pattern}")
        blank = self._blanks.get(value.name) if isinstance(value, Name) else None
        if blank is not None and self._is_blank(pattern):
            self.scope.declare(pattern, blank)
            return
        if isinstance(value, Literals):
            self.scope.declare(pattern, self._structure(pattern))
            yield from self._stored(self.scope.name(pattern), value.members)
            return
        if isinstance(value, Repeated):
            kind, item = self._repeated(value, self._declared(pattern))
            self.scope.declare(pattern, kind)
            if not self._is_blank(pattern) or item not in (("number", 0), _BLANK):
                yield form.filled(kind, ("name", pattern), item, self.scope.depth)
            return
        found = self._value(value)
        kind = self._kinds.get(written or "", found.kind or INT)
        self.scope.declare(pattern, kind)
        place = self.scope.name(pattern)
        yield from self._given(place, value)

    def _is_blank(self, name: str) -> bool:
        """Return whether the routine declares a variable without a value; one that Rust wants is not read.

        A leaf's argument that it writes in place is one too, and a leaf's result if it is returned.
        """
        declared = [s for s in self._declarations() if name in s.names]
        called = [s.value for s in declared if isinstance(s.value, tree.Call)]
        if not declared:
            ends = [s for s in tree.statements(self._routine.body) if isinstance(s, tree.Return)]
            called = [v for s in ends for v in s.values if isinstance(v, tree.Call)]
            return any(call.function in self._bindings.in_place for call in called)
        return any(s.value is None for s in declared) or any(
            call.function in self._bindings.in_place for call in called
        )

    def _declarations(self) -> list[tree.Declare]:
        return [s for s in tree.statements(self._routine.body) if isinstance(s, tree.Declare)]

    def _structure(self, name: str) -> Type:
        """Return the type of a structure that the routine declares."""
        kinds = {kind for s in self._declarations() if s.names == (name,) for kind in s.types}
        if len(kinds) != 1:
            raise NotReadError(f"{name} is given members")
        return renamed(kinds.pop(), self._types)

    def _given(self, place: Typed, value: Expression) -> Iterator[Term]:
        if isinstance(value, Repeated):
            kind, item = self._repeated(value, place.kind)
            if kind != place.kind:
                raise NotReadError(f"{place.term} has another length")
            yield form.filled(kind, place.term, item, self.scope.depth)
            return
        found = self._value(value)
        term = form.same(place.kind, found)
        if isinstance(place.kind, Array) and term[0] != "call":
            yield form.filled(place.kind, place.term, term, self.scope.depth)
        else:
            yield ("store", (place.term,), term)

    def _repeated(self, value: Repeated, likely: Type | None) -> tuple[Type, Term]:
        """Return the type of an array of one number, ``likely`` if there is a choice, and that number."""
        length = self._value(value.count).term
        inside = likely.item if isinstance(likely, Array) else None
        if length[0] != "number":
            raise NotReadError(f"a length: {value.count}")
        if isinstance(value.item, Repeated):
            inner, item = self._repeated(value.item, inside)
            return Array(inner, length[1]), item
        if isinstance(value.item, Name) and value.item.name in self._blanks:
            return Array(self._blanks[value.item.name], length[1]), _BLANK
        return Array(self._items_of(length[1], inside), length[1]), self._value(value.item).term

    def _items_of(self, length: int, likely: Type | None) -> Type:
        """Return the type of the numbers in the routine's arrays of a length: Rust finds it by their use."""
        numbers = [kind for kind in self._arrays() if isinstance(kind.item, Integer)]
        kinds = {kind.item for kind in numbers if kind.length == length}
        found = kinds if len(kinds) == 1 else kinds & {likely}
        if len(found) != 1:
            raise NotReadError(f"an array of {length} items of a type that is not known")
        return found.pop()

    def _declared(self, name: str) -> Type | None:
        """Return the type of the routine's variable of a name, if there is one alone."""
        declared = [pair for s in self._declarations() for pair in zip(s.names, s.types, strict=False)]
        kinds = {
            kind
            for own, kind in (*declared, *((r.name, r.type) for r in self._routine.results))
            if own == name
        }
        return kinds.pop() if len(kinds) == 1 else None

    def _arrays(self) -> Iterator[Array]:
        results = [result.type for result in self._routine.results]
        declared = [kind for s in tree.statements(self._routine.body) for kind in getattr(s, "types", ())]
        rooms = [room.type for room in self._rooms()]
        for kind in (*results, *declared, *rooms, *(p.type for p in self._routine.parameters)):
            inner = kind
            while isinstance(inner, Array):
                yield inner
                inner = inner.item

    def _for(self, name: str, items: Expression, body: Block) -> Term:
        down = isinstance(items, Method) and items.name == "rev" and not items.arguments
        turns = items.receiver if down and isinstance(items, Method) else items
        if not isinstance(turns, Range) or turns.stop is None:
            raise NotReadError(f"a loop over {items}")
        first, last = self._value(turns.start), self._value(turns.stop)
        self.scope.enter(f"_{self.scope.depth}" if name == "_" else name)
        found = ("for", form.same(INT, first), form.same(INT, last), down, tuple(self._block(body)))
        self.scope.leave()
        return found

    def _items(self, name: str, item: str, of: Expression, body: Block, number: Type | None = None) -> Term:
        """Return a loop over the items of an array, as one over its length; their numbers may be words."""
        array = self._value(of)
        if not isinstance(array.kind, Array) or item in self._views:
            raise NotReadError(f"a loop over {of}")
        length = array.kind.length
        stop = form.length_term(array.kind) if length else self._length(array.term)
        self.scope.enter(name)
        if number is not None:
            self._views[name] = form.convert(number, self.scope.name(name))
        self._views[item] = form.index(array, self.scope.name(name))
        found = ("for", ("number", 0), stop, False, tuple(self._block(body)))
        del self._views[item]
        self._views.pop(name, None)
        self.scope.leave()
        return found

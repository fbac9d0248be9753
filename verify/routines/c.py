"""The form of functions in C, to be compared with the form of their routines.

C converts by itself: what it does to the operands of an operator is written out here, and where it would
convert anything else the text is refused.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.languages.c.expressions import counts
from efdgen.generator.routines import tree, uses
from efdgen.generator.routines.rooms import SCRATCH
from efdgen.generator.routines.types import (
    INT,
    Array,
    Choice,
    Integer,
    Structure,
    counted,
    has_rows_of_bytes,
    is_aggregate,
)
from efdgen.verify.routines import c_lanes, form
from efdgen.verify.routines.c_names import KINDS, Names, places_of
from efdgen.verify.routines.form import Scope, Typed
from efdgen.verify.words.reader import NotReadError
from efdgen.verify.words.tree import (
    Assign,
    Binary,
    Block,
    Call,
    Cast,
    Declare,
    Evaluate,
    If,
    Index,
    Literal,
    Member,
    Name,
    Return,
    Sequence,
    Unary,
    While,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from efdgen.generator.routines.tree import Routine
    from efdgen.generator.routines.types import Type
    from efdgen.verify.routines.form import Term
    from efdgen.verify.words.tree import Expression, Function, Statement

_WORD_MASK = "word_mask"


def form_of(names: Names, function: Function) -> tuple[dict[str, Type], tuple[Term, ...]]:
    """Return the types of a function's variables, and the form of its body."""
    reader = _Function(names, function)
    return reader.scope.types, reader.body


class _Function:
    def __init__(self, names: Names, function: Function) -> None:
        self._names, self._module = names, names.module
        self._routine = names.printed(function.name)
        self._called_here = tree.called(self._routine)
        self._known = c_lanes.shared(self._routine, names.known)
        self.scope = Scope(self._module, names.types)
        self._rooms: dict[str, Expression] = {}
        given = [(place, self._routine.results[at].type) for at, place in places_of(names, function).items()]
        given += [(parameter.name, parameter.type) for parameter in self._routine.parameters]
        self._given_places = {name for name, _ in given}
        self._pointers = {name for name, kind in given if isinstance(kind, Structure)}
        for name, kind in given:
            self._declare(name, kind)
        for length in uses.lengths(self._routine):
            self._declare(length, INT)
        self.body = tuple(self._block(function.body))

    def _declare(self, name: str, kind: Type | None) -> None:
        assert kind is not None
        self.scope.declare(name, self._names.kind(kind))

    def _block(self, block: Block) -> Iterator[Term]:
        with self.scope.block():
            for statement in block.statements:
                yield from self._statement(statement)

    def _statement(self, statement: Statement) -> Iterator[Term]:
        match statement:
            case Declare(str(name), str(kind), Cast(given, Call("room", arguments)), sizes) if kind == given:
                yield self._room(name, kind, arguments, sizes)
            case Declare(str(name), str(kind), value, sizes) if kind in self._names.kinds:
                yield from self._declaration(name, self._names.kinds[kind], value, sizes)
            case Assign(target, "", Call() as call) if self._writes(call):
                yield self._called(call, self._value(target).term)
            case Assign(target, operator, value):
                place = self._value(target)
                found = self._value(value)
                found = self._operation(operator, place, found) if operator else found
                yield ("store", (place.term,), form.same(place.kind, found))
            case Evaluate(Call("WIPE", (place, Call("sizeof", (Name(name),))))):
                if self._erases(name) != place:
                    raise NotReadError(f"an erasure of {place}")
                yield self.scope.erased(name)
            case Evaluate(Call("WIPE", (Name(name), size))) if self._rooms.get(name) == size:
                yield self.scope.erased(name)
            case Evaluate(Cast("void", Call() as call)) | Evaluate(Call() as call):
                yield self._called(call, None)
            case Return(None):
                yield ("return", ())
            case Return(value):
                assert value is not None
                wanted = next(r.type for r in self._routine.results if not is_aggregate(r.type))
                yield ("return", (form.same(wanted, self._value(value)),))
            case Block((Declare(str(name), "size_t", start), While() as loop)):
                yield self._for(name, start, loop)
            case While(condition, body, ()) if condition is not None:
                yield ("while", self._condition(condition).term, tuple(self._block(body)))
            case If(condition, then, otherwise):
                other = tuple(self._block(otherwise)) if otherwise else ()
                yield ("if", self._condition(condition).term, tuple(self._block(then)), other)
            case _:
                raise NotReadError(f"a statement: {statement}")

    def _erases(self, name: str) -> Expression:
        """Return the place of a variable whose memory has the size of its name."""
        kind = self.scope.name(name).kind
        if name in self._given_places or not is_aggregate(kind):
            raise NotReadError(f"an erasure of {name}")
        return Unary("&", Name(name)) if isinstance(kind, Structure) else Name(name)

    def _condition(self, expression: Expression) -> Typed:
        """Return a condition: an integer that is a choice is one."""
        match expression:
            case Unary("not", operand):
                return form.unary("not", self._condition(operand))
            case Binary("&&" | "||" as operator, left, right):
                return self._operation(operator, self._condition(left), self._condition(right))
            case _:
                return form.condition(self._value(expression))

    def _room(
        self, name: str, kind: str, arguments: tuple[Expression, ...], sizes: tuple[Expression, ...]
    ) -> Term:
        """Return a new array in the memory that the caller gives."""
        item = self._array(self._names.kinds[kind.partition(" ")[0]], sizes)
        match arguments:
            case (
                Unary("&", Name(memory)),
                Binary("*", length, Call("sizeof", (Unary("*", Name(own)),))),
            ) if (memory, own) == (SCRATCH, name) and self._routine.name in self._names.with_rooms:
                number = self._value(length)
            case _:
                raise NotReadError(f"the memory of {name}")
        self._declare(name, form.room(item, number))
        self._rooms[name] = arguments[1]
        return ("room", name, number.term)

    def _array(self, kind: Type, sizes: tuple[Expression, ...]) -> Type:
        """Return the type of arrays of constant lengths."""
        for size in reversed(sizes):
            length = self._value(size).term
            if length[0] != "number":
                raise NotReadError(f"a length: {size}")
            kind = Array(kind, length[1])
        return kind

    def _declaration(
        self, name: str, kind: Type, value: Expression | None, sizes: tuple[Expression, ...]
    ) -> Iterator[Term]:
        kind = self._array(kind, sizes)
        self._declare(name, kind)
        if isinstance(kind, Array):
            if value is not None and value != Sequence((Literal(0),)):
                raise NotReadError(f"{name} is declared with values")
            if value is not None:
                yield form.filled(kind, ("name", name), ("number", 0), self.scope.depth)
        elif isinstance(value, Call) and self._writes(value):
            yield self._called(value, ("name", name))
        elif value is not None:
            yield ("store", (("name", name),), form.same(kind, self._value(value)))
        elif not isinstance(kind, Structure):
            raise NotReadError(f"{name} has no value")

    def _for(self, name: str, start: Expression | None, loop: While) -> Term:
        """Return a loop upwards to an end, or downwards from below one."""
        assert start is not None
        begin = self._value(start)
        match loop.condition, loop.step:
            case Binary("<", Name(tested), end), (Assign(Name(stepped), "+", Literal(1)),):
                first, last, down = begin, self._value(end), False
            case Binary("-->", Name(tested), end), ():
                first, last, down, stepped = self._value(end), begin, True, tested
            case _:
                raise NotReadError(f"a loop over {name}")
        if {tested, stepped} != {name}:
            raise NotReadError(f"a loop over {name}")
        self.scope.enter(name)
        found = ("for", form.same(INT, first), form.same(INT, last), down, tuple(self._block(loop.body)))
        self.scope.leave()
        return found

    def _writes(self, call: Call) -> bool:
        """Return whether a function writes results where its caller says."""
        lanes = self._names.lanes and c_lanes.split(call.function, self._names.kinds)
        if lanes or call.function == _WORD_MASK:
            return False
        routine = self._routine_of(call)
        return any(is_aggregate(result.type) for result in routine.results)

    def _routine_of(self, call: Call) -> Routine:
        own = c_lanes.plain(call.function) if self._names.lanes else call.function
        name = self._names.routine(own, self._called_here)
        if name is None:
            raise NotReadError(f"a call of {call.function}")
        return self._module.routines[name]

    def _called(self, call: Call, number: Term | None) -> Term:
        """Return a call and where its results go; the one that C returns goes to a place, or nowhere."""
        routine = self._routine_of(call)
        written = [result for result in routine.results if is_aggregate(result.type)]
        if len(call.arguments) < len(written):
            raise NotReadError(f"{call.function} has too few arguments")
        places = [
            self._given(argument, self._names.kind(result.type))
            for argument, result in zip(call.arguments, written, strict=False)
        ]
        for place, result in zip(places, written, strict=True):
            form.same(self._names.kind(result.type), place)
        given = iter(places)
        targets = tuple(
            next(given).term if is_aggregate(result.type) else number for result in routine.results
        )
        return ("store", targets, self._arguments(call, routine, call.arguments[len(written) :]))

    def _given(self, argument: Expression, wanted: Type) -> Typed:
        """Return what a function is given: the address of a structure, of an item, or a value."""
        match argument:
            case Unary("&", place):
                found = self._value(place)
                if not isinstance(found.kind, Structure):
                    raise NotReadError(f"the address of {place}")
                return found
            case Name(name) if name in self._pointers:
                return self.scope.name(name)
            case Binary("+") if isinstance(wanted, Array) and isinstance(wanted.length, int):
                array, start = self._address(argument)
                return form.part(array, start, wanted.length)
            case _:
                found = self._value(argument)
                if isinstance(found.kind, Structure):
                    raise NotReadError(f"a structure is given: {argument}")
                if isinstance(found.kind, Array) and isinstance(wanted, Array):
                    return self._first(found, wanted)
                return found

    def _address(self, place: Expression) -> tuple[Typed, Typed]:
        """Return the array in whose items an address lies, and the number of the item.

        Arrays of bytes are one after the other: the number of one is multiplied by their length.
        """
        match place:
            case Binary("+", Name() as name, Binary("*", at, size)) if has_rows_of_bytes(
                self._value(name).kind
            ):
                row = form.index(self._value(name), self._value(at))
                if not isinstance(row.kind, Array) or self._value(size).term != ("number", row.kind.length):
                    raise NotReadError(f"an item of {name}")
                return row, form.number(0)
            case Binary("+", inner, more):
                array, start = self._address(inner)
                return array, form.binary("+", start, self._value(more))
            case _:
                return self._value(place), form.number(0)

    @staticmethod
    def _first(array: Typed, wanted: Array) -> Typed:
        """Return the first items of an array, as many as are wanted; the array where a call says how many."""
        if not isinstance(wanted.length, int):
            return array
        assert isinstance(array.kind, Array)
        if isinstance(array.kind.length, int) and array.kind.length < wanted.length:
            return array
        return form.part(array, form.number(0), wanted.length)

    def _arguments(self, call: Call, routine: Routine, arguments: tuple[Expression, ...]) -> Term:
        found: list[Typed] = []
        left = list(arguments)
        names = {name: length for length, given in uses.lengths(routine).items() for name in given}
        lengths: dict[str, set[Term]] = {}
        for parameter in routine.parameters:
            if not left:
                raise NotReadError(f"{call.function} has too few arguments")
            kind = self._names.kind(parameter.type)
            value = self._given(left.pop(0), kind)
            if isinstance(kind, Array) and not kind.length:
                kind = value.kind or kind
            elif isinstance(kind, Array) and counted(kind):
                kind = value.kind if isinstance(value.kind, Array) else kind
                lengths.setdefault(names[parameter.name], set()).add(form.length_term(kind))
            found.append(Typed(form.same(kind, value), kind))
            if (length := counts(routine).get(parameter.name)) is not None:
                given = self._value(left.pop(0)).term if left else None
                if lengths[length] != {given}:
                    raise NotReadError(f"{call.function} is given another length")
        if routine.name in self._names.with_rooms and left == [Name(SCRATCH)]:
            left.pop()
        if left:
            raise NotReadError(f"{call.function} has too many arguments")
        name = c_lanes.called(call.function, found, self._known, self._names)
        return ("call", name, tuple(value.term for value in found))

    def _value(self, expression: Expression) -> Typed:
        kinds = self._names.kinds
        lanes = self._names.lanes and c_lanes.in_lanes(expression, kinds, self._value)
        return lanes or self._plain(expression)

    def _plain(self, expression: Expression) -> Typed:
        """Return what an expression is where numbers are C's own."""
        match expression:
            case Literal(value):
                return form.number(value)
            case Unary("*", Name(name)) if name in self._pointers:
                return self.scope.name(name)
            case Name(name) if name not in self._pointers:
                return self.scope.name(self._constant(name))
            case Index(Binary("+") as row, at):
                array, start = self._address(row)
                if start.term != ("number", 0):
                    raise NotReadError(f"an item from {start.term} on")
                return form.index(array, self._value(at))
            case Index(base, at):
                return form.index(self._value(base), self._value(at))
            case Member(base, name):
                return self.scope.member(self._value(base), name)
            case Cast(kind, Call(function, (bit,))) if function == _WORD_MASK and kind in KINDS:
                found = self._value(bit)
                if found.kind != KINDS[kind]:
                    raise NotReadError("a mask of another width")
                return form.mask(found)
            case Call(function, (bit,)) if function == _WORD_MASK:
                return form.mask(self._value(bit))
            case Cast(kind, Unary("-", operand)) if (
                kind in KINDS and KINDS[kind] == self._value(operand).kind
            ):
                # C computes the negative of a narrow integer as an int.
                return form.unary("-", self._value(operand))
            case Cast(kind, operand) if kind in self._names.kinds:
                return form.convert(self._names.kinds[kind], self._value(operand))
            case Call("sizeof", (Cast(kind, Sequence(sizes)),)) if kind in self._names.kinds:
                return form.size(self._array(self._names.kinds[kind], sizes))
            case Call(function, arguments):
                routine = self._routine_of(expression)
                if len(routine.results) != 1 or self._writes(expression):
                    raise NotReadError(f"{function} does not return a number")
                returned = self._names.kind(routine.results[0].type)
                return Typed(self._arguments(expression, routine, arguments), returned)
            case Unary("not" | "~" as operator, operand):
                return form.unary(operator, _computed(self._value(operand)))
            case Binary(operator, left, right):
                return self._operation(operator, self._value(left), self._value(right))
            case _:
                raise NotReadError(f"an expression: {expression}")

    def _constant(self, name: str) -> str:
        """Return the name of a constant in routines, where tables have theirs in capitals as well."""
        if name in self._names.constants:
            return self._names.constants[name]
        table = self._module.constants.get(name.upper())
        return name.upper() if name.islower() and table and isinstance(table.type, Array) else name

    def _operation(self, operator: str, left: Typed, right: Typed) -> Typed:
        """Return an operator as C computes it: in the wider one of two unsigned types."""
        # A narrow integer becomes an int of the same value, which compares as it does.
        compared = operator in form.COMPARISONS
        one, other = (left, right) if compared else (_computed(left), _computed(right))
        if self._names.lanes and any(isinstance(value.kind, Integer | Choice) for value in (left, right)):
            raise NotReadError(f"C has no {operator} on lanes")
        signs = {"&&": "and", "||": "or"}
        if operator not in ("<<", ">>"):
            one, other = _widened(one, other), _widened(other, one)
        return form.binary(signs.get(operator, operator), one, other)


def _computed(value: Typed) -> Typed:
    """Return a value that C computes with as it is; raises :class:`NotReadError` for a narrow one."""
    if isinstance(value.kind, Integer) and value.kind.bits < 32:
        raise NotReadError(f"{value.term} would be an int")
    return value


def _widened(value: Typed, other: Typed) -> Typed:
    """Return a value in the type of another one, where that is wider."""
    unsigned = all(isinstance(kind, Integer) and not kind.signed for kind in (value.kind, other.kind))
    if unsigned and value.integer.bits < other.integer.bits:
        return form.convert(other.integer, value)
    return value

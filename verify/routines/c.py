"""The form of functions in C, which has to be that of the routines that they were printed from.

C converts by itself: what it does to the operands of an operator is written out here, and where it would
convert anything else the text is refused.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.languages.c.printer import TYPES
from efdgen.generator.languages.places import declared, in_place
from efdgen.generator.routines.types import INT, SCALARS, Array, Integer
from efdgen.verify.routines import form
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
    Name,
    Return,
    Sequence,
    Unary,
    While,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from efdgen.generator.routines.module import Module
    from efdgen.generator.routines.tree import Routine
    from efdgen.generator.routines.types import Type
    from efdgen.verify.routines.form import Term
    from efdgen.verify.words.tree import Expression, Function, Statement

_KINDS = {spelled: SCALARS[name] for name, spelled in TYPES.items() if name != "choice"}
_WORD_MASK = "word_mask"


def _result(routine: Routine) -> str:
    """Return the type of the number that a function returns."""
    kinds = [result.type for result in routine.results if not isinstance(result.type, Array)]
    return next((spelled for k in kinds for spelled, kind in _KINDS.items() if form.agree(kind, k)), "void")


def places_of(module: Module, function: Function) -> dict[int, str]:
    """Return the names of a routine's results that a function writes where its caller says.

    Raises :class:`NotReadError` where the function's parameters are not the routine's.
    """
    routine = module.routines[function.name]
    arrays = [at for at, result in enumerate(routine.results) if isinstance(result.type, Array)]
    names = [name for name, _ in function.parameters]
    places = {at: str(name) for at, name in zip(arrays, names, strict=False)}
    if list(function.declared) != list(_declarations(module, routine, places)):
        raise NotReadError("other parameters")
    if function.result != _result(routine):
        raise NotReadError("another type of result")
    own, variables = declared(routine), in_place(routine)
    late = [name for at, name in places.items() if name in own and variables.get(at) != name]
    if late:
        raise NotReadError(f"an argument is read after {late[0]} was written, which may be there")
    return places


def form_of(module: Module, function: Function) -> tuple[dict[str, Type], tuple[Term, ...]]:
    """Return the types of a function's variables, and the form of its body."""
    reader = _Function(module, function)
    return reader.scope.types, reader.body


def _declarations(module: Module, routine: Routine, places: dict[int, str]) -> Iterator[str]:
    """Yield the parameters that a routine has in C, token by token."""
    for at, name in places.items():
        yield _declared(module, routine.results[at].type, name)
    for parameter in routine.parameters:
        constant = "const " if isinstance(parameter.type, Array) and not parameter.mode else ""
        yield constant + _declared(module, parameter.type, parameter.name)
        if isinstance(parameter.type, Array) and isinstance(parameter.type.length, str):
            yield f"int {parameter.type.length}"


def _declared(module: Module, kind: Type | None, name: str) -> str:
    sizes, item = "", kind
    while isinstance(item, Array):
        sizes += f" [ {_length(module, item.length)}]"
        item = item.item
    spelled = next(spelled for spelled, found in _KINDS.items() if found == item)
    return f"{spelled} {name}{sizes}"


def _length(module: Module, length: int | str) -> str:
    """Return a length as it is declared: the name of the constant that it is, if there is one."""
    if isinstance(length, str):
        return ""
    for name, constant in module.constants.items():
        if constant.value == length:
            return f"FP_{name} "
        if isinstance(constant.value, int) and 2 * constant.value == length:
            return f"2 * FP_{name} "
    return f"{length} "


class _Function:
    def __init__(self, module: Module, function: Function) -> None:
        self._module, self._routine = module, module.routines[function.name]
        self.scope = Scope(module)
        for at, place in places_of(module, function).items():
            self._declare(place, self._routine.results[at].type)
        for parameter in self._routine.parameters:
            self._declare(parameter.name, parameter.type)
            if isinstance(parameter.type, Array) and isinstance(parameter.type.length, str):
                self._declare(parameter.type.length, INT)
        self.body = tuple(self._block(function.body))

    def _declare(self, name: str, kind: Type | None) -> None:
        assert kind is not None
        self.scope.declare(name, kind)

    def _block(self, block: Block) -> Iterator[Term]:
        with self.scope.block():
            for statement in block.statements:
                yield from self._statement(statement)

    def _statement(self, statement: Statement) -> Iterator[Term]:
        match statement:
            case Declare(str(name), str(kind), value, sizes):
                yield from self._declaration(name, _KINDS[kind], value, sizes)
            case Assign(target, operator, value):
                place = self._value(target)
                found = (
                    self._operation(operator, place, self._value(value)) if operator else self._value(value)
                )
                yield ("store", (place.term,), form.same(place.kind, found))
            case Evaluate(Cast("void", Call() as call)) | Evaluate(Call() as call):
                yield self._called(call, None)
            case Return(None):
                raise NotReadError("return without a value")
            case Return(value):
                assert value is not None
                wanted = next(r.type for r in self._routine.results if not isinstance(r.type, Array))
                yield ("return", (form.same(wanted, self._value(value)),))
            case Block((Declare(str(name), "int", start), While(condition, body, step))):
                yield self._for(name, start, condition, body, step)
            case While(condition, body, ()) if condition is not None:
                yield ("while", self._value(condition).term, tuple(self._block(body)))
            case If(condition, then, otherwise):
                other = tuple(self._block(otherwise)) if otherwise else ()
                yield ("if", self._value(condition).term, tuple(self._block(then)), other)
            case _:
                raise NotReadError(f"a statement: {statement}")

    def _declaration(
        self, name: str, kind: Type, value: Expression | None, sizes: tuple[Expression, ...]
    ) -> Iterator[Term]:
        for size in reversed(sizes):
            length = self._value(size).term
            if length[0] != "number":
                raise NotReadError(f"the length of {name}")
            kind = Array(kind, length[1])
        self._declare(name, kind)
        if isinstance(kind, Array):
            if value is not None and value != Sequence((Literal(0),)):
                raise NotReadError(f"{name} is declared with values")
            if value is not None:
                yield form.filled(kind, ("name", name), ("number", 0), self.scope.depth)
        elif isinstance(value, Call) and self._gives_arrays(value):
            yield self._called(value, name)
        elif value is not None:
            yield ("store", (("name", name),), form.same(kind, self._value(value)))
        else:
            raise NotReadError(f"{name} has no value")

    def _for(
        self,
        name: str,
        start: Expression | None,
        condition: Expression | None,
        body: Block,
        step: tuple[Statement, ...],
    ) -> Term:
        """Return a loop upwards to an end, or downwards from below one."""
        assert start is not None
        begin = self._value(start)
        match condition, step:
            case Binary("<", Name(tested), end), (Assign(Name(stepped), "+", Literal(1)),):
                first, last, down = begin, self._value(end), False
            case Binary(">=", Name(tested), end), (Assign(Name(stepped), "-", Literal(1)),):
                first, last, down = self._value(end), form.binary("+", begin, form.number(1)), True
            case _:
                raise NotReadError(f"a loop over {name}")
        if {tested, stepped} != {name}:
            raise NotReadError(f"a loop over {name}")
        if down and begin.term[0] == "-" and begin.term[-1] == ("number", 1):
            last = Typed(begin.term[2], INT)
        self.scope.enter(name)
        found = ("for", form.same(INT, first), form.same(INT, last), down, tuple(self._block(body)))
        self.scope.leave()
        return found

    def _gives_arrays(self, call: Call) -> bool:
        routine = self._module.routines.get(call.function)
        return routine is not None and any(isinstance(result.type, Array) for result in routine.results)

    def _called(self, call: Call, number: str | None) -> Term:
        """Return a call and where its results go; the one that C returns goes to a name, or nowhere."""
        routine = self._module.routines.get(call.function)
        if routine is None:
            raise NotReadError(f"a call of {call.function}")
        arrays = [result for result in routine.results if isinstance(result.type, Array)]
        places = [self._value(argument) for argument in call.arguments[: len(arrays)]]
        for place, result in zip(places, arrays, strict=True):
            form.same(result.type, place)
        given = iter(places)
        targets = tuple(
            next(given).term if isinstance(result.type, Array) else (number and ("name", number)) or None
            for result in routine.results
        )
        return ("store", targets, self._arguments(call, routine, call.arguments[len(arrays) :]))

    def _arguments(self, call: Call, routine: Routine, arguments: tuple[Expression, ...]) -> Term:
        found, left = [], list(arguments)
        for parameter in routine.parameters:
            if not left:
                raise NotReadError(f"{call.function} has too few arguments")
            value = self._value(left.pop(0))
            kind = parameter.type
            if isinstance(kind, Array) and isinstance(kind.length, str):
                length = self._value(left.pop(0)).term if left else None
                if not isinstance(value.kind, Array) or length != ("number", value.kind.length):
                    raise NotReadError(f"{call.function} is given another length")
                kind = Array(kind.item, value.kind.length)
            found.append(form.same(kind, value))
        if left:
            raise NotReadError(f"{call.function} has too many arguments")
        return ("call", call.function, tuple(found))

    def _value(self, expression: Expression) -> Typed:
        match expression:
            case Literal(value):
                return form.number(value)
            case Name(name):
                return self.scope.name(self._constant(name))
            case Index(base, at):
                return form.index(self._value(base), self._value(at))
            case Cast(kind, Call(function, (bit,))) if function == _WORD_MASK and kind in _KINDS:
                found = self._value(bit)
                if found.kind != _KINDS[kind]:
                    raise NotReadError("a mask of another width")
                return form.mask(found)
            case Cast(kind, Unary("-", operand)) if (
                kind in _KINDS and _KINDS[kind] == self._value(operand).kind
            ):
                # Of a narrow integer C computes the negative as an int.
                return form.unary("-", self._value(operand))
            case Cast(kind, operand) if kind in _KINDS:
                return form.convert(_KINDS[kind], self._value(operand))
            case Call(function, arguments) if function in self._module.routines:
                routine = self._module.routines[function]
                if len(routine.results) != 1 or self._gives_arrays(expression):
                    raise NotReadError(f"{function} does not return a number")
                return Typed(self._arguments(expression, routine, arguments), routine.results[0].type)
            case Unary("not" | "~" as operator, operand):
                return form.unary(operator, _computed(self._value(operand)))
            case Binary(operator, left, right):
                return self._operation(operator, self._value(left), self._value(right))
            case _:
                raise NotReadError(f"an expression: {expression}")

    def _constant(self, name: str) -> str:
        """Return the name of a constant in routines, where tables have theirs in capitals as well."""
        table = self._module.constants.get(name.upper())
        return name.upper() if name.islower() and table and not isinstance(table.value, int) else name

    def _operation(self, operator: str, left: Typed, right: Typed) -> Typed:
        """Return an operator as C computes it: in the wider one of two unsigned types."""
        one, other = _computed(left), _computed(right)
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
    kinds = value.kind, other.kind
    unsigned = all(isinstance(kind, Integer) and not kind.signed for kind in kinds)
    if unsigned and value.integer.bits < other.integer.bits:
        return form.convert(other.integer, value)
    return value

"""Type checker of routines, which also keeps secrets from affecting time.

A branch, an index, a shift and a division depend on what is public alone: ``int`` is the public type, and no
conversion leads from a secret to it. A routine whose name ends in ``_var`` is free to do all of that, and to
branch on a choice.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from efdgen.generator.errors import EfdgenError
from efdgen.generator.routines import names, tree
from efdgen.generator.routines.exclusive import conflict, read_late
from efdgen.generator.routines.staging import folded
from efdgen.generator.routines.types import (
    CHOICE,
    ELEMENT,
    INT,
    SCALARS,
    SHORT_WORD,
    WORD,
    Array,
    Condition,
    Integer,
    Structure,
    described,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from efdgen.generator.routines.parser import Text
    from efdgen.generator.routines.tree import Block, Expression, Routine, Statement, TypeName
    from efdgen.generator.routines.types import Type

_COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")
_WRAPPING = ("+%", "-%", "*%")
_BITS = ("&", "|", "^")


class Checker:
    """Checks routines one after the other, each after those that it calls."""

    def __init__(
        self, text: Text, integers: Mapping[str, int], members: Mapping[str, tuple[str, ...]] | None = None
    ) -> None:
        self._aliases, self._structures, self._integers = text.aliases, text.structures, integers
        self.members = members or {}
        self.constants: dict[str, Type] = {}
        self.routines: dict[str, Routine] = {}
        for name in (*text.aliases, *text.structures):
            if not names.is_type(name):
                raise EfdgenError(f"{name} is no name for a type")

    def resolved(self, written: TypeName) -> Type:
        """Return the type that is written; a length that no constant gives is the name of one."""
        if written.name in self._aliases:
            found = self.resolved(self._aliases[written.name])
        elif written.name in SCALARS:
            found = SCALARS[written.name]
        elif written.name in self._structures:
            found = Structure(written.name)
        else:
            raise EfdgenError(f"line {written.at.line}: there is no type {written.name}")
        for length in reversed(written.lengths):
            found = Array(found, self._length(length))
        return found

    def _length(self, length: Expression) -> int | str:
        match length:
            case tree.Number(value):
                return value
            case tree.Name(name) if name in self._integers:
                return self._integers[name]
            case tree.Name(name):
                return name
            case tree.Binary(operator, left, right):
                one, other = self._length(left), self._length(right)
                if isinstance(one, int) and isinstance(other, int):
                    return folded(operator, one, other)
                # Of parameters, which a call gives.
                return ""
        raise EfdgenError(f"line {length.at.line}: a length is made of constants and parameters")

    def checked(self, routine: Routine) -> Routine:
        """Return a routine with its types; raise :class:`EfdgenError` with the line of what is wrong."""
        parameters = tuple(replace(p, type=self.resolved(p.kind)) for p in routine.parameters)
        results = tuple(replace(r, type=self.resolved(r.kind)) for r in routine.results)
        head = replace(routine, parameters=parameters, results=results)
        if not names.is_routine(routine.name):
            raise EfdgenError(f"{routine.name} is no name for a routine")
        if routine.leaf:
            self.routines[routine.name] = head
            return head
        body = _Body(head, self).block(routine.body)
        if bool(results) != bool(body and isinstance(body[-1], tree.Return)):
            raise EfdgenError(f"{routine.name}: a routine with results ends in return, no other does")
        found = replace(head, body=body)
        self.routines[routine.name] = found
        return found


class _Body:
    """The body of one routine: what each name denotes, block by block."""

    def __init__(self, routine: Routine, checker: Checker) -> None:
        self._routine, self._checker = routine, checker
        self._types: dict[str, Type] = dict(checker.constants)
        self._assigned: set[str] = set()
        self._own: set[str] = set()
        """The names that the innermost block has declared."""
        for parameter in routine.parameters:
            assert parameter.type is not None
            self._declare(parameter.name, parameter.type, parameter.mode == "inout", routine.at.line)
            if isinstance(parameter.type, Array) and counted(parameter.type):
                self._declare(str(parameter.type.length), INT, False, routine.at.line)
        for result in routine.results:
            self._require_name(result.name or "_", routine.at.line)
            if names.place(result.name) in tree.variables(routine):
                raise EfdgenError(f"{routine.name}: {names.place(result.name)} is the place of {result.name}")

    def _wrong(self, node: Expression | Statement, reason: str) -> EfdgenError:
        return EfdgenError(f"{self._routine.name}, line {node.at.line}: {reason}")

    def _require_name(self, name: str, line: int) -> None:
        if not names.is_variable(name):
            raise EfdgenError(f"{self._routine.name}, line {line}: {name} is no name for a variable")

    def _declare(self, name: str, kind: Type, changes: bool, line: int) -> None:
        if name in self._types:
            raise EfdgenError(f"{self._routine.name}, line {line}: {name} is declared already")
        self._require_name(name, line)
        self._types[name] = kind
        if changes:
            self._assigned.add(name)

    def block(self, block: Block) -> Block:
        """Return statements with their types; what they declare ends with them."""
        types, assigned, own = dict(self._types), set(self._assigned), self._own
        self._own = set()
        found = tuple(self._exclusive(self._statement(statement)) for statement in block)
        if any(isinstance(statement, tree.Return) for statement in found[:-1]):
            raise self._wrong(block[-1], "nothing stands behind return")
        self._types, self._assigned, self._own = types, assigned, own
        return found

    def _exclusive(self, statement: Statement) -> Statement:
        """Return a statement whose calls change nothing that is reached otherwise in it."""
        if name := conflict(statement, self._routine, self._checker.routines):
            raise self._wrong(statement, f"{name} is changed and read at once")
        return statement

    def _statement(self, statement: Statement) -> Statement:
        match statement:
            case tree.Comment():
                return statement
            case tree.Declare():
                return self._declaration(statement)
            case tree.Assign():
                return self._assignment(statement)
            case tree.Receive(targets, call):
                return self._received(statement, targets, call)
            case tree.Do(tree.Call("opaque", (place,)) as call):
                return replace(statement, call=replace(call, arguments=(self._place(place),)))
            case tree.Do(call):
                assert isinstance(call, tree.Call)
                found, results = self._call(call)
                if results:
                    raise self._wrong(statement, f"what {call.function} returns is not used")
                return replace(statement, call=found)
            case tree.Return(values):
                return self._return(statement, values)
            case tree.For(name, start, stop):
                if statement.of is not None:
                    return self._items(statement, statement.of)
                start, stop = self._value(start, INT), self._value(stop, INT)
                types = dict(self._types)
                self._declare(name, INT, False, statement.at.line)
                body = self.block(statement.body)
                self._types = types
                return replace(statement, start=start, stop=stop, body=body)
            case tree.While(condition, body):
                return replace(statement, condition=self._condition(condition), body=self.block(body))
            case tree.If(condition, then, otherwise):
                return replace(
                    statement,
                    condition=self._condition(condition),
                    then=self.block(then),
                    otherwise=self.block(otherwise),
                )
            case _:
                raise AssertionError(statement)

    def _items(self, statement: tree.For, of: Expression) -> Statement:
        """Return a loop over the items of an array, which stays as it is, as one over its length."""
        array = self._value(of, None)
        lengths = {p.name: p.kind.lengths[0] for p in self._routine.parameters if p.kind.lengths}
        written = lengths.get(of.name, tree.Name("")) if isinstance(of, tree.Name) else tree.Name("")
        if not isinstance(array.type, Array) or (array.type.length == "" and written == tree.Name("")):
            raise self._wrong(statement, "this has no items that can be counted")
        if not isinstance(array.type.item, Array | Structure):
            raise self._wrong(statement, "items that are numbers are read by their index")
        if statement.item in self._types:
            raise self._wrong(statement, f"{statement.item} is declared already")
        self._require_name(statement.item, statement.at.line)
        length = array.type.length
        stop: Expression = tree.Number(length) if isinstance(length, int) else tree.Name(length)
        if length == "":
            stop = self._value(written, INT)
        item = tree.Index(of, tree.Name(statement.name, at=of.at), at=of.at)
        assigned = set(self._assigned)
        self._assigned -= {tree.root(of)}
        found = self._statement(
            replace(
                statement, stop=stop, body=tree.substituted(statement.body, statement.item, item), of=None
            )
        )
        self._assigned = assigned
        assert isinstance(found, tree.For)
        return replace(found, of=array)

    def _declaration(self, statement: tree.Declare) -> Statement:
        kind = self._checker.resolved(statement.kind) if statement.kind else None
        value = statement.value
        types: tuple[Type | None, ...] = (kind,)
        if isinstance(value, tree.Call) and value.function in self._checker.routines:
            value, types = self._call(value)
        elif value is not None:
            value = self._value(value, kind)
            types = (value.type,)
        if len(types) != len(statement.names):
            raise self._wrong(statement, f"{len(types)} values for {len(statement.names)} names")
        known = tuple(found for found in types if found is not None)
        if len(known) != len(types) or (kind is not None and known != (kind,)):
            raise self._wrong(statement, "a variable without a value has a type, and it is that of its value")
        if value is None and not isinstance(kind, Array | Structure):
            raise self._wrong(statement, "only an array or a structure is declared without a value")
        again = False
        for name, found in zip(statement.names, known, strict=True):
            if name in self._own and self._types[name] == found:
                again = True
            elif name != "_":
                self._declare(name, found, not statement.constant, statement.at.line)
                self._own.add(name)
        return replace(statement, value=value, types=known, again=again)

    def _received(
        self, statement: tree.Receive, targets: tuple[Expression, ...], call: Expression
    ) -> Statement:
        if not isinstance(call, tree.Call) or call.function not in self._checker.routines:
            raise self._wrong(statement, "several values come from a routine")
        found, results = self._call(call)
        places = tuple(map(self._place, targets))
        if tuple(place.type for place in places) != results:
            raise self._wrong(statement, f"{call.function} returns other types")
        return replace(statement, targets=places, call=found)

    def _place(self, expression: Expression) -> Expression:
        """Return a place whose variable may be assigned."""
        place = self._value(expression, None)
        if tree.root(place) not in self._assigned:
            raise self._wrong(expression, f"{tree.root(place) or 'this'} is not assigned again")
        return place

    def _assignment(self, statement: tree.Assign) -> Statement:
        target = self._place(statement.target)
        assert target.type is not None
        if statement.operator:
            whole = tree.Binary(statement.operator, target, statement.value, at=statement.at)
            found = self._value(whole, target.type)
            assert isinstance(found, tree.Binary)
            return replace(statement, target=target, value=found.right)
        if isinstance(statement.value, tree.Call) and statement.value.function in self._checker.routines:
            call, results = self._call(statement.value)
            if results != (target.type,):
                raise self._wrong(statement, f"no {described(target.type)} is returned")
            return replace(statement, target=target, value=call)
        return replace(statement, target=target, value=self._value(statement.value, target.type))

    def _return(self, statement: tree.Return, values: tuple[Expression, ...]) -> Statement:
        wanted = [result.type for result in self._routine.results]
        if len(values) != len(wanted):
            raise self._wrong(statement, f"{len(values)} values instead of {len(wanted)}")
        found = replace(statement, values=tuple(map(self._value, values, wanted)))
        if late := read_late(found, self._routine):
            raise self._wrong(late, "a later result that depends on an argument is returned by its name")
        return found

    def _condition(self, expression: Expression) -> Expression:
        found = self._tested(expression)
        if isinstance(found.type, Condition) and found.type.secret and not self._routine.variable:
            raise self._wrong(expression, "a branch depends on a secret")
        return found

    def _tested(self, expression: Expression) -> Expression:
        """Return a condition: a comparison, a choice, or an operator on conditions."""
        match expression:
            case tree.Unary("not", operand):
                found = self._tested(operand)
                return replace(expression, operand=found, type=found.type)
            case tree.Binary("and" | "or", left, right):
                one, other = self._tested(left), self._tested(right)
                secret = any(isinstance(side.type, Condition) and side.type.secret for side in (one, other))
                return replace(expression, left=one, right=other, type=Condition(secret))
        found = self._value(expression, None)
        if found.type == CHOICE:
            return tree.Convert("condition", found, at=expression.at, type=Condition(secret=True))
        if not isinstance(found.type, Condition):
            raise self._wrong(expression, "a branch is taken on a comparison or a choice")
        return found

    def _value(self, expression: Expression, wanted: Type | None) -> Expression:
        """Return an expression with its types, of the type that is wanted where one is."""
        found = self._typed(expression, wanted)
        if wanted is not None and found.type != wanted:
            kinds = f"{described(found.type) if found.type else 'no value'} instead of {described(wanted)}"
            raise self._wrong(expression, kinds)
        return found

    def _typed(self, expression: Expression, wanted: Type | None) -> Expression:
        match expression:
            case tree.Number(value):
                kind = wanted or INT
                item = kind
                while isinstance(item, Array):
                    item = item.item
                item = SHORT_WORD if item == WORD else item
                if isinstance(item, Integer) and not item.low <= value <= item.high:
                    raise self._wrong(expression, f"{value} is no {described(item)}")
                return replace(expression, type=kind)
            case tree.Name(name):
                if name not in self._types:
                    raise self._wrong(expression, f"{name} is not declared")
                return replace(expression, type=self._types[name])
            case tree.Index(base, index):
                array = self._value(base, None)
                if not isinstance(array.type, Array):
                    raise self._wrong(expression, "this has no items")
                return replace(expression, base=array, index=self._value(index, INT), type=array.type.item)
            case tree.Member(base, name):
                whole = self._value(base, None)
                members = (
                    self._checker.members.get(whole.type.name, ())
                    if isinstance(whole.type, Structure)
                    else ()
                )
                if name not in members:
                    raise self._wrong(expression, f"this has no member {name}")
                return replace(expression, base=whole, type=ELEMENT)
            case tree.Unary(operator, operand):
                return self._unary(expression, operator, operand, wanted)
            case tree.Binary(operator, left, right):
                return self._binary(expression, operator, left, right, wanted)
            case tree.Call(function, arguments) if function in SCALARS and len(arguments) == 1:
                return self._conversion(expression, function, arguments[0])
            case tree.Call("mask", (bit,)):
                operand = self._value(bit, None)
                if not isinstance(operand.type, Integer) or operand.type.signed:
                    raise self._wrong(expression, "a mask is made of a bit in a word")
                return replace(expression, arguments=(operand,), type=operand.type)
            case tree.Call():
                call, results = self._call(expression)
                if len(results) != 1:
                    raise self._wrong(expression, f"{expression.function} returns {len(results)} values")
                return replace(call, type=results[0])
            case _:
                raise self._wrong(expression, "this has no value")

    def _unary(
        self, expression: tree.Unary, operator: str, operand: Expression, wanted: Type | None
    ) -> Expression:
        if operator == "not":
            return self._tested(expression)
        found = self._value(operand, wanted)
        word = isinstance(found.type, Integer) and found.type.signed == (operator == "-")
        fits = word or found.type == (INT if operator == "-" else CHOICE)
        if not fits or found.type == WORD:
            raise self._wrong(expression, f"{operator} of {described(found.type) if found.type else ''}")
        return replace(expression, operand=found, type=found.type)

    def _binary(
        self,
        expression: tree.Binary,
        operator: str,
        left: Expression,
        right: Expression,
        wanted: Type | None,
    ) -> Expression:
        if operator in ("and", "or"):
            return self._tested(expression)
        if operator in ("<<", ">>"):
            one, other = self._value(left, wanted if isinstance(left, tree.Number) else None), None
            other = self._value(right, INT)
        else:
            one, other = self._pair(left, right, None if operator in _COMPARISONS else wanted)
            if one.type != other.type and not isinstance(one.type, Condition):
                raise self._wrong(expression, f"{operator} between two types")
        kind = one.type
        if operator in _COMPARISONS:
            fits, kind = kind == INT or isinstance(kind, Integer), Condition(kind != INT)
        elif operator in ("/", "%"):
            fits = kind == INT
        elif operator in _WRAPPING:
            fits = isinstance(kind, Integer) and not kind.signed
        elif operator in _BITS:
            fits = kind == CHOICE or (isinstance(kind, Integer) and not kind.signed)
        else:
            fits = kind == INT or isinstance(kind, Integer)
        if not fits or kind is None or one.type == WORD:
            raise self._wrong(expression, f"no {operator} of {described(one.type) if one.type else 'these'}")
        return replace(expression, left=one, right=other, type=kind)

    def _pair(
        self, left: Expression, right: Expression, wanted: Type | None
    ) -> tuple[Expression, Expression]:
        """Return two operands; a number has the type of the other one."""
        if _open(left) and not _open(right):
            other = self._value(right, None)
            return self._value(left, other.type), other
        one = self._value(left, wanted if _open(left) else None)
        return one, self._value(right, one.type if _open(right) else None)

    def _conversion(self, expression: tree.Call, kind: str, operand: Expression) -> Expression:
        target = SCALARS[kind]
        if isinstance(operand, tree.Number):
            return self._value(operand, target)
        found = self._value(operand, None)
        secret = isinstance(found.type, Integer)
        if not secret and found.type != INT:
            raise self._wrong(expression, f"no {kind} is made of this")
        if found.type == WORD:
            raise self._wrong(expression, f"no {kind} is made of a word")
        if target == WORD and isinstance(found.type, Integer) and (found.type.signed or found.type.bits > 32):
            raise self._wrong(expression, f"no word is made of {found.type.name}")
        if target == INT and secret and not self._routine.variable:
            raise self._wrong(expression, "a public integer would depend on a secret")
        return tree.Convert(kind, found, at=expression.at, type=target)

    def _call(self, call: tree.Call) -> tuple[tree.Call, tuple[Type | None, ...]]:
        called = self._checker.routines.get(call.function)
        if called is None:
            raise self._wrong(call, f"there is no routine {call.function}")
        if called.variable and not self._routine.variable:
            raise self._wrong(call, f"{call.function} takes variable time")
        if any(result.optional for result in called.results):
            raise self._wrong(call, f"{call.function} may have no result, which is for the interface alone")
        if len(call.arguments) != len(called.parameters):
            raise self._wrong(call, f"{len(call.arguments)} arguments instead of {len(called.parameters)}")
        arguments, lengths = [], {}
        for argument, parameter in zip(call.arguments, called.parameters, strict=True):
            found = self._argument(argument, parameter)
            if isinstance(parameter.type, Array) and counted(parameter.type):
                lengths[parameter.type.length] = found.type.length if isinstance(found.type, Array) else 0
            elif isinstance(found, tree.Number):
                lengths[parameter.name] = found.value
            if parameter.mode == "inout" and tree.root(found) not in self._assigned:
                raise self._wrong(argument, f"{parameter.name} is changed, so that a variable is wanted")
            arguments.append(found)
        for argument, parameter in zip(arguments, called.parameters, strict=True):
            self._require_length(argument, parameter, lengths)
        found = replace(call, arguments=tuple(arguments))
        results = tuple(given_lengths(result.type, lengths) for result in called.results)
        return replace(found, type=results[0] if len(results) == 1 else None), results

    def _require_length(
        self, argument: Expression, parameter: tree.Parameter, given: Mapping[int | str, int | str]
    ) -> None:
        """Refuse an array of another length than other arguments ask for, where these are numbers."""

        def value(length: Expression) -> int | str | None:
            match length:
                case tree.Number(number):
                    return number
                case tree.Name(name):
                    return given.get(name)
                case tree.Binary(operator, left, right):
                    one, other = value(left), value(right)
                    known = isinstance(one, int) and isinstance(other, int)
                    return folded(operator, int(one or 0), int(other or 0)) if known else None
            return None

        kind = parameter.type
        if isinstance(kind, Array) and kind.length == "" and isinstance(argument.type, Array):
            wanted = value(parameter.kind.lengths[0])
            if isinstance(wanted, int) and wanted != argument.type.length:
                raise self._wrong(argument, f"{argument.type.length} items instead of {wanted}")

    def _argument(self, argument: Expression, parameter: tree.Parameter) -> Expression:
        kind = parameter.type
        if not isinstance(kind, Array) or isinstance(kind.length, int):
            return self._value(argument, kind)
        found = self._value(argument, None)
        if not isinstance(found.type, Array) or found.type.item != kind.item:
            raise self._wrong(argument, f"{parameter.name} is an array of {described(kind.item)}")
        return found


def counted(kind: Array) -> bool:
    """Return whether a call gives an array's length beside it."""
    return isinstance(kind.length, str) and kind.length != ""


def given_lengths(kind: Type | None, lengths: Mapping[int | str, int | str]) -> Type | None:
    """Return a type with the lengths that the arguments of a call give."""
    if not isinstance(kind, Array):
        return kind
    item = given_lengths(kind.item, lengths)
    assert item is not None
    return Array(item, lengths.get(kind.length, kind.length))


def _open(expression: Expression) -> bool:
    """Return whether an expression is of numbers alone, and has the type of what it meets."""
    match expression:
        case tree.Number():
            return True
        case tree.Binary(_, left, right):
            return _open(left) and _open(right)
        case tree.Unary(_, operand):
            return _open(operand)
        case _:
            return False

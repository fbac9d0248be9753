"""Checks of expressions in routines, which fill in their types."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from efdgen.generator.routines import tree
from efdgen.generator.routines.staging import constant
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
    counted,
    described,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from efdgen.generator.routines.scope import Scope
    from efdgen.generator.routines.tree import Expression
    from efdgen.generator.routines.types import Type

_COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")
_WRAPPING = ("+%", "-%", "*%")
_BITS = ("&", "|", "^")


class Expressions:
    """Checks expressions by the names of a scope."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope

    def place(self, expression: Expression) -> Expression:
        """Return a place whose variable may be assigned."""
        place = self.value(expression, None)
        if tree.root(place) not in self._scope.assigned:
            raise self._scope.wrong(expression, f"{tree.root(place) or 'this'} is not assigned again")
        return place

    def condition(self, expression: Expression) -> Expression:
        """Return a condition that a branch may be taken on."""
        found = self._tested(expression)
        if isinstance(found.type, Condition) and found.type.secret and not self._scope.routine.variable:
            raise self._scope.wrong(expression, "a branch depends on a secret")
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
        found = self.value(expression, None)
        if found.type == CHOICE:
            return tree.Condition(found, at=expression.at, type=Condition(secret=True))
        if not isinstance(found.type, Condition):
            raise self._scope.wrong(expression, "a branch is taken on a comparison or a choice")
        return found

    def value(self, expression: Expression, wanted: Type | None) -> Expression:
        """Return an expression with its types, of the type that is wanted where one is."""
        found = self._typed(expression, wanted)
        if wanted is not None and found.type != wanted:
            kinds = f"{described(found.type) if found.type else 'no value'} instead of {described(wanted)}"
            raise self._scope.wrong(expression, kinds)
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
                    raise self._scope.wrong(expression, f"{value} is no {described(item)}")
                return replace(expression, type=kind)
            case tree.Name(name):
                if name not in self._scope.types:
                    raise self._scope.wrong(expression, f"{name} is not declared")
                return replace(expression, type=self._scope.types[name])
            case tree.Index(base, index):
                array = self.value(base, None)
                if not isinstance(array.type, Array):
                    raise self._scope.wrong(expression, "this has no items")
                return replace(expression, base=array, index=self.value(index, INT), type=array.type.item)
            case tree.Slice():
                return self._slice(expression)
            case tree.Member():
                return self._member(expression)
            case tree.Unary(operator, operand):
                return self._unary(expression, operator, operand, wanted)
            case tree.Binary(operator, left, right):
                return self._binary(expression, operator, left, right, wanted)
            case tree.Call(function, arguments) if function in self._scope.kinds and len(arguments) == 1:
                return self._conversion(expression, self._scope.kinds[function], arguments[0])
            case tree.Mask(bit):
                operand = self.value(bit, None)
                if not isinstance(operand.type, Integer) or operand.type.signed:
                    raise self._scope.wrong(expression, "a mask is made of a bit in a word")
                return replace(expression, operand=operand, type=operand.type)
            case tree.Call():
                call, results = self.call(expression)
                if len(results) != 1:
                    raise self._scope.wrong(
                        expression, f"{expression.function} returns {len(results)} values"
                    )
                return replace(call, type=results[0])
            case _:
                raise self._scope.wrong(expression, "this has no value")

    def _slice(self, expression: tree.Slice) -> Expression:
        """Return items of an array whose number is known, of one of any length too."""
        array = self.value(expression.base, None)
        start, stop = self._constant(expression.start), self._constant(expression.stop)
        if not isinstance(array.type, Array):
            raise self._scope.wrong(expression, "this has no items")
        length = array.type.length
        if not 0 <= start < stop or (isinstance(length, int) and stop > length):
            raise self._scope.wrong(expression, f"no items {start} to {stop} of {length}")
        first, end = (self.value(part, INT) for part in (expression.start, expression.stop))
        kind = Array(array.type.item, stop - start)
        return replace(expression, base=array, start=first, stop=end, type=kind)

    def _member(self, expression: tree.Member) -> Expression:
        """Return a member of a structure, an element unless the structure says another type."""
        whole = self.value(expression.base, None)
        structure = whole.type.name if isinstance(whole.type, Structure) else ""
        if expression.name not in self._scope.members.get(structure, ()):
            raise self._scope.wrong(expression, f"this has no member {expression.name}")
        kind = self._scope.fields.get((structure, expression.name), ELEMENT)
        return replace(expression, base=whole, type=kind)

    def _constant(self, expression: Expression) -> int:
        """Return the value of numbers and constants."""
        found = constant(expression, self._scope.integers)
        if found is None:
            raise self._scope.wrong(expression, "this is no constant")
        return found

    def _unary(
        self, expression: tree.Unary, operator: str, operand: Expression, wanted: Type | None
    ) -> Expression:
        if operator == "not":
            return self._tested(expression)
        found = self.value(operand, wanted)
        word = isinstance(found.type, Integer) and found.type.signed == (operator == "-")
        fits = word or found.type == (INT if operator == "-" else CHOICE)
        if not fits or found.type == WORD:
            raise self._scope.wrong(
                expression, f"{operator} of {described(found.type) if found.type else ''}"
            )
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
            one, other = self.value(left, wanted if isinstance(left, tree.Number) else None), None
            other = self.value(right, INT)
        else:
            one, other = self._pair(left, right, None if operator in _COMPARISONS else wanted)
            if one.type != other.type and not isinstance(one.type, Condition):
                raise self._scope.wrong(expression, f"{operator} between two types")
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
            raise self._scope.wrong(
                expression, f"no {operator} of {described(one.type) if one.type else 'these'}"
            )
        return replace(expression, left=one, right=other, type=kind)

    def _pair(
        self, left: Expression, right: Expression, wanted: Type | None
    ) -> tuple[Expression, Expression]:
        """Return two operands; a number has the type of the other one."""
        if _open(left) and not _open(right):
            other = self.value(right, None)
            return self.value(left, other.type), other
        one = self.value(left, wanted if _open(left) else None)
        return one, self.value(right, one.type if _open(right) else None)

    def _conversion(self, expression: tree.Call, target: Type, operand: Expression) -> Expression:
        kind = described(target)
        if isinstance(operand, tree.Number):
            return self.value(operand, target)
        found = self.value(operand, None)
        secret = isinstance(found.type, Integer)
        if found.type == CHOICE and target == SCALARS["u32"]:
            return tree.Convert(kind, found, at=expression.at, type=target)
        if not secret and found.type != INT:
            raise self._scope.wrong(expression, f"no {kind} is made of this")
        if found.type == WORD:
            raise self._scope.wrong(expression, f"no {kind} is made of a word")
        if target == WORD and isinstance(found.type, Integer) and (found.type.signed or found.type.bits > 32):
            raise self._scope.wrong(expression, f"no word is made of {found.type.name}")
        if target == INT and secret and not self._scope.routine.variable:
            raise self._scope.wrong(expression, "a public integer would depend on a secret")
        return tree.Convert(kind, found, at=expression.at, type=target)

    def call(self, call: tree.Call) -> tuple[tree.Call, tuple[Type | None, ...]]:
        """Return a call of a routine, and the types of its results."""
        called = self._scope.routines.get(call.function)
        if called is None:
            raise self._scope.wrong(call, f"there is no routine {call.function}")
        if called.variable and not self._scope.routine.variable:
            raise self._scope.wrong(call, f"{call.function} takes variable time")
        if any(result.optional for result in called.results):
            raise self._scope.wrong(
                call, f"{call.function} may have no result, which is for the interface alone"
            )
        if len(call.arguments) != len(called.parameters):
            raise self._scope.wrong(
                call, f"{len(call.arguments)} arguments instead of {len(called.parameters)}"
            )
        arguments: list[Expression] = []
        lengths: dict[str, int | str] = {}
        for argument, parameter in zip(call.arguments, called.parameters, strict=True):
            found = self._argument(argument, parameter)
            if isinstance(parameter.type, Array) and counted(parameter.type):
                assert isinstance(found.type, Array)
                given = lengths.setdefault(str(parameter.type.length), found.type.length)
                if given == "" or given != found.type.length:
                    raise self._scope.wrong(argument, f"{found.type.length} items instead of {given}")
            elif isinstance(found, tree.Number):
                lengths[parameter.name] = found.value
            if parameter.mode == "inout" and tree.root(found) not in self._scope.assigned:
                raise self._scope.wrong(
                    argument, f"{parameter.name} is changed, so that a variable is wanted"
                )
            arguments.append(found)
        for argument, parameter in zip(arguments, called.parameters, strict=True):
            self._require_length(argument, parameter, lengths)
        found = replace(call, arguments=tuple(arguments))
        results = tuple(result.type for result in called.results)
        return replace(found, type=results[0] if len(results) == 1 else None), results

    def _require_length(
        self, argument: Expression, parameter: tree.Parameter, given: Mapping[str, int | str]
    ) -> None:
        """Refuse an array of another length than other arguments ask for, where these are numbers."""
        kind = parameter.type
        if isinstance(kind, Array) and kind.length == "" and isinstance(argument.type, Array):
            numbers = {name: length for name, length in given.items() if isinstance(length, int)}
            wanted = constant(parameter.kind.lengths[0], numbers)
            if wanted not in (None, argument.type.length):
                raise self._scope.wrong(argument, f"{argument.type.length} items instead of {wanted}")

    def _argument(self, argument: Expression, parameter: tree.Parameter) -> Expression:
        kind = parameter.type
        if not isinstance(kind, Array) or isinstance(kind.length, int):
            return self.value(argument, kind)
        found = self.value(argument, None)
        if not isinstance(found.type, Array) or found.type.item != kind.item:
            raise self._scope.wrong(argument, f"{parameter.name} is an array of {described(kind.item)}")
        return found


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

"""Expressions in Rust in the form in which they are compared with those of routines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.languages.rust.types import types_of
from efdgen.generator.routines import tree
from efdgen.generator.routines.types import (
    CHOICE,
    SCALARS,
    Integer,
    Structure,
    renamed,
)
from efdgen.verify.routines import form
from efdgen.verify.routines.form import Scope, Typed
from efdgen.verify.routines.rust_lanes import in_lanes
from efdgen.verify.words.reader import NotReadError
from efdgen.verify.words.tree import Binary, Call, Cast, Index, Literal, Member, Method, Name, Range, Unary

if TYPE_CHECKING:
    from efdgen.generator.languages.bindings import Bindings
    from efdgen.generator.routines.module import Module
    from efdgen.generator.routines.types import Type
    from efdgen.verify.routines.form import Term
    from efdgen.verify.words.tree import Expression

_WRAPPING = {"wrapping_add": "+", "wrapping_sub": "-", "wrapping_mul": "*"}


class Values:
    """What names and expressions of a function are, by the bindings of its routine."""

    def __init__(self, module: Module, name: str, bindings: Bindings) -> None:
        self._module, self._routine = module, module.routines[name]
        self._bindings = bindings
        names = types_of(bindings)
        self._numbers = {names.get(name, name): kind for name, kind in SCALARS.items()}
        free = module.routines.keys() - bindings.methods
        bound = {own: name for name, own in bindings.functions.items() if name in free}
        # A name that is given to a routine does not denote another one, which the text does not call.
        self._functions = {name: name for name in free} | bound
        methods = bindings.methods & module.routines.keys()
        self._methods = {(bindings.functions.get(name, name), self._receiver(name)): name for name in methods}
        self._members = {own: name for name, own in bindings.members.items()}
        self._structures: dict[Type | None, tuple[str, ...]] = {
            renamed(Structure(kind), bindings.types): names for kind, names in module.members.items()
        }
        self._constants = {own: name for name, own in bindings.constants.items()}
        self._types = bindings.types
        self.scope = Scope(module, bindings.types)
        self._views: dict[str, Typed] = {}
        self._slices: dict[str, str] = {}

    def _receiver(self, name: str) -> Type:
        kind = self._module.routines[name].parameters[0].type
        assert kind is not None
        return renamed(kind, self._bindings.types)

    def _member(self, kind: Type | None, own: str) -> str:
        """Return the member of a structure by its name in Rust."""
        return own if own in self._structures.get(kind, ()) else self._members.get(own, own)

    def _function(self, value: Expression) -> str | None:
        """Return the routine that an expression calls."""
        match value:
            case Call(function) if function in self._functions:
                return self._functions[function]
            case Method(receiver, name):
                return self._method(receiver, name)
            case _:
                return None

    def _length(self, array: Term) -> Term:
        """Return the length of an array that other parameters give."""
        for parameter in self._routine.parameters:
            if array == ("name", parameter.name) and parameter.kind.lengths:
                return self._of_parameters(parameter.kind.lengths[0]).term
        raise NotReadError(f"the length of {array}")

    def _of_parameters(self, length: tree.Expression) -> Typed:
        match length:
            case tree.Number(value):
                return form.number(value)
            case tree.Name(name):
                return self.scope.name(name)
            case tree.Binary(operator, left, right):
                return form.binary(operator, self._of_parameters(left), self._of_parameters(right))
            case _:
                raise NotReadError(f"a length: {length}")

    def _value(self, expression: Expression) -> Typed:
        found = in_lanes(expression, self._numbers, self._value) if self._bindings.lanes else None
        return found or self._plain(expression)

    def _plain(self, expression: Expression) -> Typed:
        """Return what an expression is in every language of numbers."""
        match expression:
            case Literal(value, kind):
                return form.number(value, self._numbers[kind] if kind else None)
            case Call("Choice::from", (Literal(value),)):
                return form.number(value, CHOICE)
            case Call("bool::from", (operand,)):
                return form.condition(self._value(operand))
            case Member(base, name):
                whole = self._value(base)
                return self.scope.member(whole, self._member(whole.kind, name))
            case Name(name) if name in self._views:
                return self._views[name]
            case Name(name):
                constant = self._constants.get(name, name)
                return self.scope.name(constant if constant in self._module.constants else name)
            case Unary("&" | "&mut" | "*", operand):
                return self._value(operand)
            case Index(Method(operand, "to_le_bytes", ()), Literal(0)):
                return form.convert(SCALARS["byte"], form.word(self._value(operand)))
            case Index(base, at):
                return self._item(self._value(base), at)
            case Method(Call("black_box", (bit,)), "wrapping_neg", ()):
                return form.mask(self._value(bit))
            case Method(receiver, "wrapping_neg", ()):
                return form.binary("-", form.number(0), self._value(receiver))
            case Method(receiver, name, (other,)) if name in _WRAPPING:
                return form.binary(_WRAPPING[name], self._value(receiver), self._value(other))
            case Method(Name(name), "len", ()) if name in self._slices:
                return self.scope.name(self._slices[name])
            case Method(receiver, name, arguments) if method := self._method(receiver, name):
                return self._called(method, name, (receiver, *arguments))
            case Call(function, arguments) if function in self._functions:
                return self._called(self._functions[function], function, arguments)
            case Unary(operator, operand):
                found = self._value(operand)
                if operator == "~" and found.kind == CHOICE:
                    return form.complement(found)
                sign = operator if isinstance(found.kind, Integer) or operator == "-" else "not"
                return form.unary(sign, found)
            case Binary(operator, left, right):
                signs = {"&&": "and", "||": "or"}
                return form.binary(signs.get(operator, operator), self._value(left), self._value(right))
            case Call() | Cast():
                return self._converted(expression)
            case _:
                raise NotReadError(f"an expression: {expression}")

    def _item(self, array: Typed, at: Expression) -> Typed:
        """Return an item of an array, or some items one after the other."""
        match at:
            case Range(start, stop) if stop is not None:
                first, end = self._value(start), self._value(stop)
                if (first.term[0], end.term[0]) != ("number", "number"):
                    raise NotReadError(f"items {start} to {stop}")
                return form.part(array, first, end.term[1] - first.term[1])
            case _:
                return form.index(array, self._value(at))

    def _bit(self, receiver: Expression) -> Typed:
        """Return a choice as a word."""
        found = self._value(receiver)
        if found.kind != CHOICE:
            raise NotReadError(f"{found.term} is no choice")
        return form.convert(SCALARS["u32"], found)

    def _converted(self, expression: Call | Cast) -> Typed:
        """Return a value as one of another type."""
        match expression:
            case Call("u32::from", (Method(receiver, "unwrap_u8", ()),)):
                return self._bit(receiver)
            case Call("Choice::from", (Call("u8::from", (Binary("==", operand, Literal(1)),)),)):
                return form.convert(CHOICE, self._value(operand))
            case Call(function, (operand,)) if function.endswith("::from") and function[:-6] in self._numbers:
                return form.convert(self._numbers[function[:-6]], self._value(operand))
            case Cast(kind, operand) if kind in self._numbers:
                return form.convert(self._numbers[kind], self._value(operand))
            case _:
                raise NotReadError(f"an expression: {expression}")

    def _method(self, receiver: Expression, name: str) -> str | None:
        """Return a routine that a method of a value is."""
        if not any(name == own for own, _ in self._methods):
            return None
        kind = self._value(receiver).kind
        return self._methods.get((name, kind)) if kind is not None else None

    def _called(self, name: str, own: str, arguments: tuple[Expression, ...]) -> Typed:
        called, found = self._module.routines[name], [*map(self._value, arguments)]
        kind = called.results[0].type if len(called.results) == 1 else None
        return Typed(("call", own, tuple(value.term for value in found)), kind and renamed(kind, self._types))

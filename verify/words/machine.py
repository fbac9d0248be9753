"""Symbolic execution of routines on words in a domain: run on integers, or proved for all of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, assert_never

from efdgen.verify.words.arithmetic import Arithmetic
from efdgen.verify.words.methods import METHODS
from efdgen.verify.words.places import Element, Scope, Variable, View, copied
from efdgen.verify.words.tree import (
    Assign,
    Binary,
    Block,
    Break,
    Call,
    Cast,
    Closure,
    Conditional,
    Declare,
    Evaluate,
    ForEach,
    If,
    Index,
    Literal,
    Member,
    Method,
    Name,
    Range,
    Repeated,
    Return,
    Sequence,
    Structure,
    Unary,
    While,
)
from efdgen.verify.words.values import Bit, Integer, NotFollowedError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from efdgen.verify.words.tree import Expression, Function, Pattern, Routines, Statement
    from efdgen.verify.words.values import Domain

Value = Any  # an Integer, an integer, a truth value, a list of values, a place, a structure, a closure
Routine = Callable[..., Value]

# The length of an array that ``from_fn`` makes, by the type that a function returns.
_LENGTHS = {"SignedNumber": "SIGNED_LIMBS", "Words": "WORDS"}
# After this many turns a loop is taken not to end.
_MOST_TURNS = 1 << 14


class _Ended(Exception):  # noqa: N818 - it is how a loop or a function ends
    def __init__(self, value: Value = None) -> None:
        self.value = value


class _Broken(_Ended):
    pass


class _Returned(_Ended):
    pass


@dataclass(frozen=True)
class Turns:
    """A loop that a rule is to follow: ``turn`` does one in ``scope``, and says whether there was one."""

    scope: Scope
    turn: Callable[[], bool]


class Machine(Arithmetic):
    """Follows the functions of a text, with words of a size.

    ``routines`` are functions that the text does not define, or that are taken as something else; ``loops``
    are rules for the loops of functions by name; without one, a loop is followed turn by turn. ``structures``
    make what is declared as a structure, by the names of types, and ``given`` are constants of no text.
    """

    def __init__(
        self,
        text: Routines,
        word: int,
        domain: Domain,
        routines: Mapping[str, Routine] | None = None,
        loops: Mapping[str, Callable[[Turns], None]] | None = None,
        structures: Mapping[str, Callable[[], dict[str, Value]]] | None = None,
        given: Mapping[str, Value] | None = None,
    ) -> None:
        super().__init__(text.language, word, domain, structures)
        self._text = text
        self._routines = dict(routines or {})
        self._loops = dict(loops or {})
        self._function: list[Function] = []
        self._known: dict[str, Value] = dict(given or {})

    def add(self, routines: Mapping[str, Routine], given: Mapping[str, Value]) -> None:
        """Take more functions, and more constants, from outside of the text."""
        self._routines.update(routines)
        self._known.update(given)

    def call(self, name: str, *arguments: Value) -> Value:
        """Call a function, and return what it returns."""
        if name in self._routines:
            return self._routines[name](*arguments)
        return self.follow(name, *arguments)

    def follow(self, name: str, *arguments: Value) -> Value:
        """Follow a function of the text, and return what it returns."""
        function = self._text.functions.get(name.removeprefix("Self::"))
        if function is None:
            raise NotFollowedError(f"there is no function {name}")
        scope = Scope()
        for (pattern, kind), value in zip(function.parameters, arguments, strict=True):
            self._bind(scope, pattern, self.typed(kind, value))
        self._function.append(function)
        try:
            value = self._block(function.body, scope)
        except _Returned as returned:
            value = returned.value
        self._function.pop()
        return self.typed(function.result, value)

    def constant(self, name: str) -> Value:
        """Return a constant of the text."""
        if name not in self._known:
            found = self._text.constants.get(name)
            if found is None:
                raise NotFollowedError(f"there is no {name}")
            self._known[name] = self.typed(found.kind, self.evaluate(found.value, Scope()))
        return self._known[name]

    # Statements

    def _block(self, block: Block, outer: Scope) -> Value:
        scope = Scope(outer)
        for statement in block.statements:
            self._statement(statement, scope)
        return None if block.value is None else self.evaluate(block.value, scope)

    def _statement(self, statement: Statement, scope: Scope) -> None:
        match statement:
            case Declare():
                self._declare(statement, scope)
            case Assign():
                self._assign(statement, scope)
            case ForEach(pattern, items, body):
                values = iter(self.evaluate(items, scope))
                self._loop(scope, lambda: self._next(pattern, values, body, scope))
            case While():
                self._loop(scope, lambda: self._turn(statement, scope))
            case If(condition, then, otherwise):
                if self._holds(condition, scope):
                    self._block(then, scope)
                elif otherwise is not None:
                    self._block(otherwise, scope)
            case Break():
                raise _Broken
            case Return(value):
                raise _Returned(None if value is None else self.evaluate(value, scope))
            case Evaluate(expression):
                self.evaluate(expression, scope)
            case Block():
                self._block(statement, scope)
            case _:
                assert_never(statement)

    def _declare(self, statement: Declare, scope: Scope) -> None:
        value = None if statement.value is None else self.evaluate(statement.value, scope)
        if statement.sizes:
            sizes = [self.plain(self.evaluate(size, scope)) for size in statement.sizes]
            value = self._array(statement.kind, sizes, value)
        elif value is None:
            value = self.structure(statement.kind)
        else:
            value = copied(self.declared(statement.kind, value))
        self._bind(scope, statement.pattern, value)

    def _array(self, kind: str | None, sizes: list[int], values: list[Value] | None) -> list[Value]:
        """Return an array of C; if there are values, but fewer, it ends with zeros."""
        if len(sizes) > 1:
            return [self._array(kind, sizes[1:], None) for _ in range(sizes[0])]
        if values is None:
            return [self.structure(kind) for _ in range(sizes[0])]
        found: list[Value] = self.declared(kind, [*values, *[0] * (sizes[0] - len(values))])
        return found

    def _bind(self, scope: Scope, pattern: Pattern, value: Value) -> None:
        if isinstance(pattern, str):
            scope.declare(pattern, value)
            return
        for part, item in zip(pattern, value, strict=True):
            self._bind(scope, part, item)

    def _assign(self, statement: Assign, scope: Scope) -> None:
        if isinstance(statement.target, Sequence):
            values = copied(self.evaluate(statement.value, scope))
            for target, value in zip(statement.target.items, values, strict=True):
                self._place(target, scope).write(value)
            return
        place = self._place(statement.target, scope)
        value = self.evaluate(statement.value, scope)
        if statement.operator:
            value = self.binary(statement.operator, place.read(), value)
        elif isinstance(place.read(), Integer):
            value = self.integer(place.read().kind, value)
        place.write(copied(value))

    def _place(self, target: Expression, scope: Scope) -> Variable | Element:
        match target:
            case Name(name):
                return Variable(scope.holder(name), name)
            case Index(base, index):
                return Element(self.evaluate(base, scope), self.plain(self.evaluate(index, scope)))
            case Member(base, name):
                value = self.evaluate(base, scope)
                return Variable(value.read() if isinstance(value, Variable | Element) else value, name)
            case Unary("*", operand):
                return self._pointed(self.evaluate(operand, scope))
            case _:
                raise NotFollowedError(f"{target} is no place")

    def _loop(self, scope: Scope, turn: Callable[[], None]) -> None:
        def done() -> bool:
            try:
                turn()
            except _Broken:
                return False
            return True

        rule = self._loops.get(self._function[-1].name) if self._function else None
        if rule is not None:
            rule(Turns(scope, done))
            return
        for _ in range(_MOST_TURNS):
            if not done():
                return
        raise NotFollowedError(f"a loop does not end after {_MOST_TURNS} turns")

    def _next(self, pattern: Pattern, values: Iterable[Value], body: Block, outer: Scope) -> None:
        for value in values:
            scope = Scope(outer)
            self._bind(scope, pattern, value)
            self._block(body, scope)
            return
        raise _Broken

    def _turn(self, loop: While, scope: Scope) -> None:
        if loop.condition is not None and not self._holds(loop.condition, scope):
            raise _Broken
        self._block(loop.body, scope)
        for statement in loop.step:
            self._statement(statement, scope)

    def _holds(self, condition: Expression, scope: Scope) -> bool:
        return bool(self.plain(self.evaluate(condition, scope)))

    # Expressions

    def evaluate(self, expression: Expression, scope: Scope) -> Value:
        """Return the value of an expression."""
        match expression:
            case Literal(value, kind) if kind in self.kinds and self._text.language == "c":
                return self.integer(self.kinds[kind], value)
            case Literal(value):
                return value
            case Name(name):
                return scope.read(name) if name in scope else self._named(name)
            case Index(base, index):
                return self._indexed(self.evaluate(base, scope), self.evaluate(index, scope))
            case Member(base, name):
                value = self.evaluate(base, scope)
                value = value.read() if isinstance(value, Variable | Element) else value
                return value[int(name)] if name.isdigit() and isinstance(value, list) else value[name]
            case Unary(operator, operand):
                return self._unary(operator, operand, scope)
            case Binary("&&", left, right):
                return self._holds(left, scope) and self._holds(right, scope)
            case Binary("||", left, right):
                return self._holds(left, scope) or self._holds(right, scope)
            case Binary(operator, left, right):
                return self.binary(operator, self.evaluate(left, scope), self.evaluate(right, scope))
            case Conditional(condition, one, other):
                return self.evaluate(one if self._holds(condition, scope) else other, scope)
            case Cast(kind, operand):
                return self.cast(kind, self.evaluate(operand, scope))
            case Call(function, arguments):
                return self._call(function, [self.evaluate(a, scope) for a in arguments], scope)
            case Method(receiver, name, arguments):
                values = [self.evaluate(value, scope) for value in (receiver, *arguments)]
                return self._method(name, values)
            case Sequence(items):
                return [self.evaluate(item, scope) for item in items]
            case Repeated(item, count):
                return [self.evaluate(item, scope)] * self.plain(self.evaluate(count, scope))
            case Range(start, stop):
                first = self.plain(self.evaluate(start, scope))
                return (
                    slice(first, None)
                    if stop is None
                    else range(first, self.plain(self.evaluate(stop, scope)))
                )
            case Structure(members):
                return {name: self.evaluate(value, scope) for name, value in members}
            case Closure(parameters, body):
                return lambda *values: self._apply(parameters, body, values, scope)
            case Block():
                return self._block(expression, scope)
            case _:
                assert_never(expression)

    @staticmethod
    def _pointed(place: Value) -> Variable | Element:
        """Return what a pointer points to: the first element, where it is an array."""
        return place if isinstance(place, Variable | Element) else Element(place, 0)

    def _indexed(self, array: Value, index: Value) -> Value:
        if isinstance(index, slice):
            index = range(index.start, len(array))
        if isinstance(index, range):
            return View(array, index.start, len(index))
        return Element(array, self.plain(index)).read()

    def _named(self, name: str) -> Value:
        known = {"true": True, "false": False}
        if name.endswith("::MAX"):
            return self.integer(kind := self.kinds[name.split("::", maxsplit=1)[0]], kind.most)
        return known[name] if name in known else self.constant(name)

    def _apply(
        self, parameters: tuple[Pattern, ...], body: Expression, values: tuple[Value, ...], outer: Scope
    ) -> Value:
        scope = Scope(outer)
        self._bind(scope, parameters, values)
        return self.evaluate(body, scope)

    def _call(self, name: str, arguments: list[Value], scope: Scope) -> Value:
        if name in scope:
            return scope.read(name)(*arguments)
        if name == "Sum::from":
            return self.widened(arguments[0])
        if name == "hint::black_box":
            return arguments[0]
        if name == "array::from_fn":
            length = self.plain(self.constant(_LENGTHS[self._function[-1].result or ""]))
            return [arguments[0](index) for index in range(length)]
        return self.call(name, *arguments)

    def _method(self, name: str, values: list[Value]) -> Value:
        if name.startswith("wrapping_"):
            lent = values[0].read() if isinstance(values[0], Variable | Element) else values[0]
            return self.wrapping(name.removeprefix("wrapping_"), lent, *values[1:])
        if name == "min":
            return values[not self.plain(self.binary("<", *values))]
        if name in METHODS and name not in self._routines:
            return METHODS[name](self, *values)
        return self.call(name, *values)

    def _unary(self, sign: str, operand: Expression, scope: Scope) -> Value:
        if sign in ("&", "&mut"):
            if self._text.language == "c":
                return self._place(operand, scope)
            found = self.evaluate(operand, scope)
            # A word that is lent to be changed is a place; arrays and structures are shared anyway.
            lent = sign == "&mut" and isinstance(operand, Name) and isinstance(found, int | Integer)
            return self._place(operand, scope) if lent else found
        value = self.evaluate(operand, scope)
        match sign:
            case "*" if self._text.language == "c" and isinstance(value, Integer | int | Bit):
                raise NotFollowedError(f"{value} is no place")
            case "*":
                return value.read() if isinstance(value, Variable | Element) else value
            case "-":
                return self.binary("-", 0, value) if isinstance(value, Integer) else -value
            case "~" if isinstance(value, Bit):
                return value ^ 1
            case "~" if isinstance(value, Integer):
                ones = Integer(value.kind, self.domain.constant(value.kind.wrapped(-1), value.kind))
                return self.binary("^", value, ones)
            case "not":
                return not self.plain(value)
            case _:
                raise NotFollowedError(f"{sign}{value}")

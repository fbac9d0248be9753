"""Functions of emitted Python, followed by their syntax trees: some kinds of nodes, all others refused.

No text is executed. A value is an integer or a stand-in, a point, a tuple, a list, or a function that the
caller gives by name; an attribute is a member of a point, or a method of a list.
"""

from __future__ import annotations

import ast
import operator
from typing import TYPE_CHECKING, Any

from efdgen.verify.words.values import NotFollowedError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

Value = Any

_OPERATORS: dict[type[ast.operator], Callable[[Value, Value], Value]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Mod: operator.mod,
    ast.BitXor: operator.xor,
    ast.BitAnd: operator.and_,
    ast.LShift: operator.lshift,
}
_METHODS: dict[str, Callable[..., None]] = {"append": list.append, "reverse": list.reverse}
_MOST_BITS = 1 << 16
"""The largest shift of an integer; fields are smaller."""


class Scope:
    """The names of a function: those given, and those that it assigns, which hide the given ones."""

    def __init__(self, given: Mapping[str, Value], local: Mapping[str, Value], assigned: set[str]) -> None:
        self._given, self.local, self._assigned = given, {**local}, assigned | local.keys()

    def __getitem__(self, name: str) -> Value:
        space = self.local if name in self._assigned else self._given
        if name not in space:
            raise NotFollowedError(f"{name} has no value there")
        return space[name]

    def inner(self, target: ast.expr) -> Scope:
        """Return the scope of an expression with variables of its own."""
        return Scope(self._given, self.local, self._assigned | _stored(target))


def call(function: ast.FunctionDef, arguments: Sequence[Value], given: Mapping[str, Value]) -> Value:
    """Return the result of a function; raise :class:`NotFollowedError` for an unknown node.

    Its parameters have no defaults, and its only return statement is its last.
    """
    names = [parameter.arg for parameter in function.args.args]
    scope = Scope(given, dict(zip(names, arguments, strict=True)), _stored(*function.body))
    *body, last = function.body
    run(body, scope)
    if not isinstance(last, ast.Return) or last.value is None:
        raise NotFollowedError("its last statement returns nothing")
    return value(last.value, scope)


def run(statements: Sequence[ast.stmt], scope: Scope) -> None:
    """Follow statements that return nothing."""
    for statement in statements:
        match statement:
            case ast.Expr(ast.Constant(str())):
                pass  # documentation
            case ast.Expr(ast.Call(ast.Attribute(ast.Name(name), method), arguments, [])):
                items = scope[name]
                if not isinstance(items, list) or method not in _METHODS:
                    raise NotFollowedError(f"{name}.{method} is no method of a list")
                _METHODS[method](items, *(value(each, scope) for each in arguments))
            case ast.Assign([target], node) | ast.AnnAssign(ast.Name() as target, value=ast.expr() as node):
                _assign(target, value(node, scope), scope)
            case ast.For(target, items_of, body, []):
                for item in value(items_of, scope):
                    _assign(target, item, scope)
                    run(body, scope)
            case _:
                raise _unknown(statement)


def value(node: ast.expr, scope: Scope) -> Value:
    """Return the value of an expression."""
    match node:
        case ast.Constant(number) if type(number) is int:
            return number
        case ast.Name(name):
            return scope[name]
        case ast.Attribute(of, member):
            point = value(of, scope)
            if member not in getattr(type(point), "_fields", ()):
                raise NotFollowedError(f"{ast.unparse(node)} is no member of a point")
            return getattr(point, member)
        case ast.UnaryOp(ast.USub(), of):
            return -_number(value(of, scope))
        case ast.BinOp(left, kind, right) if type(kind) in _OPERATORS:
            return _operation(kind, _number(value(left, scope)), _number(value(right, scope)))
        case ast.Compare(left, [ast.Eq()], [right]):
            return _number(value(left, scope)) == _number(value(right, scope))
        case ast.Compare(left, [ast.NotEq()], [right]):
            return _number(value(left, scope)) != _number(value(right, scope))
        case ast.BoolOp(ast.Or(), [left, right]):
            return value(left, scope) or value(right, scope)
        case ast.IfExp(test, then, otherwise):
            return value(then if value(test, scope) else otherwise, scope)
        case ast.Tuple(items):
            return tuple(value(item, scope) for item in items)
        case ast.List(items):
            return [value(item, scope) for item in items]
        case ast.Dict(keys, values):
            return {_digit(key): value(each, scope) for key, each in zip(keys, values, strict=True)}
        case ast.Subscript(ast.Name(table), ast.Name(digit)) if isinstance(scope[table], dict):
            return scope[table][scope[digit]]
        case ast.GeneratorExp(item, [ast.comprehension(target, items, [], 0)]):
            inner = scope.inner(target)
            return [_with(target, each, item, inner) for each in value(items, scope)]
        case ast.Call(ast.Name(name), arguments, keywords):
            return _called(scope[name], arguments, keywords, scope)
    raise _unknown(node)


def _called(
    function: Value, arguments: Sequence[ast.expr], keywords: Sequence[ast.keyword], scope: Scope
) -> Value:
    if not callable(function) or not all(keyword.arg for keyword in keywords):
        raise NotFollowedError("it calls what is no function")
    named = {f"{keyword.arg}": _flag(keyword.value, scope) for keyword in keywords}
    return function(*(value(each, scope) for each in arguments), **named)


def _flag(node: ast.expr, scope: Scope) -> Value:
    """Return the value of an argument by name, which may be True."""
    return True if isinstance(node, ast.Constant) and node.value is True else value(node, scope)


def _with(target: ast.expr, item: Value, node: ast.expr, scope: Scope) -> Value:
    _assign(target, item, scope)
    return value(node, scope)


def _operation(kind: ast.operator, left: Value, right: Value) -> Value:
    if isinstance(kind, ast.LShift) and not (isinstance(right, int) and 0 <= right <= _MOST_BITS):
        raise NotFollowedError("a shift by what is no small number")
    return _OPERATORS[type(kind)](left, right)


def _number(found: Value) -> Value:
    """Return an operand of arithmetic: an integer or a stand-in."""
    if isinstance(found, list | tuple | dict | str) or callable(found):
        raise NotFollowedError("arithmetic with what is no number")
    return found


def _digit(node: ast.expr | None) -> str:
    if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
        raise NotFollowedError("a table of something else than digits")
    return node.value


def _assign(target: ast.expr, found: Value, scope: Scope) -> None:
    match target:
        case ast.Name(name):
            scope.local[name] = found
        case ast.Tuple(parts):
            for part, one in zip(parts, tuple(found), strict=True):
                _assign(part, one, scope)
        case _:
            raise _unknown(target)


def _stored(*nodes: ast.AST) -> set[str]:
    """Return the names that statements assign, without variables of expressions."""
    found: set[str] = set()
    for node in nodes:
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        if not isinstance(node, ast.GeneratorExp):
            found |= _stored(*ast.iter_child_nodes(node))
    return found


def _unknown(node: ast.AST) -> NotFollowedError:
    return NotFollowedError(f"no such {type(node).__name__} is known: {ast.unparse(node)}")

"""Polynomials over GF(2) in a Python module: the proof of its arithmetic, and values to run its kernels on.

Products and reductions are followed on sums of symbols: a result c·T + d·b for symbols T and b holds for all
polynomials in their places.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

from efdgen.generator.mathematics.binary import product
from efdgen.verify.readback.python_tree import Scope, run
from efdgen.verify.words.values import NotFollowedError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from efdgen.generator.mathematics.binary import BinaryField
    from efdgen.verify.readback.elements import Element
    from efdgen.verify.readback.ways import Ways

_DIGITS = "0123456789abcdef"

_MUL = "return _reduce(_product(a, b))"

# The numbers that the digits of a are in base 4 have a 0 between any two coefficients.
_SQR = "return _reduce(int(f'{a:b}', 4))"

# At every test of the loop u = a·g and v = a·h modulo F, and gcd(u, v) = gcd(a, F). The larger degree falls,
# so that the loop ends. v is never 1, because it takes values of u above 1; so u ends at 0 only for a = 0.
_INV = """\
u, v, g, h = (a, F, 1, 0)
while u > 1:
    shift = u.bit_length() - v.bit_length()
    if shift < 0:
        u, v, g, h, shift = (v, u, h, g, -shift)
    u ^= v << shift
    g ^= h << shift
return _reduce(g) if u else 0"""


class PolynomialsModuloF:
    """The field of a module of polynomials below x^M modulo ``F``."""

    built_in = frozenset({"int"})
    offered: Mapping[str, int] = {}

    def __init__(self, field: BinaryField) -> None:
        self._field = field
        self.needed = {"M": field.degree, "F": field.polynomial, "MASK": field.order - 1}

    def differences(self, functions: Mapping[str, ast.FunctionDef]) -> Iterator[tuple[str, str]]:
        """Yield the functions of the field that are not right for all polynomials, and why."""
        checks: dict[str, Callable[[list[ast.stmt]], str]] = {
            "_product": _product_difference,
            "_reduce": self._reduce_difference,
            **{other: partial(_text_difference, text) for other, text in _TEXTS.items()},
        }
        for name, check in checks.items():
            arguments = "a: int, b: int" if name in {"_product", "_mul"} else "a: int"
            function = functions.get(name)
            if function is None or function.decorator_list or ast.unparse(function.args) != arguments:
                yield name, f"it is no single function of {arguments}"
                continue
            try:
                difference = check(_body(function))
            except (NotFollowedError, NameError, LookupError, TypeError, ValueError) as error:
                difference = f"it cannot be followed: {error}"
            if difference:
                yield name, difference

    def _reduce_difference(self, body: list[ast.stmt]) -> str:
        """Return how a reduction differs: each turn has to replace x^M·high by (F - x^M)·high."""
        match body:
            case [ast.While(test=test, body=[ast.Assign(targets=[ast.Name("a")]) as fold], orelse=[]), end]:
                pass
            case _:
                return "it is no loop of folds"
        if (ast.unparse(test), ast.unparse(end)) != ("(high := (a >> M))", "return a"):
            return "its loop does not end where nothing is above x^M"
        space: dict[str, Any] = {"a": _Split(self.needed["MASK"]), "high": _Form({"high": 1})}
        _run(fold, space | self.needed | {"_product": lambda c, form: form.times(c)}, space)
        wanted = _Form({"low": 1, "high": self._field.polynomial ^ self._field.order})
        return "" if space["a"] == wanted else "a turn does not keep its value modulo F"

    def value(self, way: Ways, element: Element) -> Any:  # noqa: ANN401 - in place of an integer
        """Return what is in place of an element."""
        return _Polynomial(way, element)

    def names(self, way: Ways) -> dict[str, Any]:
        """Return the functions that a kernel calls."""

        def mul(a: _Polynomial | int, b: _Polynomial | int) -> _Polynomial:
            return _Polynomial(way, way.mul(_element(way, a), _element(way, b)))

        def inv(a: _Polynomial | int) -> _Polynomial:
            return _Polynomial(way, way.inv(_element(way, a)))

        return {"_mul": mul, "_sqr": lambda a: mul(a, a), "_inv": inv}

    def element(self, value: object) -> Element | None:
        """Return the element of what is in place of one."""
        return value.element if isinstance(value, _Polynomial) else None


_TEXTS = {"_mul": _MUL, "_sqr": _SQR, "_inv": _INV}


def _body(function: ast.FunctionDef) -> list[ast.stmt]:
    """Return the statements of a function after its docstring."""
    first = function.body[0]
    return function.body[isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) :]


def _text_difference(text: str, body: list[ast.stmt]) -> str:
    return "" if "\n".join(map(ast.unparse, body)) == text else "it is not the function that is proved"


def _product_difference(body: list[ast.stmt]) -> str:
    """Return how a product differs: a turn has to make T·x^4 + d·b of T for each digit d of a."""
    *before, loop, end = body
    match loop:
        case ast.For(target=ast.Name("digit"), body=[ast.Assign(targets=[ast.Name("total")]) as turn]):
            pass
        case _:
            return "it is no loop of digits"
    if (ast.unparse(loop.iter), ast.unparse(end), loop.orelse) != ("f'{a:x}'", "return total", []):
        return "its loop is not over the digits of a"
    space: dict[str, Any] = {"b": _Form({"b": 1})}
    for statement in before:
        if not isinstance(statement, ast.Assign):
            return "it is no loop after assignments"
        _run(statement, space, space)
    if space.get("total") != 0 or not isinstance(space["total"], int):
        return "its total does not begin with 0"
    for digit in _DIGITS:
        found = space | {"digit": digit, "total": _Form({"total": 1})}
        _run(turn, found, found)
        if found["total"] != _Form({"total": 1 << 4, "b": int(digit, 16)}):
            return f"a turn is wrong for the digit {digit}"
    return ""


def _run(statement: ast.stmt, names: Mapping[str, Any], space: dict[str, Any]) -> None:
    """Follow an assignment that reads some names, and put what it assigns into a space."""
    scope = Scope({}, names, set())
    run([statement], scope)
    space.update(scope.local)


class _Form:
    """A sum of symbols with coefficients that are polynomials over GF(2)."""

    def __init__(self, terms: Mapping[str, int]) -> None:
        self.terms = {symbol: c for symbol, c in sorted(terms.items()) if c}

    def times(self, factor: int) -> _Form:
        """Return the product by a polynomial."""
        return _Form({symbol: product(c, factor) for symbol, c in self.terms.items()})

    def __xor__(self, other: _Form | int) -> _Form:
        if type(other) is int and not other:
            return self
        if not isinstance(other, _Form):
            raise NotFollowedError(f"a sum with {other}")
        symbols = self.terms.keys() | other.terms.keys()
        return _Form({symbol: self.terms.get(symbol, 0) ^ other.terms.get(symbol, 0) for symbol in symbols})

    def __lshift__(self, bits: int) -> _Form:
        return self.times(1 << bits)

    def __eq__(self, other: object) -> bool:
        return (isinstance(other, _Form) and self.terms == other.terms) or (other == 0 and not self.terms)

    __hash__ = None  # type: ignore[assignment]


class _Split:
    """The polynomial low + x^M·high, of which nothing but low can be had."""

    def __init__(self, mask: int) -> None:
        self._mask = mask

    def __and__(self, mask: int) -> _Form:
        if mask != self._mask:
            raise NotFollowedError("another mask")
        return _Form({"low": 1})


@dataclass(frozen=True, eq=False)
class _Polynomial:
    """A polynomial below x^M by its element of the field."""

    way: Ways
    element: Element

    def __xor__(self, other: _Polynomial | int) -> _Polynomial:
        return _Polynomial(self.way, self.way.add(self.element, _element(self.way, other)))

    __rxor__ = __xor__

    def __bool__(self) -> bool:
        return not self.way.is_zero(self.element)

    def __eq__(self, other: object) -> bool:
        if type(other) is not int or other:
            raise NotFollowedError("an element is compared with something else than 0")
        return not self

    __hash__ = None  # type: ignore[assignment]


def _element(way: Ways, value: _Polynomial | int) -> Element:
    if isinstance(value, _Polynomial):
        return value.element
    if type(value) is not int or value not in (0, 1):
        raise NotFollowedError(f"{value} is no element")
    return way.constant(Fraction(value))

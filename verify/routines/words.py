"""Sums and products of several words, followed word by word: each is a polynomial in the words of inputs.

A value that fills more than a word is split: 2^32 times a new carry, and the rest, so that the words of a
result times their powers of 2 add up to the integer that a contract states. Intervals show that no sum leaves
its type.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from efdgen.generator.errors import EfdgenError
from efdgen.generator.routines.integers import Integers, RoutineError
from efdgen.generator.routines.interpreter import Interpreter
from efdgen.generator.routines.types import Integer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from efdgen.generator.routines.module import Module
    from efdgen.generator.routines.types import Type

WORD = 32
_BASE = 1 << WORD
_SIGN = 63  # the bit of a difference of two words, in 64 bits, that says that it is negative
Terms: TypeAlias = "dict[tuple[str, ...], int]"


@dataclass(frozen=True)
class Polynomial:
    """A polynomial in words and carries, and its range."""

    terms: Terms
    low: int
    high: int

    @property
    def is_word(self) -> bool:
        """Return whether it fills a word at most."""
        return self.low >= 0 and self.high < _BASE

    def plus(self, other: Polynomial, times: int = 1) -> Polynomial:
        """Return the sum with a multiple of another."""
        terms = dict(self.terms)
        for monomial, value in other.terms.items():
            terms[monomial] = terms.get(monomial, 0) + times * value
        ends = sorted((times * other.low, times * other.high))
        return Polynomial({m: v for m, v in terms.items() if v}, self.low + ends[0], self.high + ends[1])

    def times(self, other: Polynomial) -> Polynomial:
        """Return the product."""
        terms: Terms = {}
        for one, value in self.terms.items():
            for two, factor in other.terms.items():
                monomial = tuple(sorted(one + two))
                terms[monomial] = terms.get(monomial, 0) + value * factor
        ends = [a * b for a in (self.low, self.high) for b in (other.low, other.high)]
        return Polynomial({m: v for m, v in terms.items() if v}, min(ends), max(ends))

    def modulo(self, modulus: int) -> frozenset[tuple[tuple[str, ...], int]]:
        """Return the coefficients modulo a number, those that are not 0."""
        return frozenset((m, v % modulus) for m, v in self.terms.items() if v % modulus)


def polynomial(value: int | Polynomial) -> Polynomial:
    """Return an integer as a polynomial."""
    if isinstance(value, Polynomial):
        return value
    return Polynomial({(): value} if value else {}, value, value)


def words(name: str, count: int) -> list[Polynomial]:
    """Return an array of any words."""
    return [Polynomial({(f"{name}{i}",): 1}, 0, _BASE - 1) for i in range(count)]


def whole(array: Iterable[int | Polynomial]) -> Polynomial:
    """Return the integer that an array of words is."""
    total = polynomial(0)
    for i, item in enumerate(array):
        total = total.plus(polynomial(item), 1 << WORD * i)
    return total


class Columns(Integers):
    """Operators on polynomials; ``met`` has each word that was cut off, by its coefficients modulo 2^32."""

    def __init__(self) -> None:
        self._carries: dict[frozenset[tuple[tuple[str, ...], int]], Polynomial] = {}
        self.met: dict[frozenset[tuple[tuple[str, ...], int]], Polynomial] = {}

    def _carry(self, value: Polynomial) -> Polynomial:
        """Return the quotient by 2^32, rounded down: a symbol of this value."""
        key = frozenset(value.terms.items())
        if key not in self._carries:
            name = (f"carry{len(self._carries)}",)
            self._carries[key] = Polynomial({name: 1}, value.low // _BASE, value.high // _BASE)
        return self._carries[key]

    def _cut(self, value: Polynomial) -> Polynomial:
        """Return the lowest word."""
        if value.is_word:
            return value
        found = value.plus(self._carry(value), -_BASE)
        cut = Polynomial(found.terms, 0, _BASE - 1)
        self.met[cut.modulo(_BASE)] = cut
        return cut

    def converted(self, kind: Type, value: Any) -> Any:  # noqa: ANN401 - see Integers
        """Return the lowest word, or the value in a longer one."""
        if not isinstance(value, Polynomial):
            return super().converted(kind, value)
        if not isinstance(kind, Integer) or kind.bits < WORD or (kind.bits > WORD and value.low < 0):
            raise RoutineError("a conversion that is not followed")
        return self._cut(value) if kind.bits == WORD else value

    def unary(self, operator: str, kind: Type, value: Any) -> Any:  # noqa: ANN401 - see Integers
        """Return an operator of an integer."""
        return super().unary(operator, kind, self.public(value))

    def mask(self, kind: Integer, bit: Any) -> Any:  # noqa: ANN401 - see Integers
        """Return a mask of an integer."""
        return super().mask(kind, self.public(bit))

    def public(self, value: Any) -> int:  # noqa: ANN401 - see Integers
        """Return an integer."""
        if not isinstance(value, int):
            raise RoutineError("a place or a branch depends on words")
        return value

    def binary(self, operator: str, kind: Type, left: Any, right: Any) -> Any:  # noqa: ANN401 - see Integers
        """Return a sum, product or difference, which must fit, or a carry."""
        if isinstance(left, int) and isinstance(right, int):
            return super().binary(operator, kind, left, right)
        if left is None or right is None or not isinstance(kind, Integer):
            raise RoutineError(f"{operator} on words is not followed")
        one, other = polynomial(left), polynomial(right)
        if operator == ">>" and self.public(right) < kind.bits:
            return self._shifted(one, right)
        if one.low < 0 or other.low < 0:
            raise RoutineError("arithmetic on a difference that wrapped")
        match operator:
            case "+":
                found = one.plus(other)
            case "*":
                found = one.times(other)
            case "-%":
                found = one.plus(other, -1)
            case _:
                raise RoutineError(f"{operator} on words is not followed")
        if found.high > kind.high or found.low < (-_BASE if operator == "-%" else 0):
            raise RoutineError(f"a sum may be {found.high} or {found.low}, out of its type's range")
        return found

    def _shifted(self, value: Polynomial, count: int) -> Polynomial:
        if count == WORD and value.low >= 0:
            return self._carry(value)
        if count == _SIGN and value.low >= -_BASE and value.high < _BASE:
            return polynomial(0).plus(self._carry(value), -1)  # the carry is -1 where it wrapped
        raise RoutineError(f"a shift by {count} of words is not followed")


class _Proof:
    """The run of one routine on any words; arrays have as many as scalars."""

    def __init__(self, module: Module, name: str, *arguments: list[Polynomial]) -> None:
        self.columns, self.name = Columns(), name
        size = module.constants["SCALAR_WORDS"].value
        assert isinstance(size, int)
        self.whole = 1 << WORD * size
        run = Interpreter(module, values=self.columns)
        self.changed, self.results = run.run(name, *(list(argument) for argument in arguments))

    def number(self, array: Any) -> Polynomial:  # noqa: ANN401 - what a routine returns
        """Return the integer that a result is; all of its items must be words."""
        if None in array:
            raise EfdgenError(f"{self.name}: a word of the result was never written")
        if not all(polynomial(item).is_word for item in array):
            raise EfdgenError(f"{self.name}: a word of the result may be negative or too large")
        return whole(array)

    def require(self, difference: Polynomial, modulus: int = 0) -> None:
        """Raise :class:`EfdgenError` where a difference is not 0, modulo a number if one is given."""
        if difference.modulo(modulus) if modulus else difference.terms:
            raise EfdgenError(f"{self.name} does not compute what its contract states")


def _prove_sub(module: Module, count: int) -> None:
    a, b = words("a", count), words("b", count)
    proof = _Proof(module, "scalar_sub", a, b)
    found, borrow = proof.results[0], polynomial(proof.results[1])
    if not 0 <= borrow.low <= borrow.high <= 1:
        raise EfdgenError("scalar_sub: the borrow may be neither 0 nor 1")
    exact = proof.number(found).plus(whole(a), -1).plus(whole(b))
    proof.require(exact.plus(borrow, -proof.whole))


def _prove_add(module: Module, count: int) -> None:
    a, b = words("a", count), words("b", count)
    proof = _Proof(module, "scalar_add", a, b)
    total = proof.number(proof.results[0])
    proof.require(total.plus(whole(a), -1).plus(whole(b), -1), proof.whole)


def _prove_add_product(module: Module, count: int) -> None:
    r, a, b = words("r", count), words("a", count), words("b", count)
    proof = _Proof(module, "scalar_add_product", r, a, b)
    total = proof.number(proof.changed[0])
    proof.require(total.plus(whole(r), -1).plus(whole(a).times(whole(b)), -1), proof.whole)


def _prove_quotient(module: Module, count: int, shift: int) -> None:
    """Prove that t*g + half, without 2^shift times the result, is made of words, which are below 2^shift."""
    t, g, half = words("t", count), words("g", count), words("h", 2 * count)
    proof = _Proof(module, "scalar_quotient", t, g, half)
    rest = whole(t).times(whole(g)).plus(whole(half))
    rest = rest.plus(proof.number(proof.results[0]), -1 << shift)
    if shift % WORD:
        raise EfdgenError(f"scalar_quotient: a shift by {shift} bits, not by words")
    for place in range(shift // WORD):
        low = proof.columns.met.get(rest.modulo(_BASE))
        if low is None:
            raise EfdgenError(f"scalar_quotient: word {place} of the remainder is not known")
        left = rest.plus(low, -1)
        rest = Polynomial({m: v // _BASE for m, v in left.terms.items()}, 0, 0)
    proof.require(rest, min(proof.whole, proof.whole**2 >> shift))


_PROOFS: dict[str, Callable[..., None]] = {
    "scalar_sub": _prove_sub,
    "scalar_add": _prove_add,
    "scalar_add_product": _prove_add_product,
}


def prove_words(module: Module, names: Sequence[str], shift: int) -> None:
    """Prove the arithmetic of several words that a module has; raise :class:`EfdgenError` where it is wrong.

    ``scalar_sub`` is a - b + borrow*W for W = 2^32 to the number of words, and the borrow is 0 or 1, so that
    it is 1 if a < b; ``scalar_add`` and ``scalar_add_product`` are a + b and r + a*b modulo W, and
    ``scalar_quotient`` is (t*g + half)/2^shift, rounded down, modulo W, if t*g + half < W^2.
    """
    count = module.constants["SCALAR_WORDS"].value
    assert isinstance(count, int)
    try:
        for name in names:
            if name == "scalar_quotient":
                _prove_quotient(module, count, shift)
            elif name in _PROOFS:
                _PROOFS[name](module, count)
    except RoutineError as error:
        raise EfdgenError(f"not proved: {error}") from None

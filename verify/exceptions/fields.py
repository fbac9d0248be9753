"""The trial fields of a formula, determined by the formula, so that none is blind to it.

A formula that is wrong by a factor 1 + 7·11·13·17·c is right over GF(7), GF(11), GF(13) and GF(17), and one
that is wrong by x^241 - x over each GF(p) with p - 1 a divisor of 240. So a tiny field GF(p) is used only
if p divides no constant of the formula, nor of its model, map and kind if these are not built in, and no
difference of two, and if p - 1 divides no difference of two exponents; 0 and 1 are among both. The large
prime is made of a hash of the formula, so that nobody can choose constants for it.
"""

from __future__ import annotations

import hashlib
from fractions import Fraction
from itertools import combinations, count
from typing import TYPE_CHECKING

from efdgen.generator.formulas.formula import Kind, Map, Model, System
from efdgen.generator.formulas.foundations import own_foundations
from efdgen.generator.language.syntax import Binary, Group, Negative, Number
from efdgen.generator.mathematics.primes import is_prime
from efdgen.generator.passes.pipeline import optimise
from efdgen.generator.programs.lower import lower, lower_ghosts
from efdgen.generator.programs.program import Constant, MulConstant
from efdgen.verify.effort import scaled
from efdgen.verify.exceptions.tiny_field import MOST
from efdgen.verify.verdicts import UndecidedError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from efdgen.generator.formulas.formula import Formula
    from efdgen.generator.language.syntax import Equation, Expression

BINARY_ORDERS = (8, 16)

# One odd field of each kind: -1 is a square in two of them, and two have all cube roots of 1.
_KINDS = (7, 11, 1, 5)  # the order modulo 12
_FEWEST = 7

_BITS = 127


def tiny_orders(formula: Formula) -> tuple[int, ...]:
    """Return the orders of the tiny fields that a formula is tried on, ascending.

    Raises :class:`UndecidedError` where too few are left.
    """
    if formula.system.model.binary:
        return BINARY_ORDERS
    known = constants(formula)
    numbers = {abs(value.numerator) for value in known} | {value.denominator for value in known}
    numbers |= {abs((one - other).numerator) for one, other in combinations(known, 2)}
    powers = exponents(formula)
    differences = {abs(one - other) for one, other in combinations(powers, 2)}
    most = scaled(MOST)
    primes = [
        prime
        for prime in range(_FEWEST, most + 1)
        if is_prime(prime)
        and all(number % prime or not number for number in numbers)
        and all(difference % (prime - 1) for difference in differences)
    ]
    chosen = [next((prime for prime in primes if prime % 12 == kind), None) for kind in _KINDS]
    found = [prime for prime in chosen if prime is not None]
    found += [prime for prime in primes if prime not in found][: len(_KINDS) - len(found)]
    if len(found) < len(_KINDS):
        raise UndecidedError(
            f"{formula.id}: on which inputs it is wrong; its constants or powers agree in most tiny fields",
            f"fields of at most {most} elements",
        )
    return tuple(sorted(found))


def constants(formula: Formula) -> frozenset[Fraction]:
    """Return the numbers that occur in a formula, its programs and its assumptions, and 0 and 1."""
    found = {Fraction(0), Fraction(1)}
    # Constants that a program makes of others are found in what constant folding leaves.
    for program in (lower(formula), optimise(lower(formula)), lower_ghosts(formula)):
        for instruction in program.instructions:
            match instruction.operation:
                case Constant(value) | MulConstant(value):
                    found.add(value)
    found |= {Fraction(value) for each in _written(formula) for value in _numbers_in(each)}
    return frozenset(found)


def exponents(formula: Formula) -> frozenset[int]:
    """Return the exponents that occur in a formula's text and in that of what it rests on, and 0 and 1."""
    return frozenset({0, 1}.union(*map(_exponents_in, _written(formula))))


def _written(formula: Formula) -> Iterator[Expression]:
    """Yield the expressions in a formula's text, and in that of what it rests on and is not built in."""
    yield from (assignment.value for assignment in (*formula.assignments, *formula.ghosts))
    yield from _sides(*formula.all_assumptions, *formula.hints, *formula.checks)
    for each in own_foundations(formula):
        match each:
            case Model():
                laws = each.addition, each.doubling, each.negation, each.neutral
                maps = each.weierstrass, each.to_weierstrass, each.from_weierstrass
                yield from (value for values in (*laws, *maps) for value in values.values())
                yield from _sides(*each.equations)
            case Map():
                values = each.curve, each.image, each.inverse_parameters
                yield from (value for each_values in values for value in each_values.values())
            case Kind():
                yield from _sides(*each.given, *each.scalars)
            case System():
                yield from _sides(*each.meanings)


def _sides(*equations: Equation) -> Iterator[Expression]:
    for equation in equations:
        yield from (equation.left, equation.right)


def _numbers_in(expression: Expression) -> Iterator[int]:
    match expression:
        case Number(value):
            yield value
        case Group(inner) | Negative(inner) | Binary("^", inner, _):
            yield from _numbers_in(inner)
        case Binary(_, left, right):
            yield from _numbers_in(left)
            yield from _numbers_in(right)


def _exponents_in(expression: Expression) -> Iterator[int]:
    match expression:
        case Group(inner) | Negative(inner):
            yield from _exponents_in(inner)
        case Binary("^", inner, Number(exponent)):
            yield exponent
            yield from _exponents_in(inner)
        case Binary(_, left, right):
            yield from _exponents_in(left)
            yield from _exponents_in(right)


def seed(text: Formula | Model | Map) -> int:
    """Return a number that follows from the whole text of a formula, a model or a map."""
    return int.from_bytes(hashlib.sha256(repr(text).encode()).digest(), "big")


def large_primes(text: Formula | Model | Map) -> Iterator[int]:
    """Yield primes of 127 bits that follow from a text; they are 1 modulo 12, so that -1 has a root."""
    start = seed(text) % 2 ** (_BITS - 1) | 2 ** (_BITS - 1)
    return filter(is_prime, count(start - start % 12 + 1, 12))

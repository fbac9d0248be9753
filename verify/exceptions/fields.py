"""The trial fields of a formula, determined by the formula, so that none is blind to it.

A formula that is wrong by a factor 1 + 7·11·13·17·c is right over GF(7), GF(11), GF(13) and GF(17). So a tiny
field is taken only where its characteristic divides no constant of the formula and no difference of two, 0
and 1 among them. The large prime is made of a hash of the formula, which nobody can choose a constant for.
"""

from __future__ import annotations

import hashlib
from fractions import Fraction
from itertools import combinations, count
from typing import TYPE_CHECKING

from efdgen.generator.language.syntax import Binary, Group, Negative, Number
from efdgen.generator.mathematics.primes import is_prime
from efdgen.generator.programs.lower import lower, lower_ghosts
from efdgen.generator.programs.pipeline import optimise
from efdgen.generator.programs.program import Constant, MulConstant
from efdgen.verify.effort import scaled
from efdgen.verify.exceptions.tiny_field import MOST
from efdgen.verify.verdicts import UndecidedError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from efdgen.generator.formulas.formula import Formula
    from efdgen.generator.language.syntax import Expression

BINARY_ORDERS = (8, 16)

# Of odd fields one of each kind: -1 is a square in two of them, and two have all cube roots of 1.
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
    most = scaled(MOST)
    primes = [
        prime
        for prime in range(_FEWEST, most + 1)
        if is_prime(prime) and all(number % prime or not number for number in numbers)
    ]
    chosen = [next((prime for prime in primes if prime % 12 == kind), None) for kind in _KINDS]
    found = [prime for prime in chosen if prime is not None]
    found += [prime for prime in primes if prime not in found][: len(_KINDS) - len(found)]
    if len(found) < len(_KINDS):
        raise UndecidedError(
            f"{formula.id}: on which inputs it is wrong; its constants vanish or agree in most tiny fields",
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
    found |= {Fraction(value) for value in _written(formula)}
    return frozenset(found)


def _written(formula: Formula) -> Iterator[int]:
    """Yield the numbers in a formula's text, exponents left out."""
    for assignment in (*formula.assignments, *formula.ghosts):
        yield from _numbers_in(assignment.value)
    for equation in (*formula.all_assumptions, *formula.hints, *formula.checks):
        yield from (*_numbers_in(equation.left), *_numbers_in(equation.right))


def _numbers_in(expression: Expression) -> Iterator[int]:
    match expression:
        case Number(value):
            yield value
        case Group(inner) | Negative(inner) | Binary("^", inner, _):
            yield from _numbers_in(inner)
        case Binary(_, left, right):
            yield from _numbers_in(left)
            yield from _numbers_in(right)


def seed(formula: Formula) -> int:
    """Return a number that follows from everything that a formula says."""
    return int.from_bytes(hashlib.sha256(repr(formula).encode()).digest(), "big")


def large_primes(formula: Formula) -> Iterator[int]:
    """Yield primes of 127 bits that follow from a formula; they are 1 modulo 12, so that -1 has a root."""
    start = seed(formula) % 2 ** (_BITS - 1) | 2 ** (_BITS - 1)
    return filter(is_prime, count(start - start % 12 + 1, 12))

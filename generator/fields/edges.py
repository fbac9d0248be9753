"""Edge operands of field operations: numbers and results for which a carry propagates through words.

A carry chain is only exercised in full by operands whose sum, difference or product has runs of ones or zeros
in the words that an element is stored as. :func:`edges` lists such elements, and :func:`operands_of` chooses
operands for which an operation gives a listed element.
"""

from __future__ import annotations

from itertools import chain, pairwise
from typing import TYPE_CHECKING

from efdgen.generator.mathematics.primes import inverse, square_root

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from random import Random

    from efdgen.generator.fields.field import Field
    from efdgen.generator.mathematics.binary import BinaryField

_SMALL = 3


def edges(field: Field, step: int = 1) -> tuple[int, ...]:
    """Return elements, sorted, that are stored as edge numbers in some representation of a field.

    Edge numbers are 2^k and 2^k - 1 for each k up to the bits of the words of an element, their sums and
    differences with p, 2^bits and the power of 2 above all words, multiples of p plus or minus a little, and
    numbers of which one limb is all ones and the others are zero, or the reverse. With a ``step``, k is a
    multiple of it. Those of GF(2^m) are :func:`polynomial_edges`.
    """
    if field.ground.is_binary:
        return polynomial_edges(field.ground)
    found: set[int] = set()
    for radix in {representation.radix for representation in field.representations}:
        inverse = pow(radix, -1, field.prime)
        found |= {number * inverse % field.prime for number in _edge_numbers(field, step)}
    return tuple(sorted(found))


def polynomial_edges(field: BinaryField, step: int = 32) -> tuple[int, ...]:
    """Return elements of GF(2^m), sorted, with one bit or run of ones that ends where a word does.

    Shifts by less than a word move such bits from word to word, and reductions from end to end.
    """
    ends = [k + near for k in range(0, field.degree + step, step) for near in (-1, 0, 1)]
    known = [1 << k for k in ends if 0 <= k < field.degree]
    known += [(1 << k) - 1 for k in ends if 0 <= k < field.degree]
    full = field.order - 1
    return tuple(sorted({*known, *(full ^ value for value in known), full}))


def loose_numbers(field: Field) -> tuple[int, ...]:
    """Return edge numbers from p up to the largest that fills the words of every representation."""
    bits = _top(field)
    near = {(1 << bits) - step for step in range(1, _SMALL + 1)}
    near |= {limit - step for r in field.representations for limit in [r.tight] for step in range(_SMALL)}
    found = {number for number in chain(_edge_numbers(field), near) if field.prime <= number < 1 << bits}
    return tuple(sorted(found))


def _top(field: Field) -> int:
    """Return the bits of the words of a number in [0, p), where they are fewest."""
    return min(found.word * found.words for found in field.representations)


def _edge_numbers(field: Field, step: int = 1) -> Iterator[int]:
    prime, bits = field.prime, field.bits
    ends = {bits, *(found.word * found.words for found in field.representations)}
    walk = [number for k in range(0, max(ends) + 1, step) for number in ((1 << k) - 1, 1 << k)]
    for base in (0, prime, *(1 << end for end in sorted(ends))):
        yield from (base + sign * number for number in walk for sign in (1, -1))
    for base in (0, 1, 2):
        yield from (base * prime + step for step in range(-_SMALL, _SMALL + 1))
    for found in field.representations:
        positions = (*found.plan.reduction.positions, max(ends))
        ones = (1 << max(ends)) - 1
        for low, high in pairwise(positions):
            limb = (1 << high) - (1 << low)
            yield from (limb, ones ^ limb)


def _divided(value: int, by: int, prime: int) -> int:
    return value * inverse(by, prime) if by % prime else value


# From the operands but the last one, the value that an operation is to give, and p: the last operand.
_LAST: dict[str, Callable[..., int]] = {
    "add": lambda a, value, p: value - a,
    "sub": lambda a, value, p: a - value,
    "neg": lambda value, p: -value,
    "half": lambda value, p: 2 * value,
    "mul": lambda a, value, p: _divided(value, a, p),
    "sqr": lambda value, p: square_root(value, p) or value,
    "inv": lambda value, p: _divided(1, value, p) if value else 0,
    "sum_of_products": lambda a, b, c, value, p: _divided(value - a * b, c, p),
    "difference_of_products": lambda a, b, c, value, p: _divided(a * b - value, c, p),
}


def operands_of(
    name: str, count: int, values: Sequence[int], prime: int, rng: Random
) -> Iterator[tuple[int, ...]]:
    """Yield operands of an operation for each value of a list: the value first, and so that it is the result.

    Other operands are random elements, random ones of the list, or 2^(bits - 1).
    """
    solve = _LAST.get(name.removesuffix("_var"))
    for value in values:
        others = [_other(values, prime, rng) for _ in range(count - 1)]
        yield (value, *others)
        if solve is not None:
            yield (*others, solve(*others, value, prime) % prime)
        elif count == 2:
            yield (value, value)


def loose_operands(name: str, field: Field, rng: Random) -> Iterator[tuple[int, int]]:
    """Yield operands of ``add`` and ``sub`` that fill words and need not be below p.

    Their sum or difference is, as an integer, 2^k or 2^k - 1 from 0, p, or the bounds of either.
    """
    most = (1 << _top(field)) - 1
    for k in range(_top(field) + 1):
        for number in ((1 << k) - 1, 1 << k):
            for total in (number, field.prime + number, most + number, most - number, 2 * most - number):
                if name == "add" and 0 <= total <= 2 * most:
                    a = rng.randint(max(0, total - most), min(total, most))
                    yield a, total - a
                elif name == "sub" and 0 <= total <= most:
                    a = rng.randint(total, most)
                    yield rng.choice(((a, a - total), (a - total, a)))


def _other(values: Sequence[int], prime: int, rng: Random) -> int:
    return rng.choice((rng.randrange(prime), rng.choice(values), (1 << prime.bit_length() - 1) % prime))

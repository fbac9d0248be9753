"""Reference values of operations in GF(2^m), and vectors for test programs."""

from __future__ import annotations

from itertools import product
from random import Random
from typing import TYPE_CHECKING

from efdgen.generator.fields.edges import polynomial_edges
from efdgen.generator.fields.reference import IDENTITIES, Identity, Row

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from efdgen.generator.mathematics.binary import BinaryField

_ROWS = 24
_RANDOM_VALUES = 6


def _half_trace(field: BinaryField, a: int) -> int:
    total = a
    for _ in range(field.degree // 2):
        a = field.square(field.square(a))
        total ^= a
    return total


# From a field and one or two elements: an element.
VALUES: dict[str, tuple[int, Callable[..., int]]] = {
    "add": (2, lambda field, a, b: field.add(a, b)),
    "sub": (2, lambda field, a, b: field.sub(a, b)),
    "mul": (2, lambda field, a, b: field.mul(a, b)),
    "sqr": (1, lambda field, a: field.mul(a, a)),
    "inv": (1, lambda field, a: field.inv(a) if a else 0),
    "sqrt": (1, lambda field, a: field.power(a, field.order // 2)),
    "half_trace": (1, _half_trace),
}
FLAGS: dict[str, tuple[int, Callable[..., bool]]] = {
    "is_zero": (1, lambda _, a: a == 0),
    "equal": (2, lambda _, a, b: a == b),
    "trace": (1, lambda field, a: field.trace(a) == 1),
}
# An element, or None.
ROOTS: dict[str, tuple[int, Callable[..., int | None]]] = {
    "solve_quadratic": (1, lambda field, a: field.solve(a)),
}

IDENTITIES_OF_2 = (
    *(each for each in IDENTITIES if not each.operations & {"half", "neg"}),
    Identity("sqrt(a)^2 = a", (("sqrt", "r", "a"), ("sqr", "r", "r"), ("copy", "s", "a"))),
)
# An identity for traces that are elements.
IDENTITY_OF_TRACES = Identity(
    "the trace of a^2 + a is 0",
    (("sqr", "t", "a"), ("add", "t", "t", "a"), ("trace", "r", "t"), ("sub", "s", "a", "a")),
)


def polynomial_rows(name: str, field: BinaryField) -> Iterator[Row]:
    """Yield rows of an operation; the flag of one without a result is false."""
    count, _ = VALUES.get(name) or FLAGS.get(name) or ROOTS[name]
    for given in operands(name, count, field):
        yield evaluate(name, given, field)


def operands(name: str, count: int, field: BinaryField) -> Iterator[tuple[int, ...]]:
    """Yield operands of an operation: elements at the edges of words, and random ones."""
    rng = Random(f"{field.polynomial} {name}")
    values = [*polynomial_edges(field), *(rng.randrange(field.order) for _ in range(_RANDOM_VALUES))]
    every = list(product(values, repeat=count))
    yield from rng.sample(every, min(len(every), _ROWS))


def evaluate(name: str, operands: tuple[int, ...], field: BinaryField) -> Row:
    """Return the row of an operation on some operands."""
    _, function = VALUES.get(name) or FLAGS.get(name) or ROOTS[name]
    found = function(field, *operands)
    if name in FLAGS:
        return Row(name, operands, 0, bool(found))
    return Row(name, operands, found or 0, found is not None)

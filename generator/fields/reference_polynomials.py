"""Reference values of operations in GF(2^m), and vectors for test programs."""

from __future__ import annotations

from itertools import product
from random import Random
from typing import TYPE_CHECKING

from efdgen.generator.fields import reference
from efdgen.generator.fields.edges import polynomial_edges
from efdgen.generator.fields.reference import Identity, Row

if TYPE_CHECKING:
    from collections.abc import Callable

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
VALUES: dict[str, Callable[..., int]] = {
    "add": lambda field, a, b: field.add(a, b),
    "sub": lambda field, a, b: field.sub(a, b),
    "mul": lambda field, a, b: field.mul(a, b),
    "sqr": lambda field, a: field.mul(a, a),
    "inv": lambda field, a: field.inverse_or_zero(a),
    "sqrt": lambda field, a: field.power(a, field.order // 2),
    "half_trace": _half_trace,
}
FLAGS: dict[str, Callable[..., bool]] = {
    "is_zero": lambda _, a: a == 0,
    "equal": lambda _, a, b: a == b,
    "trace": lambda field, a: field.trace(a) == 1,
}
# An element, or None.
ROOTS: dict[str, Callable[..., int | None]] = {
    "solve_quadratic": lambda field, a: field.solve(a),
}

IDENTITIES = (
    *(each for each in reference.IDENTITIES if not each.operations & {"half", "neg"}),
    Identity("sqrt(a)^2 = a", (("sqrt", "r", "a"), ("sqr", "r", "r"), ("copy", "s", "a"))),
)
# An identity for traces that are elements.
IDENTITY_OF_TRACES = Identity(
    "the trace of a^2 + a is 0",
    (("sqr", "t", "a"), ("add", "t", "t", "a"), ("trace", "r", "t"), ("sub", "s", "a", "a")),
)


def operands(name: str, count: int, field: BinaryField) -> list[tuple[int, ...]]:
    """Return operands of an operation: elements at the edges of words, and random ones."""
    rng = Random(f"{field.polynomial} {name}")
    values = [*polynomial_edges(field), *(rng.randrange(field.order) for _ in range(_RANDOM_VALUES))]
    every = list(product(values, repeat=count))
    return rng.sample(every, min(len(every), _ROWS))


def evaluate(name: str, operands: tuple[int, ...], field: BinaryField) -> Row:
    """Return the row of an operation on some operands."""
    function = VALUES.get(name) or FLAGS.get(name) or ROOTS[name]
    found = function(field, *operands)
    if name in FLAGS:
        return Row(name, operands, 0, bool(found))
    return Row(name, operands, found or 0, found is not None)

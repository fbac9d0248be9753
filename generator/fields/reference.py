"""Reference values of field operations with Python's integers, and vectors for test programs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from inspect import signature
from itertools import islice, product
from random import Random
from typing import TYPE_CHECKING

from efdgen.generator.fields.edges import edges, operands_of
from efdgen.generator.fields.field import Field
from efdgen.generator.fields.root_steps import root_of_unity
from efdgen.generator.mathematics.prime import PrimeField
from efdgen.generator.mathematics.primes import is_square

if TYPE_CHECKING:
    pass

_RANDOM_VALUES = 6
_ROWS = 16

# The number of edge values in rows, and the most rows of them.
_WALKS = 10
_MOST_WALKS = 16


def _inverse(value: int, prime: int) -> int:
    return pow(value, -1, prime) if value else 0


def _is_ratio(a: int, b: int, prime: int) -> bool:
    """Return whether a = b*r^2 for an r."""
    return is_square(a * b, prime) and (b != 0 or a == 0)


# From the operands, each in [0, p), and p: an integer modulo p, or a bit.
VALUES: dict[str, Callable[..., int]] = {
    "add": lambda a, b, p: a + b,
    "sub": lambda a, b, p: a - b,
    "neg": lambda a, p: -a,
    "half": lambda a, p: a * pow(2, -1, p),
    "mul": lambda a, b, p: a * b,
    "sqr": lambda a, p: a * a,
    "inv": _inverse,
    "inv_var": _inverse,
    "sum_of_products": lambda a, b, c, d, p: a * b + c * d,
    "difference_of_products": lambda a, b, c, d, p: a * b - c * d,
}
FLAGS: dict[str, Callable[..., bool]] = {
    "is_zero": lambda a, p: a == 0,
    "equal": lambda a, b, p: a == b,
    "is_square": is_square,
    "is_square_var": is_square,
}
# A condition, and the square of the root; without the condition there is no root, or that of another square.
ROOTS: dict[str, Callable[..., tuple[bool, int]]] = {
    "sqrt": lambda a, p: (is_square(a, p), a),
    "inv_sqrt": lambda a, p: (is_square(a, p) and a != 0, _inverse(a, p)),
    "sqrt_ratio": lambda a, b, p: (_is_ratio(a, b, p), a * _inverse(b, p) % p),
    "sqrt_ratio_z": lambda a, b, p: (
        _is_ratio(a, b, p),
        a * _inverse(b, p) * (1 if is_square(a * b, p) else root_of_unity(p)) % p,
    ),
}
OF_EITHER = {"sqrt_ratio_z"}
"""The roots that are there without the condition."""
# Calls of other shapes, made into operations on elements: what each needs, and its value; k is the largest
# number that mul_small takes, and an exponent comes as an element.
DERIVED: dict[str, tuple[frozenset[str], Callable[..., int]]] = {
    "select_0": (frozenset({"select"}), lambda a, b, k, field: b),
    "select_1": (frozenset({"select"}), lambda a, b, k, field: a),
    "cswap_0": (frozenset({"cswap"}), lambda a, b, k, field: a),
    "cswap_1": (frozenset({"cswap"}), lambda a, b, k, field: b),
    "mul_small": (frozenset({"mul_small"}), lambda a, k, field: field.mul(a, k)),
    "convert": (frozenset({"to_words", "from_words"}), lambda a, k, field: a),
    "power": (frozenset({"pow", "to_bytes_le"}), lambda a, b, k, field: field.power(a, b)),
}


@dataclass(frozen=True)
class Row:
    """A call of an operation: its operands and its value in [0, p), its flag, or the square of a root."""

    operation: str
    operands: tuple[int, ...]
    value: int
    flag: bool


def operand_count(name: str) -> int:
    """Return how many elements a derived operation takes."""
    return len(signature(DERIVED[name][1]).parameters) - 2


def operands(name: str, count: int, field: PrimeField) -> list[tuple[int, ...]]:
    """Return operands in [0, p): at the edges of p, and such that a carry runs through words."""
    prime = field.prime
    rng, found = Random(f"{prime} {name}"), edges(Field(field), 32)
    values = [value % prime for value in (0, 1, 2, -1, -2, prime // 2, prime // 2 + 1)]
    values += [rng.randrange(prime) for _ in range(_RANDOM_VALUES)]
    rows = list(product(values, repeat=count)) if count < 3 else []
    rows += [tuple(rng.choice(values) for _ in range(count)) for _ in range(_ROWS if count > 2 else 0)]
    walks = operands_of(name, count, rng.sample(found, min(len(found), _WALKS)), prime, rng)
    return [*rng.sample(rows, min(len(rows), _ROWS)), *islice(walks, _MOST_WALKS)]


def evaluate(name: str, operands: tuple[int, ...], field: PrimeField) -> Row:
    """Return the row of a known operation on some operands."""
    prime = field.prime
    if name in VALUES:
        return Row(name, operands, VALUES[name](*operands, prime) % prime, True)
    if name in FLAGS:
        return Row(name, operands, 0, FLAGS[name](*operands, prime))
    flag, square = ROOTS[name](*operands, prime)
    return Row(name, operands, square if flag or name in OF_EITHER else 0, flag)


@dataclass(frozen=True)
class Identity:
    """Steps of operations on a, b, r, s and t, the result first, after which r = s for all a and b."""

    text: str
    steps: tuple[tuple[str, ...], ...]

    @property
    def operations(self) -> frozenset[str]:
        """The operations that it calls."""
        return frozenset(step[0] for step in self.steps) - {"copy"}


IDENTITIES = (
    Identity("(a + b) - b = a", (("add", "r", "a", "b"), ("sub", "r", "r", "b"), ("copy", "s", "a"))),
    Identity("-a + b = b - a", (("neg", "r", "a"), ("add", "r", "r", "b"), ("sub", "s", "b", "a"))),
    Identity("a/2 + a/2 = a", (("half", "r", "a"), ("add", "r", "r", "r"), ("copy", "s", "a"))),
    Identity(
        "(a*b)*b = a*(b*b)",
        (("mul", "r", "a", "b"), ("mul", "r", "r", "b"), ("mul", "s", "b", "b"), ("mul", "s", "a", "s")),
    ),
    Identity("a^2 = a*a", (("sqr", "r", "a"), ("mul", "s", "a", "a"))),
    Identity(
        "(a + b)*b = a*b + b^2",
        (
            *(("add", "r", "a", "b"), ("mul", "r", "r", "b")),
            *(("mul", "s", "a", "b"), ("sqr", "t", "b"), ("add", "s", "s", "t")),
        ),
    ),
    Identity(
        "a*b + b*a = 2*(a*b)",
        (("sum_of_products", "r", "a", "b", "b", "a"), ("mul", "s", "a", "b"), ("add", "s", "s", "s")),
    ),
    Identity(
        "a*a - b*b = (a + b)*(a - b)",
        (
            ("difference_of_products", "r", "a", "a", "b", "b"),
            *(("add", "s", "a", "b"), ("sub", "t", "a", "b"), ("mul", "s", "s", "t")),
        ),
    ),
    Identity(
        "a*(1/a)*a = a",
        (("inv", "r", "a"), ("mul", "r", "r", "a"), ("mul", "r", "r", "a"), ("copy", "s", "a")),
    ),
)

"""Reference values of a field's operations, over GF(p) and over GF(2^m), and vectors for test programs."""

from __future__ import annotations

from inspect import signature
from typing import TYPE_CHECKING

from efdgen.generator.fields import reference, reference_polynomials
from efdgen.generator.fields.reference import DERIVED, Row, operand_count

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from efdgen.generator.fields.pieces import FieldFunction
    from efdgen.generator.fields.reference import Identity
    from efdgen.generator.mathematics.ground import Ground


def is_known(function: FieldFunction, ground: Ground) -> bool:
    """Return whether a test program can call a function and tell whether its answer is right."""
    known = reference_polynomials if ground.is_binary else reference
    match function.gives:
        case "element":
            return function.name in known.VALUES
        case "flag":
            return function.name in known.FLAGS
        case "element if flag" | "element and flag":
            return function.name in known.ROOTS
        case None:
            return False


def is_flag(name: str) -> bool:
    """Return whether an operation of either field gives a flag."""
    return name in reference.FLAGS or name in reference_polynomials.FLAGS


def is_root(name: str, ground: Ground) -> bool:
    """Return whether an operation gives a root, or a flag that there is none."""
    return name in (reference_polynomials if ground.is_binary else reference).ROOTS


def identities(ground: Ground) -> tuple[Identity, ...]:
    """Return identities of a field's operations."""
    return reference_polynomials.IDENTITIES if ground.is_binary else reference.IDENTITIES


def vectors(ground: Ground, functions: Sequence[FieldFunction]) -> Iterator[Row]:
    """Yield rows for each function that is known."""
    for function in functions:
        if is_known(function, ground):
            yield from rows_of(function.name, ground)


def rows_of(name: str, ground: Ground) -> Iterator[Row]:
    """Yield rows of a known operation: at the edges of words, and random values."""
    known = reference_polynomials if ground.is_binary else reference
    function = known.VALUES.get(name) or known.FLAGS.get(name) or known.ROOTS[name]
    for operands in _operands(name, len(signature(function).parameters) - 1, ground):
        yield evaluate(name, operands, ground)


def derived_rows(name: str, ground: Ground, largest: int) -> Iterator[Row]:
    """Yield rows of a derived operation; ``largest`` is the number that mul_small multiplies by."""
    for operands in _operands(name, operand_count(name), ground):
        yield evaluate_derived(name, operands, ground, largest)


def _operands(name: str, count: int, ground: Ground) -> list[tuple[int, ...]]:
    if ground.is_binary:
        return reference_polynomials.operands(name, count, ground)
    return reference.operands(name, count, ground)


def evaluate(name: str, operands: tuple[int, ...], ground: Ground) -> Row:
    """Return the row of a known operation on some operands."""
    if ground.is_binary:
        return reference_polynomials.evaluate(name, operands, ground)
    return reference.evaluate(name, operands, ground)


def evaluate_derived(name: str, operands: tuple[int, ...], ground: Ground, largest: int) -> Row:
    """Return the row of a derived operation; ``largest`` is the number that mul_small multiplies by."""
    return Row(name, operands, DERIVED[name][1](*operands, largest, ground), True)

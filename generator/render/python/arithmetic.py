"""Field operations as expressions in Python: on integers modulo P, and on polynomials over GF(2)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, assert_never

if TYPE_CHECKING:
    from collections.abc import Sequence

    from efdgen.generator.programs.kernel import FieldOperation


class Spelling(Protocol):
    """The operations of a field in the text of a module."""

    lazy: frozenset[FieldOperation]

    def expression(self, operation: FieldOperation, values: Sequence[str]) -> str:
        """Return the expression of an operation; the result of a lazy one is not reduced."""
        ...

    def reduced(self, value: str) -> str:
        """Return the expression of a value of a lazy operation as an element."""
        ...

    def product(self, left: str, right: str) -> str:
        """Return the expression of a product."""
        ...

    def inverse(self, value: str) -> str:
        """Return the expression of an inverse of what is not 0."""
        ...


class Integers:
    """Integers modulo P. Sums are left unreduced, because Python's integers hold them."""

    lazy: frozenset[FieldOperation] = frozenset({"add", "sub", "neg"})

    def expression(self, operation: FieldOperation, values: Sequence[str]) -> str:
        """Return the expression of an operation; the result of a lazy one is not reduced."""
        match operation:
            case "add":
                return f"{values[0]} + {values[1]}"
            case "sub":
                return f"{values[0]} - {values[1]}"
            case "neg":
                return f"-{values[0]}"
            case "mul":
                return self.product(values[0], values[1])
            case "sqr":
                return self.product(values[0], values[0])
            case "half":
                return self.product(values[0], "HALF")
            case "inv":
                return f"{self.inverse(values[0])} if {values[0]} % P else 0"
            case "copy":
                return values[0]
            case _:
                assert_never(operation)

    def reduced(self, value: str) -> str:
        """Return the expression of a value of a lazy operation as an element."""
        return f"{value} % P"

    def product(self, left: str, right: str) -> str:
        """Return the expression of a product."""
        return f"{left} * {right} % P"

    def inverse(self, value: str) -> str:
        """Return the expression of an inverse of what is not 0."""
        return f"pow({value}, -1, P)"


class Polynomials:
    """Polynomials over GF(2) modulo F. A sum is an exclusive or and needs no reduction."""

    lazy: frozenset[FieldOperation] = frozenset()

    def expression(self, operation: FieldOperation, values: Sequence[str]) -> str:
        """Return the expression of an operation; none is lazy."""
        match operation:
            case "add" | "sub":
                return f"{values[0]} ^ {values[1]}"
            case "mul":
                return self.product(values[0], values[1])
            case "sqr":
                return f"_sqr({values[0]})"
            case "inv":
                return self.inverse(values[0])
            case "neg" | "copy":
                return values[0]
            case "half":
                raise ValueError("nothing has a half in a field of characteristic 2")
            case _:
                assert_never(operation)

    def reduced(self, value: str) -> str:
        """Return a value."""
        return value

    def product(self, left: str, right: str) -> str:
        """Return the expression of a product."""
        return f"_mul({left}, {right})"

    def inverse(self, value: str) -> str:
        """Return the expression of an inverse, which is 0 for 0."""
        return f"_inv({value})"


INTEGERS, POLYNOMIALS = Integers(), Polynomials()

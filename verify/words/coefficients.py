"""Machine integers by their bits, each a polynomial over GF(2) in bits of the inputs, or not known.

A product of integers sums products of bits at each place, with carries. If the places below cannot sum up
to a carry, whatever the bits are, the bit is the sum of its own products modulo 2; anywhere else it is not
known, until a mask clears it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from efdgen.verify.words.values import DependsOnDataError, Known, NotFollowedError

if TYPE_CHECKING:
    from efdgen.verify.words.values import Kind

Form: TypeAlias = frozenset[frozenset[str]]
"""A sum of products of bits, each product by the names of its factors."""

Bits: TypeAlias = tuple[Form | None, ...]
"""The bits of an integer, the lowest one first; None for what is not known."""

ZERO: Form = frozenset()
ONE: Form = frozenset({frozenset()})


def symbols(name: str, count: int) -> Bits:
    """Return an integer of unknown bits."""
    return tuple(frozenset({frozenset({f"{name}{at}"})}) for at in range(count))


def product(a: Form | None, b: Form | None) -> Form | None:
    """Return the product of two bits."""
    if ZERO in (a, b):
        return ZERO
    if a is None or b is None:
        return None
    found = ZERO
    for one in a:
        for other in b:
            found ^= {one | other}
    return found


def carryless(a: Bits, b: Bits, count: int) -> Bits:
    """Return so many coefficients of the product of two polynomials."""
    found = [ZERO] * count
    for at, one in enumerate(a):
        for above, other in enumerate(b, at):
            part = product(one, other)
            if part is None:
                raise NotFollowedError("a coefficient is not known")
            if part:
                found[above] ^= part
    return tuple(found)


class Coefficients(Known):
    """The domain of these integers."""

    def constant(self, value: int, kind: Kind) -> Bits:
        """Return an integer that is known."""
        return tuple(ONE if value >> at & 1 else ZERO for at in range(kind.bits))

    def binary(self, operator: str, a: Bits, b: Bits, kind: Kind, wraps: bool) -> Bits:
        """Return an operator of two integers."""
        match operator:
            case "^":
                return tuple(
                    None if one is None or other is None else one ^ other
                    for one, other in zip(a, b, strict=True)
                )
            case "&":
                return tuple(product(one, other) for one, other in zip(a, b, strict=True))
            case "|":
                return tuple(self._either(one, other) for one, other in zip(a, b, strict=True))
            case "-" if wraps and not any(a) and not any(b[1:]):
                return (b[0],) * kind.bits
            case "*" if wraps:
                return self._product(a, b, kind.bits)
            case _:
                raise NotFollowedError(f"{operator} of {kind.bits} bits is not followed on coefficients")

    @staticmethod
    def _either(one: Form | None, other: Form | None) -> Form | None:
        """Return a bit or another; where both may be 1, it is not known."""
        if one == ZERO:
            return other
        return one if other == ZERO else None

    @staticmethod
    def _product(a: Bits, b: Bits, bits: int) -> Bits:
        """Return a product of integers, whose bits are known where nothing is carried."""
        if None in a or None in b:
            raise NotFollowedError("a factor has bits that are not known")
        counts, sums = [0] * bits, [ZERO] * bits
        for at, one in enumerate(a):
            for above, other in enumerate(b[: bits - at], at):
                part = product(one, other)
                if part:
                    counts[above] += 1
                    sums[above] ^= part
        found: list[Form | None] = []
        below = 0
        for at, count in enumerate(counts):
            found.append(None if below >> at else sums[at])
            below += count << at
        return tuple(found)

    def shift(self, operator: str, a: Bits, amount: int, kind: Kind) -> Bits:
        """Return a shifted integer."""
        if kind.signed:
            raise NotFollowedError("a signed integer is shifted")
        if operator == "<<":
            return ((ZERO,) * amount + a)[: kind.bits]
        return a[amount:] + (ZERO,) * amount

    def convert(self, a: Bits, source: Kind, target: Kind) -> Bits:
        """Return the lower bits, or those of an unsigned integer and zeros above them."""
        if source.signed and target.bits > source.bits:
            raise NotFollowedError("a signed integer is extended")
        return (a + (ZERO,) * target.bits)[: target.bits]

    def plain(self, a: Bits) -> int:
        """Return an integer that is known."""
        if any(bit not in (ZERO, ONE) for bit in a):
            raise DependsOnDataError("a branch, an index or a shift depends on data")
        return sum((bit == ONE) << at for at, bit in enumerate(a))

"""Scalars in C: words of 32 bits on every machine, the constants that reduce and split them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from efdgen.generator.planning.scalar_words import scalar_words, words_of
from efdgen.generator.render.c.parts import byte_lines
from efdgen.generator.text.c import WIDTH, Function, comment
from efdgen.generator.text.wrap import wrapped

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from efdgen.generator.planning.plan import CurvePlan


class ScalarText:
    """The template values for scalars; there is one word more than any scalar needs, which is 0."""

    def __init__(self, plan: CurvePlan) -> None:
        self._plan, self._prefix, self._words = plan, plan.prefix, scalar_words(plan)

    def values(self) -> dict[str, Any]:
        """Return the names of the templates."""
        plan, big = self._plan, self._plan.encoding.byteorder == "big"
        size = plan.reduction.bytes
        return {
            "big": big,
            "scalar_bytes": size,
            "group_rows": len(self._words.group),
            "order_rows": len(self._words.order),
            "order_lines": byte_lines(plan.order.to_bytes(size, plan.encoding.byteorder)),
            "scalar_words": self._words.count,
            "digits": self._words.digits,
        }

    def tables(self) -> Iterator[Function]:
        """Yield the constants of scalars."""
        words = self._words
        yield self._table("group_order", "Multiples of the curve's order.", words.group)
        yield self._table("order", "Multiples of the generator's order.", words.order)
        if self._plan.cofactor.bit_count() > 1 or self._plan.cofactor >> 64:
            size, cofactor = self._plan.reduction.bytes, self._plan.cofactor % self._plan.reduction.modulus
            lines = byte_lines(cofactor.to_bytes(size, self._plan.encoding.byteorder))
            signature = f"static const uint8_t {self._prefix}_cofactor[{self._prefix.upper()}_SCALAR_BYTES] ="
            doc = comment(["The cofactor, as a scalar."])
            yield Function(doc, signature, "".join(f"    {line}\n" for line in lines), "};")
        if self._plan.half:
            doc = "2^64 to the words of a scalar's bytes, modulo the generator's order."
            yield self._table("radix_squared", doc, [words.radix_squared])
        if words.split is None:
            return
        basis = [number for row in words.split.basis for number in row]
        doc = "Multipliers that replace divisions by the order."
        yield self._table("split_multipliers", doc, words.split.multipliers)
        yield self._table("split_halves", "Summands that round their products.", words.split.roundings, 2)
        doc = "The negatives of the lattice's basis, modulo 2^32 to the words."
        yield self._table("split_basis", doc, basis)
        if self._plan.variable.halves:
            shifts = [number for vector in words.split.shifts for number in vector]
            doc = "Lattice vectors that make halves odd, by which halves are odd, modulo 2^32 to the words."
            yield self._table("split_shifts", doc, shifts)

    def _table(self, name: str, doc: str, values: Sequence[int], times: int = 1) -> Function:
        lines = []
        for value in values:
            parts = [f"0x{word:08X}" for word in words_of(value, times * self._words.count)]
            lines += [f"    {line}\n" for line in wrapped(f"{{{', '.join(parts)}}},", WIDTH - 4)]
        size = f"{times} * " * (times > 1) + f"{self._prefix.upper()}_SCALAR_WORDS"
        signature = f"static const uint32_t {self._prefix}_{name}[{len(values)}][{size}] ="
        return Function(comment([doc]), signature, "".join(lines), "};")

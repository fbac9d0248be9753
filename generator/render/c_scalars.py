"""Scalars in C: words of 32 bits on every machine, the constants that reduce and split them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from efdgen.generator.render.c_parts import byte_lines
from efdgen.generator.render.c_text import WIDTH, Function, comment
from efdgen.generator.render.contract import wrapped
from efdgen.generator.scalars.reduction import Reduction

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from efdgen.generator.planning.plan import CurvePlan

_WORD = 32


class ScalarText:
    """What the templates print of scalars; there is a word more than any scalar needs, which is 0."""

    def __init__(self, plan: CurvePlan) -> None:
        self._plan, self._prefix = plan, plan.prefix
        modulus = plan.reduction.modulus
        self._group = plan.reduction
        self._order = Reduction(plan.order, plan.reduction.bytes)
        split = plan.endomorphism and plan.endomorphism.split
        self.digits = (max(split.bounds()) if split else modulus).bit_length() + 1
        bits = [8 * plan.reduction.bytes, plan.variable.digits.bits, plan.generator.comb.bits, self.digits]
        bits += [abs(g).bit_length() for g in split.multipliers] if split else []
        bits.append(modulus.bit_length() + max(width for _, width in plan.multi.windows) + 1)
        self._words = -(-max(bits) // _WORD) + 1

    def values(self) -> dict[str, Any]:
        """Return the names of the templates."""
        plan, big = self._plan, self._plan.encoding.byteorder == "big"
        size = plan.reduction.bytes
        return {
            "big": big,
            "scalar_bytes": size,
            "group_rows": len(self._rows(self._group)),
            "order_rows": len(self._rows(self._order)),
            "order_lines": byte_lines(plan.order.to_bytes(size, plan.encoding.byteorder)),
            "cofactor_bytes": ", ".join(
                map(str, (plan.cofactor % plan.reduction.modulus).to_bytes(size, plan.encoding.byteorder))
            ),
            "scalar_words": self._words,
            "digits": self.digits,
        }

    def tables(self) -> Iterator[Function]:
        """Yield the constants of scalars."""
        yield self._table("group_order", "Multiples of the curve's order.", self._rows(self._group))
        yield self._table("order", "Multiples of the generator's order.", self._rows(self._order))
        endomorphism = self._plan.endomorphism
        if endomorphism is None:
            return
        split = endomorphism.split
        signs = [-1 if g < 0 else 1 for g in split.multipliers]
        # What is negative is rounded as its absolute value, ties the other way.
        halves = [(1 << (split.shift - 1)) - (sign < 0) for sign in signs]
        basis = [-sign * b for sign, row in zip(signs, split.basis, strict=True) for b in row]
        yield self._table(
            "split_multipliers",
            "What stands for divisions by the order.",
            [abs(g) for g in split.multipliers],
        )
        yield self._table("split_halves", "What rounds their results.", halves, 2)
        yield self._table(
            "split_basis", "The negatives of the lattice's basis, modulo 2^32 to the words.", basis
        )

        if self._plan.variable.halves:
            shifts = [number for vector in split.shifts for number in vector]
            doc = "Lattice vectors that make halves odd, by what is odd of them, modulo 2^32 to the words."
            yield self._table("split_shifts", doc, shifts)

    def _rows(self, reduction: Reduction) -> list[int]:
        return [reduction.modulus << shift for shift in reduction.shifts] or [reduction.modulus]

    def _table(self, name: str, doc: str, values: Sequence[int], times: int = 1) -> Function:
        count = times * self._words
        lines = []
        for value in values:
            words = (value % (1 << _WORD * count)).to_bytes(4 * count, "little")
            parts = [f"0x{int.from_bytes(words[i : i + 4], 'little'):08X}" for i in range(0, len(words), 4)]
            lines += [f"    {line}\n" for line in wrapped(f"{{{', '.join(parts)}}},", WIDTH - 4)]
        size = f"{times} * " * (times > 1) + f"{self._prefix.upper()}_SCALAR_WORDS"
        signature = f"static const uint32_t {self._prefix}_{name}[{len(values)}][{size}] ="
        return Function(comment([doc]), signature, "".join(lines), "};")

"""Lanes modulo 2^exponent - c with a small c: limbs of fewer than 52 bits, which carry all at once.

The part above 2^end is folded in every product. Half of a product is at a multiple of 2^52, which is a limb's
width and some bits more, so that upper halves are shifted by these.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.lanes.lanes import FACTOR_BITS, Lanes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from efdgen.generator.limbs.builder import LimbBuilder

_ROOM = 18


class SpareLanes(Lanes):
    """Limbs of ``widths`` bits, all the same; a limb is a little more than these after a pass of carries."""

    @property
    def folds_products(self) -> bool:
        """Return True."""
        return True

    @property
    def last_limit(self) -> int:
        """The limit of all limbs."""
        return (1 << self.widths[0]) + (1 << _ROOM)

    @property
    def limits(self) -> tuple[int, ...]:
        """A little more than a limb each."""
        return (self.last_limit,) * self.limbs

    @property
    def operand_limits(self) -> tuple[int, ...]:
        """All that a product takes."""
        return ((1 << FACTOR_BITS) - 1,) * self.limbs

    def reduced(self, builder: LimbBuilder, row: list[int]) -> list[int]:
        """Return the row: it has been folded."""
        return row

    def carried(self, builder: LimbBuilder, row: list[int]) -> list[int]:
        """Let every limb give what is above its bits to the next, the last one to the first."""
        ((_, factor),) = self.wrap
        parts = [self.split(builder, word, width) for word, width in zip(row, self.widths, strict=True)]
        made, given = [low for low, _ in parts], [above for _, above in parts]
        self.fused(builder, made, 0, given[-1], builder.constant(factor), 0)
        return [made[0], *(builder.add(m, g)[0] for m, g in zip(made[1:], given, strict=False))]

    def _product(self, builder: LimbBuilder, a: Sequence[int], b: Sequence[int]) -> list[int]:
        row = [builder.constant(0)] * (2 * self.limbs)
        for half in (1, 0):
            for i in range(self.limbs):
                for j in range(self.limbs):
                    self.fused(builder, row, i + j + half, a[i], b[j], half)
            row = self._times(builder, row, half * self._above)
        return self._folded(builder, row)

    def _square(self, builder: LimbBuilder, a: Sequence[int]) -> list[int]:
        row = [builder.constant(0)] * (2 * self.limbs)
        for half in (1, 0):
            for i in range(self.limbs):
                for j in range(i + 1, self.limbs):
                    self.fused(builder, row, i + j + half, a[i], a[j], half)
            row = self._times(builder, row, 1)
            for i in range(self.limbs):
                self.fused(builder, row, 2 * i + half, a[i], a[i], half)
            # Lower halves are doubled together with upper ones.
            row = self._times(builder, row, half * (self._above - 1))
        return self._folded(builder, row)

    @property
    def _above(self) -> int:
        """Bits by which upper halves are shifted."""
        return FACTOR_BITS - self.widths[0]

    def _times(self, builder: LimbBuilder, row: list[int], power: int) -> list[int]:
        """Return a row times 2^power."""
        return [self.twice(builder, value, power) for value in row]

    def _folded(self, builder: LimbBuilder, row: list[int]) -> list[int]:
        ((_, factor),) = self.wrap
        made = []
        for low, high in zip(row, row[self.limbs :], strict=False):
            multiple, _ = builder.mul(high, builder.constant(factor))
            made.append(builder.add(low, multiple)[0])
        return made

"""What the lowering asks of a prime's plan: three kinds of numbers, and the two ways down between them.

::

    wide   ──reduce──▶   loose   ──tighten──▶   tight
    products and         sums and               what is multiplied,
    sums of products     differences            what comes in and goes out

All additions happen among loose or among wide numbers, where they are one chain each.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from efdgen.generator.limbs.builder import LimbBuilder


class Reduction(Protocol):
    """How numbers are brought down modulo ``prime``; one class for each way.

    ``radix`` is by what an element is multiplied where it is kept as a number: 1, or Montgomery's R.
    ``tight`` is the largest number that comes in or goes out, of ``limbs`` words; ``operand`` the largest
    that is multiplied; ``loosest`` the largest that ``tighten`` takes; ``largest_scale`` the largest factor
    that ``reduce`` takes. A multiple of p·``wide_unit`` has no low words: a cheap bias for wide numbers.
    ``reduced`` is the largest that ``reduce`` makes of a wide number, given its maximum.
    """

    @property
    def prime(self) -> int: ...  # noqa: D102 - said above
    @property
    def limbs(self) -> int: ...  # noqa: D102
    @property
    def radix(self) -> int: ...  # noqa: D102
    @property
    def tight(self) -> int: ...  # noqa: D102
    @property
    def operand(self) -> int: ...  # noqa: D102
    @property
    def loosest(self) -> int: ...  # noqa: D102
    @property
    def largest_scale(self) -> int: ...  # noqa: D102
    @property
    def wide_unit(self) -> int: ...  # noqa: D102

    def reduced(self, maximum: int) -> int: ...  # noqa: D102
    def reduce(
        self, builder: LimbBuilder, wide: int, name: str, scale: int = 1, addend: int | None = None
    ) -> int:
        """Make a loose number that is scale·wide/radix + addend mod p.

        Where the scale is negative, the addend is at least what is subtracted from it.
        """
        ...

    def reduce_tight(self, builder: LimbBuilder, wide: int, name: str) -> int | None:
        """Make a tight number of a wide one at once; None where that is no shorter than both steps."""
        ...

    def tighten(self, builder: LimbBuilder, loose: int, name: str, limit: int) -> int:
        """Make a tight number that is the same mod p; the number itself where it is at most ``limit``."""
        ...

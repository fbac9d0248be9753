"""The interface of a prime's plan to the lowering: three kinds of numbers, and the two reductions between.

::

    wide   ──reduce──▶   loose   ──tighten──▶   tight
    products and         sums and               what is multiplied,
    sums of products     differences            what comes in and goes out

All additions happen among loose or among wide numbers. A :class:`Reduction` represents them in words
and adds them: saturated limbs in chains of carries, or unsaturated limbs that have room for sums.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from efdgen.generator.limbs.builder import LimbBuilder
    from efdgen.generator.limbs.linear import Summand
    from efdgen.generator.mathematics.prime import PrimeField


class Reduction(Protocol):
    """A representation of numbers in words, and their reduction modulo p or f; one class per method.

    ``radix`` is by what an element is multiplied where it is stored as a number: 1, or Montgomery's R.
    ``tight`` is the largest number that comes in or goes out, of ``limbs`` words at ``positions``, each at
    most its limit in ``limits`` if there are such. ``operand`` is the largest that is multiplied;
    ``largest_scale`` the largest factor that ``reduce`` takes, and ``largest_word`` the largest word by which
    a tight number is multiplied.
    """

    @property
    def word(self) -> int: ...  # noqa: D102 - said above
    @property
    def limbs(self) -> int: ...  # noqa: D102
    @property
    def positions(self) -> tuple[int, ...]: ...  # noqa: D102
    @property
    def limits(self) -> tuple[int, ...]: ...  # noqa: D102
    @property
    def radix(self) -> int: ...  # noqa: D102
    @property
    def tight(self) -> int: ...  # noqa: D102
    @property
    def operand(self) -> int: ...  # noqa: D102
    @property
    def largest_scale(self) -> int: ...  # noqa: D102
    @property
    def largest_word(self) -> int: ...  # noqa: D102

    def input(self, builder: LimbBuilder, name: str) -> int:
        """Take in a tight number."""
        ...

    def known(self, builder: LimbBuilder, residue: int, text: str) -> int:
        """Return a number below p that is known."""
        ...

    def product(self, builder: LimbBuilder, left: int, right: int, name: str) -> int:
        """Multiply two operands; the result is wide."""
        ...

    def square(self, builder: LimbBuilder, value: int, name: str) -> int:
        """Square an operand; the result is wide."""
        ...

    def finished(self, builder: LimbBuilder, left: int, right: int, name: str) -> int | None:
        """Multiply two operands to a tight number; None where that is no shorter than both steps."""
        ...

    def multiplies(self, builder: LimbBuilder, number: int, factor: int, other: int) -> bool:
        """Return whether ``factor`` times a number is an operand with tight reduced products."""
        ...

    def wide_sum(self, builder: LimbBuilder, summands: Sequence[Summand], name: str) -> int | None:
        """Add multiples of wide numbers; None where the sum would be too large."""
        ...

    def loose_sum(
        self,
        builder: LimbBuilder,
        summands: Sequence[Summand],
        name: str,
        onto: Summand | None,
        *,
        shared: bool,
    ) -> int | None:
        """Add multiples of loose numbers; None where the sum would be too large.

        ``onto`` is a wide number and its factor, a multiple that will be reduced onto the sum. From one that
        is shared, others may be subtracted.
        """
        ...

    def tight_sum(
        self, builder: LimbBuilder, left: int | None, right: int, sign: int, name: str
    ) -> int | None:
        """Add a tight number to another, or subtract it from one or from 0, which ``left`` is None for.

        None where that is no shorter than both steps.
        """
        ...

    def half(self, builder: LimbBuilder, number: int, name: str) -> int:
        """Return half of a loose number, loose."""
        ...

    def multiple(self, builder: LimbBuilder, number: int, factor: int, name: str) -> int:
        """Multiply a tight number by one of a word, ``largest_word`` at most; the result is tight."""
        ...

    def reduce(
        self, builder: LimbBuilder, wide: int, name: str, scale: int = 1, addend: int | None = None
    ) -> int:
        """Make a loose number that is scale·wide/radix + addend mod p.

        For a negative scale, the addend is a sum that was made for it.
        """
        ...

    def reduce_tight(self, builder: LimbBuilder, wide: int, name: str) -> int | None:
        """Make a tight number of a wide one at once; None where that is no shorter than both steps."""
        ...

    def tighten(self, builder: LimbBuilder, loose: int, name: str, limit: int) -> int:
        """Make a tight number that is the same mod p; the number itself where it is at most ``limit``."""
        ...

    def in_words(self, builder: LimbBuilder, number: int) -> int:
        """Return a tight number as one in full words that is the same mod p."""
        ...

    def kept(self, builder: LimbBuilder, number: int, name: str) -> int:
        """Return the tight number that is a number in [0, p) in full words."""
        ...

    def of_words(self, builder: LimbBuilder, number: int, name: str) -> int:
        """Return the tight number that is ``radix`` times any number in as many full words as p has."""
        ...


class PrimeReduction(Reduction, Protocol):
    """A reduction modulo ``prime``, in GF(p)."""

    @property
    def prime(self) -> int: ...  # noqa: D102
    @property
    def field(self) -> PrimeField:
        """The field GF(p)."""
        ...

"""A field in emitted code: its prime or polynomial, and a plan for each word size and compiler."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Literal

from efdgen.generator.errors import EfdgenError
from efdgen.generator.limbs.binary import binary_plan
from efdgen.generator.limbs.plan import LOOPED, looped_plan, plan, representations, usual_target
from efdgen.generator.mathematics.binary import MOST_DEGREE, BinaryField
from efdgen.generator.mathematics.primes import is_square
from efdgen.generator.options import Optimize, RepresentationKind, Target
from efdgen.generator.tuning.file import built_in

if TYPE_CHECKING:
    from collections.abc import Sequence

    from efdgen.generator.limbs.plan import AnyPlan
    from efdgen.generator.mathematics.ground import Ground
    from efdgen.generator.tuning.tuning import Tuning

MAX_BITS = MOST_DEGREE

# The largest numbers by which elements are multiplied as a word, and of which an i is the root.
_SMALL = (1 << 32) - 1
_NONRESIDUES = 7


@dataclass(frozen=True)
class Representation:
    """An element's form in one build: little-endian words, and the plan of their arithmetic.

    An element x is stored as any number at most ``tight`` that is x·radix modulo p, or in GF(2^m) as the bits
    of its polynomial. ``name`` is what a build chooses it by: the number of bits of a word. ``nonresidue`` is
    that of the field.
    """

    name: str
    plan: AnyPlan
    nonresidue: int | None = None

    @property
    def prime(self) -> int:
        """The prime p, of a field GF(p)."""
        assert not self.plan.ground.is_binary
        return self.plan.ground.prime

    @property
    def word(self) -> Literal[64, 32]:
        """Bits of a word."""
        return 64 if self.plan.word == 64 else 32

    @property
    def limbs(self) -> int:
        """Words of an element."""
        return self.plan.reduction.limbs

    @property
    def words(self) -> int:
        """Words of a number in [0, p), or of a polynomial of degree below m."""
        return -(-self.plan.ground.bits // self.word)

    @property
    def radix(self) -> int:
        """1, or Montgomery's R."""
        return self.plan.reduction.radix

    @property
    def tight(self) -> int:
        """The largest number that an element is stored as."""
        return self.plan.reduction.tight

    @cached_property
    def small(self) -> int:
        """The largest number by which an element is multiplied as a word; 2^k - 1."""
        most = min(self.plan.reduction.largest_word, _SMALL)
        return (1 << (most + 1).bit_length() - 1) - 1

    @property
    def description(self) -> str:
        """Say in words what an element is stored as."""
        if self.plan.ground.is_binary:
            return f"the bits of its polynomial, of degree below {self.plan.ground.degree}"
        kept = "x modulo p" if self.radix == 1 else f"x*2^{self.radix.bit_length() - 1} modulo p"
        return f"{kept}, any value up to {bound_text(self.tight, self.plan.ground)}"

    def element(self, value: int) -> tuple[int, ...]:
        """Return the words by which an element in [0, p) or [0, 2^m) is kept, least significant first."""
        return self.words_of(value * self.radix % self.plan.ground.order)

    def words_of(self, kept: int) -> tuple[int, ...]:
        """Return the words of the number that an element is stored as."""
        positions = self.plan.reduction.positions
        low = (kept >> at & (1 << above - at) - 1 for at, above in pairwise(positions))
        return (*low, kept >> positions[-1])

    def number(self, words: Sequence[int]) -> int:
        """Return the number that an element is stored as, given its words."""
        return sum(word << at for word, at in zip(words, self.plan.reduction.positions, strict=True))


def bound_text(bound: int, ground: Ground) -> str:
    """Write the largest number that something can be: as 2^k - 1, as a multiple of p, or rounded up."""
    prime = ground.order
    if bound & bound + 1 == 0:
        return f"2^{bound.bit_length()} - 1"
    if bound % prime in (0, prime - 1):
        times = "p" if bound // prime == 0 or bound == prime else f"{-(-bound // prime)}*p"
        return times if bound % prime == 0 else f"{times} - 1"
    return f"p + 2^{(bound - prime).bit_length()}" if bound < 2 * prime else f"0x{bound:x}"


@dataclass(frozen=True)
class Field:
    """GF(p) for an odd prime p of 2 to 1024 bits, or GF(2^m), planned for one compiler (``target``).

    ``ground`` is p, or the field with its polynomial. ``words`` are the sizes of words that it can be built
    with. If there is a ``nonresidue``, GF(p²) is built over it too, with i² = nonresidue. ``kind`` is that of
    limbs, in those words that have plans for it; None for what is fastest. ``tuning`` has decisions that were
    measured: schedules of formulas, and these two unless a kind or another target is given. The default
    target is that of the tuning's language. Of ``optimize``, size has an effect in words of 32 bits.
    """

    ground: Ground
    target: Target | None = None
    words: tuple[Literal[64, 32], ...] = (64, 32)
    nonresidue: int | None = None
    kind: RepresentationKind | None = None
    tuning: Tuning = field(default_factory=lambda: built_in("c"))
    optimize: Optimize = "speed"

    def __post_init__(self) -> None:
        if self.ground.is_binary:
            self._require_binary(self.ground)
            return
        if self.prime % 2 == 0 or not 2 <= self.prime.bit_length() <= MAX_BITS:
            raise EfdgenError(f"the prime must be odd and have 2 to {MAX_BITS} bits")
        if self.kind and not any(self._kind(word) for word in self.words):
            plan(self.prime, self.words[0], self._target, self.kind)
        if self.nonresidue is None:
            return
        if not 1 <= abs(self.nonresidue) <= _NONRESIDUES:
            raise EfdgenError(f"--nonresidue is a number from -{_NONRESIDUES} to {_NONRESIDUES}, but not 0")
        if is_square(self.nonresidue, self.prime):
            raise EfdgenError(f"{self.nonresidue} is a square modulo p; choose a nonsquare --nonresidue")

    def _require_binary(self, ground: BinaryField) -> None:
        """Raise :class:`EfdgenError` for another degree, or for what GF(2^m) does not have."""
        if not 2 <= ground.degree <= MAX_BITS:
            raise EfdgenError(f"the degree is {ground.degree}; it must be 2 to {MAX_BITS}")
        if self.kind == "unsaturated":
            raise EfdgenError(f"{ground} has no unsaturated representation: no sum carries; choose saturated")
        if self.nonresidue is not None:
            raise EfdgenError(f"every element of {ground} is a square; remove --degree and --nonresidue")

    @property
    def prime(self) -> int:
        """The prime p, of a field GF(p)."""
        assert not self.ground.is_binary
        return self.ground.prime

    @property
    def is_binary(self) -> bool:
        """Return whether it is a field GF(2^m)."""
        return self.ground.is_binary

    @property
    def bits(self) -> int:
        """Bits of p, or the degree m."""
        return self.ground.bits

    @property
    def bytes(self) -> int:
        """Bytes of a canonical encoding."""
        return self.ground.bytes

    @property
    def order_text(self) -> str:
        """The number of elements as texts name it: ``p``, or ``2^233``."""
        return f"2^{self.bits}" if self.is_binary else "p"

    @property
    def modulus_text(self) -> str:
        """The modulus: ``p = 0x1fff``, or ``f = x^233 + x^74 + 1``."""
        return self.ground.modulus_text

    @cached_property
    def representations(self) -> tuple[Representation, ...]:
        """The builds that one source tree has, the fastest first."""
        return tuple(Representation(str(word), self._plan(word), self.nonresidue) for word in self.words)

    def _plan(self, word: Literal[64, 32]) -> AnyPlan:
        """Return how the field is computed with in words of a size."""
        if self.ground.is_binary:
            return binary_plan(self.ground, word, self._target)
        if self.optimize == "size" and word in LOOPED:
            return looped_plan(self.prime, word, self._target)
        chosen = self.tuning.field(self.prime, word)
        if chosen is None or self.kind or self.target not in (None, chosen.target):
            return plan(self.prime, word, self._target, self._kind(word))
        return plan(self.prime, word, chosen.target, chosen.representation)

    @property
    def _target(self) -> Target:
        return self.target or usual_target(self.tuning.language)

    def _kind(self, word: Literal[64, 32]) -> RepresentationKind | None:
        """Return the kind of limbs that is asked for, where words of this size have it."""
        return self.kind if self.kind in representations(self.prime, word, self._target) else None

    @property
    def small(self) -> int:
        """The largest number by which an element is multiplied as a word, in every representation."""
        return min(found.small for found in self.representations)

    def representation(self, name: str) -> Representation:
        """Return the representation of that name."""
        return next(found for found in self.representations if found.name == name)


@dataclass(frozen=True)
class FieldOptions:
    """Options for planning the fields of a bundle: members of :class:`Field` except its ground, by name."""

    target: Target | None = None
    kind: RepresentationKind | None = None
    tuning: Tuning = field(default_factory=lambda: built_in("c"))
    optimize: Optimize = "speed"

    def of(self, ground: Ground) -> Field:
        """Return the plans of a field."""
        return Field(ground, self.target, kind=self.kind, tuning=self.tuning, optimize=self.optimize)

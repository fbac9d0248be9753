"""The plan of a curve's code: all decisions and computed values; templates only hold loops."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping
    from fractions import Fraction

    from efdgen.generator.curves.curve import Curve
    from efdgen.generator.options import OddMultiples
    from efdgen.generator.origin import Origin
    from efdgen.generator.planning.quotients import Coordinates, Representation
    from efdgen.generator.programs.kernel import CurveKernels, Kernel
    from efdgen.generator.reports.totals import Step
    from efdgen.generator.scalars.comb import Comb
    from efdgen.generator.scalars.digits import OddWindows
    from efdgen.generator.scalars.endomorphism import Endomorphism
    from efdgen.generator.scalars.reduction import Reduction

Model: TypeAlias = Literal["shortw", "twisted", "edwards", "montgom", "binary"]


@dataclass(frozen=True)
class Negation:
    """A member of a negated point: a member of the point, its negative, or its sum with another one."""

    member: str
    source: str
    negative: bool
    plus: str = ""


@dataclass(frozen=True)
class Entry:
    """A table: its type, the kernel that makes an entry from a point, and the one that adds it to a point.

    ``make`` is None where the entry is a point itself, or one with denominators 1 (``normalized``), which
    one inversion makes for the whole table. ``from_affine`` makes an entry of a precomputed affine point.
    ``chain_add`` adds to a point that only doublings read; None if there is nothing to leave out.
    """

    type: str
    normalized: bool
    make: str | None
    from_affine: str | None
    add: str
    negation: tuple[Negation, ...]
    chain_add: str | None = None

    @property
    def kernels(self) -> tuple[str, ...]:
        """The names of the kernels."""
        return tuple(filter(None, (self.make, self.from_affine, self.add, self.chain_add)))


@dataclass(frozen=True)
class EntryKind:
    """A kind of entry as generated code names it: with a ``suffix`` if there are two of them.

    ``own`` entries are multiples of any point, others of the generator; ``plain`` ones are points.
    ``members`` are those of its type.
    """

    entry: Entry
    suffix: str
    own: bool
    members: tuple[str, ...]

    @property
    def plain(self) -> bool:
        """Return whether an entry is a point itself."""
        return self.entry.type == "point"


@dataclass(frozen=True)
class OneZ:
    """The kernels of tables of odd multiples over one Z.

    ``start`` gives 2·P and P over one Z; ``step`` P1 + P2 and P1 over one Z for affine P1 and P2, so that it
    is the quotient of the Z after and before, whatever curve they are affine on. ``add`` adds to a point an
    affine one of the curve itself, given the Z of the isomorphic curve that is computed on; it is None where
    some formula of a multiplication is wrong on that one.
    """

    start: str
    step: str
    add: str | None


@dataclass(frozen=True)
class Slopes:
    """The kernels of a sum by the slope of its line, which is selected, for any two points but the identity.

    ``start`` gives both points over one Z, with the slopes of their chord and of the tangent at the first;
    ``add`` gives the sum of points over one Z by either of these.
    """

    start: str
    add: str


@dataclass(frozen=True)
class Roles:
    """The kernels by what they do, under their names in the group; None for what there is none for.

    ``chain_double`` doubles a point that only other doublings read, ``chain_last`` the last one of these.
    """

    add: str
    double: str
    negate: str
    from_affine: str
    to_affine: str
    chain_double: str
    chain_last: str
    complete: bool
    entry: Entry
    fixed_entry: Entry
    negation: tuple[Negation, ...]
    slopes: Slopes | None = None
    one_z: OneZ | None = None

    @property
    def loop(self) -> tuple[str, ...]:
        """The names of the kernels of a multiplication after its table is made."""
        added = (self.slopes.start, self.slopes.add) if self.slopes else ()
        doubled = self.double, self.chain_double, self.chain_last
        return tuple(dict.fromkeys((self.add, *added, *doubled, self.entry.add, self.negate)))

    @property
    def kernels(self) -> frozenset[str]:
        """The names of all kernels."""
        parts = [vars(part) for part in (self, self.slopes, self.one_z) if part is not None]
        named = (name for part in parts for name in part.values() if isinstance(name, str))
        return frozenset((*named, *self.entry.kernels, *self.fixed_entry.kernels))


@dataclass(frozen=True)
class SquareRoot:
    """The method for square roots modulo p.

    A root of z is z^exponent for p = 3 mod 4 (``method`` "power"); for p = 5 mod 8 ("atkin") it is
    z·v·(2·z·v² - 1) with v = (2z)^exponent; else ("tonelli") z^((q + 1)/2) mended by ``generator``, which
    generates the group of order 2^twos, where p - 1 = 2^twos·q and exponent = (q - 1)/2. A result is to be
    squared, to see whether z is a square.
    """

    method: Literal["power", "atkin", "tonelli"]
    exponent: int
    generator: int
    twos: int


@dataclass(frozen=True)
class Encoding:
    """Lengths in bytes: of field elements, of encoded points, of points in the wire format."""

    field: int
    point: int
    wire: int
    byteorder: Literal["big", "little"]


@dataclass(frozen=True)
class FixedWindow:
    """k·P by signed odd digits: of which numbers, and which additions may be incomplete.

    With ``halves`` the numbers are the odd halves of k, each with a sign, and additions take turns: a digit
    of the first, one of the second with the endomorphism's image. Else they are k, and an even k is served by
    modulus - k and a negation where ``negate_even``, or by k + 1 and a subtraction of P. The last
    ``complete_additions`` of the loop's additions must be right for every input, the others meet none that is
    exceptional; ``safe_table`` says the same of the additions that make the table. The same is so of the
    doublings before the last ``complete_doublings`` of the additions, if there are exceptional doublings.

    The planner estimates these three numbers for costs; a proof replaces them by those that it finds.

    If points of small order are ``apart``, those whose order divides the cofactor are not served so.
    """

    digits: OddWindows
    negate_even: bool
    complete_additions: int
    safe_table: bool
    halves: bool = False
    table: OddMultiples = "additions"
    complete_doublings: int = 0
    apart: bool = False

    @property
    def complete_steps(self) -> int:
        """The number of lowest positions whose additions must be correct for every input.

        Both additions of a position are of one kind; with halves there is one more, for the top digits.
        """
        return min(-(-self.complete_additions // (1 + self.halves)), self.digits.count - 1)

    @property
    def safe_top(self) -> bool:
        """Return whether the addition of the top digits of two halves meets no exceptional input."""
        return self.complete_additions <= 2 * (self.digits.count - 1)


@dataclass(frozen=True)
class FixedComb:
    """k·G by a signed comb; an even k is served by n - k. ``size`` is what the user asked for.

    The last ``complete_additions`` and ``complete_doublings`` have to be right for every input; these numbers
    are estimates of the planner, until a proof replaces them.
    """

    comb: Comb
    size: str
    complete_additions: int
    complete_doublings: int = 0


@dataclass(frozen=True)
class NonAdjacent:
    """The width of a non-adjacent form, and how the table of its point is made."""

    width: int
    table: OddMultiples


@dataclass(frozen=True)
class Interleaved:
    """Widths of non-adjacent forms for the generator and for other points, and how their table is made."""

    fixed_width: int
    width: int
    table: OddMultiples


@dataclass(frozen=True)
class MultiScalar:
    """Straus [1964-straus] with ``straus_width`` below ``threshold`` points, then Pippenger [1976-pippenger].

    ``windows`` are numbers of points with bits of windows from there on, the largest first; ``table`` is how
    Straus' tables are made. In constant time, sums of ``shared_from`` points or more have ``shared`` digits.
    """

    straus_width: int
    threshold: int
    windows: tuple[tuple[int, int], ...]
    table: OddMultiples
    shared: OddWindows
    shared_from: int


@dataclass(frozen=True)
class HalfLength:
    """The test a·G + b·Q = R by v·a, w and v with w = v·b, modulo the group's order.

    Sources: [2005-antipa-brown-gallant-lambert-struik-vanstone], [2020-pornin-lattice].

    (v, w) is reduced until w has at most ``bits`` bits, by steps that ``leading`` bits decide, of which at
    least ``least`` remain. v·a is cut at bit ``split``, for tables of multiples of G and of 2^split·G;
    ``width`` is that of the forms of v and w, ``fixed_width`` that of v·a.
    """

    bits: int
    split: int
    fixed_width: int
    width: int
    leading: int = 62
    least: int = 32


@dataclass(frozen=True)
class CoZLadder:
    """Montgomery's ladder on two points of one Z, over the bits of k + n or k + 2n, of ``bits`` + 1 bits.

    ``start`` is the kernel of 2·P and P for an affine P, ``step`` that of 2·P1 and P1 + P2, which takes and
    gives the square of the difference of the X. The scalars 0, 1, n - 2 and n - 1 have to be served
    otherwise.
    """

    start: str
    step: str
    bits: int


@dataclass(frozen=True)
class Candidate:
    """One way to do an operation in a system: its steps, its tables, and whether it is taken.

    ``points`` and ``bytes`` are the size of all tables; ``reads`` counts entries that are read under masks;
    ``table`` is how the multiples of a point that is not known before are made.
    """

    system: str
    name: str
    steps: tuple[Step, ...]
    points: int
    bytes: int
    reads: int
    weight: Fraction
    chosen: bool
    table: OddMultiples = "additions"


@dataclass(frozen=True)
class CurvePlan:
    """A whole curve: its kernels by role, its operations with what they precompute, and what was weighed.

    ``second`` is another fixed point of the generator's order, whose multiples are added to the generator's.
    ``half`` is None for curves without signatures that it verifies, and where little code is asked for.
    """

    curve: Curve
    model: Model
    prefix: str
    command: Origin
    order: int
    cofactor: int
    kernels: CurveKernels
    roles: Roles
    representation: Representation
    square_root: SquareRoot | None
    encoding: Encoding
    reduction: Reduction
    variable: FixedWindow
    generator: FixedComb
    single: NonAdjacent
    double: Interleaved
    multi: MultiScalar
    half: HalfLength | None
    endomorphism: Endomorphism | None
    coz: CoZLadder | None
    second: Coordinates | None
    candidates: Mapping[str, tuple[Candidate, ...]]
    reasons: Mapping[str, str] = field(default_factory=dict)
    """Why an operation is right for every input, as it was proved: of ``multiply``, ``split``, …"""
    claims: Mapping[str, str] = field(default_factory=dict)
    """The claims about multiplications that were proved, by their names; each has a reason."""

    @property
    def proofs(self) -> dict[str, str]:
        """The claims with their reasons, by the names of the multiplications."""
        return {name: f"{claim} {self.reasons[name]}" for name, claim in self.claims.items()}

    @property
    def scalar_parts(self) -> int:
        """The number of parts of a scalar with their own digits in variable time: 2 with an endomorphism."""
        return 1 if self.endomorphism is None else 2

    @property
    def scalar_bits(self) -> int:
        """The bits of such a part."""
        bound = self.reduction.modulus if self.endomorphism is None else max(self.endomorphism.split.bounds())
        return bound.bit_length()

    @property
    def tables(self) -> frozenset[OddMultiples]:
        """The methods for the tables of single points."""
        return frozenset({self.variable.table, self.single.table, self.double.table})

    @property
    def shares_z(self) -> bool:
        """Return whether some table is made by additions on one Z."""
        return bool((self.tables | {self.multi.table}) - {"additions"})

    @property
    def chain_add(self) -> str | None:
        """The addition between the doublings of :attr:`variable`, None where all additions are the same."""
        return self.roles.entry.chain_add if self.variable.digits.count > 1 else None

    @property
    def chains_sums(self) -> bool:
        """Return whether sums of digits at varying places use a separate addition before doublings."""
        return all(kind.entry.chain_add for kind in self.entry_kinds)

    @property
    def entry_kinds(self) -> tuple[EntryKind, ...]:
        """The kinds of entries, first that for any point."""
        roles, types = self.roles, {t.name: t.members for t in self.kernels.types}
        given = [(roles.entry, "", True)]
        if roles.entry != roles.fixed_entry:
            given.append((roles.fixed_entry, "_fixed", False))
        return tuple(EntryKind(entry, suffix, own, types[entry.type]) for entry, suffix, own in given)

    def kernel(self, name: str) -> Kernel:
        """Return a kernel by its name in the group."""
        return next(kernel for kernel in self.kernels.kernels if kernel.name == name)

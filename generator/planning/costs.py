"""Costs of operations on a curve, for every possible window and table."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, TypeVar

from efdgen.generator.formulas.cost import Cost
from efdgen.generator.planning.plan import Candidate
from efdgen.generator.reports.totals import Step, price
from efdgen.generator.scalars.comb import combs
from efdgen.generator.scalars.digits import OddWindows, wnaf_density, wnaf_entries
from efdgen.generator.scalars.reach import (
    comb_additions,
    half_additions,
    has_neutral_entry,
    safe_odd_multiples,
    window_additions,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from efdgen.generator.options import OddMultiples
    from efdgen.generator.planning.plan import Entry, Roles
    from efdgen.generator.programs.kernel import CurveKernels, Kernel
    from efdgen.generator.reports.weights import Weights
    from efdgen.generator.scalars.comb import Comb
    from efdgen.generator.scalars.endomorphism import Split

Key = TypeVar("Key")

FIXED_WIDTHS = range(2, 8)
WIDTHS = range(2, 13)
READ = Fraction(1, 16)
"""Weight of a masked read of one table coordinate, in multiplications."""

NAMES: Mapping[OddMultiples, str] = {
    "additions": "",
    "co-z": ", co-Z table",
    "effective-affine": ", effective affine",
}
"""The statement of a candidate's name about its table."""

TABLE_BYTES: Mapping[str, int] = {"tiny": 1 << 8, "small": 3 << 10, "medium": 24 << 10, "large": 96 << 10}


@dataclass(frozen=True)
class Arithmetic:
    """The costs of a curve's kernels, by role, and the form of its numbers.

    ``special`` is whether points with x·y = 0 are no input of formulas. They are of an order that divides the
    cofactor where this is a power of two; then points of such orders are served ``apart``, and the orders of
    all others are multiples of the odd ``least_order``. Tables in variable time have ``most_bytes`` at most.
    """

    kernels: CurveKernels
    roles: Roles
    weights: Weights
    order: int
    modulus: int
    least_order: int
    field_bytes: int
    asked: OddMultiples | None = None
    special: bool = False
    apart: bool = False
    most_bytes: float = math.inf

    def step(self, name: str, times: int | Fraction = 1) -> Step:
        """Return a kernel, computed a given number of times."""
        kernel = self._kernel(name)
        return Step(Fraction(times), kernel.formula.id, kernel.cost_emitted)

    def images(self, times: int | Fraction) -> Step:
        """Return a given number of images of entries under the endomorphism."""
        return Step(Fraction(times), "multiplication by beta", Cost(multiplications=1))

    def doublings(self, times: int, runs: int) -> list[Step]:
        """Return a given number of doublings in a given number of uninterrupted runs."""
        roles = self.roles
        return [self.step(roles.chain_double, times - runs), self.step(roles.chain_last, runs)]

    def additions(self, entry: Entry, times: int | Fraction, complete: int = 0) -> list[Step]:
        """Return additions of entries; a complete one is by slopes, or a sum and a double, one selected."""
        roles, slopes = self.roles, self.roles.slopes
        if roles.complete or not complete:
            return [self.step(entry.add, times)]
        if slopes is None:
            return [self.step(entry.add, times), self.step(roles.double, complete)]
        names = slopes.start, slopes.add
        return [self.step(entry.add, times - complete), *(self.step(name, complete) for name in names)]

    def complete_additions(self, times: int) -> list[Step]:
        """Return additions of points that are right for every input."""
        roles, slopes = self.roles, self.roles.slopes
        if roles.complete:
            return [self.step(roles.add, times)]
        names = (roles.add, roles.double) if slopes is None else (slopes.start, slopes.add)
        return [self.step(name, times) for name in names]

    def window_additions(self, entry: Entry, times: int, complete: int) -> list[Step]:
        """Return additions with doublings between them."""
        if entry.chain_add is None or times < 1:
            return self.additions(entry, times, complete)
        return [self.step(entry.chain_add, times - 1), *self.additions(entry, 1)]

    def sums(self, bits: int, *kinds: tuple[Entry, Fraction, int]) -> list[Step]:
        """Return additions at ``bits`` places, of digit streams, each with a density and a kind of entry.

        The last addition at a place is followed by doublings; the kinds are added in their order.
        """
        steps, places = [], bits
        chained = self.roles.entry.chain_add and self.roles.fixed_entry.chain_add
        for entry, density, streams in reversed(kinds):
            times = streams * bits * density
            if entry.chain_add and chained:
                last = round(places * (1 - (1 - float(density)) ** streams))
                steps.append(self.step(entry.chain_add, last))
                places, times = places - last, times - last
            steps += self.additions(entry, times)
        return steps

    def tables(self, entries: int) -> list[OddMultiples]:
        """Return how tables of a given number of odd multiples can be made, of these what is asked for.

        If an addition may meet an exceptional input, only ``additions`` find that.
        """
        one_z = self.roles.one_z
        found: list[OddMultiples] = ["additions"]
        if one_z is not None and (entries == 1 or safe_odd_multiples(entries, self.least_order)):
            found += ["co-z"] * (entries > 1 or self.asked is not None)
            found += ["effective-affine"] * (one_z.add is not None)
        return [table for table in found if self.asked in {None, table}]

    def table(
        self, entry: Entry, entries: int, table: OddMultiples = "additions", points: int = 1
    ) -> list[Step]:
        """Return what makes entries of odd multiples of points: 2P, additions of it, a conversion of all."""
        if table != "additions":
            return self._table_on_one_z(entries, table, points)
        if entries == 1 and not entry.normalized and entry.make is None:
            return []
        roles, every = self.roles, entries * points
        steps = [self.step(roles.double, points), self.step(roles.add, every - points)] if entries > 1 else []
        if entry.make:
            steps.append(self.step(entry.make, every))
        if entry.normalized:
            inversion = Cost(multiplications=3 * (every - 1), inversions=1)
            steps += [self._scalings(every), Step(Fraction(1), "inversion of all denominators", inversion)]
        return steps

    def _table_on_one_z(self, entries: int, table: OddMultiples, points: int) -> list[Step]:
        """Return the same by co-Z additions: products of each point's quotients of Z, and of all points'."""
        one_z, others, every = self.roles.one_z, (entries - 1) * points, entries * points
        assert one_z is not None
        steps = [self.step(one_z.start, min(others, points)), self.step(one_z.step, others)]
        between = 3 * (points - 1)
        if table == "effective-affine":
            forward, scaled = (others, every) if points > 1 else (0, every - 1)
            products = Cost(multiplications=forward + others + between + 1)
            name = "products of quotients of Z"
            return [*steps, self._scalings(scaled), Step(Fraction(1), name, products)]
        inversion = Cost(multiplications=2 * others + between, inversions=1)
        return [*steps, self._scalings(every), Step(Fraction(1), "inversion of the last Z", inversion)]

    def _scalings(self, times: int) -> Step:
        """Return the changes of a given number of points to another Z."""
        to_affine = self._kernel(self.roles.to_affine)
        return Step(Fraction(times), to_affine.formula.id, replace(to_affine.cost_emitted, inversions=0))

    def bytes(self, entry: Entry, entries: int) -> int:
        """Return the size of a table of entries."""
        members = next(len(t.members) for t in self.kernels.types if t.name == entry.type)
        return entries * members * self.field_bytes

    def widths(self) -> list[int]:
        """Return the widths of non-adjacent forms that fit, with odd multiples neither neutral nor equal."""
        found = [w for w in WIDTHS if safe_odd_multiples(wnaf_entries(w), self.order)]
        return [w for w in found if self.bytes(self.roles.entry, wnaf_entries(w)) <= self.most_bytes] or [2]

    def candidate(
        self,
        name: str,
        steps: Sequence[Step],
        size: tuple[Entry, int],
        reads: int = 0,
        table: OddMultiples = "additions",
    ) -> Candidate:
        """Return a candidate, not chosen yet, with this number of entries; ``reads`` are masked lookups."""
        entry, entries = size
        used, memory = tuple(step for step in steps if step.times), self.bytes(entry, entries)
        weight = price(used, self.weights) + READ * reads * self.bytes(entry, 1) / self.field_bytes
        system, name = self.kernels.system, name + NAMES[table]
        return Candidate(system, name, used, entries, memory, reads, weight, chosen=False, table=table)

    def _kernel(self, name: str) -> Kernel:
        return next(kernel for kernel in self.kernels.kernels if kernel.name == name)


def variable_base(arithmetic: Arithmetic) -> dict[tuple[int, bool, OddMultiples], Candidate]:
    """Return k·P by fixed windows, by width and by how the table is made."""
    found: dict[tuple[int, bool, OddMultiples], Candidate] = {}
    entry = arithmetic.roles.entry
    for width in FIXED_WIDTHS:
        digits = OddWindows(width, arithmetic.modulus)
        complete = window_additions(digits, arithmetic.least_order)
        runs = digits.count - 1
        steps = [
            *arithmetic.doublings(width * runs, runs),
            *arithmetic.window_additions(entry, runs, complete),
        ]
        name, size, reads = f"fixed windows of {width} bits", (entry, digits.entries), runs * digits.entries
        for table in arithmetic.tables(digits.entries):
            every = [*arithmetic.table(entry, digits.entries, table), *steps]
            found[width, False, table] = arithmetic.candidate(name, every, size, reads, table)
    return found


def variable_base_halves(
    arithmetic: Arithmetic, split: Split
) -> dict[tuple[int, bool, OddMultiples], Candidate]:
    """Return k·P by fixed windows of the odd halves of k, by width and by how the table is made."""
    found: dict[tuple[int, bool, OddMultiples], Candidate] = {}
    entry, bound = arithmetic.roles.entry, max(split.odd_bounds())
    for width in FIXED_WIDTHS:
        digits = OddWindows(width, bound)
        additions, runs = 2 * digits.count - 1, digits.count - 1
        steps = [
            arithmetic.images(digits.entries),
            *arithmetic.doublings(width * runs, runs),
            *arithmetic.additions(entry, additions, half_additions(digits, split.shortest)),
        ]
        name, size = f"fixed windows of {width} bits, 2 halves", (entry, 2 * digits.entries)
        reads = (additions + 1) * digits.entries
        for table in arithmetic.tables(digits.entries):
            every = [*arithmetic.table(entry, digits.entries, table), *steps]
            found[width, True, table] = arithmetic.candidate(name, every, size, reads, table)
    return found


def variable_base_var(
    arithmetic: Arithmetic, bits: int, halves: int
) -> dict[tuple[int, OddMultiples], Candidate]:
    """Return k·P by wNAF of ``halves`` parts of ``bits`` bits each, by width and by table method."""
    found: dict[tuple[int, OddMultiples], Candidate] = {}
    entry = arithmetic.roles.entry
    for width in arithmetic.widths():
        entries = wnaf_entries(width)
        additions = halves * bits * wnaf_density(width)
        steps = [
            *arithmetic.doublings(bits, min(bits, round(additions))),
            *arithmetic.sums(bits, (entry, wnaf_density(width), halves)),
            arithmetic.images(additions * (halves - 1) / 2),
        ]
        name = f"wNAF of width {width}" + (f", {halves} halves" if halves > 1 else "")
        for table in arithmetic.tables(entries):
            every = [*arithmetic.table(entry, entries, table), *steps]
            found[width, table] = arithmetic.candidate(name, every, (entry, entries), table=table)
    return found


def double_base(
    arithmetic: Arithmetic, bits: int, halves: int, fixed: int
) -> dict[tuple[int, OddMultiples], Candidate]:
    """Return a·G + b·Q by interleaved wNAF, by the width for Q and by how its table is made.

    G's width is the largest that is allowed.
    """
    found: dict[tuple[int, OddMultiples], Candidate] = {}
    roles = arithmetic.roles
    for width in arithmetic.widths():
        entries = wnaf_entries(width)
        own, given = (halves * bits * wnaf_density(w) for w in (width, fixed))
        steps = [
            *arithmetic.doublings(bits, min(bits, round(own + given))),
            arithmetic.images((own + given) * (halves - 1) / 2),
        ]
        name = f"wNAF of widths {width} and {fixed}" + (f", {halves} halves each" if halves > 1 else "")
        size = roles.fixed_entry, entries + wnaf_entries(fixed)
        kinds = [(roles.entry, wnaf_density(width), halves), (roles.fixed_entry, wnaf_density(fixed), halves)]
        for table in arithmetic.tables(entries):
            sums = arithmetic.sums(bits, *kinds)
            if table == "effective-affine" and roles.one_z is not None and roles.one_z.add is not None:
                sums = [*arithmetic.additions(roles.entry, own), arithmetic.step(roles.one_z.add, given)]
            every = [*arithmetic.table(roles.entry, entries, table), *steps, *sums]
            found[width, table] = arithmetic.candidate(name, every, size, table=table)
    return found


def half_length(arithmetic: Arithmetic, bits: int, fixed: int) -> dict[int, Candidate]:
    """Return v·a·G + w·Q - v·R by interleaved wNAF of ``bits`` bits, by the width for Q and R.

    G has two tables, whose width is given.
    """
    found: dict[int, Candidate] = {}
    roles = arithmetic.roles
    for width in arithmetic.widths():
        entries, own, given = wnaf_entries(width), wnaf_density(width), wnaf_density(fixed)
        steps = [
            *arithmetic.table(roles.entry, entries, points=2),
            *arithmetic.doublings(bits, min(bits, round(2 * bits * (own + given)))),
            *arithmetic.sums(bits, (roles.entry, own, 2), (roles.fixed_entry, given, 2)),
        ]
        size = roles.fixed_entry, 2 * (entries + wnaf_entries(fixed))
        found[width] = arithmetic.candidate(f"wNAF of widths {width} and {fixed}", steps, size)
    return found


def fixed_width(arithmetic: Arithmetic, size: str) -> int:
    """Return the largest width for the generator whose table has at most a given number of bytes."""
    entry = arithmetic.roles.fixed_entry
    fitting = [
        w for w in arithmetic.widths() if arithmetic.bytes(entry, wnaf_entries(w)) <= TABLE_BYTES[size]
    ]
    return max(fitting, default=2)


def fixed_base(arithmetic: Arithmetic, size: str) -> dict[Comb, Candidate]:
    """Return k·G by signed combs, for each comb with a table of at most a given number of bytes."""
    entry = arithmetic.roles.fixed_entry
    most = max(TABLE_BYTES[size] // arithmetic.bytes(entry, 1), 1)
    found = {}
    for comb in combs(arithmetic.order.bit_length(), most):
        if entry.normalized and has_neutral_entry(comb, arithmetic.order):
            continue
        complete = comb_additions(comb, arithmetic.order)
        steps = [
            *arithmetic.doublings(comb.doublings, comb.doublings),
            *arithmetic.additions(entry, comb.additions, complete),
        ]
        name = f"comb of {comb.blocks} blocks, {comb.teeth} teeth, spacing {comb.spacing}"
        found[comb] = arithmetic.candidate(name, steps, (entry, comb.entries), comb.spacing * comb.entries)
    return found


def best(candidates: Mapping[Key, Candidate]) -> Key:
    """Return the key of the candidate that weighs least; of two, that of the smaller table."""
    return min(candidates, key=lambda key: (candidates[key].weight, candidates[key].points))


def marked(candidates: Mapping[Key, Candidate], key: Key) -> tuple[Candidate, ...]:
    """Return candidates in order, the chosen one marked."""
    return tuple(replace(c, chosen=k == key) for k, c in candidates.items())

"""Costs of whole computations, summed from the formulas: tables of odd multiples, ladders, windows.

Conversions to and from a coordinate system, recoding and selection from a table are not counted.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING

from efdgen.generator.formulas.cost import Cost, cost_of
from efdgen.generator.formulas.signature import fixed_inputs, other_input_assumptions
from efdgen.generator.programs.lower import lower
from efdgen.generator.reports.weights import parse_weights, require_parameters

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from efdgen.generator.formulas.database import Database
    from efdgen.generator.formulas.formula import Formula
    from efdgen.generator.reports.weights import Weights

ENTRIES = (2, 4, 8, 16)
_USUAL = (8,)
WIDTHS = range(2, 17)

_RANKS = {"I": 0, "M": 1, "S": 2, "add": 5}
_CO_Z = "g1p/shortw/jacobian"
_LADDERS: Mapping[str, tuple[str, ...]] = {
    "Montgomery, ZACAU": ("zacau",),
    "Montgomery, ZACAU, (X,Y) alone": ("zacau-xy",),
    "Montgomery, ZADDC and ZADDU": ("zaddc", "zaddu"),
    "Montgomery, ZADDC and ZADDU, (X,Y) alone": ("zaddc-xy", "zaddu-xy"),
    "Joye double-add, ZDAU": ("zdau",),
    "signed digits, ZDAU": ("zdau",),
    "signed digits, ZDAU, (X,Y) alone": ("zdau-xy",),
}
_X_LADDERS: Mapping[str, str] = {
    "Montgomery, co-Z": "ladder-coz",
    "Montgomery, co-Z, X alone": "ladder-coz-carried",
}
# libsecp256k1's doubling has the operations of co-Z DBLU, which gives P with the Z of 2P for nothing.
_LIBSECP256K1 = (
    "g1p/shortw/jacobian-0",
    "g1p/shortw/jacobian-0/dblu/dblu",
    "g1p/shortw/jacobian/addition/add-1998-cmo-2",
)


@dataclass(frozen=True)
class Step:
    """A formula and how often it is computed, on average where the number is not an integer."""

    times: Fraction
    id: str
    cost: Cost

    def __mul__(self, factor: int | Fraction) -> Step:
        """Return the step done a given number of times as often."""
        return Step(self.times * factor, self.id, self.cost)


@dataclass(frozen=True)
class Total:
    """A computation, its steps, and those of a whole scalar where the steps are of one bit."""

    name: str
    steps: tuple[Step, ...]
    weights: Weights
    whole: tuple[Step, ...] = ()


@dataclass(frozen=True)
class Section:
    """Totals of one sort, with what they count; ``bits`` is the length of a whole scalar, 0 without one."""

    title: str
    note: str
    totals: tuple[Total, ...]
    bits: int = 0


# The cost of a batch is given for one point; all together need this once more.
_ONE_INVERSION = Step(Fraction(1), "one inversion", Cost(multiplications=-3, inversions=1))
_PRODUCT = Step(Fraction(1), "product", Cost(multiplications=1))


def operations(steps: Iterable[Step]) -> dict[str, Fraction]:
    """Return the numbers of operations of some steps by unit, in the order in which costs are written."""
    sums: dict[str, Fraction] = {}
    for step in steps:
        for number, unit in step.cost.terms:
            sums[unit] = sums.get(unit, Fraction(0)) + number * step.times
    return dict(sorted(sums.items(), key=lambda item: _rank(item[0])))


def price(steps: Iterable[Step], weights: Weights) -> Fraction:
    """Return what steps are worth in multiplications."""
    numerator, denominator = 0, 1
    for step in steps:  # reduced once, at the end
        times, worth = step.times, weights.price(step.cost)
        below = times.denominator * worth.denominator
        numerator = numerator * below + times.numerator * worth.numerator * denominator
        denominator *= below
    return Fraction(numerator, denominator)


def cost_totals(database: Database, weights: str = "", bits: int = 256) -> list[Section]:
    """Return the totals of tables of odd multiples, of ladders and of windows, for scalars of ``bits`` bits.

    Each step is taken by the formula that weighs least; raises :class:`EfdgenError` for weights.
    """
    require_parameters(parse_weights(weights), database)
    books = {binary: _Book(database, parse_weights(weights, binary=binary)) for binary in (False, True)}
    systems = sorted({formula_id.rsplit("/", 2)[0] for formula_id in database.ids})
    by_system = [(system, books[system.startswith("g12")]) for system in systems]
    tables = [_odd_multiples(by_system), _affine_tables(by_system)]
    return [*tables, _ladders(by_system, bits), _windows(by_system, bits)]


class _Book:
    """The cheapest formulas of a database under one weighing."""

    def __init__(self, database: Database, weights: Weights) -> None:
        self.database, self.weights = database, weights
        self._formula, self.step = cache(database.formula), cache(self._step)

    def cheapest(self, system: str, kind: str, normalised: Sequence[str] = ()) -> Step | None:
        """Return a step by the cheapest formula of a kind within a system; None where it has none.

        ``normalised`` are the input coordinates, such as Z2, that may be assumed to be 1.
        """
        steps = [
            self.step(name)
            for name in self.database.formulas_for(system)
            if name.split("/")[-2] == kind
            and _usable(self._formula(name), normalised)
            and self.database.is_eligible(name)
        ]
        return min(steps, key=lambda step: (self.weights.price(step.cost), step.id), default=None)

    def _step(self, formula_id: str) -> Step:
        formula = self._formula(formula_id)
        return Step(Fraction(1), formula_id, cost_of(formula, lower(formula)))

    def total(self, name: str, steps: Iterable[Step | None], bits: int = 0) -> Iterable[Total]:
        """Yield a total, or nothing where a step is missing."""
        every = tuple(steps)
        used = tuple(step for step in every if step is not None and step.times)
        if None not in every:
            yield Total(name, used, self.weights, tuple(step * bits for step in used) if bits else ())


def _usable(formula: Formula, normalised: Sequence[str]) -> bool:
    own = not formula.systems and not other_input_assumptions(formula)
    return own and all(name in normalised and value == 1 for name, value in fixed_inputs(formula).items())


def _odd_multiples(by_system: Iterable[tuple[str, _Book]]) -> Section:
    totals: list[Total] = []
    for system, book in by_system:
        if book.cheapest(system, "zaddu"):
            for number in ENTRIES:
                totals += _tables(system, book, number)
    note = (
        "Counted: 2P, then n - 1 additions of 2P to the multiple before. With co-Z, DBLU gives 2P and P of "
        "one Z, and ZADDU adds; every multiple has a Z of its own. Without, the first addition is mixed "
        "where Z = 1. The rows of libsecp256k1 take that library's formulas: its doubling, of the same "
        "operations as DBLU, and its addition, add-1998-cmo-2."
    )
    return Section("Tables of n odd multiples P, 3P, 5P, …", note, tuple(totals))


def _tables(system: str, book: _Book, number: int) -> Iterable[Total]:
    def table(means: str, *steps: tuple[int, Step | None]) -> Iterable[Total]:
        counted = (None if step is None else step * times for times, step in steps)
        return book.total(f"{system}, n = {number}, {means}", counted)

    add, zaddu = book.cheapest(system, "addition"), book.cheapest(system, "zaddu")
    others = number - 1
    yield from table("co-Z, any Z", (1, book.cheapest(system, "dblu")), (others, zaddu))
    yield from table("without, any Z", (1, book.cheapest(system, "doubling")), (others, add))
    yield from table("co-Z, Z = 1", (1, book.cheapest(system, "dblu", ["Z1"])), (others, zaddu))
    doubling, mixed = book.cheapest(system, "doubling", ["Z1"]), book.cheapest(system, "addition", ["Z2"])
    yield from table("without, Z = 1", (1, doubling), (1, mixed), (others - 1, add))
    home, double, general = _LIBSECP256K1
    if system == home:
        yield from table("without, libsecp256k1", (1, book.step(double)), (others, book.step(general)))


def _affine_tables(by_system: Iterable[tuple[str, _Book]]) -> Section:
    totals: list[Total] = []
    for system, book in by_system:
        if book.cheapest(system, "scaling-batch"):
            for number in ENTRIES if book.cheapest(system, "zaddu") else _USUAL:
                totals += _tables_of_one_z(system, book, number)
    note = (
        "Counted: the table as above, and what makes its points affine. Batch: one inversion for all. One "
        "Z: every multiple is rescaled to the Z of the last, by products of factors from one Z to the next; "
        "on an isomorphic curve they are affine. Effective affine: the same, but P is first mapped to the "
        "curve on which 2P is affine, so that the additions are mixed; the Z of 2P comes back in at the end."
    )
    return Section("Tables of n odd multiples with Z = 1, or with one Z", note, tuple(totals))


def _tables_of_one_z(system: str, book: _Book, number: int) -> Iterable[Total]:
    def table(means: str, *steps: tuple[int, Step | None]) -> Iterable[Total]:
        counted = (None if step is None else step * times for times, step in steps)
        return book.total(f"{system}, n = {number}, {means}", counted)

    others = number - 1
    double, update = book.cheapest(system, "doubling"), book.cheapest(system, "dblu")
    add, zaddu = book.cheapest(system, "addition"), book.cheapest(system, "zaddu")
    mixed, rescale = book.cheapest(system, "addition", ["Z2"]), book.cheapest(system, "rescaling-xy")
    batch = (number, book.cheapest(system, "scaling-batch")), (1, _ONE_INVERSION)
    coz = book.cheapest(system, "zaddu-xy")
    yield from table("co-Z, batch", (1, update), (others, zaddu), *batch)
    yield from table("without, batch", (1, double), (others, add), *batch)
    yield from table("co-Z, one Z", (1, update), (others, coz), (others, rescale), (others, _PRODUCT))
    made = (1, double), (1, rescale), (others, mixed)
    yield from table("effective affine", *made, (others, rescale), (others - 1, _PRODUCT))


def _ladders(by_system: Iterable[tuple[str, _Book]], bits: int) -> Section:
    totals: list[Total] = []
    for system, book in by_system:
        if system == _CO_Z:
            for name, kinds in _LADDERS.items():
                steps = [book.cheapest(system, kind) for kind in kinds]
                totals += book.total(f"{system}, {name}", steps, bits)
        for name, kind in _X_LADDERS.items():
            totals += book.total(f"{system}, {name}", [book.cheapest(system, kind, ["Z1"])], bits)
        totals += book.total(f"{system}, Montgomery", [book.cheapest(system, "ladder")], bits)
        mixed = book.cheapest(system, "ladder", ["Z1"])
        if mixed != book.cheapest(system, "ladder"):
            totals += book.total(f"{system}, Montgomery, Z = 1 in the difference", [mixed], bits)
    note = "Counted: the steps of one bit, and those of a whole scalar; not the start, nor the recovery of Z."
    return Section("Ladders, a bit", note, tuple(totals), bits)


def _windows(by_system: Iterable[tuple[str, _Book]], bits: int) -> Section:
    totals = []
    for system, book in by_system:
        double, add = book.cheapest(system, "doubling"), book.cheapest(system, "addition")
        if double and add:
            choices = [_window(system, book.weights, double, add, (width, bits)) for width in WIDTHS]
            totals.append(min(choices, key=lambda total: price(total.whole, total.weights)))
    note = (
        "Counted: for wNAF of width w, a doubling and 1/(w + 1) of an addition; of a whole scalar with the "
        "table of 2^(w - 2) odd multiples, a doubling and additions, where w > 2. The w is the one for "
        "which the whole is least."
    )
    return Section("Windows, a bit", note, tuple(totals), bits)


def _window(system: str, weights: Weights, double: Step, add: Step, size: tuple[int, int]) -> Total:
    width, bits = size
    entries = 1 << (width - 2)
    steps = (double, add * Fraction(1, width + 1))
    table = (double, add * (entries - 1)) if entries > 1 else ()
    return Total(f"{system}, w = {width}", steps, weights, (*(step * bits for step in steps), *table))


def _rank(unit: str) -> tuple[int, Fraction, str]:
    if unit in _RANKS:
        return _RANKS[unit], Fraction(0), ""
    constant = unit.startswith("*") and unit[1:].replace("/", "").isdigit()
    group = 6 if constant else 3 if unit.startswith("^") else 4
    return group, Fraction(unit[1:]) if group != 4 else Fraction(0), unit

"""From a curve to its plan: the system, the kernels, and the cheapest method for each operation."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from math import isqrt
from operator import itemgetter
from typing import TYPE_CHECKING, cast

from efdgen.generator.curves.affine import AffineCurve
from efdgen.generator.curves.instantiate import NotApplicable
from efdgen.generator.curves.load import built_in_curves
from efdgen.generator.curves.odd import group_cofactor, halvings
from efdgen.generator.errors import EfdgenError
from efdgen.generator.fields.field import Field
from efdgen.generator.kernels.bundle import require_system
from efdgen.generator.kernels.prover import Prover
from efdgen.generator.mathematics.primes import is_square
from efdgen.generator.planning import costs
from efdgen.generator.planning.complete import has_complete_law
from efdgen.generator.planning.kernels import Fitted, Shelf, choose_kernels
from efdgen.generator.planning.plan import (
    CoZLadder,
    CurvePlan,
    Encoding,
    FixedComb,
    FixedWindow,
    HalfLength,
    Interleaved,
    NonAdjacent,
    SquareRoot,
)
from efdgen.generator.planning.protocols import signature_scheme
from efdgen.generator.planning.representation import converted, represent_system
from efdgen.generator.planning.second import second_point
from efdgen.generator.planning.sums import Sums
from efdgen.generator.scalars.digits import OddWindows
from efdgen.generator.scalars.endomorphism import find_endomorphism
from efdgen.generator.scalars.reach import (
    comb_additions,
    comb_doublings,
    half_additions,
    safe_odd_multiples,
    window_additions,
    window_doublings,
)
from efdgen.generator.scalars.reduction import reduction

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from efdgen.generator.curves.curve import Curve
    from efdgen.generator.formulas.database import Database
    from efdgen.generator.formulas.formula import System
    from efdgen.generator.kernels.ranking import Ranking
    from efdgen.generator.options import OddMultiples
    from efdgen.generator.origin import Origin
    from efdgen.generator.planning.costs import Arithmetic
    from efdgen.generator.planning.kernels import Chosen
    from efdgen.generator.planning.plan import Candidate, Model, MultiScalar
    from efdgen.generator.reports.weights import Weights
    from efdgen.generator.scalars.endomorphism import Endomorphism

# Multiplications of protocols: for keys and signatures, shared secrets, and verification.
DECISIVE = ("variable-base", "fixed-base", "double-base")
MODELS = ("g1p/shortw", "g1p/twisted", "g1p/edwards", "g12o/shortw")


@dataclass(frozen=True)
class Order:
    """The request for a plan, except the curve and the system.

    ``ranking`` orders the formulas for one purpose; without it they are ordered by ``weights``. Code that
    ``branches`` where an addition is exceptional has no need of sums by slopes. Without
    ``half_length`` signatures are verified by the sum of two multiples.
    """

    prefix: str
    command: Origin
    weights: Weights
    table: str = "medium"
    formulas: tuple[str, ...] = ()
    set: str = "curve"
    second: str | None = None
    ranking: Ranking | None = None
    odd_multiples: OddMultiples | None = None
    branches: bool = False
    half_length: bool = True


class NoTableError(EfdgenError):
    """A table of odd multiples that is asked for cannot be made in a system."""


def make_plan(
    database: Database, curve: Curve, systems: Sequence[str], order: Order, prover: Prover
) -> CurvePlan:
    """Return the lightest plan in some systems; prove what it computes with.

    Raises what :func:`draft_plans` raises.
    """
    fitted = Fitted(database, curve)
    best = _drafts(database, curve, systems, order, fitted)[0].system
    return _Draft(database, curve, best, order, prover, fitted, order.ranking).plan()


def draft_plans(database: Database, curve: Curve, systems: Sequence[str], order: Order) -> list[CurvePlan]:
    """Return plans in each of some systems that fit the curve, the lightest first.

    Nothing is proved of them. Raises :class:`EfdgenError` if there is none.
    """
    return [draft.plan() for draft in _drafts(database, curve, systems, order, Fitted(database, curve))]


def _drafts(
    database: Database, curve: Curve, systems: Sequence[str], order: Order, fitted: Fitted
) -> list[_Draft]:
    """Return what plans start with, in each of some systems that fit the curve, in the same order."""
    require_whole(curve)
    drafts: list[_Draft] = []
    reasons: list[tuple[bool, int, Exception]] = []
    for name in systems:
        system = database.system(name)
        try:
            drafts.append(_Draft(database, curve, system, order, Prover(), fitted))
        except (EfdgenError, NotApplicable) as error:
            reasons.append((isinstance(error, NoTableError), len(system.assumptions), error))
    if not drafts and reasons:
        # The nearest system lacks a table alone; of such systems, it is the one for the fewest curves.
        raise max(reasons, key=itemgetter(0, 1))[2]
    if not drafts:
        raise EfdgenError(f"no coordinate system of {curve.model} fits {curve.name}")
    # If two systems weigh the same, the one for fewer curves is first.
    return sorted(drafts, key=lambda draft: (draft.weight, -len(draft.system.assumptions)))


def _of_the_same_order(curve: Curve) -> str:
    """Return a remark on a built-in curve of a supported model, with as many points over the same field."""
    alike = (each for each in built_in_curves() if each.field == curve.field and each.order == curve.order)
    found = next((each for each in alike if each.model in MODELS and each.cofactor == curve.cofactor), None)
    return f"; {found.name}, with as many points, is {found.model}" if found and curve.order else ""


def require_whole(curve: Curve) -> None:
    """Raise :class:`EfdgenError` for a curve without generator, order or cofactor, or of another model."""
    if curve.model not in MODELS:
        known = f"--set curve supports {', '.join(MODELS)}, and {curve.name} is {curve.model}"
        raise EfdgenError(f"{known}{_of_the_same_order(curve)}")
    for key in ("generator", "order", "cofactor"):
        if getattr(curve, key) is None:
            raise EfdgenError(f"{curve.name} has no {key}; --set curve needs it in the curve's file")
    if curve.field.is_binary:
        halvings(curve)
        return
    if curve.model != "g1p/shortw" and not has_complete_law(curve.model, curve.prime, curve.parameters):
        raise EfdgenError(
            f"the addition law of {curve.name} is not complete, because a is not a square, or d is one; "
            "whole curves need that: leave out --set for its formulas alone"
        )
    if curve.model == "g1p/edwards" and curve.parameters["c"] != 1:
        raise EfdgenError(
            f"--set curve needs c = 1; {curve.name} is isomorphic to a curve with c = 1 and d·c^4"
        )


class _Draft:
    """The kernels of a curve in one system, proved, and the operations that decide between systems."""

    def __init__(
        self,
        database: Database,
        curve: Curve,
        system: System,
        order: Order,
        prover: Prover,
        fitted: Fitted,
        ranking: Ranking | None = None,
    ) -> None:
        assert curve.order is not None and curve.cofactor is not None
        require_system(system, curve)
        self.system = system
        self._database, self._curve, self._order = database, curve, order
        shelf = Shelf(database, curve, system, order.weights, fitted, ranking)
        self._chosen = choose_kernels(
            shelf,
            prover,
            order.formulas,
            prime_order=group_cofactor(curve) == 1,
            branches=order.branches,
            tables=order.odd_multiples,
        )
        from_affine = self._chosen.formulas[self._chosen.roles.from_affine]
        add = self._chosen.formulas[self._chosen.roles.add]
        self._representation = represent_system(system, curve, from_affine, add)
        incomplete = bool(self._representation.shared_numerator)
        arithmetic = _arithmetic(curve, self._chosen, order, incomplete=incomplete)
        self._operations = _Operations(arithmetic, order.table, _endomorphism(database, curve))
        self._variable, self._generator = self._operations.variable(), self._operations.generator()
        self._single, self._double = self._operations.single(), self._operations.double()

    @property
    def weight(self) -> Fraction:
        """The weight of k·P, k·G and a·G + b·Q together."""
        found = self._operations.candidates
        return sum((c.weight for name in DECISIVE for c in found[name] if c.chosen), Fraction(0))

    def _second(self) -> tuple[int, ...] | None:
        """Return the other fixed point in the system, None where none is asked for."""
        if self._order.second is None:
            return None
        point = second_point(self._database, self._curve, self._order.second)
        return converted(self._chosen.formulas[self._chosen.roles.from_affine], self._curve, point)

    def plan(self) -> CurvePlan:
        """Return the plan that begins like this."""
        curve, chosen, operations = self._curve, self._chosen, self._operations
        assert curve.order is not None and curve.cofactor is not None
        multi = operations.multi()
        half = operations.half() if self._order.half_length and signature_scheme(curve) else None
        return CurvePlan(
            curve=curve,
            model="binary" if curve.field.is_binary else cast("Model", curve.model.rpartition("/")[2]),
            prefix=self._order.prefix,
            command=self._order.command,
            order=curve.order,
            cofactor=group_cofactor(curve),
            kernels=chosen.kernels,
            roles=chosen.roles,
            representation=self._representation,
            square_root=None if curve.field.is_binary else square_root(curve.prime),
            encoding=_encoding(curve, chosen),
            reduction=reduction(operations.arithmetic.modulus),
            variable=self._variable,
            generator=self._generator,
            single=self._single,
            double=self._double,
            multi=multi,
            half=half,
            endomorphism=operations.endomorphism,
            second=self._second(),
            coz=None if chosen.coz is None else CoZLadder(*chosen.coz, bits=curve.order.bit_length()),
            candidates=operations.candidates,
        )


def _arithmetic(curve: Curve, chosen: Chosen, order: Order, *, incomplete: bool) -> costs.Arithmetic:
    """Return what costs are counted from; a system is ``incomplete`` that represents not every point."""
    assert curve.order is not None and curve.cofactor is not None
    cofactor = group_cofactor(curve)
    modulus = curve.order * cofactor
    special = incomplete and not chosen.roles.complete
    apart = special and cofactor.bit_count() == 1
    tiny = order.table == "tiny" and not chosen.roles.entry.normalized
    return costs.Arithmetic(
        chosen.kernels,
        chosen.roles,
        order.weights,
        curve.order,
        modulus,
        curve.order if apart else _least_divisor(modulus, curve.order),
        Field(curve.field).bytes,
        order.odd_multiples,
        special,
        apart,
        # With entries of affine points, tables of two lengths take more code than they save.
        most_bytes=costs.TABLE_BYTES["tiny"] if tiny else math.inf,
    )


class _Operations:
    """The operations of a curve, each by its best candidate; all candidates are kept."""

    def __init__(self, arithmetic: Arithmetic, table: str, endomorphism: Endomorphism | None) -> None:
        self.arithmetic, self.table, self.endomorphism = arithmetic, table, endomorphism
        self.candidates: dict[str, tuple[Candidate, ...]] = {}
        bits = arithmetic.modulus.bit_length()
        self.halves = 1 if endomorphism is None else 2
        self.bits = bits if endomorphism is None else max(endomorphism.split.bounds()).bit_length()

    def _no_table(self) -> str:
        """Return why there is no table of odd multiples as it is asked for."""
        asked, system = self.arithmetic.asked, self.arithmetic.kernels.system
        if self.arithmetic.roles.one_z is None:
            return f"{system} has no co-Z additions for tables of affine points; leave --odd-multiples out"
        return (
            f"formulas of {system} read parameters that another Z changes; {asked} cannot be asked of this "
            "curve, co-z can"
        )

    def variable(self) -> FixedWindow:
        arithmetic = self.arithmetic
        found = costs.variable_base(arithmetic)
        if self.endomorphism is not None:
            found |= costs.variable_base_halves(arithmetic, self.endomorphism.split)
        width, halves, table = self._choose("variable-base", found)
        complete = arithmetic.roles.complete
        if halves:
            assert self.endomorphism is not None
            split = self.endomorphism.split
            digits = OddWindows(width, max(split.odd_bounds()))
            safe = safe_odd_multiples(digits.entries, arithmetic.least_order)
            unsafe = half_additions(digits, split.shortest)
            return FixedWindow(digits, False, unsafe, safe, halves=True, table=table)
        digits = OddWindows(width, arithmetic.modulus)
        unsafe = 0 if complete else window_additions(digits, arithmetic.least_order)
        safe = complete or safe_odd_multiples(digits.entries, arithmetic.least_order)
        window = FixedWindow(digits, arithmetic.modulus % 2 == 1, unsafe, safe, table=table)
        if not arithmetic.special:
            return window
        if not arithmetic.apart:
            return replace(window, complete_doublings=digits.count - 1)
        doublings = window_doublings(digits, arithmetic.least_order)
        return replace(window, complete_doublings=doublings, apart=True)

    def generator(self) -> FixedComb:
        arithmetic = self.arithmetic
        comb = self._choose("fixed-base", costs.fixed_base(arithmetic, self.table))
        unsafe = 0 if arithmetic.roles.complete else comb_additions(comb, arithmetic.order)
        doublings = comb_doublings(comb, arithmetic.order) if arithmetic.special else 0
        return FixedComb(comb, self.table, unsafe, doublings)

    def single(self) -> NonAdjacent:
        found = costs.variable_base_var(self.arithmetic, self.bits, self.halves)
        return NonAdjacent(*self._choose("variable-base-var", found))

    def double(self) -> Interleaved:
        fixed = costs.fixed_width(self.arithmetic, self.table)
        found = costs.double_base(self.arithmetic, self.bits, self.halves, fixed)
        return Interleaved(fixed, *self._choose("double-base", found))

    def half(self) -> HalfLength:
        # Two tables as large as the one of other sums.
        fixed = max(costs.fixed_width(self.arithmetic, self.table) - 1, 2)
        bits, split = (-(-n.bit_length() // 2) for n in (self.arithmetic.modulus, self.arithmetic.order))
        width = self._choose("half-length", costs.half_length(self.arithmetic, bits, fixed))
        return HalfLength(bits, split, fixed, width)

    def multi(self) -> MultiScalar:
        sums = Sums(self.arithmetic, self.bits, self.halves)
        chosen = sums.choose(next(c for c in self.candidates["variable-base"] if c.chosen))
        self.candidates |= sums.candidates(chosen)
        return chosen

    def _choose(self, operation: str, found: Mapping[costs.Key, Candidate]) -> costs.Key:
        if not found:
            raise NoTableError(self._no_table())
        key = costs.best(found)
        self.candidates[operation] = costs.marked(found, key)
        return key


def square_root(prime: int) -> SquareRoot:
    """Return how square roots are taken modulo a prime."""
    if prime % 4 == 3:
        return SquareRoot("power", (prime + 1) // 4, 0, 1)
    if prime % 8 == 5:
        return SquareRoot("atkin", (prime - 5) // 8, 0, 2)
    twos = ((prime - 1) & -(prime - 1)).bit_length() - 1
    odd = (prime - 1) >> twos
    generator = pow(next(z for z in range(2, prime) if not is_square(z, prime)), odd, prime)
    return SquareRoot("tonelli", (odd - 1) // 2, generator, twos)


def _encoding(curve: Curve, chosen: Chosen) -> Encoding:
    size = Field(curve.field).bytes
    members = next(len(t.members) for t in chosen.kernels.types if t.name == "point")
    if curve.model in {"g1p/shortw", "g12o/shortw"}:
        return Encoding(size, size + 1, members * size, "big")
    return Encoding(size, curve.prime.bit_length() // 8 + 1, members * size, "little")


def _endomorphism(database: Database, curve: Curve) -> Endomorphism | None:
    if curve.model != "g1p/shortw" or curve.parameters["a"] != 0 or curve.cofactor != 1:
        return None
    assert curve.order is not None and curve.generator is not None
    affine = AffineCurve(database.model(curve.model), curve.field, curve.parameters)
    point = curve.generator["x"], curve.generator["y"]
    return find_endomorphism(curve.prime, curve.order, point, affine.multiple)


def _least_divisor(modulus: int, order: int) -> int:
    """Return the least prime divisor of a group's order h·n, given the prime n; the cofactor h is small."""
    cofactor = modulus // order
    divisors = (d for d in range(2, min(isqrt(cofactor), 1 << 16) + 1) if cofactor % d == 0)
    return min(next(divisors, cofactor if cofactor > 1 else order), order)

"""The kernels of a whole curve, chosen by role, in one group under the name of their system.

Formulas that belong to other systems of the model, such as a doubling in projective coordinates that gives
extended ones, come into the group of the chosen system, and each point's type is named by its own.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from itertools import product
from typing import TYPE_CHECKING

from efdgen.generator.curves.instantiate import NotApplicable
from efdgen.generator.errors import EfdgenError
from efdgen.generator.formulas.cost import count
from efdgen.generator.formulas.signature import (
    arguments,
    fixed_coordinates,
    function_name,
    other_input_assumptions,
    system_name,
)
from efdgen.generator.kernels.bundle import digest, group
from efdgen.generator.kernels.candidate import candidate
from efdgen.generator.kernels.preference import adds_equal_points
from efdgen.generator.kernels.ranking import by_weights
from efdgen.generator.language.printer import print_equation
from efdgen.generator.planning.complete import has_complete_law, looks_complete
from efdgen.generator.planning.isomorphic import is_invariant
from efdgen.generator.planning.plan import Entry, OneZ, Roles, Slopes
from efdgen.generator.planning.representation import negation, quotient

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from efdgen.generator.curves.curve import Curve
    from efdgen.generator.formulas.database import Database
    from efdgen.generator.formulas.formula import Formula, System
    from efdgen.generator.kernels.candidate import Candidate
    from efdgen.generator.kernels.prover import Prover
    from efdgen.generator.kernels.ranking import Ranking
    from efdgen.generator.options import OddMultiples
    from efdgen.generator.planning.plan import Negation
    from efdgen.generator.programs.kernel import CurveKernels
    from efdgen.generator.reports.weights import Weights

_DENOMINATORS = frozenset({"Z", "ZZ", "ZZZ"})

LEAST_COZ_ORDER = 8
"""Below it the scalars that a co-Z ladder serves otherwise are not four different ones."""


@dataclass(frozen=True)
class Wanted:
    """A signature: the kind, the system of each input and output in order, and inputs with denominators 1.

    Formulas that take or give scalars too are wanted where ``scalars`` is set, and those that take or give
    points without some coordinate where ``implicit`` is.
    """

    kind: str
    systems: tuple[System, ...]
    normalized: tuple[int, ...] = ()
    scalars: bool = False
    implicit: bool = False


class Fitted:
    """Formulas as they apply to one curve, each made once for plans in several systems."""

    def __init__(self, database: Database, curve: Curve) -> None:
        self.formula = cache(database.formula)
        self._curve = curve
        self._candidates: dict[tuple[str, str], Candidate | None] = {}

    def candidate(self, name: str, home: System) -> Candidate | None:
        """Return a formula as one of a system of its model; None where it does not apply to the curve."""
        key = name, home.id
        if key not in self._candidates:
            self._candidates[key] = self._made(name, home)
        return self._candidates[key]

    def _made(self, name: str, home: System) -> Candidate | None:
        try:
            return candidate(rehome(self.formula(name), home), self._curve.field, self._curve.parameters)
        except NotApplicable:
            return None


class Shelf:
    """The formulas of a curve's model that apply to the curve, found by signature."""

    def __init__(
        self,
        database: Database,
        curve: Curve,
        home: System,
        weights: Weights,
        fitted: Fitted,
        ranking: Ranking | None = None,
    ) -> None:
        self.database, self.curve, self.home = database, curve, home
        self.weights, self._ranking = weights, ranking or by_weights(weights)
        self._fitted = fitted
        prefix = f"{curve.model}/"
        self._ids = database.readable(name for name in database.ids if name.startswith(prefix))

    def system(self, name: str) -> System | None:
        """Return a system of the model by its last name, None if there is none that fits the curve."""
        known = self.database.systems(self.curve.model)
        full = f"{self.curve.model}/{name}"
        return self.database.system(full) if full in known else None

    def find(self, wanted: Wanted, among: Sequence[str] = ()) -> Candidate | None:
        """Return the cheapest formula of a signature, one that looks complete before any other.

        If the law is not complete, formulas are preferred whose result is at infinity where the law divides
        by 0, also for equal points. A formula with an id ``among`` some is preferred.
        """
        curve = self.curve
        found = [c for name in self._ids if (c := self._fitting(name, wanted)) is not None]
        forced = [c for c in found if c.formula.id in among]
        free = [] if forced else [c for c in found if self.database.is_eligible(c.formula.id)]

        def unfit(c: Candidate) -> bool:
            if curve.field.is_binary or has_complete_law(curve.model, curve.prime, curve.parameters):
                return not looks_complete(c.formula, curve.field, c.parameters)
            return adds_equal_points(c.formula, curve.field, c.parameters)

        return min(self._ranking(forced or free), key=unfit, default=None)

    def _fitting(self, name: str, wanted: Wanted) -> Candidate | None:
        if name.split("/")[-2] != wanted.kind:
            return None
        formula = self._fitted.formula(name)
        kind = formula.kind
        points = (*kind.inputs, *(output.point for output in kind.outputs))
        given = bool(kind.scalars), bool(kind.implicit)
        if given != (wanted.scalars, wanted.implicit) or other_input_assumptions(formula):
            return None
        pairs = zip(points, wanted.systems, strict=True)
        if not all(system.includes(formula.system_of(point)) for point, system in pairs):
            return None
        for number in kind.inputs:
            fixed = fixed_coordinates(formula, number)
            if fixed and (number not in wanted.normalized or not fixed.keys() <= _DENOMINATORS):
                return None
            if number in wanted.normalized and not fixed:
                return None
        return self._fitted.candidate(name, self.home)


# Kinds of formulas that plans take from other systems, and models whose chains have a system of their own.
_FOREIGN = {"addition", "conversion", "doubling", "subtraction"}
_MIXED = {"g1p/edwards", "g1p/twisted"}


def rehomed(database: Database, model: str) -> Iterator[Formula]:
    """Yield the formulas that plans may take into another system of their model, which asks no less."""
    homes = [database.system(name) for name in database.systems(model)]
    formulas = [database.formula(name) for name in database.ids if name.startswith(f"{model}/")]
    for home, formula in product(homes, formulas):
        points = (*formula.kind.inputs, *(output.point for output in formula.kind.outputs))
        known = any(home.includes(formula.system_of(point)) for point in points)
        asked = {*map(print_equation, formula.system.assumptions)}
        fits = asked <= {*map(print_equation, home.assumptions)} and {*formula.system.parameters} <= {
            *home.parameters
        }
        if fits and (known or model in _MIXED) and formula.kind.id in _FOREIGN:
            yield rehome(formula, home)


def rehome(formula: Formula, home: System) -> Formula:
    """Return a formula as one of another system of its model; its points stay in their own systems.

    A parameter that both have is the system's, and what the system assumes is not assumed again.
    """
    if home.includes(formula.system):
        return formula
    shared = {*formula.parameters} & {*home.parameters}
    known = {*map(print_equation, home.assumptions)} if shared else set()
    if shared:
        left = tuple(p for p in formula.parameters if p not in shared)
        assumed = tuple(e for e in formula.assumptions if print_equation(e) not in known)
        formula = replace(formula, parameters=left, assumptions=assumed)
    points = (*formula.kind.inputs, *(output.point for output in formula.kind.outputs))
    foreign = {n: formula.system_of(n) for n in points if not home.includes(formula.system_of(n))}
    return replace(formula, system=home, systems=foreign)


@dataclass(frozen=True)
class Chosen:
    """The roles of a curve's kernels, their group, and the formulas by the names of the kernels.

    ``coz`` are the kernels of a co-Z ladder, its start and its step; None if there is none.
    """

    roles: Roles
    kernels: CurveKernels
    formulas: Mapping[str, Formula]
    coz: tuple[str, str] | None


def choose_kernels(
    shelf: Shelf,
    prover: Prover,
    among: Sequence[str] = (),
    prime_order: bool = True,
    branches: bool = False,
    tables: OddMultiples | None = None,
) -> Chosen:
    """Choose and prove the kernels of a curve; ``among`` are formulas to take where they fit.

    If the order is not prime, an entry of a table may be the identity, and is a point as any other.
    Code that ``branches`` needs no sum by slopes. ``tables`` says how tables of odd multiples are made, where
    that is not to be chosen.
    Raises :class:`EfdgenError` for a system in which a curve cannot be computed with.
    """
    choice = _Choice(shelf, among)
    roles = choice.roles(prime_order)
    if not (roles.complete or branches):
        roles = replace(roles, slopes=choice.slopes(roles))
    if tables != "additions" and roles.entry.normalized:
        roles = replace(roles, one_z=choice.one_z(roles, tables))
    order = shelf.curve.order
    coz = choice.coz() if prime_order and order is not None and order >= LEAST_COZ_ORDER else None
    used = roles.kernels.union(coz or ())
    taken = [found for name, found in sorted(choice.chosen.items()) if name in used]
    kernels = group_of(shelf, taken, prover)
    return Chosen(roles, kernels, {name: choice.chosen[name].formula for name in used}, coz)


def group_of(shelf: Shelf, taken: Sequence[Candidate], prover: Prover) -> CurveKernels:
    """Make and prove the kernels of formulas, in one group under the name of the shelf's system."""
    made = group(system_name(shelf.home), shelf.curve.name, shelf.curve.field, taken, prover)
    # The digest is of the file's text, which says nothing of the system that the formula has come into.
    own = tuple(
        replace(kernel, digest=digest(shelf.database.formula(kernel.formula.id))) for kernel in made.kernels
    )
    return replace(made, kernels=own)


def _between(wanted: Wanted) -> str:
    """Say from which system to which a conversion is wanted."""
    if wanted.kind != "conversion":
        return ""
    start, end = (system.id.rpartition("/")[2] for system in wanted.systems)
    return f", from {start} to {end}"


class _Choice:
    """One choice of kernels; ``chosen`` are all that were found, by the names of their functions."""

    def __init__(self, shelf: Shelf, among: Sequence[str]) -> None:
        self.shelf, self.among, self.home = shelf, among, shelf.home
        self.affine = shelf.database.system(f"{shelf.curve.model}/affine")
        self.chosen: dict[str, Candidate] = {}

    def roles(self, prime_order: bool) -> Roles:
        """Return which kernel does what."""
        home, affine = self.home, self.affine
        add = self.need(Wanted("addition", (home, home, home)))
        double = self.need(Wanted("doubling", (home, home)))
        negate = self.need(Wanted("negation", (home, home)))
        conversion = "scaling" if home.id == affine.id else "conversion"
        from_affine = self.need(Wanted(conversion, (affine, home)))
        to_affine = self.need(Wanted(conversion, (home, affine)))
        chain_double, chain_last = self.chain() or (double, double)
        complete, rule = self.is_complete(add), negation(self.chosen[negate].formula)
        plain = Entry("point", False, None, from_affine, add, rule)
        normalized = (self.normalized(rule) if prime_order or complete else None) or plain
        entry = normalized if prime_order and not complete else plain
        fixed = normalized
        if complete:
            entry = self.foreign("cached", home) or self.foreign("products-z", home) or entry
            fixed = self.foreign("niels", affine) or self.foreign("products", affine) or fixed
        return Roles(
            add=add,
            double=double,
            negate=negate,
            from_affine=from_affine,
            to_affine=to_affine,
            chain_double=chain_double,
            chain_last=chain_last,
            complete=complete,
            entry=entry,
            fixed_entry=fixed,
            negation=rule,
        )

    def find(self, wanted: Wanted) -> str | None:
        """Return the name of the best kernel of a signature, None if there is none."""
        found = self.shelf.find(wanted, self.among)
        if found is None:
            return None
        self.chosen[function_name(found.formula)] = found
        return function_name(found.formula)

    def need(self, wanted: Wanted) -> str:
        """Return the name of the best kernel of a signature; raise :class:`EfdgenError` for none."""
        name = self.find(wanted)
        if name is None:
            missing = f"no {wanted.kind} for whole curves{_between(wanted)}"
            raise EfdgenError(f"{self.home.id} has {missing}; choose other --coords")
        return name

    def is_complete(self, name: str) -> bool:
        """Return whether an addition looks complete."""
        found = self.chosen[name]
        return looks_complete(found.formula, self.shelf.curve.field, found.parameters)

    def chain(self) -> tuple[str, str] | None:
        """Return the doubling that others follow, and the last one: projective ones, for extended points."""
        projective = self.projective()
        if projective is None:
            return None
        inner = self.find(Wanted("doubling", (projective, projective)))
        last = self.find(Wanted("doubling", (projective, self.home)))
        return (inner, last) if inner and last else None

    def projective(self) -> System | None:
        """Return the projective system of extended points, None for others."""
        before, extended, _ = self.home.id.rpartition("/")[2].partition("extended")
        return self.shelf.system(f"{before}projective") if extended else None

    def chain_add(self, entry: System) -> str | None:
        """Return the addition of an entry before doublings, None where no other than before them is right."""
        projective = self.projective()
        if projective is None or self.chain() is None:
            return None
        name = self.find(Wanted("addition", (self.home, entry, projective)))
        return name if name and self.is_complete(name) else None

    def normalized(self, rule: tuple[Negation, ...]) -> Entry | None:
        """Return entries over denominators 1, as affine coordinates; None if no mixed addition has them."""
        ratios = [quotient(meaning.right) for meaning in self.home.meanings]
        if any(ratio and ratio.factor != 1 for ratio in ratios):
            return None
        mixed = self.find(Wanted("addition", (self.home, self.home, self.home), (2,)))
        if mixed is None:
            return None
        inputs, _ = arguments(self.chosen[mixed].formula)
        members = inputs[1].type.members
        return Entry(
            "normalized_point", True, None, None, mixed, tuple(n for n in rule if n.member in members)
        )

    def coz(self) -> tuple[str, str] | None:
        """Return the start and the step of a ladder on points of one Z."""
        start = self.find(Wanted("dblu", (self.home,) * 3, (1,)))
        step = self.find(Wanted("zacau", (self.home,) * 4, scalars=True))
        return (start, step) if start and step else None

    def slopes(self, roles: Roles) -> Slopes | None:
        """Return what adds any two points by a slope, None where a sum and a double cost no more."""
        home = self.home
        start = self.find(Wanted("slopes", (home,) * 4, scalars=True))
        add = self.find(Wanted("addition-given-chord", (home,) * 3, scalars=True))
        if not start or not add or self.price(start, add) >= self.price(roles.add, roles.double):
            return None
        return Slopes(start, add)

    def price(self, *names: str) -> Fraction:
        """Return the weight of some kernels."""
        programs = (self.chosen[name].specialised.program for name in names)
        return sum((self.shelf.weights.price(count(program)) for program in programs), Fraction(0))

    def one_z(self, roles: Roles, tables: OddMultiples | None) -> OneZ | None:
        """Return what makes tables of odd multiples over one Z, and computes on with them."""
        home = self.home
        start = self.find(Wanted("dblu", (home,) * 3))
        step = self.find(Wanted("zaddu", (home,) * 4, (1, 2)))
        if not start or not step or not self.is_invariant(step):
            return None
        if tables == "co-z" or not all(map(self.is_invariant, roles.loop)):
            return OneZ(start, step, None)
        kind = "addition-given-inverse"
        add = self.find(Wanted(kind, (home,) * 3, scalars=True, implicit=True))
        return OneZ(start, step, add if add and self.is_invariant(add) else None)

    def is_invariant(self, name: str) -> bool:
        """Return whether the formula of a kernel, in its own system, is right on all isomorphic curves."""
        shelf = self.shelf
        return is_invariant(shelf.database.formula(self.chosen[name].formula.id), shelf.curve)

    def foreign(self, name: str, source: System) -> Entry | None:
        """Return entries in another system, made of points in ``source``; None if there are none."""
        system, home = self.shelf.system(name), self.home
        if system is None or system.id == home.id:
            return None
        add = self.find(Wanted("addition", (home, system, home)))
        make = self.find(Wanted("conversion", (source, system)))
        negated = self.shelf.find(Wanted("negation", (system, system)))
        if add is None or make is None or negated is None or not self.is_complete(add):
            return None
        rule = negation(negated.formula)
        own, given = (make, None) if source is home else (None, make)
        return Entry(f"{system_name(system)}_point", False, own, given, add, rule, self.chain_add(system))

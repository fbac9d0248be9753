"""Proofs that multiplications by scalars give k*P for every k, and that no addition meets an exception.

A routine is followed on symbols: every bit of a scalar is one, every point an integer form in bits. The
functions on points that it calls have contracts in :mod:`leaves`, those on scalars are proved by
:mod:`scalars`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from efdgen.generator.errors import EfdgenError
from efdgen.generator.planning.table_routines import instances
from efdgen.generator.routines import uses
from efdgen.generator.routines.integers import RoutineError
from efdgen.generator.routines.interpreter import Interpreter
from efdgen.generator.scalars.digits import wnaf_entries
from efdgen.verify.routines.conclusion import require_multiple
from efdgen.verify.routines.exceptions import Bounds, Orders, require_basis
from efdgen.verify.routines.forms import Forms
from efdgen.verify.routines.group import Group
from efdgen.verify.routines.picked import ROUTINE, picked, prove_picked
from efdgen.verify.routines.points import TURNED, Point, multiple
from efdgen.verify.routines.prepared import entries
from efdgen.verify.routines.scalars import ScalarContracts
from efdgen.verify.scalars.orders import least_order
from efdgen.verify.symbols.bits import Bitwise, word
from efdgen.verify.symbols.ways import ways

if TYPE_CHECKING:
    from efdgen.generator.planning.plan import CurvePlan
    from efdgen.generator.routines.module import Module
    from efdgen.verify.routines.group import Step
    from efdgen.verify.routines.points import Steps
    from efdgen.verify.symbols.facts import Facts
    from efdgen.verify.symbols.forms import Form

Range = tuple[int, int]
POINTS = "p", "q", "multiples"
"""The names of a multiplication's point, or of its table."""


@dataclass
class Addition:
    """An addition of a multiplication over all ways: the ranges of its inputs by bases, and of the entry.

    ``exceptional`` says whether some scalar may give it an exceptional input, ``complete`` that it is right
    for all.
    """

    complete: bool
    before: dict[str, Range] = field(default_factory=dict)
    entry: int = 0
    exceptional: bool = False

    def extend(self, before: dict[str, Range], entry: int, exceptional: bool) -> None:
        """Add the ranges of one way."""
        for base, (low, high) in before.items():
            known = self.before.get(base, (low, high))
            self.before[base] = min(known[0], low), max(known[1], high)
        self.entry = max(self.entry, entry)
        self.exceptional = self.exceptional or exceptional


@dataclass
class Followed:
    """A multiplication that gives the multiple for every scalar: its ways, additions and doublings.

    ``base`` is P, G, H for a sum of multiples of G and H, or Q for one of G and any point. ``doublings`` says
    of each run of doublings between additions whether some scalar may give it a point that no formula is
    right for. ``failure`` says where a formula may meet an input that it is not right for.
    """

    base: str
    ways: int = 0
    additions: list[Addition] = field(default_factory=list)
    doublings: list[bool] = field(default_factory=list)
    failure: str = ""

    @property
    def exceptional(self) -> list[int]:
        """The numbers of additions that may meet an exceptional input, from 1 on."""
        return [number for number, addition in enumerate(self.additions, 1) if addition.exceptional]

    @property
    def complete_additions(self) -> int:
        """The number of last additions that have to be right for every input."""
        return len(self.additions) + 1 - self.exceptional[0] if self.exceptional else 0

    @property
    def complete_doublings(self) -> int:
        """The number of last runs of doublings that have to be right for every input."""
        return len(self.doublings) - self.doublings.index(True) if any(self.doublings) else 0


class Follower:
    """Follows the multiplications of one curve; its functions on scalars are proved when they are met."""

    def __init__(self, plan: CurvePlan, module: Module) -> None:
        self._plan, self.module = plan, module
        self.scalars = ScalarContracts(plan, module)
        self._tables: dict[tuple[int, ...], tuple[Any, Steps]] = {}
        self._examined: dict[str, Followed] = {}
        self._counts = {way: table.entries for way, table in instances(plan).items()}
        comb = plan.generator.comb
        blocks = [comb.multiples(block) for block in range(comb.blocks)]
        self._constants = {
            "IDENTITY": Point(),
            "GENERATOR": multiple("G"),
            "COMB_TABLE": [[multiple("G", entry) for entry in block] for block in blocks],
            "SECOND_TABLE": [[multiple("H", entry) for entry in block] for block in blocks],
            "DOUBLE_TABLE": [
                [multiple("G", 2 * at + 1) for at in range(wnaf_entries(plan.double.fixed_width))]
            ],
        }
        self._least = plan.order if plan.roles.complete else least_order(plan.order, plan.cofactor)
        if ROUTINE in module.routines:
            prove_picked(module, comb)
        if plan.endomorphism is not None:
            require_basis(plan.endomorphism.split, plan.order)

    @property
    def half_bound(self) -> int | None:
        """The greatest absolute value of a half of a scalar; None without an endomorphism."""
        if self._plan.endomorphism is None:
            return None
        return max(max(abs(low), abs(high)) for low, high in self.scalars.half_ranges())

    def follow(self, routine: str) -> Followed:
        """Prove a multiplication; raise :class:`EfdgenError` with the reason where it is wrong."""
        found = self.examine(routine)
        if found.failure:
            raise EfdgenError(found.failure)
        return found

    def examine(self, routine: str) -> Followed:
        """Prove that a multiplication gives the multiple, and look for exceptional inputs.

        Raises :class:`EfdgenError` with the reason where it does not.
        """
        if routine not in self._examined:
            self._examined[routine] = self._followed(routine)
        return self._examined[routine]

    def _followed(self, routine: str) -> Followed:
        names = self._names(routine)
        found = Followed(self._base(names))

        def followed(facts: Facts) -> None:
            try:
                group, result = self._way(facts, routine)
                self._conclude(facts, group, result, names)
                failure = self._noted(facts, group, found)
            except (RoutineError, EfdgenError) as error:
                raise EfdgenError(f"{_not_proved(routine, facts)}: {error}") from None
            if failure and not found.failure:
                found.failure = f"{_not_proved(routine, facts)}: {failure}"

        found.ways = sum(1 for _ in ways(followed))
        if not found.ways:
            raise EfdgenError(f"{routine} is not proved: no scalar takes any way through it")
        return found

    def _way(self, facts: Facts, routine: str) -> tuple[Group, Point]:
        """Run a routine on one way."""
        words = Bitwise(facts)
        group = Group(facts, words, self._tables, self._counts)
        contracts = group.table | self.scalars.table(facts) | Forms(facts, self.module, self._constants).table
        run = Interpreter(self.module, contracts, self._constants, words)
        contracts[ROUTINE] = picked(run, group, self._plan.generator.comb)
        arguments: list[Any] = []
        many = {name for names in uses.lengths(self.module.routines[routine]).values() for name in names}
        for name in self._names(routine):
            value = self._point(name) if name in POINTS else self._scalar(facts, name)
            # Of arrays of any length, those of one item.
            arguments.append([value] if name in many else value)
        (result,) = run.call(routine, *arguments)
        return group, result

    def _names(self, routine: str) -> list[str]:
        """Return the names of the scalars that a routine takes, and of its point if it takes one."""
        return [parameter.name for parameter in self.module.routines[routine].parameters]

    @staticmethod
    def _base(names: list[str]) -> str:
        """Return the base of a multiplication, as in :class:`Followed`."""
        if names[-1] in POINTS:
            return "P" if len(names) == 2 else "Q"
        return "GH"[len(names) - 1]

    def _point(self, name: str) -> Any:  # noqa: ANN401 - a point, or a table
        return {"entries": entries(self._plan)} if name == "multiples" else multiple("P")

    def _scalar(self, facts: Facts, name: str) -> list[Any]:
        """Return the bytes of any scalar, whose integer is a symbol of this name."""
        reduction, size = self._plan.reduction, self.module.constants["SCALAR_WORDS"].value
        assert isinstance(size, int)
        facts.limits[name] = 0, (1 << 8 * reduction.bytes) - 1
        number = facts.make(name, size, {name: 1})
        data = [word(number.bits[8 * i : 8 * i + 8]) for i in range(reduction.bytes)]
        return data[::-1] if self._plan.encoding.byteorder == "big" else data

    def _conclude(self, facts: Facts, group: Group, result: Point, names: list[str]) -> None:
        plan, scalars = self._plan, [name for name in names if name not in POINTS]
        own = len(scalars) < len(names)
        bases = ["P"] if own and len(scalars) == 1 else ["G", "P" if own else "H"]
        expected: dict[str, Form] = {base: {name: 1} for base, name in zip(bases, scalars, strict=False)}
        if group.neutral:
            del expected["P"]
            result = Point({base: form for base, form in result.forms.items() if base != "P"}, result.curve)
        order = plan.order if not own else plan.cofactor if group.small else plan.order * plan.cofactor
        require_multiple(facts, result, expected, order, plan.endomorphism)

    def _noted(self, facts: Facts, group: Group, found: Followed) -> str:
        """Note the inputs of all steps; return where a formula may meet one that it is not right for."""
        bounds, number, runs, failure = Bounds(facts, self._plan.order), 0, 0, ""
        doubled = False
        for step in group.steps:
            if step.q is None:
                if not doubled:
                    may = self._may_be_small(bounds, group, step)
                    _note(found.doublings, runs, may=may)
                    runs += 1
                    if may and not step.complete:
                        failure = failure or f"a doubling may meet a point of small order{_after(step)}"
                doubled = True
                continue
            doubled = False
            may = not self._plan.roles.complete and self._may_be_exceptional(bounds, group, step)
            addition = self._addition(bounds, found, number, step, may=may)
            number += 1
            if may and not addition.complete:
                failure = failure or f"addition {number} may meet an exceptional input: {_told(addition)}"
        return failure

    @staticmethod
    def _addition(bounds: Bounds, found: Followed, number: int, step: Step, *, may: bool) -> Addition:
        """Note the inputs of an addition; return it with those of this way alone."""
        assert step.q is not None
        if number == len(found.additions):
            found.additions.append(Addition(step.complete))
        if found.additions[number].complete != step.complete:
            raise EfdgenError(f"addition {number + 1} is complete for some scalars alone")
        before = {_named(b, found.base): bounds.range(f) for b, f in step.p.forms.items()}
        entry = max((max(map(abs, bounds.range(f))) for f in step.q.forms.values()), default=0)
        found.additions[number].extend(before, entry, may)
        return Addition(step.complete, before, entry, may)

    def _may_be_small(self, bounds: Bounds, group: Group, step: Step) -> bool:
        """Return whether a doubling may meet a point that the system cannot represent."""
        if not self._plan.representation.shared_numerator or self._plan.roles.complete:
            return False
        for base, form in step.p.forms.items():
            orders = self._orders(group, base)
            if orders is None or bounds.vanishes(form, orders):
                return True
        return not step.p.forms

    def _may_be_exceptional(self, bounds: Bounds, group: Group, step: Step) -> bool:
        assert step.q is not None
        split = self._plan.endomorphism.split if self._plan.endomorphism else None
        orders = [self._orders(group, base.removeprefix(TURNED)) for base in (*step.p.forms, *step.q.forms)]
        known = [found for found in orders if found is not None]
        if len(known) != len(orders) or len(set(known)) != 1:
            return True
        return bounds.meets(step.p, step.q, known[0], split)

    def _orders(self, group: Group, base: str) -> Orders | None:
        """Return the orders that a base may have; None if it may be the identity, or of small order."""
        order = self._plan.order
        if base != "P":
            return Orders(order, order)
        if self._plan.representation.infinite:
            return Orders(order, self._least) if group.neutral is False else None
        return Orders(order, order) if group.small is False else None


def _named(base: str, asked: str) -> str:
    """Return the name of a base; where P was the identity, G is in its place."""
    return base.replace("G", "P") if asked == "P" else base


def _not_proved(routine: str, facts: Facts) -> str:
    case = f", for {', '.join(facts.cases)}" if facts.cases else ""
    return f"{routine} is not proved{case}"


def _note(flags: list[bool], at: int, *, may: bool) -> None:
    """Set a flag of a list, which grows with it, if it may be."""
    if at == len(flags):
        flags.append(False)
    flags[at] = flags[at] or may


def _after(step: Step) -> str:
    return "".join(f", {base}" for base in step.p.forms) or ", the identity"


def _told(addition: Addition) -> str:
    """Return the ranges of an addition's inputs in words."""
    ranges = (f"{base} times {low} to {high}" for base, (low, high) in addition.before.items())
    return f"{', '.join(ranges)}, entry {addition.entry}"

"""Runs of routines on points by cases, for all points of a plan's curve."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from efdgen.generator.planning.curve_routines import entry_labels
from efdgen.generator.planning.equation_routines import parameters_read
from efdgen.generator.planning.special import shared_numerator, x_of_order_four
from efdgen.generator.planning.table_routines import table_kernels
from efdgen.generator.routines.integers import RoutineError
from efdgen.generator.routines.types import described
from efdgen.verify.lemmas import binary
from efdgen.verify.lemmas.cases import COORDINATES, Curve, pairs, single
from efdgen.verify.lemmas.elements import Elements
from efdgen.verify.lemmas.run import Run, every, kernel_leaf
from efdgen.verify.lemmas.shapes import shapes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from efdgen.generator.planning.plan import CurvePlan
    from efdgen.generator.routines.module import Module
    from efdgen.verify.lemmas.cases import Case
    from efdgen.verify.lemmas.shapes import Point, Value
    from efdgen.verify.symbols.facts import Facts

LABELS = ("p", "q")
SCALE = "z"
"""An element beside the coordinates of points."""


class PointRun(Run):
    """One way through one case of points: a curve over elements, and what calls of functions return there."""

    def __init__(self, prover: Prover, facts: Facts) -> None:
        plan, self._prover = prover.plan, prover
        names = [*COORDINATES, SCALE, *(name for label in LABELS for name in prover.names(label))]
        elements = Elements(plan.curve.field.characteristic, [*names, *binary.names(plan)], facts)
        binary.define(plan, elements)
        leaves = {
            name: kernel_leaf(plan.kernel(own), plan.kernels, elements)
            for name, own in prover.kernels.items()
        }
        super().__init__(prover.module, elements, leaves, self._constants(elements))
        self.curve = Curve(plan, elements)

    def value(self, kind: str, label: str, point: Point) -> Value:
        """Return any structure of a type that represents a point."""
        return self._prover.shapes[kind].value(self.elements, label, point, self.curve.parameters)

    def difference(self, kind: str, value: Value, point: Point) -> str:
        """Return how a structure of a type differs from those that represent a point, or an empty text."""
        return self._prover.shapes[kind].difference(self.elements, value, point, self.curve.parameters)

    def call(self, name: str, *arguments: Any) -> list[Any]:  # noqa: ANN401 - structures and integers
        """Return what a routine or a leaf changes and returns: whole structures."""
        found = super().call(name, *arguments)
        for value, kind in zip(found, self._prover.types(name)[1], strict=True):
            if isinstance(value, dict) and value.keys() != set(self._prover.shapes[kind].members):
                raise RoutineError("some member is never written")
        return found

    def _constants(self, elements: Elements) -> dict[str, Any]:
        plan, number = self._prover.plan, elements.number
        members = self._prover.shapes["point"].members
        found: dict[str, Any] = {
            "IDENTITY": dict(zip(members, map(number, plan.representation.identity), strict=True))
        }
        found |= {f"CURVE_{name.upper()}": number(value) for name, value in plan.curve.parameters.items()}
        found["FACTOR"] = number(plan.representation.batch_factor)
        if plan.model == "binary":
            return found | {f"CURVE_{n.upper()}": number(v) for n, v in parameters_read(plan).items()}
        if plan.endomorphism:
            found["BETA"] = number(plan.endomorphism.beta)
        if shared_numerator(plan):
            found["X_OF_ORDER_FOUR"] = number(x_of_order_four(plan))
        return found


def _with(follow: Callable[[PointRun, Case], str], case: Case, run: PointRun) -> str:
    return follow(run, case)


class Prover:
    """The routines on points of one plan, and cases for each."""

    def __init__(self, plan: CurvePlan, module: Module) -> None:
        self.plan, self.module = plan, module
        self.kernels = _kernels(plan)
        known = shapes(plan)
        names = {"point": "point", "affine": "affine_point" if "affine_point" in known else "point"}
        names |= {label: kind.entry.type for label, kind in entry_labels(plan).items()}
        names["doubled"] = plan.kernel(plan.roles.chain_double).inputs[0].type.name
        self.shapes = {kind: known[name] for kind, name in names.items() if name in known}
        self.single, self.pairs = single(plan), pairs(plan)

    @property
    def places(self) -> int:
        """The most digits of a scalar."""
        places = self.module.constants["DIGITS"].value
        assert isinstance(places, int)
        return places

    def names(self, label: str) -> list[str]:
        """Return the names of the coordinates of a point, in any of the shapes."""
        return list(dict.fromkeys(name for shape in self.shapes.values() for name in shape.names(label)))

    def types(self, name: str) -> tuple[list[str], list[str]]:
        """Return the names of the types of a routine's arguments, and of what it changes and returns."""
        routine = self.module.routines[name]
        changed = [p.type for p in routine.parameters if p.mode]
        # A leaf that is not a value writes what it changes, and does not read it.
        given = [p.type for p in routine.parameters if not (routine.leaf and p.mode)]
        made = [*changed, *(r.type for r in routine.results)]
        return [described(kind) for kind in given if kind], [described(kind) for kind in made if kind]

    def start(self, facts: Facts) -> PointRun:
        """Return a run for the facts of a way."""
        return PointRun(self, facts)

    def cases(self, name: str, cases: Iterable[Case], follow: Callable[[PointRun, Case], str]) -> None:
        """Follow every way through some cases; raise :class:`EfdgenError` with the first failure."""
        for case in cases:
            self.every(name, case.title, partial(_with, follow, case))

    def every(self, name: str, case: str, follow: Callable[[PointRun], str]) -> None:
        """Follow every way through a case; raise :class:`EfdgenError` with the first failure."""
        every(name, case, self.start, follow)


def _kernels(plan: CurvePlan) -> dict[str, str]:
    """Return the kernels of a plan by the names of their leaves."""
    roles = plan.roles
    found = {
        f"{name}_kernel": getattr(roles, name)
        for name in ("add", "double", "negate", "from_affine", "to_affine")
    }
    # Chains of additions on one Z are followed as such.
    chained = ("one_z_start_kernel", "one_z_step_kernel")
    found |= {name: own for name, own in table_kernels(plan).items() if name not in chained}
    for label, kind in entry_labels(plan).items():
        found[f"add_{label}_kernel"] = kind.entry.add
        if kind.entry.chain_add:
            found[f"chain_add_{label}"] = kind.entry.chain_add
    found |= {"chain_double_kernel": roles.chain_double, "chain_last_kernel": roles.chain_last}
    if roles.slopes:
        found |= {"slopes_kernel": roles.slopes.start, "slope_add_kernel": roles.slopes.add}
    return found

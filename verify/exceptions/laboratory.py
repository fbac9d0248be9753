"""The tiny curves for a formula, and their data that many formulas share.

Curves come from several fields. Random ones that show new pairs of features are taken first, so that
all group structures that matter are among a few: the order odd or even, all of the 2-torsion or one point of
it, parameters squares or not.
"""

from __future__ import annotations

from itertools import combinations, islice
from random import Random
from typing import TYPE_CHECKING

from efdgen.generator.errors import EfdgenError
from efdgen.generator.language.syntax import names_in
from efdgen.verify.exceptions.features import features
from efdgen.verify.exceptions.fields import tiny_orders
from efdgen.verify.exceptions.representatives import Representatives
from efdgen.verify.exceptions.specimen import Specimen
from efdgen.verify.exceptions.tiny_curve import TinyCurve
from efdgen.verify.exceptions.tiny_field import satisfied, tiny_field
from efdgen.verify.exceptions.trials import Trials

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from efdgen.generator.formulas.formula import Formula, System
    from efdgen.generator.language.syntax import Equation
    from efdgen.verify.exceptions.representation import Vanishing
    from efdgen.verify.exceptions.tiny_field import TinyField

ENOUGH = 6
"""On how many tiny curves a formula's own parameters must have values; else these are chosen first."""

_CANDIDATES = 12
_FEWEST_POINTS = 5


class Laboratory:
    """Tiny curves, representatives of their points, and trials, each made once."""

    def __init__(self) -> None:
        self._pools: dict[object, list[Specimen]] = {}
        self._specimens: dict[object, list[Specimen]] = {}
        self._representatives: dict[object, Representatives] = {}
        self._trials: dict[object, Trials] = {}
        self._images: dict[object, tuple[TinyCurve, list[int]] | None] = {}

    def specimens(self, formula: Formula) -> list[Specimen]:
        """Return all tiny curves that satisfy a formula's assumptions, the most different ones first.

        Raises :class:`EfdgenError` if there is none.
        """
        system = formula.system
        equations = tuple(e for e in formula.all_assumptions if e not in formula.input_assumptions)
        mapped = formula.map.id if formula.map else ""
        orders = tiny_orders(formula)
        key = (*_curves_key(formula), mapped, system.parameters, formula.all_parameters, equations, orders)
        if key not in self._specimens:
            self._specimens[key] = self._suitable(formula, equations, orders)
        if not self._specimens[key]:
            raise EfdgenError(f"{formula.id}: no tiny curve satisfies the assumptions")
        return self._specimens[key]

    def representatives(self, formula: Formula, specimen: Specimen) -> dict[int, Representatives]:
        """Return what represents the points of a curve, for each input and output of a formula."""
        curves = dict.fromkeys(formula.kind.inputs, specimen.curve)
        curves |= {output.point: specimen.target for output in formula.kind.outputs}
        systems = {number: formula.system_of(number) for number in curves}
        return {n: self._represented(system, curves[n], specimen.parameters) for n, system in systems.items()}

    def ambiguous(self, formula: Formula, specimens: Iterable[Specimen]) -> dict[int, frozenset[Vanishing]]:
        """Return which variables of each input and output vanish in what represents no point."""
        found: dict[int, frozenset[Vanishing]] = {}
        for specimen in specimens:
            for number, known in self.representatives(formula, specimen).items():
                found[number] = found.get(number, frozenset()) | known.ambiguous
        return found

    def trials(self, formula: Formula, specimen: Specimen) -> Trials:
        """Return the trials of all formulas that take and give the same."""
        known = self.representatives(formula, specimen)
        mentioned = set().union(*map(_names, formula.input_assumptions))
        own = tuple(specimen.parameters[name] for name in formula.all_parameters if name in mentioned)
        key = (
            specimen.curve,
            formula.kind,
            tuple(known.values()),
            formula.input_assumptions,
            formula.hints,
            own,
        )
        if key not in self._trials:
            self._trials[key] = Trials(formula, specimen, known)
        return self._trials[key]

    def _suitable(
        self, formula: Formula, equations: Sequence[Equation], orders: Sequence[int]
    ) -> list[Specimen]:
        shared = (*formula.system.model.parameters, *formula.system.parameters)
        own = [name for name in formula.all_parameters if name not in shared]
        on_curve = [e for e in equations if _names(e) <= set(shared)]
        found = self._completed(formula, own, equations, self._pool(formula, shared, on_curve, orders))
        if len(found) < ENOUGH:
            found = self._completed(
                formula, (), (), self._pool(formula, formula.all_parameters, equations, orders)
            )
        return found

    def _completed(
        self, formula: Formula, names: Sequence[str], equations: Sequence[Equation], pool: Iterable[Specimen]
    ) -> list[Specimen]:
        """Return specimens with values of more names, and with what the formula's map makes of them."""
        found = []
        for curve, known, *_ in pool:
            values = solutions(names, equations, curve.field, known)
            specimens = (self._mapped(formula, Specimen(curve, parameters, curve)) for parameters in values)
            found += list(islice(filter(None, specimens), 1))
        return found

    def _represented(
        self, system: System, curve: TinyCurve, parameters: Mapping[str, int]
    ) -> Representatives:
        own = tuple(parameters[name] for name in system.parameters)
        key = (curve, system.id, system.variables, system.meanings, own)
        if key not in self._representatives:
            self._representatives[key] = Representatives(system, curve, parameters)
        return self._representatives[key]

    def _mapped(self, formula: Formula, specimen: Specimen) -> Specimen | None:
        """Return a specimen with what the formula's map makes of its curve, None where that is no curve."""
        curve, parameters, *_ = specimen
        between = formula.map
        if between is None:
            return specimen
        key = (curve, between.id, *(parameters[name] for name in between.parameters))
        if key not in self._images:
            try:
                self._images[key] = curve.images(between, parameters)
            except (ValueError, ZeroDivisionError):
                self._images[key] = None
        found = self._images[key]
        return Specimen(curve, parameters, *found) if found else None

    def _pool(
        self, formula: Formula, names: Sequence[str], equations: Sequence[Equation], orders: Sequence[int]
    ) -> list[Specimen]:
        key = (*_curves_key(formula), tuple(names), tuple(equations), orders)
        if key not in self._pools:
            found = [
                s for order in orders for s in _random_curves(formula, tiny_field(order), names, equations)
            ]
            self._pools[key] = _most_different_first(found)
        return self._pools[key]


def _curves_key(formula: Formula) -> tuple[object, ...]:
    """Return what of a formula says which tiny curves there are."""
    model = formula.system.model
    return model.id, model.equations, tuple(model.weierstrass.values())


def _random_curves(
    formula: Formula, field: TinyField, names: Sequence[str], equations: Sequence[Equation]
) -> Iterator[Specimen]:
    every = list(solutions(names, equations, field, {}))
    Random(field.order).shuffle(every)
    made = 0
    for parameters in every:
        try:
            curve = TinyCurve(formula.system.model, field, parameters)
        except (ValueError, ZeroDivisionError):
            continue
        if len(curve.group) >= _FEWEST_POINTS:
            yield Specimen(curve, parameters, curve)
            made += 1
        if made == _CANDIDATES:
            return


def _most_different_first(specimens: Iterable[Specimen]) -> list[Specimen]:
    """Sort curves by how many pairs of features each shows that none before it does."""
    left = [(specimen, set(combinations(_shown(specimen.curve).items(), 2))) for specimen in specimens]
    ordered = []
    while left:
        best = max(left, key=lambda candidate: len(candidate[1]))
        left.remove(best)
        ordered.append(best[0])
        for _, shown in left:
            shown.difference_update(best[1])
    return ordered


def _shown(curve: TinyCurve) -> dict[str, bool]:
    """Return the features of a tiny curve, those of its group and of its coordinates included."""
    group = curve.group
    found = features(curve.field, curve.parameters, len(group))
    torsion = sum(point == negative for point, negative in enumerate(group.negatives))
    found["all points of order 2 are rational"] = torsion == 4
    found |= {f"the order is divisible by {n}": len(group) % n == 0 for n in (8, 16)}
    for index, coordinate in enumerate(curve.model.coordinates):
        found[f"{coordinate} has a zero"] = any(point[index] == 0 for point in curve.affine)
        found[f"{coordinate} has a pole"] = any(point[index] is None for point in curve.affine)
    return found


def solutions(
    names: Sequence[str], equations: Sequence[Equation], field: TinyField, known: Mapping[str, int]
) -> Iterator[dict[str, int]]:
    """Yield all values of names for which the equations hold that mention no others."""
    if not names:
        yield dict(known)
        return
    name, *others = names
    settled = [e for e in equations if name in _names(e) and _names(e) <= {name, *known}]
    for value in range(field.order):
        extended = {**known, name: value}
        if all(satisfied(equation, field, extended) for equation in settled):
            yield from solutions(others, equations, field, extended)


def _names(equation: Equation) -> set[str]:
    return {name.text for side in (equation.left, equation.right) for name in names_in(side)}

"""Published multiples of generators, reached by chains of doublings and additions of the generator.

Each step of a chain is a case of its own whose input is the previous step's output, coordinate for
coordinate; where every step gives exactly that, the kernels have computed the published multiple.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from efdgen.generator.curves.affine import AffineCurve
from efdgen.generator.curves.instantiate import instantiate
from efdgen.generator.curves.represent import represent
from efdgen.generator.formulas.layers import BUILT_IN
from efdgen.verify.vectors.cases import FormulaRunner
from efdgen.verify.vectors.data import Case

if TYPE_CHECKING:
    from collections.abc import Mapping
    from random import Random

    from efdgen.generator.curves.affine import Point
    from efdgen.generator.curves.curve import Curve
    from efdgen.generator.programs.kernel import CurveKernels, Kernel

FOLDER = BUILT_IN / "vectors"


def published_multiples(curve: Curve) -> dict[int, Point]:
    """Return published multiples of a curve's generator by factor, 1 among them; none for most curves."""
    path = FOLDER / f"{curve.name}.json"
    if not path.is_file() or curve.generator is None:
        return {}
    rows = json.loads(path.read_text(encoding="utf-8"))["multiples"]
    multiples: dict[int, Point] = {int(row["k"], 16): (int(row["x"], 16), int(row["y"], 16)) for row in rows}
    # A curve of the user's may bear a known name, but it is not the published one then.
    return multiples if multiples[1] == tuple(curve.generator.values()) else {}


def chained_cases(curve: Curve, group: CurveKernels, rng: Random) -> dict[str, tuple[Case, ...]]:
    """Return the steps to every published multiple, by kernel; none where a group cannot add and double."""
    published = published_multiples(curve)
    double, add = _general(group, "doubling"), _general(group, "addition")
    if not published or double is None or add is None:
        return {}
    chain = _Chain(curve, published, double, add, rng)
    for factor in published:
        chain.reach(factor)
    return {name: tuple(cases) for name, cases in chain.cases.items()}


def _general(group: CurveKernels, kind: str) -> Kernel | None:
    """Return a kernel of a kind that asks nothing of its inputs, within one coordinate system."""
    for kernel in group.kernels:
        formula = kernel.formula
        if formula.kind.id == kind and not formula.input_assumptions and not formula.systems:
            return kernel
    return None


class _Chain:
    """Multiples of the generator, with the coordinates that doubling and adding from the top bit give."""

    def __init__(
        self, curve: Curve, published: Mapping[int, Point], double: Kernel, add: Kernel, rng: Random
    ) -> None:
        system, field = double.formula.system, curve.field
        self._double, self._add, self._published = double, add, published
        self._affine = AffineCurve(system.model, field, curve.parameters)
        parameters = instantiate(double.formula, field, curve.parameters)
        self._runners = {
            kernel.name: FormulaRunner(
                kernel.formula, field, instantiate(kernel.formula, field, curve.parameters)
            )
            for kernel in (double, add)
        }
        self._points = {1: published[1]}
        self._coordinates = {1: represent(system, field, parameters, published[1], rng)}
        self.cases: dict[str, list[Case]] = {double.name: [], add.name: []}

    def reach(self, factor: int) -> None:
        for shift in reversed(range(factor.bit_length() - 1)):
            top = factor >> shift
            self._step(self._double, top & ~1, top >> 1)
            if top & 1:
                self._step(self._add, top, top & ~1, 1)

    def _step(self, kernel: Kernel, target: int, *sources: int) -> None:
        if target in self._points:
            return
        inputs = [(a, self._coordinates[s]) for a, s in zip(kernel.inputs, sources, strict=True)]
        named = {a.members[m]: value for a, coordinates in inputs for m, value in coordinates.items()}
        outputs = self._runners[kernel.name].outputs(named)
        (output,) = kernel.outputs
        self._coordinates[target] = {m: outputs[name] for m, name in output.members.items()}
        first, last = (self._points[source] for source in (sources[0], sources[-1]))
        self._points[target] = self._published.get(target) or self._affine.add(first, last)
        self.cases[kernel.name].append(
            Case(
                inputs=tuple(coordinates[m] for a, coordinates in inputs for m in a.type.members),
                aliases=(),
                expected=(self._points[target],),
                exact=tuple(self._coordinates[target].values()),
                origin="published" if target in self._published else "chain",
            )
        )

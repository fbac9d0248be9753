"""Homogeneity of a formula's outputs, by weights: the result is independent of representatives.

A scaling of the inputs that keeps their meaning and the assumptions has to scale the outputs and to keep
their meaning. Outputs are polynomials, or fractions of such, so this then holds for all inputs that there
are.
"""

from __future__ import annotations

from functools import reduce
from operator import mul
from typing import TYPE_CHECKING

from efdgen.verify.exceptions.weights import WeightForms, kernel

if TYPE_CHECKING:
    from collections.abc import Mapping

    from efdgen.generator.formulas.formula import Formula
    from efdgen.verify.exceptions.locus import DegenerateLocus
    from efdgen.verify.exceptions.weights import Form
    from efdgen.verify.laws.algebra import Polynomial, Ratio


def is_homogeneous(locus: DegenerateLocus) -> bool:
    """Return whether every scaling of a formula's inputs scales its outputs."""
    formula = locus.formula
    scaled = (*formula.input_coordinates, *formula.kind.free)
    forms = WeightForms(scaled)
    models = (formula.system.model, *([formula.map.target] if formula.map else []))
    unscaled = [
        *formula.all_parameters,
        *(c for model in models for c in (*model.parameters, *model.coordinates)),
    ]
    names = forms.names() | forms.weightless(unscaled)
    for number in formula.kind.inputs:
        _require_meaning(formula, number, forms, names)
    for equation in formula.all_assumptions:
        forms.require(equation, names)
    scalings = list(kernel(forms.constraints, len(scaled)))
    for outputs in locus.forms_of_outputs():
        forms.constraints.clear()
        known = names | {name: _form(value, locus, forms) for name, value in outputs.items()}
        for output in formula.kind.outputs:
            _require_meaning(formula, output.point, forms, known)
        if not any(sum(map(mul, form, scaling)) for form in forms.constraints for scaling in scalings):
            return True
    return False


def _form(value: Ratio, locus: DegenerateLocus, forms: WeightForms) -> Form:
    """Return the weight of a rational function: exponents are the weight of a term."""
    names = list(locus.field.generators)
    places = [names.index(name) for name in (*locus.formula.input_coordinates, *locus.formula.kind.free)]

    def weight(polynomial: Polynomial) -> Form:
        terms = [tuple(int(powers[place]) for place in places) for powers in polynomial.exponents()]
        return reduce(forms.add, terms, None)

    return forms.mul(weight(value.numerator), forms.inv(weight(value.denominator)))


def _require_meaning(formula: Formula, point: int, forms: WeightForms, names: Mapping[str, Form]) -> None:
    """Ask that the equations which say what the coordinates of a point mean are homogeneous."""
    known = {**names, **{variable: names[name] for variable, name in formula.coordinates(point).items()}}
    for equation in formula.system_of(point).meanings:
        forms.require(equation, known)

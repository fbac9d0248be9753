"""The symbolic side: where, on the generic curve, do the outputs of a formula represent nothing?

An output that is right for inputs in general is right, by continuity, wherever nothing is divided by zero and
its coordinates represent one point. So the inputs on which a formula is wrong are the zeros of ideals: limits
of representatives for which the coordinates of an output all vanish, or so many of them that several points
have what is left for a limit. Singular's factorising Gröbner basis splits them into components.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Any

from efdgen.generator.language.syntax import Name
from efdgen.generator.programs.interpreter import evaluate, run
from efdgen.verify.exceptions.labels import input_labels
from efdgen.verify.exceptions.limits import input_limits
from efdgen.verify.exceptions.representation import representation
from efdgen.verify.laws.algebra import Ratio
from efdgen.verify.laws.singular import SingularFunctions, singular_command
from efdgen.verify.laws.weierstrass import WeierstrassForm

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from efdgen.generator.formulas.formula import Formula
    from efdgen.generator.language.syntax import Equation
    from efdgen.generator.programs.program import Program
    from efdgen.verify.exceptions.representation import Vanishing
    from efdgen.verify.laws.algebra import Polynomial
    from efdgen.verify.laws.terms import Terms

_split = singular_command("facstd")

_RECIPROCAL = "reciprocal"

_MOST = 4000
"""The most characters of a polynomial that describes a component."""

Ideal = Any


@dataclass(frozen=True)
class Component:
    """A part of the degenerate locus: a Gröbner basis of its ideal, and what tells it from the rest.

    ``chart`` makes a coordinate of inputs 1 or 0, where representatives may be scaled so; ``own`` goes
    without it.
    """

    basis: Sequence[Polynomial]
    chart: tuple[Polynomial, ...]
    own: Sequence[Polynomial]


class DegenerateLocus:
    """The inputs at which an output of a formula is undefined or represents nothing, in components.

    ``ambiguous`` says of each input and output which variables are zero in limits that several points have.
    """

    def __init__(
        self, formula: Formula, programs: Sequence[Program], ambiguous: Mapping[int, Iterable[Vanishing]]
    ) -> None:
        self.formula, self._ambiguous = formula, ambiguous
        self._terms: dict[Polynomial, Terms] = {}
        names = [_RECIPROCAL, *formula.all_parameters, *formula.input_coordinates, *formula.kind.free]
        self.field = SingularFunctions(names, binary=formula.system.model.binary)
        self.names, self._relations = self._assumed()
        self._define(equation for equation in formula.input_scalars if equation not in formula.hints)
        # A scalar that is not defined cannot be given; a hint that is not defined cannot be right.
        self.field.divisors.clear()
        self._define(formula.hints)
        self.outputs: dict[str, Ratio] = {}
        for program in programs:
            self.outputs |= run(program, self.field, self.names)
        self._divisors = [divisor for divisor in self.field.divisors if not divisor.is_constant()]
        self.components = [
            part
            for polynomials in self._degenerate()
            for chart in self._charts(polynomials)
            for part in self._parts(polynomials, chart)
        ]

    def terms(self, polynomial: Polynomial) -> Terms:
        """Return a polynomial as integers and names."""
        if polynomial not in self._terms:
            self._terms[polynomial] = self.field.terms(polynomial)
        return self._terms[polynomial]

    def on_parameters(self, component: Component) -> tuple[Terms, ...]:
        """Return the polynomials of a component in parameters alone: on other curves it is empty."""
        return tuple(map(self.terms, filter(self._is_of_parameters, self._independent(component))))

    def is_of_curves(self, component: Component) -> bool:
        """Return whether a component is all inputs in a chart on some curves."""
        polynomials = list(self._independent(component))
        return bool(polynomials) and all(map(self._is_of_parameters, polynomials))

    def _is_of_parameters(self, polynomial: Polynomial) -> bool:
        parameters = {self.field.generators[name] for name in self.formula.all_parameters}
        return parameters.issuperset(polynomial.variables())

    def description(self, component: Component) -> str:
        """Say by equations where a component is, in affine coordinates or in those of numbered points."""
        polynomials, affine = list(self._independent(component)), self._affine_coordinates
        at_ones = all(polynomial.constant_coefficient() == -1 for polynomial in component.chart)
        used = {str(x) for p in polynomials for x in p.variables()}
        if not at_ones or used & {str(self.field.generators[name]) for name in self._projective}:
            polynomials, affine = [*polynomials, *component.chart], {}
        return " and ".join(f"{self.field.text(p, _MOST, names=affine)}=0" for p in polynomials)

    @cached_property
    def _affine_coordinates(self) -> dict[str, str]:
        """Names for the coordinates of inputs that are affine where others are 1: ``x(P)`` for ``X1``."""
        labels = input_labels(self.formula.kind)
        found: dict[str, str] = {}
        for number in self.formula.kind.inputs:
            known, names = (
                representation(self.formula.system_of(number)).affine,
                self.formula.coordinates(number),
            )
            found |= {names[v]: f"{text}({labels[number]})" for v, text in known.items()}
        return found

    @cached_property
    def _projective(self) -> set[str]:
        """The coordinates of inputs that are not affine where others are 1."""
        return {*self.formula.input_coordinates} - self._affine_coordinates.keys()

    def _independent(self, component: Component) -> Iterator[Polynomial]:
        """Yield the polynomials of a component that do not follow from those before and what always holds."""
        known = [*self._relations, *component.chart]
        for polynomial in component.own:
            if polynomial.reduce(self.field.ring.ideal(known).groebner_basis()) != 0:
                known.append(polynomial)
                yield polynomial

    def forms_of_outputs(self) -> Iterator[Mapping[str, Ratio]]:
        """Yield the outputs as they are computed, and then reduced by what holds between inputs."""
        yield self.outputs
        basis = self.field.ring.ideal(self._relations).groebner_basis()
        yield {
            name: Ratio(value.numerator.reduce(basis), value.denominator.reduce(basis))
            for name, value in self.outputs.items()
        }

    def is_genuine(self, component: Component) -> bool:
        """Return whether a component holds representatives of points of curves that are not singular."""
        for number in self.formula.kind.inputs:
            names = self.formula.coordinates(number)
            for variables in self._nothing(number):
                values = (self.names[names[variable]].numerator for variable in variables)
                if all(value.reduce(component.basis) == 0 for value in values):
                    return False
        reciprocal = self.field.generators[_RECIPROCAL]
        ideal = self.field.ring.ideal([*component.basis, 1 - reciprocal * prod(self._nonzero)])
        return not ideal.is_one()

    @cached_property
    def _nonzero(self) -> list[Polynomial]:
        """The nonzero polynomials: discriminant factors of the curve and of a map's target; free scalars."""
        between = self.formula.map
        values = [WeierstrassForm(self.formula.system.model, self.field, self.names).discriminant()]
        if between is not None:
            curve = {name: evaluate(value, self.field, self.names) for name, value in between.curve.items()}
            values += [WeierstrassForm(between.target, self.field, curve).discriminant(), *curve.values()]
        sides = [side for value in values[:2] for side in (value.numerator, value.denominator)]
        sides += [value.denominator for value in values[2:]]
        sides += [self.field.generators[name] for name in self.formula.kind.free]
        return list(dict.fromkeys(factor for side in sides for factor, _ in side.factor()))

    @cached_property
    def _nonzero_ideal(self) -> Ideal:
        return self.field.ring.ideal(self._nonzero)

    def _define(self, scalars: Iterable[Equation]) -> None:
        for equation in scalars:
            assert isinstance(equation.left, Name)
            self.names[equation.left.text] = evaluate(equation.right, self.field, self.names)

    def _assumed(self) -> tuple[dict[str, Ratio], list[Polynomial]]:
        """Return what names are worth, as far as assumptions on parameters are solved, and relations left."""
        formula, field = self.formula, self.field
        names = (*formula.all_parameters, *formula.input_coordinates, *formula.kind.free)
        values = {name: field.name(name) for name in names}
        relations: list[Polynomial] = []
        for equation in formula.all_assumptions:
            polynomial = self._difference(equation, values)
            free = [name for name in formula.all_parameters[::-1] if values[name] == field.name(name)]
            solution = None if polynomial == 0 else field.solve(polynomial, free)
            # A slope that may vanish is not divided by: its zeros belong to the locus too.
            exact = solution is not None and solution[1].denominator.is_constant()
            if solution is not None and exact and equation not in formula.input_assumptions:
                values = {name: field.substitute(value, *solution) for name, value in values.items()}
                relations = [field.substitute(Ratio(p, field.one), *solution).numerator for p in relations]
            elif polynomial != 0:
                relations.append(polynomial)
        known = {
            str(field.generators[name]): value.numerator * value.denominator.constant_coefficient() ** -1
            for name, value in values.items()
        }
        relations += [relation.subs(**known) for relation in input_limits(formula, field)]
        return values, [relation for relation in relations if relation != 0]

    def _degenerate(self) -> Iterator[list[Polynomial]]:
        """Yield what is zero where something is divided by zero, or where an output represents nothing."""
        yield from ([divisor] for divisor in self._divisors)
        for output in self.formula.kind.outputs:
            names = self.formula.coordinates(output.point)
            for variables in self._nothing(output.point):
                yield [self.outputs[names[variable]].numerator for variable in sorted(variables)]

    def _nothing(self, point: int) -> list[Vanishing]:
        """Return the sets of a point's variables that vanish together only where nothing is represented."""
        known = representation(self.formula.system_of(point)).degenerate
        return [*known, *sorted(self._ambiguous[point], key=sorted)]

    def _charts(self, polynomials: Sequence[Polynomial]) -> Iterator[list[Polynomial]]:
        """Yield what to make zero for each choice of a coordinate of every input as 1 or 0.

        If everything is homogeneous, representatives with Z = 1 or Z = 0 are all that matters.
        """
        choices = [
            [[unit - 1 for unit in units], units]
            for number in self.formula.kind.inputs
            for units in self._units(number, [*self._relations, *polynomials])
        ]
        for chosen in product(*choices):
            yield [polynomial for choice in chosen for polynomial in choice]

    def _units(self, number: int, polynomials: Sequence[Polynomial]) -> Iterator[list[Polynomial]]:
        """Yield coordinates that are 1 in the section, for each scaling for which all is homogeneous."""
        known = representation(self.formula.system_of(number))
        names = self.formula.coordinates(number)
        for weights in known.scalings:
            weight = dict(zip(names, weights, strict=True))
            units = [self.field.generators[names[variable]] for variable in known.ones if weight[variable]]
            degrees = {str(self.field.generators[name]): weight[variable] for variable, name in names.items()}
            if units and all(_is_homogeneous(polynomial, degrees) for polynomial in polynomials):
                yield units

    def _parts(self, polynomials: Iterable[Polynomial], chart: Sequence[Polynomial]) -> Iterator[Component]:
        known = {*self._relations, *chart}
        ideal = self.field.ring.ideal([*self._relations, *polynomials, *chart])
        for basis in _split(ideal, self._nonzero_ideal):
            own = [polynomial for polynomial in basis if polynomial not in known]
            if not any(polynomial.is_constant() for polynomial in own):
                yield Component(
                    list(basis), tuple(chart), sorted(own, key=lambda polynomial: len(polynomial.monomials()))
                )

    def _difference(self, equation: Equation, names: Mapping[str, Ratio]) -> Polynomial:
        left, right = (evaluate(side, self.field, names) for side in (equation.left, equation.right))
        return self.field.primitive(self.field.sub(left, right))


def _is_homogeneous(polynomial: Polynomial, weights: Mapping[str, int]) -> bool:
    """Return whether all terms of a polynomial have the same weight."""
    generators = [(index, weights.get(str(x), 0)) for index, x in enumerate(polynomial.parent().gens())]
    weighted = [(index, weight) for index, weight in generators if weight]
    return (
        len({sum(powers[index] * weight for index, weight in weighted) for powers in polynomial.exponents()})
        <= 1
    )

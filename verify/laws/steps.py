"""Many doublings in a row, proved one after another: 8·P as 2·P, and 4 times that.

The affine law of 8·P is too large to compare with. But a program of doublings that share intermediate
values holds a representative of 2·P, and what comes after computes with that, and with what is carried
along, such as a·Z^4. Their places are found on one point of one curve modulo a prime, which claims
nothing: the finding becomes a law of the first part and an assumption of the second, and both are proved.

The parts together prove the whole: with P generic, 2·P is generic too, and an identity of rational functions
in a generic point and any scale holds for the scale that the first part gives.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from efdgen.generator.curves.affine import AffineCurve
from efdgen.generator.curves.instantiate import find_curve, suitable_prime
from efdgen.generator.curves.represent import represent
from efdgen.generator.formulas.formula import Kind, Output, System
from efdgen.generator.formulas.signature import fixed_coordinates
from efdgen.generator.language.syntax import Binary, Equation, Name, Number, names_in
from efdgen.generator.mathematics.prime import PrimeField
from efdgen.generator.passes.dead_code import remove_dead_code
from efdgen.generator.programs.builder import ProgramBuilder
from efdgen.generator.programs.interpreter import evaluate, trace
from efdgen.generator.programs.program import Constant, Input, Parameter, Program, operands, with_operands
from efdgen.verify.exceptions.representation import representation

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from efdgen.generator.formulas.formula import Formula
    from efdgen.generator.language.syntax import Expression

AT_ONCE = 4
"""Up to this multiple a law is compared with at once."""

_FACTORS = tuple(sign * 2**power for power in range(5) for sign in (1, -1))
_MOST_SCALES = 8


class Part(NamedTuple):
    """A formula and a program of its signature; the formula's own assignments have no part in it."""

    formula: Formula
    program: Program


class _Cut(NamedTuple):
    """The position of 2·P in a program: its system, the values of its variables, and carried values.

    A carried value is an expression in parameters and in the variable that scales.
    """

    system: System
    values: Mapping[str, int]
    carried: Mapping[int, tuple[int, str | None, int]]
    scale: str


def in_parts(formula: Formula, program: Program) -> list[Part]:
    """Return the parts of a program to be proved one by one; the whole where it needs or has none."""
    whole = [Part(formula, program)]
    multiple = _multiple(formula)
    if multiple <= AT_ONCE or multiple % 2:
        return whole
    cut = _Search(formula, program).cut()
    if cut is None:
        return whole
    return [_first(formula, program, cut), *in_parts(*_rest(formula, program, cut, multiple // 2))]


def _multiple(formula: Formula) -> int:
    """Return n where a formula gives n·P of its only point P and asks for no more; else 1."""
    kind = formula.kind
    plain = not (kind.given or kind.shared or kind.implicit or kind.free or kind.scaled or formula.tests)
    if not plain or formula.map or formula.hints or len(kind.inputs) != 1 or len(kind.outputs) != 1:
        return 1
    match kind.outputs[0].law:
        case Binary("*", Number(factor), Name()):
            return factor
    return 1


def _first(formula: Formula, program: Program, cut: _Cut) -> Part:
    """Return the part that computes 2·P and what is carried along."""
    outputs = [(f"{variable}3", value) for variable, value in cut.values.items()]
    carried = [(f"carried{number}_3", value) for number, value in enumerate(cut.carried)]
    claims = tuple(
        Equation(Name(name), _monomial(*cut.carried[value], f"{cut.scale}3")) for name, value in carried
    )
    kind = _doubling(formula.kind, 2, (*formula.kind.scalars, *claims))
    systems = {kind.inputs[0]: formula.system_of(kind.inputs[0]), 3: cut.system}
    shorter = remove_dead_code(Program(program.instructions, (*outputs, *carried)))
    return Part(replace(formula, kind=kind, systems=systems, assignments=()), shorter)


def _rest(formula: Formula, program: Program, cut: _Cut, multiple: int) -> Part:
    """Return the part that computes a multiple of a point, which comes in with what is carried along."""
    names = {value: f"{variable}1" for variable, value in cut.values.items()}
    names |= {value: f"carried{number}_1" for number, value in enumerate(cut.carried)}
    claims = tuple(
        Equation(Name(names[value]), _monomial(*known, f"{cut.scale}1"))
        for value, known in cut.carried.items()
    )
    output = formula.kind.outputs[0].point
    kind = replace(
        _doubling(formula.kind, multiple, claims), inputs=(1,), outputs=(Output(3, _times(multiple, 1)),)
    )
    builder, moved = ProgramBuilder(), dict[int, int]()
    for value in _needed(program, set(names)):
        operation = program.instructions[value].operation
        read = tuple(moved[operand] for operand in operands(operation)) if value not in names else ()
        moved[value] = builder.emit(Input(names[value]) if value in names else with_operands(operation, read))
    outputs = [(f"{name.removesuffix(str(output))}3", moved[value]) for name, value in program.outputs]
    assumptions = tuple(e for e in formula.assumptions if e not in formula.input_assumptions)
    systems = {1: cut.system, 3: formula.system_of(output)}
    return Part(
        replace(formula, kind=kind, systems=systems, assumptions=assumptions, assignments=()),
        builder.build(outputs),
    )


def _doubling(kind: Kind, multiple: int, scalars: tuple[Equation, ...]) -> Kind:
    (number,) = kind.inputs
    return replace(kind, outputs=(Output(3, _times(multiple, number)),), scalars=scalars)


def _times(multiple: int, point: int) -> Expression:
    return Binary("*", Number(multiple), Name(f"P{point}"))


def _monomial(factor: int, parameter: str | None, power: int, scale: str) -> Expression:
    found: Expression = Binary("*", Number(abs(factor)), Binary("^", Name(scale), Number(power)))
    found = found if parameter is None else Binary("*", Name(parameter), found)
    return found if factor > 0 else Binary("-", Number(0), found)


def _needed(program: Program, known: set[int]) -> list[int]:
    """Return the values that outputs are computed from, down to known ones, in order."""
    found: set[int] = set()
    pending = [value for _, value in program.outputs]
    while pending:
        value = pending.pop()
        if value not in found:
            found.add(value)
            pending += () if value in known else operands(program.instructions[value].operation)
    return sorted(found)


class _Search:
    """All values of a program at one point of one curve, by which the representative of 2·P is found."""

    def __init__(self, formula: Formula, program: Program) -> None:
        self._formula, self._program = formula, program
        rng, self._field = Random(0), PrimeField(suitable_prime(61))
        self._parameters = find_curve(formula, self._field, rng)
        model, (number,) = formula.system.model, formula.kind.inputs
        curve = AffineCurve(model, self._field, self._parameters)
        point = curve.random_point(rng)
        system, fixed = formula.system_of(number), fixed_coordinates(formula, number)
        found = represent(system, self._field, self._parameters, point, rng, fixed)
        names = self._parameters | {name: found[v] for v, name in formula.coordinates(number).items()}
        for equation in formula.input_scalars:
            names |= {
                name.text: evaluate(equation.right, self._field, names) for name in names_in(equation.left)
            }
        self._values = trace(program, self._field, names)
        doubled = curve.multiple(2, point)
        assert isinstance(doubled, tuple)
        self._doubled = dict(zip(model.coordinates, doubled, strict=True))
        self._places: dict[int, int] = {}
        for place, instruction in enumerate(program.instructions):
            if not isinstance(instruction.operation, Input | Parameter | Constant):
                self._places.setdefault(self._values[place], place)

    def cut(self) -> _Cut | None:
        """Return the first place where 2·P is and all that comes after can be computed from it."""
        for system, values in self._representatives():
            scale = next(iter(_scales(system)), None)
            carried = self._carried(
                set(values.values()), None if scale is None else self._values[values[scale]]
            )
            if carried is not None:
                return _Cut(system, values, carried, scale or "")
        return None

    def _representatives(self) -> Iterator[tuple[System, dict[str, int]]]:
        """Yield systems in which 2·P is among the values, and where its variables do."""
        system = self._formula.system
        yield from self._scaled(system)
        yield from self._fractions(system)
        for other in (*_narrower(system), *_doubled(system)):
            yield from self._scaled(other)

    def _scaled(self, system: System) -> Iterator[tuple[System, dict[str, int]]]:
        """Try each value as the variable that scales a representative."""
        for scale in _scales(system):
            known, names = representation(system), self._parameters | self._doubled
            for variable, value in known.section:
                names[variable] = evaluate(value, self._field, names)
            for size in self._places:
                by = self._field.mul(size, self._field.inv(names[scale]))
                weighted = zip(system.variables, known.scalings[0], strict=True)
                found = self._found({v: names[v] * self._field.power(by, weight) for v, weight in weighted})
                if found:
                    yield system, found

    def _fractions(self, system: System) -> Iterator[tuple[System, dict[str, int]]]:
        """Try pairs of values as numerator and denominator of each affine coordinate."""
        coordinates = system.model.coordinates
        pairs = [
            [
                found
                for d in self._places
                if (found := self._found({f"{c}N": self._doubled[c] * d, f"{c}D": d}))
            ]
            for c in coordinates
        ]
        meanings = tuple(Equation(Name(c), Binary("/", Name(f"{c}N"), Name(f"{c}D"))) for c in coordinates)
        variables = tuple(f"{c}{part}" for c in coordinates for part in "ND")
        fractions = replace(system, id=f"{system.model.id}/fractions", variables=variables, meanings=meanings)
        for chosen in product(*pairs):
            yield fractions, {name: place for found in chosen for name, place in found.items()}

    def _found(self, wanted: Mapping[str, int]) -> dict[str, int] | None:
        """Return where some values are; None where one does not."""
        places = {name: self._places.get(self._field.reduce(value)) for name, value in wanted.items()}
        found = {name: place for name, place in places.items() if place is not None}
        return found if len(found) == len(wanted) else None

    def _carried(self, known: set[int], scale: int | None) -> dict[int, tuple[int, str | None, int]] | None:
        """Return the values besides known ones that outputs are computed from; None where one is unclear."""
        from_input = self._from_input(known)
        carried: dict[int, tuple[int, str | None, int]] = {}
        pending, seen = [value for _, value in self._program.outputs], set(known)
        while pending:
            value = pending.pop()
            if value in seen or value not in from_input:
                continue
            seen.add(value)
            monomial = None if scale is None else self._as_monomial(self._values[value], scale)
            if monomial is not None:
                carried[value] = monomial
            elif isinstance(self._program.instructions[value].operation, Input):
                return None
            else:
                pending += operands(self._program.instructions[value].operation)
        return carried

    def _from_input(self, known: set[int]) -> set[int]:
        """Return the values that depend on what comes in, and not through known ones alone."""
        found: set[int] = set()
        for place, instruction in enumerate(self._program.instructions):
            reads = operands(instruction.operation)
            if place not in known and (isinstance(instruction.operation, Input) or found.intersection(reads)):
                found.add(place)
        return found

    def _as_monomial(self, value: int, scale: int) -> tuple[int, str | None, int] | None:
        for parameter, power, factor in product(
            (None, *self._formula.system.model.parameters), range(1, _MOST_SCALES + 1), _FACTORS
        ):
            by = 1 if parameter is None else self._parameters[parameter]
            if value and self._field.mul(factor * by, self._field.power(scale, power)) == value:
                return factor, parameter, power
        return None


def _scales(system: System) -> list[str]:
    """Return the variables by which a representative is scaled, if there is one scaling."""
    scalings = representation(system).scalings
    if len(scalings) != 1:
        return []
    return [v for v, weight in zip(system.variables, scalings[0], strict=True) if weight == 1][-1:]


def _narrower(system: System) -> Iterator[System]:
    """Yield what is left of a system without one variable, where that still says what a point is."""
    for variable in system.variables:
        meanings = tuple(e for e in system.meanings if variable not in _names(e))
        mentioned = set().union(*map(_names, meanings))
        others = tuple(v for v in system.variables if v != variable)
        if {*system.model.coordinates, *others} <= mentioned:
            yield replace(system, id=f"{system.id} without {variable}", variables=others, meanings=meanings)


def _doubled(system: System) -> Iterator[System]:
    """Yield a system with twice a variable in place of it, where one equation says what it means."""
    for variable in system.variables:
        if sum(variable in _names(e) for e in system.meanings) == 1:
            meanings = tuple(
                Equation(Binary("*", Number(2), e.left), e.right) if variable in _names(e) else e
                for e in system.meanings
            )
            yield replace(system, id=f"{system.id} with 2*{variable}", meanings=meanings)


def _names(equation: Equation) -> set[str]:
    return {name.text for side in (equation.left, equation.right) for name in names_in(side)}

"""The signature of a formula: its function's name, its arguments and their types."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from efdgen.generator.inert import inert
from efdgen.generator.language.printer import print_equation
from efdgen.generator.language.syntax import Name, Number
from efdgen.generator.programs.interpreter import Rationals, evaluate
from efdgen.generator.programs.kernel import Argument, PointType

if TYPE_CHECKING:
    from efdgen.generator.formulas.formula import Formula, System
    from efdgen.generator.language.syntax import Equation


SCALAR = PointType("scalar", ("value",), (), "a value of the inputs that is passed beside the points")


def fixed_coordinates(formula: Formula, point: int) -> dict[str, int]:
    """Return the variables of an input point that the assumptions make numbers: Z for ``Z2 == 1``.

    Consequences of the coordinates' meaning are included: ZZ if ``ZZ == Z^2``.
    """
    fixed: dict[str, int] = {}
    for equation in formula.assumptions:
        match equation.left, equation.right:
            case Name(text), Number(value):
                fixed |= {v: value for v, name in formula.coordinates(point).items() if name == text}
    return _with_consequences(formula.system_of(point), fixed)


def fixed_inputs(formula: Formula) -> dict[str, Fraction]:
    """Return every input coordinate that the assumptions make a number, by name: 1 for Z2."""
    return {
        formula.coordinates(point)[variable]: Fraction(value)
        for point in formula.kind.inputs
        for variable, value in fixed_coordinates(formula, point).items()
    }


def arguments(formula: Formula) -> tuple[tuple[Argument, ...], tuple[Argument, ...]]:
    """Return the input and the output arguments of a formula's function, scalars after points.

    A point none of whose variables is passed is no argument.
    A scaled output has the type of a point whose fixed variables the formula puts out as numbers.
    """
    inputs = [
        _argument(formula, number, fixed_coordinates(formula, number))
        for number in formula.kind.inputs
        if formula.passed_variables(number)
    ]
    outputs = [
        _argument(formula, o.point, _fixed_output(formula, o.point) if o.point in formula.kind.scaled else {})
        for o in formula.kind.outputs
        if formula.passed_variables(o.point)
    ]
    taken, given = (
        [Argument(name.lower(), 0, SCALAR, (name,)) for name in names]
        for names in (formula.scalar_inputs, formula.scalar_outputs)
    )
    return (*inputs, *taken), (*outputs, *given)


def _argument(formula: Formula, point: int, fixed: dict[str, int]) -> Argument:
    described = point_type(formula, point, fixed)
    names = formula.coordinates(point)
    return Argument(f"p{point}", point, described, tuple(names[member] for member in described.members))


def point_type(formula: Formula, point: int, fixed: dict[str, int]) -> PointType:
    """Return the type of a point of a formula, some of whose variables are known numbers.

    Variables that another point brings, or that are implicit, are not among its members.
    """
    system, passed = formula.system_of(point), formula.passed_variables(point)
    members = tuple(variable for variable in passed if variable not in fixed)
    foreign, own = system.id != formula.system.id, foreign_prefix(formula, system)
    if set(system.variables) - set(passed) - fixed.keys():
        name = f"{own}{''.join(members).lower()}_point"
    elif not fixed:
        name = f"{own}point"
    elif {"Z", "ZZ"} & fixed.keys():
        name = f"{own}normalized_point"
    else:
        name = f"{own}{'_'.join(variable.lower() for variable in sorted(fixed))}_fixed_point"
    known = [f"{variable} = {value}" for variable, value in fixed.items()]
    meaning = [print_equation(equation).replace("==", "=") for equation in system.meanings]
    place = inert(f"{system.model.title}, {system.title}") if foreign else ""
    return PointType(name, members, tuple(sorted(fixed.items())), ", ".join([*meaning, *known]), place)


def foreign_prefix(formula: Formula, system: System) -> str:
    """Return the start of the names of types of points in a system; empty for the formula's own."""
    return f"{_system_name(formula, system)}_" if system.id != formula.system.id else ""


def function_name(formula: Formula) -> str:
    """Return the name of a formula's function among others of its kind: ``add``, ``add_mixed``.

    ``mixed`` takes some points with a known Z, ``normalized`` takes all so; points in other systems are
    named by them, ``add_cached_to_projective``. A formula with another assumption on its inputs is
    called by its own name.
    """
    inputs, outputs = arguments(formula)
    special = [argument for argument in inputs if argument.type.fixed]
    if other_input_assumptions(formula) or any(a.type.name.endswith("_fixed_point") for a in special):
        return f"{formula.kind.function}_{own_name(formula)}"
    parts = [formula.kind.function, *_foreign_systems(formula, inputs)]
    if special:
        points = [argument for argument in inputs if argument.number]
        parts.append("normalized" if len(special) == len(points) else "mixed")
    results = _foreign_systems(formula, outputs)
    return "_".join([*parts, *(["to", *results] if results else [])])


def _foreign_systems(formula: Formula, points: tuple[Argument, ...]) -> list[str]:
    """Return the names of the systems, other than the formula's own, that points are in; each one once."""
    systems = [formula.systems[a.number] for a in points if a.number in formula.systems]
    return list(dict.fromkeys(_system_name(formula, system) for system in systems))


def _system_name(formula: Formula, system: System) -> str:
    """Return a system's name among those that a formula can have points in: ``jacobian``, ``montgom_xz``."""
    name, model = system_name(system), system.model
    return (
        name if model.id == formula.system.model.id else f"{identifier(model.id.rpartition('/')[2])}_{name}"
    )


def system_name(system: System) -> str:
    """Return a system's name within its model as part of an identifier: ``jacobian_3``."""
    return identifier(system.id.rpartition("/")[2])


def own_name(formula: Formula) -> str:
    """Return a formula's own name as part of an identifier: ``2007_bl`` for ``add-2007-bl``."""
    plain = whole_name(formula)
    head, _, tail = plain.partition("_")
    return tail if tail and not head[-1:].isdigit() else plain


def whole_name(formula: Formula) -> str:
    """Return a formula's whole name as part of an identifier: ``add_2007_bl``."""
    return identifier(formula.name)


def identifier(name: str) -> str:
    """Return a name with an underscore for each character that an identifier cannot have."""
    return "".join(character if character.isalnum() else "_" for character in name)


def other_input_assumptions(formula: Formula) -> list[Equation]:
    """Return the assumptions on input coordinates that are not simply a coordinate's value."""
    return [
        e for e in formula.input_assumptions if not (isinstance(e.left, Name) and isinstance(e.right, Number))
    ]


def _fixed_output(formula: Formula, point: int) -> dict[str, int]:
    variables = {name: variable for variable, name in formula.coordinates(point).items()}
    fixed: dict[str, int] = {}
    for assignment in formula.assignments:
        if assignment.target in variables:
            fixed.pop(variables[assignment.target], None)
            if isinstance(assignment.value, Number):
                fixed[variables[assignment.target]] = assignment.value.value
    return fixed


def _with_consequences(system: System, fixed: dict[str, int]) -> dict[str, int]:
    for equation in system.meanings if fixed else ():
        if isinstance(equation.left, Name) and equation.left.text in set(system.variables) - fixed.keys():
            known = {name: Fraction(value) for name, value in fixed.items()}
            try:
                value = evaluate(equation.right, Rationals(), known)
            except KeyError:
                continue
            if value.denominator == 1:
                fixed[equation.left.text] = value.numerator
    return fixed

"""Question 1: do a formula's outputs equal what its kind says, on the generic curve?

The program is run on the generic instance; then every equation that says what an output
coordinate means is held against the affine group law. Nothing is sampled.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from efdgen.generator.errors import EfdgenError
from efdgen.generator.language.printer import print_equation
from efdgen.generator.language.syntax import names_in
from efdgen.generator.programs.interpreter import evaluate
from efdgen.verify.laws.algebra import Ratio
from efdgen.verify.laws.cases import Cases
from efdgen.verify.laws.generic import GenericInstance, generic_cases
from efdgen.verify.laws.steps import in_parts
from efdgen.verify.verdicts import Refuted, UndecidedError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from efdgen.generator.formulas.formula import Formula, Output
    from efdgen.generator.language.syntax import Equation
    from efdgen.generator.programs.program import Program


def prove_law(formula: Formula, program: Program) -> Cases[GenericInstance]:
    """Prove that a program of a formula's signature satisfies its kind's laws; return the cases of the proof.

    Raises :class:`Refuted`, or :class:`EfdgenError` where there is nothing to prove it for, or where the
    program is not of the formula's signature.
    """
    _require_signature(formula, program)
    proved: Cases[GenericInstance] = Cases(())
    for part in in_parts(formula, program):
        cases = generic_cases(part.formula)
        for instance in cases.instances:
            check(instance, part.program)
        proved += cases
    return proved


def check(instance: GenericInstance, program: Program) -> None:
    """Hold a program against the laws on one instance; raise :class:`Refuted` where one does not hold."""
    try:
        values = {**instance.coordinates, **instance.run(program), **instance.implicit_outputs()}
    except ZeroDivisionError:
        raise Refuted("divides by zero for every input") from None
    for output in instance.formula.kind.outputs:
        _check_meaning(instance, output, values)
    for equation in instance.formula.output_scalars:
        names = [name.text for name in names_in(equation.left)]
        known = {**instance.parameters, **values}
        _check_equation(instance, equation, known, print_equation(equation), names)
    for point in instance.formula.kind.scaled:
        _check_scaled(instance, point, values)
    _check_tests(instance, values)


def _require_signature(formula: Formula, program: Program) -> None:
    unknown = {*program.inputs, *program.parameters} - {*formula.input_names, *formula.all_parameters}
    wanted = {*formula.output_names, *(test.target for test in formula.tests)}
    missing = wanted - {name for name, _ in program.outputs}
    if unknown or missing:
        wrong = [f"reads {name}" for name in sorted(unknown)] + [f"lacks {name}" for name in sorted(missing)]
        raise EfdgenError(f"the program is not of the formula's signature: it {', '.join(wrong)}")


def _check_meaning(instance: GenericInstance, output: Output, values: Mapping[str, Ratio]) -> None:
    """Require that the coordinates of an output mean the point that its law gives."""
    coordinates = instance.formula.coordinates(output.point)
    variables = {variable: values[name] for variable, name in coordinates.items()}
    known = {**instance.output_parameters, **instance.expected[output.point], **variables}
    for equation in instance.formula.system_of(output.point).meanings:
        used = {name.text for name in chain(names_in(equation.left), names_in(equation.right))}
        about = [name for variable, name in coordinates.items() if variable in used]
        _check_equation(instance, equation, known, f"P{output.point}: {print_equation(equation)}", about)


def _check_equation(
    instance: GenericInstance,
    equation: Equation,
    known: Mapping[str, Ratio],
    text: str,
    about: Sequence[str],
) -> None:
    field = instance.field
    try:
        left, right = (evaluate(side, field, known) for side in (equation.left, equation.right))
        field.require_divisors()
        holds = field.equal(left, right)
    except ZeroDivisionError:
        raise Refuted(f"{text} divides by zero for every input", about) from None
    except UndecidedError as undecided:
        raise undecided.within(text) from None
    if not holds:
        raise Refuted(f"{text} does not hold", about)


def _check_tests(instance: GenericInstance, values: Mapping[str, Ratio]) -> None:
    """Require that the function accepts: with the right hints each check is 0, and no guard is."""
    formula, vanishes = instance.formula, instance.field.vanishes
    for number, equation in enumerate(formula.checks, start=1):
        if not vanishes(values[f"check{number}"].numerator):
            raise Refuted(f"{print_equation(equation)} does not hold with the right hints")
    for number, name in enumerate(formula.guards, start=1):
        if vanishes(values[f"guard{number}"].numerator):
            raise Refuted(f"{name} is 0 for every input", [name])


def _check_scaled(instance: GenericInstance, point: int, values: Mapping[str, Ratio]) -> None:
    """Require coordinates that stay the same when every free coordinate of the input is replaced by 1."""
    field = instance.field
    one = Ratio(field.one, field.one)
    for name in instance.formula.coordinates(point).values():
        fixed = values[name]
        for free in instance.free_coordinates:
            fixed = field.substitute(fixed, free, one)
        if field.vanishes(fixed.denominator) or not field.equal(values[name], fixed):
            raise Refuted(f"{name} depends on the representative of the point that comes in", [name])

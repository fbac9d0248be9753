"""The equations that a program's outputs have to satisfy on a generic instance, each with its residue.

A claim holds where its residue, the numerator of the difference of its sides, is zero modulo the relations.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

from efdgen.generator.language.printer import print_equation
from efdgen.generator.language.syntax import names_in
from efdgen.generator.programs.interpreter import evaluate
from efdgen.verify.laws.algebra import Ratio
from efdgen.verify.verdicts import UndecidedError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from efdgen.generator.formulas.formula import Output
    from efdgen.generator.language.syntax import Equation
    from efdgen.generator.programs.program import Program
    from efdgen.verify.laws.algebra import Polynomial
    from efdgen.verify.laws.generic import GenericInstance


@dataclass(frozen=True)
class Claim:
    """An equation about some output ``coordinates``; ``failure`` says why it is false, if it is.

    The ``residue`` would have to be zero; None where no polynomial says so. ``success`` is what is said of
    a claim that holds.
    """

    text: str
    coordinates: tuple[str, ...]
    failure: str = ""
    residue: Polynomial | None = None
    success: str = "holds"


def claims(instance: GenericInstance, program: Program) -> Iterator[Claim]:
    """Yield every claim about a program's outputs on an instance, decided one by one.

    Raises :class:`UndecidedError` where a residue is too large.
    """
    try:
        values = {**instance.coordinates, **instance.run(program), **instance.implicit_outputs()}
    except ZeroDivisionError:
        yield Claim("", (), "divides by zero for every input")
        return
    for output in instance.formula.kind.outputs:
        yield from _meanings(instance, output, values)
    for equation in instance.formula.output_scalars:
        names = [name.text for name in names_in(equation.left)]
        known = {**instance.parameters, **values}
        yield _equation(instance, equation, known, print_equation(equation), names)
    for point in instance.formula.kind.scaled:
        yield from _scaled(instance, point, values)
    yield from _tests(instance, values)


def _meanings(instance: GenericInstance, output: Output, values: Mapping[str, Ratio]) -> Iterator[Claim]:
    """Yield that the coordinates of an output mean the point that its law gives."""
    coordinates = instance.formula.coordinates(output.point)
    variables = {variable: values[name] for variable, name in coordinates.items()}
    known = {**instance.output_parameters, **instance.expected[output.point], **variables}
    for equation in instance.formula.system_of(output.point).meanings:
        used = {name.text for name in chain(names_in(equation.left), names_in(equation.right))}
        about = [name for variable, name in coordinates.items() if variable in used]
        yield _equation(instance, equation, known, f"P{output.point}: {print_equation(equation)}", about)


def _equation(
    instance: GenericInstance,
    equation: Equation,
    known: Mapping[str, Ratio],
    text: str,
    about: Sequence[str],
) -> Claim:
    field = instance.field
    try:
        left, right = (evaluate(side, field, known) for side in (equation.left, equation.right))
        field.require_divisors()
        residue = field.remainder((left - right).numerator)
    except ZeroDivisionError:
        return Claim(text, tuple(about), "divides by zero for every input")
    except UndecidedError as undecided:
        raise undecided.within(text) from None
    return Claim(text, tuple(about), "does not hold" if residue != 0 else "", residue)


def _tests(instance: GenericInstance, values: Mapping[str, Ratio]) -> Iterator[Claim]:
    """Yield that the function accepts: with the right hints each check is 0, and no guard is."""
    formula, field = instance.formula, instance.field
    for number, equation in enumerate(formula.checks, start=1):
        residue = field.remainder(values[f"check{number}"].numerator)
        failure = "does not hold with the right hints" if residue != 0 else ""
        about = dict.fromkeys(
            name.text for side in (equation.left, equation.right) for name in names_in(side)
        )
        yield Claim(print_equation(equation), tuple(about), failure, residue)
    for number, name in enumerate(formula.guards, start=1):
        failure = "is 0 for every input" if field.vanishes(values[f"guard{number}"].numerator) else ""
        yield Claim(name, (name,), failure, success="is not 0 for all inputs")


def _scaled(instance: GenericInstance, point: int, values: Mapping[str, Ratio]) -> Iterator[Claim]:
    """Yield that coordinates stay the same when every free coordinate of the input is replaced by 1."""
    field = instance.field
    one = Ratio(field.one, field.one)
    for name in instance.formula.coordinates(point).values():
        fixed = values[name]
        for free in instance.free_coordinates:
            fixed = field.substitute(fixed, free, one)
        same = not field.vanishes(fixed.denominator) and field.equal(values[name], fixed)
        failure = "" if same else "depends on the representative of the point that comes in"
        yield Claim(name, (name,), failure, success="is the same for every representative")

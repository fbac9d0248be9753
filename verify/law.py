"""Question 1: do a formula's outputs equal what its kind says, on the generic curve?

The program is run on the generic instance; then every equation that says what an output
coordinate means is held against the affine group law. Nothing is sampled.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from efdgen.generator.interpreter import evaluate
from efdgen.generator.language.printer import print_equation
from efdgen.generator.language.syntax import names_in
from efdgen.verify.algebra import Ratio
from efdgen.verify.generic import generic_instances

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from efdgen.generator.formula import Formula, Output
    from efdgen.generator.program import Program
    from efdgen.verify.generic import GenericInstance


class Refuted(Exception):
    """The claim is false; the message says where. ``coordinates`` are the outputs that it is about."""

    def __init__(self, reason: str, coordinates: Iterable[str] = ()) -> None:
        super().__init__(reason)
        self.coordinates = tuple(coordinates)


def prove_law(formula: Formula, program: Program) -> list[GenericInstance]:
    """Prove that a program of a formula's signature satisfies its kind's laws; return what it was proved on.

    Raises :class:`Refuted`, or :class:`NoInstance` where there is nothing to prove it for.
    """
    instances = generic_instances(formula)
    for instance in instances:
        check(instance, program)
    return instances


def check(instance: GenericInstance, program: Program) -> None:
    """Hold a program against the laws on one generic instance; raise :class:`Refuted` where one does not hold."""
    try:
        outputs = instance.run(program)
    except ZeroDivisionError:
        raise Refuted("divides by zero for every input") from None
    for output in instance.formula.kind.outputs:
        _check_output(instance, output, outputs)
    for point in instance.formula.kind.scaled:
        _check_scaled(instance, point, outputs)


def _check_output(instance: GenericInstance, output: Output, outputs: Mapping[str, Ratio]) -> None:
    formula, field = instance.formula, instance.field
    spelling = {variable: f"{variable}{output.point}" for variable in formula.system.variables}
    values = {variable: outputs[name] for variable, name in spelling.items()}
    names = {**instance.parameters, **instance.expected[output.point], **values}
    for equation in formula.system.meanings:
        sides = equation.left, equation.right
        about = [spelling[n.text] for n in chain(*map(names_in, sides)) if n.text in spelling]
        text = f"P{output.point}: {print_equation(equation)}"
        try:
            left, right = (evaluate(side, field, names) for side in sides)
            field.require_divisors()
        except ZeroDivisionError:
            raise Refuted(f"{text} divides by zero for every input", about) from None
        if not field.equal(left, right):
            raise Refuted(f"{text} does not hold", about)


def _check_scaled(instance: GenericInstance, point: int, outputs: Mapping[str, Ratio]) -> None:
    """Require coordinates that stay the same when every free coordinate of the input is replaced by 1."""
    field = instance.field
    one = Ratio(field.one, field.one)
    for variable in instance.formula.system.variables:
        value = fixed = outputs[f"{variable}{point}"]
        for name in instance.free_coordinates:
            fixed = field.substitute(fixed, name, one)
        if field.vanishes(fixed.denominator) or not field.equal(value, fixed):
            name = f"{variable}{point}"
            raise Refuted(f"{name} depends on the representative of the point that comes in", [name])

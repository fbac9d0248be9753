"""Question 1: do a formula's outputs equal what its kind says, on the generic curve?

The program is run on the generic instance; then every equation that says what an output
coordinate means is held against the affine group law. Nothing is sampled.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.interpreter import run
from efdgen.verify.generic import GenericInstance

if TYPE_CHECKING:
    from collections.abc import Mapping

    from efdgen.generator.formula import Formula
    from efdgen.generator.program import Program
    from efdgen.verify.algebra import Ratio


class Refuted(Exception):
    """The claim is false; the message says where."""


def prove_law(formula: Formula, program: Program) -> None:
    """Prove that a program of a formula's signature satisfies its kind's laws; raise Refuted otherwise."""
    instance = GenericInstance(formula)
    check_outputs(instance, evaluate(instance, program))


def evaluate(instance: GenericInstance, program: Program) -> dict[str, Ratio]:
    """Run a program on the generic instance; raise Refuted where it divides by zero."""
    try:
        return run(program, instance.field, {**instance.parameters, **instance.inputs})
    except ZeroDivisionError:
        raise Refuted("divides by zero for every input") from None


def check_outputs(instance: GenericInstance, outputs: Mapping[str, Ratio]) -> None:
    """Hold output coordinates against the laws of the kind; raise Refuted for the first that is wrong."""
    formula = instance.formula
    for name, value in outputs.items():
        if instance.vanishes(value.denominator):
            raise Refuted(f"{name} divides by zero for every input")
    for output in formula.kind.outputs:
        point = instance.group.evaluate(output.law, instance.points)
        names = {**instance.parameters, **point}
        names |= {variable: outputs[f"{variable}{output.point}"] for variable in formula.system.variables}
        for equation in formula.system.meanings:
            left = instance.field.evaluate(equation.left, names)
            right = instance.field.evaluate(equation.right, names)
            where = f"P{output.point}: {_text(equation)}"
            if any(instance.vanishes(side.denominator) for side in (left, right)):
                raise Refuted(f"{where} has a zero denominator for every input")
            if not instance.vanishes(instance.field.sub(left, right).numerator):
                raise Refuted(f"{where} does not hold")


def _text(equation: object) -> str:
    from efdgen.generator.language.printer import print_equation

    return print_equation(equation)  # type: ignore[arg-type]

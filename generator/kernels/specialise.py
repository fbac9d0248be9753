"""A formula on one curve: parameters become numbers, and expressions in parameters are precomputed.

A parameter that is a small number on the curve is replaced by it, and that equation joins the formula's
assumptions; a value made of parameters alone becomes a parameter with a new name, and its expression an
assumption. So these changes of the program are part of the claim that is proved, and each assumption is
checked with integers on the curve.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING

from efdgen.generator.curves.instantiate import NotApplicable, parameter_assumptions
from efdgen.generator.formulas.names import fresh_name, taken_names
from efdgen.generator.formulas.signature import fixed_inputs
from efdgen.generator.language.printer import print_equation
from efdgen.generator.language.syntax import Binary, Equation, Group, Name, Negative, Number, names_in
from efdgen.generator.passes.characteristic_2 import simplify_modulo_2
from efdgen.generator.passes.pipeline import optimise, passes_of
from efdgen.generator.passes.rewriting import keep, rewrite
from efdgen.generator.passes.simplify import simplify
from efdgen.generator.passes.substitution import substitute_numbers
from efdgen.generator.programs.interpreter import Rationals, evaluate
from efdgen.generator.programs.lower import lower
from efdgen.generator.programs.program import (
    Add,
    Constant,
    Inv,
    Mul,
    MulConstant,
    MulParameter,
    Neg,
    Parameter,
    Pow,
    Sqr,
    Sub,
    operands,
)
from efdgen.generator.programs.solve import holds

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from efdgen.generator.formulas.formula import Formula
    from efdgen.generator.language.syntax import Expression
    from efdgen.generator.mathematics.ground import Ground
    from efdgen.generator.passes.pipeline import Pass
    from efdgen.generator.programs.builder import ProgramBuilder
    from efdgen.generator.programs.program import Operation, Program

MOST_SMALL = 32


@dataclass(frozen=True)
class Specialised:
    """A formula with the assumptions that its curve allows, its program, and values in the field ``ground``.

    ``values`` are of all parameters, ``constants`` of those that the program reads.
    """

    formula: Formula
    program: Program
    ground: Ground
    values: Mapping[str, int]

    @property
    def prime(self) -> int:
        """The prime p, of a curve over GF(p)."""
        assert not self.ground.is_binary
        return self.ground.prime

    @property
    def constants(self) -> dict[str, int]:
        """The values of the parameters that the program reads."""
        return {name: self.values[name] for name in self.program.parameters}


def specialise(
    formula: Formula, ground: Ground, values: Mapping[str, int], passes: Sequence[Pass] | None = None
) -> Specialised:
    """Compile a formula for a curve, given all of its parameters in the field.

    ``passes`` are those of the formula's model where they are not given.

    Raises :class:`NotApplicable` where a value of parameters alone is not defined on the curve.
    """
    program = lower(formula)
    small = _small_values(formula, program.parameters, ground, values)
    simplified = simplify_modulo_2 if ground.is_binary else simplify
    program = simplified(substitute_numbers(program, {**small, **fixed_inputs(formula)}))
    program, definitions = _fold(program, taken_names(formula))
    program = optimise(program, passes or passes_of(formula.system.model))
    assumed = [Equation(Name(name), _number(value)) for name, value in small.items()]
    assumed += [Equation(Name(name), expression) for name, expression in definitions.items()]
    specialised = replace(
        formula,
        parameters=(*formula.parameters, *definitions),
        assumptions=(*formula.assumptions, *assumed),
    )
    known = _with_definitions(formula, ground, values, definitions)
    for equation in parameter_assumptions(specialised):
        if not holds(equation, known, ground):
            raise NotApplicable(f"{formula.id}: {print_equation(equation)} does not hold on the curve")
    return Specialised(specialised, program, ground, known)


def _with_definitions(
    formula: Formula, ground: Ground, values: Mapping[str, int], definitions: Mapping[str, Expression]
) -> dict[str, int]:
    field, known = ground, dict(values)
    for name, expression in definitions.items():
        try:
            known[name] = evaluate(expression, field, known)
        except ZeroDivisionError:
            text = print_equation(Equation(Name(name), expression)).replace("==", "=")
            raise NotApplicable(f"{formula.id} divides by zero on the curve, in {text}") from None
    return known


def _small_values(
    formula: Formula, read: tuple[str, ...], ground: Ground, values: Mapping[str, int]
) -> dict[str, Fraction]:
    """Return the parameters read that are small numbers, or halves or quarters of them, on the curve.

    Modulo a small prime everything is small; a number is taken only where the assumptions hold for it
    in the rationals too, because the proof is over them. In GF(2^m) 0 and 1 are small, and the proof is over
    GF(2), so that they hold there.
    """
    lifted = {name: small_number(values[name], ground) for name in read}
    small = {name: value for name, value in lifted.items() if value is not None}
    if ground.is_binary:
        return small
    for equation in formula.all_assumptions:
        names = [name.text for side in (equation.left, equation.right) for name in names_in(side)]
        if not all(name in small for name in names):
            continue
        try:
            left, right = (evaluate(side, Rationals(), small) for side in (equation.left, equation.right))
            holds = left == right
        except ZeroDivisionError:
            holds = False
        if not holds:
            newest = max(names, key=formula.all_parameters.index)
            del small[newest]
    return small


def small_number(value: int, field: Ground) -> Fraction | None:
    """Return the small rational number that an element is, None where it is none; over GF(2) 0 or 1."""
    if field.is_binary:
        return Fraction(value) if value in (0, 1) else None
    for denominator in (1, 2, 4):
        numerator = field.signed(value * denominator)
        if abs(numerator) <= MOST_SMALL and field.prime > 2 * MOST_SMALL:
            return Fraction(numerator, denominator)
    return None


def _fold(program: Program, taken: frozenset[str]) -> tuple[Program, dict[str, Expression]]:
    """Turn every value of parameters alone into a parameter with a new name; return its expression too."""
    definitions: dict[str, Expression] = {}

    def rule(builder: ProgramBuilder, operation: Operation, label: str) -> int:
        leaves = [_leaf(builder, operand) for operand in operands(operation)]
        known = [leaf for leaf in leaves if leaf is not None]
        if leaves and len(known) == len(leaves):
            name = fresh_name(label, taken | definitions.keys())
            definitions[name] = _expression(operation, known)
            return builder.emit(Parameter(name), name)
        match operation:
            case Mul(left, right) if builder.is_parameter(left):
                return builder.emit(MulParameter(left, right), label)
            case Mul(left, right) if builder.is_parameter(right):
                return builder.emit(MulParameter(right, left), label)
            case _:
                return keep(builder, operation, label)

    return rewrite(program, rule), definitions


def _leaf(builder: ProgramBuilder, value: int) -> Expression | None:
    match builder[value]:
        case Parameter(name):
            return Name(name)
        case Constant(constant):
            return _number(constant)
        case _:
            return None


def _expression(operation: Operation, leaves: list[Expression]) -> Expression:
    match operation, leaves:
        case Add(), [left, right]:
            return Binary("+", left, right)
        case Sub(), [left, right]:
            return Binary("-", left, right)
        case ((Mul() | MulParameter()), [left, right]):
            return Binary("*", left, right)
        case Neg(), [value]:
            return Negative(value)
        case Sqr(), [value]:
            return Binary("^", value, Number(2))
        case Pow(_, exponent), [value]:
            return Binary("^", value, Number(exponent))
        case MulConstant(factor), [value]:
            return Binary("*", _number(factor), value)
        case Inv(), [value]:
            return Binary("/", Number(1), value)
        case _:
            raise ValueError(f"{operation} has no operands")


def _number(value: Fraction) -> Expression:
    """Write a rational number as an expression that can be anywhere in another."""
    numerator = Number(abs(value.numerator))
    signed = numerator if value >= 0 else Negative(numerator)
    if value.denominator == 1:
        return numerator if value >= 0 else Group(signed)
    return Group(Binary("/", signed, Number(value.denominator)))

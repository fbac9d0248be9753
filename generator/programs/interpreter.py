"""Interpreter of programs over any field: the reference for every pass and every kernel."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Protocol, TypeVar, assert_never

from efdgen.generator.language.syntax import Binary, Group, Name, Negative, Number
from efdgen.generator.programs.kernel import Coordinate, CurveConstant, Temporary
from efdgen.generator.programs.program import (
    Add,
    Constant,
    Input,
    Inv,
    Mul,
    MulConstant,
    MulParameter,
    Neg,
    Parameter,
    Pow,
    Program,
    Sqr,
    Sub,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from efdgen.generator.language.syntax import Expression
    from efdgen.generator.programs.kernel import Kernel, Place
    from efdgen.generator.programs.program import Operation

T = TypeVar("T")

_ZERO, _ONE = Fraction(0), Fraction(1)
_fraction = cache(Fraction)


class Field(Protocol[T]):
    """The operations that a program needs; ``inv`` raises :class:`ZeroDivisionError` for zero."""

    def constant(self, value: Fraction) -> T:
        """Return the field's element for a rational number."""
        ...

    def add(self, left: T, right: T) -> T:
        """Return left + right."""
        ...

    def sub(self, left: T, right: T) -> T:
        """Return left - right."""
        ...

    def mul(self, left: T, right: T) -> T:
        """Return left · right."""
        ...

    def inv(self, value: T) -> T:
        """Return 1/value."""
        ...


class Rationals:
    """Rational numbers."""

    def constant(self, value: Fraction) -> Fraction:
        """Return the number itself."""
        return value

    def add(self, left: Fraction, right: Fraction) -> Fraction:
        """Return left + right."""
        return left + right

    def sub(self, left: Fraction, right: Fraction) -> Fraction:
        """Return left - right."""
        return left - right

    def mul(self, left: Fraction, right: Fraction) -> Fraction:
        """Return left · right."""
        return left * right

    def inv(self, value: Fraction) -> Fraction:
        """Return 1/value."""
        return 1 / value


def evaluate(expression: Expression, field: Field[T], names: Mapping[str, T]) -> T:
    """Return the value of an expression; raise KeyError for a name that is not given."""
    match expression:
        case Number(value):
            return field.constant(_fraction(value))
        case Name(text):
            return names[text]
        case Group(inner):
            return evaluate(inner, field, names)
        case Negative(inner):
            return field.sub(field.constant(_ZERO), evaluate(inner, field, names))
        case Binary("^", base, Number(exponent)):
            factor = power = evaluate(base, field, names)
            for _ in range(exponent - 1):
                power = field.mul(power, factor)
            return power if exponent else field.constant(_ONE)
        case Binary(operator, left, right):
            a, b = evaluate(left, field, names), evaluate(right, field, names)
            match operator:
                case "+":
                    return field.add(a, b)
                case "-":
                    return field.sub(a, b)
                case "*":
                    return field.mul(a, b)
                case _:
                    return field.mul(a, field.inv(b))


def trace(program: Program, field: Field[T], names: Mapping[str, T]) -> list[T]:
    """Return the value of every instruction, given the inputs and parameters by name."""
    values: list[T] = []
    for instruction in program.instructions:
        values.append(apply(instruction.operation, field, names, values))
    return values


def run(program: Program, field: Field[T], names: Mapping[str, T]) -> dict[str, T]:
    """Return the output coordinates by name, given the inputs and parameters by name."""
    values = trace(program, field, names)
    return {name: values[number] for name, number in program.outputs}


def apply(operation: Operation, field: Field[T], names: Mapping[str, T], values: Sequence[T]) -> T:
    """Return what an operation makes of the values before it; raises what the field's ``inv`` raises."""
    match operation:
        case Input(name) | Parameter(name):
            return names[name]
        case Constant(constant):
            return field.constant(constant)
        case Add(left, right):
            return field.add(values[left], values[right])
        case Sub(left, right):
            return field.sub(values[left], values[right])
        case Mul(left, right) | MulParameter(left, right):
            return field.mul(values[left], values[right])
        case Neg(value):
            return field.sub(field.constant(_ZERO), values[value])
        case Sqr(value):
            return field.mul(values[value], values[value])
        case Pow(value, exponent):
            result = values[value]
            for _ in range(exponent - 1):
                result = field.mul(result, values[value])
            return result
        case MulConstant(factor, value):
            return field.mul(field.constant(factor), values[value])
        case Inv(value):
            return field.inv(values[value])
        case _:
            assert_never(operation)


def run_kernel(
    kernel: Kernel,
    field: Field[T],
    constants: Mapping[str, T],
    inputs: Mapping[str, Mapping[str, T]],
    shared: Mapping[str, str] | None = None,
) -> dict[str, dict[str, T]]:
    """Execute a kernel as the generated function does, on arguments given as members by argument name.

    ``shared`` says which output is the same object as which input. Returns the outputs' members.
    """
    objects = {name: dict(members) for name, members in inputs.items()}
    for output in kernel.outputs:
        alias = (shared or {}).get(output.name)
        objects[output.name] = objects[alias] if alias else {}
    temporaries: dict[int, T] = {}

    def load(place: Place) -> T:
        match place:
            case Coordinate(argument, member):
                return objects[argument][member]
            case CurveConstant(name):
                return constants[name]
            case Temporary(number):
                return temporaries[number]
            case _:
                assert_never(place)

    if kernel.batch:
        temporaries[kernel.batch.inverse.number] = field.inv(load(kernel.batch.inverted))
    for step in kernel.steps:
        temporaries[step.target.number] = _call(
            step.operation, field, [load(place) for place in step.operands]
        )
    for store in kernel.stores:
        objects[store.argument][store.member] = load(store.value)
    return {output.name: objects[output.name] for output in kernel.outputs}


def _call(operation: str, field: Field[T], values: list[T]) -> T:
    match operation, values:
        case "add", [left, right]:
            return field.add(left, right)
        case "sub", [left, right]:
            return field.sub(left, right)
        case "mul", [left, right]:
            return field.mul(left, right)
        case "sqr", [value]:
            return field.mul(value, value)
        case "neg", [value]:
            return field.sub(field.constant(_ZERO), value)
        case "half", [value]:
            return field.mul(field.constant(Fraction(1, 2)), value)
        case "inv", [value]:
            return field.inv(value)
        case "copy", [value]:
            return value
        case _:
            raise ValueError(f"no operation {operation} on {len(values)} values")

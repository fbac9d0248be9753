"""The second representation: straight-line code in single assignment.

Instruction number i defines value i and reads only earlier values; labels are for readers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypeAlias, assert_never

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class Input:
    """A coordinate of an input point."""

    name: str


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of the curve, of the system or of the formula."""

    name: str


@dataclass(frozen=True, slots=True)
class Constant:
    """A rational number."""

    value: Fraction


@dataclass(frozen=True, slots=True)
class Add:
    """``left + right``."""

    left: int
    right: int


@dataclass(frozen=True, slots=True)
class Sub:
    """``left - right``."""

    left: int
    right: int


@dataclass(frozen=True, slots=True)
class Neg:
    """``-value``."""

    value: int


@dataclass(frozen=True, slots=True)
class Mul:
    """``left * right``."""

    left: int
    right: int


@dataclass(frozen=True, slots=True)
class Sqr:
    """``value²``."""

    value: int


@dataclass(frozen=True, slots=True)
class Pow:
    """``value`` to a positive power that is neither 1 nor 2."""

    value: int
    exponent: int


@dataclass(frozen=True, slots=True)
class MulConstant:
    """``factor * value`` for a rational factor."""

    factor: Fraction
    value: int


@dataclass(frozen=True, slots=True)
class MulParameter:
    """``parameter * value``, where ``parameter`` is the number of a :class:`Parameter` instruction."""

    parameter: int
    value: int


@dataclass(frozen=True, slots=True)
class Inv:
    """``1 / value``."""

    value: int


Operation: TypeAlias = (
    Input | Parameter | Constant | Add | Sub | Neg | Mul | Sqr | Pow | MulConstant | MulParameter | Inv
)


@dataclass(frozen=True, slots=True)
class Instruction:
    """An operation, and the name of its value in the source or in the printed program."""

    operation: Operation
    label: str


@dataclass(frozen=True)
class Program:
    """Instructions, and which value each output coordinate is.

    Raises :class:`ValueError` where a value is read before it is defined, where a
    :class:`MulParameter` does not name a parameter, or where a name comes in twice.
    """

    instructions: tuple[Instruction, ...]
    outputs: tuple[tuple[str, int], ...]

    def __post_init__(self) -> None:
        names = set()
        for number, instruction in enumerate(self.instructions):
            operation = instruction.operation
            if any(not 0 <= operand < number for operand in operands(operation)):
                raise ValueError(f"{instruction} reads a value before it is defined")
            match operation:
                case Input(name) | Parameter(name):
                    if name in names:
                        raise ValueError(f"{name} comes in twice")
                    names.add(name)
                case MulParameter(parameter):
                    if not isinstance(self.instructions[parameter].operation, Parameter):
                        raise ValueError(f"{instruction} does not multiply by a parameter")
        if any(not 0 <= value < len(self.instructions) for _, value in self.outputs):
            raise ValueError("an output is not defined")

    @property
    def inputs(self) -> tuple[str, ...]:
        """Names of the coordinates that the program reads, in order."""
        return tuple(i.operation.name for i in self.instructions if isinstance(i.operation, Input))

    @property
    def parameters(self) -> tuple[str, ...]:
        """Names of the parameters that the program reads, in order."""
        return tuple(i.operation.name for i in self.instructions if isinstance(i.operation, Parameter))


_READ: dict[type, Callable[[Any], tuple[int, ...]]] = {
    **dict.fromkeys((Input, Parameter, Constant), lambda _: ()),
    **dict.fromkeys((Neg, Sqr, Inv, Pow, MulConstant), lambda o: (o.value,)),
    **dict.fromkeys((Add, Sub, Mul), attrgetter("left", "right")),
    MulParameter: attrgetter("parameter", "value"),
}


def operands(operation: Operation) -> tuple[int, ...]:
    """Return the values that an operation reads, from left to right."""
    return _READ[type(operation)](operation)


def with_operands(operation: Operation, values: tuple[int, ...]) -> Operation:
    """Return the same operation on other values."""
    match operation, values:
        case ((Input() | Parameter() | Constant()), ()):
            return operation
        case ((Neg() | Sqr() | Inv()), (value,)):
            return type(operation)(value)
        case Pow(_, exponent), (value,):
            return Pow(value, exponent)
        case MulConstant(factor), (value,):
            return MulConstant(factor, value)
        case ((Add() | Sub() | Mul() | MulParameter()), (left, right)):
            return type(operation)(left, right)
        case _:
            raise ValueError(f"{operation} does not take {values}")


def with_parameters(program: Program, names: Mapping[str, str]) -> Program:
    """Return the same program, its parameters called by other names."""
    instructions = tuple(
        Instruction(Parameter(names[name]), names[name])
        if isinstance(instruction.operation, Parameter) and (name := instruction.operation.name)
        else instruction
        for instruction in program.instructions
    )
    return Program(instructions, program.outputs)


SUM, PRODUCT, POWER, ATOM = range(4)


def binding(operation: Operation) -> int:
    """Return how tightly the text of an operation binds: SUM, PRODUCT, POWER or ATOM."""
    match operation:
        case Add() | Sub() | Neg():
            return SUM
        case Mul() | MulParameter() | MulConstant() | Inv():
            return PRODUCT
        case Sqr() | Pow():
            return POWER
        case Input() | Parameter() | Constant():
            return ATOM
        case _:
            assert_never(operation)


def expression_text(operation: Operation, operand: Callable[[int, int], str]) -> str:
    """Write an operation: ``X2*Z1Z1``.

    ``operand`` writes a value so that it binds at least as tightly as its second argument says.
    """
    match operation:
        case Input(name) | Parameter(name):
            return name
        case Constant(value):
            return str(value)
        case Add(left, right):
            return f"{operand(left, SUM)} + {operand(right, SUM)}"
        case Sub(left, right):
            return f"{operand(left, SUM)} - {operand(right, PRODUCT)}"
        case Mul(left, right) | MulParameter(left, right):
            return f"{operand(left, PRODUCT)}*{operand(right, PRODUCT)}"
        case Neg(value):
            return f"-{operand(value, PRODUCT)}"
        case Sqr(value):
            return f"{operand(value, ATOM)}^2"
        case Pow(value, exponent):
            return f"{operand(value, ATOM)}^{exponent}"
        case MulConstant(factor, value):
            multiple = "" if factor.numerator == 1 else f"{factor.numerator}*"
            divided = "" if factor.denominator == 1 else f"/{factor.denominator}"
            return f"{multiple}{operand(value, PRODUCT)}{divided}"
        case Inv(value):
            return f"1/{operand(value, POWER)}"
        case _:
            assert_never(operation)


def program_text(program: Program) -> str:
    """Write a program, one instruction a line, with the value that each output is at the end."""
    names = tuple(instruction.label for instruction in program.instructions)
    lines = []
    for instruction in program.instructions:
        match instruction.operation:
            case Input():
                lines.append(f"input {instruction.label}")
            case Parameter():
                lines.append(f"parameter {instruction.label}")
            case operation:
                text = expression_text(operation, lambda value, _: names[value])
                lines.append(f"{instruction.label} = {text}")
    lines += [f"output {name} = {names[value]}" for name, value in program.outputs]
    return "".join(f"{line}\n" for line in lines)

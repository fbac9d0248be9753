"""Register allocation: program to kernel steps; a temporary is reused as soon as it is free."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, assert_never

from efdgen.generator.errors import EfdgenError
from efdgen.generator.passes.constants import HALF
from efdgen.generator.programs.kernel import Coordinate, CurveConstant, Step, Store, Temporary, Test
from efdgen.generator.programs.program import (
    PRODUCT,
    SUM,
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
    Sqr,
    Sub,
    binding,
    expression_text,
    operands,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from fractions import Fraction

    from efdgen.generator.programs.kernel import Argument, FieldOperation, Place
    from efdgen.generator.programs.program import Operation, Program


@dataclass(frozen=True)
class Allocation:
    """Steps, the stores after them, how many temporaries they use, and the rational constants they read.

    ``tests`` are of the outputs that only are tested.
    """

    steps: tuple[Step, ...]
    stores: tuple[Store, ...]
    temporaries: int
    numbers: dict[str, Fraction]
    tests: tuple[Test, ...] = ()


def allocate(
    program: Program,
    inputs: tuple[Argument, ...],
    outputs: tuple[Argument, ...],
    authored: Collection[str] = (),
    tested: Sequence[str] = (),
) -> Allocation:
    """Give every value of an optimised program a place.

    ``authored`` are the names that the formula's author gave to values; a step's text speaks of these
    and writes out what is between them. ``tested`` are the outputs that are tested, not stored. Raises
    :class:`EfdgenError` for an operation that the passes should have expanded.
    """
    allocator = _Allocator(program, inputs, _Texts(program, authored))
    for number in range(len(program.instructions)):
        allocator.place(number)
    stored = dict(program.outputs)
    for value in stored.values():
        allocator.keep_apart(value)
    stores = tuple(
        Store(argument.name, member, allocator.places[stored[name]])
        for argument in outputs
        for member, name in argument.members.items()
    )
    tests = tuple(Test(allocator.places[stored[name]], name.startswith("check")) for name in tested)
    return Allocation(tuple(allocator.steps), stores, allocator.temporaries, allocator.numbers, tests)


class _Allocator:
    """Walks over a program once; a temporary is free after the last instruction that reads its value."""

    def __init__(self, program: Program, inputs: tuple[Argument, ...], texts: _Texts) -> None:
        self.program, self.texts = program, texts
        self.last_use = _last_uses(program)
        self.coordinates = {
            name: Coordinate(argument.name, member)
            for argument in inputs
            for member, name in argument.members.items()
        }
        self.places: dict[int, Place] = {}
        self.numbers: dict[str, Fraction] = {}
        self.steps: list[Step] = []
        self.free: list[int] = []
        self.temporaries = 0

    def place(self, number: int) -> None:
        match self.program.instructions[number].operation:
            case Input(name):
                self.places[number] = self.coordinates[name]
            case Parameter(name):
                self.places[number] = CurveConstant(name)
            case Constant(value):
                self.places[number] = CurveConstant(constant_name(value))
                self.numbers[constant_name(value)] = value
            case operation:
                read = tuple(self.places[operand] for operand in operands(operation))
                self._release(set(operands(operation)), number)
                target = self._temporary()
                self.places[number] = target
                self.steps.append(Step(_call(operation), target, read, self.texts.step(number)))

    def keep_apart(self, value: int) -> None:
        """Copy an output that repeats an input, because an earlier store may overwrite that input."""
        if isinstance(self.places[value], Coordinate):
            target = Temporary(self.temporaries)
            self.temporaries += 1
            self.steps.append(Step("copy", target, (self.places[value],), self.texts.operand(value)))
            self.places[value] = target

    def _release(self, values: set[int], number: int) -> None:
        for value in values:
            if self.last_use[value] == number and isinstance(place := self.places[value], Temporary):
                self.free.append(place.number)
        self.free.sort(reverse=True)

    def _temporary(self) -> Temporary:
        if self.free:
            return Temporary(self.free.pop())
        self.temporaries += 1
        return Temporary(self.temporaries - 1)


class _Texts:
    """Steps as a reader of the formula knows them: ``U2 = X2*Z1Z1``, ``r*(V - X3)``."""

    def __init__(self, program: Program, authored: Collection[str]) -> None:
        self.program = program
        # A value assigned again has a number after its name.
        again = re.compile(rf"(?:{'|'.join(map(re.escape, authored))})_[0-9]+") if authored else None
        self.named = [
            isinstance(i.operation, Input | Parameter)
            or i.label in authored
            or bool(again and again.fullmatch(i.label))
            for i in program.instructions
        ]

    def step(self, value: int) -> str:
        text = self._expression(value)
        return f"{self.program.instructions[value].label} = {text}" if self.named[value] else text

    def operand(self, value: int, least: int = SUM) -> str:
        instruction = self.program.instructions[value]
        if self.named[value]:
            return instruction.label
        text = self._expression(value)
        return f"({text})" if self._binding(instruction.operation) < least else text

    def _expression(self, value: int) -> str:
        match self.program.instructions[value].operation:
            case Add(left, right) if left == right:
                return f"2*{self.operand(left, PRODUCT)}"
            case operation:
                return expression_text(operation, self.operand)

    def _binding(self, operation: Operation) -> int:
        match operation:
            case Add(left, right) if left == right:
                return PRODUCT
            case _:
                return binding(operation)


def constant_name(value: Fraction) -> str:
    """Return an identifier for a rational number: ``minus_1_over_3``."""
    sign = "minus_" if value < 0 else ""
    over = f"_over_{value.denominator}" if value.denominator != 1 else ""
    return f"number_{sign}{abs(value.numerator)}{over}"


def _last_uses(program: Program) -> list[int]:
    """Return for each value the last instruction that reads it; outputs live to the end."""
    last = list(range(len(program.instructions)))
    for number, instruction in enumerate(program.instructions):
        for operand in operands(instruction.operation):
            last[operand] = number
    for _, value in program.outputs:
        last[value] = len(program.instructions)
    return last


def _call(operation: Operation) -> FieldOperation:
    match operation:
        case Add():
            return "add"
        case Sub():
            return "sub"
        case Neg():
            return "neg"
        case Mul() | MulParameter():
            return "mul"
        case Sqr():
            return "sqr"
        case MulConstant(factor) if factor == HALF:
            return "half"
        case Inv():
            return "inv"
        case MulConstant() | Pow() | Input() | Parameter() | Constant():
            raise EfdgenError(f"{operation} should have been expanded before allocation")
        case _:
            assert_never(operation)

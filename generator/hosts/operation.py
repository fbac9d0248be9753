"""Operations of a field as functions of a host: ``r = a - b`` in its calls, within the bounds at rest."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from efdgen.generator.programs.builder import ProgramBuilder
from efdgen.generator.programs.kernel import Argument, Kernel, PointType
from efdgen.generator.programs.program import Add, Input, Inv, Mul, Neg, Sqr, Sub

if TYPE_CHECKING:
    from efdgen.generator.programs.program import Program


@dataclass(frozen=True)
class Operation:
    """An operation: its name, its elements, and the program that it is, without a formula's contract."""

    name: str
    doc: str
    inputs: tuple[Argument, ...]
    outputs: tuple[Argument, ...]
    program: Program

    @property
    def function(self) -> str:
        """The name of its function."""
        return self.name


Signature: TypeAlias = Kernel | Operation
"""The subject of a host's function: a formula, or an operation."""


def title(signature: Signature) -> str:
    """Return what errors call a formula or an operation."""
    return signature.formula.id if isinstance(signature, Kernel) else signature.doc


_ELEMENT = PointType("element", ("value",), (), "")


def field_operations(inverts: bool) -> list[Operation]:
    """Return the operations that code between formulas calls, inversion where the host ``inverts``."""
    operations = [
        _operation("add", "r = a + b.", "ab"),
        _operation("sub", "r = a - b.", "ab"),
        _operation("neg", "r = -a.", "a"),
        _operation("mul", "r = a*b.", "ab"),
        _operation("sqr", "r = a^2.", "a"),
    ]
    return [*operations, *([_operation("inv", "r = 1/a, and 0 for 0.", "a")] if inverts else [])]


def _operation(name: str, doc: str, operands: str) -> Operation:
    builder = ProgramBuilder()
    a, *others = (builder.emit(Input(operand), operand) for operand in operands)
    match name, others:
        case "add", [b]:
            result = builder.emit(Add(a, b), "r")
        case "sub", [b]:
            result = builder.emit(Sub(a, b), "r")
        case "mul", [b]:
            result = builder.emit(Mul(a, b), "r")
        case "neg", []:
            result = builder.emit(Neg(a), "r")
        case "sqr", []:
            result = builder.emit(Sqr(a), "r")
        case _:
            result = builder.emit(Inv(a), "r")
    inputs = tuple(Argument(operand, 0, _ELEMENT, (operand,)) for operand in operands)
    return Operation(name, doc, inputs, (Argument("r", 0, _ELEMENT, ("r",)),), builder.build([("r", result)]))

"""Functions on lanes as C and as Rust, in the intrinsics that both languages have by the same names."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from efdgen.generator.errors import EfdgenError
from efdgen.generator.limbs.operations import And, Constant, Funnel, Or, Select, ShiftLeft, Sub, Word
from efdgen.generator.text import rust
from efdgen.generator.text.rust import hexadecimal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from efdgen.generator.fields.printed import LaneFunction, PointArgument
    from efdgen.generator.lanes.instructions import InstructionSet
    from efdgen.generator.limbs.operation import Operation

LaneLanguage: TypeAlias = Literal["c", "rust"]


@dataclass(frozen=True)
class _Forms:
    """Formats of a language: a declaration, a number, an intrinsic with an amount, a member and a limb."""

    let: str
    number: str
    shift: str
    member: str


_FORMS: dict[LaneLanguage, _Forms] = {
    "c": _Forms("const {2} {0} = {1};", "INT64_C({0})", "{0}({1}, {2})", "{0}->{1}.limb[{2}]"),
    "rust": _Forms("let {0} = {1};", "{0}", "{0}::<{2}>({1})", "{0}.{1}.limb[{2}]"),
}


class LaneText:
    """The statements of a function in a language."""

    def __init__(self, function: LaneFunction, language: LaneLanguage, machine: InstructionSet) -> None:
        self._function, self._language, self._forms = function, language, _FORMS[language]
        self._intrinsics = machine.intrinsics
        self._known: dict[int, int] = {}
        self._masks: set[int] = set()
        self._numbers = {
            number: (argument.name, member)
            for argument in (*function.outputs, *function.inputs)
            for member, number in argument.members.items()
        }

    def statements(self) -> Iterator[str]:
        """Yield the statements: constants and loads, operations, and stores."""
        for instruction in self._function.instructions:
            (value, *_) = instruction.results
            yield from self._instruction(value, instruction.operation)
        program = self._function.operation.program
        for name, number in program.outputs:
            for at, value in enumerate(program.numbers[number].words):
                yield f"{self._limb(name, at)} = {self._name(value)};"

    def _instruction(self, value: int, operation: Operation) -> Iterator[str]:
        match operation:
            case Constant(0):
                self._known[value] = 0
            case Constant(known):
                self._known[value] = known
                text = hexadecimal(known) if self._language == "rust" else f"{known:#x}"
                yield self._let(value, self._call("all", self._forms.number.format(text)))
            case Word(number, index):
                yield self._let(value, self._limb(number, index))
            case Select(bit, one, zero):
                yield from self._select(value, bit, one, zero)
            case _:
                yield self._let(value, self._expression(operation))

    def _expression(self, operation: Operation) -> str:
        match operation:
            case Funnel(high, low, amount) if self._known.get(low) == 0:
                return self._shift(ShiftLeft.lanes, high, amount)
            case _ if operation.lanes not in self._intrinsics:
                raise EfdgenError(f"lanes have no {type(operation).__name__}; choose another formula")
            case _ if amount := getattr(operation, "amount", 0):
                (value,) = operation.operands
                return self._shift(operation.lanes, value, amount)
            case _:
                return self._call(operation.lanes, *map(self._name, operation.operands))

    def _select(self, value: int, bit: int, one: int, zero: int) -> Iterator[str]:
        """Yield a choice by a mask, which is made once for a bit."""
        mask = f"m_{bit}"
        if bit not in self._masks:
            self._masks.add(bit)
            yield self._named(mask, self._call(Sub.lanes, self._call("zero"), self._name(bit)))
        chosen = self._call(And.lanes, mask, self._name(one))
        if self._known.get(zero) != 0:
            chosen = self._call(Or.lanes, chosen, self._call("andnot", mask, self._name(zero)))
        yield self._let(value, chosen)

    def _let(self, value: int, text: str) -> str:
        return self._named(self._name(value), text)

    def _named(self, name: str, text: str) -> str:
        return self._forms.let.format(name, text, self._intrinsics["type"])

    def _call(self, name: str, *given: str) -> str:
        return f"{self._intrinsics[name]}({', '.join(given)})"

    def _shift(self, name: str, value: int, amount: int) -> str:
        return self._forms.shift.format(self._intrinsics[name], self._name(value), amount)

    def _name(self, value: int) -> str:
        if value in self._known:
            return f"k_{value}" if self._known[value] else self._call("zero")
        return f"t_{value}"

    def _limb(self, number: str, at: int) -> str:
        argument, member = self._numbers[number]
        text = self._forms.member.format(argument, member_name(member, self._language), at)
        return text if member else text.replace("->.", "->").replace("..", ".")


def member_name(member: str, language: LaneLanguage) -> str:
    """Return the name of a coordinate."""
    return member.lower() if language == "rust" else member


def type_name(name: str, language: LaneLanguage) -> str:
    """Return the name of a type, in C without its prefix."""
    return "".join(map(str.capitalize, name.split("_"))) if language == "rust" else name


def printed_name(function: LaneFunction, language: LaneLanguage, prefix: str) -> str:
    """Return the name of a function in its file."""
    return f"{prefix}_{function.name}" if language == "c" else function.name


def signature(function: LaneFunction, language: LaneLanguage, prefix: str) -> str:
    """Return the signature of a function, outputs first."""

    def declared(argument: PointArgument, *, output: bool) -> str:
        if language == "c":
            return f"{'' if output else 'const '}{prefix}_{argument.type} *{argument.name}"
        return f"{argument.name}: &{'mut ' * output}{type_name(argument.type, language)}"

    outputs = (declared(argument, output=True) for argument in function.outputs)
    inputs = (declared(argument, output=False) for argument in function.inputs)
    listed = ", ".join((*outputs, *inputs))
    head = f"{printed_name(function, language, prefix)}({listed})"
    return f"void {head}" if language == "c" else rust.signature(f"pub fn {head}")

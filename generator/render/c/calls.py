"""Kernels in C as calls of field functions."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from efdgen.generator.programs.kernel import Coordinate, CurveConstant, Temporary
from efdgen.generator.render.locals import with_variables
from efdgen.generator.text import keywords
from efdgen.generator.text.c import WIDTH, comment, harmless
from efdgen.generator.text.wrap import wrap

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from efdgen.generator.programs.kernel import Kernel, Place, Step, Test

# Variables of a loop over points.
_LOOP = frozenset({"every", "i", "n", "none", "one", "product", "z", "zero"})


class Calls:
    """A kernel as calls of the functions of ``field_type``; ``constant`` names the curve's constants in C."""

    def __init__(self, kernel: Kernel, field_type: str, constant: Callable[[str], str]) -> None:
        arguments = {argument.name for argument in (*kernel.inputs, *kernel.outputs)}
        self.kernel, self._variables = with_variables(kernel, arguments | _LOOP | keywords.C)
        self._fe, self._constant = field_type, constant

    def body(self) -> Iterator[str]:
        """Yield the lines of the function."""
        yield from self.declaration()
        read = {place.argument for place in self.kernel.places() if isinstance(place, Coordinate)}
        yield from (f"(void){point.name};" for point in self.kernel.inputs if point.name not in read)
        yield from self.steps(WIDTH - 4)
        if self.kernel.tests:
            yield f"return {' & '.join(map(self._test, self.kernel.tests))};"

    def declaration(self) -> list[str]:
        """Return the lines that declare the local variables."""
        text = f"{self._fe} {', '.join(self._variables)};"
        return wrap(text, WIDTH - 4, subsequent_indent=" " * 4) if self._variables else []

    def steps(self, room: int) -> Iterator[str]:
        """Yield the steps, the formula's text beside each in ``room`` columns, and the stores."""
        calls = [self._call(step) for step in self.kernel.steps]
        width = max(map(len, calls), default=0)
        for call, step in zip(calls, self.kernel.steps, strict=True):
            line = f"{call:<{width}} /* {harmless(step.text)} */"
            if len(line) <= room:
                yield line
            else:
                yield from (*comment([step.text], room).splitlines(), call)
        for store in self.kernel.stores:
            yield f"{store.argument}->{store.member} = {self.place(store.value)};"

    def place(self, place: Place) -> str:
        """Return the text of a place: ``u1``, ``p1->X``, or the name of a constant."""
        match place:
            case Temporary(number):
                return self._variables[number]
            case Coordinate(argument, member):
                return f"{argument}->{member}"
            case CurveConstant(name):
                return self._constant(name)
            case _:
                assert_never(place)

    def _test(self, test: Test) -> str:
        zero = f"{self._fe}_is_zero(&{self.place(test.value)})"
        return zero if test.zero else f"(1 ^ {zero})"

    def _call(self, step: Step) -> str:
        values = [self.place(place) for place in (step.target, *step.operands)]
        match step.operation:
            case "copy":
                return f"{values[0]} = {values[1]};"
            case "add" | "sub" | "neg" | "mul" | "sqr" | "half" | "inv":
                return f"{self._fe}_{step.operation}({', '.join(f'&{value}' for value in values)});"
            case _:
                assert_never(step.operation)

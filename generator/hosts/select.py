"""From forms and the solver's choice to a program of the host's operations."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING

from efdgen.generator.hosts.form import scaled
from efdgen.generator.hosts.program import HostCall, HostProgram, HostResult, HostSource
from efdgen.generator.programs.program import ATOM, POWER, PRODUCT, SUM

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from efdgen.generator.hosts.form import Alternative, Key
    from efdgen.generator.hosts.forms import Forms
    from efdgen.generator.hosts.host import Host
    from efdgen.generator.hosts.program import HostValue


@dataclass(frozen=True)
class Limits:
    """The bounds that are wanted: of each input and of each output coordinate, by name.

    An input without a bound gets the one that the solver finds. ``returns`` pairs an output with the inputs
    that it can be next, whose bounds it may not exceed either.
    """

    inputs: Mapping[str, int]
    outputs: Mapping[str, int]
    returns: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True)
class Choice:
    """The solver's choice: for every computed form the call, and the operations on its bound, in order.

    ``inputs`` are the bounds that coordinates come with, the chosen ones among them.
    """

    ways: Mapping[int, Alternative | None]
    restores: Mapping[int, tuple[str, ...]]
    inputs: Mapping[str, int]


def select(forms: Forms, choice: Choice, host: Host, authored: Collection[str]) -> HostProgram:
    """Write down the calls that were chosen; ``authored`` are the names that the formula's author gave."""
    return _Selection(forms, choice, host, authored).program()


def line_text(forms: Forms, choice: Choice, number: int) -> str:
    """Return what the call that gives a form computes, in the names of the program."""
    return _Texts(forms, choice, list(forms.labels.values())).line(number)


class _Selection:
    def __init__(self, forms: Forms, choice: Choice, host: Host, authored: Collection[str]) -> None:
        self.forms, self.choice, self.host = forms, choice, host
        self.numbers = {form.key: number for number, form in forms.forms.items()}
        self.texts = _Texts(forms, choice, authored)
        self.values: list[HostValue] = []
        self.calls: list[HostCall] = []
        self.placed: dict[int, int] = {}
        # The forms that each call gives, by result.
        self.given: dict[object, dict[int, int]] = {}
        for number, way in choice.ways.items():
            if way is not None:
                self.given.setdefault(way.call, {})[way.result] = number

    def program(self) -> HostProgram:
        for number in sorted(self.choice.ways, key=self._order):
            self._place(number)
        outputs: list[tuple[str, int]] = []
        for name, form in self.forms.outputs:
            value = self.placed[form]
            if not self._is_written(form) or value in (used for _, used in outputs):
                (value,) = self._call("copy", (value,), 0, [f"{name} = {self.texts.form(form)}"])
            outputs.append((name, value))
        return HostProgram(tuple(self.values), tuple(self.calls), tuple(outputs))

    def _is_written(self, form: int) -> bool:
        """Return whether a call writes a form, as opposed to an input or constant that is where it was."""
        restored = self.choice.restores.get(form, ())
        return self.choice.ways[form] is not None or any(self.host.operation(n).results for n in restored)

    def _order(self, number: int) -> tuple[int, bool]:
        """Order as the formula has it, and a negation directly after what it negates."""
        way = self.choice.ways[number]
        negative = self.numbers.get(scaled(self.forms.forms[number].key, Fraction(-1)), number)
        return min(number, negative), way is not None and way.operation == "neg"

    def _place(self, number: int) -> None:
        if number in self.placed:
            return
        form, way = self.forms.forms[number], self.choice.ways[number]
        if way is None:
            assert form.origin is not None
            bound = 1 if form.origin.constant else self.choice.inputs[form.origin.name]
            self.values.append(HostSource(form.origin.name, form.origin.constant, bound))
            self._keep(number, len(self.values) - 1)
            return
        operands = tuple(self.placed[operand] for operand in way.operands)
        given = self.given[way.call]
        # A comparison has no result, and its one value is its operand as it is after the call.
        results = range(len(self.host.operation(way.operation).results) or 1)
        texts = [
            self.texts.line(given[result])
            if result in given
            else self.texts.unused(replace(way, result=result))
            for result in results
        ]
        values = self._call(way.operation, operands, way.factor, texts)
        for result, form_given in sorted(given.items()):
            self._keep(form_given, values[result])

    def _keep(self, number: int, value: int) -> None:
        """Take a value for a form, once its bound is as the solver wants it."""
        for name in self.choice.restores.get(number, ()):
            (value,) = self._call(name, (value,), 0, [self.texts.form(number)])
        self.placed[number] = value

    def _call(
        self, name: str, operands: tuple[int, ...], factor: int, texts: Sequence[str]
    ) -> tuple[int, ...]:
        operation = self.host.operation(name)
        read = [self.values[operand].bound for operand in operands]
        names = {"k": factor, **dict(zip(operation.operands, read, strict=True))}
        bounds = [given.at(names) for given in operation.gives] or read[:1]
        first = len(self.values)
        self.values += [HostResult(text, bound) for text, bound in zip(texts, bounds, strict=True)]
        values = tuple(range(first, len(self.values)))
        self.calls.append(HostCall(operation, operands, factor, values))
        return values


class _Texts:
    """Names of forms for readers of the formula: ``U2``, ``-U1``, ``2*T``, ``X3 + T``."""

    def __init__(self, forms: Forms, choice: Choice, authored: Collection[str]) -> None:
        self.forms, self.choice = forms, choice
        names = re.compile(rf"(?:{'|'.join(map(re.escape, authored))})(_[0-9]+)?")
        self.labels = {key: label for key, label in forms.labels.items() if names.fullmatch(label)}
        self.labels |= {f.key: f.origin.name for f in forms.forms.values() if f.origin is not None}

    def line(self, number: int) -> str:
        """Return what a call computes, with its name where the author gave it one."""
        way, name = self.choice.ways[number], self._named(self.forms.forms[number].key)
        if way is None:
            return self._form(number)[0]
        if way and name and way.operation == "neg" and self._named(self.forms.forms[way.operands[0]].key):
            return name[0]
        text = self._expression(way)[0]
        return text if name is None or name[0] == text else f"{name[0]} = {text}"

    def unused(self, way: Alternative) -> str:
        """Return what a result is that nothing reads."""
        return self._expression(way)[0]

    def form(self, number: int) -> str:
        """Return what a form is called."""
        return self._form(number)[0]

    def _form(self, number: int) -> tuple[str, int]:
        named, way = self._named(self.forms.forms[number].key), self.choice.ways[number]
        if named is None:
            assert way is not None
            return self._expression(way)
        return named

    def _named(self, key: Key) -> tuple[str, int] | None:
        if key in self.labels:
            return self.labels[key], ATOM
        negative = scaled(key, Fraction(-1))
        return (f"-{self.labels[negative]}", SUM) if negative in self.labels else None

    def _expression(self, way: Alternative) -> tuple[str, int]:
        read = [self._form(operand) for operand in way.operands]
        parts = {"add_sub": ("add", "sub")}.get(way.operation, (way.operation,))
        match parts[way.result], read:
            case "add", [left, right] if left == right:
                return _multiple(2, left)
            case "add", [left, right]:
                if left[0].startswith("-") and not right[0].startswith("-"):
                    left, right = right, left
                sign, rest = ("-", right[0][1:]) if right[0].startswith("-") else ("+", right[0])
                return f"{left[0]} {sign} {rest}", SUM
            case "sub", [left, right]:
                return f"{left[0]} - {_within(right, PRODUCT)}", SUM
            case "mul", [left, right]:
                return f"{_within(left, PRODUCT)}*{_within(right, PRODUCT)}", PRODUCT
            case "sqr", [value]:
                return f"{_within(value, ATOM)}^2", POWER
            case "neg", [value]:
                return f"-{_within(value, PRODUCT)}", SUM
            case (("double" | "mul_int"), [value]):
                return _multiple(way.factor or 2, value)
            case "half", [value]:
                return f"{_within(value, PRODUCT)}/2", PRODUCT
            case "inv", [value]:
                return f"1/{_within(value, POWER)}", SUM
            case "set_int", []:
                return str(way.factor), ATOM
            case "equal", [left, right]:
                return f"{left[0]} == {right[0]}", SUM
            case _:
                raise ValueError(f"{way} is not an operation of a host")


def _multiple(factor: int, text: tuple[str, int]) -> tuple[str, int]:
    """Return a multiple of what may be one already: 4*X rather than 2*2*X."""
    inner = re.match(r"(\d+)\*", text[0]) if text[1] == PRODUCT else None
    if inner:
        return f"{factor * int(inner[1])}*{text[0][inner.end() :]}", PRODUCT
    return f"{factor}*{_within(text, PRODUCT)}", PRODUCT


def _within(text: tuple[str, int], least: int) -> str:
    return text[0] if text[1] >= least else f"({text[0]})"

"""Kernels as a Python module of plain functions on integers, and a driver that tests them.

The module is its own namespace, so the bundle's prefix is its name and begins no other. Sums are left
unreduced, because Python's integers hold them; products are reduced, and so is what is returned.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from keyword import iskeyword
from textwrap import wrap
from typing import TYPE_CHECKING, assert_never

from efdgen.generator.errors import EfdgenError
from efdgen.generator.field import MontgomeryField
from efdgen.generator.kernel import Coordinate, CurveConstant, Temporary
from efdgen.generator.render.contract import contract_lines, header_lines, wrapped
from efdgen.generator.render.environment import environment

if TYPE_CHECKING:
    from collections.abc import Iterable

    from efdgen.generator.kernel import Argument, Bundle, CurveKernels, Kernel, Place, PointType, Step

WIDTH = 110
_REDUCED = frozenset({"mul", "sqr", "half", "inv"})
_TUPLE_METHODS = frozenset({"count", "index"})
_CONTRACT = {
    "Bounds": "coordinates are plain integers in [0, P), on input and on output",
    "Aliasing": "functions are pure",
    "Timing": "NOT constant time",
}


@dataclass(frozen=True)
class Options:
    """What can be chosen: whether the test driver is written beside the module."""

    driver: bool = True


@dataclass(frozen=True)
class _Type:
    name: str
    doc: list[str]
    members: list[str]


@dataclass(frozen=True)
class _Function:
    name: str
    request: str
    signature: list[str]
    doc: list[str]
    body: list[str]


def render(bundle: Bundle, options: Options) -> dict[str, str]:
    """Return the text of ``PREFIX.py`` and of ``driver.py``.

    Raises :class:`EfdgenError` for a prefix that cannot be the name of a module of one's own.
    """
    if not bundle.prefix.isidentifier() or iskeyword(bundle.prefix):
        raise EfdgenError(
            f"{bundle.prefix!r} cannot name a Python module; choose an identifier as the prefix"
        )
    if bundle.prefix == "driver" or bundle.prefix in sys.stdlib_module_names:
        raise EfdgenError(f"a Python module called {bundle.prefix} would hide another; choose another prefix")
    functions = [_function(group, kernel) for group in bundle.groups for kernel in group.kernels]
    operations = {
        step.operation for group in bundle.groups for kernel in group.kernels for step in kernel.steps
    }
    templates = environment("python")
    module = templates.get_template("module.py.j2").render(
        header=_comment(header_lines(bundle)),
        prime=_assignment("P", bundle.prime),
        half=_assignment("HALF", (bundle.prime + 1) // 2) if "half" in operations else [],
        constants=[line for group in bundle.groups for line in _constants(group)],
        types=[_type(group, point_type) for group in bundle.groups for point_type in group.types],
        functions=functions,
    )
    if not options.driver:
        return {f"{bundle.prefix}.py": module}
    driver = templates.get_template("driver.py.j2").render(
        header=_comment(header_lines(bundle)[:4]),
        prefix=bundle.prefix,
        functions=functions,
        digits=2 * MontgomeryField(bundle.prime).bytes,
    )
    return {f"{bundle.prefix}.py": module, "driver.py": driver}


def _constants(group: CurveKernels) -> list[str]:
    return [
        line for name, value in group.constants.items() for line in _assignment(_constant(group, name), value)
    ]


def _constant(group: CurveKernels, name: str) -> str:
    return f"{group.namespace.upper()}_CONSTANT_{name}".lstrip("_")


def _type(group: CurveKernels, point_type: PointType) -> _Type:
    doc = _docstring(f"A point; {point_type.meaning}.", [], "    ")
    return _Type(_type_name(group, point_type), doc, [_member(member) for member in point_type.members])


def _type_name(group: CurveKernels, point_type: PointType) -> str:
    words = f"{group.namespace}_{point_type.name}".split("_")
    return "".join(word[:1].upper() + word[1:] for word in words)


def _member(name: str) -> str:
    """Return a legal name for a coordinate; tuples have methods, and Python has keywords, of their own."""
    if iskeyword(name) or name in _TUPLE_METHODS:
        return f"{name}_"
    return name if name.isidentifier() else f"v{name}"


def _function(group: CurveKernels, kernel: Kernel) -> _Function:
    name = f"{group.namespace}_{kernel.name}".lstrip("_")
    summary, *rest = contract_lines(kernel)
    parameters = [f"{argument.name}: {_type_name(group, argument.type)}" for argument in kernel.inputs]
    results = [_type_name(group, output.type) for output in kernel.outputs]
    result = results[0] if len(results) == 1 else f"tuple[{', '.join(results)}]"
    return _Function(
        name=name,
        request=f"{group.namespace}.{kernel.name}".lstrip("."),
        signature=_bracketed(f"def {name}(", parameters, f") -> {result}:", ""),
        doc=_docstring(summary, [_own_contract(line) for line in rest], "    "),
        body=[*(line for step in kernel.steps for line in _step(group, step)), *_results(group, kernel)],
    )


def _own_contract(line: str) -> str:
    label = line.partition(":")[0]
    return f"{label + ':':<12}{_CONTRACT[label]}" if label in _CONTRACT else line


def _step(group: CurveKernels, step: Step) -> list[str]:
    values = [_place(group, place) for place in step.operands]
    line = f"    {_place(group, step.target)} = {_expression(step, values)}  # {step.text}"
    if len(line) <= WIDTH:
        return [line]
    code, _, text = line.partition("  # ")
    return [*wrap(text, WIDTH, initial_indent="    # ", subsequent_indent="    # "), code]


def _expression(step: Step, values: list[str]) -> str:
    match step.operation:
        case "add":
            return f"{values[0]} + {values[1]}"
        case "sub":
            return f"{values[0]} - {values[1]}"
        case "neg":
            return f"-{values[0]}"
        case "mul":
            return f"{values[0]} * {values[1]} % P"
        case "sqr":
            return f"{values[0]} * {values[0]} % P"
        case "half":
            return f"{values[0]} * HALF % P"
        case "inv":
            return f"pow({values[0]}, P - 2, P)"
        case "copy":
            return values[0]
        case _:
            assert_never(step.operation)


def _place(group: CurveKernels, place: Place) -> str:
    match place:
        case Temporary(number):
            return f"r{number}"
        case Coordinate(argument, member):
            return f"{argument}.{_member(member)}"
        case CurveConstant(name):
            return _constant(group, name)
        case _:
            assert_never(place)


def _results(group: CurveKernels, kernel: Kernel) -> list[str]:
    """Return the lines that build the outputs; a value that is still a sum is reduced here."""
    sums: set[Place] = set()
    for step in kernel.steps:
        copied = step.operation == "copy" and step.operands[0] not in sums
        (sums.discard if copied or step.operation in _REDUCED else sums.add)(step.target)

    def value(place: Place) -> str:
        return f"{_place(group, place)} % P" if place in sums else _place(group, place)

    def built(output: Argument, head: str) -> list[str]:
        stores = [store for store in kernel.stores if store.argument == output.name]
        members = [f"{_member(store.member)}={value(store.value)}" for store in stores]
        return _bracketed(f"{head}{_type_name(group, output.type)}(", members, ")", "    ")

    if len(kernel.outputs) == 1:
        return built(kernel.outputs[0], "return ")
    names = ", ".join(output.name for output in kernel.outputs)
    lines = [line for output in kernel.outputs for line in built(output, f"{output.name} = ")]
    return [*lines, f"    return {names}"]


def _assignment(name: str, value: int) -> list[str]:
    """Return ``name = 0x…``, over several lines where the number is long."""
    whole = f"{name} = 0x{value:X}"
    if len(whole) <= WIDTH:
        return [whole]
    words = [(shift, value >> shift & (1 << 256) - 1) for shift in range(0, value.bit_length(), 256)]
    parts = [f"0x{word:064X} << {shift}" if shift else f"0x{word:064X}" for shift, word in reversed(words)]
    return [f"{name} = (", f"    {parts[0]}", *(f"    | {part}" for part in parts[1:]), ")"]


def _bracketed(head: str, items: list[str], tail: str, indent: str) -> list[str]:
    """Return ``head item, item tail``, broken as the formatter breaks it where the line is too long."""
    joined = ", ".join(items)
    if len(indent) + len(head) + len(joined) + len(tail) <= WIDTH:
        return [f"{indent}{head}{joined}{tail}"]
    if len(indent) + 4 + len(joined) <= WIDTH:
        return [f"{indent}{head}", f"{indent}    {joined}", f"{indent}{tail}"]
    return [f"{indent}{head}", *(f"{indent}    {item}," for item in items), f"{indent}{tail}"]


def _comment(lines: Iterable[str]) -> list[str]:
    return [f"# {part}".rstrip() for line in lines for part in wrapped(line, WIDTH - 2)]


def _docstring(summary: str, lines: list[str], indent: str) -> list[str]:
    """Return a docstring with its quotes; what does not fit in the first line makes a second paragraph."""
    room = WIDTH - len(indent) - 3
    if len(summary) > (room if lines else room - 3):
        cut = summary.rfind(" ", 0, room)
        cut = max(summary.rfind(mark, 0, cut) for mark in (" (", "; ", ", "))
        rest = summary[cut:].lstrip(";, ")
        summary, lines = f"{summary[:cut]}.", ["", *wrapped(rest, room), *lines]
    if not lines:
        return [f'{indent}"""{summary}"""']
    texts = [part for line in lines for part in wrapped(line, room)]
    return [f'{indent}"""{summary}', *(f"{indent}{text}".rstrip() for text in texts), f'{indent}"""']

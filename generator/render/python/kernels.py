"""Kernels in Python: types, functions, straight-line steps and constants.

Results of lazy operations are not reduced before they are returned.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, assert_never

from efdgen.generator.fields.printed import KernelText, PointArgument, PythonText
from efdgen.generator.kernels.contract import contract_lines, header_lines
from efdgen.generator.programs.kernel import Coordinate, CurveConstant, Temporary
from efdgen.generator.render.locals import with_variables
from efdgen.generator.render.python.arithmetic import INTEGERS, POLYNOMIALS
from efdgen.generator.text import keywords
from efdgen.generator.text.environment import environment
from efdgen.generator.text.wrap import wrap, wrapped

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

    from efdgen.generator.mathematics.ground import Ground
    from efdgen.generator.programs.kernel import (
        Argument,
        Bundle,
        CurveKernels,
        Kernel,
        Place,
        PointType,
        Step,
        Store,
    )
    from efdgen.generator.render.python.arithmetic import Spelling

    Locals = Callable[[str, str], str]

WIDTH = 110
# The names of constants that are integers of formulas.
_INTEGER = re.compile(r"number_(minus_)?(\d{1,9})")
# Names in functions besides arguments and results: built-in functions, and what a loop over points has.
_OTHER_NAMES = keywords.PYTHON | {
    *("all", "inverse", "points", "pow", "product", "products", "results", "reversed", "zip")
}
_TUPLE_METHODS = frozenset({"count", "index"})


@dataclass(frozen=True)
class PointClass:
    """A type of points: its name, its docstring and its members."""

    name: str
    doc: list[str]
    members: list[str]


@dataclass(frozen=True)
class Scope:
    """The names within a function: of temporaries, and of coordinates if these are local variables."""

    group: CurveKernels
    variables: tuple[str, ...]
    local: Locals | None = None

    def text(self, place: Place) -> str:
        """Return how a place is read: ``p1.X``, or the name of a variable."""
        match place:
            case Temporary(number):
                return self.variables[number]
            case Coordinate(argument, member):
                return self.local(argument, member) if self.local else f"{argument}.{member_name(member)}"
            case CurveConstant(name):
                return _literal(self.group, name) or _constant(self.group, name)
            case _:
                assert_never(place)


@dataclass(frozen=True)
class Function:
    """A function: its name, the name that a driver knows, its lines, and the type it takes n points of."""

    name: str
    request: str
    signature: list[str]
    doc: list[str]
    body: list[str]
    batch: str = ""


def constants(group: CurveKernels) -> list[str]:
    """Return the definitions of a group's constants."""
    named = ((name, value) for name, value in group.constants.items() if not _literal(group, name))
    return [line for name, value in named for line in assignment(_constant(group, name), value)]


def module_text(prefix: str, ground: Ground, groups: Iterable[CurveKernels]) -> PythonText:
    """Return what the functions of a module must be."""
    values: dict[str, int] = {}
    names: dict[str, str] = {}
    literals: dict[str, int] = {}
    kernels: list[KernelText] = []
    for group in groups:
        for name, value in group.constants.items():
            if literal := _literal(group, name):
                literals[name] = int(literal)
                continue
            values[_constant(group, name)], names[_constant(group, name)] = value, name
        kernels += (_kernel_text(prefix, group, kernel) for kernel in group.kernels)
    return PythonText(prefix, ground, values, names, literals, tuple(kernels))


def _kernel_text(prefix: str, group: CurveKernels, kernel: Kernel) -> KernelText:
    inputs, outputs = (
        tuple(
            PointArgument(a.name, type_name(group, a.type), {member_name(m): n for m, n in a.members.items()})
            for a in arguments
        )
        for arguments in (kernel.inputs, kernel.outputs)
    )
    return KernelText(
        language="python",
        prefix=prefix,
        name=_name(group, kernel),
        program=kernel.program,
        inputs=inputs,
        outputs=outputs,
        constants={},
        tested=kernel.tested,
        inverses=kernel.inverses,
    )


def _name(group: CurveKernels, kernel: Kernel) -> str:
    return group.named(kernel.name)


def _literal(group: CurveKernels, name: str) -> str:
    """Return a small integer of a formula as it is written, empty for other constants.

    A coordinate of a result is in [0, P), for which any other integer than 0 and 1 needs its residue.
    """
    found = None if group.binary else _INTEGER.fullmatch(name)
    if not found:
        return ""
    integer = f"{'-' * bool(found[1])}{found[2]}"
    place = CurveConstant(name)
    stored = any(store.value == place for kernel in group.kernels for store in kernel.stores)
    return integer if integer in {"0", "1"} or not stored else ""


def _constant(group: CurveKernels, name: str) -> str:
    return f"{group.namespace.upper()}_CONSTANT_{name}".lstrip("_")


def point_class(group: CurveKernels, point_type: PointType) -> PointClass:
    """Return the class of a type of points."""
    place = f" of {point_type.system}" if point_type.system else ""
    kind = "A cached value: " if point_type.name == "scalar" else f"A point{place}; "
    doc = docstring(f"{kind}{point_type.meaning}.", [], "    ")
    return PointClass(
        type_name(group, point_type), doc, [member_name(member) for member in point_type.members]
    )


def type_name(group: CurveKernels, point_type: PointType) -> str:
    """Return the name of a type: the namespace and the type in capitals."""
    words = f"{group.namespace}_{point_type.name}".split("_")
    return "".join(word[:1].upper() + word[1:] for word in words)


def member_name(name: str) -> str:
    """Return a legal name for a coordinate; tuples have methods, and Python has keywords, of their own."""
    if name in keywords.PYTHON or name in _TUPLE_METHODS:
        return f"{name}_"
    return name if name.isidentifier() else f"v{name}"


def function(group: CurveKernels, kernel: Kernel) -> Function:
    """Return a kernel as a function."""
    if kernel.batch:
        return _batch(group, kernel)
    kernel, scope = _function_scope(group, kernel)
    name = _name(group, kernel)
    summary, exceptions, *facts = contract_lines(kernel, {"Aliasing": ""})
    parameters = [f"{argument.name}: {type_name(group, argument.type)}" for argument in kernel.inputs]
    results = [type_name(group, output.type) for output in kernel.outputs]
    results += ["bool"] if kernel.tests else []
    result = results[0] if len(results) == 1 else f"tuple[{', '.join(results)}]"
    return Function(
        name=name,
        request=f"{group.namespace}.{kernel.name}".lstrip("."),
        signature=bracketed(f"def {name}(", parameters, f") -> {result}:", ""),
        doc=docstring(summary, ["", exceptions, *facts], "    "),
        body=[*(line for step in kernel.steps for line in step_lines(scope, step)), *_results(scope, kernel)],
    )


def _function_scope(group: CurveKernels, kernel: Kernel) -> tuple[Kernel, Scope]:
    """Return a kernel with its variables named, and the names in its function."""
    arguments = {argument.name for argument in (*kernel.inputs, *kernel.outputs)}
    kernel, variables = with_variables(kernel, arguments | _OTHER_NAMES)
    return kernel, Scope(group, variables)


def _batch(group: CurveKernels, kernel: Kernel) -> Function:
    kernel, scope = _function_scope(group, kernel)
    batch = kernel.batch
    assert batch is not None
    name = _name(group, kernel)
    summary, exceptions, *facts = contract_lines(kernel, {"Aliasing": ""})
    (point,), (output,) = kernel.inputs, kernel.outputs
    result = type_name(group, output.type)
    steps = [line for step in kernel.steps for line in step_lines(scope, step)]
    values = stored_values(scope, kernel)
    members = [f"{member_name(store.member)}={values[store]}" for store in kernel.stores]
    body = (
        environment("python")
        .get_template("batch.py.j2")
        .render(
            point=point.name,
            output=output.name,
            result=result,
            inverted=scope.text(batch.inverted),
            member=member_name(batch.inverted.member),
            reciprocal=scope.text(batch.inverse),
            field=spelling(group),
            steps=[*steps, *bracketed(f"{output.name} = {result}(", members, ")", "    ")],
        )
    )
    return Function(
        name=name,
        request=f"{group.namespace}.{kernel.name}".lstrip("."),
        signature=bracketed(
            f"def {name}(",
            [f"points: Sequence[{type_name(group, point.type)}]"],
            f") -> tuple[list[{result}], bool]:",
            "",
        ),
        doc=docstring(summary, ["", exceptions, *facts], "    "),
        body=body.rstrip().split("\n"),
        batch=type_name(group, point.type),
    )


def spelling(group: CurveKernels) -> Spelling:
    """Return the expressions of the field operations of a group."""
    return POLYNOMIALS if group.binary else INTEGERS


def step_lines(scope: Scope, step: Step) -> list[str]:
    """Return a step with the formula's text beside it."""
    expression = spelling(scope.group).expression(step.operation, [*map(scope.text, step.operands)])
    line = f"    {scope.text(step.target)} = {expression}  # {step.text}"
    if len(line) <= WIDTH:
        return [line]
    code, _, text = line.partition("  # ")
    return [*wrap(text, WIDTH, initial_indent="    # ", subsequent_indent="    # "), code]


def loop_lines(group: CurveKernels, kernel: Kernel, reserved: Collection[str]) -> list[str]:
    """Return a kernel from a point to one of the same type as the body of a loop over local variables."""
    return body_lines(group, kernel, lambda _, member: member_name(member).lower(), reserved)


def body_lines(group: CurveKernels, kernel: Kernel, local: Locals, reserved: Collection[str]) -> list[str]:
    """Return a kernel as statements on local variables, which are called so for arguments and results.

    ``reserved`` are further variables of the function around them.
    """
    coordinates = {local(a.name, member) for a in kernel.inputs for member in a.members}
    coordinates |= {local(store.argument, store.member) for store in kernel.stores}
    kernel, variables = with_variables(kernel, coordinates | {*reserved} | _OTHER_NAMES)
    scope = Scope(group, variables, local)
    lines = [line for step in kernel.steps for line in step_lines(scope, step)]
    values = stored_values(scope, kernel)
    targets = ", ".join(local(store.argument, store.member) for store in kernel.stores)
    return [*lines, f"    {targets} = {', '.join(values[store] for store in kernel.stores)}"]


def stored_values(scope: Scope, kernel: Kernel) -> dict[Store, str]:
    """Return what each store holds; a value that is still a sum is reduced here."""
    sums = _sums(scope, kernel)
    return {store: _reduced(scope, store.value, sums) for store in kernel.stores}


def _sums(scope: Scope, kernel: Kernel) -> set[Place]:
    """Return the places that hold a value of any size at the end."""
    sums: set[Place] = set()
    lazy = spelling(scope.group).lazy
    for step in kernel.steps:
        copied = step.operation == "copy" and step.operands[0] in sums
        (sums.add if copied or step.operation in lazy else sums.discard)(step.target)
    return sums


def _reduced(scope: Scope, place: Place, sums: set[Place]) -> str:
    text = scope.text(place)
    return spelling(scope.group).reduced(text) if place in sums else text


def _tests(scope: Scope, kernel: Kernel) -> str:
    sums = _sums(scope, kernel)
    texts = (f"{_reduced(scope, t.value, sums)} {'==' if t.zero else '!='} 0" for t in kernel.tests)
    return " and ".join(texts)


def _results(scope: Scope, kernel: Kernel) -> list[str]:
    """Return the lines that build the outputs."""
    values = stored_values(scope, kernel)

    def built(output: Argument, head: str) -> list[str]:
        # In their order, without names: these would take Python half the time of the formula.
        stores = {store.member: store for store in kernel.stores if store.argument == output.name}
        members = [values[stores[member]] for member in output.type.members]
        return bracketed(f"{head}{type_name(scope.group, output.type)}(", members, ")", "    ")

    if len(kernel.outputs) == 1 and not kernel.tests:
        return built(kernel.outputs[0], "return ")
    results = [*(output.name for output in kernel.outputs), *filter(None, [_tests(scope, kernel)])]
    lines = [line for output in kernel.outputs for line in built(output, f"{output.name} = ")]
    return [*lines, f"    return {', '.join(results)}"]


def assignment(name: str, value: int, function: str = "") -> list[str]:
    """Return ``name = 0x…``, over several lines where the number is long; or a function of its size."""
    head, size = f"{name} = {'-' * (value < 0)}{function}", abs(value)
    whole = f"{head}(0x{size:X})" if function else f"{head}0x{size:X}"
    if len(whole) <= WIDTH:
        return [whole]
    words = [(shift, size >> shift & (1 << 256) - 1) for shift in range(0, size.bit_length(), 256)]
    parts = [f"0x{word:064X} << {shift}" if shift else f"0x{word:064X}" for shift, word in reversed(words)]
    return [f"{head}(", f"    {parts[0]}", *(f"    | {part}" for part in parts[1:]), ")"]


def bracketed(head: str, items: list[str], tail: str, indent: str) -> list[str]:
    """Return ``head item, item tail``, broken as the formatter breaks it where the line is too long."""
    joined = ", ".join(items)
    if len(indent) + len(head) + len(joined) + len(tail) <= WIDTH:
        return [f"{indent}{head}{joined}{tail}"]
    if len(items) > 1 and len(indent) + 4 + len(joined) <= WIDTH:
        return [f"{indent}{head}", f"{indent}    {joined}", f"{indent}{tail}"]
    return [f"{indent}{head}", *(f"{indent}    {item}," for item in items), f"{indent}{tail}"]


def module_header(bundle: Bundle) -> dict[str, list[str]]:
    """Return the comments before a module's docstring, ``header``, and after it, ``details`` of formulas."""
    lines = header_lines(bundle)
    end = lines.index("", 2)
    return {"header": comment(lines[:end]), "details": comment(lines[end + 1 :])}


def comment(lines: Iterable[str]) -> list[str]:
    """Return lines of comment, broken where they are too long."""
    return [f"# {part}".rstrip() for line in lines for part in wrapped(line, WIDTH - 2)]


def docstring(summary: str, lines: list[str], indent: str) -> list[str]:
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

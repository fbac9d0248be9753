"""Kernels as C99: one header, or a header and a source file, and a driver that tests them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from textwrap import wrap
from typing import TYPE_CHECKING, Literal, assert_never

from efdgen.generator.errors import EfdgenError
from efdgen.generator.field import MontgomeryField
from efdgen.generator.kernel import Coordinate, CurveConstant, Temporary
from efdgen.generator.render.contract import contract_lines, header_lines, wrapped
from efdgen.generator.render.environment import environment

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from efdgen.generator.kernel import Bundle, CurveKernels, Kernel, Place, Step

WIDTH = 100

# Files that the driver, or the generated code itself, includes or is.
_TAKEN = frozenset({"driver", "stdint", "stdio", "stdlib", "string"})

_FUNCTION = re.compile(r"^(/\*.*?\*/)\n(\w[^{]*) \{\n(.*?)^\}\n", re.M | re.S)


@dataclass(frozen=True)
class Options:
    """What can be chosen: everything ``static inline`` in one header, or prototypes and a source file."""

    layout: Literal["header", "split"] = "header"


@dataclass(frozen=True)
class _Function:
    """A function's comment, its signature without linkage, and the lines of its body."""

    doc: str
    signature: str
    body: str

    @property
    def name(self) -> str:
        """The function's name."""
        return self.signature.partition("(")[0].split(" ")[-1]

    @property
    def internal(self) -> bool:
        """Whether the function is none of the interface."""
        return self.signature.startswith("static ")

    def linked(self, linkage: str) -> str:
        """Return the signature with a linkage, unless it has one already."""
        return _broken(self.signature if self.internal else linkage + self.signature)


@dataclass(frozen=True)
class _Constant:
    name: str
    doc: str
    value: str


@dataclass(frozen=True)
class _Type:
    name: str
    doc: str
    members: tuple[str, ...]


@dataclass(frozen=True)
class _Point:
    """An argument of a kernel; ``shareable`` is whether the first output can be the same object."""

    name: str
    type: str
    members: tuple[str, ...]
    shareable: bool


@dataclass(frozen=True)
class _Request:
    """A kernel as the driver calls it: what a request calls it, the function, and its arguments."""

    name: str
    function: str
    inputs: tuple[_Point, ...]
    outputs: tuple[_Point, ...]


def render(bundle: Bundle, options: Options) -> dict[str, str]:
    """Return the text of ``PREFIX.h``, of ``PREFIX.c`` in the split layout, and of ``driver.c``.

    Raises :class:`EfdgenError` for a prefix that would give a file the name of another.
    """
    prefix, split = bundle.prefix, options.layout == "split"
    if prefix.lower() in _TAKEN:
        raise EfdgenError(f"{prefix}.h would hide another file; choose another prefix")
    names = {"prefix": prefix, "PREFIX": prefix.upper()}
    names |= {short: f"{prefix}_{short}" for short in ("fe", "word", "wide")}
    field = MontgomeryField(bundle.prime)
    field_functions = _field_functions(names)
    groups = [_Kernels(bundle, group) for group in bundle.groups]
    requests = [request for group in groups for request in group.requests()]
    values = {
        "split": split,
        "header": _comment(header_lines(bundle)),
        "driver_header": _comment(header_lines(bundle)[:4]),
        "field": field,
        "prime": wrap(f"p = {_number(bundle.prime)}", WIDTH - 8, subsequent_indent="    "),
        "tables": _tables(names["PREFIX"], field),
        "types": [printed for group in groups for printed in group.types()],
        "constants": [printed for group in groups for printed in group.constants(field)],
        "functions": [*field_functions, *(printed for group in groups for printed in group.functions())],
        "requests": requests,
        "entries": sorted(_field_entries(field_functions, names) + [(r.name, r.function) for r in requests]),
    }
    templates = {f"{prefix}.h": "header.h.j2", "driver.c": "driver.c.j2"}
    if split:
        templates[f"{prefix}.c"] = "source.c.j2"
    load = environment("c").get_template
    return {path: load(template).render(names, **values) for path, template in templates.items()}


def _field_functions(names: dict[str, str]) -> list[_Function]:
    text = environment("c").get_template("field.h.j2").render(names)
    return [_Function(*found) for found in _FUNCTION.findall(text)]


def _field_entries(functions: list[_Function], names: dict[str, str]) -> list[tuple[str, str]]:
    """Return what a request calls each function of the field, and its name."""
    public = [function.name for function in functions if not function.internal]
    return [(f"field.{name.removeprefix(names['fe'] + '_')}", name) for name in public]


class _Kernels:
    """Prints what belongs to one group of a bundle."""

    def __init__(self, bundle: Bundle, group: CurveKernels) -> None:
        self._group = group
        self._fe = f"{bundle.prefix}_fe"
        self._macro = bundle.prefix.upper()
        self._prefix = f"{bundle.prefix}_{group.namespace}" if group.namespace else bundle.prefix

    def types(self) -> Iterator[_Type]:
        """Yield the structures that the functions take."""
        for point_type in self._group.types:
            place = point_type.system or self._group.description
            doc = _comment([f"A point of {place}:", f"{point_type.meaning}."])
            yield _Type(self._name(point_type.name), doc, point_type.members)

    def constants(self, field: MontgomeryField) -> Iterator[_Constant]:
        """Yield the constants that the functions read."""
        places = {place for kernel in self._group.kernels for place in _places(kernel)}
        for name, value in self._group.constants.items():
            if CurveConstant(name) in places:
                table = _table(self._macro, field.words(field.montgomery(value)), nested=True)
                yield _Constant(self._constant(name), _comment([f"{name} = {_number(value)}"]), table)

    def functions(self) -> Iterator[_Function]:
        """Yield the functions themselves."""
        for kernel in self._group.kernels:
            arguments = [f"{self._name(output.type.name)} *{output.name}" for output in kernel.outputs]
            arguments += [f"const {self._name(point.type.name)} *{point.name}" for point in kernel.inputs]
            signature = f"void {self._name(kernel.name)}({', '.join(arguments)})"
            body = "".join(f"    {line}\n" for line in self._body(kernel))
            yield _Function(_comment(contract_lines(kernel)), signature, body)

    def requests(self) -> Iterator[_Request]:
        """Yield the functions as the driver calls them."""
        for kernel in self._group.kernels:
            result = kernel.outputs[0].type
            inputs, outputs = (
                tuple(
                    _Point(a.name, self._name(a.type.name), a.type.members, a.type == result)
                    for a in arguments
                )
                for arguments in (kernel.inputs, kernel.outputs)
            )
            name = f"{self._group.namespace}.{kernel.name}".lstrip(".")
            yield _Request(name, self._name(kernel.name), inputs, outputs)

    def _body(self, kernel: Kernel) -> Iterator[str]:
        names = ", ".join(f"v{number}" for number in range(kernel.temporaries))
        if names:
            yield from wrap(f"{self._fe} {names};", WIDTH - 4, subsequent_indent=" " * 4)
        read = {place.argument for place in _places(kernel) if isinstance(place, Coordinate)}
        yield from (f"(void){point.name};" for point in kernel.inputs if point.name not in read)
        calls = [self._call(step) for step in kernel.steps]
        width = max(map(len, calls), default=0)
        for call, step in zip(calls, kernel.steps, strict=True):
            line = f"{call:<{width}} /* {_harmless(step.text)} */"
            if len(line) <= WIDTH - 4:
                yield line
            else:
                yield from (*_comment([step.text], WIDTH - 4).splitlines(), call)
        for store in kernel.stores:
            yield f"{store.argument}->{store.member} = {self._place(store.value)};"

    def _call(self, step: Step) -> str:
        values = [self._place(place) for place in (step.target, *step.operands)]
        match step.operation:
            case "copy":
                return f"{values[0]} = {values[1]};"
            case "add" | "sub" | "neg" | "mul" | "sqr" | "half" | "inv":
                return f"{self._fe}_{step.operation}({', '.join(f'&{value}' for value in values)});"
            case _:
                assert_never(step.operation)

    def _place(self, place: Place) -> str:
        match place:
            case Temporary(number):
                return f"v{number}"
            case Coordinate(argument, member):
                return f"{argument}->{member}"
            case CurveConstant(name):
                return self._constant(name)
            case _:
                assert_never(place)

    def _name(self, name: str) -> str:
        return f"{self._prefix}_{name}"

    def _constant(self, name: str) -> str:
        return self._name(f"constant_{name}")


def _places(kernel: Kernel) -> Iterator[Place]:
    """Yield every place that a kernel reads."""
    for step in kernel.steps:
        yield from step.operands
    for store in kernel.stores:
        yield store.value


def _tables(macro: str, field: MontgomeryField) -> dict[str, str]:
    """Return the constants of the field as initialisers."""
    one, radix = field.montgomery(1), field.montgomery(field.radix)
    return {
        "prime": _table(macro, field.words(field.prime)),
        "prime_minus_2": _table(macro, field.words(field.prime - 2)),
        "one": _table(macro, field.words(one), nested=True),
        "radix": _table(macro, field.words(radix), nested=True),
        "negated_inverse": f"0x{field.negated_inverse:016X}",
    }


def _table(macro: str, words: Iterable[int], *, nested: bool = False) -> str:
    """Return an initialiser of an array of words, or of a structure that is only such an array."""
    items = "".join(f"    {macro}_WORDS(0x{word:016X}),\n" for word in words)
    return f"{{{{\n{items}}}}}" if nested else f"{{\n{items}}}"


def _number(value: int) -> str:
    """Write a number, a long one in hexadecimal in groups of 16 digits."""
    if value < 1 << 32:
        return str(value)
    digits = f"{value:X}"
    first = len(digits) % 16
    groups = [digits[:first], *(digits[at : at + 16] for at in range(first, len(digits), 16))]
    return "0x" + " ".join(group for group in groups if group)


def _comment(lines: Iterable[str], width: int = WIDTH) -> str:
    """Return a block comment of lines, each broken where it is too long."""
    broken = [part for line in lines for part in wrapped(_harmless(line), width - len(" * "))]
    if len(broken) == 1 and len(broken[0]) <= width - len("/*  */"):
        return f"/* {broken[0]} */"
    return "\n".join([f"/* {broken[0]}", *(f" * {line}".rstrip() for line in broken[1:]), " */"])


def _harmless(text: str) -> str:
    """Respell what would begin or end a comment, so that a shell still reads a quoted glob as it was."""
    return text.replace("*/", "*''/").replace("/*", "/''*")


def _broken(signature: str) -> str:
    """Break a signature that is too long for a line behind a comma."""
    if len(signature) + len(" {") <= WIDTH:
        return signature
    head, _, arguments = signature.partition("(")
    if len(arguments) + len("     {") > WIDTH:
        arguments = arguments.replace(", ", ",\n    ")
    return f"{head}(\n    {arguments}"

"""A field by itself: its source, a test program with vectors of Python's integers, and a Makefile."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, assert_never

from efdgen.generator.errors import EfdgenError
from efdgen.generator.fields.bundle import field_functions, offered_functions, unproved
from efdgen.generator.fields.pieces import Names
from efdgen.generator.fields.reference import IDENTITIES, is_known, vectors
from efdgen.generator.kernel import Bundle
from efdgen.generator.render import c, c_text, rust, rust_text
from efdgen.generator.render.c_field import CField
from efdgen.generator.render.contract import header_lines
from efdgen.generator.render.environment import environment
from efdgen.generator.render.field_python import render_python
from efdgen.generator.render.rust_field import RustField

if TYPE_CHECKING:
    from efdgen.generator.fields.bundle import Certify
    from efdgen.generator.fields.field import Field
    from efdgen.generator.fields.pieces import FieldFunction
    from efdgen.generator.fields.reference import Identity, Row
    from efdgen.generator.fields.request import FieldRequest

# Without these a test program could not read and write.
_NEEDED = frozenset({"set_zero", "sqr", "from_bytes_be", "to_bytes_be", "select", "equal", "sub", "is_zero"})

LAYOUTS = {"c": ("header", "split"), "rust": ("crate", "module"), "python": ("module",)}


@dataclass(frozen=True)
class _Operation:
    """An operation as the table of a C test program has it."""

    name: str
    count: int
    gives: str
    pointers: list[str]


@dataclass(frozen=True)
class _Row:
    operation: str
    operands: list[str]
    flag: int
    value: str


@dataclass(frozen=True)
class _RustRow:
    operation: str
    operands: list[str]
    flag: str
    value: str


@dataclass(frozen=True)
class _Identity:
    text: str
    lines: list[str]


def render_field(request: FieldRequest, certify: Certify = unproved) -> dict[str, str]:
    """Print what a request asks for: relative path to text.

    Raises :class:`EfdgenError` for an operation or a layout that there is not, and what ``certify`` raises.
    """
    layouts = LAYOUTS[request.language]
    if request.layout not in (None, *layouts):
        raise EfdgenError(
            f"--layout is {' or '.join(layouts)} for {request.language}, not {request.layout!r}"
        )
    match request.language:
        case "c":
            return _render_c(request, certify)
        case "rust":
            return _render_rust(request, certify)
        case "python":
            return render_python(request)
        case _:
            assert_never(request.language)


def wanted(field: Field, names: Names, operations: tuple[str, ...]) -> list[str]:
    """Return the operations that a request asks for, all of them where it names none."""
    if operations:
        return [*dict.fromkeys((*operations, *sorted(_NEEDED)))]
    return [name for name, function in offered_functions(field, names).items() if function.public]


def render_c_source(request: FieldRequest, certify: Certify = unproved) -> dict[str, str]:
    """Print the source of a field in C alone, without what tests it."""
    field, prefix, split = request.field(), request.prefix, request.layout == "split"
    if prefix.lower() in c.TAKEN:
        raise EfdgenError(f"{prefix}.h would hide another file; choose another prefix")
    names = Names(prefix)
    printed = CField(field, names, certify, wanted(field, names, request.operations))
    values: dict[str, object] = {
        **names.template,
        "header": c_text.comment(_header_lines(request, field)),
        "types": [],
        "batches": False,
        "split": split,
        "functions": list(printed.functions()),
        **printed.values([]),
    }
    load = environment("c").get_template
    return {
        f"{prefix}.h": load("header.h.j2").render(values),
        **({f"{prefix}.c": load("source.c.j2").render(values)} if split else {}),
    }


def _render_c(request: FieldRequest, certify: Certify) -> dict[str, str]:
    field, names = request.field(), Names(request.prefix)
    sources = render_c_source(request, certify)
    functions = field_functions(field, names, wanted(field, names, request.operations))
    lines = _header_lines(request, field)[:4]
    values = {
        **names.template,
        "field": field,
        "header": c_text.comment(lines),
        "sources": list(sources),
        "has": {function.name for function in functions},
        "has_roots": any(function.gives == "element if flag" for function in functions),
        "operations": _c_operations(functions, names),
        "rows": [_c_row(row, field) for row in vectors(field.prime, functions)],
        "identities": [_c_identity(identity, names) for identity in _identities(functions)],
    }
    load = environment("c").get_template
    return {
        **sources,
        "test_fp.c": load("test_fp.c.j2").render(values),
        "Makefile": load("Makefile.j2").render(values | {"header": rust_text.comment(lines, "#")}),
    }


def _header_lines(request: FieldRequest, field: Field) -> list[str]:
    return header_lines(Bundle(request.prefix, field.prime, (), request.command))


def _identities(functions: tuple[FieldFunction, ...]) -> list[Identity]:
    has = {function.name for function in functions if function.public}
    return [identity for identity in IDENTITIES if identity.operations <= has]


_POINTERS = {
    ("element", 1): 0,
    ("element", 2): 1,
    ("element", 4): 2,
    ("flag", 1): 3,
    ("flag", 2): 4,
    ("element if flag", 1): 5,
    ("element if flag", 2): 6,
}


def _c_operations(functions: tuple[FieldFunction, ...], names: Names) -> list[_Operation]:
    found = [
        (function.name, len(function.takes), function.gives, f"{names.template['fe']}_{function.name}")
        for function in functions
        if is_known(function)
    ]
    has = {function.name for function in functions}
    found += [
        (name, 2, "element", name)
        for base in ("select", "cswap")
        for name in (f"{base}_0", f"{base}_1")
        if base in has
    ]
    found += [("mul_small", 1, "element", "mul_small")] if "mul_small" in has else []
    operations = []
    for name, count, gives, pointer in found:
        pointers = ["NULL"] * len(_POINTERS)
        pointers[_POINTERS[gives or "", count]] = pointer
        operations.append(_Operation(name, count, (gives or "").upper().replace(" ", "_"), pointers))
    return operations


def _c_row(row: Row, field: Field) -> _Row:
    operands, value = ([_quoted(v, field) for v in numbers] for numbers in (row.operands, (row.value,)))
    return _Row(row.operation, operands, int(row.flag), value[0])


def _quoted(value: int, field: Field) -> str:
    """Write a number of so many bytes as strings that a compiler joins, each short enough for a line."""
    digits = f"{value:0{2 * field.bytes}x}"
    parts = [f'"{digits[at : at + 80]}"' for at in range(0, len(digits), 80)]
    return "\n         ".join(parts)


def _c_identity(identity: Identity, names: Names) -> _Identity:
    lines = []
    for operation, *places in identity.steps:
        if operation == "copy":
            lines.append(f"{places[0]} = {places[1]};")
        else:
            arguments = ", ".join(f"&{place}" for place in places)
            lines.append(f"{names.template['fe']}_{operation}({arguments});")
    return _Identity(identity.text, lines)


@dataclass(frozen=True)
class _Call:
    """An operation as a Rust test program has it: the patterns of its operands, and an expression."""

    name: str
    count: int
    operands: str
    call: str


def _render_rust(request: FieldRequest, certify: Certify) -> dict[str, str]:
    field, names = request.field(), Names(request.prefix)
    chosen = wanted(field, names, request.operations)
    functions = field_functions(field, names, chosen)
    bundle = Bundle(request.prefix, field.prime, (), request.command)
    printed = RustField(field, names, certify, chosen)
    own = {
        "has_roots": any(function.gives == "element if flag" for function in functions),
        "operations": _rust_calls(functions),
        "rows": [_rust_row(row, field) for row in vectors(field.prime, functions)],
        "identities": [_rust_identity(identity, functions) for identity in _identities(functions)],
        "timings": [
            _Identity(f.name, [_rust_call(f, [*f.takes], "&")])
            for f in functions
            if is_known(f) and f.gives == "element"
        ],
    }
    layout: Literal["crate", "module"] = "module" if request.layout == "module" else "crate"
    programs = {"examples/test_fp.rs": "test_fp.rs.j2"}
    files = rust.render_over(bundle, printed, layout, programs, own)
    if layout == "crate":
        header = rust_text.comment(header_lines(bundle)[:4], "#")
        files["Makefile"] = environment("rust").get_template("Makefile.j2").render(header=header)
    return files


def _rust_calls(functions: tuple[FieldFunction, ...]) -> list[_Call]:
    has = {function.name for function in functions}
    calls = []
    for function in filter(is_known, functions):
        operands = ", ".join(function.takes)
        calls.append(_Call(function.name, len(function.takes), operands, _rust_answer(function)))
    calls += [
        _Call(
            f"select_{flag}",
            2,
            "a, b",
            f"Answer::Element(FieldElement::conditional_select(b, a, {flag}.into()))",
        )
        for flag in (0, 1)
        if "select" in has
    ]
    small = "Answer::Element(a.mul_small(FieldElement::SMALL))"
    return [*calls, *([_Call("mul_small", 1, "a", small)] if "mul_small" in has else [])]


def _rust_answer(function: FieldFunction) -> str:
    call = _rust_call(function, [*function.takes], borrow="")
    match function.gives:
        case "element":
            return f"Answer::Element({call})"
        case "flag":
            return f"flag({call})"
        case _:
            return f"root({call})"


def _rust_call(function: FieldFunction, operands: list[str], borrow: str) -> str:
    name = function.rust_name or "ct_eq"
    if "self" in function.rust.partition("{")[0] or not function.rust:
        rest = ", ".join(f"{borrow}{operand}" for operand in operands[1:])
        return f"{operands[0]}.{name}({rest})"
    return f"FieldElement::{name}({', '.join(f'{borrow}{operand}' for operand in operands)})"


def _rust_row(row: Row, field: Field) -> _RustRow:
    operands = [f'"{value:0{2 * field.bytes}x}"' for value in (*row.operands, row.value)]
    return _RustRow(row.operation, operands[:-1], "true" if row.flag else "false", operands[-1])


def _rust_identity(identity: Identity, functions: tuple[FieldFunction, ...]) -> _Identity:
    by_name = {function.name: function for function in functions}
    lines = []
    for operation, result, *operands in identity.steps:
        value = operands[0] if operation == "copy" else _rust_call(by_name[operation], operands, "&")
        lines.append(f"let {result} = {value};")
    return _Identity(identity.text, lines)

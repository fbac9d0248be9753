"""The test programs of a field in Rust."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from efdgen.generator.fields.reference import operand_count
from efdgen.generator.text import rust as rust_text
from efdgen.generator.text.environment import environment

if TYPE_CHECKING:
    from collections.abc import Sequence

    from efdgen.generator.fields.field import Field
    from efdgen.generator.fields.pieces import FieldFunction
    from efdgen.generator.fields.reference import Identity, Row
    from efdgen.generator.render.field.subject import Subject


@dataclass(frozen=True)
class _Call:
    """An operation as the program has it: the patterns of its operands, and an expression."""

    name: str
    operands: str
    call: str


@dataclass(frozen=True)
class _Row:
    operation: str
    operands: list[str]
    flag: str
    value: str


@dataclass(frozen=True)
class _Identity:
    text: str
    lines: list[str]


def rust_test_program(subject: Subject, field: Field, prefix: str, header: Sequence[str]) -> str:
    """Return the text of a test program, whose name is the subject's."""
    values = {
        "prefix": prefix,
        "type": "FieldElement" if subject.degree == 1 else "FieldElement2",
        "field": field,
        "short_header": rust_text.comment(header, "//"),
        "top_mask": (1 << (field.bits - 1) % 8) - 1,
        **{
            name: getattr(subject, name)
            for name in ("program", "degree", "size", "has_roots", "gives_both", "squares", "takes_words")
        },
        "operations": _calls(subject),
        "rows": [_row(row, subject.size) for row in subject.rows],
        "identities": [_identity(identity, subject) for identity in subject.identities],
        "timings": [_Identity(function.name, [_element(function)]) for function in subject.known],
    }
    return rust_text.fitted(environment("rust").get_template("test_fp.rs.j2").render(values))


_SWAPPED = "let (mut r, mut s) = (*a, *b); FieldElement::conditional_swap(&mut r, &mut s, {}.into());"
_DERIVED = {
    **{f"select_{flag}": f"FieldElement::conditional_select(b, a, {flag}.into())" for flag in (0, 1)},
    **{f"cswap_{flag}": f"{{ {_SWAPPED.format(flag)} r }}" for flag in (0, 1)},
    "mul_small": "a.mul_small(FieldElement::SMALL)",
    "convert": "FieldElement::from_words(&a.to_words())",
    "power": "a.pow(&b.to_bytes_le())",
}


def _calls(subject: Subject) -> list[_Call]:
    calls = [_Call(f.name, ", ".join(f.takes), _answer(f)) for f in subject.known]
    return calls + [
        _Call(name, ", ".join("ab"[: operand_count(name)]), f"Answer::Element({_DERIVED[name]})")
        for name in subject.derived
    ]


def _answer(function: FieldFunction) -> str:
    call = _call(function, [*function.takes], borrow="")
    match function.gives:
        case "element":
            return f"Answer::Element({call})"
        case "flag":
            return f"flag({call})"
        case "element and flag":
            return f"both({call})"
        case _:
            return f"root({call})"


def _element(function: FieldFunction) -> str:
    """Return an expression that is an element and depends on what a call gives."""
    call = _call(function, [*function.takes], borrow="&")
    match function.gives:
        case "element":
            return call
        case "flag":
            return f"FieldElement::conditional_select(&a, &b, {call})"
        case "element and flag":
            return f"{call}.1"
        case _:
            return f"{call}.unwrap_or(b)"


def _call(function: FieldFunction, operands: list[str], borrow: str) -> str:
    name = function.rust_name or "ct_eq"
    if "self" in function.rust.partition("{")[0] or not function.rust:
        rest = ", ".join(f"{borrow}{operand}" for operand in operands[1:])
        return f"{operands[0]}.{name}({rest})"
    return f"FieldElement::{name}({', '.join(f'{borrow}{operand}' for operand in operands)})"


def _row(row: Row, size: int) -> _Row:
    operands = [f'"{value:0{2 * size}x}"' for value in (*row.operands, row.value)]
    return _Row(row.operation, operands[:-1], "true" if row.flag else "false", operands[-1])


def _identity(identity: Identity, subject: Subject) -> _Identity:
    by_name = {function.name: function for function in subject.functions}
    lines = []
    for operation, result, *operands in identity.steps:
        value = operands[0] if operation == "copy" else _call(by_name[operation], operands, "&")
        lines.append(f"let {result} = {value};")
    return _Identity(identity.text, lines)

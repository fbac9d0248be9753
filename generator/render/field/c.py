"""The test programs of a field in C."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from efdgen.generator.fields.reference import operand_count
from efdgen.generator.render.c.source import source
from efdgen.generator.text import c as c_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from efdgen.generator.fields.field import Field
    from efdgen.generator.fields.pieces import Names
    from efdgen.generator.fields.reference import Identity, Row
    from efdgen.generator.render.field.subject import Subject

# Pointers of operations, by the kind of their results and the number of their operands.
_POINTERS = {
    ("element", 1): 0,
    ("element", 2): 1,
    ("element", 4): 2,
    ("flag", 1): 3,
    ("flag", 2): 4,
    ("element if flag", 1): 5,
    ("element if flag", 2): 6,
    ("element and flag", 2): 6,
}


@dataclass(frozen=True)
class _Operation:
    """An operation as the program's table has it."""

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
class _Identity:
    text: str
    lines: list[str]


def c_test_program(subject: Subject, field: Field, names: Names, header: Sequence[str]) -> str:
    """Return the text of a test program, whose name is the subject's."""
    fe = names.template["fe"] if subject.degree == 1 else f"{names.prefix}_fe2"
    values = {
        **names.template,
        "fe": fe,
        "field": field,
        "header": c_text.comment(header),
        **{
            name: getattr(subject, name)
            for name in ("program", "degree", "size", "has", "has_roots", "squares", "takes_words", "derived")
        },
        "operations": _operations(subject, fe),
        "rows": [_row(row, subject.size) for row in subject.rows],
        "identities": [_identity(identity, fe) for identity in subject.identities],
    }
    return source("test_fp.c.j2", values)


def _operations(subject: Subject, fe: str) -> list[_Operation]:
    found = [
        (function.name, len(function.takes), function.gives or "", f"{fe}_{function.name}")
        for function in subject.known
    ]
    found += [(name, operand_count(name), "element", name) for name in subject.derived]
    operations = []
    for name, count, gives, pointer in found:
        pointers = ["NULL"] * (max(_POINTERS.values()) + 1)
        pointers[_POINTERS[gives, count]] = pointer
        operations.append(_Operation(name, count, gives.upper().replace(" ", "_"), pointers))
    return operations


def _row(row: Row, size: int) -> _Row:
    return _Row(
        row.operation, [_quoted(v, size) for v in row.operands], int(row.flag), _quoted(row.value, size)
    )


def _quoted(value: int, size: int) -> str:
    """Write a number of ``size`` bytes as adjacent C strings, each short enough for a line."""
    digits = f"{value:0{2 * size}x}"
    parts = [f'"{digits[at : at + 80]}"' for at in range(0, len(digits), 80)]
    return "\n         ".join(parts)


def _identity(identity: Identity, fe: str) -> _Identity:
    lines = []
    for operation, *places in identity.steps:
        if operation == "copy":
            lines.append(f"{places[0]} = {places[1]};")
        else:
            lines.append(f"{fe}_{operation}({', '.join(f'&{place}' for place in places)});")
    return _Identity(identity.text, lines)

"""A field by itself as a Python module of functions on integers, and its test program."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from efdgen.generator.errors import EfdgenError, suggestion
from efdgen.generator.fields.reference import FLAGS, IDENTITIES, ROOTS, VALUES
from efdgen.generator.fields.references import is_flag, rows_of
from efdgen.generator.kernels.contract import header_lines
from efdgen.generator.mathematics.primes import is_square
from efdgen.generator.programs.kernel import Bundle
from efdgen.generator.render.python.kernels import assignment, comment
from efdgen.generator.text.environment import environment
from efdgen.generator.text.prefixes import require_prefix

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from efdgen.generator.fields.reference import Identity, Row
    from efdgen.generator.fields.request import FieldRequest

# Without these a test program could not write, and sqrt not start.
_NEEDED = frozenset({"to_bytes_be", "mul"})

CHECK = "To check: `python test_fp.py test 1000` asks every function, and for identities."


@dataclass(frozen=True)
class RowText:
    """A row of a table of vectors."""

    operation: str
    operands: list[str]
    value: str


@dataclass(frozen=True)
class IdentityText:
    """An identity in words, and its lines in Python."""

    text: str
    lines: list[str]


def render_python(request: FieldRequest) -> dict[str, str]:
    """Return ``PREFIX.py`` and ``test_fp.py``.

    Raises :class:`EfdgenError` for an operation that there is not, and for a prefix that names no module.
    """
    field, prefix = request.field(), request.prefix
    require_prefix("python", prefix)
    twos, constants = _root_constants(field.prime)
    load = environment("python").get_template
    functions = functions_in(load("field_functions.py.j2").render(field=field, twos=twos))
    chosen = chosen_functions(functions, request.operations)
    bundle = Bundle(prefix, field.ground, (), request.command)
    header = "\n".join(comment(header_lines(bundle, CHECK)))
    operations = [name for name in chosen if name in VALUES or name in FLAGS or name in ROOTS]
    values = {
        "about": "modulo the prime P on plain integers, each in [0, P)",
        "modulus": [],
        "imports": [],
        "order": "field.P",
        "root": "a root its square",
        "roots": '"sqrt", "inv_sqrt"',
        "squares": True,
        "prefix": prefix,
        "header": header,
        "constants": [
            *assignment("P", field.prime),
            *(_root_lines(twos, constants) if "sqrt" in chosen else ()),
        ],
        "functions": [functions[name] for name in chosen],
        "operations": operations,
        "rows": [row_text(row, field.bytes) for name in operations for row in rows_of(name, field.ground)],
        "identities": [identity_text(found) for found in IDENTITIES if found.operations <= set(operations)],
    }
    return {
        f"{prefix}.py": load("field.py.j2").render(values),
        "test_fp.py": load("test_fp.py.j2").render(values),
    }


def functions_in(text: str) -> dict[str, str]:
    """Return the functions of a module by name."""
    found = re.findall(r"^(def (\w+)\(.*?)(?=\n\ndef |\Z)", text, re.M | re.S)
    return {name: body.rstrip() for body, name in found}


def chosen_functions(functions: dict[str, str], wanted: tuple[str, ...]) -> list[str]:
    """Return the functions that are wanted with those that they call, in order."""
    for name in wanted:
        if name not in functions:
            hint = suggestion(name, functions) or f"; there are {', '.join(functions)}"
            raise EfdgenError(f"a field has no operation {name!r} in Python{hint}")
    chosen = set(wanted or functions) | _NEEDED
    while more := {n for n in functions.keys() - chosen if any(_calls(functions[c], n) for c in chosen)}:
        chosen |= more
    return [name for name in functions if name in chosen]


def _calls(text: str, name: str) -> bool:
    return re.search(rf"(?<!def )\b{name}\(", text) is not None


def _root_constants(prime: int) -> tuple[int, dict[str, int]]:
    """Return how often 2 divides p - 1, and what Tonelli and Shanks need."""
    twos = ((prime - 1) & -(prime - 1)).bit_length() - 1
    if twos == 1:
        return twos, {}
    odd = prime - 1 >> twos
    nonresidue = next(z for z in range(2, prime) if not is_square(z, prime))
    return twos, {"ODD": odd, "GENERATOR": pow(nonresidue, odd, prime)}


def _root_lines(twos: int, constants: Mapping[str, int]) -> Iterator[str]:
    """Yield the lines of the constants that roots need."""
    if constants:
        yield f"# P - 1 = 2^{twos} * ODD; GENERATOR, a power of a nonsquare, has the order 2^{twos}."
        for name, value in constants.items():
            yield from assignment(name, value)


def row_text(row: Row, size: int) -> RowText:
    """Return a row of elements of so many bytes."""
    operands = [f"0x{value:0{2 * size}X}" for value in row.operands]
    if row.operation == "trace":
        return RowText(row.operation, operands, str(int(row.flag)))
    if is_flag(row.operation):
        return RowText(row.operation, operands, str(row.flag))
    return RowText(row.operation, operands, f"0x{row.value:0{2 * size}X}" if row.flag else "None")


def identity_text(identity: Identity) -> IdentityText:
    """Return an identity as the lines of a function."""
    lines = []
    for operation, result, *operands in identity.steps:
        call = operands[0] if operation == "copy" else f"field.{operation}({', '.join(operands)})"
        lines.append(f"{result} = {call}")
    unused = {"a", "b"} - {place for step in identity.steps for place in step}
    lines += [f"del {name}" for name in sorted(unused)]
    return IdentityText(identity.text, lines)

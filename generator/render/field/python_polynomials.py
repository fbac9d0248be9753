"""A field GF(2^m) by itself as a Python module of functions on integers, and its test program."""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.fields.reference_polynomials import (
    FLAGS,
    IDENTITIES,
    IDENTITY_OF_TRACES,
    ROOTS,
    VALUES,
)
from efdgen.generator.fields.references import rows_of
from efdgen.generator.kernels.contract import header_lines
from efdgen.generator.mathematics.binary import BinaryField
from efdgen.generator.programs.kernel import Bundle
from efdgen.generator.render.field.python import (
    CHECK,
    chosen_functions,
    functions_in,
    identity_text,
    row_text,
)
from efdgen.generator.render.python.kernels import assignment, comment
from efdgen.generator.render.python.polynomials import (
    polynomial_numbers,
    polynomial_values,
    root_elements,
)
from efdgen.generator.text.environment import environment

if TYPE_CHECKING:
    from efdgen.generator.fields.request import FieldRequest

_READERS = {"ROOT": "sqrt", "TRACE": "trace", "WEIGHT": "solve_quadratic"}
"""The operations that read an element."""


def render_polynomials(request: FieldRequest) -> dict[str, str]:
    """Return ``PREFIX.py`` and ``test_fp.py``.

    Raises :class:`EfdgenError` for an operation that there is not, and for a prefix that names no module.
    """
    field, prefix = request.field().ground, request.prefix
    assert field.is_binary
    load = environment("python").get_template
    given = polynomial_values(field)
    given["folded"] = given["folded"].replace("_product", "product")
    functions = functions_in(load("field_polynomials.py.j2").render(field=field, **given))
    chosen = chosen_functions(functions, request.operations)
    operations = [name for name in chosen if name in VALUES or name in FLAGS or name in ROOTS]
    size = field.bytes
    values = {
        "about": f"in {field} on integers in [0, 2^M), with bit i for x^i: polynomials over GF(2) modulo F",
        "modulus": given["modulus"],
        "imports": ["from collections.abc import Sequence"] if "batch_inv" in chosen else [],
        "order": "1 << field.M",
        "root": "an equation its even root",
        "roots": '"solve_quadratic"',
        "squares": False,
        "prefix": prefix,
        "header": "\n".join(comment(header_lines(Bundle(prefix, field, (), request.command), CHECK))),
        "constants": [*polynomial_numbers(field), *_constants(field, chosen)],
        "functions": [functions[name] for name in chosen],
        "operations": operations,
        "rows": [row_text(row, size) for name in operations for row in rows_of(name, field)],
        "identities": [
            identity_text(found)
            for found in (*IDENTITIES, IDENTITY_OF_TRACES)
            if found.operations <= set(operations)
        ],
    }
    return {
        f"{prefix}.py": load("field.py.j2").render(values),
        "test_fp.py": load("test_fp.py.j2").render(values),
    }


def _constants(field: BinaryField, chosen: list[str]) -> list[str]:
    """Return the definitions of the constants that roots and traces read."""
    elements = root_elements(field).items()
    return [line for name, value in elements if _READERS[name] in chosen for line in assignment(name, value)]

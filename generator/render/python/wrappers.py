"""Wrappers in Python of the functions of a whole curve in C, one for each row of the table of exports."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from efdgen.generator.render.python.kernels import WIDTH
from efdgen.generator.text.wrap import wrap

if TYPE_CHECKING:
    from efdgen.generator.exports.export import Export

# Functions that call no C: Python draws random bytes, and a batch of one gives one point.
_IN_PYTHON = ("random_", "to_affine")
# The type of an argument, and what C is given for it.
_ARGUMENTS = {
    "point": ("Point", "{0}._c"),
    "scalar": ("int", "_scalar({0})"),
    "bytes": ("bytes", "{0}, len({0})"),
    "element": ("int", "_element({0})"),
    "message": ("bytes", "_message({0})"),
    "coset": ("bytes", "_octets({0}, FIELD_BYTES)"),
    "uniform": ("bytes", "_octets({0}, 2 * FIELD_BYTES)"),
}
_LENGTHS = {
    "encoding": "ENCODED_BYTES",
    "uncompressed": "1 + 2 * FIELD_BYTES",
    "wire": "WIRE_BYTES",
    "message": "MESSAGE_BYTES",
    "coset": "FIELD_BYTES",
}


def is_called(function: Export) -> bool:
    """Return whether the module calls the function in C."""
    return function.name == "to_affine_batch" or not function.name.startswith(_IN_PYTHON)


def is_wrapped(function: Export) -> bool:
    """Return whether one rule wraps a function: its arguments are no arrays, bits or coordinates."""
    return {*function.kinds} <= _ARGUMENTS.keys() and function.is_plain and is_called(function)


def wrapper(function: Export, infinite: bool) -> dict[str, Any]:
    """Return the name, parameters, result, comment and call of a function that :func:`is_wrapped`."""
    refuses = function.may_refuse(infinite)
    given = ", ".join(_ARGUMENTS[argument.kind][1].format(argument.name) for argument in function.arguments)
    native = f"_curve.{function.name}"
    match function.result:
        case "point" if refuses:
            result, call = "Point", f'_found("{function.refusal}", {native}, {given})'
        case "point":
            result, call = "Point", f"_made({native}, {given})"
        case "bit":
            result, call = "bool", f"bool({native}({given}))"
        case kind:
            refusal = function.refusal or "the identity has no encoding"
            result, call = "bytes", f'_encoded({_LENGTHS[kind]}, "{refusal}", {native}, {given})'
    end = f"; raise ValueError for {function.refuses.partition(', if')[0]}" if refuses else ""
    doc = f"Return {function.returns.replace('`', '')}{end}."
    return {
        "name": function.name,
        "parameters": ", ".join(f"{a.name}: {_ARGUMENTS[a.kind][0]}" for a in function.arguments),
        "result": result,
        "doc": _docstring(doc),
        "call": call,
    }


def _docstring(text: str) -> list[str]:
    """Return the lines of a docstring, with a paragraph after a semicolon where one line is too long."""
    line = f'"""{text}"""'
    if len(line) <= WIDTH - 4:
        return [line]
    first, _, rest = text.partition("; ")
    return [f'"""{first}.', "", *wrap(f"{rest[0].upper()}{rest[1:]}", WIDTH - 4), '"""']

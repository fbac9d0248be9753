"""The code style of a host: texts with fields in braces, and the permitted fields of each."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Style:
    """The code style of a host: arguments, operands, comments, the frame of a function.

    ``signature`` holds ``{name}``, ``{parameters}`` and ``{results}``: points that are returned, and the type
    ``verdict`` if the function has checks; ``void`` if it has neither. An argument that is a structure is
    passed as ``input`` or ``output``, and its coordinates are ``coordinate``; what is no structure is passed
    coordinate by coordinate, as ``flat_input``, ``flat_output`` and ``flat_coordinate``. A variable is
    ``local``. The ``_value`` forms are the same as values to be assigned. ``extra`` are parameters in front
    of all others, and ``begin`` is the first line of each function. ``define`` declares a structure called
    ``type``, for a host that has none of its own; where points are not written to ``returns`` is true.
    ``coercion`` turns an operand, its ``{value}``, into what an operation takes. Without ``constant``,
    constants of the curve are parameters. ``comment`` holds ``{text}`` and ``{bound}``; ``bound`` is before a
    list of bounds, empty if there is one.
    """

    signature: str = "static {results} {name}({parameters})"
    verdict: str = "int"
    parameters: str = ", "
    output: str = "{type} *{argument}"
    input: str = "const {type} *{argument}"
    coordinate: str = "&{argument}->{member}"
    coordinate_value: str = "{argument}->{member}"
    flat_output: str = ""
    flat_input: str = ""
    flat_coordinate: str = "{variable}{number}"
    flat_coordinate_value: str = "*{variable}{number}"
    local: str = "&{name}"
    local_value: str = "{name}"
    coercion: str = ""
    declaration: str = ""
    declared: str = "{name}"
    names: str = "t"
    begin: str = ""
    inputs: tuple[str, ...] = ("a", "b", "c", "d")
    outputs: tuple[str, ...] = ("r", "s", "u")
    extra: str = ""
    type: str = ""
    define: str = ""
    define_member: str = ""
    returns: bool = False
    constant: str = ""
    constant_place: str = "&{name}"
    bound: str = ""
    comment: str = "/* {text} */"
    aliasing: str = ""
    timing: str = ""


_STRUCTURE = ("type", "argument")
_MEMBER = ("argument", "member")
_COORDINATE = ("variable", "number", "argument")

# Names that may be in the braces of each text; other texts are taken as they are.
PLACES: dict[str, tuple[str, ...]] = {
    "signature": ("name", "parameters", "results"),
    "output": _STRUCTURE,
    "input": _STRUCTURE,
    "coordinate": _MEMBER,
    "coordinate_value": _MEMBER,
    "flat_output": _COORDINATE,
    "flat_input": _COORDINATE,
    "flat_coordinate": _COORDINATE,
    "flat_coordinate_value": _COORDINATE,
    "local": ("name",),
    "local_value": ("name",),
    "coercion": ("value",),
    "declaration": ("names",),
    "declared": ("name",),
    "type": ("name", "camel", "prefix"),
    "define": ("type", "members"),
    "define_member": ("member", "variable"),
    "constant": ("name", "words32", "words64", "montgomery64", "hex"),
    "constant_place": ("name",),
    "comment": ("text", "bound"),
}

"""The common parts of whole curves in C, for any model: template functions, constants."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from efdgen.generator.fields.pieces import c_definitions
from efdgen.generator.render.c.field import Constant
from efdgen.generator.text.c import WIDTH, Function, comment, in_ascii, number
from efdgen.generator.text.environment import environment
from efdgen.generator.text.wrap import wrapped

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from efdgen.generator.fields.field import Field, Representation
    from efdgen.generator.planning.quotients import Coordinates


def part_functions(parts: Iterable[str], values: Mapping[str, Any]) -> Iterator[Function]:
    """Yield the functions of the templates ``PART.h.j2``, in their order."""
    for part in parts:
        text = environment("c").get_template(f"{part}.h.j2").render(values)
        for definition in c_definitions(text).values():
            first, _, rest = definition.text.partition("\n")
            body, closing, end = rest.rpartition("}")
            signature = first.removesuffix(" {")
            yield Function(comment(definition.doc), signature, body, f"{closing}{end.rstrip()}")


def field_constants(prefix: str, numbers: Mapping[str, int]) -> list[Constant]:
    """Return field elements that templates name, ``PREFIX_constant_NAME``."""
    return [
        Constant(f"{prefix}_constant_{name}", comment([f"{name} = {number(value)}."]), value)
        for name, value in numbers.items()
    ]


def initialised(field: Field, coordinates: Coordinates) -> list[dict[str, Any]]:
    """Return for each size of words the lines that initialise a point."""
    return [
        {
            "word": build.word,
            "lines": [line for v in coordinates for line in _filled(f"{_element(build, v)},")],
        }
        for build in field.representations
    ]


def element_table(
    field: Field, prefix: str, name: str, doc: str, kind: str, rows: Sequence[Coordinates], block: int = 0
) -> Function:
    """Return a table of points or elements of a type in each size of words; in blocks that have a length."""
    lines, alone = [], kind == f"{prefix}_fe"
    for build in field.representations:
        first = build is field.representations[0]
        lines.append(f"#{'if' if first else 'elif'} {prefix.upper()}_WORD_BITS == {build.word}")
        for at, row in enumerate(rows):
            elements = [_element(build, value) for value in row]
            lines += ["    {"] * (block > 0 and at % block == 0)
            text = elements[0] if alone else f"{{{', '.join(elements)}}}"
            lines += [f"    {line}" for line in _filled(f"{text},")]
            lines += ["    },"] * (block > 0 and (at + 1) % block == 0)
    sizes = f"[{len(rows) // block}][{block}]" if block else f"[{len(rows)}]"
    signature = f"static const {kind} {prefix}_{name}{sizes} ="
    return Function(comment([doc]), signature, "".join(f"{line}\n" for line in [*lines, "#endif"]), "};")


def element_constant(field: Field, prefix: str, name: str, doc: str, kind: str, value: int) -> Function:
    """Return an element of a type that is a constant, in each size of words."""
    lines = []
    for build in field.representations:
        condition = "if" if build is field.representations[0] else "elif"
        lines.append(f"#{condition} {prefix.upper()}_WORD_BITS == {build.word}")
        lines += [f"    {line}" for line in _filled(f"{_element(build, value)[1:-1]},")]
    signature = f"static const {kind} {prefix}_{name} ="
    return Function(comment([doc]), signature, "".join(f"{line}\n" for line in [*lines, "#endif"]), "};")


def byte_lines(data: bytes) -> list[str]:
    """Return the lines of an initialiser of bytes."""
    return [
        " ".join(f"0x{byte:02X}," for byte in data[start : start + 16]) for start in range(0, len(data), 16)
    ]


def paragraph(text: str) -> Sequence[str]:
    """Return the lines of a text in a comment, in ASCII."""
    return wrapped(in_ascii(text), WIDTH - 3)


def random_values(order: int, bits: int) -> dict[str, int]:
    """Return what the templates print of random numbers: bytes that are drawn, bits that are not used.

    ``bits`` are those of an element.
    """
    drawn = (order.bit_length() + 7) // 8
    return {
        "drawn_bytes": drawn,
        "drawn_surplus": 8 * drawn - order.bit_length(),
        "field_mask": 0xFF >> (-bits % 8),
    }


def _element(build: Representation, value: int) -> str:
    words = (f"0x{word:0{build.word // 4}X}" for word in build.element(value))
    return f"{{{{{', '.join(words)}}}}}"


def _filled(text: str) -> list[str]:
    return list(wrapped(text, WIDTH - 4))

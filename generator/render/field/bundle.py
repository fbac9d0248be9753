"""A field by itself: its source, a test program with vectors of Python's integers, and a Makefile."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from efdgen.generator.errors import EfdgenError
from efdgen.generator.fields.bundle import field_functions, offered_functions
from efdgen.generator.fields.claims import UNPROVED, Claims
from efdgen.generator.fields.pieces import Names
from efdgen.generator.fields.printed import announced
from efdgen.generator.kernels.contract import header_lines
from efdgen.generator.programs.kernel import Bundle
from efdgen.generator.render.c.field import CField
from efdgen.generator.render.c.source import sources
from efdgen.generator.render.field.c import c_test_program
from efdgen.generator.render.field.python import render_python
from efdgen.generator.render.field.python_polynomials import render_polynomials
from efdgen.generator.render.field.rust import rust_test_program
from efdgen.generator.render.field.subject import subjects
from efdgen.generator.render.rust import bundle as rust
from efdgen.generator.render.rust.field import RustField
from efdgen.generator.text import c as c_text
from efdgen.generator.text import rust as rust_text
from efdgen.generator.text.environment import environment

if TYPE_CHECKING:
    from efdgen.generator.fields.field import Field
    from efdgen.generator.fields.pieces import Language
    from efdgen.generator.fields.request import FieldRequest

# Without these a test program could not read and write.
_NEEDED = frozenset({"set_zero", "sqr", "from_bytes_be", "to_bytes_be", "select", "equal", "sub", "is_zero"})

LAYOUTS = {"c": ("header", "split"), "rust": ("crate", "module"), "python": ("module",)}


def render_field(request: FieldRequest, claims: Claims = UNPROVED) -> dict[str, str]:
    """Print what a request asks for: relative path to text.

    Raises :class:`EfdgenError` for an operation or a layout that there is not, and what ``claims`` raise.
    """
    layouts = LAYOUTS[request.lang]
    if request.layout not in (None, *layouts):
        raise EfdgenError(f"--layout is {' or '.join(layouts)} for {request.lang}, not {request.layout!r}")
    return announced(_printed(request, claims), claims)


def _printed(request: FieldRequest, claims: Claims) -> dict[str, str]:
    match request.lang:
        case "c":
            return _render_c(request, claims)
        case "rust":
            return _render_rust(request, claims)
        case "python":
            _require_integers(request)
            return render_python(request) if request.polynomial is None else render_polynomials(request)
        case _:
            assert_never(request.lang)


def _require_integers(request: FieldRequest) -> None:
    """Refuse what Python's integers have no use for."""
    if request.nonresidue is not None:
        raise EfdgenError("GF(p²) is available only in C and Rust; remove --degree 2")
    about_words = {
        "--word": request.word,
        "--target": request.target,
        "--representation": request.representation,
        "--tuning": request.tuning,
    }
    for option in (option for option, given in about_words.items() if given):
        raise EfdgenError(f"{option} has no effect for Python; remove it")


def wanted(field: Field, names: Names, operations: tuple[str, ...], language: Language) -> list[str]:
    """Return the operations that a request asks for, of GF(p²) too, and all of them where it names none."""
    if not operations:
        offered = offered_functions(field, names, language)
        return [name for name, function in offered.items() if function.public and function.c]
    chosen = (*operations, *sorted(_NEEDED))
    offered = offered_functions(field, names, language, slow=field.nonresidue is not None)
    return [*dict.fromkeys((*chosen, *(f"fe2_{name}" for name in chosen if f"fe2_{name}" in offered)))]


def render_c_source(request: FieldRequest, claims: Claims = UNPROVED) -> dict[str, str]:
    """Print the source of a field in C alone, without what tests it."""
    field, prefix, split = request.field(), request.prefix, request.layout == "split"
    names = Names(prefix)
    printed = CField(field, names, claims, wanted(field, names, request.operations, "c"))
    lines = _header_lines(request, field)
    values: dict[str, object] = {
        **names.template,
        "header": c_text.comment(lines),
        "driver_header": c_text.comment(lines[:4]),
        "types": [],
        "batches": False,
        "split": split,
        "functions": list(printed.functions()),
        **printed.values([]),
    }
    return sources(values)


def _render_c(request: FieldRequest, claims: Claims) -> dict[str, str]:
    field, names = request.field(), Names(request.prefix)
    sources = render_c_source(request, claims)
    functions = field_functions(field, names, wanted(field, names, request.operations, "c"), "c")
    lines, found = _header_lines(request, field)[:4], subjects(field, functions)
    makefile = environment("c").get_template("Makefile.j2")
    return {
        **sources,
        **{f"{each.program}.c": c_test_program(each, field, names, lines) for each in found},
        "Makefile": makefile.render(
            header=rust_text.comment(lines, "#"),
            sources=list(sources),
            programs=[each.program for each in found],
        ),
    }


def _render_rust(request: FieldRequest, claims: Claims) -> dict[str, str]:
    field, names = request.field(), Names(request.prefix)
    chosen = wanted(field, names, request.operations, "rust")
    printed = RustField(field, names, claims, chosen)
    bundle = Bundle(request.prefix, field.ground, (), request.command)
    if request.layout == "module":
        return rust.render_over(bundle, printed, "module", {})
    lines, found = header_lines(bundle)[:4], subjects(field, field_functions(field, names, chosen, "rust"))
    makefile = environment("rust").get_template("Makefile.j2")
    return {
        **rust.render_over(bundle, printed, "crate", {}),
        **{
            f"examples/{each.program}.rs": rust_test_program(each, field, request.prefix, lines)
            for each in found
        },
        "Makefile": makefile.render(
            header=rust_text.comment(lines, "#"), programs=[each.program for each in found]
        ),
    }


def _header_lines(request: FieldRequest, field: Field) -> list[str]:
    return header_lines(Bundle(request.prefix, field.ground, (), request.command))

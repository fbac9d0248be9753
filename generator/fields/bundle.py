"""The functions of an emitted field, in order, and the limb functions that they call."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from efdgen.generator.errors import EfdgenError, suggestion
from efdgen.generator.fields.conversions import by_products, known_factors
from efdgen.generator.fields.core import WITH_SIGNS, core
from efdgen.generator.fields.emitted import with_texts
from efdgen.generator.fields.field import bound_text
from efdgen.generator.fields.inversion import inversion
from efdgen.generator.fields.loops import with_claims
from efdgen.generator.fields.numbers import numbers
from efdgen.generator.fields.operations import operations
from efdgen.generator.fields.polynomials import polynomials
from efdgen.generator.fields.powers import powers
from efdgen.generator.fields.quadratic import quadratic, quadratic_operations
from efdgen.generator.fields.roots import roots
from efdgen.generator.fields.small_inversion import small_inversion
from efdgen.generator.fields.squares import squares
from efdgen.generator.fields.variable_inversion import variable_inversion
from efdgen.generator.limbs.spelling import LimbFunction
from efdgen.generator.limbs.tally import tally_text

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from efdgen.generator.fields.claims import Claims
    from efdgen.generator.fields.field import Field, Representation
    from efdgen.generator.fields.operations import FieldOperation
    from efdgen.generator.fields.pieces import FieldFunction, Language, Names
    from efdgen.generator.mathematics.ground import Ground

PIECES = core, numbers, inversion, variable_inversion, powers, squares, roots, quadratic
PIECES_OF_2 = core, powers, polynomials
# These search for an addition chain, which takes a while; nothing before them calls them.
_SLOW = roots, quadratic

# Functions that kernels and their users call; others are emitted on request.
BASIC = (
    *("set_zero", "set_one", "is_zero", "equal", "select", "add", "sub", "neg", "half", "mul", "sqr", "inv"),
    *("from_bytes_be", "to_bytes_be", "from_bytes_le", "to_bytes_le"),
)
BASIC_OF_2 = tuple(name for name in BASIC if name not in WITH_SIGNS)

# Above this many numbers, their names are not told.
_NAMED = 6


def roots_of(model: str) -> tuple[str, ...]:
    """Return the functions for roots that routines of curves of a model call."""
    return {"shortw": ("sqrt",), "binary": ("sqrt", "solve_quadratic")}.get(model, ("sqrt_ratio",))


def basic(field: Field) -> tuple[str, ...]:
    """Return the functions that kernels over a field call."""
    return BASIC_OF_2 if field.is_binary else BASIC


@lru_cache(maxsize=8)
def offered_functions(
    field: Field, names: Names, language: Language, *, slow: bool = True
) -> Mapping[str, FieldFunction]:
    """Return every function that there is for a field, by its name, in the order of the pieces.

    Their claims are about their text in one language. Functions that take a while to write are left out
    unless ``slow``.
    """
    every = PIECES_OF_2 if field.is_binary else PIECES
    pieces = (piece for piece in every if slow or piece not in _SLOW)
    functions = {function.name: function for piece in pieces for function in piece(field, names)}
    if field.optimize == "size":
        functions |= {function.name: function for function in small_inversion(field, names)}
    return with_texts(with_claims(functions, names, language), field, names, language)


def field_functions(
    field: Field, names: Names, wanted: Collection[str], language: Language
) -> tuple[FieldFunction, ...]:
    """Return the functions that are wanted and those that they call in a language, each after what it calls.

    Raises :class:`EfdgenError` for one that there is not.
    """
    offered = offered_functions(field, names, language, slow=False)
    if not offered.keys() >= set(wanted):
        offered = offered_functions(field, names, language)
    chosen: dict[str, FieldFunction] = {}

    def take(name: str) -> None:
        function = offered[name]
        if name in chosen or (language == "c" and not function.c):
            return
        called = {*_called(function, names)}
        called |= {*_called_in_rust(function, offered)} if language == "rust" else set()
        for needed in (*function.requires, *sorted(called)):
            if needed != name and needed in offered:
                take(needed)
        chosen[name] = function

    public = [name for name, function in offered.items() if function.public]
    for name in wanted:
        if name not in public:
            hint = suggestion(name, public) or f"; there are {', '.join(public)}"
            raise EfdgenError(f"a field has no operation {name!r}{hint}")
    for name in offered:
        if name in wanted:
            take(name)
    return tuple(chosen.values())


def limb_functions(
    representation: Representation,
    functions: Sequence[FieldFunction],
    names: Names,
    claims: Claims,
    language: Language,
) -> Iterator[LimbFunction]:
    """Yield the limb functions that some functions call, each with what is proved of it.

    In C, conversions to Montgomery's form and back may be products.
    """
    in_c, in_rust = ("".join(getattr(f, language) for f in functions) for language in ("c", "rust"))
    called = {
        *re.findall(rf"\b{names.prefix}_limbs_(\w+)\(", in_c),
        *re.findall(r"\blimbs::(\w+)\(", in_rust),
    }
    in_products = language == "c" and not called.isdisjoint(known_factors(representation))
    called |= {"mul"} if in_products else set()
    for operation in (*operations(representation, called), *quadratic_operations(representation, called)):
        made = by_products(operation, representation) if in_products else operation
        yield limb_function(made, representation, claims)


def limb_function(operation: FieldOperation, representation: Representation, claims: Claims) -> LimbFunction:
    """Return an operation as a function, with its cost, its bounds and what is proved of it."""
    plain = LimbFunction(operation.name, operation.program, (), operation.test)
    told = {
        "Cost": tally_text(plain),
        "Bounds": _bounds(operation, representation.plan.ground),
        "Proved": claims.statement(operation),
    }
    return replace(
        plain, doc=(f"{operation.doc}.", *(f"{name}: {text}." for name, text in told.items() if text))
    )


def timed(functions: Sequence[FieldFunction]) -> bool:
    """Return whether the time of some function depends on what it reads."""
    return any(function.public and function.name.endswith(("_var", "_public")) for function in functions)


def proof_lines(function: FieldFunction, claims: Claims) -> list[str]:
    """Return what is proved of the steps that a function does, as lines of its comment."""
    return [f"Proved: {text}." for text in dict.fromkeys(map(claims.statement, function.claims)) if text]


def _bounds(operation: FieldOperation, ground: Ground) -> str:
    """Say how large numbers may be that come in, and may be that go out."""
    ports = {**operation.contract.inputs, **({} if operation.test else operation.contract.outputs)}
    names: dict[int, list[str]] = {}
    for name, port in ports.items():
        names.setdefault(port.maximum, []).append(name)
    if len(names) == 1 and len(ports) > _NAMED:
        return f"every number at most {bound_text(min(names), ground)}, on input and on output"
    return ", ".join(
        f"{', '.join(named)} at most {bound_text(most, ground)}" for most, named in names.items()
    )


def _called(function: FieldFunction, names: Names) -> list[str]:
    return re.findall(rf"\b{names.prefix}_fe_(\w+)\(", function.c)


def _called_in_rust(function: FieldFunction, offered: Mapping[str, FieldFunction]) -> list[str]:
    methods = {found.rust_name: name for name, found in offered.items() if found.rust_name}
    called = re.findall(r"\b(?:self\.|Self::)(\w+)\(", function.rust)
    return [methods[method] for method in called if method in methods]

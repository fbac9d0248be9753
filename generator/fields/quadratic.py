"""GF(p²) over a prime field: c0 + c1·i, where i² is a small number that is not a square modulo p.

A product is two sums of products, each reduced once, in whichever way is the cheaper::

    r0 = a0·b0 + i²·a1·b1        r1 = a0·b1 + a1·b0                             four products
                                 r1 = (a0 + a1)·(b0 + b1) - a0·b0 - a1·b1       three
"""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from textwrap import dedent
from typing import TYPE_CHECKING

from efdgen.generator.fields.operations import FieldOperation
from efdgen.generator.fields.pieces import FieldFunction, Gives, c_definitions, rust_definitions
from efdgen.generator.limbs.contract import field_contract
from efdgen.generator.limbs.estimate import estimate_cycles
from efdgen.generator.limbs.lower import lower_to_limbs
from efdgen.generator.programs.builder import ProgramBuilder
from efdgen.generator.programs.program import Add, Input, Mul, MulConstant, Sqr, Sub
from efdgen.generator.text.environment import environment

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from efdgen.generator.fields.field import Field, Representation
    from efdgen.generator.fields.pieces import Names
    from efdgen.generator.limbs.plan import AnyPlan
    from efdgen.generator.limbs.program import LimbProgram
    from efdgen.generator.programs.program import Program

_TAKES: dict[str, tuple[str, Gives]] = {
    **dict.fromkeys(("add", "sub", "mul"), ("ab", "element")),
    **dict.fromkeys(("sum_of_products", "difference_of_products"), ("abcd", "element")),
    **dict.fromkeys(("neg", "half", "conj", "sqr", "inv", "inv_var"), ("a", "element")),
    **dict.fromkeys(("is_zero", "is_square", "is_square_var"), ("a", "flag")),
    "equal": ("ab", "flag"),
    **dict.fromkeys(("sqrt", "inv_sqrt"), ("a", "element if flag")),
    "sqrt_ratio": ("ab", "element if flag"),
}
# Functions that elements of GF(p²) call in Rust.
_BASE = (
    *("add", "sub", "neg", "half", "mul", "sqr", "mul_small", "inv", "inv_var", "inverse_root"),
    *("is_square", "is_square_var", "is_zero", "equal", "select", "cswap"),
    *("from_bytes_be", "to_bytes_be", "from_bytes_le", "to_bytes_le"),
)
RUST_NAMES = {
    **{"conj": "conjugate", "sqr": "square", "inv": "invert", "inv_var": "invert_var", "equal": ""},
    "inv_sqrt": "inverse_sqrt",
}


def quadratic(field: Field, names: Names) -> Iterator[FieldFunction]:
    """Yield the functions on elements of GF(p²); none where the field has no such extension."""
    if field.nonresidue is None:
        return
    values = {
        "nonresidue": field.nonresidue,
        "multiple": abs(field.nonresidue),
        "negative": field.nonresidue < 0,
    }
    fe2 = f"{names.prefix}_fe2"
    templates = environment("c")
    c = templates.get_template("quadratic.h.j2").render(names.template, fe2=fe2, **values)
    c += templates.get_template("powers.h.j2").render(names.template, fe=fe2, square=f"{fe2}_sqr(r, r)")
    for long_name, definition in c_definitions(c).items():
        public = long_name.startswith(fe2)
        takes, gives = _TAKES.get(long_name.removeprefix(f"{fe2}_"), ("", None)) if public else ("", None)
        yield FieldFunction(
            name=long_name.removeprefix(f"{names.prefix}_"),
            doc=definition.doc,
            c=definition.text,
            rust="",
            rust_name="",
            requires=(*re.findall(rf"\b{names.prefix}_(?:fe_)?(\w+)\(", definition.text), "FieldElement2"),
            public=public,
            takes=takes,
            gives=gives,
        )
    rust = environment("rust").get_template("quadratic.rs.j2").render(values)
    comment, _, text = rust.partition("\n")
    yield FieldFunction(
        name="FieldElement2",
        doc=(comment.removeprefix("/// "),),
        c="",
        rust=text,
        rust_name="FieldElement2",
        requires=_BASE,
        public=False,
    )


def as_elements(functions: Iterable[FieldFunction]) -> tuple[FieldFunction, ...]:
    """Return the functions on elements of GF(p²) as they are called among themselves: ``mul``, ``square``.

    Their texts in Rust are found if ``functions`` are those of Rust.
    """
    found = {function.name: function for function in functions}
    whole = found["FieldElement2"].rust if "FieldElement2" in found else ""
    _, _, methods = whole.partition("impl FieldElement2 {\n")
    in_rust = rust_definitions(dedent(methods.partition("\n}\n")[0]))
    elements = []
    for name in (long_name.removeprefix("fe2_") for long_name in found if long_name.startswith("fe2_")):
        rust_name = RUST_NAMES.get(name, name)
        rust = in_rust[rust_name].text if rust_name in in_rust else ""
        elements.append(replace(found[f"fe2_{name}"], name=name, rust_name=rust_name, rust=rust))
    return tuple(elements)


def quadratic_operations(representation: Representation, names: Collection[str]) -> Iterator[FieldOperation]:
    """Yield the operations on words that are called by some names."""
    plan, nonresidue = representation.plan, representation.nonresidue
    if nonresidue is None:
        return
    for name, (text, *programs) in _programs(nonresidue).items():
        if name in names:
            limbs, program = _fastest(tuple(programs), plan)
            yield FieldOperation(name, text, limbs, field_contract(program, plan))


@lru_cache(maxsize=32)
def _fastest(programs: tuple[Program, ...], plan: AnyPlan) -> tuple[LimbProgram, Program]:
    """Return the program of some that takes the fewest cycles on words, in estimates, the first in doubt."""
    ways = [(program, stay_wide) for stay_wide in (False, True) for program in programs]
    lowered = [(lower_to_limbs(program, plan, stay_wide=wide), program) for program, wide in ways]
    return min(lowered, key=lambda found: estimate_cycles(found[0]))


def _programs(nonresidue: int) -> dict[str, tuple[str, *tuple[Program, ...]]]:
    """Return what each operation does and the programs that do it, the first of which is taken in doubt."""
    return {
        "mul_2": ("r = a·b in GF(p²), reduced twice", *_products(nonresidue)),
        "sum_of_products_2": ("r = a·b + c·d in GF(p²), reduced twice", *_products(nonresidue, Add)),
        "difference_of_products_2": ("r = a·b - c·d in GF(p²), reduced twice", *_products(nonresidue, Sub)),
        "sqr_2": ("r = a² in GF(p²), reduced twice", _square(nonresidue)),
        "norm_2": ("r = a0² - i²·a1², the norm of a, reduced once", _norm(nonresidue)),
    }


def _products(nonresidue: int, sign: type[Add | Sub] | None = None) -> tuple[Program, ...]:
    """Return the ways to a·b, or to a·b ± c·d: by three products for each, in two orders, and by four."""
    short = (_short_products(nonresidue, sign, together=together) for together in (False, True))
    return (*short, _long_products(nonresidue, sign))


def _long_products(nonresidue: int, sign: type[Add | Sub] | None) -> Program:
    builder = ProgramBuilder()
    x, y = _factors(builder, sign)
    low, high = _summed(builder, x[0], y[0], sign), _summed(builder, x[1], y[1], sign)
    r0 = _multiple_added(builder, low, nonresidue, high, "r0")
    crossed = _summed(builder, x[0], y[1], sign), _summed(builder, x[1], y[0], sign)
    return builder.build([("r0", r0), ("r1", builder.emit(Add(*crossed), "r1"))])


def _short_products(nonresidue: int, sign: type[Add | Sub] | None, *, together: bool) -> Program:
    """Write the products by three; r0 is made before the third, or, if ``together``, beside r1."""
    builder = ProgramBuilder()
    x, y = _factors(builder, sign)
    low, high = _summed(builder, y[0], x[0], sign), _summed(builder, y[1], x[1], sign)
    r0 = None if together else _multiple_added(builder, low, nonresidue, high, "r0")
    left, right = ([builder.emit(Add(*parts)) for parts in zip(*factor, strict=True)] for factor in (x, y))
    both = _summed(builder, left, right, sign) if together else _summed(builder, right, left, sign)
    r1 = builder.emit(Sub(builder.emit(Sub(both, low)), high), "r1")
    if r0 is None:
        r0 = _multiple_added(builder, low, nonresidue, high, "r0")
    return builder.build([("r0", r0), ("r1", r1)])


def _factors(builder: ProgramBuilder, sign: type[Add | Sub] | None) -> list[list[list[int]]]:
    """Take in a and b, or a to d; return the left factors and the right ones: parts 0 of each, parts 1."""
    names = "ab" if sign is None else "abcd"
    parts = [[builder.emit(Input(f"{name}{part}"), f"{name}{part}") for part in (0, 1)] for name in names]
    return [[list(column) for column in zip(*parts[at::2], strict=True)] for at in (0, 1)]


def _summed(
    builder: ProgramBuilder, left: Sequence[int], right: Sequence[int], sign: type[Add | Sub] | None
) -> int:
    """Emit the product of the first factors, plus or minus that of the second ones if there are any."""
    products = [builder.emit(Mul(x, y)) for x, y in zip(left, right, strict=True)]
    return products[0] if sign is None else builder.emit(sign(products[0], products[1]))


def _square(nonresidue: int) -> Program:
    builder = ProgramBuilder()
    a0, a1 = (builder.emit(Input(name), name) for name in ("a0", "a1"))
    # The longer part comes second: it runs beside the end of the first.
    r1 = builder.emit(Mul(builder.emit(Add(a0, a0)), a1), "r1")
    if nonresidue == -1:
        r0 = builder.emit(Mul(builder.emit(Add(a0, a1)), builder.emit(Sub(a0, a1))), "r0")
    else:
        r0 = _multiple_added(builder, builder.emit(Sqr(a0)), nonresidue, builder.emit(Sqr(a1)), "r0")
    return builder.build([("r0", r0), ("r1", r1)])


def _norm(nonresidue: int) -> Program:
    builder = ProgramBuilder()
    a0, a1 = (builder.emit(Input(name), name) for name in ("a0", "a1"))
    r = _multiple_added(builder, builder.emit(Sqr(a0)), -nonresidue, builder.emit(Sqr(a1)), "r")
    return builder.build([("r", r)])


def _multiple_added(builder: ProgramBuilder, to: int, factor: int, value: int, label: str) -> int:
    """Emit to + factor·value."""
    if abs(factor) != 1:
        value = builder.emit(MulConstant(Fraction(abs(factor)), value))
    return builder.emit(Add(to, value) if factor > 0 else Sub(to, value), label)

"""GF(p²) over a prime field: c0 + c1·i with i² a small number that is no square modulo p.

A product is two sums of products, each reduced once, in whichever way is the cheaper::

    r0 = a0·b0 + i²·a1·b1        r1 = a0·b1 + a1·b0                             four products
                                 r1 = (a0 + a1)·(b0 + b1) - a0·b0 - a1·b1       three
"""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from efdgen.generator.fields.operations import FieldOperation
from efdgen.generator.fields.pieces import FieldFunction, Gives, c_definitions
from efdgen.generator.limbs.contract import field_contract
from efdgen.generator.limbs.estimate import estimate_cycles
from efdgen.generator.limbs.lower import lower_to_limbs
from efdgen.generator.programs.builder import ProgramBuilder
from efdgen.generator.programs.program import Add, Input, Mul, MulConstant, Sqr, Sub
from efdgen.generator.render.environment import environment

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from efdgen.generator.fields.field import Field, Representation
    from efdgen.generator.fields.pieces import Names
    from efdgen.generator.programs.program import Program

_TAKES: dict[str, tuple[str, Gives]] = {
    **dict.fromkeys(("add", "sub", "mul"), ("ab", "element")),
    **dict.fromkeys(("neg", "half", "conj", "sqr", "inv"), ("a", "element")),
    **dict.fromkeys(("is_zero", "is_square"), ("a", "flag")),
    "equal": ("ab", "flag"),
    "sqrt": ("a", "element if flag"),
}
# What elements of GF(p²) call in Rust.
_BASE = (
    *("add", "sub", "neg", "half", "mul", "sqr", "inv", "sqrt", "inv_sqrt", "is_square"),
    *("is_zero", "equal", "select", "cswap"),
    *("from_bytes_be", "to_bytes_be", "from_bytes_le", "to_bytes_le"),
)
_RUST = {"conj": "conjugate", "sqr": "square", "inv": "invert", "equal": ""}


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
    c = environment("c").get_template("quadratic.h.j2").render(names.template, fe2=fe2, **values)
    for long_name, definition in c_definitions(c).items():
        name = long_name.removeprefix(f"{fe2}_")
        takes, gives = _TAKES.get(name, ("", None))
        yield FieldFunction(
            name=f"fe2_{name}",
            doc=definition.doc,
            c=definition.text,
            rust="",
            rust_name="",
            requires=(*re.findall(rf"\b{names.prefix}_(?:fe_)?(\w+)\(", definition.text), "FieldElement2"),
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
        requires=(*_BASE, *(["mul_small"] if abs(field.nonresidue) != 1 else [])),
        public=False,
    )


def as_elements(functions: Iterable[FieldFunction]) -> tuple[FieldFunction, ...]:
    """Return the functions on elements of GF(p²) as they are called among themselves: ``mul``, ``square``."""
    names = {f.name: f.name.removeprefix("fe2_") for f in functions if f.name.startswith("fe2_")}
    return tuple(
        replace(
            function,
            name=names[function.name],
            rust_name=_RUST.get(names[function.name], names[function.name]),
        )
        for function in functions
        if function.name in names
    )


def quadratic_operations(representation: Representation, names: Collection[str]) -> Iterator[FieldOperation]:
    """Yield the operations on words that are called by some names."""
    plan, nonresidue = representation.plan, representation.nonresidue
    if nonresidue is None:
        return
    for name, (text, *programs) in _programs(nonresidue).items():
        if name in names:
            lowered = [(lower_to_limbs(program, plan), program) for program in programs]
            limbs, program = min(lowered, key=lambda found: estimate_cycles(found[0]))
            yield FieldOperation(name, text, limbs, field_contract(program, plan))


def _programs(nonresidue: int) -> dict[str, tuple[str, *tuple[Program, ...]]]:
    """Return what each operation does and the programs that do it, the first of which is taken in doubt."""
    return {
        "mul_2": ("r = a·b in GF(p²), reduced twice", _product(nonresidue), _short_product(nonresidue)),
        "sqr_2": ("r = a² in GF(p²), reduced twice", _square(nonresidue)),
        "norm_2": ("r = a0² - i²·a1², the norm of a, reduced once", _norm(nonresidue)),
    }


def _product(nonresidue: int) -> Program:
    builder = ProgramBuilder()
    a0, a1, b0, b1 = (builder.emit(Input(name), name) for name in ("a0", "a1", "b0", "b1"))
    r0 = _multiple_added(builder, builder.emit(Mul(a0, b0)), nonresidue, builder.emit(Mul(a1, b1)), "r0")
    r1 = builder.emit(Add(builder.emit(Mul(a0, b1)), builder.emit(Mul(a1, b0))), "r1")
    return builder.build([("r0", r0), ("r1", r1)])


def _short_product(nonresidue: int) -> Program:
    builder = ProgramBuilder()
    a0, a1, b0, b1 = (builder.emit(Input(name), name) for name in ("a0", "a1", "b0", "b1"))
    low, high = builder.emit(Mul(a0, b0)), builder.emit(Mul(a1, b1))
    both = builder.emit(Mul(builder.emit(Add(a0, a1), "a0_a1"), builder.emit(Add(b0, b1), "b0_b1")))
    r1 = builder.emit(Sub(builder.emit(Sub(both, low)), high), "r1")
    return builder.build([("r0", _multiple_added(builder, low, nonresidue, high, "r0")), ("r1", r1)])


def _square(nonresidue: int) -> Program:
    builder = ProgramBuilder()
    a0, a1 = (builder.emit(Input(name), name) for name in ("a0", "a1"))
    if nonresidue == -1:
        r0 = builder.emit(Mul(builder.emit(Add(a0, a1)), builder.emit(Sub(a0, a1))), "r0")
    else:
        r0 = _multiple_added(builder, builder.emit(Sqr(a0)), nonresidue, builder.emit(Sqr(a1)), "r0")
    r1 = builder.emit(MulConstant(Fraction(2), builder.emit(Mul(a0, a1))), "r1")
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

"""Hashing to a curve in C: the constants of its routines, and what its header prints of the suite."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from efdgen.generator.fields.printed import TableText
from efdgen.generator.planning.hashing_routines import DOCS, hashing_elements, hashing_of, hashing_values
from efdgen.generator.planning.tables import words_of
from efdgen.generator.render.c.parts import byte_lines, element_constant, element_table

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from efdgen.generator.curves.hashing import Hashing
    from efdgen.generator.planning.plan import CurvePlan
    from efdgen.generator.render.c.bundle import Options
    from efdgen.generator.text.c import Function

_NUMBERS = (("one", 1), ("zero", 0))


def hashing_context(plan: CurvePlan, functions: Sequence[Function], options: Options) -> dict[str, Any]:
    """Return what the header prints beside the functions that are routines; its constants are announced."""
    body, own = "".join(function.body for function in functions), hashing_of(plan)
    clearing = hashing_values(plan)["CLEARING_BYTES"]
    assert isinstance(clearing, tuple)
    return {
        "hashing": own,
        "constants": list(_constants(plan, body, options)),
        "clearing": byte_lines(bytes(byte for byte in clearing if isinstance(byte, int)))
        if own.cofactor != plan.cofactor
        else [],
        "strength": own.strength_bytes,
        "targets": list(_targets(plan.prefix, own)),
    }


def _targets(prefix: str, own: Hashing) -> Iterator[dict[str, Any]]:
    """Yield the curves that messages are hashed to: outputs of the functions, and the suffix of routines."""
    point = {"outputs": f"{prefix}_point *r", "names": ["r"], "what": "the point of the subgroup"}
    yield {"name": "curve", "suffix": "", **point}
    if own.montgomery:
        outputs, what = (
            f"{prefix}_fe *x, {prefix}_fe *y",
            "the coordinates of the point of the Montgomery curve",
        )
        yield {
            "name": "montgomery",
            "suffix": "_to_montgomery",
            "outputs": outputs,
            "names": ["x", "y"],
            "what": what,
        }


def _constants(plan: CurvePlan, body: str, options: Options) -> Iterator[Function]:
    """Yield the elements that functions read."""
    prefix, field = plan.prefix, options.fields.of(plan.curve.field)
    kind, paths = f"{prefix}_fe", (f"{prefix}_hash_to_curve.h",)
    numbers = {f"hash_to_curve_{name}": (f"{value}.", value) for name, value in _NUMBERS}
    elements = {name.lower(): (DOCS[name], value) for name, value in hashing_elements(plan).items()}
    for own, (doc, value) in (numbers | elements).items():
        if f"{prefix}_{own}" not in body:
            continue
        values = value if isinstance(value, tuple) else (value,)
        rows = [(each,) for each in values]
        for build in field.representations:
            words, limbs, braces = words_of(rows, build), len(build.element(0)), 1 + isinstance(value, tuple)
            options.claims.announce(
                TableText("c", paths, f"{prefix}_{own}", build.word, words, limbs, braces)
            )
        if isinstance(value, tuple):
            yield element_table(field, prefix, own, doc, kind, rows)
        else:
            yield element_constant(field, prefix, own, doc, kind, value)

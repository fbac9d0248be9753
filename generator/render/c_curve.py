"""A whole curve in C: its plan's kernels, constant-time loops over them, and printed tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from efdgen.generator.errors import EfdgenError
from efdgen.generator.fields.bundle import BASIC
from efdgen.generator.fields.printed import TableText
from efdgen.generator.kernels.kernel import Bundle
from efdgen.generator.planning.tables import fixed_tables, words_of
from efdgen.generator.render.c import Options, printed
from efdgen.generator.render.c_equations import curve_equations, law_calls
from efdgen.generator.render.c_multiplication import Multiplication
from efdgen.generator.render.c_parts import (
    element_table,
    field_constants,
    initialised,
    part_functions,
    random_values,
)
from efdgen.generator.render.c_routines import routine_functions
from efdgen.generator.render.c_scalars import ScalarText
from efdgen.generator.render.c_source import source
from efdgen.generator.render.special import doubles_identity, shared_numerator, x_of_order_four
from efdgen.generator.scalars.digits import wnaf_entries

if TYPE_CHECKING:
    from collections.abc import Iterator

    from efdgen.generator.planning.plan import CurvePlan
    from efdgen.generator.render.c_field import Constant
    from efdgen.generator.render.c_text import Function

BEFORE_ROUTINES = ("points", "entries", "one_z")
BEHIND_ROUTINES = (
    "multiply_var",
    "pippenger",
    "straus",
    "multi_multiply",
    "coz",
    "subgroup",
    "encodings",
    "random",
)


def render_curve(plan: CurvePlan, options: Options) -> dict[str, str]:
    """Return the text of ``PREFIX.h``, of ``PREFIX.c`` in the split layout, and of ``driver.c``.

    Raises :class:`EfdgenError` for a coordinate system whose additions are not complete, and that has neither
    one denominator that is 0 for the identity nor one numerator for both coordinates.
    """
    if not (plan.roles.complete or plan.representation.infinite or shared_numerator(plan)):
        system = plan.representation.system
        raise EfdgenError(f"no addition of {system} is complete on {plan.curve.name}; choose other --coords")
    text = _Curve(plan, options)
    values = printed(text.bundle, options, text.wanted, text.constants)
    own = text.values()
    some = {"coz": own["coz"], "one_z": plan.shares_z}

    def wanted(part: str) -> bool:
        return bool(some.get(part, True))

    values |= own | {
        "functions": [
            *values["functions"],
            *text.tables(),
            *part_functions(filter(wanted, BEFORE_ROUTINES), values | own),
            *routine_functions(plan, options.certify),
            *part_functions(filter(wanted, BEHIND_ROUTINES), values | own),
        ],
        "batches": True,
    }
    templates = {f"{plan.prefix}.h": "curve/header.h.j2", "driver.c": "curve/driver.c.j2"}
    if options.layout == "split":
        templates[f"{plan.prefix}.c"] = "source.c.j2"
    return {path: source(template, values) for path, template in templates.items()}


class _Curve:
    """The values for the templates of a curve, each under the template's name for it."""

    def __init__(self, plan: CurvePlan, options: Options) -> None:
        self.plan, self.group = plan, plan.kernels
        self.bundle = Bundle(plan.prefix, plan.curve.prime, (plan.kernels,), plan.command)
        self.scalars = ScalarText(plan)
        self.certify = options.certify
        self.wanted = (*BASIC, "cswap", "sqrt" if plan.model == "shortw" else "sqrt_ratio")
        self.field = options.fields.of(plan.curve.prime)
        self._types = {t.name: t for t in self.group.types}
        self._affine = "affine_point" if "affine_point" in self._types else "point"

    @property
    def constants(self) -> list[Constant]:
        """The field elements that the templates name."""
        plan = self.plan
        found = {"zero": 0, **plan.curve.parameters}
        if plan.endomorphism:
            found["beta"] = plan.endomorphism.beta
        if shared_numerator(plan):
            found["x_of_order_four"] = x_of_order_four(plan)
        return field_constants(plan.prefix, found)

    def values(self) -> dict[str, Any]:
        """Return all names of the templates."""
        plan, roles, represented = self.plan, self.plan.roles, self.plan.representation
        ratios = list(represented.ratios.values())
        powers = [ratio.power for ratio in ratios]
        names = represented.denominators
        multiplication = Multiplication(plan).values()
        return {
            "point": f"{plan.prefix}_point",
            "affine": f"{plan.prefix}_affine_point",
            "kernel_point": self._type("point"),
            "kernel_affine": self._type(self._affine),
            "kernel": {
                name: self._kernel(value) for name, value in vars(roles).items() if isinstance(value, str)
            },
            "members": self._types["point"].members,
            "model": plan.model,
            "complete": roles.complete,
            "infinite": represented.infinite,
            "doubles_identity": doubles_identity(self.plan),
            "denominator": names[0] if names else "",
            "denominators": names,
            "ratios": ratios,
            "powers": powers,
            "batch": len(names) == 1 and powers in ([1, 1], [2, 3]) and ratios[0].numerator == "X",
            "cofactor": plan.cofactor,
            "size": plan.encoding,
            "point_constants": self._point_constants(),
            "points": True,
            "multiplications": [
                "multiply",
                "multiply_var",
                *(["coz_multiply"] if multiplication["coz"] else []),
            ],
            "encoders": self._encoders(),
            "second": plan.second is not None,
            **random_values(plan.order, plan.curve.prime),
            **self.scalars.values(),
            "special": shared_numerator(plan),
            "law": law_calls(plan) if shared_numerator(plan) else None,
            **curve_equations(plan),
            **multiplication,
        }

    def tables(self) -> Iterator[Function]:
        """Yield the precomputed tables, and the constants of scalars."""
        yield from self.scalars.tables()
        entry, prefix = self.plan.roles.fixed_entry, self.plan.prefix
        comb = self.plan.generator.comb
        doc = f"For each of {comb.blocks} blocks the sums of +-2^i*G over its bits i, the top one positive."
        kind = self._type(entry.type)
        docs = {"comb": doc, "second": "The same of the second fixed point.", "odd": "G, 3*G, 5*G and so on."}
        blocks = {"odd": 0}
        if self.plan.half:
            docs["half"] = f"Odd multiples of G, and of 2^{self.plan.half.split}*G."
            blocks["half"] = wnaf_entries(self.plan.half.fixed_width)
        for name, rows in fixed_tables(self.plan).items():
            for build in self.field.representations:
                paths = f"{prefix}.h", f"{prefix}.c"
                words = words_of(rows, build)
                self.certify(TableText("c", paths, f"{prefix}_{name}_table", build.word, words))
            block = blocks.get(name, 1 << (comb.teeth - 1))
            yield element_table(self.field, prefix, f"{name}_table", docs[name], kind, rows, block)

    def _point_constants(self) -> list[dict[str, Any]]:
        represented, plan = self.plan.representation, self.plan
        constants = [
            ("GENERATOR", "The generator.", represented.generator),
            ("IDENTITY", "The identity.", represented.identity),
            ("SECOND", "The second fixed point.", plan.second),
        ]
        return [
            {
                "name": f"{plan.prefix.upper()}_{name}",
                "doc": doc,
                "type": f"{plan.prefix}_point",
                "builds": initialised(self.field, values),
            }
            for name, doc, values in constants
            if values is not None
        ]

    def _encoders(self) -> list[tuple[str, str]]:
        """Return functions that encode a point, and the length of what they write."""
        prefix = self.plan.prefix.upper()
        found = [("encode", f"{prefix}_ENCODED_BYTES")]
        if self.plan.model == "shortw":
            found.append(("encode_uncompressed", f"1 + 2 * {prefix}_FIELD_BYTES"))
        return found

    def _kernel(self, name: str) -> str:
        return "_".join(filter(None, (self.plan.prefix, self.group.namespace, name)))

    def _type(self, name: str) -> str:
        return self._kernel(name)

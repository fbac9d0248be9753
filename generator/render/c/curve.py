"""Curves in C: a plan's kernels, constant-time loops over them, and printed tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from efdgen.generator.curves.cosets import cosets
from efdgen.generator.fields.bundle import basic, roots_of
from efdgen.generator.fields.printed import TableText
from efdgen.generator.planning.coset_routines import coset_elements
from efdgen.generator.planning.equation_routines import parameters_read
from efdgen.generator.planning.special import doubles_identity, shared_numerator, x_of_order_four
from efdgen.generator.planning.tables import fixed_tables, words_of
from efdgen.generator.programs.kernel import Bundle
from efdgen.generator.render.c.bundle import Options, printed
from efdgen.generator.render.c.driver import driver_values
from efdgen.generator.render.c.group import group_files
from efdgen.generator.render.c.lanes import lane_files
from efdgen.generator.render.c.multiplication import Multiplication
from efdgen.generator.render.c.parts import (
    element_table,
    field_constants,
    initialised,
    part_functions,
    random_values,
)
from efdgen.generator.render.c.routines import routine_functions
from efdgen.generator.render.c.scalars import ScalarText
from efdgen.generator.render.c.source import source, sources
from efdgen.generator.render.multiplication import require_additions
from efdgen.generator.scalars.digits import wnaf_entries

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from efdgen.generator.options import Machine
    from efdgen.generator.planning.plan import CurvePlan
    from efdgen.generator.planning.quotients import Coordinates
    from efdgen.generator.render.c.field import Constant
    from efdgen.generator.text.c import Function

AFTER_ROUTINES = "random_membership", "random"


def render_curve(
    plan: CurvePlan, options: Options, group: str = "", *, lanes: Machine | None = None
) -> dict[str, str]:
    """Return the texts of :func:`sources`, and of ``driver.c``; with a prefix ``group`` the header of it too.

    With ``lanes`` there are headers for many points beside these.

    Raises :class:`EfdgenError` for a coordinate system whose additions are not complete, and that has neither
    one denominator that is 0 for the identity nor one numerator for both coordinates.
    """
    require_additions(plan)
    text = CurveText(plan, options)
    values = printed(text.bundle, options, text.wanted, text.constants)
    values |= {**text.values(), "host": None}
    values |= {"functions": [*values["functions"], *text.functions(values)], "batches": True}
    files = {**sources(values, "curve/header.h.j2"), "driver.c": source("curve/driver.c.j2", values)}
    files |= group_files(plan, group) if group else {}
    return files | (lane_files(plan, options.claims, values, lanes) if lanes else {})


class CurveText:
    """The values for the templates of a curve, each under the template's name for it."""

    def __init__(self, plan: CurvePlan, options: Options) -> None:
        self.plan, self.group = plan, plan.kernels
        self.prefix = plan.prefix
        self.bundle = Bundle(plan.prefix, plan.curve.field, (plan.kernels,), plan.command, plan.claims)
        self.scalars = ScalarText(plan)
        self.claims = options.claims
        roots = roots_of(plan.model)
        either = ["sqrt_ratio_z"] if options.hashes or cosets(plan.curve) else []
        self.field = options.fields.of(plan.curve.field)
        self.wanted = (*basic(self.field), "cswap", *roots, *either)
        self._types = {t.name: t for t in self.group.types}
        self._affine = "affine_point" if "affine_point" in self._types else "point"

    @property
    def constants(self) -> list[Constant]:
        """The field elements that the templates name."""
        return field_constants(self.prefix, self.numbers)

    @property
    def numbers(self) -> dict[str, int]:
        """The numbers that they are, by their names there."""
        plan = self.plan
        found = {"zero": 0, **parameters_read(plan)}
        found |= {name.lower(): value for name, value in coset_elements(plan).items()}
        if plan.endomorphism:
            found["beta"] = plan.endomorphism.beta
        if plan.representation.batch_factor != 1:
            found["factor"] = plan.representation.batch_factor
        if shared_numerator(plan):
            found["x_of_order_four"] = x_of_order_four(plan)
        return found

    def functions(self, values: Mapping[str, Any]) -> Iterator[Function]:
        """Yield what follows the kernels, given the names of all templates: tables and functions."""
        yield from self.tables()
        yield from part_functions([] if values["host"] else ["join"], values)
        yield from part_functions(["rooms"], values)
        yield from routine_functions(self.plan, self.claims)
        yield from part_functions((f"curve/{part}" for part in AFTER_ROUTINES), values)

    def values(self) -> dict[str, Any]:
        """Return all names of the templates."""
        plan, roles, represented = self.plan, self.plan.roles, self.plan.representation
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
            "sec1": plan.encoding.byteorder == "big",
            "complete": roles.complete,
            "infinite": represented.infinite,
            "doubles_identity": doubles_identity(self.plan),
            "denominator": names[0] if names else "",
            "denominators": names,
            "ratios": list(represented.ratios.values()),
            "powers": represented.powers,
            "batch": represented.batch,
            "scaled": represented.batch_factor != 1,
            "cofactor": plan.cofactor,
            "size": plan.encoding,
            "point_constants": self._point_constants(),
            "points": True,
            **driver_values(plan),
            "second": plan.second is not None,
            **random_values(plan.order, plan.curve.bits),
            **self.scalars.values(),
            "special": shared_numerator(plan),
            **multiplication,
        }

    def tables(self) -> Iterator[Function]:
        """Yield the precomputed tables, and the constants of scalars."""
        yield from self.scalars.tables()
        entry = self.plan.roles.fixed_entry
        comb = self.plan.generator.comb
        doc = f"For each of {comb.blocks} blocks the sums of +-2^i*G over its bits i, the top one positive."
        kind = self._type(entry.type)
        docs = {"comb": doc, "second": "The same of the second fixed point.", "odd": "G, 3*G, 5*G and so on."}
        blocks = {"odd": wnaf_entries(self.plan.double.fixed_width)}
        if self.plan.half:
            docs["half"] = f"Odd multiples of G, and of 2^{self.plan.half.split}*G."
            blocks["half"] = wnaf_entries(self.plan.half.fixed_width)
        for name, rows in fixed_tables(self.plan).items():
            block = blocks.get(name, 1 << (comb.teeth - 1))
            yield self.table(f"{name}_table", docs[name], kind, rows, block)

    def table(self, name: str, doc: str, kind: str, rows: Sequence[Coordinates], block: int) -> Function:
        """Return a table of points of a type, in blocks where they have a length."""
        prefix = self.prefix
        for build in self.field.representations:
            paths = f"{prefix}.h", f"{prefix}.c"
            words, limbs = words_of(rows, build), len(build.element(0))
            braces = 3 + (block > 0)
            self.claims.announce(TableText("c", paths, f"{prefix}_{name}", build.word, words, limbs, braces))
        return element_table(self.field, prefix, name, doc, kind, rows, block)

    def initialised(self, coordinates: Coordinates) -> list[dict[str, Any]]:
        """Return for each size of words the lines that initialise a point."""
        return initialised(self.field, coordinates)

    def points(self) -> list[tuple[str, str, Coordinates | None]]:
        """Return the points that have a name, what they are, and their coordinates; None for none."""
        represented, prefix = self.plan.representation, self.prefix.upper()
        return [
            (f"{prefix}_GENERATOR", "The generator.", represented.generator),
            (f"{prefix}_IDENTITY", "The identity.", represented.identity),
            (f"{prefix}_SECOND", "The second fixed point.", self.plan.second),
        ]

    def _point_constants(self) -> list[dict[str, Any]]:
        return [
            {"name": name, "doc": doc, "type": f"{self.prefix}_point", "builds": self.initialised(values)}
            for name, doc, values in self.points()
            if values is not None
        ]

    def _kernel(self, name: str) -> str:
        return f"{self.plan.prefix}_{self.group.named(name)}"

    def _type(self, name: str) -> str:
        return self._kernel(name)

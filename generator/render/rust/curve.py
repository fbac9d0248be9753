"""Curves in Rust: a crate of a plan's kernels, constant-time loops over them, and tables."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from efdgen.generator.curves.cosets import cosets
from efdgen.generator.curves.hashing import hashing
from efdgen.generator.fields.bundle import basic, roots_of
from efdgen.generator.fields.field import Field
from efdgen.generator.kernels.contract import header_lines
from efdgen.generator.languages.erasure import erasing
from efdgen.generator.planning.coset_routines import DOCS as OF_COSETS
from efdgen.generator.planning.coset_routines import coset_elements
from efdgen.generator.planning.curve_routines import curve_module
from efdgen.generator.planning.equation_routines import parameters_read
from efdgen.generator.planning.hashing_routines import DOCS, hashing_elements
from efdgen.generator.planning.protocol_routines import with_routines
from efdgen.generator.planning.special import doubles_identity, shared_numerator, x_of_order_four
from efdgen.generator.planning.table_routines import table_kernels
from efdgen.generator.programs.kernel import Bundle
from efdgen.generator.render.multiplication import multiplication_values, require_additions
from efdgen.generator.render.rust.blanks import blanks
from efdgen.generator.render.rust.bundle import read_in
from efdgen.generator.render.rust.crate import (
    Root,
    WholeCrate,
    asked_name,
    documented,
    known_points,
    paragraph,
    point_constants,
    whole_crate,
)
from efdgen.generator.render.rust.driver import driver_values, public_functions
from efdgen.generator.render.rust.field import Constant
from efdgen.generator.render.rust.function_files import functions_of
from efdgen.generator.render.rust.group import ROOT, group_files
from efdgen.generator.render.rust.kernels import PLAIN_NAMES, fill, member_names, type_name
from efdgen.generator.render.rust.lanes import lane_files
from efdgen.generator.render.rust.protocols import INNER, Protocols, inner_modules, protocol_modules
from efdgen.generator.render.rust.routines import protocol_functions, routine_functions
from efdgen.generator.render.rust.scalars import scalar_values
from efdgen.generator.render.rust.tables import table_values
from efdgen.generator.text.rust import comment

if TYPE_CHECKING:
    from collections.abc import Mapping

    from efdgen.generator.fields.claims import Claims
    from efdgen.generator.options import Machine
    from efdgen.generator.planning.plan import CurvePlan, EntryKind
    from efdgen.generator.planning.quotients import Coordinates
    from efdgen.generator.render.rust.bundle import Options
    from efdgen.generator.render.rust.function_files import FunctionFile
    from efdgen.generator.routines.module import Module


_ASIDE = ("affine_form", "coz", "generate", "groups", "prime_fields", "random", "serialize", "subgroup")
"""Modules that a larger crate has no use for."""


def render_curve(
    plan: CurvePlan,
    options: Options,
    *,
    protocols: bool = False,
    root: Root | None = None,
    group: bool = False,
    lanes: Machine | None = None,
) -> dict[str, str]:
    """Return the files of a crate, among them ``examples/driver.rs``, which answers requests.

    With ``root``, they are files of a module of a larger crate, without a driver; so they are with ``group``,
    in the crate of the group of cosets on the curve. With ``lanes`` there are functions for many points.
    Raises :class:`EfdgenError` for coordinates without complete additions, and for another layout.
    """
    require_additions(plan)
    root = ROOT if group else root or Root()
    hashes = protocols and hashing(plan.curve) is not None
    feature = "protocols" if root.is_crate else ""
    text = _Curve(plan if root.is_crate else replace(plan, coz=None), hashes=hashes, feature=feature)
    opened = {*root.opened, *(["encoding"] if lanes else [])}
    functions = routine_functions(text.plan, text.routines, options.claims, opened)
    function_files = functions_of(functions, blanks(plan, text.members), coz=text.plan.coz is not None)
    crate = WholeCrate(
        bundle=Bundle(plan.prefix, plan.curve.field, (plan.kernels,), plan.command, plan.claims),
        wanted=(*text.wanted(), *["sqrt"] * root.is_crate),
        constants=text.constants,
        values=text.values() | functions,
        lanes=lanes,
        parts=[name for name in text.parts() if root.is_crate or name not in _ASIDE],
        functions=function_files,
        exports={
            name: every for name, every in text.exports().items() if root.is_crate or name not in _ASIDE
        },
        offered=text.offered(functions["offered"], function_files),
        aliases=text.kernels(),
        tables=True,
        plain_types=True,
        inlined=text.inlined(),
        order=plan.order,
        protocols=_protocols(plan, options.claims, root) if protocols else Protocols(),
    )
    files = whole_crate(crate, options, root) | _table_files(text, options, root)
    files |= group_files(plan) if group else {}
    if not lanes:
        return files
    values = text.values() | {"root": root}
    return files | root.placed(lane_files(plan, text.kernels(), options.claims, values, lanes))


def _table_files(text: _Curve, options: Options, root: Root) -> dict[str, str]:
    """Return the files of tables, one for each size of words."""
    plan, files = text.plan, {}
    own = Bundle(plan.prefix, plan.curve.field, (plan.kernels,), plan.command)
    members = text.members[plan.roles.fixed_entry.type]
    for build in options.fields.of(plan.curve.field).representations:
        names = text.values() | table_values(plan, members, build, options.claims)
        names |= {"root": root, "short_header": comment(header_lines(own)[:4], "//")}
        files[f"{root.folder}tables{build.word}.rs"] = fill("tables.rs.j2", names)
    return files


class _Curve:
    """The values for the templates of a curve, each under the template's name for it."""

    def __init__(self, plan: CurvePlan, *, hashes: bool, feature: str) -> None:
        self.plan, self.group, self.hashes, self.feature = plan, plan.kernels, hashes, feature
        self._types = {t.name: t for t in self.group.types}
        self.members = {name: list(member_names(t).values()) for name, t in self._types.items()}
        self._variables = member_names(self._types["point"])
        self.special = self._variables.get(shared_numerator(plan), "")

    @cached_property
    def routines(self) -> Module:
        """The routines of the plan."""
        return erasing(curve_module(self.plan, "rust"), rooms_alone=True)

    @cached_property
    def constants(self) -> list[Constant]:
        """The field elements that the templates name."""
        plan = self.plan
        found = [
            Constant(f"CURVE_{name.upper()}", f"The parameter `{name}` of the curve.", value)
            for name, value in parameters_read(plan).items()
        ]
        found += [Constant(name, OF_COSETS[name], value) for name, value in coset_elements(plan).items()]
        if self.hashes:
            for name, given in hashing_elements(plan).items():
                values = given if isinstance(given, tuple) else (given,)
                names = [f"{name}_{at}" for at in range(len(values))] if isinstance(given, tuple) else [name]
                pairs = zip(names, values, strict=True)
                found += [Constant(n, DOCS[name], v, feature=self.feature) for n, v in pairs]
        if plan.endomorphism:
            found.append(Constant("BETA", "A cube root of 1.", plan.endomorphism.beta))
        factor = plan.representation.batch_factor
        if factor != 1:
            found.append(Constant("FACTOR", "The factor of affine coordinates beside quotients.", factor))
        if self.special:
            found.append(
                Constant("X_OF_ORDER_FOUR", "A coordinate of a point of order 4.", x_of_order_four(plan))
            )
        found += point_constants(self.members["point"], self._named_points())
        return found

    def wanted(self) -> tuple[str, ...]:
        """Return the functions of the field that the crate's files call."""
        either = ["sqrt_ratio_z"] * (self.hashes or cosets(self.plan.curve) is not None)
        roots = [*roots_of(self.plan.model), *either]
        variable = ["inv_var"] * (self.plan.model != "binary") + ["pow_public"]
        return *basic(Field(self.plan.curve.field)), *variable, *roots, *["cswap"] * bool(self.plan.coz)

    def parts(self) -> list[str]:
        """Return the names of the crate's files of functions."""
        subgroup = ["subgroup"] * (self.plan.cofactor != 1)
        return [
            "generate",
            "operators",
            "random",
            "serialize",
            "affine_form",
            "groups",
            "prime_fields",
            *subgroup,
        ]

    def values(self) -> dict[str, Any]:
        """Return all names of the templates."""
        plan, represented = self.plan, self.plan.representation
        ratios = [
            {
                "coordinate": coordinate,
                "numerator": self._variables[ratio.numerator],
                "denominator": ratio.denominator and self._variables[ratio.denominator],
                "power": ratio.power,
            }
            for coordinate, ratio in represented.ratios.items()
        ]
        names = [self._variables[variable] for variable in represented.denominators]
        return {
            "curve": asked_name(plan),
            "namespace": self.group.namespace,
            "sec1": plan.encoding.byteorder == "big",
            "members": self.members["point"],
            "complete": plan.roles.complete,
            "infinite": represented.infinite,
            "special": self.special,
            "doubles_identity": bool(self.special) or doubles_identity(self.plan),
            "denominator": names[0] if names else "",
            "ratios": ratios,
            "powers": represented.powers,
            "batch": represented.batch,
            "scaled": represented.batch_factor != 1,
            "cofactor": plan.cofactor,
            "size": plan.encoding,
            "coordinates": ", ".join(f"self.{member}" for member in self.members["point"]),
            "affine_alias": "affine_point" not in self._types,
            "contents": "points, multiplication by scalars, and encodings",
            "points": True,
            "second": plan.second is not None,
            "cosets": cosets(plan.curve),
            "known_points": list(known_points("Point", self.members["point"], self._named_points())),
            "example": documented(_example(plan)),
            "about": self._about(),
            "read_in": read_in(self.feature) if self.feature else "",
            **driver_values(plan),
            **scalar_values(plan),
            **self._entries(),
            **self._multiplication(),
        }

    def _about(self) -> str:
        end = "most" if self.plan.encoding.byteorder == "big" else "least"
        text = (
            "The types are [`Point`], [`AffinePoint`], [`FieldElement`] and [`Scalar`]; all others belong to "
            f"formulas. Functions take scalars as bytes, the {end} significant first, of any value. A "
            "[`Point`] may be the identity. Functions are correct for every input, except those whose names "
            f"start with `{self.group.namespace}_`: these are the formulas; they write results to their "
            "first arguments, and document their exceptions."
        )
        return paragraph(text, "//!")

    def _named_points(self) -> dict[str, Coordinates]:
        represented, second = self.plan.representation, self.plan.second
        found = {"GENERATOR": represented.generator, "IDENTITY": represented.identity}
        return found | ({} if second is None else {"SECOND": second})

    def _entries(self) -> dict[str, Any]:
        kinds = [self._entry(kind) for kind in self.plan.entry_kinds]
        return {"own": kinds[0], "fixed": kinds[-1]}

    def _entry(self, kind: EntryKind) -> dict[str, Any]:
        entry = kind.entry
        return {
            "type": type_name(entry.type),
            "members": self.members[entry.type],
            "normalized": entry.normalized,
        }

    def _multiplication(self) -> dict[str, Any]:
        plan, found = self.plan, multiplication_values(self.plan, paragraph)
        return {
            **found,
            "scalar_item": "&[u8; SCALAR_BYTES]" if plan.representation.infinite else "[u8; SCALAR_BYTES]",
            "point_item": "&Point" if plan.representation.infinite else "Point",
        }

    def offered(self, multiplications: list[str], files: Mapping[str, FunctionFile]) -> dict[str, list[str]]:
        """Return the names that the crate's modules offer to each other, given those of multiplications."""
        constants = [constant.name for constant in self.constants]
        empty = {name: [blank["name"] for blank in file.blanks] for name, file in files.items()}
        return {
            "crate": [
                *(
                    "limbs",
                    "tables",
                    "words",
                    "AffinePoint",
                    "FieldElement",
                    "Scalar",
                    *self._type_names(),
                    *constants,
                ),
                *("GENERATOR", "IDENTITY", "ORDER", "COFACTOR_SCALAR", "SECOND"),
                *("Table", "NO_TABLE", "MultiTable"),
                *("SCALAR_BYTES", "FIELD_BYTES", "ENCODED_BYTES", "WIRE_BYTES", "lanes"),
            ],
            "crate::encoding": ["decode", "encode_batch", "lift_x", "lift_y"],
            "crate::limbs": ["Word"],
            "crate::multiply": [*multiplications, *empty["multiply"]],
            "crate::point": [
                "from_affine",
                "inverse_of_all",
                "is_odd",
                "lift_affine",
                "point_with",
                "right_side",
                "to_affine_batch",
                *empty["point"],
            ],
            "crate::operators": ["assignment", "negation", "operator"],
            "crate::prime_fields": ["Encoded"],
            "crate::random": ["drawn_by_lift", "random_scalar"],
            "crate::subgroup": ["SubgroupPoint"],
            "crate::words": ["Words", "DIGITS"],
        }

    def _type_names(self) -> list[str]:
        return [_type_name(name) for name in self._types]

    def kernels(self) -> dict[str, str]:
        """Return the paths of the kernels by the names that the templates have for them."""
        roles = self.plan.roles
        found = {
            "point_add_kernel": roles.add,
            "double_kernel": roles.double,
            "negate_kernel": roles.negate,
            "from_affine_kernel": roles.from_affine,
            "to_affine_kernel": roles.to_affine,
            "chain_kernel": roles.chain_double,
            "last_kernel": roles.chain_last,
            "add_kernel": roles.entry.add,
            "add_fixed_kernel": roles.fixed_entry.add,
            "chain_add_kernel": roles.entry.chain_add,
            "chain_add_fixed_kernel": roles.fixed_entry.chain_add,
        }
        if self.plan.coz:
            found |= {"coz_start_kernel": self.plan.coz.start, "coz_step_kernel": self.plan.coz.step}
        if roles.slopes:
            found |= {"slopes_kernel": roles.slopes.start, "slope_add_kernel": roles.slopes.add}
        found |= {f"affine{kind.suffix}_kernel": kind.entry.from_affine for kind in self.plan.entry_kinds}
        found |= table_kernels(self.plan)
        return {alias: f"crate::{self.group.named(name)}" for alias, name in found.items() if name}

    def inlined(self) -> list[str]:
        """Return the kernels by which the templates replace what they read, and what goes between them."""
        roles = self.plan.roles
        chains = [roles.chain_double, roles.chain_last, roles.entry.add, roles.fixed_entry.add]
        scaled = [roles.one_z.add] if roles.one_z and roles.one_z.add else []
        scaled += [roles.slopes.add] if roles.slopes else []
        before = [entry.chain_add for entry in (roles.entry, roles.fixed_entry) if entry.chain_add]
        return chains + before + scaled + ([self.plan.coz.step] if self.plan.coz else [])

    def exports(self) -> dict[str, list[str]]:
        """Return the names that the crate's modules make public."""
        return {
            **public_functions(self.plan),
            "generate": ["Secret", "generate_key"],
            **self._types_of_traits(),
        }

    def _types_of_traits(self) -> dict[str, list[str]]:
        """Return the types that traits need beside the crate's own, by their modules."""
        subgroup = {"subgroup": ["SubgroupPoint"]} if self.plan.cofactor != 1 else {}
        return {"prime_fields": ["Encoded"], **subgroup}


def _protocols(plan: CurvePlan, claims: Claims, root: Root) -> Protocols:
    """Return the protocols of a curve, or the parts that a larger crate has, with routines as functions."""
    found = protocol_modules(plan) if root.is_crate else inner_modules(plan)
    files = {name: name if root.is_crate else INNER.get(name, "") for name in with_routines(plan)}
    functions = {
        f"{name}_functions": protocol_functions(plan, name, claims, file)
        for name, file in files.items()
        if file
    }
    return replace(found, values={**found.values, **functions})


def _type_name(name: str) -> str:
    return type_name(PLAIN_NAMES.get(name, name))


def _example(plan: CurvePlan) -> list[str]:
    """Return the lines of a short program."""
    unwrap = ".unwrap()" if plan.representation.infinite else ""
    names = "decode, multiply, multiply_generator, Scalar, GENERATOR, SCALAR_BYTES"
    return [
        f"use {plan.prefix}::{{{names}}};",
        "",
        "let secret = [7; SCALAR_BYTES];",
        f"let encoded = multiply_generator(&secret).encode(){unwrap};",
        "let public = decode(&encoded).unwrap();",
        "let other = [9; SCALAR_BYTES];",
        "assert_eq!(multiply(&other, &public), multiply(&secret, &multiply_generator(&other)));",
        "let sum = Scalar::reduce(&secret) + Scalar::reduce(&other);",
        "assert_eq!(GENERATOR * sum, public + multiply_generator(&other));",
    ]

"""Kernels as Rust without ``std``: a crate with a driver that tests it, or one module.

The crate or the module is its own namespace, so the bundle's prefix is its name and begins no other.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from efdgen.generator.fields.bundle import basic
from efdgen.generator.fields.claims import UNPROVED, Claims
from efdgen.generator.fields.field import FieldOptions
from efdgen.generator.fields.pieces import Names
from efdgen.generator.kernels.contract import LICENSE, header_lines
from efdgen.generator.options import Lowering
from efdgen.generator.render.rust.field import NARROW, Constant, RustField
from efdgen.generator.render.rust.kernels import Kernels, fill
from efdgen.generator.render.rust.packages import REQUIREMENTS, VERSION, locked
from efdgen.generator.render.rust.versions import OF_KERNELS, SAFE_CARRIES
from efdgen.generator.text.prefixes import require_prefix
from efdgen.generator.text.rust import call, comment, indented
from efdgen.generator.tuning.file import built_in

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from efdgen.generator.fields.operations import FieldOperation
    from efdgen.generator.programs.kernel import Bundle


@dataclass(frozen=True)
class Options:
    """Options of the output: a crate with its driver, or one module for a crate of the user's.

    ``lowering`` is whether a formula is one limb function where words have 64 bits, or calls of the field's
    methods there too. ``claims`` answers for the operations of the field.
    """

    layout: Literal["crate", "module"] = "crate"
    lowering: Lowering = "whole"
    claims: Claims = UNPROVED
    fields: FieldOptions = dataclasses.field(default_factory=lambda: FieldOptions(tuning=built_in("rust")))


@dataclass(frozen=True)
class Printed:
    """The template values for a bundle, and the content of word modules: constants, fused formulas."""

    names: dict[str, Any]
    constants: list[Constant]
    whole: list[FieldOperation]


def render(bundle: Bundle, options: Options) -> dict[str, str]:
    """Return a crate, ``Cargo.toml`` and what belongs to it, or the one module ``PREFIX.rs``.

    The crate's driver is ``examples/driver.rs``. Raises :class:`EfdgenError` for a prefix that cannot be
    the name of either.
    """
    planned = options.fields.of(bundle.ground)
    field = RustField(planned, Names(bundle.prefix), options.claims, basic(planned))
    return render_over(
        bundle, field, options.layout, {"examples/driver.rs": "driver.rs.j2"}, lowering=options.lowering
    )


def render_over(
    bundle: Bundle,
    field: RustField,
    layout: Literal["crate", "module"],
    programs: Mapping[str, str],
    own: Mapping[str, object] | None = None,
    lowering: Lowering = "calls",
) -> dict[str, str]:
    """Print a bundle over a field; ``programs`` are the templates of a crate's programs, by their paths.

    ``own`` are names for these. Raises :class:`EfdgenError` for a prefix that cannot be the name of a crate.
    """
    printed = print_bundle(bundle, field, lowering)
    names = printed.names | dict(own or {})
    if layout == "module":
        modules = [
            indented(fill("field_limbs.rs.j2", {"build": build, "field": field.field}).rstrip())
            for build in field.builds(printed.constants, printed.whole, 4)
        ]
        return {f"{bundle.prefix}.rs": fill("module.rs.j2", names | {"modules": modules})}
    files = {**programs, "src/field.rs": "field.rs.j2", "src/lib.rs": "lib.rs.j2"}
    return crate_files(bundle, field, replace(printed, names=names), files)


def print_bundle(
    bundle: Bundle,
    field: RustField,
    lowering: Lowering,
    constants: Sequence[Constant] = (),
    *,
    plain_types: bool = False,
    in_place: bool = False,
    inlined: Collection[str] = (),
) -> Printed:
    """Print a bundle's kernels and constants, those that are given too.

    With ``plain_types`` types do without the group's namespace; kernels that are ``in_place`` write to their
    first arguments, and those that are ``inlined`` become part of their callers. Raises what
    :func:`render_over` raises.
    """
    require_prefix("rust", bundle.prefix)
    groups = [
        Kernels(group, field.field, lowering, plain_types, in_place, inlined) for group in bundle.groups
    ]
    whole = [whole.operation for group in groups for whole in group.whole.values()]
    field.announce(text for group in groups for text in group.texts(bundle.prefix))
    every = [*(constant for group in groups for constant in group.constants()), *constants]
    names = _names(bundle, groups, every) | field.values(whole=bool(whole))
    return Printed(names, every, whole)


def crate_files(
    bundle: Bundle, field: RustField, printed: Printed, templates: Mapping[str, str]
) -> dict[str, str]:
    """Return the files of a crate: those of ``templates``, its manifest, and its functions on words."""
    toml = printed.names | {"header": comment(header_lines(bundle)[:4], "#")}
    return {
        "Cargo.lock": fill("Cargo.lock.j2", toml),
        "Cargo.toml": fill("Cargo.toml.j2", toml),
        "build.rs": fill(
            "build.rs.j2",
            {"header": printed.names["short_header"], "safe_carries": SAFE_CARRIES, "lanes_since": None},
        ),
        **{path: fill(template, printed.names) for path, template in templates.items()},
        **{
            f"src/limbs{build.word}.rs": fill("limbs_file.rs.j2", printed.names | {"build": build})
            for build in field.builds(printed.constants, printed.whole)
        },
    }


def _names(bundle: Bundle, groups: Sequence[Kernels], constants: Sequence[Constant]) -> dict[str, object]:
    """Return what the templates print except for the field, for all of them."""
    return {
        "prefix": bundle.prefix,
        "version": VERSION,
        "license": LICENSE,
        "rust_version": OF_KERNELS,
        "packages": locked(bundle.prefix),
        "hashes": [],
        "requirements": REQUIREMENTS,
        "tried_with": [],
        "header": comment(header_lines(bundle), "//"),
        "short_header": comment(header_lines(bundle)[:4], "//"),
        "constants": [element_constant(constant) for constant in constants],
        "types": [printed for group in groups for printed in group.types()],
        "functions": [printed for group in groups for printed in group.functions()],
        "batches": any(kernel.batch for group in bundle.groups for kernel in group.kernels),
    }


def element_constant(constant: Constant, visibility: str = "") -> str:
    """Return the definition of a constant as an element."""
    head = f"{visibility}const {constant.name}: FieldElement ="
    definition = call(head, "FieldElement::constant", f"limbs::{constant.name}")
    if constant.feature:
        definition = f"{read_in(constant.feature)}\n{definition}"
    return definition if constant.as_element else f"#[cfg({NARROW})]\n{definition}"


def read_in(feature: str) -> str:
    """Return the attribute of an item that nothing reads without a feature."""
    return f'#[cfg_attr(not(feature = "{feature}"), allow(dead_code))]'

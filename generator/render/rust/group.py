"""Groups of prime order in Rust: a crate over the modules of the curve that has their cosets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.curves.cosets import cosets
from efdgen.generator.programs.kernel import Bundle
from efdgen.generator.render.rust import versions
from efdgen.generator.render.rust.crate import Root, filled
from efdgen.generator.render.rust.packages import VERSION

if TYPE_CHECKING:
    from efdgen.generator.planning.plan import CurvePlan

ROOT = Root("crate::curve", "src/curve/")
"""The place of the curve in the crate of a group."""


def group_files(plan: CurvePlan) -> dict[str, str]:
    """Return the files of a crate of elements of a group, beside the modules of the curve."""
    values = {
        "group": cosets(plan.curve),
        "prefix": plan.prefix,
        "version": VERSION,
        "rust_version": versions.OF_CURVES,
    }
    head = Bundle(plan.prefix, plan.curve.field, (), plan.command)
    return filled("group", ["Cargo.toml", "build.rs", "src/lib.rs"], head, values)

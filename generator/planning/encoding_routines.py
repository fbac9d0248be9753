"""The routines between points and bytes: their files, and what a plan decides of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.curves.odd import halvings
from efdgen.generator.planning.coset_routines import coset_names, coset_roots
from efdgen.generator.planning.exported import embedding_of

if TYPE_CHECKING:
    from efdgen.generator.planning.plan import CurvePlan
    from efdgen.generator.routines.staging import Decision


def encoding_roots(plan: CurvePlan) -> tuple[str, ...]:
    """Return the functions between points and bytes."""
    own = ("lift_x", "encode_uncompressed") if plan.encoding.byteorder == "big" else ("lift_y",)
    batches = "encode_batch", "encode_xy_batch", "decode_xy_batch"
    plain = "encode_affine", *own, "encode", "decode", "encode_wire", "decode_wire", *batches
    return *plain, *coset_roots(plan)


def encoding_parts(plan: CurvePlan) -> tuple[str, ...]:
    """Return the files of the routines."""
    embedded = ["embedded"] if embedding_of(plan) else []
    return "numbers", "wire", "sec1" if plan.encoding.byteorder == "big" else "rfc8032", *embedded


def encoding_names(plan: CurvePlan) -> dict[str, Decision]:
    """Return what the plan decides."""
    size = plan.encoding
    members = next(kind.members for kind in plan.kernels.types if kind.name == "point")
    embedding = embedding_of(plan)
    tries: dict[str, Decision] = {}
    if embedding:
        tries = {"embedding.tries": 2 * embedding.counters, "embedding.bits": embedding.bits}
    if plan.model == "binary":
        count = halvings(plan.curve)
        tries = {"halving.count": count, "halving.times": "twice" if count > 1 else "once"}
    return tries | {
        "encoding.big": size.byteorder == "big",
        "encoding.apart": size.point > size.field,
        "encoding.twisted": plan.model == "twisted",
        "wire.members": tuple((member, i, i + 1) for i, member in enumerate(members)),
        **coset_names(plan),
    }

"""Crates with the interfaces of ed25519-dalek, x25519-dalek and curve25519-dalek, which can replace them.

The curve's own modules are the crate's module ``native``; the templates of ``templates/rust/dalek`` have
types and traits on them. The crate for X25519 has edwards25519 beside it, whose comb computes public keys,
and the crate of points has the ladder beside it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from efdgen.generator.interfaces import project_facts, published, require_fit
from efdgen.generator.planning.plan import CurvePlan
from efdgen.generator.render.rust import dalek_points
from efdgen.generator.render.rust.crate import NATIVE, Root, filled
from efdgen.generator.render.rust.curve import render_curve
from efdgen.generator.render.rust.ladder import render_ladder
from efdgen.generator.render.rust.versions import OF_INTERFACES

if TYPE_CHECKING:
    from efdgen.generator.interfaces import Interface, Naming, Published
    from efdgen.generator.planning.ladder import LadderPlan
    from efdgen.generator.render.rust.bundle import Options

_FILES = {
    "signatures": (
        *("batch", "context", "encoding", "errors", "hazmat", "key_formats", "lib", "signing", "traits"),
        "verifying",
    ),
    "exchange": ("lib",),
    "points": (
        *("basepoint_tables", "compressed", "constants", "edwards", "field", "groups", "lib"),
        *("montgomery", "operators", "prepared", "ristretto", "scalar", "scalar_field", "serialize"),
        *("subgroup", "sums", "traits", "twice_compressed"),
    ),
}


def render_dalek(
    plan: CurvePlan | LadderPlan, options: Options, interface: Interface, naming: Naming
) -> dict[str, str]:
    """Return the files of a crate with dalek's interface.

    Raises :class:`EfdgenError` for another curve, and what the printers of curves raise.
    """
    own, crate = own_files(plan, interface, naming), crate_of(plan, interface, naming)
    if not isinstance(plan, CurvePlan):
        return render_ladder(plan, options, root=Root("crate::native", NATIVE)) | own
    elements = dalek_points.elements(plan.curve) if crate.facts["templates"] == "points" else ()
    root = Root("crate::native", NATIVE, elements, opened=crate.facts.get("opened", ()))
    return render_curve(plan, options, protocols=_hashes(crate, interface), root=root) | own


def own_files(plan: CurvePlan | LadderPlan, interface: Interface, naming: Naming) -> dict[str, str]:
    """Return the files of a crate beside the curve's modules; raise what :func:`crate_of` raises."""
    crate = crate_of(plan, interface, naming)
    values: dict[str, Any] = {
        "crate": crate,
        "rust_version": OF_INTERFACES[interface.project, interface.generation],
        "old": interface.generation == "2",
        "libraries": project_facts(interface.project)["generations"][interface.generation],
    }
    templates = crate.facts["templates"]
    if templates == "points":
        assert isinstance(plan, CurvePlan)
        dalek_points.require_coordinates(plan)
        values |= dalek_points.values(plan)
    names = [*_FILES[templates], *(["hashing"] if _hashes(crate, interface) else [])]
    paths = ["README.md", "Cargo.toml", *(f"src/{name}.rs" for name in names)]
    return filled(f"dalek/{templates}", paths, plan, values)


def _hashes(crate: Published, interface: Interface) -> bool:
    """Return whether a crate hashes to the curve."""
    return interface.generation in crate.facts.get("hashes", ())


def crate_of(plan: CurvePlan | LadderPlan, interface: Interface, naming: Naming) -> Published:
    """Return the crate of a curve; raise :class:`EfdgenError` for a curve that no such crate is for."""
    require_fit(plan.curve, interface)
    return published(plan.curve, interface, naming, plan.prefix)

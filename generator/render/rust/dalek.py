"""Crates with the interfaces of curve25519-dalek, ed25519-dalek and x25519-dalek, which can replace them.

The curve's own modules are the module ``native`` of the crate of points, and the ladder is beside them; the
templates of ``templates/rust/dalek`` have types and traits on them. The other crates call that one, and
have no arithmetic.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from efdgen.generator.interfaces import project_facts, published, require_fit
from efdgen.generator.lanes.instructions import MACHINES
from efdgen.generator.programs.kernel import Bundle
from efdgen.generator.render.rust import dalek_points
from efdgen.generator.render.rust.crate import NATIVE, Root, filled
from efdgen.generator.render.rust.curve import render_curve
from efdgen.generator.render.rust.versions import OF_INTERFACES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from efdgen.generator.curves.curve import Curve
    from efdgen.generator.interfaces import Interface, Naming, Published
    from efdgen.generator.options import Machine
    from efdgen.generator.origin import Origin
    from efdgen.generator.planning.plan import CurvePlan
    from efdgen.generator.render.rust.bundle import Options

_FILES = {
    "signatures": (
        *("batch", "context", "errors", "hazmat", "key_formats", "lib", "signing", "traits"),
        "verifying",
    ),
    "exchange": ("lib",),
    "points": (
        *("basepoint_tables", "compressed", "constants", "edwards", "emitted", "field", "groups", "lib"),
        *("montgomery", "operators", "prepared", "ristretto", "scalar", "scalar_field", "serialize"),
        *("subgroup", "sums", "traits", "twice_compressed"),
    ),
}

_LANES = {"signatures": ("each", "valid_batch"), "exchange": (), "points": ("emitted_lanes",)}
"""The files that crates with lanes have besides."""


def render_dalek(
    plan: CurvePlan, options: Options, interface: Interface, naming: Naming, lanes: Machine | None = None
) -> dict[str, str]:
    """Return the files of the crate of points; raise :class:`EfdgenError` for other coordinates."""
    own, crate = points_files(plan, interface, naming, lanes), crate_of(plan.curve, interface, naming)
    elements = dalek_points.elements(plan.curve)
    root = Root("crate::native", NATIVE, elements, opened=crate.facts["opened"])
    return render_curve(plan, options, protocols=_hashes(crate, interface), root=root, lanes=lanes) | own


def points_files(
    plan: CurvePlan, interface: Interface, naming: Naming, lanes: Machine | None = None
) -> dict[str, str]:
    """Return the files of the crate of points beside the curve's modules; raise as :func:`render_dalek`."""
    dalek_points.require_coordinates(plan)
    return _files(plan.curve, plan.command, interface, naming, dalek_points.values(plan) | {"lanes": lanes})


def thin_files(
    curve: Curve, command: Origin, interface: Interface, naming: Naming, lanes: Machine | None = None
) -> dict[str, str] | None:
    """Return the files of a crate over the one of points; None for that crate itself."""
    over = crate_of(curve, interface, naming).facts.get("over")
    if over is None:
        return None
    crates = project_facts(interface.project)["crates"].values()
    versions = next(crate["others"][over]["versions"] for crate in crates if over in crate.get("others", {}))
    values = {"over": versions[interface.generation], "lanes": lanes}
    return _files(curve, command, interface, naming, values)


def crate_of(curve: Curve, interface: Interface, naming: Naming) -> Published:
    """Return the crate of a curve; raise :class:`EfdgenError` for a curve that no such crate is for."""
    require_fit(curve, interface)
    return published(curve, interface, naming, curve.name)


def _files(
    curve: Curve, command: Origin, interface: Interface, naming: Naming, values: Mapping[str, Any]
) -> dict[str, str]:
    """Return the files of a crate from its templates."""
    crate = crate_of(curve, interface, naming)
    common = {
        "crate": crate,
        "rust_version": OF_INTERFACES[interface.project, interface.generation],
        "old": interface.generation == "2",
        "machine": MACHINES.get(values["lanes"]),
        "libraries": project_facts(interface.project)["generations"][interface.generation],
    }
    templates = crate.facts["templates"]
    names = [*_FILES[templates], *(["hashing", "lizard"] if _hashes(crate, interface) else [])]
    if values["lanes"]:
        names += _LANES[templates]
    build = [] if "over" in crate.facts else ["build.rs"]
    paths = ["README.md", "Cargo.toml", *build, *(f"src/{name}.rs" for name in names)]
    head = Bundle("", curve.field, (), command)
    return filled(f"dalek/{templates}", paths, head, {**common, **values})


def _hashes(crate: Published, interface: Interface) -> bool:
    """Return whether a crate hashes to the curve."""
    return interface.generation in crate.facts.get("hashes", ())

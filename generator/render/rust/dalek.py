"""Crates with the interfaces of ed25519-dalek and x25519-dalek, which can replace them.

The curve's own modules are the crate's module ``native``; the templates of ``templates/rust/dalek`` have
types and traits on them. The crate for X25519 has edwards25519 beside it, whose comb computes public keys.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from efdgen.generator.interfaces import project_facts, published, require_fit
from efdgen.generator.planning.plan import CurvePlan
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
}
_NATIVE = Root(path="crate::native", folder=NATIVE)


def render_dalek(
    plan: CurvePlan | LadderPlan, options: Options, interface: Interface, naming: Naming
) -> dict[str, str]:
    """Return the files of a crate with dalek's interface.

    Raises :class:`EfdgenError` for another curve, and what the printers of curves raise.
    """
    own = own_files(plan, interface, naming)
    if isinstance(plan, CurvePlan):
        return render_curve(plan, options, root=_NATIVE) | own
    return render_ladder(plan, options, root=_NATIVE) | own


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
    paths = ["README.md", "Cargo.toml", *(f"src/{name}.rs" for name in _FILES[templates])]
    return filled(f"dalek/{templates}", paths, plan, values)


def crate_of(plan: CurvePlan | LadderPlan, interface: Interface, naming: Naming) -> Published:
    """Return the crate of a curve; raise :class:`EfdgenError` for a curve that no such crate is for."""
    require_fit(plan.curve, interface)
    return published(plan.curve, interface, naming, plan.prefix)

"""Resolution of published programs with emitted crates in place of published ones; nothing is built."""

from __future__ import annotations

import json
import tomllib
from functools import cache
from typing import TYPE_CHECKING, Any

from whole_curves import DATABASE

from ecosystem.sources import run, write_program
from efdgen.generator.compile import Request
from efdgen.generator.curves.load import load_curve
from efdgen.generator.interfaces import INTERFACES, Naming, project_facts
from efdgen.generator.origin import Origin
from efdgen.generator.planning.plan import CurvePlan
from efdgen.generator.planning.request import plan_curve
from efdgen.generator.render.rust import dalek, rustcrypto
from efdgen.verify.plan_proofs import SafePlans

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from efdgen.generator.interfaces import Interface


def _crates(project: str) -> Iterator[tuple[str, str, dict[str, str]]]:
    """Yield the names of a project's crates, with their curves and versions."""
    for curve, facts in project_facts(project)["crates"].items():
        if "name" in facts:
            yield facts["name"], curve, facts["versions"]
        for name, other in facts.get("others", {}).items():
            yield name, curve, other["versions"]


PEERS = {
    (name, api): (curve, versions[interface.generation])
    for api, interface in INTERFACES.items()
    for name, curve, versions in _crates(interface.project)
}
"""The curve and the version of each crate that can be replaced, by its name and the value of ``--api``."""


@cache
def _planned(curve: str) -> CurvePlan:
    plan = plan_curve(DATABASE, Request("rust", curve, set="protocols"), SafePlans())
    assert isinstance(plan, CurvePlan)
    return plan


def _files(curve: str, interface: Interface, naming: Naming) -> dict[str, str]:
    """Return the files of an emitted crate, its manifest among them."""
    if interface.project == "rustcrypto":
        return rustcrypto.own_files(_planned(curve), interface, Naming(), ("Cargo.toml",))
    thin = dalek.thin_files(load_curve(curve), Origin(()), interface, naming)
    return thin or dalek.points_files(_planned(curve), interface, naming)


def write(folder: Path, name: str, api: str) -> Path:
    """Write the manifest of an emitted crate, with an empty library, and return its folder."""
    files = _files(PEERS[name, api][0], INTERFACES[api], Naming(name))
    crate = folder / f"{name}-{api}"
    (crate / "src").mkdir(parents=True)
    (crate / "src" / "lib.rs").write_text("")
    (crate / "Cargo.toml").write_text(files["Cargo.toml"])
    return crate


def with_arithmetic(peers: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return crates with their values of ``--api``, and the crates that these call, each once."""
    found: dict[tuple[str, str], None] = {}
    for name, api in peers:
        facts = project_facts(INTERFACES[api].project)["crates"][PEERS[name, api][0]]
        over = facts.get("over") if facts.get("name") == name else None
        found |= dict.fromkeys([(name, api), *([(over, api)] if over else [])])
    return [*found]


def features(crate: Path) -> dict[str, list[str]]:
    """Return the features of a crate, those that optional dependencies make too."""
    done = run(crate, "cargo", "metadata", "--no-deps", "--quiet", "--format-version", "1")
    (package,) = json.loads(done.output[done.output.index("{") :])["packages"]
    found: dict[str, list[str]] = package["features"]
    return found


def resolve(folder: Path, name: str, needs: Mapping[str, Any]) -> list[str]:
    """Resolve a program with the patches that it needs, and return what is wrong with their use.

    A patch is unused, or a package in the lock file is the published crate that it replaces.
    """
    patches = with_arithmetic((peer.partition(" ")[0], peer.partition(" ")[2]) for peer in needs["replaces"])
    wanted = f'{name} = {{ version = "={needs["version"]}", features = {json.dumps(needs["features"])} }}'
    lines = [
        f'patch{at} = {{ package = "{peer}", path = "{write(folder, peer, api)}" }}'
        for at, (peer, api) in enumerate(patches)
    ]
    write_program(folder, [wanted], "", "[patch.crates-io]", *lines)
    done = run(folder, "cargo", "generate-lockfile")
    if not done.succeeded or "was not used" in done.output:
        return [done.output]
    locked = tomllib.loads((folder / "Cargo.lock").read_text())["package"]
    found = {(p["name"], p["version"]): p for p in locked}
    replaced = [(peer, PEERS[peer, api][1]) for peer, api in patches]
    return [f"{key} is not replaced" for key in replaced if key not in found or "source" in found[key]] + [
        f"{name} {version} is the published crate beside its replacement"
        for name, version in found
        if "source" in found[name, version] and any(_compatible((name, version), key) for key in replaced)
    ]


def _compatible(one: tuple[str, str], other: tuple[str, str]) -> bool:
    """Return whether cargo holds two packages for versions of one, by the first number that is not 0."""

    def key(package: tuple[str, str]) -> tuple[str, ...]:
        name, version = package
        numbers = version.split(".")
        return name, *(numbers[:1] if numbers[0] != "0" else numbers[:2])

    return key(one) == key(other)

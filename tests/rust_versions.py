"""Check of emitted crates, with default features, by the very Rust that each names as its oldest.

Crates of one version are one workspace; rustup installs the compiler where it is missing. The newest cargo
chooses dependencies for that version and puts them beside the workspace, because cargo 1.66 would first clone
the whole index of crates.io. Crates of whole curves are checked with all features too.

Usage: python tests/rust_versions.py FOLDER
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from dataclasses import replace
from pathlib import Path

from whole_curves import DATABASE

from efdgen.generator.compile import Request
from efdgen.generator.files import render_plan, render_thin
from efdgen.generator.planning.request import companion, plan_curve
from efdgen.generator.render.rust.crate import beside
from efdgen.verify.plan_proofs import SafePlans

KERNELS = Path(__file__).parents[1] / "out" / "secp256k1" / "rust"
_DALEK = (
    ("curve25519-dalek", "edwards25519"),
    ("ed25519-dalek", "edwards25519"),
    ("x25519-dalek", "Curve25519"),
)
CRATES = {
    "protocols": Request("rust", "P-256", set="protocols", prefix="own_p256"),
    "eddsa": Request("rust", "edwards25519", set="protocols", prefix="own_25519"),
    "rustcrypto": Request("rust", "P-256", set="protocols", api="rustcrypto"),
    "rustcrypto-0.13": Request("rust", "P-256", set="protocols", api="rustcrypto-0.13"),
    "rustcrypto-0.13-p521": Request("rust", "P-521", set="protocols", api="rustcrypto-0.13"),
    **{
        f"{name}-{api}": Request("rust", curve, set="protocols", api=api, crate_name=name)
        for api in ("dalek", "dalek-2")
        for name, curve in _DALEK
    },
}
WITH_LANES = {
    name: replace(request, machine="x86-64-avx512ifma")
    for name, request in CRATES.items()
    if name == "rustcrypto-0.13" or name.endswith("-dalek-2")
}
"""Crates that older compilers build without their lanes."""
WORKSPACE = '[workspace]\nresolver = "2"\nmembers = ["*"]\nexclude = [".cargo", "target", "vendor"]\n'


def main() -> None:
    """Check every crate, and name the first version that fails."""
    (folder,) = map(Path, sys.argv[1:])
    shutil.rmtree(folder, ignore_errors=True)
    for workspace in sorted(write_crates(folder)):
        lock(workspace)
        check(workspace)
        names = ", ".join(sorted(path.parent.name for path in workspace.glob("*/Cargo.toml")))
        print(f"Rust {workspace.name}: {names}", flush=True)


def write_crates(folder: Path) -> set[Path]:
    """Write the crates into workspaces for each version that they name, and return the workspaces.

    Crates with lanes have the names of others, and workspaces of their own.
    """
    emitted = {("plain", name): _printed(request) for name, request in CRATES.items()}
    emitted |= {("lanes", name): _printed(request) for name, request in WITH_LANES.items()}
    emitted["plain", "kernels"] = {
        str(path.relative_to(KERNELS)): path.read_text() for path in KERNELS.rglob("*") if path.is_file()
    }
    workspaces = set()
    for (kind, name), files in emitted.items():
        workspace = folder / kind / tomllib.loads(files["Cargo.toml"])["package"]["rust-version"]
        for path, text in files.items():
            (workspace / name / path).parent.mkdir(parents=True, exist_ok=True)
            (workspace / name / path).write_text(text)
        workspaces.add(workspace)
    for workspace in workspaces:
        beneath = [f'curve25519-dalek = {{ path = "{path.name}" }}' for path in workspace.glob("curve*")]
        patch = ["[patch.crates-io]", *beneath, ""] if beneath else []
        (workspace / "Cargo.toml").write_text("\n".join([WORKSPACE, *patch]))
    return workspaces


def _printed(request: Request) -> dict[str, str]:
    """Return the files of a crate, with a second curve beside its own if it needs one."""
    if thin := render_thin(DATABASE, request):
        return thin
    plan = plan_curve(DATABASE, request, SafePlans())
    files = render_plan(plan, request)
    if other := companion(plan, request):
        second = replace(plan_curve(DATABASE, other.request, SafePlans()), command=plan.command)
        files |= render_plan(second, other.request, root=beside(other.module, other.opened))
    return files


def lock(workspace: Path) -> None:
    """Choose the dependencies of a workspace, and bring them there."""
    choice = {"CARGO_RESOLVER_INCOMPATIBLE_RUST_VERSIONS": "fallback"}
    _run(workspace, "cargo", "generate-lockfile", "--quiet", **choice)
    configuration = _run(workspace, "cargo", "vendor", "--locked")
    (workspace / ".cargo").mkdir()
    (workspace / ".cargo" / "config.toml").write_text(configuration)


def check(workspace: Path) -> None:
    """Check a workspace with the compiler that it is called after, offline."""
    _run(workspace, "rustup", "toolchain", "install", workspace.name, "--profile", "minimal")
    words = ("cargo", f"+{workspace.name}", "check", "--lib", "--locked", "--offline", "--quiet")
    _run(workspace, *words, "--workspace")
    native = [f"--package={request.prefix}" for name, request in CRATES.items() if not request.api]
    if (workspace / "protocols").exists():
        _run(workspace, *words, *native, "--all-features")


def _run(folder: Path, *words: str, **environment: str) -> str:
    done = subprocess.run(
        words,
        cwd=folder,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    if done.returncode:
        sys.exit(f"{' '.join(words)} in {folder} fails:\n{done.stderr}")
    return done.stdout


if __name__ == "__main__":
    main()

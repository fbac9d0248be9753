"""Whole curves in Rust, all built in one Cargo workspace: what several tests share."""

import atexit
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from whole_curves import DATABASE
from whole_drivers import Subject

from efdgen.generator.compile import Request
from efdgen.generator.files import render_plan
from efdgen.generator.planning.plan import CurvePlan
from efdgen.generator.planning.request import plan_curve
from efdgen.verify.plan_proofs import SafePlans
from efdgen.verify.vectors.drivers import Driver
from efdgen.verify.vectors.whole_subjects import whole_curve

PEDANTIC = ("--all-targets", "--", "--deny", "warnings", "--deny", "clippy::pedantic")
WORKSPACE = """[workspace]
resolver = "2"
members = [{members}]

[profile.dev]
opt-level = 0
debug = false
incremental = false
"""


@dataclass(frozen=True)
class Wanted:
    """A crate that a workspace has: of which curve, in which system, its formulas lowered how."""

    name: str
    curve: str
    coordinates: str | None = None
    lowering: str = "calls"
    table: str = "small"
    second: str | None = None
    set: str = "curve"
    change: Callable[[CurvePlan], CurvePlan] = lambda plan: plan

    @property
    def request(self) -> Request:
        return Request(
            "rust",
            self.curve,
            self.coordinates,
            prefix=self.name,
            set=self.set,
            table=self.table,
            lowering=self.lowering,
            second=self.second,
        )


def write_workspace(folder: Path, wanted: list[Wanted], *further: str) -> dict[str, Subject]:
    """Write crates; return by their names what their drivers, once built, are tested with.

    ``further`` are members of the workspace that are written elsewhere.
    """
    crates, found = {}, {}
    for crate in wanted:
        plan = crate.change(plan_curve(DATABASE, crate.request, SafePlans()))
        crates[crate.name] = render_plan(plan, crate.request)
        curve = whole_curve(plan, DATABASE, crate.second)
        found[crate.name] = Subject(curve, example(folder, crate.name), plan)
    write_crates(folder, crates, *further)
    return found


def write_crates(folder: Path, crates: Mapping[str, Mapping[str, str]], *further: str) -> None:
    """Write the files of crates by their names, and of a workspace; a driver has the name of its crate."""
    folder.mkdir(parents=True, exist_ok=True)
    members = ", ".join(f'"{name}"' for name in (*crates, *further))
    (folder / "Cargo.toml").write_text(WORKSPACE.format(members=members))
    for crate, files in crates.items():
        for name, text in files.items():
            path = folder / crate / name.replace("examples/driver", f"examples/{crate}")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)


def example(folder: Path, name: str, target: str = "target") -> Driver:
    """Return an example of a crate that is built in a folder of targets."""
    return Driver("rust", (str(folder / target / "debug/examples" / name),))


@cache
def shared() -> Path:
    """Return a folder for builds of several files of tests, whose crates need some of the same."""
    folder = tempfile.mkdtemp(prefix="crates-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)


def require_clean(folder: Path, *features: str) -> None:
    """Have rustfmt and clippy find nothing in a crate."""
    subprocess.run(["rustfmt", "--check", "--edition", "2021", "src/lib.rs"], cwd=folder, check=True)
    run_cargo(folder, "clippy", "--quiet", *features, *PEDANTIC)


def require_publishable(folder: Path, *features: str) -> None:
    """Have cargo document and package a crate without a warning."""
    assert run_cargo(folder, "doc", "--quiet", "--no-deps", *features) == ""
    # A lock file would need the registry's crates for the dependencies of emitted crates on each other.
    words = ("--quiet", "--no-verify", "--allow-dirty", "--exclude-lockfile")
    assert "warning" not in run_cargo(folder, "package", *words)


def require_each_alone(folder: Path, features: Iterable[str]) -> None:
    """Have a crate compile with each feature alone."""
    for feature in features:
        run_cargo(folder, "check", "--quiet", "--no-default-features", "--features", feature)


def run_cargo(folder: Path, *arguments: str, own: bool = False) -> str:
    """Run cargo in a folder, one job at a time; return what it prints.

    It builds what is its ``own`` in the folder ``target`` there.
    """
    target = folder / "target" if own else shared()
    environment = {**os.environ, "CARGO_BUILD_JOBS": "1", "RUSTFLAGS": "--deny warnings"}
    environment["CARGO_TARGET_DIR"] = str(target)
    done = subprocess.run(
        ["cargo", *arguments], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr

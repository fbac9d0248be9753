"""Crates with lanes and another project's interface: on this machine, on a model, or without lanes."""

import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path

from ecosystem.sources import write_program
from lane_machines import MODEL, Mode, in_rust, modes
from whole_rust import run_cargo, shared

from efdgen.generator.lanes.instructions import MACHINES

RUNS = [(machine, mode) for machine in MACHINES for mode in modes(machine)]
"""Every machine, and how crates for it run here."""

SIZES = (0, 1, 7, 8, 9, 33, 44)
"""The sizes of batches: fewer than lanes, as many, more, and more than share an inversion."""


def instruct(folder: Path, module: str, machine: str, mode: Mode) -> None:
    """Have the lanes of a module of a crate run by a mode."""
    inside = folder / "src" / module / "lanes"
    head = inside.with_suffix(".rs")
    for path in (head, *inside.glob("*.rs")):
        model = f"crate::{module}::lanes::model"
        text = in_rust(path.read_text(), machine, native=mode != "model", model=model)
        path.write_text(text.replace("processor::get()", "false") if mode == "none" else text)
    if mode == "model":
        head.write_text(head.read_text().replace("mod group;", "mod group;\nmod model;", 1))
        (inside / "model.rs").write_text((MODEL / "model.rs").read_text())
        library = folder / "src" / "lib.rs"
        # Functions of the model are safe.
        text = library.read_text().replace("#![no_std]", "#![no_std]\n#![allow(unused_unsafe)]", 1)
        library.write_text(text)


PROFILE = '[profile.dev]\nopt-level = {0}\ndebug = false\n[profile.dev.package."*"]\nopt-level = {0}'


def answers(folder: Path, name: str, needs: Sequence[str], lines: Iterable[str], mode: Mode) -> list[str]:
    """Build a program of the folder of lanes over crates, and return its answers to lines.

    Its first line says whether lanes are used, as they are unless the mode is ``none``.
    """
    level = 0 if mode == "model" else 1
    write_program(folder, needs, PROFILE.format(level), main=(MODEL / f"{name}.rs").read_text())
    run_cargo(folder, "build", "--quiet")
    text, program = "".join(f"{line}\n" for line in lines), shared() / "debug" / "program"
    done = subprocess.run([program], input=text, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    available, *found = done.stdout.splitlines()
    assert available == str(int(mode != "none"))
    return found


def dependency(name: str, package: str, place: str, *features: str) -> str:
    """Return a line of a manifest."""
    return f'{name} = {{ package = "{package}", {place}, features = {[*features]} }}'.replace("'", '"')

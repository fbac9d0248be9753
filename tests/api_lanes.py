"""Crates with lanes and another project's interface: on this machine, on a model, or without lanes."""

from pathlib import Path

from lane_machines import MODEL, Mode, in_rust, modes

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


def dependency(name: str, package: str, place: str, *features: str) -> str:
    """Return a line of a manifest."""
    return f'{name} = {{ package = "{package}", {place}, features = {[*features]} }}'.replace("'", '"')

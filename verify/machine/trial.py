"""Builds of a check of machine code: each compiler and level, for one target, of one subject."""

from __future__ import annotations

import platform
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from efdgen.generator.errors import EfdgenError
from efdgen.verify.machine.check import judge
from efdgen.verify.machine.compiling import Unit, compiler_of, machine_of
from efdgen.verify.machine.objects import require_disassembler
from efdgen.verify.machine.report import MachineReport, MachineTrial
from efdgen.verify.machine.rust import Crate
from efdgen.verify.vectors.drivers import c_compilers

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from efdgen.verify.machine.compiling import Compiler
    from efdgen.verify.vectors.suite import AnySubject


def is_foreign(command: str) -> bool:
    """Return whether a compiler compiles for another machine than this one."""
    own = machine_of(command.split(maxsplit=1)[0]) if command.split() else ""
    return bool(own) and own.split("-")[0] != platform.machine()


def chosen_compilers(names: Sequence[str], target: str, levels: Sequence[str]) -> list[Compiler]:
    """Return the compilers for a target, at each level; raise :class:`EfdgenError` without any."""
    require_disassembler()
    names = names or [name for name in c_compilers() if "clang" in name][:1]
    if not names:
        raise EfdgenError(f"--target {target} needs a compiler; name one with --compiler, such as clang")
    return [compiler_of(name, target, level) for name in names for level in levels]


def run_machine_trials(
    subjects: Sequence[AnySubject],
    compilers: Sequence[Compiler],
    rust: Sequence[tuple[str, str]],
    words: Sequence[int | None],
    advance: Callable[[], object],
) -> list[MachineReport]:
    """Compile and judge subjects: C by compilers, Rust for pairs of a target and a level."""
    reports = []
    for subject in subjects:
        trials = []
        for word in words if "c" in subject.files else ():
            for compiler in compilers:
                trials.append(c_trial(subject.files["c"], compiler, word))
                advance()
        for target, level in rust if "rust" in subject.files else ():
            trials.append(rust_trial(subject.files["rust"], target, level))
            advance()
        if trials:
            reports.append(MachineReport(subject.title, trials))
    return reports


def c_trial(files: Mapping[str, str], compiler: Compiler, word: int | None = None) -> MachineTrial:
    """Compile the C of a subject and judge it."""
    with TemporaryDirectory(prefix="efdgen-") as folder:
        binary, expected = Unit.of(files, Path(folder), word).compile(compiler)
    bits = f", {word} bits" if word else ""
    return MachineTrial(f"{compiler}{bits}", judge(binary, expected))


def rust_trial(files: Mapping[str, str], target: str, level: str) -> MachineTrial:
    """Compile a crate and judge it."""
    with TemporaryDirectory(prefix="efdgen-") as folder:
        binary, expected = Crate.of(files, Path(folder)).compile(target, level)
    return MachineTrial(f"rust {target} -O{level}", judge(binary, expected))

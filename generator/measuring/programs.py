"""Programs that time emitted code: written beside it, built by the compilers of this machine, and run."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from efdgen.generator.errors import EfdgenError
from efdgen.generator.planning.plan import CurvePlan
from efdgen.generator.planning.protocols import protocols
from efdgen.generator.render.environment import environment

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from efdgen.generator.compile import Language
    from efdgen.generator.planning.ladder import LadderPlan

_C_FLAGS = ("-std=c99", "-O2", "-march=native")
# What gcc needs so that it keeps chains of carries in order, and what is in registers there.
_GCC_FLAGS = ("-fno-tree-ter", "-fno-schedule-insns2", "-fno-tree-slp-vectorize", "-fno-tree-vectorize")
_SHOWN = 600  # characters of what a compiler says


@dataclass(frozen=True)
class Time:
    """How long an operation takes: nanoseconds, and core cycles where they are known."""

    nanoseconds: float
    cycles: float | None


def times(
    plan: CurvePlan | LadderPlan, files: Mapping[str, str], language: Language, rounds: int, folder: Path
) -> Iterator[tuple[str, dict[str, Time]]]:
    """Yield the times of each operation by compiler: ``C, gcc``, ``C, clang``, ``Rust`` or ``Python``.

    ``files`` are those of the plan's curve with its protocols; they are written to ``folder``.
    Raises :class:`EfdgenError` where there is no compiler, or a program fails.
    """
    program = {"c": "timing.c", "rust": "examples/timing.rs", "python": "timing.py"}[language]
    for name, text in {**files, program: _program(plan, language)}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    match language:
        case "c":
            for name, command in _c_compilers().items():
                _run([*command, *_C_FLAGS, "-o", "timing", program, *_libraries(plan)], folder)
                yield f"C, {name}", _figures(_run([str(folder / "timing"), str(rounds)], folder))
        case "rust":
            yield "Rust", _figures(_run(_rust(plan, folder, rounds), folder))
        case "python":
            yield "Python", _figures(_run([sys.executable, "-B", program, str(rounds)], folder))


def _program(plan: CurvePlan | LadderPlan, language: Language) -> str:
    ending = {"c": "c", "rust": "rs", "python": "py"}[language]
    values: dict[str, Any] = {
        "prefix": plan.prefix,
        "PREFIX": plan.prefix.upper(),
        "protocols": [name for name in protocols(plan.curve) if name != "elgamal"],
        "bits": plan.order.bit_length(),
    }
    if isinstance(plan, CurvePlan):
        name = "timing"
        values["optional"] = plan.representation.infinite
    else:
        name, namespace = "timing_ladder", plan.kernels.namespace
        values |= {"namespace": namespace, "step": f"{namespace}_{plan.step}"}
    return environment(language).get_template(f"{name}.{ending}.j2").render(values)


def _c_compilers() -> dict[str, list[str]]:
    found = {name: shutil.which(name) or shutil.which(f"{name}-19") for name in ("gcc", "clang")}
    commands = {name: [path, *(_GCC_FLAGS if name == "gcc" else ())] for name, path in found.items() if path}
    if os.environ.get("CC"):
        commands = {os.environ["CC"]: os.environ["CC"].split()}
    if not commands:
        raise EfdgenError("there is no gcc and no clang; install one, or go on with --lang rust or python")
    return commands


def _libraries(plan: CurvePlan | LadderPlan) -> Sequence[str]:
    """Return how to link OpenSSL, which hashes."""
    hashes = {"eddsa", "ecdsa"} & set(protocols(plan.curve))
    return ["-lcrypto"] if hashes else []


def _rust(plan: CurvePlan | LadderPlan, folder: Path, rounds: int) -> list[str]:
    """Return the command that builds and runs the Rust program; it hashes by the crate sha2."""
    if shutil.which("cargo") is None:
        raise EfdgenError(
            "there is no cargo; https://rustup.rs installs it, or go on with --lang c or python"
        )
    names = protocols(plan.curve)
    command = ["cargo", "run", "--quiet", "--release", "--example", "timing"]
    if "ecdsa" in names:
        manifest = folder / "Cargo.toml"
        text = manifest.read_text(encoding="utf-8")
        manifest.write_text(f'{text}\n[dev-dependencies]\nsha2 = "0.10"\n', encoding="utf-8")
    if {"eddsa", "ecdsa"} & set(names):
        command += ["--features", "protocols"]
    return [*command, "--", str(rounds)]


def _run(command: Sequence[str], folder: Path) -> str:
    settings = {**os.environ, "RUSTFLAGS": "-Ctarget-cpu=native", "CARGO_TARGET_DIR": str(folder / "target")}
    done = subprocess.run(command, cwd=folder, env=settings, capture_output=True, text=True, check=False)
    if done.returncode:
        raise EfdgenError(f"{os.path.basename(command[0])} failed: {done.stderr.strip()[:_SHOWN]}")
    return done.stdout


def _figures(printed: str) -> dict[str, Time]:
    found = {}
    for line in printed.splitlines():
        name, nanoseconds, cycles = line.split("\t")
        found[name] = Time(float(nanoseconds), float(cycles) or None)
    return found

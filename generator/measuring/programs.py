"""Programs that time emitted code: written next to it, built by the compilers of this machine, and run."""

from __future__ import annotations

import shutil
import sys
from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING, Any

from efdgen.generator.errors import EfdgenError
from efdgen.generator.measuring.compilers import C_FLAGS, c_compilers, run
from efdgen.generator.planning.plan import CurvePlan
from efdgen.generator.planning.protocols import protocols, signature_scheme
from efdgen.generator.text.environment import environment

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from efdgen.generator.options import Language
    from efdgen.generator.planning.ladder import LadderPlan


@dataclass(frozen=True)
class Time:
    """The time of an operation: nanoseconds, and core cycles if known."""

    nanoseconds: float
    cycles: float | None


def times(
    plan: CurvePlan | LadderPlan,
    files: Mapping[str, str],
    language: Language,
    rounds: int,
    folder: Path,
    series: Mapping[str, Sequence[int]],
) -> Iterator[tuple[str, dict[str, Time]]]:
    """Yield the times of each operation by compiler: ``C, gcc``, ``C, clang``, ``Rust`` or ``Python``.

    ``files`` are those of the plan's curve with its protocols; they are written to ``folder``. A series is
    timed at its sizes.
    Raises :class:`EfdgenError` if there is no compiler, or a program fails.
    """
    program = {"c": "timing.c", "rust": "examples/timing.rs", "python": "timing.py"}[language]
    for name, text in {**files, program: _program(plan, language, series)}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    match language:
        case "c":
            for name, command in c_compilers().items():
                run([*command, *C_FLAGS, "-o", "timing", program, *_libraries(plan)], folder)
                yield f"C, {name}", _figures(run([str(folder / "timing"), str(rounds)], folder))
        case "rust":
            yield "Rust", _figures(run(_rust(plan, rounds), folder, _cargo(folder)))
        case "python":
            yield "Python", _figures(run([sys.executable, "-B", program, str(rounds)], folder))


def _program(plan: CurvePlan | LadderPlan, language: Language, series: Mapping[str, Sequence[int]]) -> str:
    ending = {"c": "c", "rust": "rs", "python": "py"}[language]
    values: dict[str, Any] = {
        "prefix": plan.prefix,
        "PREFIX": plan.prefix.upper(),
        "protocols": [name for name in protocols(plan.curve) if name != "elgamal"],
        "bits": plan.order.bit_length(),
        "scheme": signature_scheme(plan.curve),
        "series": series,
    }
    if isinstance(plan, CurvePlan):
        name = "timing"
        values["optional"] = plan.representation.infinite
    else:
        name, namespace = "timing_ladder", plan.kernels.namespace
        values |= {"namespace": namespace, "step": f"{namespace}_{plan.step}"}
    return environment(language).get_template(f"{name}.{ending}.j2").render(values)


def _libraries(plan: CurvePlan | LadderPlan) -> Sequence[str]:
    """Return how to link OpenSSL, which hashes."""
    hashes = {"eddsa", "ecdsa"} & set(protocols(plan.curve))
    return ["-lcrypto"] if hashes else []


def _rust(plan: CurvePlan | LadderPlan, rounds: int) -> list[str]:
    """Return the command that builds and runs the Rust program."""
    if shutil.which("cargo") is None:
        raise EfdgenError("cargo is not installed; install it (https://rustup.rs), or use --lang c or python")
    names = protocols(plan.curve)
    command = ["cargo", "run", "--quiet", "--release", "--example", "timing"]
    if {"eddsa", "ecdsa"} & set(names):
        command += ["--features", "alloc,protocols"]
    return [*command, "--", str(rounds)]


def _cargo(folder: Path) -> dict[str, str]:
    """Return cargo's options: to build for the processor at hand, beside the sources."""
    return {"RUSTFLAGS": "-Ctarget-cpu=native", "CARGO_TARGET_DIR": str(folder / "target")}


def rounds_of(printed: str) -> dict[str, tuple[list[float], list[float]]]:
    """Read what a program that times prints: of each operation, nanoseconds and core cycles, by rounds."""
    found = {}
    for line in printed.splitlines():
        name, *figures = line.split("\t")
        nanoseconds, cycles = ([float(figure) for figure in each.split()] for each in figures)
        found[name] = nanoseconds, cycles
    return found


def _figures(printed: str) -> dict[str, Time]:
    return {
        name: Time(median(nanoseconds), median(cycles) or None)
        for name, (nanoseconds, cycles) in rounds_of(printed).items()
    }

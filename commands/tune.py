"""The command `efdgen tune`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from efdgen.api.formulas import database
from efdgen.commands.common import FILE, echo_json, effort_option, json_option, note, option, refuse_given

if TYPE_CHECKING:
    from efdgen.generator.autotuning.session import Session
    from efdgen.generator.autotuning.stopwatch import Compiler, Stopwatch
    from efdgen.generator.programs.kernel import CurveKernels
    from efdgen.generator.tuning.tuning import Language, Tuning


@click.command()
@option("curve", default=None)
@click.option("--prime", help="Tune a field instead of a curve: 2^255-19, or a curve's name.")
@option("lang", default="c", choices=("c", "rust"), help=None)
@click.option("--cc", multiple=True, help="C compiler; repeatable, then all count equally.")
@click.option("--cflags", help="Flags of the C compiler; the default is -std=c99 -O2 -march=native.")
@click.option("--rustflags", help="Flags of rustc; the default is -Copt-level=3 -Ctarget-cpu=native.")
@option(
    "target",
    choices=("gcc", "clang", "rust", "portable"),
    help="Compiler to write for; the default is rust for Rust, portable for C.",
)
@option("coords", help="Coordinate system, as in efdgen compile.")
@option(
    "set",
    default="curve",
    choices=("kernels", "curve"),
    help="Tune the kernels that efdgen compile uses for this set.",
)
@option("formulas", help="Tune only the schedules of these formulas, by ids or globs.")
@click.option("--operations", default="", help="Functions, separated by commas; the default is all.")
@click.option("--seconds", type=float, help="Total time for the search of schedules; 120 without --rounds.")
@click.option("--rounds", type=int, help="Rounds of the search, for each operation; 0 for none.")
@click.option(
    "--by",
    default="time",
    show_default=True,
    type=click.Choice(["time", "instructions", "simulation"]),
    help="Compare times, numbers of instructions, or cycles simulated by llvm-mca.",
)
@click.option(
    "--processor",
    multiple=True,
    help="With --by simulation: LLVM's name of a processor; the default is this one.",
)
@effort_option
@click.option("--seed", default=1, show_default=True, help="Seed of the search of schedules.")
@click.option("--out", type=FILE, default="tuning.toml", show_default=True, help="The file to write.")
@click.option("--add", is_flag=True, help="Keep the file's entries for other curves and formulas.")
@json_option("the measurements; the table goes to standard error")
def tune(  # noqa: PLR0913 - one argument per option
    curve: str | None,
    prime: str | None,
    lang: Language,
    cc: tuple[str, ...],
    cflags: str | None,
    rustflags: str | None,
    out: Path,
    add: bool,
    as_json: bool,
    **options: Any,  # noqa: ANN401 - click passes what the search takes
) -> None:
    """Measure candidates on this machine, and write the fastest to a file.

    Candidates are the representations of a field, formulas of almost the same cost, and their schedules. Each
    is proved before it is measured, alternating with the others, and replaces the current choice only if
    its advantage exceeds the noise, the difference between the current choice and a copy of it.
    `efdgen compile --tuning` and `efdgen field --tuning` use the file.

    \b
    Examples:
      efdgen tune --curve secp256k1 --cc gcc-12 --cflags '-O2 -mbmi2 -madx' --out tuning.toml
      efdgen tune --curve secp256k1 --cc gcc --cc clang --operations double,add_mixed --seconds 300
      efdgen tune --curve secp256k1 --cc gcc --target gcc --by simulation --processor sapphirerapids
      efdgen tune --prime 2^255-19 --lang rust
      efdgen compile --curve secp256k1 --lang c --tuning tuning.toml
    """
    from efdgen.generator.errors import EfdgenError
    from efdgen.generator.tuning.file import added, built_in, read_tuning, require_replaceable, tuning_text
    from efdgen.verify.files import require_writable, write_whole

    if (curve is None) == (prime is None):
        raise EfdgenError("give --curve, or --prime for a field alone")
    if prime is not None:
        refuse_given(("formulas", "coords", "set", "seconds", "rounds", "seed"), "without --curve")
    if any(options[name] is not None and options[name] < 0 for name in ("seconds", "rounds")):
        raise EfdgenError("--seconds and --rounds must not be negative")
    require_writable(out)
    require_replaceable(out)
    kept = read_tuning(out, lang) if add and out.exists() else None
    compilers = _compilers(lang, cc, cflags, rustflags)
    session, found = _run(compilers, curve, prime, kept or built_in(lang), options)
    write_whole(out, tuning_text(found if kept is None else added(kept, found)))
    _report(session, out, as_json)


def _report(session: Session, out: Path, as_json: bool) -> None:
    """Print decisions, refusals, and the path of the file."""
    from efdgen.generator.autotuning.report import objects, table

    (note if as_json else click.echo)(table(session.rows).rstrip("\n"))
    refused = list(dict.fromkeys(session.refused))
    for reason in refused:
        note(f"Refused: {reason}")
    if as_json:
        echo_json({"file": str(out), "decisions": objects(session.rows), "refused": refused})
    else:
        click.echo(out)


def _compilers(
    language: Language, cc: tuple[str, ...], cflags: str | None, rustflags: str | None
) -> list[Compiler]:
    """Return the compilers to measure with; raise :class:`EfdgenError` if one is missing."""
    import os
    import shlex

    from efdgen.generator.autotuning.stopwatch import Compiler
    from efdgen.generator.errors import EfdgenError
    from efdgen.generator.measuring.compilers import C_FLAGS, version

    if language == "rust":
        if cc or cflags:
            raise EfdgenError("--cc and --cflags need --lang c; for Rust use --rustflags")
        flags = ("-Copt-level=3", "-Ctarget-cpu=native") if rustflags is None else shlex.split(rustflags)
        found = [Compiler("rust", "rustc", tuple(flags))]
    else:
        if rustflags:
            raise EfdgenError("--rustflags needs --lang rust")
        commands = cc or (os.environ.get("CC") or "cc",)
        options = C_FLAGS if cflags is None else tuple(shlex.split(cflags))
        found = [Compiler("c", command, options) for command in commands]
    for compiler in found:
        version(compiler.command)
    return found


def _run(
    compilers: list[Compiler], curve: str | None, prime: str | None, base: Tuning, options: dict[str, Any]
) -> tuple[Session, Tuning]:
    """Return the session, and the tuning that replaces a base."""
    from dataclasses import replace

    from efdgen.generator.autotuning.session import Session
    from efdgen.generator.autotuning.stopwatch import jointly
    from efdgen.generator.autotuning.tune import tune_field
    from efdgen.generator.fields.request import read_prime
    from efdgen.generator.progress import work
    from efdgen.verify.fields.certificate import prove_operation

    names = tuple(name.strip() for name in options["operations"].split(",") if name.strip())
    with work("tuning") as progress:
        stopwatches = _stopwatches(compilers, options)
        session = Session(jointly([*stopwatches.values()]), prove_operation, progress.at)
        if prime is not None:
            found = tune_field(session, read_prime(prime), base, names, options["target"])
        else:
            found = _tune_curve(session, curve or "", base, names, options)
    seed = f", seed {options['seed']}" if found.orders else ""
    return session, replace(found, measured=tuple(f"{title}{seed}" for title in stopwatches))


def _stopwatches(compilers: list[Compiler], options: dict[str, Any]) -> dict[str, Stopwatch]:
    """Return the measure for each compiler, by its title in a tuning."""
    from efdgen.generator.autotuning.estimates import InstructionCount, Simulation
    from efdgen.generator.errors import EfdgenError
    from efdgen.generator.measuring.machine import processor

    if options["processor"] and options["by"] != "simulation":
        raise EfdgenError("--processor needs --by simulation")
    match options["by"]:
        case "instructions":
            counts = [InstructionCount(compiler) for compiler in compilers]
            return {count.title: count for count in counts}
        case "simulation":
            found = [Simulation(compiler, options["processor"] or ("native",)) for compiler in compilers]
            for simulation in found:
                simulation.require()
            return {simulation.title: simulation for simulation in found}
        case _:
            return {f"{compiler.title}, {processor()}": compiler for compiler in compilers}


def _tune_curve(
    session: Session, curve: str, base: Tuning, names: tuple[str, ...], options: dict[str, Any]
) -> Tuning:
    from efdgen.generator.autotuning.tune import Budget, tune_curve
    from efdgen.generator.compile import Request, make_bundle
    from efdgen.generator.planning.request import plan_curve
    from efdgen.verify.curve_prover import CurveProver

    shelf, prover = database(), CurveProver()
    rounds, seconds = options["rounds"], options["seconds"]
    kernels = options["set"] == "kernels" or bool(options["formulas"])
    request = Request(
        base.language,
        curve,
        tuning=base,
        coords=options["coords"],
        target=options["target"],
        formulas=options["formulas"],
        set="kernels" if kernels else "curve",
    )

    def select(asked: Request) -> CurveKernels:
        if kernels:
            return make_bundle(shelf, asked, prover).groups[0]
        return plan_curve(shelf, asked, prover).kernels

    budget = Budget(120.0 if seconds is None and rounds is None else seconds, rounds, options["seed"])
    return tune_curve(session, shelf, request, select, names, budget)

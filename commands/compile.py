"""The command `efdgen compile`."""

from __future__ import annotations

from contextlib import contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from efdgen.commands import completion
from efdgen.commands.common import (
    FILE,
    ODD_MULTIPLES,
    TARGET,
    TARGET_HELP,
    echo_files,
    effort_option,
    is_given,
    json_option,
    note,
    proved_database,
    refuse_given,
    require_one_file,
    require_target,
    write,
)
from efdgen.generator.interfaces import INTERFACES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from efdgen.generator.compile import Request
    from efdgen.generator.hosts.compile import HostRequest
    from efdgen.generator.kernels.kernel import CurveKernels
    from efdgen.generator.planning.ladder import LadderPlan
    from efdgen.generator.planning.plan import CurvePlan


@click.command("compile")
@click.option(
    "--lang",
    "language",
    type=click.Choice(["c", "rust", "python"]),
    help="Language of the kernels and of their own field arithmetic.",
)
@click.option(
    "--field-api",
    "host",
    shell_complete=completion.HOSTS,
    help="Call this project's field arithmetic instead: a name, or a TOML file.",
)
@click.option(
    "--curve",
    required=True,
    shell_complete=completion.CURVES,
    help="A built-in curve's name, or a TOML or JSON file.",
)
@click.option(
    "--coords",
    "coordinates",
    shell_complete=completion.SYSTEMS,
    help="Coordinate system; the default is the cheapest.",
)
@click.option(
    "--formulas",
    multiple=True,
    shell_complete=completion.FORMULAS,
    help="Formula ids or globs; the default is the cheapest of each kind.",
)
@click.option(
    "--to",
    "destination",
    metavar="CURVE",
    shell_complete=completion.CURVES,
    help="The target curve of conversions to another model.",
)
@click.option(
    "--set",
    default="kernels",
    show_default=True,
    type=click.Choice(["kernels", "curve", "protocols"]),
    help="Only formulas, a whole curve, or a curve with signatures and key exchange.",
)
@click.option(
    "--table",
    default="medium",
    show_default=True,
    type=click.Choice(["small", "medium", "large"]),
    help="With --set: size of the generator's tables, at most 3, 24 or 96 KiB.",
)
@click.option(
    "--odd-multiples",
    type=click.Choice(ODD_MULTIPLES),
    help="With --set: method for tables of P, 3P, 5P, …; the default is the cheapest.",
)
@click.option("--second", metavar="X,Y", help="With --set: another fixed point, in affine coordinates.")
@click.option(
    "--backend",
    type=click.Choice(["c"]),
    help="With --lang python and --set: use kernels in C, built here with cffi.",
)
@click.option(
    "--api",
    type=click.Choice([*INTERFACES]),
    help="With --lang rust and --set protocols: a crate with this project's traits, in place of its own.",
)
@click.option(
    "--crate-name", help="With --api: the crate's name; the default is that of the crate it replaces."
)
@click.option("--crate-version", help="With --api: the crate's version.")
@click.option("--prefix", help="Prefix of every name; the default is the curve's name.")
@click.option(
    "--layout", help="c: header or split; rust: crate or module; python: module. The first is the default."
)
@click.option(
    "--lowering",
    default="whole",
    show_default=True,
    type=click.Choice(["whole", "calls"]),
    help="Fuse each formula into one function on 64-bit words, or call field functions: shorter, slower.",
)
@click.option("--target", type=TARGET, help=TARGET_HELP)
@click.option(
    "--representation",
    type=click.Choice(["saturated", "unsaturated"]),
    help="Saturated or unsaturated limbs; the default is the faster representation.",
)
@click.option("--tuning", type=FILE, help="A file written by efdgen tune; the two options above override it.")
@click.option("--weights", help="Weights that determine the cheapest formula, as in `efdgen cost tables`.")
@click.option(
    "--in-bounds",
    help="With --field-api: bounds of input coordinates, such as X=4,Y=4,Z=1; the default is the field's.",
)
@click.option("--out-bounds", help="With --field-api: bounds of output coordinates.")
@click.option("--license", help="With --field-api: the licence in the SPDX line.")
@effort_option
@click.option(
    "--out",
    type=click.Path(file_okay=False, allow_dash=True, path_type=Path),
    help="Directory, or - to print a single file; the default is out/CURVE/LANG.",
)
@json_option("each file and its state")
def compile_command(out: Path | None, as_json: bool, **options: Any) -> None:  # noqa: ANN401 - click passes what Request takes
    """Emit proved, constant-time kernels for a curve.

    Every formula is proved before anything is written. The same options always write the same bytes.

    \b
    Examples:
      efdgen compile --lang c --curve secp256k1
      efdgen compile --lang rust --curve edwards25519 --coords projective --out src/curve
      efdgen compile --lang python --curve my-curve.toml --formulas add-2007-bl --formulas dbl-2009-l
      efdgen compile --lang c --curve edwards25519 --formulas extended/conversion/to-montgom-xz --to X25519
      efdgen compile --lang python --curve edwards25519 --set curve --table small
      efdgen compile --lang rust --curve P-256 --set protocols --api rustcrypto --out p256
      efdgen compile --lang rust --curve Ed25519 --set protocols --api dalek --out ed25519-dalek
      efdgen compile --field-api libsecp256k1 --curve secp256k1 --formulas jacobian-0/*/madd-2004-hmv
      efdgen compile --field-api my-field.toml --curve P-256 --formulas jacobian-3/*/dbl-2001-b --license MIT
    """
    from efdgen.commands.kept import kept_files
    from efdgen.generator.output import only_file, require_directory
    from efdgen.generator.progress import work

    printed = str(out) == "-"
    if printed:
        require_one_file(as_json, options)
    if out and not printed:
        require_directory(out)
    backend = options["backend"]
    if backend:
        if options["language"] != "python" or options["set"] == "kernels":
            raise click.UsageError("--backend needs --lang python and --set curve or protocols")
        _require_builder()
    with work("compiling"):
        default, files = kept_files("compile", options, made)
    if printed:
        click.echo(only_file(files), nl=False)
        return
    directory = out or default
    with _built(files) if backend else nullcontext() as extension:
        written = write(directory, files, quiet=as_json)
        built = [_put(extension, directory)] if extension else []
    if as_json:
        echo_files(written, built=built)
    elif built:
        click.echo(built[0])


def made(options: dict[str, Any]) -> tuple[Path, dict[str, str]]:
    """Return the default directory of a command line's files, and their texts."""
    from efdgen.generator.errors import EfdgenError

    if (options["language"] is None) == (options["host"] is None):
        both = ", not both" if options["host"] else ""
        raise EfdgenError(f"give --lang, or --field-api for another project's field{both}")
    return _for_host(options) if options["host"] else _own(options)


def _own(options: dict[str, Any]) -> tuple[Path, dict[str, str]]:
    """Return the default directory of kernels with their own field, and their files."""
    from functools import partial

    from efdgen.generator.compile import Request, make_bundle, render
    from efdgen.generator.errors import EfdgenError
    from efdgen.generator.tuning.file import read_tuning
    from efdgen.verify.certificate import require_proof
    from efdgen.verify.exceptions.derived import exceptions_on
    from efdgen.verify.readback.proofs import FieldProofs

    foreign = {name: options.pop(name) for name in ("host", "in_bounds", "out_bounds", "license")}
    if any(foreign.values()):
        raise EfdgenError("--in-bounds, --out-bounds and --license need --field-api")
    if options["tuning"]:
        options["tuning"] = read_tuning(options["tuning"], options["backend"] or options["language"])
    request = Request(**options)
    if request.backend and (request.language != "python" or request.set == "kernels"):
        raise EfdgenError("--backend needs --lang python and --set curve or protocols")
    if request.target and request.language == "python" and not request.backend:
        raise EfdgenError("--target has no effect for Python; remove it")
    require_target(request.language, request.target)
    request.require_layout()
    if request.set == "kernels":
        refuse_given(("table", "odd_multiples", "second"), "without --set curve or protocols")
    if request.language == "python" and not request.backend:
        refuse_given(("lowering", "representation"), "for Python")
    proofs = FieldProofs()
    if request.set != "kernels":
        return _whole(request)
    bundle = make_bundle(proved_database(), request, require_proof, exceptions_on)
    _check_tuning(request, bundle.groups[0], bundle.prime)
    files = proofs.proved(partial(render, bundle, request))
    proofs.require_read(files)
    return Path("out", bundle.prefix, request.language), files


def _whole(request: Request) -> tuple[Path, dict[str, str]]:
    """Return the default directory of a whole curve, and its files."""
    from functools import partial

    from efdgen.generator.planning.request import companion, plan_curve, render_plan
    from efdgen.generator.render.rust_crate import COMPANION
    from efdgen.verify.certificate import require_proof
    from efdgen.verify.exceptions.derived import exceptions_on
    from efdgen.verify.readback.proofs import FieldProofs
    from efdgen.verify.scalars.reasons import require_safe

    def planned(asked: Request) -> CurvePlan | LadderPlan:
        return plan_curve(proved_database(), asked, require_proof, require_safe, exceptions_on)

    plan = planned(request)
    files: dict[str, str] = {}
    _check_tuning(request, plan.kernels, plan.curve.prime)
    parts = [partial(render_plan, plan, request)]
    if other := companion(plan, request):
        beside = replace(planned(other), command=plan.command)
        parts.append(partial(render_plan, beside, other, root=COMPANION))
    for part in parts:
        proofs = FieldProofs()
        printed = proofs.proved(part)
        proofs.require_read(printed)
        files |= printed
    return Path("out", plan.prefix, request.language), files


def _check_tuning(request: Request, group: CurveKernels, prime: int) -> None:
    """Refuse a tuning that does not concern the compiled code, and report its outdated parts."""
    from efdgen.generator.autotuning.use import programs_of, require_use

    if request.tuning:
        field = request.fields.of(prime)
        for line in require_use(request.tuning, prime, group.curve, programs_of(group, field)):
            note(f"{line}; run efdgen tune again")


def _require_builder() -> None:
    """Raise :class:`EfdgenError` if packages for building an extension are missing."""
    from importlib.util import find_spec

    from efdgen.generator.errors import EfdgenError

    missing = [name for name in ("cffi", "setuptools") if find_spec(name) is None]
    if missing:
        raise EfdgenError(f"--backend c needs {' and '.join(missing)}: pip install {' '.join(missing)}")


@contextmanager
def _built(files: Mapping[str, str]) -> Iterator[Path]:
    """Build the extension of some files in a temporary directory; yield its path there."""
    import sys
    from tempfile import TemporaryDirectory

    from efdgen.generator import processes, progress
    from efdgen.generator.errors import EfdgenError
    from efdgen.generator.output import write_files

    name = next(name for name in files if name.endswith("_build.py"))
    with TemporaryDirectory() as folder:
        write_files(Path(folder), files)
        with progress.work("building the extension"):
            done = processes.run([sys.executable, str(Path(folder, name))])
        if done.returncode:
            reason = done.stderr.strip().splitlines()[-1]
            raise EfdgenError(f"{name} failed: {reason}; it needs cffi, setuptools and a C compiler")
        yield Path(done.stdout.strip().splitlines()[-1])


def _put(extension: Path, directory: Path) -> Path:
    """Move an extension into a directory, replacing any existing one; return its path."""
    from shutil import copyfile

    new = directory / f".{extension.name}"
    return copyfile(extension, new).replace(directory / extension.name)


def _for_host(options: dict[str, Any]) -> tuple[Path, dict[str, str]]:
    """Return the default directory of functions for a host, and their file."""
    from dataclasses import fields

    from efdgen.generator.errors import EfdgenError
    from efdgen.generator.hosts.compile import HostRequest, make_host_bundle
    from efdgen.generator.hosts.render import render
    from efdgen.verify.certificate import require_proof
    from efdgen.verify.exceptions.derived import exceptions_on
    from efdgen.verify.hosts.solve import solve
    from efdgen.verify.readback.hosts import require_read

    known = {field.name for field in fields(HostRequest)}
    if any(name not in known and is_given(name) for name in options):
        raise EfdgenError(
            "--to, --backend, --layout, --lowering, --target, --representation and --tuning need --lang"
        )
    options = {name: value for name, value in options.items() if name in known}
    if options["set"] == "protocols":
        raise EfdgenError("--set protocols needs --lang; --set curve can have another project's field")
    if options["set"] == "curve":
        return _curve_for_host(HostRequest(**options))
    refuse_given(("table", "odd_multiples", "second"), "without --set curve")
    bundle = make_host_bundle(proved_database(), HostRequest(**options), solve, require_proof, exceptions_on)
    files = render(bundle)
    require_read(bundle, files)
    return Path("out", bundle.host.name), files


def _curve_for_host(request: HostRequest) -> tuple[Path, dict[str, str]]:
    """Return the default directory of a whole curve over a host's field, and its file."""
    from functools import partial

    from efdgen.generator.hosts.curve import Provers, make_host_curve
    from efdgen.generator.render.c_host_curve import render_host_curve
    from efdgen.verify.certificate import require_proof
    from efdgen.verify.exceptions.derived import exceptions_on
    from efdgen.verify.hosts.solve import solve
    from efdgen.verify.readback.host_curves import require_curve_read, require_operation
    from efdgen.verify.readback.proofs import FieldProofs
    from efdgen.verify.scalars.reasons import require_safe

    provers = Provers(solve, require_proof, require_operation, require_safe, exceptions_on)
    curve = make_host_curve(proved_database(), request, provers)
    proofs = FieldProofs()
    files = proofs.proved(partial(render_host_curve, curve))
    require_curve_read(curve, files, proofs.expected)
    return Path("out", curve.host.name), files

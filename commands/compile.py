"""The command `efdgen compile`."""

from __future__ import annotations

from contextlib import contextmanager, nullcontext
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
    require_one_file,
    write,
)
from efdgen.generator.interfaces import INTERFACES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


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
    help="Formula ids or globs; the default is add, mixed add, double, negate, normalize and ladder step.",
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
    "--layout",
    help="c: header or split; rust: crate or module; python: module, or with --set package or module. "
    "The first is the default.",
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
        built = [_put(extension, directory / Path(_builder(files)).parent)] if extension else []
    if as_json:
        echo_files(written, built=built)
    elif built:
        click.echo(built[0])


def made(options: dict[str, Any]) -> tuple[Path, dict[str, str]]:
    """Return the default directory of a command line's files, and their texts."""
    from efdgen.api.files import files_of
    from efdgen.api.requests import request_of

    return files_of(request_of(options, {name for name in options if is_given(name)}))


def _require_builder() -> None:
    """Raise :class:`EfdgenError` if packages for building an extension are missing."""
    from importlib.util import find_spec

    from efdgen.generator.errors import EfdgenError
    from efdgen.generator.requirements import installing

    missing = [name for name in ("cffi", "setuptools") if find_spec(name) is None]
    if missing:
        raise EfdgenError(f"--backend c needs {' and '.join(missing)}: {installing('compiled')}")


def _builder(files: Mapping[str, str]) -> str:
    """Return the name of the file that builds the extension."""
    return next(name for name in files if name.endswith("_build.py"))


@contextmanager
def _built(files: Mapping[str, str]) -> Iterator[Path]:
    """Build the extension of some files in a temporary directory; yield its path there."""
    import sys
    from tempfile import TemporaryDirectory

    from efdgen.generator import processes, progress
    from efdgen.generator.errors import EfdgenError
    from efdgen.generator.output import write_files

    name = _builder(files)
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

"""The command `efdgen compile`."""

from __future__ import annotations

from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from efdgen.commands.common import (
    compile_options,
    echo_files,
    effort_option,
    is_given,
    json_option,
    out_option,
    require_one_file,
    write,
)
from efdgen.generator.options import Options

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


@click.command("compile")
@compile_options
@effort_option
@out_option("out/CURVE/LANG")
@json_option("each file and its state")
def compile_command(out: Path | None, as_json: bool, **options: Any) -> None:  # noqa: ANN401 - click passes what Options takes
    """Emit proved, constant-time kernels for a curve.

    Every formula is proved before anything is written. The same options always write the same bytes.

    \b
    Examples:
      efdgen compile --lang c --curve secp256k1
      efdgen compile --lang rust --curve edwards25519 --coords projective --out src/curve
      efdgen compile --lang python --curve my-curve.toml --formulas add-2007-bl --formulas dbl-2009-l
      efdgen compile --lang c --curve edwards25519 --formulas extended/conversion/to-montgom-xz --to X25519
      efdgen compile --lang python --curve edwards25519 --set curve --table small
      efdgen compile --lang c --group ristretto255 --out ristretto255
      efdgen compile --lang rust --curve P-256 --set protocols --api rustcrypto --out p256
      efdgen compile --lang rust --curve Ed25519 --set protocols --api dalek --out ed25519-dalek
      efdgen compile --field-api libsecp256k1 --curve secp256k1 --formulas jacobian-0/*/madd-2004-hmv
      efdgen compile --field-api macros --curve any --formulas shortw/jacobian/addition/add-2007-bl
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
        if options["lang"] != "python" or options["set"] == "kernels":
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

    return files_of(request_of(Options(**options), {name for name in options if is_given(name)}))


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

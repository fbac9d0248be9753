"""The command line. Each command loads only what it needs, so that ``--help`` answers at once."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from efdgen import __version__
from efdgen.generator.errors import EfdgenError

_CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


@click.group(context_settings=_CONTEXT)
@click.version_option(__version__, prog_name="efdgen")
def cli() -> None:
    """Compile elliptic-curve formulas: parse, prove, count, and emit C, Rust and Python kernels.

    \b
    Examples:
      efdgen verify                                  prove every built-in formula
      efdgen cost tables g1p/shortw/jacobian         what each formula costs
      efdgen compile --lang c --curve secp256k1      kernels to drop into a project
    """


def main() -> None:
    """Run the command line; an error is one line on standard error and exit status 2."""
    try:
        cli(prog_name="efdgen")
    except EfdgenError as error:
        click.secho("efdgen: ", fg="red", nl=False, err=True)
        click.echo(str(error), err=True)
        sys.exit(2)


@cli.command("compile")
@click.option("--lang", "language", type=click.Choice(["c", "rust", "python"]), required=True)
@click.option("--curve", required=True, help="A built-in curve's name, or a TOML or JSON file.")
@click.option("--coords", "coordinates", help="Coordinate system; without it, the one that costs least.")
@click.option("--formulas", multiple=True, help="Formula ids or globs; without them, the cheapest of each kind.")
@click.option("--prefix", help="What every name begins with; without it, the curve's name.")
@click.option("--layout", help="c: header or split; rust: crate or module; python: module. The first is the default.")
@click.option("--weights", help="As in `efdgen cost tables`; decides what is cheapest.")
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), help="Directory; out/CURVE/LANG without it.")
def compile_command(out: Path | None, **options: Any) -> None:
    """Emit proved, constant-time kernels for a curve.

    Every formula is proved before anything is written; the files are the same bytes on every run.

    \b
    Examples:
      efdgen compile --lang c --curve secp256k1
      efdgen compile --lang rust --curve edwards25519 --coords projective --out src/curve
      efdgen compile --lang python --curve my-curve.toml --formulas add-2007-bl --formulas dbl-2009-l
    """
    from efdgen.generator.compile import Request, make_bundle, render
    from efdgen.generator.database import Database
    from efdgen.generator.output import write_files
    from efdgen.verify.certificate import require_proof

    request = Request(**options)
    bundle = make_bundle(Database(), request, require_proof)
    directory = out or Path("out", bundle.prefix, request.language)
    for path in write_files(directory, render(bundle, request)):
        click.echo(path)


@cli.command()
@click.argument("formula")
@click.option("--after", "stage", default="final-dead-code", show_default=True, help="parse, lower, or a pass.")
@click.option("--curve", help="Specialise the formula to this curve first.")
@click.option("--list", "list_stages", is_flag=True, help="List the stages and stop.")
def dump(formula: str, stage: str, curve: str | None, list_stages: bool) -> None:
    """Print a formula as it stands after a stage of the compiler.

    \b
    Examples:
      efdgen dump add-2007-bl --after lower
      efdgen dump g1p/shortw/jacobian-0/doubling/dbl-2009-l --curve secp256k1 --after allocate
    """
    from efdgen.generator.database import Database
    from efdgen.generator.dump import dump_formula, stages

    click.echo("\n".join(stages()) if list_stages else dump_formula(Database(), formula, stage, curve), nl=list_stages)


_DIRECTORY = click.Path(exists=True, file_okay=False, path_type=Path)

if __name__ == "__main__":
    main()

"""The command line. Each command loads only what it needs, so that ``--help`` answers at once."""

from __future__ import annotations

import sys
from pathlib import Path

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


_DIRECTORY = click.Path(exists=True, file_okay=False, path_type=Path)

if __name__ == "__main__":
    main()

"""The command `efdgen compile`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click


@click.command("compile")
@click.option("--lang", "language", type=click.Choice(["c", "rust", "python"]), required=True)
@click.option("--curve", required=True, help="A built-in curve's name, or a TOML or JSON file.")
@click.option("--coords", "coordinates", help="Coordinate system; without it, the one that costs least.")
@click.option(
    "--formulas", multiple=True, help="Formula ids or globs; without them, the cheapest of each kind."
)
@click.option("--prefix", help="What every name begins with; without it, the curve's name.")
@click.option(
    "--layout", help="c: header or split; rust: crate or module; python: module. The first is the default."
)
@click.option("--weights", help="As in `efdgen cost tables`; decides what is cheapest.")
@click.option(
    "--out", type=click.Path(file_okay=False, path_type=Path), help="Directory; out/CURVE/LANG without it."
)
def compile_command(out: Path | None, **options: Any) -> None:  # noqa: ANN401 - click passes what Request takes
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

"""The command `efdgen bench`."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import click

from efdgen.api.formulas import database
from efdgen.commands.common import DIRECTORY, FILE, echo_json, json_option, note, option
from efdgen.generator.options import REQUIRED, Language

if TYPE_CHECKING:
    from pathlib import Path


@click.command()
@option("curve", default=REQUIRED)
@option("coords", default="all", completion="system_list", help="Coordinate systems, separated by commas.")
@option("lang", "languages", default="all", choices=(), help="c, rust, python, separated by commas.")
@click.option("--rounds", default=21, show_default=True, help="Number of rounds; each times every operation.")
@json_option("the measurements, a list of objects; the table goes to standard error")
@click.option("--markdown", type=FILE, help="Write the measurements to a file, as a table.")
@click.option("--plot", "directory", type=DIRECTORY, help="Time series too, and draw plots as SVG.")
def bench(
    curve: str,
    coords: str,
    languages: str,
    rounds: int,
    as_json: bool,
    markdown: Path | None,
    directory: Path | None,
) -> None:
    """Time a curve's operations on this machine, in every coordinate system and language.

    The emitted code is proved first. C is built with gcc and clang, if they are installed, or with CC, and
    Rust with cargo, for the local processor. Times are core cycles, counted by dependent multiplications,
    and microseconds. Python is compared with the package ecdsa if it is installed. The cost of a ladder is
    the cost of its steps. An Edwards curve is also timed in xz coordinates, on the built-in Montgomery curve
    that is isomorphic to it, if there is one.

    --plot also times series: 1 to 1,024 additions, signatures and verifications, the latter in one batch too,
    and verifications of messages of 32 bytes to 1 MiB. It draws all with matplotlib, which
    `pip install matplotlib` installs. `efdgen plot` draws again what --json prints.

    \b
    Examples:
      efdgen bench --curve edwards25519
      efdgen bench --curve curve25519 --lang c,python
      efdgen bench --curve secp256k1 --coords jacobian-0,projective --lang c,rust --json > times.json
      efdgen bench --curve edwards25519 --plot plots --json > times.json
    """
    from efdgen.generator.errors import EfdgenError
    from efdgen.generator.measuring.formats import markdown_table, objects, terminal
    from efdgen.generator.measuring.measure import Bench
    from efdgen.generator.progress import work
    from efdgen.generator.reports.json_text import json_text
    from efdgen.verify.curve_prover import CurveProver
    from efdgen.verify.fields.certificate import FieldCertificates
    from efdgen.verify.files import write_whole

    chosen = ["c", "rust", "python"] if languages == "all" else languages.split(",")
    if set(chosen) - {"c", "rust", "python"}:
        raise EfdgenError("--lang takes c, rust and python, separated by commas, or all")
    if rounds < 1:
        raise EfdgenError("--rounds must be at least 1")
    _require_places(markdown, directory)
    systems = () if coords == "all" else tuple(coords.split(","))
    with work("timing") as progress:
        wanted = Bench(curve, systems, cast(list[Language], chosen), rounds, directory is not None)
        measured, peer = wanted.run(database(), CurveProver(), FieldCertificates(), progress.at)
    (note if as_json else click.echo)(terminal(measured, peer).rstrip("\n"))
    if as_json or directory:
        figures = objects(measured, peer, curve)
    if as_json:
        echo_json(figures)
    if markdown:
        write_whole(markdown, markdown_table(measured))
    if directory:
        _draw(directory, json_text(figures))


def _require_places(markdown: Path | None, directory: Path | None) -> None:
    """Raise :class:`EfdgenError` where a table or plots cannot be written; asked before anything is timed."""
    from efdgen.generator.errors import EfdgenError
    from efdgen.generator.measuring.drawing import require_drawings, require_matplotlib
    from efdgen.generator.measuring.formats import is_markdown_table
    from efdgen.verify.files import require_writable

    if markdown:
        require_writable(markdown)
    if markdown and markdown.exists() and not is_markdown_table(markdown.read_bytes()):
        raise EfdgenError(f"{markdown} contains more than a table; name another file")
    if directory:
        require_matplotlib()
        require_drawings(directory)


def _draw(directory: Path, measurements: str) -> None:
    """Draw a document of measurements, as `efdgen plot` does."""
    from efdgen.generator.measuring.drawing import draw
    from efdgen.generator.measuring.plots import plots
    from efdgen.generator.measuring.records import read_records
    from efdgen.generator.output import apply

    made = draw(directory, plots(read_records(measurements, "the measurements")))
    apply(made)
    for change in made:
        note(f"drew {change.path}")

"""The command `efdgen bench`."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import click

from efdgen.commands import completion
from efdgen.commands.common import FILE, echo_json, json_option, note, proved_database

if TYPE_CHECKING:
    from pathlib import Path


@click.command()
@click.option(
    "--curve",
    required=True,
    shell_complete=completion.CURVES,
    help="A built-in curve's name, or a TOML or JSON file.",
)
@click.option(
    "--coords",
    "coordinates",
    shell_complete=completion.SYSTEM_LIST,
    default="all",
    show_default=True,
    help="Coordinate systems, separated by commas.",
)
@click.option(
    "--lang", "languages", default="all", show_default=True, help="c, rust, python, separated by commas."
)
@click.option("--rounds", default=21, show_default=True, help="Number of rounds; each times every operation.")
@json_option("the measurements, a list of objects; the table goes to standard error")
@click.option("--markdown", type=FILE, help="Write the measurements to a file, as a table.")
def bench(
    curve: str, coordinates: str, languages: str, rounds: int, as_json: bool, markdown: Path | None
) -> None:
    """Time a curve's operations on this machine, in every coordinate system and language.

    The emitted code is proved first. C is built with gcc and clang, if they are installed, or with CC, and
    Rust with cargo, for the local processor. Times are core cycles, counted by dependent multiplications,
    and microseconds. Python is compared with the package ecdsa if it is installed. The cost of a ladder is
    the cost of its steps. An Edwards curve is also timed in xz coordinates, on the built-in Montgomery curve
    that is isomorphic to it, if there is one.

    \b
    Examples:
      efdgen bench --curve edwards25519
      efdgen bench --curve curve25519 --lang c,python
      efdgen bench --curve secp256k1 --coords jacobian-0,projective --lang c,rust --json > times.json
    """
    from efdgen.generator.compile import Language
    from efdgen.generator.errors import EfdgenError
    from efdgen.generator.measuring.formats import is_markdown_table, markdown_table, objects, terminal
    from efdgen.generator.measuring.measure import Bench, Proofs
    from efdgen.generator.progress import work
    from efdgen.verify.certificate import require_proof
    from efdgen.verify.fields.certificate import require_field_proof
    from efdgen.verify.files import require_writable, write_whole
    from efdgen.verify.scalars.reasons import require_safe

    chosen = ["c", "rust", "python"] if languages == "all" else languages.split(",")
    if set(chosen) - {"c", "rust", "python"}:
        raise EfdgenError("--lang takes c, rust and python, separated by commas, or all")
    if rounds < 1:
        raise EfdgenError("--rounds must be at least 1")
    if markdown:
        require_writable(markdown)
    if markdown and markdown.exists() and not is_markdown_table(markdown.read_bytes()):
        raise EfdgenError(f"{markdown} contains more than a table; name another file")
    systems = () if coordinates == "all" else tuple(coordinates.split(","))
    with work("timing") as progress:
        wanted = Bench(curve, systems, cast(list[Language], chosen), rounds)
        proofs = Proofs(require_proof, require_safe, require_field_proof)
        measured, peer = wanted.run(proved_database(), proofs, progress.at)
    (note if as_json else click.echo)(terminal(measured, peer).rstrip("\n"))
    if as_json:
        echo_json(objects(measured, peer))
    if markdown:
        write_whole(markdown, markdown_table(measured))

"""The command `efdgen test`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from efdgen.commands import completion
from efdgen.commands.common import (
    DIRECTORY,
    ODD_MULTIPLES,
    echo_json,
    json_option,
    note,
    proved_database,
    refuse_given,
)


@click.command()
@click.argument("directories", nargs=-1, type=DIRECTORY, metavar="[DIRECTORY]...")
@click.option(
    "--curve",
    "curves",
    multiple=True,
    shell_complete=completion.CURVES,
    help="A built-in curve's name, or a TOML or JSON file.",
)
@click.option(
    "--lang", "languages", multiple=True, type=click.Choice(["c", "rust", "python"]), help="All without it."
)
@click.option(
    "--coords",
    "coordinates",
    shell_complete=completion.SYSTEMS,
    help="Coordinate system; without it, the one that costs least.",
)
@click.option(
    "--formulas",
    multiple=True,
    shell_complete=completion.FORMULAS,
    help="Formula ids or globs; without them, the cheapest of each kind.",
)
@click.option(
    "--set",
    type=click.Choice(["kernels", "curve", "protocols"]),
    default="kernels",
    show_default=True,
    help="Formulas alone; whole curves: multiplication, encodings, and all else; with protocols too.",
)
@click.option(
    "--odd-multiples",
    type=click.Choice(ODD_MULTIPLES),
    help="With --set curve: how tables of P, 3P, … are made; without it, as costs least.",
)
@click.option(
    "--constant-time", is_flag=True, help="Run C and Rust in valgrind, everything secret that can be."
)
@click.option(
    "--sanitize", is_flag=True, help="Build C another time, to end where it is undefined or out of bounds."
)
@click.option(
    "--compiler",
    "compilers",
    multiple=True,
    help="With one of these two: a C compiler; without it, gcc and clang where they are.",
)
@click.option(
    "--word",
    "words",
    multiple=True,
    type=click.Choice(["64", "32"]),
    help="With one of these two: bits of a word; without it, both.",
)
@click.option("--all", "every", is_flag=True, help="Every formula: random over 256 bits, exhaustive over 37.")
@click.option(
    "--seed", default=1, show_default=True, help="Where random points and representatives come from."
)
@json_option("the results, a list of objects; the report goes to standard error")
@click.option(
    "--vectors", type=DIRECTORY, help="Write the vectors to a directory, as docs/vectors.md has them."
)
def test(as_json: bool, vectors: Path | None, **options: Any) -> None:  # noqa: ANN401 - click passes what Request takes
    """Compile kernels and run them on shared vectors, in every language.

    The kernels are those for a curve, or those that stand in a directory; without either, those for secp256k1
    and edwards25519. Every answer has to represent the point that the affine law gives, and to be the same in
    all languages and with all aliasings; of a field, it has to be what Python's integers give. The exit
    status is 1 where one is not.

    With --constant-time each function that is not named _var is called once in each build, of C by each
    compiler at -O2 and -O3, and valgrind tells whether a branch or an address depends on what it was given;
    divisions are looked for in the disassembly. What was not run is listed.

    \b
    Examples:
      efdgen test --curve p-256 --lang c --lang python
      efdgen test --set curve --curve secp256k1 --curve curve25519
      efdgen test out
      efdgen test --all
      efdgen test --constant-time out/secp256k1 out/fields --compiler gcc-14
      efdgen test --sanitize --set curve --curve edwards25519
    """
    from efdgen.verify.vectors.testing import TestRequest, run_tests, write_suites

    if options["set"] == "kernels":
        refuse_given(("odd_multiples",), "with --set curve or protocols")
    reports = run_tests(proved_database(), TestRequest(**options))
    for report in reports:
        (note if as_json else click.echo)(report.text())
    if as_json:
        echo_json([result for report in reports for result in report.objects()])
    if vectors:
        write_suites(reports, vectors)
    if not all(report.ok for report in reports):
        sys.exit(1)

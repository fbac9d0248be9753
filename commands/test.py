"""The command `efdgen test`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from efdgen.api.formulas import database
from efdgen.commands.common import DIRECTORY, echo_json, json_option, note, option, refuse_given


@click.command()
@click.argument("directories", nargs=-1, type=DIRECTORY, metavar="[DIRECTORY]...")
@option("curve", "curves", default=(), multiple=True)
@option("lang", "languages", default=(), multiple=True, help="The default is all.")
@option("coords")
@option("formulas")
@option(
    "set", help="Only formulas; whole curves, with multiplication and encodings; or curves with protocols."
)
@option("odd_multiples", help="With --set curve: method for tables of P, 3P, …; the default is the cheapest.")
@click.option(
    "--constant-time", is_flag=True, help="Run C and Rust in valgrind with all inputs secret that can be."
)
@click.option(
    "--builds",
    type=click.Choice(["usual", "other"]),
    default="usual",
    show_default=True,
    help="With --constant-time: builds as for a release, or with other flags that users may set.",
)
@click.option(
    "--target",
    default="",
    help="With --constant-time: check the machine code for a target, such as riscv64, and run nothing.",
)
@click.option(
    "--sanitize", is_flag=True, help="Also build C with sanitizers, for undefined behaviour and bounds."
)
@click.option(
    "--compiler",
    "compilers",
    multiple=True,
    help="With --constant-time or --sanitize: a C compiler; the default is gcc and clang, if installed.",
)
@click.option(
    "--word",
    "words",
    multiple=True,
    type=click.Choice(["64", "32"]),
    help="With --constant-time or --sanitize: bits of a word; the default is both.",
)
@click.option(
    "--all",
    "every",
    is_flag=True,
    help="Test every formula: on random points over large fields, on all points over tiny ones.",
)
@click.option("--seed", default=1, show_default=True, help="Seed of random points and representatives.")
@json_option("the results, a list of objects; the report goes to standard error")
@click.option("--vectors", type=DIRECTORY, help="Write the vectors to a directory, as JSON.")
def test(as_json: bool, vectors: Path | None, **options: Any) -> None:  # noqa: ANN401 - click passes what Request takes
    """Compile kernels and run them on shared vectors, in every language.

    The kernels are those of a curve or of a directory; the default is secp256k1 and edwards25519. Every
    answer has to represent the point given by the affine law, and to be the same in all languages and for all
    aliasings; for a field, it has to agree with Python's integers. The exit status is 1 if an answer fails.

    With --constant-time each function that is not named _var is called once in each build, for C with each
    compiler at -O2 and -O3, and valgrind detects branches and addresses that depend on the inputs; the
    disassembly is searched for divisions. Functions that were not run are listed. With --builds other that is
    C at -O1 and -Os, and Rust at opt-levels 1, s, z and 3 with overflow checks, debug assertions or LTO.

    With --target, or a --compiler for another machine, nothing runs: the code is compiled and disassembled.
    In a function without loops a branch, a division or a table index is a finding; in one with loops, a
    branch or an address that depends on what pointers lead to. Calls of a library's multiplication are a
    warning.

    \b
    Examples:
      efdgen test --curve p-256 --lang c --lang python
      efdgen test --set curve --curve secp256k1 --curve curve25519
      efdgen test out
      efdgen test --all
      efdgen test --constant-time out/secp256k1 out/fields --compiler gcc-14
      efdgen test --constant-time out/secp256k1 --compiler clang --target riscv64
      efdgen test --sanitize --set curve --curve edwards25519
    """
    from efdgen.verify.machine.report import MachineReport
    from efdgen.verify.vectors.testing import TestRequest, run_tests, write_suites

    if options["set"] == "kernels":
        refuse_given(("odd_multiples",), "without --set curve or protocols")
    if options["target"] and vectors:
        refuse_given(("vectors",), "with --target, which runs no vectors")
    reports = run_tests(database(), TestRequest(**options))
    for report in reports:
        (note if as_json else click.echo)(report.text())
    if as_json:
        echo_json([result for report in reports for result in report.objects()])
    if vectors:
        write_suites([report for report in reports if not isinstance(report, MachineReport)], vectors)
    if not all(report.ok for report in reports):
        sys.exit(1)

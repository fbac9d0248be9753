"""The command line. Each command loads only what it needs, so that ``--help`` answers at once."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from efdgen import __version__
from efdgen.generator.errors import EfdgenError

_CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 100}
_DIRECTORY = click.Path(file_okay=False, path_type=Path)
_FORMATS = ["table", "markdown", "csv", "json"]
_FILE = click.Path(dir_okay=False, path_type=Path)


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


@cli.command("import")
@click.argument("directory", type=_DIRECTORY)
@click.option("--out", type=_DIRECTORY, help="Where to write; without it the tree is only checked.")
def import_command(directory: Path, out: Path | None) -> None:
    """Read a tree in the form of the Explicit-Formulas Database and write it as `efd/` keeps it.

    What cannot be used is reported with file, line and column, and the rest goes on; then the
    exit status is 1.

    \b
    Examples:
      efdgen import efd-upstream
      efdgen import efd-upstream --out efd-normalised
    """
    from efdgen.generator.database import Database
    from efdgen.generator.importer import import_tree, report, write_tree

    imported = list(import_tree(Database(directory, "upstream")))
    for problem in report(imported):
        click.echo(problem, err=True)
    usable = sum(file.text is not None for file in imported)
    new = f"{write_tree(imported, out)} of them new in {out}" if out else "--out DIR writes them"
    click.echo(f"{usable} of {len(imported)} files can be used; {new}")
    if usable < len(imported):
        sys.exit(1)


@cli.command("list")
@click.argument("selectors", nargs=-1, metavar="[SELECTOR]...")
@click.option("--json", "as_json", is_flag=True, help="Objects: kind, model, system, source, assumptions.")
def list_command(selectors: tuple[str, ...], as_json: bool) -> None:
    """List the formulas that a selector means, or all.

    \b
    Examples:
      efdgen list g1p/shortw/jacobian
      efdgen list 'madd-*' --json
    """
    from efdgen.generator.database import Database

    database = Database()
    found = database.select(selectors)
    if as_json:
        from efdgen.generator.describe import summary

        _echo_json([summary(database.formula(formula_id)) for formula_id in found])
    else:
        click.echo("\n".join(found))


@cli.command()
@click.argument("formula_id", metavar="ID")
@click.option("--json", "as_json", is_flag=True, help="One object.")
def show(formula_id: str, as_json: bool) -> None:
    """Show a formula: source, assumptions, equations, program, cost, and whether it is proved.

    \b
    Examples:
      efdgen show g1p/shortw/jacobian/addition/add-2007-bl
      efdgen show jacobian/doubling/dbl-2007-bl --json
    """
    from efdgen.generator.database import Database
    from efdgen.generator.describe import description, description_text, one_formula
    from efdgen.generator.lower import lower

    database = Database()
    formula = database.formula(one_formula(database, formula_id))

    from efdgen.verify.certificate import certify  # behind the look-up, because it takes longer than that

    certificate = certify(formula, lower(formula))
    if as_json:
        _echo_json(description(formula) | {"verdict": certificate.verdict, "reason": certificate.reason})
    else:
        verdict = ": ".join(filter(None, (certificate.verdict, certificate.reason)))
        click.echo(description_text(formula, verdict), nl=False)


@cli.command()
@click.argument("selectors", nargs=-1, metavar="[SELECTOR]...")
@click.option(
    "--from", "tree", type=_DIRECTORY, help="Prove a tree as the database publishes it, .op3 files included."
)
@click.option(
    "--json",
    "json_file",
    metavar="FILE",
    help="Write the findings as a list of objects; - is standard output.",
)
@click.option("--jobs", type=click.IntRange(min=1), help="Number of processes; one per processor without it.")
@click.option("--models", is_flag=True, help="Prove the affine laws of the models instead of formulas.")
def verify(
    selectors: tuple[str, ...], tree: Path | None, json_file: str | None, jobs: int | None, models: bool
) -> None:
    """Prove that every output of a formula is what its kind says, on the generic curve.

    Without a selector everything is proved. The exit status is 0 only when all is proved, and 1 otherwise.

    \b
    Examples:
      efdgen verify
      efdgen verify 'g1p/shortw/jacobian*' add-2007-bl --json findings.json
      efdgen verify --from efd-upstream
    """
    from time import perf_counter

    start = perf_counter()
    from efdgen.generator.database import BUILT_IN, Database
    from efdgen.verify.files import require_writable, write_whole
    from efdgen.verify.prover import examine_formulas, examine_models
    from efdgen.verify.report import report, to_json

    database = Database(tree, "upstream") if tree else Database(BUILT_IN)
    ids = database.select(selectors)
    if json_file and json_file != "-":
        require_writable(Path(json_file))
    findings = (examine_models if models else examine_formulas)(database, ids, jobs)
    if json_file == "-":
        click.echo(to_json(findings), nl=False)
    elif json_file:
        write_whole(Path(json_file), to_json(findings))
    click.echo("\n".join(report(findings, perf_counter() - start)), err=json_file == "-")
    if any(finding.verdict != "proved" for finding in findings):
        sys.exit(1)


@cli.group()
def cost() -> None:
    """Count what formulas cost."""


@cost.command()
@click.argument("selectors", nargs=-1, metavar="[SELECTOR]...")
@click.option("--weights", default="", help="Presets and OPERATION=NUMBER, separated by commas; see above.")
@click.option(
    "--format", "form", default="table", show_default=True, type=click.Choice([*_FORMATS, "latex", "html"])
)
@click.option("--from", "tree", type=_DIRECTORY, help="Count the .op3 files of a tree as it is published.")
def tables(selectors: tuple[str, ...], weights: str, form: str, tree: Path | None) -> None:
    """Print what each formula costs, as published and as emitted, by kind and weight.

    One three-operand line is one operation. M is a multiplication, S a squaring, I an inversion, ^3 a power,
    *a a product by a parameter, *2 by a constant, add an addition, subtraction or negation.

    \b
    Weights are in multiplications. Presets, as the database's tables have them:
      large-S1  large-S0.8  large-S0.67   I=100, for large characteristic; large-S0.8 is the default
      binary-S0  binary-S0.2              I=10, for binary fields; binary-S0.2 is the default
    Operations: M S I add, param and const for all parameters and constants, a or *a for one
    parameter, 2 or *2 for one constant, ^3 for cubes (S + M without it). Later items win.

    \b
    Examples:
      efdgen cost tables g1p/shortw/jacobian
      efdgen cost tables g1p/twisted --weights large-S0.67,a=0,d=1 --format markdown
    """
    from efdgen.generator.database import BUILT_IN, Database
    from efdgen.generator.table_formats import render
    from efdgen.generator.tables import cost_tables

    found = cost_tables(Database(tree, "upstream") if tree else Database(BUILT_IN), selectors, weights)
    click.echo(render(found, form), nl=False)
    if any(row.cost is None for table in found for row in table.rows):
        sys.exit(1)


@cost.command()
@click.option("--weights", default="", help="As in `efdgen cost tables`.")
@click.option("--bits", type=click.IntRange(min=1), default=256, show_default=True, help="Bits of a scalar.")
@click.option("--format", "form", default="table", show_default=True, type=click.Choice(_FORMATS))
@click.option("--json", "form", flag_value="json", help="The same as --format json.")
def totals(weights: str, bits: int, form: str) -> None:
    """Print what tables of odd multiples, ladders and windows cost, by the formulas that weigh least.

    \b
    Examples:
      efdgen cost totals
      efdgen cost totals --weights large-S1 --bits 521 --format markdown
    """
    from efdgen.generator.database import Database
    from efdgen.generator.total_formats import render
    from efdgen.generator.totals import cost_totals

    click.echo(render(cost_totals(Database(), weights, bits), form), nl=False)


@cli.command("compile")
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


@cli.group(invoke_without_command=True)
@click.option("--json", "as_json", is_flag=True, help="A list of objects.")
@click.pass_context
def curves(context: click.Context, as_json: bool) -> None:
    """List the built-in curves: name, bits of the prime, model, aliases.

    \b
    Examples:
      efdgen curves
      efdgen curves show P-256
      efdgen curves check my-curve.toml
    """
    if context.invoked_subcommand is None:
        from efdgen.generator.curve import built_in_curves
        from efdgen.generator.curve_text import curve_list, curve_object

        found = built_in_curves()
        if as_json:
            _echo_json([curve_object(curve) for curve in found])
        else:
            click.echo(curve_list(found), nl=False)


@curves.command("show")
@click.argument("name", metavar="NAME")
@click.option("--json", "as_json", is_flag=True, help="One object.")
def show_curve(name: str, as_json: bool) -> None:
    """Show a built-in curve, by name or alias, or a curve file.

    \b
    Examples:
      efdgen curves show edwards25519
      efdgen curves show my-curve.toml --json
    """
    from efdgen.generator.curve import load_curve
    from efdgen.generator.curve_text import curve_object, curve_text

    curve = load_curve(name)
    if as_json:
        _echo_json(curve_object(curve))
    else:
        click.echo(curve_text(curve), nl=False)


@curves.command("check")
@click.argument("file", metavar="FILE")
def check_curve(file: str) -> None:
    """Check every claim of a curve file, and say what was found true.

    The prime is prime, the curve is not singular, the generator is on it, order and cofactor are right.

    \b
    Example:
      efdgen curves check my-curve.toml
    """
    from efdgen.generator.curve import load_curve
    from efdgen.generator.curve_text import checked_text

    click.echo(checked_text(load_curve(file)))


@cli.command()
@click.argument("directories", nargs=-1, type=_DIRECTORY, metavar="[DIRECTORY]...")
@click.option("--curve", "curves", multiple=True, help="A built-in curve's name, or a TOML or JSON file.")
@click.option(
    "--lang", "languages", multiple=True, type=click.Choice(["c", "rust", "python"]), help="All without it."
)
@click.option("--coords", "coordinates", help="Coordinate system; without it, the one that costs least.")
@click.option(
    "--formulas", multiple=True, help="Formula ids or globs; without them, the cheapest of each kind."
)
@click.option("--all", "every", is_flag=True, help="Every formula: random over 256 bits, exhaustive over 37.")
@click.option(
    "--seed", default=1, show_default=True, help="Where random points and representatives come from."
)
@click.option("--json", "results", type=_FILE, help="Write the results to a file.")
@click.option(
    "--vectors", type=_DIRECTORY, help="Write the vectors to a directory, as docs/vectors.md has them."
)
def test(results: Path | None, vectors: Path | None, **options: Any) -> None:  # noqa: ANN401 - click passes what Request takes
    """Compile kernels and run them on shared vectors, in every language.

    The kernels are those for a curve, or those that stand in a directory; without either, those for secp256k1
    and edwards25519. Every answer has to represent the point that the affine law gives, and to be the same in
    all languages and with all aliasings. The exit status is 1 where one is not.

    \b
    Examples:
      efdgen test --curve p-256 --lang c --lang python
      efdgen test out
      efdgen test --all
    """
    from efdgen.generator.database import Database
    from efdgen.verify.testing import TestRequest, run_tests, write_results, write_suites

    reports = run_tests(Database(), TestRequest(**options))
    for report in reports:
        click.echo(report.text())
    if results:
        write_results(reports, results)
    if vectors:
        write_suites(reports, vectors)
    if not all(report.ok for report in reports):
        sys.exit(1)


@cli.command()
@click.argument("formula")
@click.option(
    "--after", "stage", default="final-dead-code", show_default=True, help="parse, lower, or a pass."
)
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

    click.echo(
        "\n".join(stages()) if list_stages else dump_formula(Database(), formula, stage, curve),
        nl=list_stages,
    )


def _echo_json(value: object) -> None:
    import json

    click.echo(json.dumps(value, indent=2))

"""The command `efdgen plot`."""

from __future__ import annotations

from pathlib import Path

import click

from efdgen.commands.common import DIRECTORY, echo_files, json_option


@click.command()
@click.argument("file")
@click.option(
    "--out",
    type=DIRECTORY,
    default=Path(),
    show_default="the current directory",
    help="Directory to write to.",
)
@json_option("the files and their states")
def plot(file: str, out: Path, as_json: bool) -> None:
    """Draw the measurements of `efdgen bench --json` again, as SVG.

    FILE is a document of `efdgen bench --json`, or - for standard input. With series, which
    `efdgen bench --plot` measures, all plots are drawn, otherwise that of single operations. The same
    measurements give the same files. This needs matplotlib: pip install 'efdgen[plot]'.

    \b
    Examples:
      efdgen plot times.json
      efdgen plot times.json --out plots
      efdgen bench --curve secp256k1 --lang c --json | efdgen plot - --out plots
    """
    from efdgen.generator.measuring.drawing import draw, require_matplotlib
    from efdgen.generator.measuring.plots import plots
    from efdgen.generator.measuring.records import read_records
    from efdgen.generator.output import apply
    from efdgen.generator.reading import decoded, read_standard_input, read_text

    require_matplotlib()
    text = decoded(read_standard_input(), file) if file == "-" else read_text(file)
    made = draw(out, plots(read_records(text, "standard input" if file == "-" else file)))
    apply(made)
    if as_json:
        echo_files(made)
    else:
        click.echo("\n".join(str(change.path) for change in made))

"""The command `efdgen plot`."""

from __future__ import annotations

from pathlib import Path

import click

from efdgen.commands.common import DIRECTORY, echo_files, json_option


@click.command()
@click.argument("file", type=click.Path(dir_okay=False, allow_dash=True))
@click.option(
    "--out",
    type=DIRECTORY,
    default=Path(),
    show_default="the current directory",
    help="Directory to write to.",
)
@json_option("the files and their states")
def plot(file: str, out: Path, as_json: bool) -> None:
    """Draw measurements as plots in SVG, which show in light and in dark pages.

    FILE contains what `efdgen bench --json` printed, - is standard input. The plots of series need what
    `efdgen bench --plot DIR --json` printed; without series, only operations are drawn. Equal measurements
    give the same files. Plots are drawn with matplotlib, which `pip install matplotlib` installs.

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

"""The command `efdgen field`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from efdgen.commands import completion
from efdgen.commands.common import (
    FILE,
    TARGET,
    TARGET_HELP,
    echo_files,
    effort_option,
    is_given,
    json_option,
    note,
    require_one_file,
    require_target,
    write,
)

if TYPE_CHECKING:
    from efdgen.generator.fields.request import FieldRequest, Language
    from efdgen.verify.readback.proofs import FieldProofs


@click.command()
@click.option("--prime", help="2^255-19, a hexadecimal number, a curve's name, or 'P-256 order'.")
@click.option(
    "--curve", shell_complete=completion.CURVES, help="The prime of a curve, by its name or its file."
)
@click.option("--order", is_flag=True, help="With --curve: the order of its generator.")
@click.option("--lang", "language", type=click.Choice(["c", "rust", "python"]), required=True)
@click.option("--word", type=click.Choice(["64", "32"]), help="Bits of a word; without it, both.")
@click.option("--target", type=TARGET, help=TARGET_HELP)
@click.option(
    "--representation",
    type=click.Choice(["saturated", "unsaturated"]),
    help="Limbs that fill words, or that leave room in them; without it, what is faster.",
)
@click.option("--tuning", type=FILE, help="What efdgen tune measured, a file; overridden by the two above.")
@click.option("--degree", type=click.Choice(["1", "2"]), default="1", help="2 for GF(p²) as well.")
@click.option("--nonresidue", type=int, help="With --degree 2: the square of i; -1 without it.")
@click.option("--ops", default="", help="Operations, with commas between them; without it, all.")
@click.option("--prefix", default="fp", show_default=True, help="What every name begins with.")
@click.option("--layout", help="c: header or split; rust: crate or module. The first is the default.")
@click.option(
    "--out",
    type=click.Path(file_okay=False, allow_dash=True, path_type=Path),
    help="Directory, or - to print the only file; out/fields/PREFIX/LANG without it.",
)
@effort_option
@json_option("the files, each function, and what is proved of it")
def field(out: Path | None, *, as_json: bool, **options: Any) -> None:  # noqa: ANN401 - click passes them by name
    """Emit proved, constant-time arithmetic in a prime field, and in its quadratic extension.

    Every operation on words, and what the loops of inversions and roots do, is proved before anything is
    written. Beside the source stand a Makefile and programs that test and time it.

    \b
    Examples:
      efdgen field --prime 2^255-19 --lang c
      efdgen field --prime 'P-256 order' --lang rust --prefix scalar --out src/scalar
      efdgen field --prime '5*2^248-1' --lang c --degree 2 --nonresidue -1
      efdgen field --curve secp256k1 --lang c --word 64 --ops add,sub,mul,sqr,inv
    """
    from efdgen.generator.output import only_file, require_directory
    from efdgen.generator.progress import work
    from efdgen.generator.render.field_proofs import proofs
    from efdgen.verify.readback.proofs import FieldProofs

    printed = str(out) == "-"
    if printed:
        require_one_file(as_json, options)
    if out and not printed:
        require_directory(out)
    request, prover = _request(**options), FieldProofs()
    listed = as_json and request.language != "python"
    with work("proving the field"):
        files = _files(request, prover)
        proved = prover.proved(lambda certify: list(proofs(request, certify))) if listed else []
    if printed:
        click.echo(only_file(files), nl=False)
        return
    for build in request.field().representations if request.language != "python" else ():
        note(f"{build.word}-bit words: {build.plan.reason}.")
    directory = out or Path("out", "fields", request.prefix, request.language)
    written = write(directory, files, quiet=as_json)
    if as_json:
        echo_files(written, functions=proved)


def made(options: dict[str, Any]) -> tuple[Path, dict[str, str]]:
    """Return where the files of a command line go by default, and their texts."""
    from efdgen.verify.readback.proofs import FieldProofs

    request = _request(**options)
    return Path("out", "fields", request.prefix, request.language), _files(request, FieldProofs())


def _files(request: FieldRequest, prover: FieldProofs) -> dict[str, str]:
    """Return the files of a field, proved and read back."""
    from functools import partial

    from efdgen.generator.autotuning.use import require_use
    from efdgen.generator.render.field_bundle import render_field

    if request.tuning:
        require_use(request.tuning, request.field().prime, request.prime, {})
    files = prover.proved(partial(render_field, request))
    prover.require_read(files)
    return files


def _request(  # noqa: PLR0913 - what several options make together
    *,
    prime: str | None,
    curve: str | None,
    order: bool,
    degree: str,
    nonresidue: int | None,
    ops: str,
    word: str | None,
    tuning: Path | None,
    language: Language,
    **options: Any,  # noqa: ANN401 - these are passed as they are
) -> FieldRequest:
    """Return what the options ask for."""
    from efdgen.generator.errors import EfdgenError
    from efdgen.generator.fields.request import FieldRequest
    from efdgen.generator.tuning.file import read_tuning

    if (prime is None) == (curve is None) or (order and curve is None):
        raise EfdgenError("give --prime, or --curve with or without --order")
    if is_given("ops") and not ops.strip(" ,"):
        raise EfdgenError("--ops names no operation; leave it out for all of them")
    require_target(language, options["target"])
    if nonresidue is not None and degree == "1":
        raise EfdgenError("--nonresidue goes with --degree 2")
    words: dict[str | None, Literal[64, 32] | None] = {"64": 64, "32": 32, None: None}
    return FieldRequest(
        language,
        prime if prime is not None else f"{curve}{' order' if order else ''}",
        words[word],
        operations=tuple(name.strip() for name in ops.split(",") if name.strip()),
        nonresidue=(-1 if nonresidue is None else nonresidue) if degree == "2" else None,
        tuning=read_tuning(tuning, language) if tuning else None,
        **options,
    )

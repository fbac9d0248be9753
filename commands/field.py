"""The command `efdgen field`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from efdgen.commands.common import (
    echo_files,
    effort_option,
    is_given,
    json_option,
    note,
    option,
    out_option,
    require_one_file,
    write,
)
from efdgen.generator.options import REQUIRED

if TYPE_CHECKING:
    from efdgen.generator.fields.request import FieldRequest
    from efdgen.generator.options import Language
    from efdgen.verify.readback.proofs import FieldProofs


@click.command()
@click.option("--prime", help="2^255-19, a hexadecimal number, a curve's name, or 'P-256 order'.")
@click.option("--binary", metavar="POLYNOMIAL", help="GF(2^m), by a polynomial such as 'x^233 + x^74 + 1'.")
@option("curve", default=None, help="Use the field of a curve, by name or file.")
@click.option("--order", is_flag=True, help="With --curve: use the order of its generator.")
@option("lang", default=REQUIRED, help=None)
@click.option("--word", type=click.Choice(["64", "32"]), help="Bits of a word; the default is both.")
@option("optimize", help="With --lang c: speed, or size for firmware: loops on 32-bit words.")
@option("target")
@option("representation")
@option("tuning")
@click.option("--degree", type=click.Choice(["1", "2"]), default="1", help="2 adds GF(p²).")
@click.option("--nonresidue", type=int, help="With --degree 2: the square of i; the default is -1.")
@click.option("--ops", default="", help="Operations, separated by commas; the default is all.")
@option("prefix", default="fp", help="Prefix of every name.")
@option("layout", help="c: header or split; rust: crate or module. The first is the default.")
@out_option("out/fields/PREFIX/LANG")
@effort_option
@json_option("the files, and each function with its proof")
def field(out: Path | None, *, as_json: bool, **options: Any) -> None:  # noqa: ANN401 - click passes them by name
    """Emit proved, constant-time arithmetic in a prime field and its quadratic extension, or in GF(2^m).

    Every operation on words, and the loops of inversions and roots, are proved before anything is written.
    The output includes a Makefile and programs that test and time the field.

    \b
    Examples:
      efdgen field --prime 2^255-19 --lang c
      efdgen field --prime 'P-256 order' --lang rust --prefix scalar --out src/scalar
      efdgen field --prime '5*2^248-1' --lang c --degree 2 --nonresidue -1
      efdgen field --curve secp256k1 --lang c --word 64 --ops add,sub,mul,sqr,inv
      efdgen field --binary 'x^233 + x^74 + 1' --lang c
    """
    from efdgen.commands.kept import kept_files
    from efdgen.generator.output import only_file, require_directory
    from efdgen.generator.progress import work
    from efdgen.generator.render.field.proofs import proofs
    from efdgen.verify.readback.proofs import FieldProofs

    printed = str(out) == "-"
    if printed:
        require_one_file(as_json, options)
    if out and not printed:
        require_directory(out)
    request = _request(**options)
    in_words = request if request.lang != "python" else None
    with work("proving the field"):
        default, files = kept_files("field", options, made)
        listed = in_words if as_json else None
        proved = FieldProofs().proved(lambda claims: list(proofs(listed, claims))) if listed else []
    if printed:
        click.echo(only_file(files), nl=False)
        return
    for build in in_words.field().representations if in_words else ():
        note(f"{build.word}-bit words: {build.plan.reason}.")
    written = write(out or default, files, quiet=as_json)
    if as_json:
        echo_files(written, functions=proved)


def made(options: dict[str, Any]) -> tuple[Path, dict[str, str]]:
    """Return the default directory of a command line's files, and their texts."""
    from efdgen.verify.readback.proofs import FieldProofs

    request = _request(**options)
    place = Path("out", "fields", request.prefix, request.lang)
    return place, _files(request, FieldProofs())


def _files(request: FieldRequest, prover: FieldProofs) -> dict[str, str]:
    """Return the files of a field, proved and read back."""
    from functools import partial

    from efdgen.generator.autotuning.use import require_use
    from efdgen.generator.render.field.bundle import render_field

    if request.tuning:
        require_use(request.tuning, request.field().prime, request.prime, {})
    files = prover.proved(partial(render_field, request))
    prover.require_read(files)
    return files


def _request(  # noqa: PLR0913 - one argument per option
    *,
    prime: str | None,
    binary: str | None,
    curve: str | None,
    order: bool,
    degree: str,
    nonresidue: int | None,
    ops: str,
    word: str | None,
    tuning: Path | None,
    lang: Language,
    **options: Any,  # noqa: ANN401 - these are passed as they are
) -> FieldRequest:
    """Return the request that the options describe."""
    from efdgen.commands.common import refuse_given
    from efdgen.generator.errors import EfdgenError
    from efdgen.generator.fields.request import FieldRequest
    from efdgen.generator.tuning.file import read_tuning

    if [prime, binary, curve].count(None) != 2 or (order and curve is None):
        raise EfdgenError("give --prime, --binary, or --curve with or without --order")
    if is_given("ops") and not ops.strip(" ,"):
        raise EfdgenError("--ops names no operation; remove it for all of them")
    from efdgen.api.requests import require_representation, require_target

    polynomial = binary if curve is None or order else _polynomial_of(curve)
    if polynomial is not None:
        refuse_given(("optimize", "representation", "tuning", "degree", "nonresidue"), "over GF(2^m)")
    if lang != "c":
        refuse_given(("optimize",), "except in C; remove it")
    require_target(lang, options["target"])
    require_representation(options["optimize"], options["representation"])
    if nonresidue is not None and degree == "1":
        raise EfdgenError("--nonresidue needs --degree 2")
    words: dict[str | None, Literal[64, 32] | None] = {"64": 64, "32": 32, None: None}
    return FieldRequest(
        lang,
        "" if polynomial is not None else prime or f"{curve}{' order' if order else ''}",
        words[word],
        operations=_names(ops),
        nonresidue=(-1 if nonresidue is None else nonresidue) if degree == "2" else None,
        tuning=read_tuning(tuning, lang) if tuning else None,
        polynomial=polynomial,
        **options,
    )


def _names(ops: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in ops.split(",") if name.strip())


def _polynomial_of(curve: str) -> str | None:
    """Return the polynomial of a curve over GF(2^m), None of another curve."""
    from efdgen.generator.curves.load import checked_curve
    from efdgen.generator.mathematics.binary import polynomial_text

    field = checked_curve(curve).field
    return polynomial_text(field.polynomial) if field.is_binary else None

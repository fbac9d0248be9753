"""The command `efdgen certify`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from efdgen.commands import completion
from efdgen.commands.common import DIRECTORY, FILE, as_option, echo, echo_json, json_option, write

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from efdgen.verify.rocq.certificate import Certificate
    from efdgen.verify.rocq.coqc import Checked

_MANY = 20
"""Above this number of certificates tables are printed, and not each of them."""


@click.command()
@click.argument("selectors", nargs=-1, metavar="[SELECTOR]...", shell_complete=completion.FORMULAS)
@as_option
@click.option(
    "--format",
    "form",
    type=click.Choice(["rocq", "sage"]),
    default="rocq",
    show_default=True,
    help="Certificates for Rocq's kernel, or scripts for SageMath.",
)
@click.option(
    "--out", type=DIRECTORY, default="certificates", show_default=True, help="Directory of the files."
)
@click.option("--check", is_flag=True, help="Have Rocq's compiler, coqc, check the certificates.")
@click.option(
    "--together", is_flag=True, help="Check many certificates in few processes, which share the checker."
)
@click.option(
    "--unchecked", is_flag=True, help="Write certificates of false formulas too, which Rocq refuses."
)
@click.option(
    "--curve", shell_complete=completion.CURVES, help="Certify the program that is emitted for this curve."
)
@click.option(
    "--models", is_flag=True, help="Certify affine laws and maps between models instead of formulas."
)
@click.option(
    "--jobs", type=click.IntRange(min=1), help="Number of processes; the default is one per processor."
)
@click.option(
    "--record", type=FILE, help="With --check, write digests of the accepted formulas to this file."
)
@json_option("a list of objects with subject, path, theorems, and the seconds of a check")
def certify(
    selectors: tuple[str, ...],
    place: str | None,
    form: str,
    out: Path,
    as_json: bool,
    **asked: Any,  # noqa: ANN401 - click passes the other options
) -> None:
    """Write certificates of formulas, which Rocq's kernel checks and which trust efdgen in nothing.

    A certificate is one file that needs only Rocq's standard library: a statement to read, a checker that is
    proved, and the data of a proof. Without a selector all formulas are certified.

    The exit status is 0 if everything is certified, and with --check accepted; 1 if a formula is false, or
    Rocq refuses a certificate; 2 for an invalid command line, or without coqc.

    \b
    Examples:
      efdgen certify add-2007-bl --out proofs --check
      efdgen certify g1p/shortw/jacobian --check --together
      efdgen certify my-doubling --as g1p/shortw/jacobian-0/doubling --format sage
      efdgen certify dbl-2009-l --curve secp256k1
    """
    check, together, curve, models = (asked[name] for name in ("check", "together", "curve", "models"))
    if together and not check:
        raise click.UsageError("--together has no effect without --check")
    if check and form == "sage":
        raise click.UsageError("--check is for --format rocq; run the scripts with sage")
    if asked["record"] and (not check or models or curve):
        raise click.UsageError("--record needs --check, and takes neither --models nor --curve")
    if models and (place or curve):
        raise click.UsageError("--models takes neither --as nor --curve")
    from efdgen.verify.rocq.coqc import require_rocq
    from efdgen.verify.rocq.many import certify_all, subjects

    if check:
        require_rocq()
    found, refused = certify_all(
        subjects(selectors, place, curve, models=models), asked["jobs"], unchecked=asked["unchecked"]
    )
    files = {each.file if form == "rocq" else each.script_file: each.text(form) for each in found}
    write(out, files, quiet=as_json or len(files) > _MANY)
    for subject, reason in refused:
        click.echo(f"not certified: {subject}: {reason}", err=True)
    checked = _checked(found, together=together, jobs=asked["jobs"], as_json=as_json) if check else []
    if as_json:
        seconds = {each.certificate.subject: each.seconds for each in checked}
        echo_json([_fields(each, out, form, seconds) for each in found])
    elif len(files) > _MANY:
        echo(f"{len(files)} certificates in {out}")
    if asked["record"] and checked:
        _record(asked["record"], checked)
    if refused or len(checked) < len(found) * check:
        sys.exit(1)


def _fields(certificate: Certificate, out: Path, form: str, seconds: dict[str, float]) -> dict[str, object]:
    file = certificate.file if form == "rocq" else certificate.script_file
    fields = {"id": certificate.subject, "path": str(out / file), "theorems": list(certificate.names)}
    return fields | ({"seconds": seconds.get(certificate.subject)} if seconds else {})


def _checked(
    certificates: Sequence[Certificate], *, together: bool, jobs: int | None, as_json: bool
) -> list[Checked]:
    """Have Rocq check certificates; print each, and return those that it accepts."""
    import os

    from efdgen.generator.progress import each
    from efdgen.verify.rocq.coqc import Checked, check_alone, check_together
    from efdgen.verify.rocq.table import table

    found = []
    results = (
        check_together(certificates, jobs or os.cpu_count() or 1)
        if together
        else map(check_alone, certificates)
    )
    for checked in each(results, len(certificates), "checking"):
        if not isinstance(checked, Checked):
            click.echo(str(checked), err=True)
            continue
        found.append(checked)
        if not as_json and len(certificates) <= _MANY:
            echo(f"accepted by Rocq in {checked.seconds:.1f} s: {checked.certificate.subject}")
    if not as_json and len(certificates) > _MANY:
        click.echo(table(found, len(certificates)))
    return found


def _record(path: Path, checked: Sequence[Checked]) -> None:
    """Write which formulas Rocq accepted, as the file that ``efdgen show`` reads."""
    from efdgen.generator.formulas.database import Database
    from efdgen.verify.files import write_whole
    from efdgen.verify.rocq.coqc import version
    from efdgen.verify.rocq.record import Accepted, formula_digest, record_text

    database = Database()
    found = [
        (
            each.certificate.subject,
            Accepted(formula_digest(database.formula(each.certificate.subject)), each.certificate.digest),
        )
        for each in checked
    ]
    write_whole(path, record_text(version(), found))

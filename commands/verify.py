"""The command `efdgen verify`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from efdgen.commands import completion
from efdgen.commands.common import DIRECTORY, JsonList, echo, echo_json, effort_option, json_option, note

if TYPE_CHECKING:
    from pathlib import Path

    from efdgen.verify.finding import Finding


@click.command()
@click.argument("selectors", nargs=-1, metavar="[SELECTOR]...", shell_complete=completion.FORMULAS)
@click.option("--from", "tree", type=DIRECTORY, help="Prove a published tree, including its .op3 files.")
@json_option("the findings, a list of objects; the report goes to standard error")
@click.option(
    "--jobs", type=click.IntRange(min=1), help="Number of processes; the default is one per processor."
)
@effort_option
@click.option("--again", is_flag=True, help="Prove everything again; use no cached and no shipped proofs.")
@click.option("--models", is_flag=True, help="Prove affine laws and maps between models instead of formulas.")
def verify(
    selectors: tuple[str, ...], tree: Path | None, as_json: bool, jobs: int | None, again: bool, models: bool
) -> None:
    """Prove that every output of a formula satisfies the law of its kind, on the generic curve.

    Without a selector everything is proved. Earlier proofs are cached in EFDGEN_CACHE, or in
    ~/.cache/efdgen; proofs of the built-in database are shipped with efdgen. Further proofs need Sage,
    of which passagemath-singular suffices.

    \b
    Verdicts:
      proved     for all inputs, except the listed exceptions and primes
      refuted    false
      undecided  a budget ran out; --effort raises all of them
      error      no proof could be attempted: an unreadable text, or a prover that crashed

    If the law is proved and the exceptional inputs are not derived, the report names both in place of the
    last two: law proved; exceptional inputs undecided. In JSON they are "law" and "exceptional_inputs".

    The tree of --from is the published database of 2019, a copy of its site, with folders g1p/data and
    g1p/auto-code, or the toolkit pyecsca's copy, without a folder g1p/. Its further statements are proved
    too (ysquared, toaffine, tosystem, homogweight, neutral, unified), and its formulas are compared with
    the current ones: the same text, the same values, other values, or new.

    The exit status is 0 if everything is proved, 1 if something is not, or its law alone is, 2 for an invalid
    command line, and 130 after an interrupt.

    \b
    Examples:
      efdgen verify
      efdgen verify --again g1p/shortw/jacobian
      efdgen verify 'g1p/shortw/jacobian*' add-2007-bl --json > findings.json
      efdgen verify --from efd-upstream
    """
    from time import perf_counter

    start = perf_counter()
    from efdgen.generator.formulas.database import Database
    from efdgen.generator.reports.references import warn_of_unknown_keys
    from efdgen.verify.prover import examine_formulas, examine_models, models_of
    from efdgen.verify.report import Report, objects, report

    if again:
        from efdgen.verify import store

        store.prove_again()
    database = Database(tree, "upstream") if tree else Database()
    ids = database.select(selectors)
    warn_of_unknown_keys(database, ids)
    said = Report(len(models_of(database, ids) if models else ids))
    document = JsonList() if as_json and not tree else None

    def found(finding: Finding) -> None:
        """Print a finding as soon as it is there: a run that is interrupted has printed those before."""
        for line in said.lines(finding):
            (note if as_json else echo)(line)
        if document:
            document.append(objects([finding])[0])

    findings = (examine_models if models else examine_formulas)(database, ids, jobs, found)
    lines, stated = said.summary(perf_counter() - start), []
    if tree and not models:
        from efdgen.verify.published import compared, comparison
        from efdgen.verify.stated import examine_stated

        start = perf_counter()
        if stated := examine_stated(database, findings):
            lines += report(stated, perf_counter() - start, "statements about systems and formulas")
        findings = compared(database, findings, Database())
        lines += comparison(findings)
    if document:
        document.end()
    elif as_json:
        echo_json(objects([*findings, *stated]))
    (note if as_json else click.echo)("\n".join(lines))
    if any(finding.verdict != "proved" for finding in (*findings, *stated)):
        sys.exit(1)

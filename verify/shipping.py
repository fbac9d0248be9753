"""Making of the proofs that are part of efdgen: ``python -m efdgen.verify.shipping``.

These are the verdicts on all formulas, models and maps of the database, and the exceptional inputs of
formulas, also in other systems, as plans of whole curves have them. All are proved again, in a cache of their
own, whose content is the file. Sage has to be installed.
"""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from importlib.metadata import version
from itertools import chain
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

import click

from efdgen.generator.errors import EfdgenError
from efdgen.generator.formulas.database import Database
from efdgen.generator.planning.kernels import rehomed
from efdgen.generator.planning.make import MODELS
from efdgen.generator.progress import aside, each
from efdgen.verify import shipped, store
from efdgen.verify.account import account
from efdgen.verify.children import ask_all
from efdgen.verify.exceptions.derived import derive
from efdgen.verify.files import write_whole
from efdgen.verify.prover import examine_formulas, examine_models, models_of
from efdgen.verify.report import Report

if TYPE_CHECKING:
    from efdgen.generator.formulas.formula import Formula
    from efdgen.verify.finding import Finding

_MADE_WITH = ("passagemath-singular", "python-flint", "lark")
_CHILDREN = os.cpu_count() or 1


def ship() -> bool:
    """Prove everything and write the file where it differs; return whether it was as it is now.

    Raises :class:`EfdgenError` if something is not proved.
    """
    with tempfile.TemporaryDirectory() as cache:
        os.environ |= {"EFDGEN_CACHE": cache, "EFDGEN_SHIPPED_PROOFS": "never"}
        database = Database()
        _prove(database)
        _account(database)
        with_what = ", ".join(f"{name} {version(name)}" for name in _MADE_WITH)
        names = [kept.stem for kept in Path(cache).iterdir() if "-" in kept.stem]
        text = shipped.text_of(((name, store.load(name)) for name in names), with_what)
    same = shipped.FILE.is_file() and shipped.FILE.read_text(encoding="ascii") == text
    if not same:
        write_whole(shipped.FILE, text)
    return same


def _prove(database: Database) -> None:
    """Prove models, maps and formulas, and print the findings as ``efdgen verify`` does."""
    models = models_of(database, database.ids)
    for examine, names in ((examine_models, models), (examine_formulas, database.ids)):
        start, said = perf_counter(), Report(len(names))

        def found(finding: Finding, said: Report = said) -> None:
            with aside():
                click.echo("".join(f"{line}\n" for line in said.lines(finding)), nl=False)

        findings = examine(database, database.ids, found=found)
        click.echo("\n".join(said.summary(perf_counter() - start)))
        wrong = [finding.id for finding in findings if finding.verdict != "proved"]
        if wrong:
            raise EfdgenError(f"{wrong[0]} is not proved")


def _account(database: Database) -> None:
    """Prove formulas as ``compile`` asks for them, and derive exceptional inputs in all systems."""
    own = [[name] for name in database.ids]
    asked = ask_all(lambda name: account(database.formula(name)).verdict, own, _CHILDREN)
    for name, verdict in each(asked, len(own), "exceptional inputs"):
        if verdict != "proved":
            raise EfdgenError(f"{name} is not proved: {verdict}")
    others = [*chain.from_iterable(rehomed(database, model) for model in MODELS)]
    places = [[place] for place in range(len(others))]
    further = ask_all(lambda place: _derive(others[place]), places, _CHILDREN)
    for _, failure in each(further, len(others), "exceptional inputs in other systems"):
        if failure is not None:
            raise failure


def _derive(formula: Formula) -> None:
    with suppress(EfdgenError, ValueError):  # not every formula fits every system
        derive(formula)


if __name__ == "__main__":
    if not ship():
        click.echo(f"{shipped.FILE.name} was out of date and is written again; commit it")

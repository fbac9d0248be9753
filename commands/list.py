"""The command `efdgen list`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from efdgen.commands import completion
from efdgen.commands.common import is_given, json_option

if TYPE_CHECKING:
    from collections.abc import Sequence

    from efdgen.generator.formulas.database import Database


def _multiplications(_context: click.Context, _option: click.Parameter, text: str | None) -> object:
    """Read a number of multiplications, such as ``11`` or ``9.6``."""
    import re
    from fractions import Fraction

    if text is not None and not re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,9})?", text):
        raise click.BadParameter(f"{text[:60]!r} is not a number of multiplications, such as 9.6")
    return None if text is None else Fraction(text)


@click.command("list")
@click.argument("selectors", nargs=-1, metavar="[SELECTOR]...", shell_complete=completion.FORMULAS)
@click.option(
    "--kind",
    "kinds",
    multiple=True,
    shell_complete=completion.KINDS,
    help="Only this kind, such as doubling; repeatable, for any of several kinds.",
)
@click.option(
    "--complete", is_flag=True, help="Only proved formulas that are complete, at least on some curves."
)
@click.option("--unified", is_flag=True, help="Only proved additions that also add equal points.")
@click.option(
    "--max-cost",
    metavar="N",
    callback=_multiplications,
    help="Only an emitted cost of at most N multiplications.",
)
@click.option("--weights", default="", help="Weights for --max-cost, such as S=0.67, or a preset.")
@click.option(
    "--assuming", multiple=True, help="Only with this assumption, such as a=-3, Z2=1, a, or nothing."
)
@click.option(
    "--year", "years", default="", help="Only from a work of these years: 2007, 2005-2010, 2005-, -1999."
)
@click.option(
    "--author",
    default="",
    shell_complete=completion.AUTHORS,
    help="Only from a work by this author; a part of the name suffices.",
)
@json_option("a list of objects")
def list_command(
    selectors: tuple[str, ...],
    complete: bool,
    unified: bool,
    as_json: bool,
    **asked: Any,  # noqa: ANN401 - click passes what Filters takes
) -> None:
    """List the formulas that match the selectors, or all; options filter them.

    --complete and --unified prove formulas without a cached proof, and omit those that are not proved.

    \b
    Examples:
      efdgen list g1p/shortw/jacobian
      efdgen list 'madd-*' --json
      efdgen list --kind doubling --assuming a=-3 --max-cost 8
      efdgen list g1p/edwards --complete --unified --author lange --year 2007-
    """
    from efdgen.commands.kept import kept_answer
    from efdgen.generator.errors import EfdgenError
    from efdgen.generator.formulas.database import Database
    from efdgen.generator.reports.filters import Filters

    if is_given("weights") and not is_given("max_cost"):
        raise EfdgenError("--weights has no effect without --max-cost")
    options = (selectors, sorted(asked.items()), complete, unified, as_json)

    def answer() -> str:
        database = Database()
        found = Filters(**asked).select(database, database.select(selectors))
        if complete or unified:
            found = _derived(database, found, complete=complete, unified=unified)
        return _as_json(database, found) if as_json else "".join(f"{name}\n" for name in found)

    if not (as_json or asked["years"] or asked["author"] or asked["max_cost"] or asked["assuming"]):
        click.echo(answer(), nl=False)  # names are listed faster than answers are looked up
        return
    click.echo(kept_answer(("list", *map(repr, options)), answer), nl=False)


def _as_json(database: Database, ids: Sequence[str]) -> str:
    """Return the summaries of formulas, and what checked them."""
    from efdgen.generator.reports.describe import summary
    from efdgen.generator.reports.json_text import json_text
    from efdgen.verify.rocq.record import checked_by

    formulas = [database.formula(formula_id) for formula_id in database.readable(ids)]
    return json_text([{**summary(each), "checked_by": checked_by(each)} for each in formulas])


def _derived(database: Database, ids: Sequence[str], *, complete: bool, unified: bool) -> tuple[str, ...]:
    """Return the proved formulas that are derived to be complete or unified, as requested."""
    from efdgen.verify.finding import FormulaFinding
    from efdgen.verify.prover import examine_formulas

    return tuple(
        found.id
        for found in (examine_formulas(database, ids) if ids else ())
        if isinstance(found, FormulaFinding)
        and found.verdict == "proved"
        and (not complete or found.complete not in {None, "no"})
        and (not unified or found.unified)
    )

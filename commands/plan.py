"""The command `efdgen plan`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from efdgen.api.formulas import database
from efdgen.commands.common import FORMATS, chosen_format, format_option, json_option, option
from efdgen.generator.options import REQUIRED

if TYPE_CHECKING:
    from efdgen.generator.formulas.database import Database
    from efdgen.generator.planning.ladder import LadderPlan
    from efdgen.generator.planning.plan import CurvePlan

SUMS = [f"multi-{count}" for count in (2, 8, 32, 128, 1024)]
# The multiplications that are proved, by the operations that they do.
_MULTIPLICATIONS = {"variable-base": "multiply", "fixed-base": "multiply_generator"}
OPERATIONS = ["variable-base", "variable-base-var", "fixed-base", "double-base", "half-length", *SUMS]


@click.command()
@option("curve", default=REQUIRED)
@click.option(
    "--operation", multiple=True, type=click.Choice(OPERATIONS), help="Operation; the default is all."
)
@option("coords", help="One coordinate system; the default is all that fit the curve.")
@option("table", help="Size of the generator's tables, at most 1/4, 3, 24 or 96 KiB.")
@option("odd_multiples", help="Method for tables of P, 3P, …")
@option("weights", help="Weights that determine the choice, as in `efdgen cost tables`.")
@format_option(FORMATS)
@json_option("an object for each candidate; the same as --format json")
def plan(
    operation: tuple[str, ...],
    form: str,
    as_json: bool,
    **options: Any,  # noqa: ANN401 - click passes what Request takes
) -> None:
    """Print the methods of scalar multiplication on a curve, with their costs; * marks the chosen one.

    The best of each other system is marked +. Weights include the masked table lookups. multi-8 is the sum
    of multiples of 8 points. A Montgomery curve has one method, its ladder. With --json, multiplications in
    constant time have their proof in C and Rust.

    \b
    Examples:
      efdgen plan --curve secp256k1 --operation double-base
      efdgen plan --curve edwards25519 --coords extended --weights S=0.67 --json
      efdgen plan --curve P-256 --operation multi-32 --odd-multiples co-z
    """
    from efdgen.commands.kept import kept_text

    form = chosen_format(form, as_json)
    curve = options["curve"]

    def answer() -> str:
        from efdgen.generator.compile import Request
        from efdgen.generator.errors import EfdgenError
        from efdgen.generator.planning.formats import render
        from efdgen.generator.planning.request import draft_ladder, draft_request
        from efdgen.generator.progress import work

        request = Request("python", set="curve", **options)
        shelf = database()
        with work("planning"):
            ladder = draft_ladder(shelf, request)
            found = [ladder] if ladder else draft_request(shelf, request)
        missing = [name for name in operation if name not in found[0].candidates]
        if missing:
            raise EfdgenError(f"{curve} has no method for {missing[0]}; leave --operation {missing[0]} out")
        asked = operation or [name for name in OPERATIONS if name in found[0].candidates]
        return render(found, asked, form, _proofs(found[0], shelf) if form == "json" else {})

    click.echo(kept_text(("plan", operation, form, *options.items()), answer, files=[curve]), nl=False)


def _proofs(plan: CurvePlan | LadderPlan, shelf: Database) -> dict[str, str]:
    """Return what is proved of operations of a plan; nothing of a ladder, which is tested."""
    from efdgen.generator.planning.ladder import LadderPlan
    from efdgen.generator.progress import work
    from efdgen.verify.plan_proofs import require_safe

    if isinstance(plan, LadderPlan):
        return {}
    with work("proving multiplications"):
        found = require_safe(plan, shelf).proofs
    return {operation: found[name] for operation, name in _MULTIPLICATIONS.items()}

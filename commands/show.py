"""The command `efdgen show`."""

from __future__ import annotations

from dataclasses import asdict

import click

from efdgen.commands.common import echo_json, effort_option


@click.command()
@click.argument("formula_id", metavar="ID")
@effort_option
@click.option("--json", "as_json", is_flag=True, help="One object.")
def show(formula_id: str, as_json: bool) -> None:
    """Show a formula: source, equations, program, cost, whether it is proved, and where it is wrong.

    \b
    Examples:
      efdgen show g1p/shortw/jacobian/addition/add-2007-bl
      efdgen show jacobian/doubling/dbl-2007-bl --json
    """
    from efdgen.generator.formulas.database import Database
    from efdgen.generator.programs.lower import lower
    from efdgen.generator.reports.describe import description, description_text, one_formula

    database = Database()
    formula = database.formula(one_formula(database, formula_id))

    # Behind the look-up, because these take longer than that.
    from efdgen.verify.certificate import certify
    from efdgen.verify.exceptions.derived import derive
    from efdgen.verify.refutation import explain

    certificate = certify(formula, lower(formula))
    derived = derive(formula).fields() if certificate.verdict == "proved" else {}
    refutation = explain(formula) if certificate.verdict == "refuted" else None
    if as_json:
        found = {"verdict": certificate.verdict, "reason": certificate.reason}
        proof = {"characteristic": certificate.characteristic, "remarks": list(certificate.remarks)}
        why = {"refutation": asdict(refutation)} if refutation else {}
        echo_json(description(formula) | found | proof | derived | why)
    else:
        proved = f"proved for {certificate.characteristic}" if derived else certificate.verdict
        verdict = ": ".join(filter(None, (proved, certificate.reason, *certificate.remarks)))
        click.echo(description_text(formula, verdict, derived), nl=False)
        if refutation:
            click.echo("\n".join(["", "refutation", *(f"  {line}" for line in refutation.lines())]))

"""The command `efdgen curves`."""

from __future__ import annotations

import click

from efdgen.commands import completion
from efdgen.commands.common import echo_json, json_option


@click.group(invoke_without_command=True)
@json_option("a list of objects")
@click.pass_context
def curves(context: click.Context, as_json: bool) -> None:
    """List the built-in curves: name, bits of the field, model, aliases.

    \b
    Examples:
      efdgen curves
      efdgen curves show P-256
      efdgen curves check my-curve.toml
    """
    if context.invoked_subcommand is not None and as_json:
        raise click.UsageError(f"--json must follow {context.invoked_subcommand}")
    if context.invoked_subcommand is None:
        from efdgen.generator.curves.load import built_in_curves
        from efdgen.generator.curves.text import curve_list, curve_object

        found = built_in_curves()
        if as_json:
            echo_json([curve_object(curve) for curve in found])
        else:
            click.echo(curve_list(found), nl=False)


@curves.command("show")
@click.argument("name", metavar="NAME", shell_complete=completion.CURVES)
@json_option("one object")
def show_curve(name: str, as_json: bool) -> None:
    """Show a built-in curve, by name or alias, or a curve file.

    \b
    Examples:
      efdgen curves show edwards25519
      efdgen curves show my-curve.toml --json
    """
    from efdgen.generator.curves.load import checked_curve
    from efdgen.generator.curves.text import curve_object, curve_text

    curve = checked_curve(name)
    if as_json:
        echo_json(curve_object(curve))
    else:
        click.echo(curve_text(curve), nl=False)


@curves.command("check")
@click.argument("file", metavar="FILE", shell_complete=completion.CURVES)
@json_option("the curve, and the checks that passed")
def check_curve(file: str, as_json: bool) -> None:
    """Check every claim of a curve file, and print the checks that passed.

    The prime is prime, or the polynomial irreducible; the curve is not singular, the generator is on it;
    order and cofactor are correct.

    \b
    Example:
      efdgen curves check my-curve.toml
    """
    from efdgen.generator.curves.load import checked_curve
    from efdgen.generator.curves.text import checked, curve_object

    curve = checked_curve(file)
    if as_json:
        echo_json(curve_object(curve) | {"checked": checked(curve)})
    else:
        click.echo(f"{curve.name}: {', '.join(checked(curve))}")

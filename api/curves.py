"""Plans of curves, and their code."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, get_args

if TYPE_CHECKING:
    from collections.abc import Sequence
    from os import PathLike

    from efdgen.generator.curves.curve import Curve
    from efdgen.generator.planning.ladder import LadderPlan
    from efdgen.generator.planning.plan import CurvePlan

Language = Literal["c", "rust", "python"]
Set = Literal["kernels", "curve", "protocols"]
Table = Literal["small", "medium", "large"]
Lowering = Literal["whole", "calls"]
# Names in requests, where they differ from those of arguments, and defaults that are not None.
_NAMES = {"lang": "language", "field_api": "host", "coords": "coordinates", "to": "destination"}
_DEFAULTS = {"formulas": (), "set": "kernels", "table": "medium", "lowering": "whole"}
_CHOICES = {"lang": Language, "set": Set, "table": Table, "lowering": Lowering}


def curves() -> list[Curve]:
    """Return the built-in curves, and those of directories of one's own, in order of their names."""
    from efdgen.generator.curves.load import built_in_curves

    return built_in_curves()


def curve(name: str) -> Curve:
    """Return a curve by its name, in any spelling, or by its file, with all of its claims checked.

    Raises :class:`EfdgenError` for an unknown name, and for a file with a false claim.
    """
    from efdgen.generator.curves.load import checked_curve

    return checked_curve(name)


def plan(
    curve: str, *, coords: str | None = None, table: Table = "medium", weights: str | None = None
) -> CurvePlan | LadderPlan:
    """Plan the scalar multiplications of a curve, and prove them: the plan of ``compile(set="curve")`` in C.

    ``candidates`` are the methods that were weighed for each operation, the chosen one first; ``proofs`` say
    what is proved of multiplications. Raises :class:`EfdgenError` for a curve that has no plan.
    """
    from efdgen.api.files import planned
    from efdgen.generator.compile import Request

    _require_choices(table=table)
    return planned(Request("c", curve, coords, set="curve", table=table, weights=weights))


def compile(  # noqa: PLR0913 - the name of the command, and one argument per option of it
    *,
    curve: str,
    lang: Language | None = None,
    field_api: str | None = None,
    coords: str | None = None,
    formulas: Sequence[str] = (),
    to: str | None = None,
    set: Set = "kernels",
    table: Table = "medium",
    odd_multiples: str | None = None,
    second: str | None = None,
    backend: Literal["c"] | None = None,
    api: str | None = None,
    crate_name: str | None = None,
    crate_version: str | None = None,
    prefix: str | None = None,
    layout: str | None = None,
    lowering: Lowering = "whole",
    target: str | None = None,
    representation: str | None = None,
    tuning: str | PathLike[str] | None = None,
    weights: str | None = None,
    in_bounds: str | None = None,
    out_bounds: str | None = None,
    license: str | None = None,
) -> dict[str, str]:
    """Return the files that ``efdgen compile`` writes with the same options: relative path to text.

    Everything is proved before it returns; the same arguments return the same texts. ``formulas`` are ids or
    globs, ``tuning`` is a file that ``efdgen tune`` wrote. Raises :class:`EfdgenError` for a request that
    cannot be met, and where anything is not proved.
    """
    options = {_NAMES.get(name, name): value for name, value in locals().items()}
    from efdgen.api.files import files_of
    from efdgen.api.requests import request_of
    from efdgen.generator.errors import EfdgenError
    from efdgen.generator.header import sealed

    if (lang is None) == (field_api is None):
        both = ", not both" if lang else ""
        raise EfdgenError(f"give lang, or field_api for another project's field{both}")
    if isinstance(formulas, str):
        raise EfdgenError("formulas is a list of ids or globs, not one text")
    options["formulas"] = tuple(formulas)
    _require_choices(set=set, table=table, lowering=lowering, **({} if lang is None else {"lang": lang}))
    given = {name for name, value in options.items() if value != _DEFAULTS.get(name)}
    files = files_of(request_of(options, given))[1]
    return {name: sealed(text) for name, text in files.items()}


def _require_choices(**options: str) -> None:
    """Raise :class:`EfdgenError` for a value that an option cannot have."""
    from efdgen.generator.errors import EfdgenError

    for name, value in options.items():
        choices = get_args(_CHOICES[name])
        if value not in choices:
            raise EfdgenError(f"{name} is {', '.join(choices[:-1])} or {choices[-1]}, not {value!r}")

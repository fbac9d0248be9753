"""Plans of curves, and their code."""

from __future__ import annotations

from dataclasses import replace
from functools import wraps
from inspect import signature
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from efdgen.generator.options import TABLE, Options

if TYPE_CHECKING:
    from collections.abc import Callable

    from efdgen.generator.curves.curve import Curve
    from efdgen.generator.options import Table
    from efdgen.generator.planning.ladder import LadderPlan
    from efdgen.generator.planning.plan import CurvePlan

P = ParamSpec("P")
R = TypeVar("R")


def _taking(options: Callable[P, Options]) -> Callable[[Callable[[Options], R]], Callable[P, R]]:
    """Return a decorator of a function of options, that makes the options its arguments."""

    def decorated(function: Callable[[Options], R]) -> Callable[P, R]:
        @wraps(function)
        def call(*arguments: P.args, **named: P.kwargs) -> R:
            return function(options(*arguments, **named))

        vars(call)["__signature__"] = signature(options).replace(return_annotation="dict[str, str]")
        return call

    return decorated


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

    TABLE["table"].require(table)
    return planned(Request("c", curve, coords, set="curve", table=table, weights=weights))


@_taking(Options)
def compile(options: Options) -> dict[str, str]:
    """Return the files that ``efdgen compile`` writes with the same options: relative path to text.

    Everything is proved before it returns; the same arguments return the same texts. ``formulas`` are ids or
    globs, ``tuning`` is a file that ``efdgen tune`` wrote. Raises :class:`EfdgenError` for a request that
    cannot be met, and where anything is not proved.
    """
    from efdgen.api.files import files_of
    from efdgen.api.requests import request_of
    from efdgen.generator.errors import EfdgenError
    from efdgen.generator.header import sealed

    if (options.lang is None) == (options.field_api is None):
        both = ", not both" if options.lang else ""
        raise EfdgenError(f"give lang, or field_api for another project's field{both}")
    if (options.curve is None) == (options.group is None):
        both = ", not both" if options.group else ""
        raise EfdgenError(f"give curve, or group for a group of prime order{both}")
    for row in TABLE.values():
        row.require(getattr(options, row.name))
    options = replace(options, formulas=(*options.formulas,))
    files = files_of(request_of(options, options.changed))[1]
    return {name: sealed(text) for name, text in files.items()}

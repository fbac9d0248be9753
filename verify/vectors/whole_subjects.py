"""Whole curves that can be tested: their source files in one or more languages, with drivers."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from efdgen.generator.fields.bundle import unproved
from efdgen.generator.planning.make import unproved as unproved_formula
from efdgen.generator.planning.request import plan_curve, render_plan
from efdgen.verify.vectors.whole_curve import WholeCurve

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from efdgen.generator.compile import Language, Request
    from efdgen.generator.formulas.database import Database


@dataclass(frozen=True)
class WholeSubject:
    """A curve, and the files of its code in one or more languages."""

    title: str
    curve: WholeCurve
    files: Mapping[Language, Mapping[str, str]]


def whole_subject(database: Database, request: Request, languages: Sequence[Language]) -> WholeSubject:
    """Return the whole curve that a request asks for, printed in some languages.

    Formulas are not proved, but that the plan meets no exceptional input is. Raises :class:`EfdgenError` for
    what does not exist or does not apply.
    """
    from efdgen.verify.scalars.reasons import require_safe

    files = {}
    for language in languages:
        wanted = replace(request, language=language, layout=None)
        plan = plan_curve(database, wanted, unproved_formula, require_safe)
        files[language] = render_plan(plan, wanted, unproved)
    return WholeSubject(plan.curve.name, WholeCurve.of(plan.curve, database), files)

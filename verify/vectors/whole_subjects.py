"""Testable whole curves: their source files in one or more languages, with drivers."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from efdgen.generator.files import render_plan
from efdgen.generator.planning.exported import exported
from efdgen.generator.planning.request import plan_curve
from efdgen.verify.children import ask_all
from efdgen.verify.vectors.drivers import can_hash
from efdgen.verify.vectors.protocol_cases import protocol_questions
from efdgen.verify.vectors.whole_cases import questions
from efdgen.verify.vectors.whole_curve import WholeCurve
from efdgen.verify.vectors.whole_suite import WholeSuite

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from random import Random

    from efdgen.generator.compile import Request
    from efdgen.generator.curves.affine import Point
    from efdgen.generator.curves.curve import Curve
    from efdgen.generator.formulas.database import Database
    from efdgen.generator.options import Language
    from efdgen.generator.planning.ladder import LadderPlan
    from efdgen.generator.planning.plan import CurvePlan
    from efdgen.verify.vectors.whole_cases import Question


# The names of a curve's driver and of its protocols' driver among the curve's files.
_DRIVERS: dict[Language, tuple[str, str]] = {
    "c": ("driver.c", "driver_protocols.c"),
    "rust": ("examples/driver.rs", "examples/driver_protocols.rs"),
    "python": ("driver.py", "driver_protocols.py"),
}


@dataclass(frozen=True)
class WholeSubject:
    """A curve, and the files of its code in one or more languages."""

    title: str
    curve: WholeCurve
    files: Mapping[Language, Mapping[str, str]]
    ask: Callable[[WholeCurve, Random], Iterator[Question]] = questions

    def suite(self, seed: int) -> WholeSuite:
        """Return what its driver is asked."""
        return WholeSuite(self.curve, seed, ask=self.ask)

    def all_parts(self) -> Iterator[WholeSubject]:
        """Yield the curve, and its protocols as a subject of their own in languages that can hash here."""
        yield self
        asked = {
            language: {**files, _DRIVERS[language][0]: files[_DRIVERS[language][1]]}
            for language, files in self.files.items()
            if _DRIVERS[language][1] in files and (language != "c" or can_hash(files))
        }
        if asked:
            yield WholeSubject(f"{self.title}, protocols", self.curve, asked, protocol_questions)


def whole_subject(database: Database, request: Request, languages: Sequence[Language]) -> WholeSubject:
    """Return the whole curve that a request asks for, printed in some languages.

    Formulas are not proved, but that the plan meets no exceptional input is. Raises :class:`EfdgenError` for
    what does not exist or does not apply.
    """
    from efdgen.verify.plan_proofs import SafePlans

    files, found = {}, None
    for language in languages:
        wanted = replace(request, lang=language, layout=None)
        plan = plan_curve(database, wanted, SafePlans())
        files[language], found = render_plan(plan, wanted), plan
    assert found is not None
    return WholeSubject(found.curve.name, whole_curve(found, database, request.second), files)


def whole_subjects(
    database: Database, requests: Sequence[Request], languages: Sequence[Language]
) -> list[WholeSubject]:
    """Return the whole curve of each request, as :func:`whole_subject` does; several are planned at once."""
    plan = partial(whole_subject, database, languages=languages)
    made = dict(ask_all(plan, [[request] for request in requests], os.cpu_count() or 1))
    wholes = []
    for request in requests:
        found = made[request]
        if isinstance(found, Exception):
            raise found
        wholes.append(found)
    return wholes


def whole_curve(plan: CurvePlan | LadderPlan, database: Database, second: str | None = None) -> WholeCurve:
    """Return the curve of a plan, with its functions."""
    return WholeCurve.of(plan.curve, database, exported(plan), point_of(second, plan.curve))


def point_of(text: str | None, curve: Curve) -> Point | None:
    """Return the affine point that ``--second`` names, if any."""
    return tuple(curve.field.reduce(int(number, 0)) for number in text.split(",")) if text else None

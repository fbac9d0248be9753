"""Certificates of many subjects at once, in processes that share imported modules."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from efdgen.generator.curves.load import load_curve
from efdgen.generator.errors import EfdgenError
from efdgen.generator.formulas.database import Database
from efdgen.generator.formulas.draft import read_draft, with_draft
from efdgen.generator.kernels.candidate import candidate
from efdgen.generator.progress import at, each
from efdgen.verify.children import ask_all
from efdgen.verify.rocq.certificate import Certificate, certificate
from efdgen.verify.rocq.models import map_certificate, model_certificate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from efdgen.generator.formulas.formula import Formula

_MOST = 16


class Subjects(NamedTuple):
    """The subjects of certificates: formulas, or models and maps, of a database, by their ids."""

    database: Database
    ids: Sequence[str]
    curve: str | None = None
    models: bool = False


def subjects(selectors: Sequence[str], place: str | None, curve: str | None, *, models: bool) -> Subjects:
    """Return what some selectors mean; with a ``place``, the only selector may be a file."""
    if curve is not None:
        load_curve(curve, "a certificate on a curve")  # an error in it is not one of every formula
    if place is not None:
        if len(selectors) != 1:
            raise EfdgenError("--as takes one file")
        draft, root = read_draft(selectors[0], place)
        return Subjects(with_draft(draft, root), (draft.name,), curve)
    database = Database()
    ids = database.select(selectors)
    if models:
        from efdgen.verify.prover import models_of

        ids = tuple(models_of(database, ids))
    return Subjects(database, ids, curve, models)


@dataclass(frozen=True)
class _Certifier:
    """The function that children apply to ids."""

    subjects: Subjects
    unchecked: bool

    def __call__(self, name: str) -> Certificate:
        database, _, curve, models = self.subjects
        if models:
            if name in database.map_ids:
                return map_certificate(database.map(name))
            return model_certificate(database.model(name))
        formula: Formula = database.formula(name)
        if curve is None:
            return certificate(formula, unchecked=self.unchecked)
        chosen = load_curve(curve)
        found = candidate(formula, chosen.field, chosen.parameters).specialised
        return certificate(found.formula, found, unchecked=self.unchecked)


def certify_all(
    asked: Subjects, jobs: int | None, *, unchecked: bool
) -> tuple[list[Certificate], list[tuple[str, str]]]:
    """Return the certificates of some subjects, in order, and why others have none."""
    groups = [list(asked.ids[start : start + _MOST]) for start in range(0, len(asked.ids), _MOST)]
    answers = ask_all(_Certifier(asked, unchecked), groups, jobs or os.cpu_count() or 1, at, limited=True)
    known = dict(each(answers, len(asked.ids), "certifying"))
    found, refused = [], []
    for name in asked.ids:
        match known[name]:
            case Certificate() as made:
                found.append(made)
            case EfdgenError() as error:
                refused.append((name, str(error)))
            case error:
                raise error
    return found, refused

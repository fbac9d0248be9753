"""Proofs of many formulas at once, in processes that share imported modules."""

from __future__ import annotations

import importlib
import logging
import os
from collections import deque
from contextlib import suppress
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING, TypeAlias

from efdgen.generator.errors import EfdgenError
from efdgen.generator.programs.lower import lower
from efdgen.generator.progress import at, each
from efdgen.verify.certificate import certify
from efdgen.verify.children import CrashedError, ExhaustedError, ask_all
from efdgen.verify.finding import Finding, ModelFinding
from efdgen.verify.kept import KeptFindings
from efdgen.verify.verdicts import verdict_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from efdgen.generator.formulas.database import Database
    from efdgen.verify.verdicts import Verdict

Found: TypeAlias = "Callable[[Finding], None]"

_MOST = 32
_log = logging.getLogger(__name__)

_WITH_SAGE = "efdgen.verify.exceptions.conclude"
_PROVERS = ("efdgen.verify.examination",)
_OF_MODELS = ("efdgen.verify.laws.model", "efdgen.verify.laws.map")


def examine_formulas(
    database: Database, ids: Sequence[str], jobs: int | None = None, found: Found = lambda _: None
) -> list[Finding]:
    """Prove formulas in ``jobs`` processes, or one per processor; look up what is proved already.

    ``found`` is called with each finding in order, as soon as it and all before it are there.
    """
    provers = _PROVERS, _WITH_SAGE
    return _examine_new(database, ids, jobs, _examine_formula, _failed_formula, provers, found)


def models_of(database: Database, ids: Sequence[str]) -> list[str]:
    """Return the ids of the models that formulas are for, and of the maps from them to others."""
    models = sorted({formula_id.rsplit("/", 3)[0] for formula_id in ids})
    return [*models, *(map_id for map_id in database.map_ids if map_id.rsplit("/", 2)[0] in models)]


def examine_models(
    database: Database, ids: Sequence[str], jobs: int | None = None, found: Found = lambda _: None
) -> list[Finding]:
    """Prove the models of formulas and the maps from them, as :func:`examine_formulas` does."""
    names = models_of(database, ids)
    provers = _OF_MODELS, _OF_MODELS[-1]
    return _examine_new(database, names, jobs, _examine_model_or_map, _failed_model_or_map, provers, found)


def _examine_new(
    database: Database,
    names: Sequence[str],
    jobs: int | None,
    function: Callable[[Database, str], Finding],
    failed: Callable[[Database, str, Exception], Finding],
    provers: tuple[Sequence[str], str],
    found: Found,
) -> list[Finding]:
    """Apply a function to every name of which no finding is kept, and keep what it finds.

    ``failed`` returns the finding where the function raises, or dies, for a reason; a finding is kept by what
    ``provers`` import, the modules that make it, and ``loaded`` is a module that all processes need.
    """
    makers, loaded = provers
    kept = KeptFindings(database, *makers)
    known = {name: finding for name in names if (finding := kept.find(name))}
    for name in known:
        _log.debug("looked up: %s is proved", name)
    missing = [name for name in names if name not in known]
    if missing:
        importlib.import_module(loaded)  # with what it imports, once, before there are processes
    left = deque(names)
    _hand_over(left, known, found)
    for name, answer in examine_all(partial(function, database), missing, jobs):
        finding = answer if isinstance(answer, Finding) else failed(database, name, answer)
        _log.debug("%s: %s in %.1f s", finding.verdict, name, finding.seconds)
        kept.keep(finding)
        known[name] = finding
        _hand_over(left, known, found)
    return [known[name] for name in names]


def _hand_over(left: deque[str], known: Mapping[str, Finding], found: Found) -> None:
    """Call a function with the findings on the first names that are left, as far as they are known."""
    while left and left[0] in known:
        found(known[left.popleft()])


def _examine_formula(database: Database, name: str) -> Finding:
    from efdgen.verify.examination import examine

    return examine(database, name)


def _failed_formula(database: Database, name: str, why: Exception) -> Finding:
    from efdgen.verify.examination import failed

    law = _law_alone(database, name) if isinstance(why, CrashedError | ExhaustedError) else None
    return failed(database, name, verdict_of(why), str(why), law=law)


def _law_alone(database: Database, name: str) -> Verdict | None:
    """Return the verdict on the law of a formula whose prover died; None if the formula cannot be read."""
    with suppress(EfdgenError):
        formula = database.formula(name)
        return certify(formula, lower(formula)).verdict
    return None


def _examine_model_or_map(database: Database, name: str) -> Finding:
    from efdgen.verify.laws.map import examine_map
    from efdgen.verify.laws.model import examine_model

    return (examine_map if name in database.map_ids else examine_model)(database, name)


def _failed_model_or_map(database: Database, name: str, why: Exception) -> Finding:
    kind = "map" if name in database.map_ids else "model"
    return ModelFinding(name, kind, verdict_of(why), str(why), 0.0)


def examine_all(
    function: Callable[[str], Finding], ids: Sequence[str], jobs: int | None
) -> Iterator[tuple[str, Finding | Exception]]:
    """Yield every id with what a function finds of it, or with why it finds nothing, in no certain order."""
    groups = _neighbours(ids)
    findings = ask_all(function, groups, jobs or os.cpu_count() or 1, at, limited=True)
    return each(findings, len(ids), "proving")


def _neighbours(ids: Sequence[str]) -> list[list[str]]:
    """Return ids in lists for one process each: of one system, whose curves are then made once."""
    systems = (list(group) for _, group in groupby(ids, lambda name: name.rsplit("/", 2)[0]))
    return [group[start : start + _MOST] for group in systems for start in range(0, len(group), _MOST)]

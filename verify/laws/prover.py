"""Proving many formulas at once, in processes that share what is imported already."""

from __future__ import annotations

import importlib
import multiprocessing
import os
import signal
import sys
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from itertools import chain, groupby
from typing import TYPE_CHECKING

from efdgen.generator.errors import EfdgenError
from efdgen.verify.kept import KeptFindings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from efdgen.generator.formulas.database import Database
    from efdgen.verify.finding import Finding

_MOST = 32

_examine: Callable[[str], Finding]


def examine_formulas(database: Database, ids: Sequence[str], jobs: int | None = None) -> list[Finding]:
    """Prove formulas in ``jobs`` processes, or one per processor; look up what is proved already."""
    return _examine_new(database, ids, jobs, _examine_formula)


def examine_models(database: Database, ids: Sequence[str], jobs: int | None = None) -> list[Finding]:
    """Prove the affine laws of the models that formulas are for, and the maps from them to others."""
    models = sorted({formula_id.rsplit("/", 3)[0] for formula_id in ids})
    maps = [map_id for map_id in database.map_ids if map_id.rsplit("/", 2)[0] in models]
    return _examine_new(database, [*models, *maps], jobs, _examine_model_or_map)


def _examine_new(
    database: Database, names: Sequence[str], jobs: int | None, function: Callable[[Database, str], Finding]
) -> list[Finding]:
    """Apply a function to every name of which no finding is kept, and keep what it finds."""
    kept = KeptFindings(database)
    known = {name: finding for name in names if (finding := kept.find(name))}
    missing = [name for name in names if name not in known]
    if missing:
        importlib.import_module("efdgen.verify.laws.model")  # with Sage, once, before there are processes
    for finding in examine_all(partial(function, database), missing, jobs):
        kept.keep(finding)
        known[finding.id] = finding
    return [known[name] for name in names]


def _examine_formula(database: Database, name: str) -> Finding:
    from efdgen.verify.examination import examine

    return examine(database, name)


def _examine_model_or_map(database: Database, name: str) -> Finding:
    from efdgen.verify.laws.map import examine_map
    from efdgen.verify.laws.model import examine_model

    return (examine_map if name in database.map_ids else examine_model)(database, name)


def examine_all(function: Callable[[str], Finding], ids: Sequence[str], jobs: int | None) -> list[Finding]:
    """Apply a function to every id; findings are in the order of the ids.

    Raises :class:`EfdgenError` where a process dies.
    """
    groups = _neighbours(ids)
    workers = min(jobs or os.cpu_count() or 1, len(groups))
    findings = map(function, ids) if workers <= 1 else _in_processes(function, groups, workers)
    return list(_with_progress_bar(findings, len(ids)))


def _neighbours(ids: Sequence[str]) -> list[list[str]]:
    """Return ids in lists for one process each: of one system, whose curves are then made once."""
    systems = (list(group) for _, group in groupby(ids, lambda name: name.rsplit("/", 2)[0]))
    return [group[start : start + _MOST] for group in systems for start in range(0, len(group), _MOST)]


def _in_processes(
    function: Callable[[str], Finding], groups: Sequence[Sequence[str]], workers: int
) -> Iterator[Finding]:
    """Start the processes at once, for a progress bar's thread must not be forked; yield what they find."""
    context = multiprocessing.get_context("fork")
    executor = ProcessPoolExecutor(workers, context, _adopt, (function,))
    return _collect(executor, chain.from_iterable(executor.map(_call, groups)))


def _collect(executor: ProcessPoolExecutor, findings: Iterator[Finding]) -> Iterator[Finding]:
    processes = multiprocessing.active_children()
    try:
        yield from findings
    except BrokenProcessPool:
        raise EfdgenError("a process that proves died, perhaps for want of memory; try --jobs 1") from None
    except BaseException:
        for process in processes:
            process.kill()
        raise
    finally:
        executor.shutdown(cancel_futures=True)


def _adopt(function: Callable[[str], Finding]) -> None:
    """Make a process one that proves; an interrupt is for the parent, which ends it."""
    global _examine  # noqa: PLW0603 - what a forked process inherits need not be pickled for each task
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _examine = function


def _call(names: Sequence[str]) -> list[Finding]:
    return [_examine(name) for name in names]


def _with_progress_bar(findings: Iterator[Finding], total: int) -> Iterator[Finding]:
    if not sys.stderr.isatty():
        return findings
    from rich.console import Console
    from rich.progress import track

    console = Console(stderr=True)
    return iter(track(findings, "proving", total, console=console, transient=True))

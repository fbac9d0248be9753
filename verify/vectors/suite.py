"""One test of kernels: making their suite, building their drivers, asking and judging."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, TypeAlias

from efdgen.verify.vectors.cases import function_vectors
from efdgen.verify.vectors.data import Suite
from efdgen.verify.vectors.drivers import build_driver
from efdgen.verify.vectors.field_cases import field_cases
from efdgen.verify.vectors.published import chained_cases
from efdgen.verify.vectors.runner import judge, requests
from efdgen.verify.vectors.sampler import Sampler
from efdgen.verify.vectors.subjects import Subject
from efdgen.verify.vectors.whole_subjects import WholeSubject
from efdgen.verify.vectors.whole_suite import WholeSuite

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from concurrent.futures import Future

    from efdgen.generator.compile import Language
    from efdgen.verify.vectors.drivers import Driver
    from efdgen.verify.vectors.runner import Result

AnySubject: TypeAlias = Subject | WholeSubject
AnySuite: TypeAlias = Suite | WholeSuite


def make_suite(subject: Subject, seed: int, advance: Callable[[], object] = lambda: None) -> Suite:
    """Return the vectors of a subject; ``advance`` is called after every function."""
    rng = Random(seed)
    prime = subject.bundle.prime
    sampler = Sampler(prime, rng)
    functions = []
    for group in subject.bundle.groups:
        chained = chained_cases(subject.curve, group, rng) if subject.curve else {}
        for kernel in group.kernels:
            vectors = function_vectors(sampler, group, kernel)
            cases = (*vectors.cases, *chained.get(kernel.name, ()))
            functions.append(replace(vectors, cases=cases))
            advance()
    return Suite(prime, seed, field_cases(prime, rng), tuple(functions))


def steps(subject: AnySubject) -> int:
    """Return how often :func:`run_suites` advances."""
    kernels = (
        0 if isinstance(subject, WholeSubject) else sum(len(group.kernels) for group in subject.bundle.groups)
    )
    return kernels + 2 * len(subject.files)


def run_suites(
    subjects: Sequence[AnySubject], seed: int, advance: Callable[[], object] = lambda: None
) -> Iterator[tuple[AnySuite, list[Result]]]:
    """Yield for each subject its suite and the results in every language at hand.

    Drivers are built while vectors are made. Raises :class:`EfdgenError` where a driver cannot be built or
    breaks down.
    """
    with TemporaryDirectory(prefix="efdgen-") as folder, ThreadPoolExecutor(os.cpu_count()) as pool:
        builds = [
            {
                language: pool.submit(build_driver, language, files, Path(folder, str(number), language))
                for language, files in subject.files.items()
            }
            for number, subject in enumerate(subjects)
        ]
        try:
            for subject, drivers in zip(subjects, builds, strict=True):
                if isinstance(subject, WholeSubject):
                    whole = WholeSuite(subject.curve, seed)
                    yield whole, whole.judge(_answers(whole.requests, drivers, advance))
                else:
                    suite = make_suite(subject, seed, advance)
                    yield suite, judge(suite, _answers(partial(requests, suite), drivers, advance))
        finally:
            pool.shutdown(cancel_futures=True)


def _answers(
    asks: Callable[[Language], list[str]],
    drivers: Mapping[Language, Future[Driver]],
    advance: Callable[[], object],
) -> dict[Language, list[str]]:
    with ThreadPoolExecutor() as pool:
        asked = {}
        for language, driver in drivers.items():
            asked[language] = pool.submit(driver.result().ask, asks(language))
            advance()
        answers = {}
        for language, asking in asked.items():
            answers[language] = asking.result()
            advance()
        return answers

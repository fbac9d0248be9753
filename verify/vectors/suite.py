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
from efdgen.verify.vectors.drivers import Build, build_driver
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


def vectors_of(subject: AnySubject, seed: int) -> AnySuite:
    """Return the vectors of a subject of either sort."""
    return WholeSuite(subject.curve, seed) if isinstance(subject, WholeSubject) else make_suite(subject, seed)


def steps(subject: AnySubject, builds: Sequence[Build] = ()) -> int:
    """Return how often :func:`run_suites` advances, or what tries these builds."""
    kernels = (
        0 if isinstance(subject, WholeSubject) else sum(len(group.kernels) for group in subject.bundle.groups)
    )
    return kernels + 2 * (len(builds) or len(subject.files))


def run_suites(
    subjects: Sequence[AnySubject],
    seed: int,
    advance: Callable[[], object] = lambda: None,
    builds: Sequence[Build] = (),
) -> Iterator[tuple[AnySuite, list[Result]]]:
    """Yield for each subject its suite and the results in every language at hand, or of each of some builds.

    Drivers are built while vectors are made. Raises :class:`EfdgenError` where a driver cannot be built or
    breaks down.
    """
    with TemporaryDirectory(prefix="efdgen-") as folder, ThreadPoolExecutor(os.cpu_count()) as pool:
        drivers_of = [
            {
                build.name: pool.submit(
                    build_driver, build, subject.files[build.language], Path(folder, str(number), str(at))
                )
                for at, build in enumerate(builds or [Build(name, name) for name in subject.files])
                if build.language in subject.files
            }
            for number, subject in enumerate(subjects)
        ]
        try:
            for subject, drivers in zip(subjects, drivers_of, strict=True):
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
    drivers: Mapping[str, Future[Driver]],
    advance: Callable[[], object],
) -> dict[str, list[str]]:
    with ThreadPoolExecutor() as pool:
        asked = {}
        for name, driver in drivers.items():
            asked[name] = pool.submit(driver.result().ask, asks(driver.result().language))
            advance()
        answers = {}
        for name, asking in asked.items():
            answers[name] = asking.result()
            advance()
        return answers

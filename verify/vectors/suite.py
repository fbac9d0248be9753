"""One test of kernels: generate the suite, build the drivers, query and judge."""

from __future__ import annotations

from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, TypeAlias

from efdgen.generator.errors import EfdgenError
from efdgen.generator.processes import threads
from efdgen.generator.progress import result
from efdgen.verify.vectors.cases import function_vectors
from efdgen.verify.vectors.data import Suite
from efdgen.verify.vectors.drivers import Build, build_driver
from efdgen.verify.vectors.field_cases import field_cases
from efdgen.verify.vectors.field_subjects import FieldSubject
from efdgen.verify.vectors.field_suite import FieldSuite
from efdgen.verify.vectors.published import chained_cases
from efdgen.verify.vectors.runner import judge, requests
from efdgen.verify.vectors.sampler import Sampler
from efdgen.verify.vectors.subjects import Subject
from efdgen.verify.vectors.whole_subjects import WholeSubject
from efdgen.verify.vectors.whole_suite import WholeSuite

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from concurrent.futures import Future

    from efdgen.generator.options import Language
    from efdgen.verify.vectors.drivers import Driver
    from efdgen.verify.vectors.runner import Result

# The most cases at the edges of words for a suite of kernels, and for a kernel.
_EDGES = 10_000
_MOST_EDGES = 500

AnySubject: TypeAlias = Subject | WholeSubject | FieldSubject
AnySuite: TypeAlias = Suite | WholeSuite | FieldSuite


def make_suite(subject: Subject, seed: int, advance: Callable[[], object] = lambda: None) -> Suite:
    """Return the vectors of a subject; ``advance`` is called after every function."""
    rng = Random(seed)
    ground = subject.bundle.ground
    sampler = Sampler(ground, rng)
    functions = []
    count = sum(len(group.kernels) for group in subject.bundle.groups)
    rare = 0 if sampler.exhaustive else min(_MOST_EDGES, _EDGES // max(count, 1))
    for group in subject.bundle.groups:
        chained = chained_cases(subject.curve, group, rng) if subject.curve else {}
        for kernel in group.kernels:
            vectors = function_vectors(sampler, group, kernel, rare)
            cases = (*vectors.cases, *chained.get(kernel.name, ()))
            functions.append(replace(vectors, cases=cases))
            advance()
    return Suite(ground, seed, field_cases(ground, rng), tuple(functions))


def vectors_of(subject: AnySubject, seed: int) -> AnySuite:
    """Return the vectors of a subject of any sort."""
    return make_suite(subject, seed) if isinstance(subject, Subject) else subject.suite(seed)


def builds_of(subject: AnySubject, builds: Sequence[Build] = ()) -> list[Build]:
    """Return those of some builds that a subject has code for; without any, the usual ones.

    Raises :class:`EfdgenError` where it has for none.
    """
    if isinstance(subject, FieldSubject):
        builds = [
            replace(build, arguments=subject.arguments)
            for build in builds or [Build(name, name) for name in subject.files]
            if build.word in (None, *subject.words)
        ]
    found = builds or [Build(name, name) for name in subject.files]
    chosen = [build for build in found if build.language in subject.files]
    if not chosen:
        raise EfdgenError(f"{subject.title} has no code for these words; leave out --word")
    return chosen


def steps(subject: AnySubject, builds: Sequence[Build] = ()) -> int:
    """Return how often :func:`run_suites` advances, or what tries these builds."""
    groups = subject.bundle.groups if isinstance(subject, Subject) else ()
    return sum(len(group.kernels) for group in groups) + 2 * len(builds_of(subject, builds))


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
    with TemporaryDirectory(prefix="efdgen-") as folder, threads() as pool:
        drivers_of = [
            {
                build.name: pool.submit(
                    build_driver, build, subject.files[build.language], Path(folder, str(number), str(at))
                )
                for at, build in enumerate(builds_of(subject, builds))
            }
            for number, subject in enumerate(subjects)
        ]
        for subject, drivers in zip(subjects, drivers_of, strict=True):
            if isinstance(subject, Subject):
                suite = make_suite(subject, seed, advance)
                yield suite, judge(suite, _answers(partial(requests, suite), drivers, advance))
            else:
                other = subject.suite(seed)
                yield other, other.judge(_answers(other.requests, drivers, advance))


def _answers(
    asks: Callable[[Language], list[str]],
    drivers: Mapping[str, Future[Driver]],
    advance: Callable[[], object],
) -> dict[str, list[str]]:
    asks = cache(asks)  # builds of a language share its requests
    with threads() as pool:
        asked = {}
        for name, driver in drivers.items():
            built = result(driver)
            asked[name] = pool.submit(built.ask, asks(built.language))
            advance()
        answers = {}
        for name, asking in asked.items():
            answers[name] = result(asking)
            advance()
        return answers

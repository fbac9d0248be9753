"""One run of ``efdgen test``: its request, and its run with a progress bar."""

from __future__ import annotations

import re
import shutil
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from efdgen.generator.compile import Request
from efdgen.generator.curves.instantiate import suitable_prime
from efdgen.generator.errors import EfdgenError
from efdgen.generator.mathematics.binary import BinaryField, read_polynomial
from efdgen.generator.mathematics.prime import PrimeField
from efdgen.generator.options import Options
from efdgen.generator.progress import work
from efdgen.verify.vectors.directories import directory_subjects
from efdgen.verify.vectors.drivers import (
    LANGUAGES,
    Build,
    c_compiler,
    c_compilers,
    require_compilers,
    sanitized_builds,
)
from efdgen.verify.vectors.protocol_cases import protocol_questions
from efdgen.verify.vectors.report import Report
from efdgen.verify.vectors.secrets import require_memcheck, run_trials, secret_builds
from efdgen.verify.vectors.secrets_report import SecretsReport
from efdgen.verify.vectors.subjects import curve_subject, every_formula
from efdgen.verify.vectors.suite import run_suites, steps
from efdgen.verify.vectors.whole_subjects import WholeSubject, whole_subjects

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from efdgen.generator.formulas.database import Database
    from efdgen.generator.mathematics.ground import Ground
    from efdgen.generator.options import Language, Lowering, OddMultiples, Set
    from efdgen.verify.machine.report import MachineReport
    from efdgen.verify.vectors.secrets import Builds
    from efdgen.verify.vectors.subjects import Subject
    from efdgen.verify.vectors.suite import AnySubject

DEFAULT_CURVES = ("secp256k1", "edwards25519")

TINY_PRIME = 37
"""The prime of the exhaustive test; it is 1 mod 12, so that every formula has a curve."""

LARGE_BITS = 256

LARGE_FIELD = BinaryField(read_polynomial("x^283 + x^12 + x^7 + x^5 + 1"))

MACHINE_LEVELS: dict[Builds, tuple[str, ...]] = {"usual": ("2", "3"), "other": ("1", "s")}
"""The levels of optimisation at which machine code is read, of C and of Rust."""

TINY_FIELDS = tuple(BinaryField(polynomial) for polynomial in (0b1011, 0b10011, 0b100101))
"""The binary fields of exhaustive tests; each has a curve for every formula."""


@dataclass(frozen=True)
class TestRequest:
    """The user's request for tests; without choices, the default curves in every language."""

    __test__ = False  # not a class of tests, whatever pytest makes of its name

    directories: tuple[Path, ...] = ()
    curves: tuple[str, ...] = ()
    languages: tuple[Language, ...] = ()
    coords: str | None = None
    formulas: tuple[str, ...] = ()
    set: Set = Options.set
    odd_multiples: OddMultiples | None = None
    every: bool = False
    seed: int = 1
    constant_time: bool = False
    builds: Builds = "usual"
    sanitize: bool = False
    compilers: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    target: str = ""

    @property
    def disassembles(self) -> bool:
        """Return whether code is read, not run: with a target, or a compiler for another machine."""
        if not self.constant_time:
            return False
        from efdgen.verify.machine.trial import is_foreign

        return bool(self.target) or any(map(is_foreign, self.compilers))

    @property
    def checked_languages(self) -> Sequence[Language]:
        """The languages that are tested; raises :class:`EfdgenError` where one cannot be, as is asked."""
        if self.sanitize and self.constant_time:
            raise EfdgenError("--sanitize and --constant-time are two runs; ask for one at a time")
        if self.constant_time and "python" in self.languages:
            raise EfdgenError("--constant-time is for c and rust; leave out --lang python")
        if self.sanitize and "c" not in (self.languages or LANGUAGES):
            raise EfdgenError("--sanitize is for c; add --lang c")
        if (self.compilers or self.words) and not (self.sanitize or self.constant_time):
            raise EfdgenError("--compiler and --word go with --constant-time or --sanitize")
        if self.builds != "usual" and not self.constant_time:
            raise EfdgenError("--builds goes with --constant-time")
        if self.target and not self.constant_time:
            raise EfdgenError("--target goes with --constant-time")
        if self.disassembles:
            return self.languages or LANGUAGES[:1]
        return self.languages or (LANGUAGES[:2] if self.constant_time else LANGUAGES)


def run_tests(
    database: Database, request: TestRequest
) -> list[Report] | list[SecretsReport] | list[MachineReport]:
    """Build and test what a request asks for; return a report for each suite.

    Raises :class:`EfdgenError` for a missing compiler, a driver that cannot be built, and whatever is
    wrong with the request.
    """
    languages = request.checked_languages
    if request.disassembles:
        return _read_machine_code(database, request, languages)
    require_compilers(languages)
    builds = list(_builds(request, languages))
    subjects = choose_subjects(database, request, languages)
    if request.constant_time:
        subjects = list(_that_mark_secrets(subjects))
    with work("testing", sum(steps(subject, builds) for subject in subjects)) as progress:
        if request.constant_time:
            tried = run_trials(subjects, request.seed, builds, progress.advance)
            return [SecretsReport(s.title, *found) for s, found in zip(subjects, tried, strict=True)]
        runs = run_suites(subjects, request.seed, progress.advance, builds)
        return [
            Report(subject.title, suite, results)
            for subject, (suite, results) in zip(subjects, runs, strict=True)
        ]


def _read_machine_code(
    database: Database, request: TestRequest, languages: Sequence[Language]
) -> list[MachineReport]:
    """Compile for a target and judge the disassembly, without a run."""
    from efdgen.verify.machine.trial import chosen_compilers, run_machine_trials

    levels = MACHINE_LEVELS[request.builds]
    compilers = chosen_compilers(request.compilers, request.target, levels) if "c" in languages else []
    rust = [(request.target, level) for level in levels] if "rust" in languages else []
    if rust and not request.target:
        raise EfdgenError("--lang rust needs --target, such as --target riscv64gc-unknown-linux-gnu")
    words: list[int | None] = [*map(int, request.words)] or [None]
    subjects = choose_subjects(database, request, languages)
    total = len(subjects) * (len(compilers) * len(words) + len(rust))
    with work("reading machine code", total) as progress:
        return run_machine_trials(subjects, compilers, rust, words, progress.advance)


def _that_mark_secrets(subjects: Sequence[AnySubject]) -> Iterator[AnySubject]:
    """Yield subjects without protocols in Rust, which do not say what may be known of a secret, as C does."""
    for subject in subjects:
        if isinstance(subject, WholeSubject) and subject.ask is protocol_questions:
            subject = replace(subject, files={k: v for k, v in subject.files.items() if k == "c"})  # noqa: PLW2901
        if subject.files:
            yield subject


def _builds(request: TestRequest, languages: Sequence[Language]) -> Iterator[Build]:
    """Yield the builds that a request asks for: without an option, of a directory, both sizes of words."""
    words = [int(word) for word in request.words or ("64", "32")]
    if not (request.sanitize or request.constant_time):
        for language in languages:
            yield Build(language, language)
            if language != "python" and request.directories:
                yield Build(f"{language}, 32 bits", language, word=32)
        return
    compilers = request.compilers or tuple(c_compilers()) or c_compiler()
    for name in compilers:
        if "c" in languages and shutil.which(name) is None:
            raise EfdgenError(f"no C compiler called {name}; install one, or name another by --compiler")
    if request.sanitize:
        yield from (Build(language, language) for language in languages)
        yield from sanitized_builds(compilers, words)
    else:
        require_memcheck()
        yield from secret_builds(languages, compilers, words, request.builds)


def choose_subjects(
    database: Database, request: TestRequest, languages: Sequence[Language]
) -> list[AnySubject]:
    """Return what a request asks to be tested; raise :class:`EfdgenError` where it contradicts itself."""
    chosen = bool(request.curves or request.coords or request.formulas)
    if request.every + chosen + bool(request.directories) > 1:
        raise EfdgenError("test a directory, curves, or --all formulas, one at a time")
    if request.every:
        return list(_every_formula(database, request, languages))
    if request.directories:
        subjects = directory_subjects(database, request.directories)
        spoken = [replace(s, files={k: v for k, v in s.files.items() if k in languages}) for s in subjects]
        if not any(subject.files for subject in spoken):
            raise EfdgenError(f"there are no kernels in {' or '.join(languages)} in these directories")
        return [subject for subject in spoken if subject.files]
    requests = [
        Request(
            "c",
            curve,
            coords=request.coords,
            formulas=request.formulas,
            set=request.set,
            odd_multiples=request.odd_multiples,
        )
        for curve in request.curves or DEFAULT_CURVES
    ]
    if request.set == "kernels":
        return [curve_subject(database, wanted, languages) for wanted in requests]
    # Calls of field functions compile in a fraction of the time, but constant time is asked of what is used,
    # except where many flags are tried.
    lowering: Lowering = "whole" if request.constant_time and request.builds == "usual" else "calls"
    wholes = whole_subjects(database, [replace(wanted, lowering=lowering) for wanted in requests], languages)
    return [part for whole in wholes for part in whole.all_parts()]


def _every_formula(
    database: Database, request: TestRequest, languages: Sequence[Language]
) -> Iterator[Subject]:
    """Yield the formulas over large and tiny fields."""
    grounds: list[Ground] = [PrimeField(suitable_prime(LARGE_BITS)), LARGE_FIELD]
    grounds += [] if request.constant_time else [PrimeField(TINY_PRIME), *TINY_FIELDS]
    for ground in grounds:
        yield every_formula(database, ground, languages, request.seed)


def write_suites(reports: Sequence[Report | SecretsReport], directory: Path) -> None:
    """Write the vectors of each report to a directory, which is made where it is missing."""
    for report in reports:
        name = re.sub(r"[^A-Za-z0-9.]+", "-", report.title).strip("-")
        _write(directory / f"{name}.json", report.suite.text())


def _write(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise EfdgenError(f"cannot write {path}: {error.strerror}") from None

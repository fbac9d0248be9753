"""Fields and whole curves that mutants are made of: printed, built, and asked what users ask."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass, replace
from enum import Enum
from functools import cached_property, partial
from typing import TYPE_CHECKING

import wipes
from test_preprocessor import NO_GNU
from tools import SANITIZERS, UNOPTIMISED

from efdgen.generator.compile import Request
from efdgen.generator.errors import EfdgenError
from efdgen.generator.fields.request import FieldRequest
from efdgen.generator.files import render_plan
from efdgen.generator.formulas.database import Database
from efdgen.generator.planning.curve_routines import curve_module
from efdgen.generator.planning.ladder import LadderPlan
from efdgen.generator.planning.ladder_routines import ladder_module
from efdgen.generator.planning.plan import CurvePlan
from efdgen.generator.planning.request import plan_curve
from efdgen.generator.render.field.bundle import render_field
from efdgen.verify.lemmas.table import LEMMAS
from efdgen.verify.plan_proofs import SafePlans
from efdgen.verify.readback.proofs import FieldProofs
from efdgen.verify.routines.called import PROVED as CALLED
from efdgen.verify.routines.curve import follower, multiplication_reasons, roots
from efdgen.verify.routines.ladder import FOLLOWED as OF_LADDERS
from efdgen.verify.routines.ladder import prove_ladder
from efdgen.verify.vectors.drivers import Build, build_driver
from efdgen.verify.vectors.field_subjects import field_subjects
from efdgen.verify.vectors.protocol_cases import protocol_questions
from efdgen.verify.vectors.suite import builds_of
from efdgen.verify.vectors.whole_subjects import WholeSubject, whole_curve
from efdgen.verify.vectors.whole_suite import WholeSuite

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from efdgen.generator.options import Language
    from efdgen.generator.options import Target as WrittenFor
    from efdgen.generator.routines.module import Module
    from efdgen.verify.vectors.field_suite import FieldSuite

Files = dict[str, str]
SEED = 1  # of the vectors, as `efdgen test` takes it
# A driver that does not end is ended after seconds of processor time.
LIMITED = ("sh", "-c", 'ulimit -t 5; exec "$0" "$@"')
DATABASE = Database()


class Killed(Exception):  # noqa: N818 - it is what should happen
    """A mutant is refused: by a proof, a compiler or tests, for a reason."""

    def __init__(self, by: str, reason: str) -> None:
        super().__init__(reason)
        self.by, self.reason = by, reason.strip().splitlines()[0][:200] if reason.strip() else ""


@dataclass(frozen=True)
class FieldTarget:
    """A field by itself, every function of it proved as it is printed."""

    language: Language
    prime: str = ""
    nonresidue: int | None = None
    compiler: tuple[str, ...] = ()
    target: WrittenFor | None = None
    polynomial: str | None = None

    @property
    def request(self) -> FieldRequest:
        return FieldRequest(
            self.language,
            self.prime,
            nonresidue=self.nonresidue,
            target=self.target,
            polynomial=self.polynomial,
        )

    @property
    def title(self) -> str:
        return f"{self.polynomial or self.prime} in {self.language}"

    def prepare(self) -> None:
        """Do nothing: what is kept of a field's proofs is shared by files."""

    def unproved(self) -> Files:
        return render_field(self.request)

    def files(self) -> Files:
        """Print the field; raise :class:`EfdgenError` where it is not proved, or not read back as proved."""
        proofs = FieldProofs()
        files = proofs.proved(partial(render_field, self.request))
        proofs.require_read(files)
        return files

    def require_unread(self, edit: Callable[[Files], Files]) -> None:
        """Raise :class:`Killed` where the printed files, edited, are not what was proved."""
        proofs = FieldProofs()
        files = edit(proofs.proved(partial(render_field, self.request)))
        try:
            proofs.require_read(files)
        except EfdgenError as error:
            raise Killed("proof", str(error)) from None

    def require_wrong(self, files: Mapping[str, str], folder: Path) -> None:
        """Ask the test programs, with both sizes of words; raise :class:`Killed` where something is wrong."""
        for subject in field_subjects(self.request, {self.language: files}):
            for word in subject.words:
                build = Build(
                    f"{word}", self.language, self.compiler, "0", word, UNOPTIMISED[1:], runner=LIMITED
                )
                (chosen,) = builds_of(subject, [build])
                _ask(chosen, subject.files[self.language], subject.suite(SEED), folder / str(word))


class Proof(Enum):
    """How much of what calls a routine is proved."""

    NONE, PART, WHOLE = range(3)


@dataclass(frozen=True)
class CurveTarget:
    """A whole curve in a system."""

    language: Language
    curve: str
    coordinates: str | None = None
    word: int | None = None
    odd_multiples: str | None = None

    @property
    def request(self) -> Request:
        return Request(
            self.language,
            self.curve,
            self.coordinates,
            prefix="mutant",
            set="curve",
            table="small",
            lowering="calls",
            odd_multiples=self.odd_multiples,
        )

    @property
    def title(self) -> str:
        return f"{self.curve} in {self.language}"

    def prepare(self) -> None:
        """Make the plan, which all mutants share."""
        _ = self.plan

    @cached_property
    def plan(self) -> CurvePlan | LadderPlan:
        return plan_curve(DATABASE, self.request, SafePlans())

    def files(self) -> Files:
        return render_plan(self.plan, self.request)

    unproved = files

    def followed(self, function: str) -> Proof:
        """Prove multiplications by the routines as they are; raise :class:`Killed` where that is refused.

        Return how much of what calls a function is proved.
        """
        try:
            module, proved = _proved(self.plan)
        except EfdgenError as error:
            raise Killed("proof", str(error)) from None
        except Exception as error:
            raise Killed("generator", f"{type(error).__name__}: {error}") from None
        if function not in module.reached(proved):
            return Proof.NONE
        callers = {name for name in module.routines if function in module.reached([name])}
        return Proof.WHOLE if callers <= module.reached(proved) else Proof.PART

    def require_wrong(self, files: Mapping[str, str], folder: Path) -> None:
        """Ask the driver what `efdgen test` asks; raise :class:`Killed` where an answer is wrong."""
        self._ask(files, whole_suite(self), folder)

    def _ask(self, files: Mapping[str, str], suite: WholeSuite, folder: Path) -> None:
        build = Build(self.language, self.language, (), "0", self.word, UNOPTIMISED[1:], runner=LIMITED)
        _ask(build, files, suite, folder)


def _proved(plan: CurvePlan | LadderPlan) -> tuple[Module, set[str]]:
    """Prove a plan; return its routines, and the names of those that are proved."""
    if isinstance(plan, LadderPlan):
        module = ladder_module(plan)
        prove_ladder(plan, module)
        return module, OF_LADDERS & module.routines.keys()
    module = curve_module(plan)
    multiplication_reasons(plan, follower(plan, module))
    return module, {*roots(plan), *((CALLED | LEMMAS.keys()) & module.routines.keys())}


@dataclass(frozen=True)
class ProtocolTarget(CurveTarget):
    """The protocols of a curve; in C also their example, which checks itself."""

    @property
    def request(self) -> Request:
        return replace(super().request, set="protocols")

    @cached_property
    def suite(self) -> WholeSuite:
        return WholeSuite(whole_curve(self.plan, DATABASE), SEED, ask=protocol_questions)

    def prepare(self) -> None:
        """Make the plan and the questions, which all mutants share."""
        _ = self.suite.questions

    def require_wrong(self, files: Mapping[str, str], folder: Path) -> None:
        """Ask the driver of protocols; raise :class:`Killed` where an answer is wrong."""
        whole = WholeSubject(self.title, self.suite.curve, {self.language: files})
        _, asked = whole.all_parts()
        self._ask(asked.files[self.language], self.suite, folder)
        if self.language == "c":
            if wipes.left(files, self.plan.prefix):
                raise Killed("tests", "a secret is not wiped")
            self._require_wrong_example(folder)

    def _require_wrong_example(self, folder: Path) -> None:
        """Build and run the example; raise :class:`Killed` where it does not say that all is right."""
        command = [
            os.environ.get("CC", "cc"),
            "-std=c99",
            *UNOPTIMISED,
            "example.c",
            "-o",
            "example",
            "-lcrypto",
        ]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        if done.returncode:
            raise Killed("compiler", done.stderr)
        done = subprocess.run([*LIMITED, folder / "example"], capture_output=True, text=True, check=False)
        if done.returncode or not done.stdout.endswith("all right\n"):
            raise Killed("tests", f"the example says {done.stdout!r}")


Target = FieldTarget | CurveTarget


def whole_suite(target: CurveTarget) -> WholeSuite:
    return WholeSuite(whole_curve(target.plan, DATABASE), SEED)


def _ask(build: Build, files: Mapping[str, str], suite: WholeSuite | FieldSuite, folder: Path) -> None:
    """Ask a driver, in C also with sanitizers, as `efdgen test --sanitize` does, and as if not by gcc."""
    _ask_once(build, files, suite, folder)
    if build.language == "c":
        (folder / "prelude.h").write_text(NO_GNU)
        for flags in (SANITIZERS, ("-include", "prelude.h")):
            _ask_once(replace(build, flags=(*build.flags, *flags)), files, suite, folder)


def _ask_once(build: Build, files: Mapping[str, str], suite: WholeSuite | FieldSuite, folder: Path) -> None:
    try:
        driver = build_driver(build, files, folder)
    except EfdgenError as error:
        raise Killed("compiler", str(error)) from None
    try:
        answers = driver.ask(suite.requests(build.language))
    except EfdgenError as error:
        raise Killed("tests", str(error)) from None
    wrong = [result.function for result in suite.judge({build.language: answers}) if not result.ok]
    if wrong:
        raise Killed("tests", f"{', '.join(wrong[:4])} with {build.name}")

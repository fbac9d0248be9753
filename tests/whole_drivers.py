"""Drivers of whole curves and of protocols in any language, and the requests that they answer differently."""

import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from efdgen.generator.planning.ladder import LadderPlan
from efdgen.generator.planning.plan import CurvePlan
from efdgen.verify.vectors.drivers import Driver
from efdgen.verify.vectors.whole_cases import Question
from efdgen.verify.vectors.whole_curve import WholeCurve
from efdgen.verify.vectors.whole_suite import WholeSuite


@dataclass(frozen=True)
class Subject:
    """A curve with its affine law, the driver of its functions in some language, and its plan."""

    curve: WholeCurve
    driver: Driver
    plan: CurvePlan | LadderPlan | None = None

    def differences(self, rows: Iterable[tuple[str, ...]]) -> list[str]:
        """Return requests that the driver answers differently; a row ends with the answer.

        Rows of functions that the language does not have are left out.
        """
        asked = [Question(name, tuple(arguments), answer, "edge") for name, *arguments, answer in rows]
        suite = WholeSuite(self.curve, 0, ask=lambda *_: iter(asked))
        language = self.driver.language
        results = suite.judge({language: self.driver.ask(suite.requests(language))})
        failures = [failure for result in results for failure in result.failures]
        return [f"{found.request}: {found.reason}, not {found.answer}" for found in failures]


def differences(program: Path, cases: list[tuple[str, str]]) -> list[str]:
    """Return the requests that a program answers differently."""
    text = "".join(f"{request}\n" for request, _ in cases)
    done = subprocess.run([program], input=text, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    pairs = zip(cases, done.stdout.splitlines(), strict=True)
    return [f"{request}: {right}, not {found}" for (request, right), found in pairs if found != right]

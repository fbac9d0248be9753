"""What a check of constant time says: a line for each build, and below them what leaks."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from efdgen.verify.vectors.secrets import Trial
    from efdgen.verify.vectors.suite import AnySuite

_MOST_LEAKS = 5


@dataclass(frozen=True)
class SecretsReport:
    """What came of the builds of one subject."""

    title: str
    suite: AnySuite
    trials: Sequence[Trial]

    @property
    def ok(self) -> bool:
        """Whether every build takes constant time, and the check could tell."""
        return all(trial.ok for trial in self.trials)

    def objects(self) -> list[dict[str, Any]]:
        """Return the results as JSON objects."""
        return [
            {
                "subject": self.title,
                "build": trial.build,
                "functions": sum(result.calls for result in trial.results),
                "leaks": [asdict(leak) for leak in trial.found],
                "wrong": trial.wrong,
                "control": trial.sees,
                "ok": trial.ok,
            }
            for trial in self.trials
        ]

    def text(self) -> str:
        """Return a line for each build, what leaks, and a summary."""
        width = max(len(trial.build) for trial in self.trials)
        lines = [f"{self.title}: constant time in memcheck"]
        for trial in self.trials:
            functions = sum(result.calls for result in trial.results)
            lines.append(f"  {trial.build:{width}}  {functions:4} functions, {len(trial.found)} leaks")
            lines += [f"    {line}" for line in _faults(trial)]
        verdict = "nothing depends on secrets" if self.ok else "FAILED"
        return "\n".join([*lines, f"{self.title}, {len(self.trials)} builds: {verdict}", ""])


def _faults(trial: Trial) -> Iterator[str]:
    for leak in trial.found[:_MOST_LEAKS]:
        yield f"a secret decides {'a branch' if leak.what == 'branch' else 'an address'}: "
        yield from (f"  {call}" for call in leak.calls)
    if len(trial.found) > _MOST_LEAKS:
        yield f"… and {len(trial.found) - _MOST_LEAKS} more; --json FILE has them all"
    if not trial.sees:
        yield "memcheck did not see the function that leaks on purpose, so that this says nothing"
    if trial.wrong:
        yield f"wrong answers: {', '.join(trial.wrong)}"

"""The report of a constant-time check: a line for each build, then the leaks."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from efdgen.generator.text.wrap import wrap
from efdgen.verify.vectors.instructions import VARIABLE

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from efdgen.verify.vectors.secrets import Trial
    from efdgen.verify.vectors.suite import AnySuite

_MOST_LEAKS = 5


@dataclass(frozen=True)
class SecretsReport:
    """The outcome of the builds of one subject."""

    title: str
    suite: AnySuite
    trials: Sequence[Trial]

    @property
    def ok(self) -> bool:
        """Return whether every build takes constant time, and the check could tell."""
        return all(trial.ok for trial in self.trials)

    def objects(self) -> list[dict[str, Any]]:
        """Return the results as JSON objects."""
        return [
            {
                "subject": self.title,
                "build": trial.build,
                "functions": sum(result.calls for result in trial.results),
                "leaks": [asdict(leak) for leak in trial.found],
                "instructions": [asdict(found) for found in trial.slow],
                "disassembled": trial.inspected,
                "not_run": [*trial.not_run],
                "wrong": trial.wrong,
                "control": trial.sees,
                "ok": trial.ok,
            }
            for trial in self.trials
        ]

    def text(self) -> str:
        """Return a line for each build, what leaks, and a summary."""
        width = max(len(trial.build) for trial in self.trials)
        lines = [f"{self.title}: constant time in memcheck and in the disassembly"]
        for trial in self.trials:
            functions = sum(result.calls for result in trial.results)
            lines.append(f"  {trial.build:{width}}  {functions:4} functions, {len(trial.found)} leaks")
            lines += [f"    {line}" for line in _faults(trial)]
        lines += self._left_out()
        verdict = "nothing depends on secrets" if self.ok else "FAILED"
        return "\n".join([*lines, f"{self.title}, {len(self.trials)} builds: {verdict}", ""])

    def _left_out(self) -> Iterator[str]:
        """Yield what was not run and what was not looked at."""
        for names in dict.fromkeys(tuple(trial.not_run) for trial in self.trials):
            if names:
                yield from wrap(
                    f"not run: {', '.join(names)}", 110, initial_indent="  ", subsequent_indent="    "
                )
        yield "  not run: functions named _var, whose time may depend on what they are given"
        if not all(trial.inspected for trial in self.trials):
            yield f"  not disassembled: that takes objdump and addr2line, on {', '.join(VARIABLE)}"


def _faults(trial: Trial) -> Iterator[str]:
    for leak in trial.found[:_MOST_LEAKS]:
        yield f"a secret decides {'a branch' if leak.what == 'branch' else 'an address'}: "
        yield from (f"  {call}" for call in leak.calls)
    if len(trial.found) > _MOST_LEAKS:
        yield f"… and {len(trial.found) - _MOST_LEAKS} more; --json has them all"
    for slow in trial.slow[:_MOST_LEAKS]:
        yield f"{slow.instruction} {slow.why}:"
        yield from (f"  {function}" for function in slow.functions)
    if not trial.sees:
        yield "the function that leaks on purpose was not seen in all its leaks, so that this says nothing"
    if trial.wrong:
        yield f"wrong answers: {', '.join(trial.wrong)}"

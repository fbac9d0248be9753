"""The report of a check of machine code: a line for each build, findings, functions without a verdict."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from efdgen.generator.text.wrap import wrap

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from efdgen.verify.machine.check import Verdict

_MOST = 5


@dataclass(frozen=True)
class MachineTrial:
    """The outcome of a build: its name, and the verdict on its object file."""

    build: str
    verdict: Verdict

    @property
    def ok(self) -> bool:
        """Return whether nothing was found, library calls apart."""
        return not self.verdict.faults

    def warning(self) -> str:
        """Return one line on library functions whose time may depend on data; empty if none are called."""
        products = self.verdict.products
        if not products:
            return ""
        callers = Counter({name: sum(calls.values()) for name, calls in products.items()})
        most = ", ".join(name for name, _ in callers.most_common(3))
        callees = ", ".join(sorted({callee for calls in products.values() for callee in calls}))
        rest = f" and {len(callers) - 3} other functions" if len(callers) > 3 else ""
        return (
            f"{self.build}: {most}{rest} call {callees}, whose time the compiler's library decides: link "
            "versions in constant time, or choose a target with these instructions"
        )


@dataclass(frozen=True)
class MachineReport:
    """The outcome of the builds of one subject."""

    title: str
    trials: Sequence[MachineTrial]

    @property
    def ok(self) -> bool:
        """Return whether nothing was found in any build."""
        return all(trial.ok for trial in self.trials)

    def objects(self) -> list[dict[str, Any]]:
        """Return the results as JSON objects."""
        return [
            {
                "subject": self.title,
                "build": trial.build,
                "architecture": trial.verdict.architecture,
                "straight": trial.verdict.straight,
                "followed": trial.verdict.followed,
                "findings": [
                    {"function": each.function, "what": each.what, "instruction": each.instruction}
                    for each in trial.verdict.faults
                ],
                "library": {name: dict(calls) for name, calls in trial.verdict.products.items()},
                "not_judged": dict(trial.verdict.unjudged),
                "note": trial.verdict.note,
                "ok": trial.ok,
            }
            for trial in self.trials
        ]

    def text(self) -> str:
        """Return a line for each build, what was found, and a summary."""
        width = max(len(trial.build) for trial in self.trials)
        lines = [f"{self.title}: constant time in the disassembly"]
        for trial in self.trials:
            verdict = trial.verdict
            lines.append(
                f"  {trial.build:{width}}  {verdict.straight:4} functions without loops, "
                f"{verdict.followed} followed, "
                f"{len(verdict.unjudged)} not judged, {len(verdict.faults)} findings"
            )
            lines += [f"    {each}" for each in verdict.faults[:_MOST]]
            if len(verdict.faults) > _MOST:
                lines.append(f"    … and {len(verdict.faults) - _MOST} more; --json has them all")
            lines += [f"    warning: {line}" for line in [trial.warning()] if line]
        lines += self._left_out()
        verdict_of_all = "no branch and no address depends on secrets" if self.ok else "FAILED"
        return "\n".join([*lines, f"{self.title}, {len(self.trials)} builds: {verdict_of_all}", ""])

    def _left_out(self) -> Iterator[str]:
        """Yield functions without a verdict, with reasons, and notes on the target."""
        reasons: dict[str, dict[str, None]] = {}
        for trial in self.trials:
            for name, reason in trial.verdict.unjudged.items():
                reasons.setdefault(reason, {})[name] = None
        for reason, names in reasons.items():
            text = f"not judged, {reason}: {', '.join(sorted(names))}"
            yield from wrap(text, 110, initial_indent="  ", subsequent_indent="    ")
        for note in dict.fromkeys(trial.verdict.note for trial in self.trials if trial.verdict.note):
            yield f"  note: {note}"
        yield "  not judged: functions that decode, and functions named _var, which may take variable time"

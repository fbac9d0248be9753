"""Runner of the harness, and comparison of implementations by medians over interleaved rounds."""

from __future__ import annotations

import os
import subprocess
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from tempfile import TemporaryFile

from subjects import OURS, is_portable

from efdgen.generator.processes import start

MODES = ("latency", "throughput")


@dataclass
class Row:
    """Core cycles of every round, by implementation and mode."""

    rounds: dict[tuple[str, str], list[float]] = field(default_factory=dict)

    @property
    def names(self) -> list[str]:
        """The names in this row, efdgen first."""
        return sorted({who for who, _ in self.rounds}, key=lambda who: (not who.startswith(OURS), who))

    def cycles(self, who: str, mode: str) -> float | None:
        """Return the median of an implementation, or None where it has no such row."""
        found = self.rounds.get((who, mode))
        return None if found is None else median(found)

    def best(self, mode: str, *, ours: bool, portable: bool = False) -> str | None:
        """Return who is fastest of efdgen's compilers, or of its peers, or of those without assembler."""
        found = [
            who
            for who, m in self.rounds
            if m == mode and who.startswith(OURS) == ours and (is_portable(who) or not portable)
        ]
        return min(found, key=lambda who: median(self.rounds[who, mode]), default=None)

    def ratio(self, mode: str, *, portable: bool) -> float | None:
        """Return the median over rounds of the best peer's cycles by ours: above 1, efdgen is faster."""
        ours, peer = self.best(mode, ours=True), self.best(mode, ours=False, portable=portable)
        if ours is None or peer is None:
            return None
        return median(
            theirs / own for own, theirs in zip(self.rounds[ours, mode], self.rounds[peer, mode], strict=True)
        )


def measure(
    harness: Path,
    libraries: Sequence[Path],
    rounds: int,
    parts: Sequence[str] = ("",),
    say: Callable[[str], None] = lambda _: None,
) -> dict[str, Row]:
    """Run the harness on the last processor; return rows that have one of ``parts`` in their name."""
    processor = max(os.sched_getaffinity(0))
    command = ["taskset", "-c", str(processor), harness, str(rounds), "|".join(parts), *libraries]
    said: list[str] = []
    with TemporaryFile("w+", encoding="utf-8") as printed:
        with start(command, stdout=printed, stderr=subprocess.PIPE) as process:
            for line in process.stderr or ():
                if line.strip().isdigit():
                    say(f"round {line.strip()} of {rounds}")
                else:
                    said.append(line)
        if process.returncode:
            raise SystemExit(f"the harness failed: {''.join(said).strip()}")
        printed.seek(0)
        rows: dict[str, Row] = defaultdict(Row)
        for line in printed:
            who, row, mode, *cycles = line.split("\t")
            rows[row].rounds[who, mode] = [float(figure) for figure in cycles]
    return dict(rows)

"""Comparison of a choice with its rivals: all are proved, then measured in alternation, and one is kept."""

from __future__ import annotations

from dataclasses import dataclass, field
from statistics import median
from typing import TYPE_CHECKING

from efdgen.generator.autotuning.decide import Verdict, compare, together
from efdgen.generator.errors import EfdgenError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from efdgen.generator.autotuning.stopwatch import Stopwatch, Timed
    from efdgen.generator.fields.operations import FieldOperation

    Prove = Callable[[FieldOperation], object]

ROUNDS = 51
"""In how many rounds what decides is measured."""

PASSES = 9
"""Passes of a round, whose median is taken: single ones are rough on a busy machine."""


QUIET = 0.01
"""With less noise than this, what decides is not measured again."""

ATTEMPTS = 3
"""Largest number of repeated measurements."""


@dataclass(frozen=True)
class Row:
    """A decision: about what, what stood before and the fastest of its rivals, and how these compare.

    ``tried`` counts what was measured. There is no verdict where nothing was left to compare with.
    """

    subject: str
    before: str
    rival: str
    verdict: Verdict | None
    tried: int

    @property
    def wins(self) -> bool:
        """Return whether the rival took the place of what stood."""
        return self.verdict is not None and self.verdict.wins

    @property
    def ratio(self) -> float:
        """The speed-up of the decision over the previous choice."""
        return self.verdict.ratio if self.verdict is not None and self.verdict.wins else 1.0


@dataclass
class Session:
    """Proves and measures, and keeps account; ``say`` is told what is done.

    ``refused`` are the reasons why candidates are not proved; those are never measured.
    """

    stopwatch: Stopwatch
    prove: Prove
    say: Callable[[str], None]
    rows: list[Row] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)

    def proves(self, operations: Sequence[Timed]) -> bool:
        """Return whether all of some operations are proved."""
        try:
            for timed in operations:
                self.prove(timed.operation)
        except EfdgenError as error:
            self.refused.append(str(error))
            return False
        return True

    def decide(self, subject: str, offered: Sequence[tuple[str, Sequence[Timed]]]) -> int:
        """Measure the current choice, the first, and its rivals; return the number of what is decided.

        Each is a name and operations, which count by the geometric mean of their times. The fastest rival is
        measured once more, with the current choice and a copy of it. Raises :class:`EfdgenError` where what
        is is not proved.
        """
        (name, standing), *others = offered
        if not self.proves(standing):
            raise EfdgenError(self.refused[-1])
        rivals = [(at, each) for at, (_, each) in enumerate(others, 1) if self.proves(each)]
        if not rivals:
            self.rows.append(Row(subject, name, "", None, 1))
            return 0
        self.say(f"{subject}: {len(rivals) + 1} candidates")
        at, fastest = rivals[0] if len(rivals) == 1 else self._fastest(rivals)
        verdict = self._compared(standing, fastest)
        self.rows.append(Row(subject, name, offered[at][0], verdict, len(rivals) + 1))
        return at if verdict.wins else 0

    def _compared(self, standing: Sequence[Timed], rival: Sequence[Timed]) -> Verdict:
        """Compare in the quietest of some measurements; one that is quiet is enough."""
        found: list[Verdict] = []
        while len(found) < ATTEMPTS and not any(verdict.noise < QUIET for verdict in found):
            found.append(compare(*self._times([standing, standing, rival])))
        return min(found, key=lambda verdict: verdict.noise)

    def _fastest(self, rivals: Sequence[tuple[int, Sequence[Timed]]]) -> tuple[int, Sequence[Timed]]:
        times = self._times([each for _, each in rivals])
        return rivals[min(range(len(rivals)), key=lambda at: median(times[at]))]

    def _times(self, groups: Sequence[Sequence[Timed]]) -> list[list[float]]:
        """Return for each group, round by round, the geometric mean of the times of its operations."""
        measured = self.stopwatch([timed for group in groups for timed in group], ROUNDS * PASSES)
        found = ([median(each[at : at + PASSES]) for at in range(0, len(each), PASSES)] for each in measured)
        return [together([next(found) for _ in group]) for group in groups]

"""Both sides for one formula, tiny curve by tiny curve."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from efdgen.generator.errors import EfdgenError
from efdgen.generator.programs.lower import lower, lower_ghosts
from efdgen.verify.exceptions.agreement import lanes_on
from efdgen.verify.exceptions.exhaustive import Outcome, outcome
from efdgen.verify.exceptions.locus import DegenerateLocus
from efdgen.verify.exceptions.naming import joined
from efdgen.verify.laws.steps import in_parts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from efdgen.generator.formulas.formula import Formula
    from efdgen.verify.exceptions.laboratory import Laboratory
    from efdgen.verify.exceptions.locus import Component
    from efdgen.verify.exceptions.specimen import Specimen
    from efdgen.verify.exceptions.trials import Rows, Trials

CURVES = 6
"""Least number of tiny curves for the trials of a formula."""


class Observation(NamedTuple):
    """The findings on one tiny curve: the outcome of trials, and the rows on each component of the locus."""

    trials: Trials
    outcome: Outcome
    on_component: list[Rows]


class Investigation:
    """A formula's degenerate locus, and observations on tiny curves, until each component turns up on one.

    ``unseen`` are the components that turn up on none. Raises :class:`EfdgenError` where trials and locus
    disagree.
    """

    def __init__(self, formula: Formula, laboratory: Laboratory) -> None:
        self.formula, self._laboratory = formula, laboratory
        self.specimens = laboratory.specimens(formula)
        self._programs = [lower(formula), *([lower_ghosts(formula)] if formula.implicit_outputs else [])]
        self.loci = list(self._loci())
        self.locus = self.loci[0]
        self.observations = [self._observe(specimen) for specimen in self.specimens[:CURVES]]
        seen = [
            any(o.on_component[index] for o in self.observations)
            for index in range(len(self.locus.components))
        ]
        genuine = enumerate(zip(self.locus.components, seen, strict=True))
        missing = [index for index, (c, known) in genuine if not known and self.locus.is_genuine(c)]
        for specimen in self.specimens[CURVES:] if missing else ():
            observation = self._observe(specimen)
            self.observations.append(observation)
            missing = [index for index in missing if not observation.on_component[index]]
            if not missing:
                break
        self.unseen: list[Component] = [self.locus.components[index] for index in missing]

    def _loci(self) -> Iterator[DegenerateLocus]:
        """Yield the locus of the first part of the formula, which is the whole where the others have none."""
        parts = in_parts(self.formula, self._programs[0])
        for number, (formula, program) in enumerate(parts):
            programs = self._programs if len(parts) == 1 else [program]
            ambiguous = self._laboratory.ambiguous(formula, self.specimens[:CURVES])
            locus = DegenerateLocus(formula, programs, ambiguous)
            if number and any(map(locus.is_genuine, locus.components)):
                raise EfdgenError("a later one of several doublings has some of its own")
            yield locus

    def joined(self, rows: Iterable[Rows]) -> Rows:
        """Return rows of every observation as one set."""
        return joined(zip(rows, (o.trials.all_rows.bit_length() for o in self.observations), strict=True))

    def components(self) -> Iterator[tuple[Component, Rows]]:
        """Yield every component of the locus with the rows that lie on it."""
        for component, *rows in zip(
            self.locus.components, *(o.on_component for o in self.observations), strict=True
        ):
            yield component, self.joined(rows)

    def _observe(self, specimen: Specimen) -> Observation:
        trials = self._laboratory.trials(self.formula, specimen)
        found = outcome(self.formula, self._programs, trials, specimen.parameters)
        on_component = lanes_on(self.locus, trials, specimen.parameters)
        if frozenset().union(*on_component) != found.wrong_lanes & frozenset(trials.unscaled):
            curve = ", ".join(f"{name} = {value}" for name, value in specimen.parameters.items())
            raise EfdgenError(
                f"the degenerate locus and trials disagree over the field of "
                f"{specimen.curve.field.order} elements for {curve}"
            )
        return Observation(trials, found, [trials.rows(lanes) for lanes in on_component])

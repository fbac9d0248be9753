"""Formulas of every kind of a system, where a request without formulas has the usual functions only."""

from efdgen.generator.compile import DEFAULT_WEIGHTS
from efdgen.generator.curves.load import load_curve
from efdgen.generator.formulas.database import Database
from efdgen.generator.kernels.bundle import cheapest_formulas, cheapest_system
from efdgen.generator.kernels.prover import Prover
from efdgen.generator.kernels.ranking import by_weights
from efdgen.generator.reports.weights import parse_weights


def of_every_kind(database: Database, name: str, coordinates: str | None = None) -> tuple[str, ...]:
    """Return the id of the cheapest formula for each signature, in a curve's cheapest system or another."""
    curve, weights = load_curve(name), parse_weights(DEFAULT_WEIGHTS)
    system = f"{curve.model}/{coordinates}" if coordinates else cheapest_system(database, curve, weights)
    found = cheapest_formulas(database, curve, system, by_weights(weights), Prover())
    return tuple(candidate.formula.id for candidate in found)

"""Plans for Montgomery curves, which compute with x-coordinates, on the Montgomery ladder."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

from efdgen.generator.errors import EfdgenError
from efdgen.generator.fields.field import Field
from efdgen.generator.planning.kernels import Fitted, Shelf, Wanted, group_of
from efdgen.generator.planning.make import square_root
from efdgen.generator.planning.plan import Candidate
from efdgen.generator.reports.totals import Step
from efdgen.generator.scalars.reduction import reduction

if TYPE_CHECKING:
    from collections.abc import Mapping

    from efdgen.generator.curves.curve import Curve
    from efdgen.generator.formulas.database import Database
    from efdgen.generator.kernels.prover import Prover
    from efdgen.generator.origin import Origin
    from efdgen.generator.planning.make import Order
    from efdgen.generator.planning.plan import SquareRoot
    from efdgen.generator.programs.kernel import CurveKernels, Kernel
    from efdgen.generator.scalars.reduction import Reduction


COORDINATES = "xz"
"""The coordinate system of ladders."""


@dataclass(frozen=True)
class LadderPlan:
    """A Montgomery curve: the kernel of a bit, and how many bits of a scalar are gone through.

    ``step`` takes P1 = P3 - P2 with Z1 = 1, P2 and P3 to 2·P2 and P2 + P3. ``bits`` are those of the scalars'
    bytes, which are not reduced where only x is known: the x-coordinate may be one of the twist.
    ``candidates`` has the one method of scalar multiplication, ``claims`` what was proved of its functions.
    """

    curve: Curve
    prefix: str
    command: Origin
    order: int
    cofactor: int
    kernels: CurveKernels
    step: str
    square_root: SquareRoot
    field_bytes: int
    reduction: Reduction
    bits: int
    reasons: Mapping[str, str]
    candidates: Mapping[str, tuple[Candidate, ...]]
    claims: Mapping[str, str] = field(default_factory=dict)

    def kernel(self, name: str) -> Kernel:
        """Return a kernel by its name in the group."""
        return next(kernel for kernel in self.kernels.kernels if kernel.name == name)


def make_ladder(database: Database, curve: Curve, order: Order, prover: Prover) -> LadderPlan:
    """Return the plan of a Montgomery curve, its kernels proved.

    Raises :class:`EfdgenError` for a curve without generator, order or cofactor.
    """
    for key in ("generator", "order", "cofactor"):
        if getattr(curve, key) is None:
            raise EfdgenError(f"{curve.name} has no {key}; --set {order.set} needs it in the curve's file")
    assert curve.order is not None and curve.cofactor is not None
    home = database.system(f"{curve.model}/{COORDINATES}")
    shelf = Shelf(database, curve, home, order.weights, Fitted(database, curve), order.ranking)
    found = shelf.find(Wanted("ladder", (home,) * 5, (1,)), order.formulas)
    if found is None:
        raise EfdgenError(f"no ladder of {home.id} applies to {curve.name}")
    kernels = group_of(shelf, [found], prover)
    modulus = reduction(curve.order * curve.cofactor)
    bits = 8 * modulus.bytes
    step = Step(Fraction(bits), found.formula.id, kernels.kernels[0].cost_emitted)
    weight = bits * order.weights.price(step.cost)
    ladder = Candidate(
        home.id, "Montgomery ladder", (step,), points=0, bytes=0, reads=0, weight=weight, chosen=True
    )
    return LadderPlan(
        curve=curve,
        prefix=order.prefix,
        command=order.command,
        order=curve.order,
        cofactor=curve.cofactor,
        kernels=kernels,
        step=kernels.kernels[0].name,
        square_root=square_root(curve.prime),
        field_bytes=Field(curve.field).bytes,
        reduction=modulus,
        bits=bits,
        reasons={},
        candidates={"variable-base": (ladder,)},
    )

"""Functions of n points at once with a shared inversion: Montgomery's trick.

The first pass multiplies what is to be inverted, point by point, and keeps the product of what came before
each. One inversion follows. The second pass goes backwards: the inverse of a product times the product that
was kept is the inverse of the last factor, and times that factor it is the inverse of the product before.
So n inversions cost one and 3(n - 1) multiplications. A 0 among the factors is left out; its inverse is 0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.language.syntax import names_in
from efdgen.generator.programs.kernel import Batch, Coordinate, Temporary

if TYPE_CHECKING:
    from collections.abc import Sequence

    from efdgen.generator.formulas.formula import Formula
    from efdgen.generator.programs.kernel import Argument, Place


def batch_of(
    formula: Formula, temporaries: int, inputs: Sequence[Argument], outputs: Sequence[Argument]
) -> tuple[Batch | None, dict[Place, Place]]:
    """Return how a function of n points makes their inverses, and where a point's inverse is read then.

    Nothing, for a formula whose function takes single points; ``temporaries`` is how many it has.
    """
    if not formula.kind.length:
        return None, {}
    (reciprocal,) = formula.input_scalars
    (inverted,) = names_in(reciprocal.right)
    (scalar,), (output,) = (a for a in inputs if not a.number), outputs
    places = {name: Coordinate(a.name, member) for a in inputs for member, name in a.members.items()}
    inverse, scratch = Temporary(temporaries), Coordinate(output.name, next(iter(output.members)))
    return Batch(places[inverted.text], inverse, scratch), {places[scalar.coordinates[0]]: inverse}

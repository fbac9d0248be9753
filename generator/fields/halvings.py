"""Binary GCD: Stein's algorithm on the leading and low bits of two numbers.

g is halved while it is even. Then f and g are odd, the smaller of them becomes f, and their difference g. In
the end g = 0 and f = ±gcd(p, a). Leading bits tell which one is smaller, so that many halvings are
collected in a matrix before it is applied [2020-pornin]; where these mislead, signs change, and nothing else.

    piece   w/2 - 2 halvings on one word for each number: low bits, and leading ones above
    batch   two pieces, their matrices multiplied
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from efdgen.generator.fields.division_steps import DivisionSteps


@dataclass(frozen=True)
class Halvings:
    """Halvings on numbers in the limbs of divsteps."""

    arrangement: DivisionSteps

    @property
    def piece(self) -> int:
        """Halvings in a piece: entries of a row share a word."""
        return self.arrangement.word // 2 - 2

    @property
    def batches(self) -> int:
        """A number of batches that are enough where leading bits do not mislead, and some more.

        Each halving shortens one of two numbers by a bit; after a fixed number another inversion is called.
        """
        return -(-2 * self.arrangement.modulus.bit_length() // (2 * self.piece)) + 2

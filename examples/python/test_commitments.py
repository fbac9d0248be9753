"""Commitments open as they were made, and their sums to the sums of the values."""

import secrets
import unittest

from commitments import commit, opens, total
from curve.edwards25519 import ORDER, random_scalar


class Commitments(unittest.TestCase):
    """Commitments to small values, with random blinding scalars."""

    def test_a_commitment_opens_to_its_value_alone(self) -> None:
        blinding = random_scalar()
        made = commit(1000, blinding)
        self.assertTrue(opens(made, 1000, blinding))
        self.assertFalse(opens(made, 1001, blinding))
        self.assertFalse(opens(made, 1000, blinding ^ 1))

    def test_the_sum_of_commitments_opens_to_the_sum_of_values(self) -> None:
        values, blindings = [5, 7, 11], [random_scalar() for _ in range(3)]
        made = [commit(*pair) for pair in zip(values, blindings, strict=True)]
        self.assertTrue(opens(total(made), sum(values), sum(blindings) % ORDER))

    def test_bytes_that_encode_no_point_are_refused(self) -> None:
        with self.assertRaises(ValueError):
            total([b"\xff" * 32])
        self.assertNotEqual(commit(1, secrets.randbelow(ORDER)), commit(1, secrets.randbelow(ORDER)))

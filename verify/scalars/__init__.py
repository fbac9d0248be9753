"""Proofs that the multiplications of a whole curve are correct for every scalar and every point."""

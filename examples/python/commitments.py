"""Pedersen commitments on edwards25519: v*G + r*H commits to v, and r hides it."""

from __future__ import annotations

from curve.edwards25519 import GENERATOR, IDENTITY, Point

# Nobody knows the discrete logarithm of H to the base G: H is 8 times a hash of G to a point, Monero's.
H = Point.from_bytes(bytes.fromhex("8b655970153799af2aeadc9ff1add0ea6c7251d54154cfa92c173a0dd39c1f94"))


def commit(value: int, blinding: int) -> bytes:
    """Return the commitment to a value in [0, n), with a blinding scalar in [0, n), as 32 bytes."""
    return bytes(value * GENERATOR + blinding * H)


def opens(commitment: bytes, value: int, blinding: int) -> bool:
    """Return whether a value and a blinding scalar open a commitment."""
    return commit(value, blinding) == commitment


def total(commitments: list[bytes]) -> bytes:
    """Return the commitment to the sum of the values; raise ValueError for bytes that encode no point."""
    return bytes(sum(map(Point.from_bytes, commitments), IDENTITY))

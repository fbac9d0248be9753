"""Checks of an image's operations against each other, before their counts mean anything."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

_OTHER = 0x11


class Called(Protocol):
    """Functions and variables of an image, by name."""

    def call(self, name: str) -> int:
        """Call a function and return its result."""

    def read(self, name: str) -> bytes:
        """Return the bytes of a variable."""

    def write(self, name: str, value: bytes) -> None:
        """Change the bytes of a variable."""


class DisagreementError(Exception):
    """A wrong result of an operation."""


def results(image: Called, operations: Collection[str]) -> dict[str, str]:
    """Check operations; return results that other implementations of the curve have to share, as digits.

    A signature has to be valid, and invalid with a bit changed. Both sides of a key exchange have to get the
    same bytes. EdDSA's signatures are shared; ECDSA's depend on the nonce.
    """
    _expect(image, "setup", 1)
    found = {}
    if "sign" in operations:
        for name in ("keygen", "sign", "verify"):
            _expect(image, name, 1)
        signature = image.read("signature")
        image.write("signature", bytes([signature[0] ^ 1]) + signature[1:])
        _expect(image, "verify", 0)
        image.write("signature", signature)
        if "exchange" not in operations:
            found["signature"] = signature.hex()
    if "exchange" in operations:
        found["shared"] = _shared(image, "keygen" in operations).hex()
    return found


def _shared(image: Called, generated: bool) -> bytes:
    """Return the shared secret of two keys, which both sides have to get."""
    base = image.read("key")
    mine = image.read("secret")
    other = bytes(byte ^ _OTHER for byte in mine)
    public = []
    for secret in (mine, other):
        image.write("secret", secret)
        image.write("key", base)
        _expect(image, "keygen" if generated else "exchange", 1)
        public.append(image.read("key" if generated else "common"))
    found = []
    for secret, key in zip((mine, other), reversed(public), strict=True):
        image.write("secret", secret)
        image.write("key", key)
        _expect(image, "exchange", 1)
        found.append(image.read("common"))
    if found[0] != found[1] or not any(found[0]):
        raise DisagreementError("exchange: the two sides have different secrets")
    return found[0]


def _expect(image: Called, name: str, expected: int) -> None:
    if (returned := image.call(name)) != expected:
        raise DisagreementError(f"{name} returned {returned}, not {expected}")


def compare(found: Sequence[tuple[str, str, Mapping[str, str]]]) -> None:
    """Raise :class:`DisagreementError` if results differ; each entry is a curve, who, and results."""
    first: dict[tuple[str, str], tuple[str, str]] = {}
    for curve, who, values in found:
        for name, value in values.items():
            other, expected = first.setdefault((curve, name), (who, value))
            if value != expected:
                raise DisagreementError(f"{curve}: {who} and {other} have different results of {name}")

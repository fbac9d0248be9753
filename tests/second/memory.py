"""Memory and arithmetic of translated C: what each operation does, and which have no defined result.

A pointer is a container and a key in it: a list and an index, or a dictionary and the name of a member.
"""

from __future__ import annotations

from typing import Any, NoReturn

from second.errors import UndefinedError


class Unset:
    """A value that was never stored: any operation on it is an error."""

    def _fail(self, *_: object) -> NoReturn:
        raise UndefinedError("a value is read that was not stored")

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __and__ = __rand__ = __or__ = __ror__ = (
        _fail
    )
    __xor__ = __rxor__ = __lshift__ = __rlshift__ = __rshift__ = __rrshift__ = __floordiv__ = __mod__ = _fail
    __lt__ = __le__ = __gt__ = __ge__ = __neg__ = __invert__ = __bool__ = __index__ = __int__ = _fail
    __eq__ = __ne__ = _fail
    __hash__ = None


UNSET = Unset()


def fits(value: int, bits: int) -> int:
    """Return the result of signed arithmetic."""
    if not -(1 << bits - 1) <= value < 1 << bits - 1:
        raise UndefinedError(f"signed overflow: {value}")
    return value


def wrapped(value: int, bits: int) -> int:
    """Return what a conversion to a signed type makes of a value, with every compiler."""
    value &= (1 << bits) - 1
    return value - (value >> bits - 1 << bits)


def amount(shift: int, bits: int) -> int:
    """Return by how much a value of some bits is shifted."""
    if not 0 <= shift < bits:
        raise UndefinedError(f"a shift of {bits} bits by {shift}")
    return shift


def left_shift(value: int, shift: int, bits: int) -> int:
    """Return a signed value shifted to the left."""
    if value < 0:
        raise UndefinedError(f"{value} is shifted to the left")
    return fits(value << amount(shift, bits), bits)


def quotient(left: int, right: int) -> int:
    """Return a quotient, rounded towards zero."""
    if not right:
        raise UndefinedError("a division by zero")
    return abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)


def remainder(left: int, right: int) -> int:
    """Return a remainder, with the sign of the dividend."""
    return left - right * quotient(left, right)


def index(at: int) -> int:
    """Return an index, which Python would count from the end if it were negative."""
    if at < 0:
        raise UndefinedError(f"index {at}")
    return at


def copied(value: Any) -> Any:
    """Return a structure or an array of its own."""
    if isinstance(value, list):
        return [copied(item) for item in value]
    if isinstance(value, dict):
        return {name: copied(member) for name, member in value.items()}
    return value


def assigned(target: Any, source: Any) -> Any:
    """Copy a structure or an array into another, whose parts stay where they are, and return it."""
    for key in range(len(target)) if isinstance(target, list) else target:
        if isinstance(target[key], list | dict):
            assigned(target[key], source[key])
        else:
            target[key] = source[key]
    return target


def stored(container: Any, key: Any, value: Any) -> Any:
    """Store a value and return it."""
    container[key] = value
    return value


SPACE = {
    "UNSET": UNSET,
    **{f.__name__: f for f in (fits, wrapped, amount, left_shift, quotient, remainder, index)},
    **{f.__name__: f for f in (copied, assigned, stored)},
}

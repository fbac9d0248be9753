"""Memory and arithmetic of translated LLVM IR.

A pointer is a block and an offset in it; without a block it is an address, of nothing. A byte that was never
stored is random, so that it makes another value.
"""

from __future__ import annotations

from functools import cached_property
from itertools import count
from random import Random
from typing import TYPE_CHECKING, Any, NoReturn

from second.errors import RefusedError, UndefinedError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_GARBAGE = Random(7).randbytes(1 << 16)
_starts = count()
_addresses = count(1 << 16, 1 << 12)


class Block:
    """Bytes, and the pointers among them by their offsets; ``address`` is a number of its own."""

    def __init__(self, data: bytes) -> None:
        self.data, self.pointers = bytearray(data), {}

    @cached_property
    def address(self) -> int:
        """The address of the first byte, which is even and far from those of others."""
        return next(_addresses)


def block(data: bytes, pointers: dict[int, Pointer], _: int) -> Block:
    """Return a constant."""
    found = Block(data)
    found.pointers |= pointers
    return found


def blank(count: int, bits: int) -> Block:
    """Return a block for numbers of some bits, in which nothing was stored."""
    return allocated(count * bits // 8)[0]


def stored(numbers: Sequence[int], bits: int) -> Block:
    """Return numbers of some bits, one after the other."""
    return Block(b"".join(number.to_bytes(bits // 8, "little") for number in numbers))


def read(found: Block, bits: int) -> list[int]:
    """Return the numbers in a block."""
    size = bits // 8
    return [int.from_bytes(found.data[at : at + size], "little") for at in range(0, len(found.data), size)]


Pointer = tuple[Block | None, int]


def allocated(size: int) -> Pointer:
    """Return a block in which nothing is stored."""
    start = next(_starts) * 257 % ((1 << 16) - size)
    return Block(_GARBAGE[start : start + size]), 0


def address(pointer: Pointer) -> int:
    """Return a pointer as a number."""
    block, offset = pointer
    return offset + (block.address if block else 0)


def _bytes(pointer: Pointer, size: int) -> tuple[bytearray, int]:
    block, offset = pointer
    if block is None:
        if size:
            raise UndefinedError("a pointer to nothing")
        return bytearray(), 0
    if not 0 <= offset <= len(block.data) - size:
        raise UndefinedError(f"{size} bytes at {offset} of {len(block.data)}")
    return block.data, offset


def load(pointer: Pointer, bits: int) -> int:
    """Return an integer."""
    size = -(-bits // 8)
    data, at = _bytes(pointer, size)
    value = int.from_bytes(data[at : at + size], "little")
    return value if size * 8 == bits else value & (1 << bits) - 1


def store(pointer: Pointer, bits: int, value: int) -> None:
    """Store an integer."""
    size = -(-bits // 8)
    data, at = _bytes(pointer, size)
    data[at : at + size] = value.to_bytes(size, "little")


def load_pointer(pointer: Pointer, bits: int) -> Pointer:
    """Return a pointer that was stored as one; of other bytes, one to nothing."""
    block, offset = pointer
    found, number = block.pointers.get(offset) if block else None, load(pointer, bits)
    return (None, number) if found is None or number != address(found) & (1 << bits) - 1 else found


def store_pointer(pointer: Pointer, bits: int, value: Pointer) -> None:
    """Store a pointer."""
    store(pointer, bits, address(value) & (1 << bits) - 1)
    pointer[0].pointers[pointer[1]] = value


def copy(target: Pointer, source: Pointer, size: int, *_: int) -> None:
    """Copy bytes, and the pointers among them."""
    to, at = _bytes(target, size)
    data, start = _bytes(source, size)
    to[at : at + size] = data[start : start + size]
    if size and source[0].pointers:
        found = {
            at + offset - start: p for offset, p in source[0].pointers.items() if 0 <= offset - start < size
        }
        target[0].pointers |= found


def fill(target: Pointer, value: int | None, size: int, *_: int) -> None:
    """Store a byte many times; of a value that is undefined, nothing."""
    data, at = _bytes(target, size)
    if value is not None:
        data[at : at + size] = bytes([value]) * size


def moved(pointer: Pointer, offset: int) -> Pointer:
    """Return a pointer after or before another."""
    return pointer[0], pointer[1] + offset


def signed(value: int, bits: int) -> int:
    """Return a value as a signed one."""
    return value - (value >> bits - 1 << bits)


def checked(
    value: int, operands: tuple[int, int], bits: int, flags: str, operator: Callable[..., int]
) -> int:
    """Return the low bits of a result; with flags it may not overflow."""
    low = value & (1 << bits) - 1
    if "nuw" in flags and low != value:
        raise UndefinedError("an unsigned overflow")
    if "nsw" in flags and operator(*(signed(each, bits) for each in operands)) != signed(low, bits):
        raise UndefinedError("a signed overflow")
    return low


def amount(shift: int, bits: int) -> int:
    """Return by how much a value is shifted."""
    if not 0 <= shift < bits:
        raise UndefinedError(f"a shift of {bits} bits by {shift}")
    return shift


def inserted(aggregate: tuple[Any, ...] | None, size: int, value: Any, index: int) -> tuple[Any, ...]:
    """Return an aggregate with another member."""
    found = [*(aggregate or [None] * size)]
    found[index] = value
    return tuple(found)


def panic(what: str) -> NoReturn:
    """End, as a panic does."""
    raise UndefinedError(what)


def refuse(what: str) -> NoReturn:
    """Refuse an instruction that is executed and not known."""
    raise RefusedError(what)


def _carried(carry: int, left: int, right: int) -> tuple[int, int]:
    total = left + right + (carry != 0)
    return total >> 64, total & (1 << 64) - 1


def _borrowed(borrow: int, left: int, right: int) -> tuple[int, int]:
    total = left - right - (borrow != 0)
    return int(total < 0), total & (1 << 64) - 1


INTRINSICS: dict[str, Callable[..., Any]] = {
    "llvm.memcpy": copy,
    "llvm.memmove": copy,
    "llvm.memset": fill,
    "llvm.x86.addcarry": _carried,
    "llvm.x86.subborrow": _borrowed,
    "llvm.is.constant": lambda _: 0,
    "llvm.trap": lambda: panic("a trap"),
    "llvm.lifetime.start": lambda *_: None,
    "llvm.lifetime.end": lambda *_: None,
}
"""The effects of LLVM's functions, by their names without types."""

SPACE = {
    f.__name__: f
    for f in (
        *(allocated, address, load, store, load_pointer, store_pointer, moved, signed, checked, amount),
        *(inserted, panic, refuse),
    )
}

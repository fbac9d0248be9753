"""Memory of translated LLVM IR whose integers may be symbols: cells of some bytes, in place of bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from second import ir_memory
from second.ir_memory import Block, panic
from second.symbols import Symbol, UndecidedError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


class Cells(Block):
    """Cells by their offsets: how many bytes each has, and what is stored in it, an integer or a pointer."""

    def __init__(self, size: int) -> None:
        super().__init__(b"")
        self.size = size
        self.cells: dict[int, tuple[int, Any]] = {}

    def require(self, offset: int, size: int) -> None:
        """End as an access of other memory would."""
        if not 0 <= offset <= self.size - size:
            panic(f"{size} bytes at {offset} of {self.size}")

    def within(self, offset: int, size: int) -> dict[int, tuple[int, Any]]:
        """Return the cells between two offsets; one that is there in part is undecided."""
        found = {}
        for at in range(max(0, offset - 15), offset + size):
            cell = self.cells.get(at)
            if cell and at + cell[0] > offset:
                if at < offset or at + cell[0] > offset + size:
                    raise UndecidedError("a part of an integer")
                found[at] = cell
        return found

    def put(self, offset: int, size: int, cells: dict[int, tuple[int, Any]]) -> None:
        """Replace the cells between two offsets."""
        self.require(offset, size)
        for at in self.within(offset, size):
            del self.cells[at]
        self.cells |= cells


def block(data: bytes, pointers: dict[int, Any], bits: int) -> Cells:
    """Return a constant."""
    found = Cells(len(data))
    found.cells = {at: (1, byte) for at, byte in enumerate(data)}
    for at, pointer in pointers.items():
        found.put(at, bits // 8, {at: (bits // 8, pointer)})
    return found


def allocated(size: int) -> tuple[Cells, int]:
    """Return memory in which nothing is stored."""
    return Cells(size), 0


def _place(pointer: Any, size: int) -> tuple[Cells, int]:
    found, offset = pointer
    if found is None:
        if size:
            panic("a pointer to nothing")
        found = Cells(0)
        offset = 0
    found.require(offset, size)
    return found, offset


def load(pointer: Any, bits: int) -> Any:
    """Return an integer, of one cell or more."""
    size = -(-bits // 8)
    found, offset = _place(pointer, size)
    total, cells = 0, found.within(offset, size)
    if sum(count for count, _ in cells.values()) != size:
        raise UndecidedError("a value that was not stored")
    for at, (_, value) in cells.items():
        if isinstance(value, tuple):
            raise UndecidedError("a pointer as an integer")
        total = value if len(cells) == 1 else (value << 8 * (at - offset)) + total
    return total if size * 8 == bits else total & (1 << bits) - 1


def store(pointer: Any, bits: int, value: Any) -> None:
    """Store an integer."""
    size = -(-bits // 8)
    found, offset = _place(pointer, size)
    found.put(offset, size, {offset: (size, value)})


def load_pointer(pointer: Any, bits: int) -> Any:
    """Return a pointer."""
    found, offset = _place(pointer, bits // 8)
    cell = found.cells.get(offset)
    if cell is None or not isinstance(cell[1], tuple):
        raise UndecidedError("no pointer")
    return cell[1]


def store_pointer(pointer: Any, bits: int, value: Any) -> None:
    """Store a pointer."""
    store(pointer, bits, value)


def copy(target: Any, source: Any, size: int, *_: int) -> None:
    """Copy cells."""
    to, at = _place(target, size)
    found, start = _place(source, size)
    to.put(at, size, {offset - start + at: cell for offset, cell in found.within(start, size).items()})


def fill(target: Any, value: int | None, size: int, *_: int) -> None:
    """Store a byte many times; of a value that is undefined, nothing."""
    to, at = _place(target, size)
    to.put(at, size, {} if value is None else dict.fromkeys(range(at, at + size), (1, value)))


def _bit(value: Any) -> Any:
    if isinstance(value, Symbol) and not set(value.bounds()) <= {0, 1}:
        raise UndecidedError("a carry of more than a bit")
    return value if isinstance(value, Symbol) else int(value != 0)


def _carried(carry: Any, left: Any, right: Any) -> tuple[Any, Any]:
    total = left + right + _bit(carry)
    return total >> 64, total & (1 << 64) - 1


def _borrowed(borrow: Any, left: Any, right: Any) -> tuple[Any, Any]:
    total = left - right - _bit(borrow)
    return -(total >> 64), total & (1 << 64) - 1


def stored(numbers: Sequence[Any], bits: int) -> Cells:
    """Return numbers of some bits, one after the other."""
    size = bits // 8
    found = Cells(size * len(numbers))
    found.cells = {size * index: (size, number) for index, number in enumerate(numbers)}
    return found


def blank(count: int, bits: int) -> Cells:
    """Return memory for numbers of some bits."""
    return Cells(count * bits // 8)


def read(found: Cells, bits: int) -> list[Any]:
    """Return the numbers in a block."""
    return [load((found, at), bits) for at in range(0, found.size, bits // 8)]


INTRINSICS: dict[str, Callable[..., Any]] = ir_memory.INTRINSICS | {
    "llvm.memcpy": copy,
    "llvm.memmove": copy,
    "llvm.memset": fill,
    "llvm.x86.addcarry": _carried,
    "llvm.x86.subborrow": _borrowed,
}
SPACE = ir_memory.SPACE | {f.__name__: f for f in (allocated, load, store, load_pointer, store_pointer)}

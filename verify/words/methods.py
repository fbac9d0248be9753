"""Methods of Rust's arrays, iterators and integers, as far as emitted routines call them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from efdgen.verify.words.places import Element, View
from efdgen.verify.words.values import NotFollowedError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from efdgen.verify.words.machine import Machine
    from efdgen.verify.words.values import Integer

Value = Any


def _get(_: Machine, array: list[Value], index: int) -> list[Value]:
    """Return an optional value: a list of it, or of nothing."""
    return array[index : index + 1]


def _map_or(_: Machine, option: list[Value], default: Value, function: Callable[[Value], Value]) -> Value:
    return function(option[0]) if option else default


def _any(machine: Machine, items: Iterable[Value], holds: Callable[[Value], Value]) -> bool:
    return any(machine.plain(holds(item)) for item in items)


def _all(machine: Machine, items: Iterable[Value], holds: Callable[[Value], Value]) -> bool:
    return all(machine.plain(holds(item)) for item in items)


def _trailing_zeros(machine: Machine, value: Value) -> int:
    known = machine.plain(value)
    return (known & -known).bit_length() - 1 if known else machine.word.bits


def _leading_zeros(machine: Machine, value: Value) -> int:
    return machine.word.bits - machine.plain(value).bit_length()


def _to_le_bytes(machine: Machine, value: Integer) -> list[Integer]:
    byte = machine.kinds["uint8_t"]
    shifted = (machine.binary(">>", value, at) for at in range(0, value.kind.bits, 8))
    return [machine.converted(part, byte) for part in shifted]


def _copy_from_slice(_: Machine, target: Value, source: Value) -> None:
    array = target.read() if isinstance(target, Element) else target
    if len(array) != len(source):
        raise NotFollowedError(f"{len(source)} elements are copied to {len(array)}")
    for at in range(len(source)):
        array[at] = source[at]


def _chunks_exact(_: Machine, array: Value, size: int) -> list[View]:
    return [View(array, at, size) for at in range(0, len(array) - size + 1, size)]


METHODS: dict[str, Callable[..., Value]] = {
    "iter": lambda _, array: array,
    "iter_mut": lambda _, array: [Element(array, index) for index in range(len(array))],
    "zip": lambda _, items, other: [list(pair) for pair in zip(items, other, strict=True)],
    "enumerate": lambda _, items: [[index, item] for index, item in enumerate(items)],
    "skip": lambda _, items, count: items[count:],
    "map": lambda _, items, function: [function(item) for item in items],
    "rev": lambda _, items: list(reversed(list(items))),
    "len": lambda _, array: len(array),
    "reverse": lambda _, array: array.reverse(),
    "to_le_bytes": _to_le_bytes,
    "copy_from_slice": _copy_from_slice,
    "chunks_exact": _chunks_exact,
    "get": _get,
    "map_or": _map_or,
    "any": _any,
    "all": _all,
    "div_ceil": lambda _, a, b: -(-a // b),
    "trailing_zeros": _trailing_zeros,
    "leading_zeros": _leading_zeros,
}

"""Calls of translated Rust, by the functions that are appended to its modules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from second.ir_memory import Block

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from efdgen.generator.fields.printed import KernelText
    from second.ir import Module
    from second.machines import Array, Element, Shape

_GARBAGE = b"\xa5\x5a\xc3"


class RustMachine:
    """A crate for one target, with words of one size: numbers of words of elements, and of reduced ones."""

    takes_symbols = False  # memory is bytes

    def __init__(self, module: Module, word: int, limbs: int, order: int, known: set[str]) -> None:
        self._module, self.word, self._limbs, self._known = module, word, limbs, known
        size = (order - 1).bit_length()
        self._counts = {"element": limbs, "words": -(-size // word), "bytes": -(-size // 8)}

    def is_known(self, name: str) -> bool:
        """See :class:`second.machines.Machine`; the function is known from now on."""
        if not self._module.has(f"second_{name}"):
            return False
        meaning, count = self._module.meaning(f"second_{name}"), len(self._known)
        self._known.add(f"{self.word} {name} {meaning}")
        return len(self._known) == count

    def limb(self, name: str, arrays: Sequence[Array], *, returns: bool) -> Callable[..., Any] | None:
        """See :class:`second.machines.Machine`; rustc compares the types."""
        full = f"second_limbs_{name}"
        if not self._module.has(full):
            return None

        def called(inputs: list[list[int]]) -> tuple[list[Element], int | None]:
            given = iter(inputs)
            places = [_blank(a.count, a.bits) if a.output else _stored(next(given), a.bits) for a in arrays]
            values = [
                _read(p, a.bits)[0] if a.by_value else (p, 0) for a, p in zip(arrays, places, strict=True)
            ]
            returned = self._module.call(full, *values)
            outputs = [_read(p, a.bits) for a, p in zip(arrays, places, strict=True) if a.output]
            return outputs, returned if returns else None

        return called

    def field(self, name: str, shape: Shape) -> Callable[..., Any] | None:
        """See :class:`second.machines.Machine`; no output is in the place of an input."""
        full = f"second_fe_{name}"
        if not self._module.has(full):
            return None

        def called(inputs: list[Any], _: int | None) -> tuple[list[Element], int | None]:
            bits = {"element": self.word, "words": self.word, "bytes": 8}
            outputs = [_blank(self._counts[kind], bits[kind]) for kind in shape.outputs]
            pairs = zip(shape.inputs, inputs, strict=True)
            given = [(_stored(value, bits[kind]), 0) if kind in bits else value for kind, value in pairs]
            flag = self._module.call(full, *((block, 0) for block in outputs), *given)
            return [
                _read(block, bits[kind]) for kind, block in zip(shape.outputs, outputs, strict=True)
            ], flag

        return called

    def kernel(self, kernel: KernelText) -> Callable[..., Any] | None:
        """See :class:`second.machines.Machine`; no output is in the place of an input."""
        full = f"second_kernel_{kernel.name}"
        if not self._module.has(full):
            return None

        def called(
            inputs: list[dict[str, list[int]]], _: object
        ) -> tuple[list[dict[str, Element]], int | None]:
            outputs = [[*point.members] for point in kernel.outputs]
            given = [words for point in inputs for words in point.values()]
            found, flag = self.on_elements(full, sum(map(len, outputs)), given)
            members = iter(found)
            return [{member: next(members) for member in point} for point in outputs], flag

        return called

    def has(self, name: str) -> bool:
        """Return whether a function was appended."""
        return self._module.has(name)

    def on_elements(
        self, name: str, count: int, given: Sequence[list[int]], *rest: int
    ) -> tuple[list[Element], Any]:
        """Return some elements that a function makes of others, and what it returns."""
        outputs = [_blank(self._limbs, self.word) for _ in range(count)]
        inputs = [_stored(words, self.word) for words in given]
        returned = self._module.call(name, *((block, 0) for block in (*outputs, *inputs)), *rest)
        return [_read(block, self.word) for block in outputs], returned

    def constant(self, name: str) -> Element:
        """See :class:`second.machines.Machine`."""
        return self.on_elements(f"second_constant_{name}", 1, [])[0][0]


def _blank(count: int, bits: int) -> Block:
    """Return a block in which nothing was stored."""
    return Block((_GARBAGE * count * bits)[: count * bits // 8])


def _stored(numbers: Sequence[int], bits: int) -> Block:
    return Block(b"".join(number.to_bytes(bits // 8, "little") for number in numbers))


def _read(block: Block, bits: int) -> list[int]:
    size = bits // 8
    return [int.from_bytes(block.data[at : at + size], "little") for at in range(0, len(block.data), size)]

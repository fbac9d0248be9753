"""Calls of translated Rust, by the functions that are appended to its modules."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from second import ir_memory, ir_symbols
from second.ir_memory import blank, read, stored

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from efdgen.generator.fields.printed import KernelText
    from second.ir import Module
    from second.machines import Array, Element, Shape


class RustMachine:
    """A crate for one target, with words of one size: numbers of words of elements, and of reduced ones."""

    takes_symbols = True

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

    @cached_property
    def _symbolic(self) -> Module:
        return self._module.over(ir_symbols)

    def limb(self, name: str, arrays: Sequence[Array], *, returns: bool) -> Callable[..., Any] | None:
        """See :class:`second.machines.Machine`; rustc compares the types."""
        full = f"second_limbs_{name}"
        if not self._module.has(full):
            return None

        def called(inputs: list[list[int]]) -> tuple[list[Element], int | None]:
            unknown = any(not isinstance(number, int) for words in inputs for number in words)
            module, memory = (self._symbolic, ir_symbols) if unknown else (self._module, ir_memory)
            given = iter(inputs)
            pairs = [
                (a, memory.blank(a.count, a.bits) if a.output else memory.stored(next(given), a.bits))
                for a in arrays
            ]
            values = (memory.read(place, a.bits)[0] if a.by_value else (place, 0) for a, place in pairs)
            returned = module.call(full, *values)
            outputs = [memory.read(place, a.bits) for a, place in pairs if a.output]
            return outputs, returned if returns else None

        return called

    def field(self, name: str, shape: Shape) -> Callable[..., Any] | None:
        """See :class:`second.machines.Machine`; no output is in the place of an input."""
        full = f"second_fe_{name}"
        if not self._module.has(full):
            return None

        def called(inputs: list[Any], _: int | None) -> tuple[list[Element], int | None]:
            bits = {"element": self.word, "words": self.word, "bytes": 8}
            outputs = [blank(self._counts[kind], bits[kind]) for kind in shape.outputs]
            pairs = zip(shape.inputs, inputs, strict=True)
            given = [(stored(value, bits[kind]), 0) if kind in bits else value for kind, value in pairs]
            flag = self._module.call(full, *((block, 0) for block in outputs), *given)
            return [read(block, bits[kind]) for kind, block in zip(shape.outputs, outputs, strict=True)], flag

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
        outputs = [blank(self._limbs, self.word) for _ in range(count)]
        inputs = [stored(words, self.word) for words in given]
        returned = self._module.call(name, *((block, 0) for block in (*outputs, *inputs)), *rest)
        return [read(block, self.word) for block in outputs], returned

    def constant(self, name: str) -> Element:
        """See :class:`second.machines.Machine`."""
        return self.on_elements(f"second_constant_{name}", 1, [])[0][0]

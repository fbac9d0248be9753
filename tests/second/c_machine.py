"""Calls of translated C: the types of its parameters are compared, and values are converted to them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from second.c_files import Parameter
from second.c_types import Integer
from second.errors import RefusedError
from second.memory import UNSET

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from efdgen.generator.fields.printed import KernelText
    from second.c_files import Module
    from second.machines import Array, Element, Shape

_INT = Integer(32, True)


class CMachine:
    """A translated file for one target: of one field, by its prefix."""

    takes_symbols = True

    def __init__(self, module: Module, prefix: str, order: int) -> None:
        self._module, self._prefix = module, prefix
        self._fe = f"{prefix}_fe"
        self._limbs = len(module.blank(self._fe)["limb"])
        self.word = module.bits(f"{prefix}_word")
        size = (order - 1).bit_length()
        self._words, self._bytes = -(-size // self.word), -(-size // 8)

    def is_known(self, _: str) -> bool:
        """See :class:`second.machines.Machine`; texts that are translated differ."""
        return False

    def limb(self, name: str, arrays: Sequence[Array], *, returns: bool) -> Callable[..., Any] | None:
        """See :class:`second.machines.Machine`."""
        full = f"{self._prefix}_limbs_{name}"
        kinds = ((a.by_value, Integer(a.bits, False)) for a in arrays)
        wanted = [Parameter(kind) if by_value else Parameter("pointer", kind) for by_value, kind in kinds]
        if not self._has(full, wanted, Integer(self.word, False) if returns else "void"):
            return None

        def called(inputs: list[list[int]]) -> tuple[list[list[int] | None], int | None]:
            given = iter(inputs)
            places = [([UNSET] * a.count if a.output else next(given)) for a in arrays]
            arguments = [p[0] if a.by_value else (p, 0) for a, p in zip(arrays, places, strict=True)]
            returned = self._module.call(full, *arguments)
            return [_stored(p) for a, p in zip(arrays, places, strict=True) if a.output], returned

        return called

    def field(self, name: str, shape: Shape) -> Callable[..., Any] | None:
        """See :class:`second.machines.Machine`."""
        full, kinds = f"{self._prefix}_fe_{name}", (*shape.outputs, *shape.inputs)
        wanted = [self._parameter(kind) for kind in kinds]
        if not self._has(full, wanted, _INT if shape.flag else "void"):
            return None

        def called(inputs: list[Any], same: int | None) -> tuple[list[Any], int | None]:
            given = [self._given(kind, value) for kind, value in zip(shape.inputs, inputs, strict=True)]
            outputs = [self._blank(kind) if same is None else given[same] for kind in shape.outputs]
            returned = self._module.call(full, *outputs, *given)
            return [self._read(kind, out) for kind, out in zip(shape.outputs, outputs, strict=True)], returned

        return called

    def kernel(self, kernel: KernelText) -> Callable[..., Any] | None:
        """See :class:`second.machines.Machine`."""
        points = (*kernel.outputs, *kernel.inputs)
        returned = _INT if kernel.tested else "void"
        if not self._has(kernel.name, [Parameter("pointer", point.type) for point in points], returned):
            return None
        for point in points:
            members = self._module.blank(point.type)
            if members.keys() != point.members.keys() or any(m.keys() != {"limb"} for m in members.values()):
                raise RefusedError(f"{point.type} has other members")

        def called(inputs: list[dict[str, list[int]]], same: list[tuple[int, int]]) -> tuple[Any, int | None]:
            given = [[{m: {"limb": [*words]} for m, words in point.items()}] for point in inputs]
            outputs = [[self._module.blank(point.type)] for point in kernel.outputs]
            for output, place in same:
                outputs[output] = given[place]
            flag = self._module.call(kernel.name, *((place, 0) for place in (*outputs, *given)))
            return [{m: _stored(e["limb"]) for m, e in place[0].items()} for place in outputs], flag

        return called

    def constant(self, name: str) -> Element:
        """See :class:`second.machines.Machine`."""
        found = self._module.constant(name)
        return found[0]["limb"] if found else None

    def _has(self, name: str, wanted: Sequence[Parameter], returned: Integer | str) -> bool:
        """Return whether there is a function; refuse one with other types."""
        signature = self._module.signatures.get(name)
        if signature is None:
            return False
        if [*signature.parameters] != [*wanted]:
            raise RefusedError(f"{name} has other parameters")
        if signature.returned != returned:
            raise RefusedError(f"{name} returns {signature.returned}")
        return True

    def _parameter(self, kind: str) -> Parameter:
        match kind:
            case "element":
                return Parameter("pointer", self._fe)
            case "words" | "bytes":
                return Parameter("pointer", Integer(self.word if kind == "words" else 8, False))
        return Parameter(_INT)

    def _given(self, kind: str, value: Any) -> Any:
        if kind == "element":
            return [{"limb": [*value]}], 0
        return value if isinstance(value, int) else ([*value], 0)

    def _blank(self, kind: str) -> Any:
        match kind:
            case "element":
                return [{"limb": [UNSET] * self._limbs}], 0
            case "words":
                return [UNSET] * self._words, 0
        return [UNSET] * self._bytes, 0

    def _read(self, kind: str, place: Any) -> Element:
        return _stored(place[0][0]["limb"] if kind == "element" else place[0])


def _stored(words: list[Any]) -> Element:
    """Return words if all of them are stored."""
    return None if any(word is UNSET for word in words) else [*words]

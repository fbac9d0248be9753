"""Kernels of a text as calls, followed on elements and compared with the proved programs.

A call of a function on elements is the operation that is proved of it, and a call of a fused formula what its
contract says. In C a kernel is followed with every output in the place of every input of its type in turn.
"""

from __future__ import annotations

from functools import reduce
from itertools import product
from operator import and_
from typing import TYPE_CHECKING, Any

from efdgen.verify.readback.calls import Follower, kept, known, operations
from efdgen.verify.readback.elements import Elements, Flag
from efdgen.verify.readback.limbs import FAILURES
from efdgen.verify.words.places import Variable
from efdgen.verify.words.tree import Routines
from efdgen.verify.words.values import Plain

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from efdgen.generator.fields.operations import FieldOperation
    from efdgen.generator.fields.pieces import Language
    from efdgen.generator.fields.printed import KernelText
    from efdgen.verify.readback.elements import Element
    from efdgen.verify.words.places import Scope
    from efdgen.verify.words.tree import Expression, Function

Value = Any


class _Follower(Follower):
    """Follows a kernel, in which flags are inverted."""

    def _unary(self, sign: str, operand: Expression, scope: Scope) -> Value:
        if sign == "~" and isinstance(flag := self.evaluate(operand, scope), Flag):
            return flag.inverted()
        return super()._unary(sign, operand, scope)


class KernelReader:
    """Compares kernels of texts with their programs; ``wholes`` are the fused formulas that these may call.

    ``binary`` is whether the field's characteristic is 2.
    A part that is the same as in the previous text is not followed again.
    """

    def __init__(
        self, language: Language, word: int, wholes: Mapping[str, FieldOperation], *, binary: bool
    ) -> None:
        self._text, self._word, self._binary = Routines(language, {}, {}), word, binary
        self._elements = Elements(binary=binary)
        self._routines = {**self._operations(), **{self._limbs(n): self._whole(o) for n, o in wholes.items()}}
        self._kept: dict[str, tuple[Function, str]] = {}

    def differences(self, text: Routines, kernels: Iterable[KernelText]) -> dict[str, str]:
        """Return how kernels of a text differ from their programs, in words, by their names."""
        self._text = text
        found = {kernel.name: self._difference(kernel) for kernel in kernels}
        return {name: difference for name, difference in found.items() if difference}

    def _difference(self, kernel: KernelText) -> str:
        function = self._text.functions.get(kernel.name)
        if function is None:
            return "it is not in the text"
        kept = self._kept.get(kernel.name)
        if kept is None or kept[0] != function:
            kept = self._kept[kernel.name] = function, self._followed(kernel, function)
        return kept[1]

    def _followed(self, kernel: KernelText, function: Function) -> str:
        """Follow a kernel in every way that outputs can be inputs."""
        if function.declared not in self._signatures(kernel):
            return f"its parameters are {', '.join(function.declared)}"
        if self._text.language == "rust" and function.returned != _returned(kernel):
            return f"it returns {function.returned or 'nothing'}"
        for shared in self._sharings(kernel):
            try:
                differs = self._compared(kernel, shared)
            except FAILURES as error:
                differs = f"it cannot be followed: {error}"
            if differs:
                where = ", ".join(f"{one} in the place of {other}" for one, other in shared.items() if other)
                return f"{differs}{f', with {where}' if where else ''}"
        return ""

    def _compared(self, kernel: KernelText, shared: Mapping[str, str | None]) -> str:
        """Follow a kernel, and compare every output with the program's."""
        elements = self._elements
        inputs = {
            name: elements.input(name) for argument in kernel.inputs for name in argument.members.values()
        }
        named = {name: elements.input(name) for name in kernel.constants.values()}
        wanted = elements.outputs(kernel.program, inputs | named)
        points = {
            argument.name: {m: kept(inputs[name]) for m, name in argument.members.items()}
            for argument in kernel.inputs
        }
        for output in kernel.outputs:
            taken = shared[output.name]
            points[output.name] = points[taken] if taken else {m: kept(None) for m in output.members}
        flag = self._follow(kernel, points, named)
        if not kernel.in_place:
            *values, flag = flag if isinstance(flag, list) else [flag]
            values, flag = (values, flag) if kernel.tested else ([*values, flag], None)
            if None in values:
                return f"{kernel.outputs[values.index(None)].name} is not returned"
            points |= {output.name: value for output, value in zip(kernel.outputs, values, strict=True)}
        for output in kernel.outputs:
            for member, name in output.members.items():
                if points[output.name][member]["limb"][0] != wanted[name]:
                    return f"{output.name}.{member} is not {name}"
        tests = [_tested(name, wanted[name]) for name in kernel.tested]
        expected = reduce(and_, tests) if tests else None
        return "" if flag == expected else "what it returns is not what it tests"

    def _follow(self, kernel: KernelText, points: Mapping[str, Value], named: Mapping[str, Element]) -> Value:
        given: dict[str, Value] = {text: kept(named[name]) for text, name in kernel.constants.items()}
        given |= {f"limbs::{text}": value["limb"] for text, value in given.items()}
        given["FieldElement::ZERO"] = kept(None)
        machine = _Follower(
            self._text,
            self._word,
            Plain(),
            self._routines,
            structures={"fe": lambda: kept(None)},
            given=given,
        )
        holder = dict(points)
        written = kernel.outputs if kernel.in_place else ()
        names = [argument.name for argument in (*written, *kernel.inputs)]
        in_c = self._text.language == "c"
        return machine.follow(
            kernel.name, *(Variable(holder, name) if in_c else holder[name] for name in names)
        )

    def _sharings(self, kernel: KernelText) -> Iterator[dict[str, str | None]]:
        """Yield which input each output is the same object as; in Rust none can be."""
        outputs = [output.name for output in kernel.outputs]
        choices = [
            [None, *(i.name for i in kernel.inputs if i.type == output.type and self._text.language == "c")]
            for output in kernel.outputs
        ]
        for places in product(*choices):
            taken = [place for place in places if place]
            if len(set(taken)) == len(taken):
                yield dict(zip(outputs, places, strict=True))

    def _signatures(self, kernel: KernelText) -> list[tuple[str, ...]]:
        """Return what the parameters of a kernel may be; in Rust one that is not read begins with ``_``."""
        if self._text.language == "c":
            outputs = [f"{output.type} * {output.name}" for output in kernel.outputs]
            return [(*outputs, *(f"const {point.type} * {point.name}" for point in kernel.inputs))]
        outputs = [f"{o.name} : & mut {o.type}" for o in kernel.outputs if kernel.in_place]
        choices = [
            [f"{unread}{point.name} : & {point.type}" for unread in ("", "_")] for point in kernel.inputs
        ]
        return [(*outputs, *inputs) for inputs in product(*choices)]

    def _operations(self) -> dict[str, Callable[..., Value]]:
        """Return the functions on elements, and the words of one as they are borrowed."""
        made = operations(self._text.language, self._elements, lambda a: Flag(frozenset({a})))
        return {**made, **dict.fromkeys(("words", "words_mut"), lambda a: a["limb"])}

    def _limbs(self, name: str) -> str:
        return f"limbs_{name}" if self._text.language == "c" else f"limbs::{name}"

    def _whole(self, operation: FieldOperation) -> Callable[..., None]:
        """Return what a call of a fused formula does, by its contract: places are outputs, then inputs."""
        program = operation.program
        outputs = [name for name, _ in program.outputs]
        inputs = [program.numbers[index].name for index in program.inputs]

        def call(*places: Value) -> None:
            stored, read = places[: len(outputs)], places[len(outputs) :]
            given = {name: known(place[0]) for name, place in zip(inputs, read, strict=True)}
            found = self._elements.outputs(operation.contract.meaning, given)
            for name, place in zip(outputs, stored, strict=True):
                place[0] = found[name]

        return call


def _returned(kernel: KernelText) -> str:
    """Return the type of a kernel's result in Rust, as its tokens."""
    found = [*(o.type for o in kernel.outputs if not kernel.in_place), *["Choice"] * bool(kernel.tested)]
    return f"( {' , '.join(found)} )" if len(found) > 1 else "".join(found)


def _tested(name: str, value: Element) -> Flag:
    """Return what is tested of an output that is not stored: checks are to be 0, guards are not."""
    only = frozenset({value})
    return Flag(only) if name.startswith("check") else Flag(frozenset(), only)

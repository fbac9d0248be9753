"""The common view of translated text, in C and in Rust: functions that are called with words and elements."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from efdgen.generator.limbs.spelling import stored_size

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from efdgen.generator.fields.printed import KernelText
    from efdgen.generator.limbs.program import Number
    from efdgen.generator.limbs.spelling import LimbFunction

Element = list[int] | None
"""The words of an element; none of one that was not stored, or not in full."""


@dataclass(frozen=True)
class Array:
    """A parameter of a limb function: numbers of some bits, or one number by value."""

    name: str
    count: int
    bits: int
    output: bool
    by_value: bool = False


@dataclass(frozen=True)
class Shape:
    """Parameters of a field function, results first, by their kinds, and whether it returns a flag.

    The kinds are ``element``, ``words`` and ``bytes``, and ``flag`` and ``count`` for integers by value.
    """

    outputs: tuple[str, ...]
    inputs: tuple[str, ...]
    flag: bool = False


class Machine(Protocol):
    """A text for one target, whose functions can be called; ``None`` for one that it does not have."""

    word: int
    takes_symbols: bool
    """Return whether limb functions can be called with symbols in place of integers."""

    def is_known(self, name: str) -> bool:
        """Return whether the same function, ``limbs_add`` or a kernel, was compared for another target."""
        ...

    def limb(self, name: str, arrays: Sequence[Array], *, returns: bool) -> Callable[..., Any] | None:
        """Return a limb function: from a list for each input, lists for the outputs, and what is returned."""
        ...

    def field(self, name: str, shape: Shape) -> Callable[..., Any] | None:
        """Return a function on elements: from inputs, outputs and a flag.

        Elements and words are lists of words. With ``same``, an index, the first output is in the place of
        an input.
        """
        ...

    def kernel(self, kernel: KernelText) -> Callable[..., Any] | None:
        """Return a kernel: from elements by members, one mapping an input, the same of outputs, and a flag.

        With ``same``, pairs of indices, outputs are in the places of inputs.
        """
        ...

    def constant(self, name: str) -> Element:
        """Return the words of a constant."""
        ...


def arrays_of(function: LimbFunction) -> list[Array]:
    """Return the parameters of a limb function, outputs first."""
    word = function.program.word

    def array(name: str, number: Number, *, output: bool) -> Array:
        double, count = stored_size(number, word)
        bits = word * (1 + double)
        return Array(name, count, bits, output, not output and name in function.scalars)

    return [
        *(array(name, number, output=True) for name, number in function.outputs),
        *(array(number.name, number, output=False) for number in function.inputs),
    ]


def number_of(words: Sequence[int], number: Number, word: int) -> int:
    """Return the integer that a number's words, or its double words, are."""
    double, _ = stored_size(number, word)
    positions = number.positions[::2] if double else number.positions
    return sum(each << position for each, position in zip(words, positions, strict=True))


def flag_of(tested: Mapping[str, int]) -> bool:
    """Return what a kernel returns: whether checks are 0 and guards are not."""
    return all((value == 0) == name.startswith("check") for name, value in tested.items())

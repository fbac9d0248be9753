"""Comparison of functions on field elements with arithmetic modulo the prime or the polynomial."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from efdgen.generator.fields import references
from efdgen.generator.fields.emitted import EmittedFunction
from efdgen.generator.fields.loops import EmittedLoop
from second import drawing
from second.limbs import TURNS
from second.machines import Shape

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from random import Random

    from efdgen.generator.fields.printed import LimbText
    from second.machines import Machine
    from second.report import Report

SHAPES = {
    "set_zero": Shape(("element",), ()),
    "set_one": Shape(("element",), ()),
    "select": Shape(("element",), ("element", "element", "flag")),
    "from_words": Shape(("element",), ("words",)),
    "to_words": Shape(("words",), ("element",)),
    "from_bytes_be": Shape(("element",), ("bytes",), flag=True),
    "from_bytes_le": Shape(("element",), ("bytes",), flag=True),
    "to_bytes_be": Shape(("bytes",), ("element",)),
    "to_bytes_le": Shape(("bytes",), ("element",)),
    "sqr_n": Shape(("element",), ("element", "count")),
    "is_zero": Shape((), ("element",), flag=True),
    "conditional_select": Shape(("element",), ("element", "element", "flag")),
    "equal": Shape((), ("element", "element"), flag=True),
    "same": Shape((), ("element", "element"), flag=True),
    "canonical": Shape(("words",), ("element",)),
    "from_canonical": Shape(("element",), ("words",)),
    "from_number": Shape(("element",), ("words",), flag=True),
    **{name: Shape(("element",), ("element", "element")) for name in ("add", "sub", "mul")},
    **{name: Shape(("element",), ("element",)) for name in ("neg", "sqr", "half", "inv")},
}
"""The shapes of functions, by their names in C without ``fe_``; two are Rust's alone."""

# Functions without a claim: inversions rest on some, and traits on others.
_UNCLAIMED = {"canonical", "from_canonical", "from_number", "conditional_select", "equal", "same"}
_UNCLAIMED |= {"set_zero", "set_one"}
_SLOW = {"inv", "sqr_n"}


@dataclass(frozen=True)
class Elements:
    """The elements of a field as words: an element times the radix, in some words."""

    text: LimbText
    radix: int

    @cached_property
    def number(self) -> object:
        """The number that elements are, of an input of the addition."""
        (add,) = (function for function in self.text.functions if function.name == "add")
        return add.inputs[0]

    @property
    def words_of_number(self) -> int:
        """The words of a number in [0, p), or of a polynomial below the degree."""
        return -(-(self.order - 1).bit_length() // self.text.word)

    @property
    def is_prime(self) -> bool:
        """True if the field is GF(p)."""
        return not self.text.ground.is_binary

    @property
    def order(self) -> int:
        """The number of elements."""
        return self.text.ground.order

    def drawn(self, rng: Random) -> list[int]:
        """Return words of an element."""
        return drawing.words(rng, self.number, self.text.word)

    def stored(self, words: Sequence[int]) -> int:
        """Return the number in [0, p), or the polynomial, that words are, before the radix is divided out."""
        total = sum(each << position for each, position in zip(words, self.number.positions, strict=True))
        return self.text.ground.reduce(total)

    def value(self, words: Sequence[int] | None) -> int | None:
        """Return the element that words are, between 0 and the order."""
        if words is None:
            return None
        field = self.text.ground
        return field.mul(self.stored(words), field.inv(self.radix % self.order))

    def integer(self, words: Sequence[int]) -> int:
        """Return an integer in full words."""
        return sum(each << self.text.word * index for index, each in enumerate(words))

    def words(self, integer: int) -> list[int]:
        """Return the full words of an integer below the order."""
        word = self.text.word
        return [integer >> word * index & (1 << word) - 1 for index in range(self.words_of_number)]


def elements_of(text: LimbText, claims: Iterable[object]) -> Elements:
    """Return the elements of a field, whose claims tell the radix."""
    builds = (
        b for c in claims if isinstance(c, EmittedFunction) and c.ground == text.ground for b in c.builds
    )
    return Elements(text, next(build.radix for build in builds if build.word == text.word))


def claimed(text: LimbText, claims: Iterable[object]) -> set[str]:
    """Return the names of the functions on elements that the text has, without ``fe_``."""
    found = set()
    for claim in claims:
        if isinstance(claim, EmittedFunction) and claim.ground == text.ground:
            found.add(claim.name.removeprefix("fe_"))
        elif isinstance(claim, EmittedLoop) and claim.arrangement.modulus == text.ground.order:
            found.add(claim.function.removeprefix("fe_"))
    return found


def element_differences(
    elements: Elements, names: set[str], machine: Machine, rng: Random, report: Report
) -> Iterator[str]:
    """Yield how functions on elements differ; the others are added to the report."""
    for name in sorted((names | _UNCLAIMED) & SHAPES.keys()):
        shape = SHAPES[name]
        if machine.is_known(f"fe_{name}"):
            continue
        called = machine.field(name, shape)
        if called is None:
            if name in names:
                yield f"fe_{name} is missing"
            continue
        for turn in range(2 if name in _SLOW else TURNS):
            places = [i for i, kind in enumerate(shape.inputs) if shape.outputs == ("element",) == (kind,)]
            same = rng.choice(places) if places and turn % 2 else None
            if difference := _difference(name, elements, called, rng, same):
                yield f"fe_{name}: {difference}"
                break
        else:
            report.compared.add(f"fe_{name}")


def _difference(
    name: str, elements: Elements, called: Callable[..., object], rng: Random, same: int | None
) -> str:
    inputs = [_drawn(name, kind, elements, rng) for kind in SHAPES[name].inputs]
    if None in inputs:
        return ""
    outputs, flag = called(inputs, same)
    wanted = _wanted(name, elements, inputs)
    if SHAPES[name].flag and (flag not in (0, 1) or bool(flag) != wanted[1]):
        return f"it returns {flag}"
    (kind,) = SHAPES[name].outputs or ("none",)
    if kind == "none" or (name.startswith("from_bytes") and not wanted[1] and not flag):
        return ""
    found = elements.value(outputs[0]) if kind == "element" else outputs[0] and [*outputs[0]]
    return "" if found == wanted[0] else f"another value{'' if same is None else ', in place'}"


def _drawn(name: str, kind: str, elements: Elements, rng: Random) -> object:
    match kind:
        case "element":
            return elements.drawn(rng)
        case "flag":
            return rng.randint(0, 1)
        case "count":
            return rng.randint(1, 5)
    size = elements.order - 1
    if kind == "bytes":
        count = -(-size.bit_length() // 8)
        near = rng.choice((drawing.integer(rng, size), size, min(size + 1, (1 << 8 * count) - 1)))
        return [*near.to_bytes(count, "big" if name.endswith("be") else "little")]
    words = elements.words(drawing.integer(rng, size))
    return (
        words
        if name != "from_words" or not elements.is_prime
        else [drawing.integer(rng, (1 << elements.text.word) - 1) for _ in words]
    )


def _wanted(name: str, elements: Elements, inputs: list[list[int]]) -> tuple[object, bool]:
    """Return the value of the output, an element's or numbers, and the flag."""
    ground = elements.text.ground
    end = "big" if name.endswith("be") else "little"
    match name:
        case "set_zero" | "set_one":
            return int(name == "set_one"), False
        case "select" | "conditional_select":
            return elements.value(inputs[0] if inputs[2] else inputs[1]), False
        case "from_words" | "from_number":
            total = elements.integer(inputs[0])
            return ground.reduce(total), total < elements.order
        case "from_bytes_be" | "from_bytes_le":
            total = int.from_bytes(bytes(inputs[0]), end)
            return total, total < elements.order
        case "to_words":
            return elements.words(elements.value(inputs[0])), False
        case "to_bytes_be" | "to_bytes_le":
            size = -(-(elements.order - 1).bit_length() // 8)
            return [*elements.value(inputs[0]).to_bytes(size, end)], False
        case "canonical":
            return elements.words(elements.stored(inputs[0])), False
        case "from_canonical":
            field = ground
            return field.mul(elements.integer(inputs[0]), field.inv(elements.radix % elements.order)), False
        case "sqr_n":
            value = elements.value(inputs[0])
            for _ in range(inputs[1]):
                value = ground.mul(value, value)
            return value, False
    name = "equal" if name == "same" else name
    row = references.evaluate(name, tuple(map(elements.value, inputs)), ground)
    return row.value, row.flag
